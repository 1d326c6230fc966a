"""CBOR by cbor2, and the examples of RFC 8949, appendix A; read by cbor2."""

import datetime
import decimal
import fractions
import importlib.metadata
import io
import math
import uuid

import cbor2
import cbor2.decoder

from tool import write

# RFC 8949, appendix A.
EXAMPLES = """
00 01 0a 17 1818 1819 1864 1903e8 1a000f4240 1b000000e8d4a51000 1bffffffffffffffff c249010000000000000000 3bffffffffffffffff
c349010000000000000000 20 29 3863 3903e7 f90000 f98000 f93c00 fb3ff199999999999a f93e00 f97bff fa47c35000 fa7f7fffff fb7e37e43c8800759c
f90001 f90400 f9c400 fbc010666666666666 f97c00 f97e00 f9fc00 fa7f800000 fa7fc00000 faff800000 fb7ff0000000000000 fb7ff8000000000000
fbfff0000000000000 f4 f5 f6 f7 f0 f8ff c074323031332d30332d32315432303a30343a30305a c11a514b67b0 c1fb41d452d9ec200000 d74401020304
d818456449455446 d82076687474703a2f2f7777772e6578616d706c652e636f6d 40 4401020304 60 6161 6449455446 62225c 62c3bc 63e6b0b4 64f0908591
80 83010203 8301820203820405 98190102030405060708090a0b0c0d0e0f101112131415161718181819 a0 a201020304 a26161016162820203
826161a161626163 a56161614161626142616361436164614461656145 5f42010243030405ff 7f657374726561646d696e67ff 9fff 9f018202039f0405ffff
9f01820203820405ff 83018202039f0405ff 83019f0203ff820405 9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff
bf61610161629f0203ffff 826161bf61626163ff bf6346756ef563416d7421ff
""".split()


def make(home):
    for n, example in enumerate(EXAMPLES):
        yield write(home / f"rfc8949-{n:02}.cbor", bytes.fromhex(example))
    for name, value in [
        ("nested", {-5: b"\x00\xff", "a": [1, {"b": [None, True]}], "tenth": [0.1, "é" * 30]}),
        ("integers", [(1 << n) + d for n in range(0, 64, 4) for d in (-1, 0, 1)] + [-1 - (1 << n) for n in range(0, 64, 7)]),
        ("floats", [0.0, -0.0, 1.1, 1000.0, 65505.0, 5.960464477539063e-08, 1e300, math.inf, -math.inf]),
        ("strings", ["x" * n for n in (0, 23, 24, 255, 256)] + [b"y" * n for n in (0, 23, 24, 255, 256)]),
        ("arrays", [list(range(n)) for n in (0, 23, 24, 300)]),
        ("maps", {n: str(n) for n in range(300)}),
        ("tags", [datetime.datetime(2026, 11, 23, tzinfo=datetime.timezone.utc), decimal.Decimal("1.5"), fractions.Fraction(2, 3), uuid.UUID(int=5), 1 << 70]),
        ("depth", eval("[" * 50 + "]" * 50)),
    ]:
        yield write(home / (name + ".cbor"), cbor2.dumps(value))


# Tags are read as tags, and not as the values of Python that they stand for.
cbor2.decoder.semantic_decoders.clear()


def read(paths):
    return map(read_one, paths)


def read_one(path):
    value = cbor2.decoder.CBORDecoder(io.BytesIO(path.read_bytes())).decode()
    expected = {"reader": "cbor2 " + importlib.metadata.version("cbor2"), "value": {"item": item(value)}}
    if path.stem in ("nested", "floats") or isinstance(value, float):
        expected["written"] = cbor2.dumps(value, canonical=True).hex()  # its floats have other widths
    return expected


def item(v):
    """item returns a Python value in the shape of the schema; null if several forms have the value."""
    if isinstance(v, bool):
        return {"bool": v}
    if v is None:
        return {"null": None}
    kind = type(v).__name__.lower()  # cbor2 has its types twice, in C and in Python
    if kind.startswith("undefined"):
        return {"undefined": None}
    if isinstance(v, int):
        return {"unsigned": v} if v >= 0 else {"negative": -1 - v}
    if isinstance(v, float):
        return {"float": v if math.isfinite(v) else None}
    if kind == "cborsimplevalue":
        return {"simple": v.value}
    if kind == "cbortag":
        return {"tag": {"number": v.tag, "content": item(v.value)}}
    if isinstance(v, bytes):
        return {"$oneof": [{"bytes": v.hex()}, {"chunked_bytes": None}]}
    if isinstance(v, str):
        return {"$oneof": [{"text": v}, {"chunked_text": None}]}
    if isinstance(v, (list, tuple)):
        return {"$items": [item(e) for e in v]}
    return {"$pairs": [[item(k), item(x)] for k, x in v.items()]}
