"""Help with the notation of values (codec/godot/doc.go describes it), in which the runner gives the
values that are to be encoded and takes those that were decoded."""
import base64
import math
import struct

from wrapper import Unsupported


def typed(type, value):
    return {"$type": type, "value": value}


def show(v):
    """A value in the notation. Classes of your own have a method notation that does it."""
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, int):
        return typed("int", str(v))
    if isinstance(v, float):
        return typed("float", real(v, "d"))
    if isinstance(v, str):
        return typed("String", v)
    if isinstance(v, (bytes, bytearray)):
        return typed("PackedByteArray", base64.b64encode(v).decode())
    if isinstance(v, dict):
        return typed("Dictionary", [[show(key), show(e)] for key, e in v.items()])
    if hasattr(v, "notation"):  # a class of your own
        return v.notation()
    return typed("Array", [show(e) for e in v])


def real(x, format="f"):
    """A number of a math type or packed array in single precision, or in double with "d"."""
    if math.isnan(x):
        return "nan:" + struct.pack(">" + format, x).hex()
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return "-0" if x == 0 and math.copysign(1, x) < 0 else repr(x)


def make(said, types={}):
    """The value that is said, which is the other way. types has a function from the typed object
    to the value for every type that Python has none for."""
    type, value = said["$type"], said.get("value")
    if type in types:
        return types[type](said)
    if "of" in said:
        raise Unsupported("there are no typed containers")
    if type in ("Nil", "bool"):
        return value
    if type == "int":
        return int(value)
    if type == "float":
        return to_real(value)
    if type == "String":
        return to_text(value)
    if type == "PackedByteArray":
        return base64.b64decode(value)
    if type == "Array":
        return [make(e, types) for e in value]
    if type == "Dictionary":
        made = {make(key, types): make(e, types) for key, e in value}
        if len(made) < len(value):
            raise Unsupported("a dict has a key once, and 1, 1.0 and True are one")
        return made
    raise Unsupported("there is no type " + type)


def to_real(said):
    if not said.startswith("nan"):
        return float(said)
    bits = bytes.fromhex(said[4:] or "7ff8000000000000")
    return struct.unpack(">d" if len(bits) == 8 else ">f", bits)[0]


def to_text(said):
    if isinstance(said, str):
        return said
    raise Unsupported("a str holds characters, not bytes")
