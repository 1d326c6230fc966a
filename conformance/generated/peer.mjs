// The peer of package generated for generated TypeScript: node peer.mjs DIR loads the
// compiled modules in DIR and answers requests.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { fromHex, read, show, toHex } from "./shown.mjs";

const dir = process.argv[2];
const modules = new Map();
async function load(spec) {
  if (!modules.has(spec)) modules.set(spec, await import(pathToFileURL(join(dir, spec, "index.js")).href));
  return modules.get(spec);
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
        const bytes = Buffer.from(q.bytes, "hex"); // Node's Uint8Array, whose slice is no copy
        const d = m.decode(bytes, options);
        bytes.fill(0); // with which the value shares no memory
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
