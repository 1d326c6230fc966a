"""Binary resources by Godot 3 and 4, loaded by the engine that wrote them."""

import struct

import godot

# The number of each type, and its name in the schema.
ARMS = {
    "Nil": "nil", "bool": "bool", "String": "string", "StringName": "string_name", "Vector2": "vector2", "Vector2i": "vector2i",
    "Rect2": "rect2", "Rect2i": "rect2i", "Vector3": "vector3", "Vector3i": "vector3i", "Vector4": "vector4",
    "Vector4i": "vector4i", "Plane": "plane", "Quaternion": "quaternion", "Quat": "quaternion", "AABB": "aabb", "Basis": "basis",
    "Transform3D": "transform3d", "Transform": "transform3d", "Transform2D": "transform2d", "Projection": "projection", "Color": "color",
    "PackedByteArray": "bytes", "PackedInt32Array": "int32_array", "PackedInt64Array": "int64_array", "PackedFloat32Array": "float32_array",
    "PackedFloat64Array": "float64_array", "PackedStringArray": "string_array", "PackedVector2Array": "vector2_array",
    "PackedVector3Array": "vector3_array", "PackedVector4Array": "vector4_array", "PackedColorArray": "color_array",
    "PoolByteArray": "bytes", "PoolIntArray": "int32_array", "PoolRealArray": "float32_array", "PoolStringArray": "string_array",
    "PoolVector2Array": "vector2_array", "PoolVector3Array": "vector3_array", "PoolColorArray": "color_array",
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
        return {kind: of}
    if kind == "float":
        kind = "real" if struct.unpack("<f", struct.pack("<f", of if abs(of) < 3e38 else 0.1))[0] == of else "double"
        return {kind: of}
    if kind == "Object":
        return {"object": None}
    if kind == "NodePath":
        return {"node_path": {"absolute": of["absolute"]}}
    if kind == "Array":
        return {"array": [value(v) for v in (of["elements"] if isinstance(of, dict) else of)]}
    if kind == "Dictionary":
        pairs = of["pairs"] if isinstance(of, dict) else of
        return {"dictionary": [[value(k), value(v)] for k, v in pairs]}
    return {ARMS[kind]: godot.plain(of)}
