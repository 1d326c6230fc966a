"""A small codec for seven types of Godot 4, and how it is made an implementation:

    octable conform -spec godot-4.4 -- python3 conformance/wrappers/python/example.py
"""
import struct

from values import make, show
from wrapper import Unsupported, serve

NIL, BOOL, INT, FLOAT, STRING, DICTIONARY, ARRAY = 0, 1, 2, 3, 4, 27, 28
HAS = ["Nil", "bool", "int", "float", "String", "Dictionary", "Array"]


class Refused(Exception):
    def __init__(self, kind, offset):
        super().__init__(f"byte {offset}: {kind}")
        self.kind, self.offset = kind, offset


def unpack(format, b, at):
    if at + struct.calcsize(format) > len(b):
        raise Refused("truncated", at)
    return struct.unpack_from("<" + format, b, at)[0], at + struct.calcsize(format)


def read(b, at, depth=0):
    if depth > 1024:
        raise Refused("depth", at)
    start = at
    header, at = unpack("I", b, at)
    type, flags = header & 0xFF, header >> 16
    if type == NIL:
        return None, at
    if type == BOOL:
        n, at = unpack("I", b, at)
        return n != 0, at
    if type == INT:
        return unpack("q" if flags & 1 else "i", b, at)
    if type == FLOAT:
        return unpack("d" if flags & 1 else "f", b, at)
    if type == STRING:
        n, at = unpack("I", b, at)
        if n + -n % 4 > len(b) - at:
            raise Refused("truncated", at)
        text, _, _ = b[at:at + n].partition(b"\0")
        try:
            return text.decode("utf-8-sig"), at + n + -n % 4
        except UnicodeDecodeError as e:
            raise Refused("text", at + e.start + 3 * text.startswith(b"\xef\xbb\xbf")) from e
    if type == ARRAY or type == DICTIONARY:
        if flags & (3 if type == ARRAY else 15):
            raise Unsupported("there are no typed containers")
        n, at = unpack("I", b, at)
        made = []
        for _ in range((n & 0x7FFFFFFF) * (1 if type == ARRAY else 2)):
            e, at = read(b, at, depth + 1)
            made.append(e)
        return (made if type == ARRAY else Pairs(zip(made[::2], made[1::2]))), at
    if type <= 38:
        raise Unsupported("there is no type %d here" % type)
    raise Refused("type", start)


class Pairs(list):
    """A Dictionary as it was sent, whose keys may be anything."""

    def notation(self):
        return {"$type": "Dictionary", "value": [[show(key), show(e)] for key, e in self]}


def write(v, depth=0):
    if depth > 1024:
        raise Refused("depth", 0)
    if v is None:
        return struct.pack("<I", NIL)
    if isinstance(v, bool):
        return struct.pack("<II", BOOL, v)
    if isinstance(v, int):
        narrow = -1 << 31 <= v < 1 << 31
        return struct.pack("<Ii" if narrow else "<Iq", INT if narrow else INT | 1 << 16, v)
    if isinstance(v, float):
        try:
            narrow = struct.unpack("<f", struct.pack("<f", v))[0] == v
        except OverflowError:
            narrow = False
        return struct.pack("<If" if narrow else "<Id", FLOAT if narrow else FLOAT | 1 << 16, v)
    if isinstance(v, str):
        text = v.encode()
        return struct.pack("<II", STRING, len(text)) + text + bytes(-len(text) % 4)
    if isinstance(v, Pairs):
        return struct.pack("<II", DICTIONARY, len(v)) + b"".join(write(key, depth + 1) + write(e, depth + 1) for key, e in v)
    if isinstance(v, list):
        return struct.pack("<II", ARRAY, len(v)) + b"".join(write(e, depth + 1) for e in v)
    raise Unsupported("there is no type for %s here" % type(v).__name__)


def decode(b, request):
    value, used = read(b, 0)
    return show(value), used


def pairs(said):
    if "of" in said:
        raise Unsupported("there are no typed containers")
    return Pairs((make(key, TYPES), make(e, TYPES)) for key, e in said["value"])


TYPES = {"Dictionary": pairs}
serve({"name": "example", "specs": ["godot-4.4"], "types": HAS}, decode, lambda said, request: write(make(said, TYPES)),
      lambda b, request: write(read(b, 0)[0]))
