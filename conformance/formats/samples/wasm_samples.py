"""WebAssembly modules by wabt's wat2wasm, read by wasm-objdump. Custom sections that wat2wasm does not write are appended."""

import re

from tool import run, version, write

VERSION = "wasm-objdump " + version("wasm-objdump", "--version")

MODULES = {
    "empty": "(module)",
    "add": '(module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))',
    "types": "(module (type (func)) (type (func (param i32 i64 f32 f64) (result f64))) (type (func (result i32 i64))) (type (func (param v128 funcref externref))))",
    "imports": '(module (import "env" "f" (func (param i32))) (import "env" "t" (table 1 20 funcref)) (import "env" "m" (memory 2)) (import "env" "g" (global i32)) (import "môd" "" (global (mut f64))))',
    "functions": "(module (func) (func (param i32)) (func (result i64) i64.const -1) (func))",
    "tables": "(module (table 3 funcref) (table 1 100 externref))",
    "memory": "(module (memory 1))",
    "memory-max": "(module (memory 1 65536))",
    "globals": "(module (global i32 (i32.const -7)) (global (mut i64) (i64.const 0x7fffffffffffffff)) (global f32 (f32.const 1.5)) (global f64 (f64.const -0x1p-1074)) (global funcref (ref.null func)))",
    "globals-imported": '(module (import "a" "b" (global i32)) (global i32 (global.get 0)))',
    "exports": '(module (func (export "f")) (table (export "t") 1 funcref) (memory (export "m") 1) (global (export "g") i32 (i32.const 1)) (export "again" (func 0)))',
    "start": "(module (func $f) (func $g) (start $g))",
    "elements": "(module (table 4 funcref) (func $f) (func $g) (elem (i32.const 1) $f $g) (elem func $g) (elem declare func $f))",
    "elements-expressions": "(module (table 4 funcref) (func $f) (elem (i32.const 0) funcref (ref.func $f) (ref.null func)) (elem funcref (ref.func $f)))",
    "elements-table": "(module (table 1 funcref) (table 4 funcref) (func $f) (elem (table 1) (i32.const 2) func $f))",
    "code": "(module (func (local i32 i32 i64) (local f32) nop) (func (param i32) (result i32) (local f64) local.get 0 if (result i32) i32.const 1 else i32.const 2 end))",
    "data": '(module (memory 1) (data (i32.const 8) "hello\\00") (data (i32.const 1024) "") (data "passive"))',
    "data-count": '(module (memory 1) (data "abc") (func i32.const 0 i32.const 0 i32.const 3 memory.init 0 data.drop 0))',
    "vector": "(module (global v128 (v128.const i32x4 1 2 3 4)) (func (result v128) v128.const f32x4 1 2 3 4))",
    "names": '(module $named (func $first (param $x i32)) (func $second (export "s") (local $y i64)) (memory $m 1))',
    "names-all": '(module $all (type $t (func)) (func $f (param $a i32) (param $b i64) block $l nop end) (func $g (local $c f32)) (table $t 1 funcref) (memory $m 1) (global $g i32 (i32.const 1)) (elem $e func $f) (data $d "abc"))',
    "many": "(module " + "".join(f"(func (export \"f{i}\") (result i32) i32.const {i * 1000})" for i in range(200)) + ")",
}


def leb(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + leb(n >> 7)


def text(*all):
    return b"".join(leb(len(t.encode())) + t.encode() for t in all)


def section(id, *content):
    body = b"".join(content)
    return bytes([id]) + leb(len(body)) + body


# Sections of the tool conventions that wasm-objdump prints.
CUSTOM = {
    "features": section(0, text("target_features"), leb(3), b"+", text("mutable-globals"), b"=", text("simd"), b"-", text("atomics")),
    "dylink": section(
        0,
        text("dylink.0"),
        section(1, leb(70000), leb(4), leb(2), leb(0)),
        section(2, leb(2), text("libc.so", "libm.so")),
        section(3, leb(2), text("first"), leb(0x10), text("second"), leb(0)),
        section(4, leb(1), text("env", "imported"), leb(1)),
    ),
}


def make(home):
    for name, content in CUSTOM.items():
        yield write(home / (name + ".wasm"), b"\0asm\1\0\0\0" + content)
    for name, text in MODULES.items():
        wat = write(home / "module.wat", text.encode())
        path = home / (name + ".wasm")
        run("wat2wasm", *(["--debug-names"] if name.startswith("names") else []), "-o", str(path), str(wat))
        wat.unlink()
        yield path


IDS = "custom type import function table memory global export start elem code data datacount tag".lower().split()
ARMS = "custom types imports functions tables memories globals exports start elements code data data_count tags".split()
VALUES = {"i32": 0x7F, "i64": 0x7E, "f32": 0x7D, "f64": 0x7C, "v128": 0x7B, "funcref": 0x70, "externref": 0x6F}


def read(paths):
    return map(read_one, paths)


def read_one(path):
    headers = run("wasm-objdump", "-h", str(path)).decode()
    ids, sizes = [], []
    for name, size in re.findall(r"^\s*(\w+) start=\S+ end=\S+ \(size=(0x[0-9a-f]+)\)", headers, re.M):
        ids.append(IDS.index(name.lower()))
        sizes.append(int(size, 16))
    lines = run("wasm-objdump", "-x", str(path)).decode().split("Section Details:\n", 1)[1].splitlines()
    sections, starts = {}, {}
    for line in lines:
        m = re.match(r"(\w+)(\[\d+\])?:$", line)
        if m or line.startswith("Start:") or line.startswith("DataCount:") or line.startswith("Custom:"):
            block = sections.setdefault(IDS.index(re.match(r"\w+", line)[0].lower()), [])
            if not m:
                block.append(line)
        elif line.strip():
            block.append(line)
    body_sizes = [int(n) for n in re.findall(r"- func\[\d+\] size=(\d+)", "\n".join(sections.get(10, [])))]
    value = [{"id": i, "body": {ARMS[i]: entries(i, sections.get(i, []))}} for i in ids]
    return {"reader": VERSION, "value": value, "rows": {"Section.size": sizes, "Code.size": body_sizes}}


def entries(section, lines):
    """entries returns the entries of a section by the lines that wasm-objdump prints."""
    text = "\n".join(lines)
    if section == 1:
        return [{"parameters": types(p), "results": types(r)} for p, r in re.findall(r"type\[\d+\] \((.*?)\) -> (.*)", text)]
    if section == 2:
        return [imported(line) for line in lines]
    if section == 3:
        return [int(n) for n in re.findall(r"sig=(\d+)", text)]
    if section == 4:
        return [{"element": VALUES[t], "limits": limits(rest)} for t, rest in re.findall(r"table\[\d+\] type=(\w+)(.*)", text)]
    if section == 5:
        return [limits(line) for line in lines]
    if section == 6:
        return [{"type": {"type": VALUES[t], "mutable": m == "1"}, "init": None if t in ("funcref", "v128") else constant(rest)} for t, m, rest in re.findall(r"global\[\d+\] (\w+) mutable=(\d)(.*)", text)]
    if section == 7:
        return [{"name": name, "kind": ["func", "table", "memory", "global"].index(kind), "index": int(n)} for kind, n, name in re.findall(r"- (\w+)\[(\d+)\](?: <[^>]*>)? -> \"(.*)\"", text)]
    if section == 8:
        return int(re.search(r"start function: (\d+)", text)[1])
    if section == 10:
        return [None for line in lines if re.match(r" - func\[", line)]
    if section == 11:
        return segments(lines)
    if section == 12:
        return int(re.search(r"data count: (\d+)", text)[1])
    if section == 9:
        return [element(line) for line in lines if re.match(r" - segment\[", line)]
    name = re.search(r'name: "(.*)"', text)[1]
    return {"name": name, **{"name": named, "target_features": features, "dylink.0": dylink}[name](lines)}


def features(lines):
    return {"features": [{"prefix": ord(m[1]), "name": m[2]} for m in map(re.compile(r"  - \[(.)\] (.*)$").match, lines) if m]}


# The letters that wasm-objdump prints for flags, which are in the samples.
FLAGS = {" undefined binding=global vis=default ": 0x10, " binding=global vis=default ": 0, " binding=weak vis=default ": 1}


def dylink(lines):
    """dylink returns the subsections for a dynamic linker."""
    info = [int(re.search(r": (\d+)", line)[1]) for line in lines[1:5]]
    all = [{"id": 1, "body": {"memory": dict(zip(["memory_size", "memory_alignment", "table_size", "table_alignment"], info))}}]
    for line in lines[5:]:
        m = re.match(r"  - (.*?)(?: \[(.*)\])?$", line)
        if not m:
            id, arm = {"needed_dynlibs": (2, "libraries"), "exports": (3, "exports"), "imports": (4, "imports")}[re.match(r" - (\w+)", line)[1]]
            entries = []
            all.append({"id": id, "body": {arm: entries}})
        elif m[2] is None:
            entries.append(m[1])
        elif id == 3:
            entries.append({"name": m[1], "flags": FLAGS[m[2]]})
        else:
            module, field = m[1].split(".")
            entries.append({"module": module, "field": field, "flags": FLAGS[m[2]]})
    return {"dylink": all}


# Items of subsections of names, as wasm-objdump prints them, and the numbers of the subsections.
ITEMS = {"func": 1, "type": 4, "table": 5, "memory": 6, "global": 7, "elemseg": 8, "dataseg": 9, "tag": 11}


def named(lines):
    """named returns the subsections of the name section. A function without local names is not printed, and not in the samples."""
    found = {}
    for line in lines:
        if m := re.match(r" - module <(.*)>$", line):
            found[0] = {"module": m[1]}
        elif m := re.match(r" - func\[(\d+)\] local\[(\d+)\] <(.*)>$", line):
            groups = found.setdefault(2, {"locals": []})["locals"]
            if not groups or groups[-1]["index"] != int(m[1]):
                groups.append({"index": int(m[1]), "names": []})
            groups[-1]["names"].append({"index": int(m[2]), "name": m[3]})
        elif m := re.match(r" - (\w+)\[(\d+)\] <(.*)>$", line):
            id, arm = ITEMS[m[1]], "functions" if m[1] == "func" else "items"
            found.setdefault(id, {arm: []})[arm].append({"index": int(m[2]), "name": m[3]})
    return {"names": [{"id": id, "body": body} for id, body in found.items()]}


def types(text):
    return bytes(VALUES[t] for t in re.findall(r"\w+", text) if t != "nil").hex()


def limits(text):
    m = re.search(r"initial=(\d+)(?: max=(\d+))?", text)
    return {"minimum": int(m[1])} if m[2] is None else {"minimum": int(m[1]), "maximum": int(m[2])}


def imported(line):
    m = re.match(r" - (\w+)\[\d+\](.*?) <- (.*)\.([^.]*)$", line)
    kind, rest = m[1], m[2]
    if kind == "func":
        desc = {"function": int(re.search(r"sig=(\d+)", rest)[1])}
    elif kind == "table":
        desc = {"table": {"table": {"element": VALUES[re.search(r"type=(\w+)|elem_type=(\w+)", rest)[1]], "limits": limits(rest)}}}
    elif kind == "memory":
        desc = {"memory": {"memory": limits(rest)}}
    else:
        t = re.search(r" (\w+) mutable=(\d)", rest)
        desc = {"global": {"global": {"type": VALUES[t[1]], "mutable": t[2] == "1"}}}
    return {"module": m[3], "name": m[4], "desc": desc}


def element(line):
    m = re.search(r"flags=(\d+) table=(\d+) count=(\d+)(.*)", line)
    flags, count = int(m[1]), int(m[3])
    v = {"passive": flags & 1 == 1, "explicit": flags & 2 == 2, "inits" if flags & 4 else "functions": [None] * count}
    if not flags & 1:
        v["offset"] = constant(m[4])
    return v


def segments(lines):
    """segments returns data segments; lines of bytes follow the line of each."""
    all = []
    for line in lines:
        m = re.match(r" - segment\[\d+\](?: <[^>]*>)?(?: memory=\d+)?( passive)? size=(\d+)(.*)", line)
        if m:
            all.append({"passive": bool(m[1]), "bytes": ""})
            if not m[1]:
                all[-1]["offset"] = constant(m[3])
        else:
            all[-1]["bytes"] += "".join(re.match(r"  - [0-9a-f]+: ((?:[0-9a-f]{2,4} )+)", line)[1].split())
    return all


def constant(text):
    """constant returns a constant expression: an instruction and the end."""
    m = re.search(r"init (i32|i64|f32|f64)=(\S+)", text)
    if not m:
        return None
    if m[1][0] == "f":
        return [{m[1] + "_const": float.fromhex(m[2])}, {"end": None}]
    bits = int(m[1][1:])
    number = int(m[2]) & (1 << bits) - 1
    return [{m[1] + "_const": number - (number >> bits - 1 << bits)}, {"end": None}]
