// The peer of package generated for generated TypeScript: node peer.mjs DIR loads the
// compiled modules in DIR and answers requests.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const dir = process.argv[2];
const modules = new Map();
async function load(spec) {
  if (!modules.has(spec)) modules.set(spec, await import(pathToFileURL(join(dir, spec, "index.js")).href));
  return modules.get(spec);
}

const view = new DataView(new ArrayBuffer(8));
const arrays = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array, u64: BigUint64Array, i64: BigInt64Array, f32: Float32Array, f64: Float64Array };
const names = new Map(Object.entries(arrays).map(([k, v]) => [v, k]));
const toHex = (b) => Buffer.from(b.buffer, b.byteOffset, b.byteLength).toString("hex");
const fromHex = (s) => new Uint8Array(Buffer.from(s, "hex"));

function show(v) {
  if (v === null || typeof v === "boolean") return v;
  switch (typeof v) {
    case "bigint":
      return { i: String(v) };
    case "number":
      if (Number.isNaN(v)) return { f: "7ff8000000000000" };
      view.setFloat64(0, v);
      return { f: view.getBigUint64(0).toString(16).padStart(16, "0") };
    case "string":
      return { s: v };
  }
  if (ArrayBuffer.isView(v)) return { p: [names.get(v.constructor), toHex(v)] };
  if (Array.isArray(v)) return v.map(show);
  const out = {};
  for (const [k, x] of Object.entries(v)) if (x !== undefined) out[k] = show(x);
  return { o: out };
}

function read(v) {
  if (v === null || typeof v === "boolean") return v;
  if (Array.isArray(v)) return v.map(read);
  if ("i" in v) return BigInt(v.i);
  if ("f" in v) {
    view.setBigUint64(0, BigInt("0x" + v.f));
    return view.getFloat64(0);
  }
  if ("s" in v) return v.s;
  if ("u" in v) return String.fromCharCode(...v.u.match(/.{4}/g).map((x) => parseInt(x, 16)));
  if ("p" in v) {
    const b = fromHex(v.p[1]);
    return new arrays[v.p[0]](b.buffer);
  }
  return Object.fromEntries(Object.entries(v.o).map(([k, x]) => [k, read(x)]));
}

async function answer(q) {
  const m = await load(q.spec);
  const options = {};
  for (const name of q.gates ?? []) options[name] = true;
  if (q.strict) options.strict = true;
  if (q.depth) options.maxDepth = q.depth;
  if (q.memory) options.maxMemory = q.memory;
  try {
    switch (q.op) {
      case "decode": {
        const d = m.decode(fromHex(q.bytes), options);
        return { value: show(d.value), used: d.used };
      }
      case "encode":
        return { bytes: toHex(m.encode(q.novalue ? undefined : read(q.value), options)) };
      case "recode": {
        const d = m.decode(fromHex(q.bytes), options);
        return { bytes: toHex(m.encode(d.value, options)), used: d.used };
      }
    }
    return { crash: "no operation " + q.op };
  } catch (e) {
    if (!(e instanceof m.FormatError)) return { crash: String(e && e.stack) };
    const { kind, offset, path, rule, expected, found, message } = e;
    return { error: { kind, offset, path, rule, expected, found, message } };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + "\n");
}
