# The peer of package generated for generated Python: python3 peer.py DIR loads the
# modules in DIR and answers requests.

import importlib.util
import json
import os
import sys

import shown

modules = {}


def load(spec):
    if spec not in modules:
        name = "module_" + str(len(modules))
        folder = os.path.join(sys.argv[1], spec)
        s = importlib.util.spec_from_file_location(name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
        m = importlib.util.module_from_spec(s)
        sys.modules[name] = m
        s.loader.exec_module(m)
        modules[spec] = m, shown.classes_of(m)
    return modules[spec]


def answer(q):
    m, classes = load(q["spec"])
    o = {name: True for name in q.get("gates", [])}
    options = m.Options(strict=q.get("strict", False), max_depth=q.get("depth", 0), max_memory=q.get("memory", 0), **o)
    try:
        match q["op"]:
            case "decode":
                v, used = m.decode(bytes.fromhex(q["bytes"]), options)
                return {"value": shown.show(v), "used": used}
            case "encode":
                return {"bytes": m.encode(None if q.get("novalue") else shown.read(q["value"], classes), options).hex()}
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
