// Compiles descriptions and reads packets with what was made of them, a JSON object a line:
//
//	{"name", "ksy"}     a description; the answer is {"ok"} or {"error"}
//	{"name", "hex"}     a packet for it; the answer is {"leaves": [[offset, length, value], …]} or {"error"}
const { createRequire } = require("module");
const from = createRequire(process.env.OCTABLE_KAITAI + "/");
const compiler = from("kaitai-struct-compiler"), yaml = from("yaml"), KaitaiStream = from("kaitai-struct/KaitaiStream");
const vm = require("vm"), readline = require("readline");

const classes = {};
const numeral = ["groups", "digits", "fill", "leading", "unsigned", "lower", "upper"]; // parts of a number that Kaitai does not have

async function compile(name, ksy) {
  const files = await compiler.compile("javascript", yaml.parse(ksy), null, true); // with debugging: reading is a step of its own, and places are kept
  const [file] = Object.keys(files);
  const module = { exports: {} };
  vm.runInThisContext(`(function (exports, require, module) {${files[file]}\n})`)(module.exports, from, module);
  classes[name] = Object.values(module.exports)[0];
}

function leaves(value, debug, out) {
  if (Array.isArray(value)) value.forEach((v, i) => leaves(v, debug.arr[i], out));
  else if (value && value._debug && "number" in value && numeral.some((name) => name in value._debug)) {
    const all = Object.keys(value._debug).filter((name) => numeral.includes(name.replace(/[0-9]+$/, ""))).map((name) => value._debug[name]);
    const start = Math.min(...all.map((d) => d.start)), end = Math.max(...all.map((d) => d.end));
    out.push([all[0].ioOffset + start, end - start, String(value.number)]);
  } else if (value && value._debug) for (const key in value._debug) {
    if (!key.startsWith("_") || key.startsWith("_m_")) leaves(value[key], value._debug[key], out);
  } else if (debug.end > debug.start) {
    const shown = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : typeof value === "string" ? value : String(value);
    out.push([debug.ioOffset + debug.start, debug.end - debug.start, Object.is(value, -0) ? "-0" : shown]);
  }
  return out;
}

function read(name, hex) {
  const bytes = new Uint8Array(Buffer.from(hex, "hex"));
  const packet = new classes[name](new KaitaiStream(bytes.buffer));
  packet._read();
  return leaves(packet, null, []);
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { name, ksy, hex } = JSON.parse(line);
    let answer;
    try {
      answer = ksy ? (await compile(name, ksy), { ok: true }) : { leaves: read(name, hex) };
    } catch (e) {
      answer = { error: String(e.message || e).slice(0, 400) };
    }
    console.log(JSON.stringify(answer));
  }
})();
