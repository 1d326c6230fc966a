# Values of generated Python in JSON: package generated says how.

import dataclasses
import math
import struct


def classes_of(module):
    """The classes of a module's values, by the names that values are shown with."""
    classes = [c for c in vars(module).values() if isinstance(c, type) and dataclasses.is_dataclass(c) and c.__module__ == module.__name__]
    return {c.TYPE: c for c in classes if hasattr(c, "TYPE")} | {"record " + c.__name__: c for c in classes}


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
