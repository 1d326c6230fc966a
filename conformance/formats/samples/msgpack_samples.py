"""MessagePack by msgpack of Python, read by it."""

import datetime
import math

import msgpack

from tool import write

VALUES = {
    "nil": None, "false": False, "true": True, "zero": 0, "fixint": 127, "uint8": 128, "uint16": 256, "uint32": 65536, "uint64": 1 << 63,
    "negative": -1, "int8": -33, "int16": -129, "int32": -32769, "int64": -(1 << 63), "half": 0.5, "third": 1 / 3,
    "empty": "", "text": "naïve", "str8": "x" * 32, "str16": "x" * 256, "bin8": b"\x00\xff", "bin16": bytes(256),
    "array": [1, [2, [3]], None], "array16": list(range(-50, 50)), "map": {"compact": True, "schema": 0}, "map16": {n: -n for n in range(20)},
    "ext1": msgpack.ExtType(5, b"a"), "ext8": msgpack.ExtType(127, b"abc"), "ext16": msgpack.ExtType(2, bytes(16)),
    "time32": msgpack.Timestamp(1700000000), "time64": msgpack.Timestamp(1 << 33, 999999999), "time96": [msgpack.Timestamp(-1, 5), msgpack.Timestamp(1 << 40)],
    "mixed": {"name": "octable", "tags": ["a", b"b", 3, -4, 5.5, None], "nested": {"deep": {"deeper": [True, False]}}},
}


def make(home):
    for name, value in VALUES.items():
        yield write(home / (name + ".msgpack"), msgpack.packb(value, use_single_float=name == "half"))


def read(paths):
    return map(read_one, paths)


def read_one(path):
    v = msgpack.unpackb(path.read_bytes(), strict_map_key=False, object_pairs_hook=Pairs)
    return {"reader": "msgpack " + ".".join(map(str, msgpack.version)), "value": value(v)}


class Pairs(list):
    pass


def value(v):
    if v is None:
        return {"nil": None}
    if isinstance(v, bool):
        return {"bool": v}
    if isinstance(v, int):
        return {"uint" if v >= 0 else "int": v}
    if isinstance(v, float):
        return {"float": v if math.isfinite(v) else None}
    if isinstance(v, str):
        return {"str": v}
    if isinstance(v, msgpack.Timestamp):
        size = len(v.to_bytes())
        return {"ext": {"type": -1, "timestamp": {f"timestamp_{size * 8}": v.seconds if size == 4 else {"nanoseconds": v.nanoseconds, "seconds": v.seconds}}}}
    if isinstance(v, msgpack.ExtType):
        return {"ext": {"type": v.code, "data": v.data.hex()}}
    if isinstance(v, bytes):
        return {"bin": v.hex()}
    if isinstance(v, Pairs):
        return {"map": [[value(k), value(x)] for k, x in v]}
    return {"array": [value(e) for e in v]}
