// Values of generated TypeScript in JSON: package generated says how.

const view = new DataView(new ArrayBuffer(8));
const arrays = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array, u64: BigUint64Array, i64: BigInt64Array, f32: Float32Array, f64: Float64Array };
const names = new Map(Object.entries(arrays).map(([k, v]) => [v, k]));
export const toHex = (b) => Buffer.from(b.buffer, b.byteOffset, b.byteLength).toString("hex");
export const fromHex = (s) => new Uint8Array(Buffer.from(s, "hex"));

export function show(v) {
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

export function read(v) {
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
