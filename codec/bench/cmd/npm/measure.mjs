// Times generated TypeScript and packages of npm on one packet, in turn:
// node measure.mjs FOLDER PACKAGES ROUNDS. FOLDER has the compiled modules and the packets of package main.
// It prints a line of JSON for each case: its name, and the milliseconds of each round.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, packages, rounds] = process.argv;
const require = createRequire(join(packages, "package.json"));
const ours = (spec) => import(pathToFileURL(join(folder, "out", spec, "index.js")).href);
const buffer = (spec) => readFileSync(join(folder, spec + ".bin"));

/** The functions of a generated module. */
function generated(m) {
  return { decode: (b) => m.decode(b).value, encode: (v) => m.encode(v) };
}

/** A value of any of them as one text: numbers, texts, lists and members by name. */
const text = (v) => JSON.stringify(plain(v));
function plain(v) {
  if (typeof v === "bigint") return Number(v);
  if (typeof v !== "object" || v === null) return v;
  if (Array.isArray(v)) return v.map(plain);
  switch (v.$type) {
    case "Array":
      return v.elements.map(plain);
    case "Dictionary":
      return Object.fromEntries(v.pairs.map(([k, x]) => [plain(k), plain(x)]));
  }
  return Object.fromEntries(
    Object.entries(v)
      .filter(([k]) => k !== "$type")
      .map(([k, x]) => [k.replace(/^_/, ""), plain(x)]),
  );
}

const gdCom = require("gd-com");
const utils4 = require("gd-com-utils-4");
const utils5 = require("gd-com-utils-5");
const { PacketPeer } = require("godot-binary-serialization");
const four = generated(await ours("godot-4.4"));
const three = generated(await ours("godot-3"));
const variants = (lib) => ({ decode: (b) => lib.getVar(b).value, encode: (v) => lib.putVar(v) });

const all = [
  { name: "generated godot-4.4", spec: "godot-4.4", ...four },
  { name: "@gd-com/utils 5", spec: "godot-4.4", base: "generated godot-4.4", ...variants(utils5) },
  { name: "generated godot-3", spec: "godot-3", ...three },
  { name: "@gd-com/utils 4", spec: "godot-3", base: "generated godot-3", ...variants(utils4) },
  { name: "gd-com", spec: "godot-3", base: "generated godot-3", ...variants(gdCom) },
  {
    name: "godot-binary-serialization",
    spec: "godot-3",
    base: "generated godot-3",
    decode: (b) => PacketPeer.get_var(b),
    encode: (v) => PacketPeer.put_var(v),
  },
];

/** Milliseconds of a call, over at least 200 milliseconds. */
function time(f) {
  const begin = process.cpuUsage();
  let calls = 0;
  let spent = 0;
  do {
    f();
    calls++;
    const used = process.cpuUsage(begin);
    spent = (used.user + used.system) / 1000;
  } while (spent < 200);
  return spent / calls;
}

const reference = { "godot-4.4": four, "godot-3": three };
const cases = [];
for (const p of all) {
  const bytes = buffer(p.spec);
  const read = reference[p.spec].decode;
  const want = text(read(bytes));
  /** Adds a case, or the reason why there is none. */
  const add = (direction, f, result) => {
    const c = { name: p.name, base: p.base, direction, f, times: [] };
    try {
      if (result(f()) !== want) c.error = "the result is another one";
    } catch (e) {
      c.error = String(e.message).split("\n")[0];
    }
    cases.push(c);
    return c.error === undefined;
  };
  if (add("decode", () => p.decode(bytes), text)) {
    const value = p.decode(bytes);
    add("encode", () => p.encode(value), (b) => text(read(b)));
  }
}
const timed = cases.filter((c) => c.error === undefined);
for (const c of timed) time(c.f); // compiled by the engine
for (let i = 0; i < Number(rounds); i++) for (const c of timed) c.times.push(time(c.f));
for (const { f: _, ...c } of cases) console.log(JSON.stringify(c));
