"""Binary resources by Godot 3 and 4, loaded by the engine that wrote them."""

import struct

import godot

# The number of each type, and its name in the schema.
TYPES = {
    "Nil": (1, "nil"), "bool": (2, "bool"), "String": (5, "string"), "StringName": (44, "string_name"), "Vector2": (10, "vector2"), "Vector2i": (45, "vector2i"),
    "Rect2": (11, "rect2"), "Rect2i": (46, "rect2i"), "Vector3": (12, "vector3"), "Vector3i": (47, "vector3i"), "Vector4": (50, "vector4"),
    "Vector4i": (51, "vector4i"), "Plane": (13, "plane"), "Quaternion": (14, "quaternion"), "Quat": (14, "quaternion"), "AABB": (15, "aabb"), "Basis": (16, "basis"),
    "Transform3D": (17, "transform3d"), "Transform": (17, "transform3d"), "Transform2D": (18, "transform2d"), "Projection": (52, "projection"), "Color": (20, "color"),
    "PackedByteArray": (31, "bytes"), "PackedInt32Array": (32, "int32_array"), "PackedInt64Array": (48, "int64_array"), "PackedFloat32Array": (33, "float32_array"),
    "PackedFloat64Array": (49, "float64_array"), "PackedStringArray": (34, "string_array"), "PackedVector2Array": (37, "vector2_array"),
    "PackedVector3Array": (35, "vector3_array"), "PackedVector4Array": (53, "vector4_array"), "PackedColorArray": (36, "color_array"),
    "PoolByteArray": (31, "bytes"), "PoolIntArray": (32, "int32_array"), "PoolRealArray": (33, "float32_array"), "PoolStringArray": (34, "string_array"),
    "PoolVector2Array": (37, "vector2_array"), "PoolVector3Array": (35, "vector3_array"), "PoolColorArray": (36, "color_array"),
}


def make(home):
    for version in (4, 3):
        folder = home / f"godot{version}"
        folder.mkdir()
        godot.ask(version, {"do": "resources", "prefix": f"{folder}/godot{version}-"})
        yield from sorted(folder.iterdir())


def read(paths):
    versions = {4: [], 3: []}
    for path in paths:
        versions[header(path.read_bytes())[0]].append(path)
    answers = {}
    for version, of in versions.items():
        said = godot.ask(version, {"do": "resource", "paths": [str(path) for path in of]})
        answers.update(zip(of, said, strict=True))
    for path in paths:
        major, strings = header(path.read_bytes())
        answer = answers[path]
        properties = [{"name": strings.index(name), "value": value(shown)} for name, shown in answer["properties"]]
        made = {"class": answer["class"], "properties": properties}
        yield {"reader": godot.release(major), "value": {"major": major, "class": answer["class"], "strings": strings, "main": {"object": {"object": made}}}}


def header(data):
    """header returns the version of the engine and the names of properties."""
    order = "<>"[data[4]]
    number = lambda at: struct.unpack_from(order + "I", data, at)[0]
    text = lambda at: data[at + 4:at + 4 + number(at) - 1].decode()
    at = 28 + number(24) + 8 + 56
    count, strings = number(at), []
    at += 4
    for _ in range(count):
        strings.append(text(at))
        at += 4 + number(at)
    return number(12), strings


def value(shown):
    """value returns a value with the names of the schema."""
    [(kind, of)] = shown.items()
    if kind == "int":
        kind = "int" if -1 << 31 <= of < 1 << 31 else "int64"
        return {"type": {"int": 3, "int64": 40}[kind], "value": {kind: of}}
    if kind == "float":
        kind = "real" if struct.unpack("<f", struct.pack("<f", of if abs(of) < 3e38 else 0.1))[0] == of else "double"
        return {"type": {"real": 4, "double": 41}[kind], "value": {kind: of}}
    if kind == "Object":
        return {"type": 24, "value": {"object": None}}
    if kind == "NodePath":
        return {"type": 22, "value": {"node_path": {"absolute": of["absolute"]}}}
    if kind == "Array":
        return {"type": 30, "value": {"array": [value(v) for v in (of["elements"] if isinstance(of, dict) else of)]}}
    if kind == "Dictionary":
        pairs = of["pairs"] if isinstance(of, dict) else of
        return {"type": 26, "value": {"dictionary": [[{"key": value(k)}, {"value": value(v)}] for k, v in pairs]}}
    number, arm = TYPES[kind]
    return {"type": number, "value": {arm: godot.plain(of)}}
