# The peer of package generated for generated Python: python3 peer.py DIR loads the
# modules in DIR and answers requests.

import dataclasses
import importlib.util
import json
import math
import os
import struct
import sys

modules = {}


def load(spec):
    if spec not in modules:
        name = "module_" + str(len(modules))
        folder = os.path.join(sys.argv[1], spec)
        s = importlib.util.spec_from_file_location(name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
        m = importlib.util.module_from_spec(s)
        sys.modules[name] = m
        s.loader.exec_module(m)
        classes = [c for c in vars(m).values() if isinstance(c, type) and dataclasses.is_dataclass(c) and c.__module__ == name]
        named = {c.TYPE: c for c in classes if hasattr(c, "TYPE")}
        modules[spec] = m, named | {"record " + c.__name__: c for c in classes}
    return modules[spec]


def show(v):
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, int):
        return {"i": str(v)}
    if isinstance(v, float):
        (bits,) = struct.unpack(">Q", struct.pack(">d", v))
        return {"f": f"{bits | 1 << 51 if math.isnan(v) else bits:016x}"}
    if isinstance(v, str):
        return {"s": v}
    if isinstance(v, bytes):
        return {"p": ["u8", v.hex()]}
    if isinstance(v, (list, tuple)):
        return [show(x) for x in v]
    out = {f.name: show(getattr(v, f.name)) for f in dataclasses.fields(v) if getattr(v, f.name) is not f.default}
    if hasattr(v, "TYPE"):
        out["$type"] = {"s": v.TYPE}
    out["$record"] = {"s": type(v).__name__}
    return {"o": out}


def read(v, classes):
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, list):
        return [read(x, classes) for x in v]
    if "i" in v:
        return int(v["i"])
    if "f" in v:
        return struct.unpack(">d", bytes.fromhex(v["f"]))[0]
    if "s" in v:
        return v["s"]
    if "u" in v:
        return bytes.fromhex(v["u"]).decode("utf-16-be", "surrogatepass")
    if "p" in v:
        return bytes.fromhex(v["p"][1])
    o = {k: read(x, classes) for k, x in v["o"].items()}
    arm, record = o.pop("$type", None), o.pop("$record", None)
    name = "record " + record if record else arm or "nothing"  # arms of several unions may have one name
    if name not in classes:  # of another module
        return type(name, (), o)()
    fields = dataclasses.fields(classes[name])
    missing = {f.name: object() for f in fields if f.default is dataclasses.MISSING}
    return classes[name](**missing | {f.name: o[f.name] for f in fields if f.name in o})


def answer(q):
    m, classes = load(q["spec"])
    o = {name: True for name in q.get("gates", [])}
    options = m.Options(strict=q.get("strict", False), max_depth=q.get("depth", 0), max_memory=q.get("memory", 0), **o)
    try:
        match q["op"]:
            case "decode":
                v, used = m.decode(bytes.fromhex(q["bytes"]), options)
                return {"value": show(v), "used": used}
            case "encode":
                return {"bytes": m.encode(None if q.get("novalue") else read(q["value"], classes), options).hex()}
            case "recode":
                v, used = m.decode(bytes.fromhex(q["bytes"]), options)
                return {"bytes": m.encode(v, options).hex(), "used": used}
    except m.FormatError as e:
        return {
            "error": {
                "kind": e.kind, "offset": e.offset, "path": e.path, "rule": e.rule,
                "expected": e.expected, "found": e.found, "message": str(e),
            }
        }  # fmt: skip
    return {"crash": "no operation " + q["op"]}


def main():
    sys.setrecursionlimit(20000)  # for show and read; the modules see to themselves
    for line in sys.stdin:
        try:
            out = answer(json.loads(line))
        except Exception as e:
            import traceback

            out = {"crash": "".join(traceback.format_exception(e))[-3000:]}
        print(json.dumps(out), flush=True)


main()
