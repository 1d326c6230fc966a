# Writes samples of Godot's files, and prints what the engine reads from them, from inside Godot 4:
#
#	OCTABLE_ASK='{"do": "settings", "folder": "…"}' godot --headless --path PROJECT --script godot4.gd
#
# A line of the output that begins with "octable: " is JSON.
extends SceneTree

func _init() -> void:
	var ask = JSON.parse_string(OS.get_environment("OCTABLE_ASK"))
	call(ask["do"], ask)
	quit()

func say(what) -> void:
	print("octable: ", JSON.stringify(what, "", false, true))

# --- project.binary ---

func values() -> Dictionary:
	var typed: Array[int] = [1, -2]
	var nodes: Array[Node] = []
	var keyed: Dictionary[String, int] = {"one": 1}
	var key := InputEventKey.new()
	key.physical_keycode = KEY_A
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_RIGHT
	return {
		"truths": [true, false], "integers": [0, -1, 2147483647, -2147483648, 2147483648, 9007199254740991],
		"floats": [0.5, -1.25, 0.1, 1e300], "strings": ["", "a", "héllo", "日本語", "four", "\n\t\""],
		"vectors": [Vector2(1, 2), Vector2i(-1, 2), Vector3(1, 2.5, 3), Vector3i(1, 2, 3), Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, -4)],
		"rects": [Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Plane(0, 1, 0, 5)],
		"transforms": [Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Transform3D(Basis(), Vector3(1, 2, 3)), Projection(), Quaternion(0, 0, 0, 1)],
		"colours": [Color(1, 0.5, 0.25, 1), Color(2, -1, 0, 0)],
		"names": [&"name", NodePath("/root/a:b:c"), NodePath("a"), NodePath("")],
		"lists": [[], [1, "two", null, [3.0]], typed, nodes], "maps": [{}, {"a": 1, 2: "b", Vector2(1, 2): [null]}, keyed],
		"bytes": [PackedByteArray(), PackedByteArray([1, 2, 3, 4, 255])], "integers32": [PackedInt32Array([1, -1])],
		"integers64": [PackedInt64Array([1, -1, 4294967296])], "floats32": [PackedFloat32Array([0.5, -2])], "floats64": [PackedFloat64Array([0.1])],
		"texts": [PackedStringArray(), PackedStringArray(["a", "", "ccc", "é"])],
		"points": [PackedVector2Array([Vector2(1, 2)]), PackedVector3Array([Vector3(1, 2, 3)]), PackedVector4Array([Vector4(1, 2, 3, 4)]), PackedColorArray([Color(1, 0, 0)])],
		"events": [{"deadzone": 0.5, "events": [key, click]}], "deep": [[[[[[["deep"]]]]]]], "nothing": [],
		"many": range(100),
	}

func settings(ask: Dictionary) -> void:
	var all := values()
	for name in all:
		var i := 0
		for v in all[name]:
			ProjectSettings.set_setting("test/%s_%d" % [name, i], v)
			i += 1
		if name == "truths":
			ProjectSettings.set_setting("test/ключ", "a key of letters that are no ASCII")
		ProjectSettings.save_custom("%s/%s.binary" % [ask.folder, name])
		for p in ProjectSettings.get_property_list():
			if p.name.begins_with("test/"):
				ProjectSettings.set_setting(p.name, null)

# shown prints the settings that the engine has loaded.
func loaded(ask: Dictionary) -> void:
	for name in ask.names:
		say([name, show(ProjectSettings.get_setting(name))])

const ARMS := {
	TYPE_NIL: "Nil", TYPE_BOOL: "bool", TYPE_INT: "int", TYPE_FLOAT: "float", TYPE_STRING: "String", TYPE_STRING_NAME: "StringName",
	TYPE_VECTOR2: "Vector2", TYPE_VECTOR2I: "Vector2i", TYPE_VECTOR3: "Vector3", TYPE_VECTOR3I: "Vector3i", TYPE_VECTOR4: "Vector4",
	TYPE_VECTOR4I: "Vector4i", TYPE_RECT2: "Rect2", TYPE_RECT2I: "Rect2i", TYPE_AABB: "AABB", TYPE_PLANE: "Plane", TYPE_TRANSFORM2D: "Transform2D",
	TYPE_BASIS: "Basis", TYPE_TRANSFORM3D: "Transform3D", TYPE_PROJECTION: "Projection", TYPE_QUATERNION: "Quaternion", TYPE_COLOR: "Color",
	TYPE_PACKED_BYTE_ARRAY: "PackedByteArray", TYPE_PACKED_INT32_ARRAY: "PackedInt32Array", TYPE_PACKED_INT64_ARRAY: "PackedInt64Array",
	TYPE_PACKED_FLOAT32_ARRAY: "PackedFloat32Array", TYPE_PACKED_FLOAT64_ARRAY: "PackedFloat64Array", TYPE_PACKED_STRING_ARRAY: "PackedStringArray",
	TYPE_PACKED_VECTOR2_ARRAY: "PackedVector2Array", TYPE_PACKED_VECTOR3_ARRAY: "PackedVector3Array", TYPE_PACKED_VECTOR4_ARRAY: "PackedVector4Array",
	TYPE_PACKED_COLOR_ARRAY: "PackedColorArray", TYPE_NODE_PATH: "NodePath", TYPE_ARRAY: "Array", TYPE_DICTIONARY: "Dictionary", TYPE_OBJECT: "Object",
}

# show returns a value with the names of the schema of Variants.
func show(v) -> Dictionary:
	return {ARMS[typeof(v)]: content(v)}

func content(v):
	match typeof(v):
		TYPE_STRING_NAME:
			return str(v)
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return [v.x, v.y]
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return [v.x, v.y, v.z]
		TYPE_VECTOR4, TYPE_VECTOR4I, TYPE_QUATERNION:
			return [v.x, v.y, v.z, v.w]
		TYPE_RECT2, TYPE_RECT2I, TYPE_AABB:
			return content(v.position) + content(v.size)
		TYPE_PLANE:
			return content(v.normal) + [v.d]
		TYPE_TRANSFORM2D:
			return content(v.x) + content(v.y) + content(v.origin)
		TYPE_BASIS:
			return [v.x.x, v.y.x, v.z.x, v.x.y, v.y.y, v.z.y, v.x.z, v.y.z, v.z.z]
		TYPE_TRANSFORM3D:
			return content(v.basis) + content(v.origin)
		TYPE_PROJECTION:
			return content(v.x) + content(v.y) + content(v.z) + content(v.w)
		TYPE_COLOR:
			return [v.r, v.g, v.b, v.a]
		TYPE_PACKED_BYTE_ARRAY:
			return v.hex_encode()
		TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_VECTOR4_ARRAY, TYPE_PACKED_COLOR_ARRAY:
			return Array(v).map(content)
		TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY, TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_STRING_ARRAY:
			return Array(v)
		TYPE_NODE_PATH:
			return {"absolute": v.is_absolute(), "names": range(v.get_name_count()).map(func(i): return str(v.get_name(i))), "subnames": range(v.get_subname_count()).map(func(i): return str(v.get_subname(i)))}
		TYPE_ARRAY:
			var elements := Array(v, TYPE_NIL, "", null).map(show)
			if not v.is_typed():
				return elements
			return {"type": container(v.get_typed_builtin(), v.get_typed_class_name()), "elements": elements}
		TYPE_DICTIONARY:
			var pairs := []
			for key in v:
				pairs.append([show(key), show(v[key])])
			if not v.is_typed():
				return pairs
			return {"key_type": container(v.get_typed_key_builtin(), ""), "value_type": container(v.get_typed_value_builtin(), ""), "pairs": pairs}
		TYPE_OBJECT:
			var properties := []
			for p in v.get_property_list():
				if p.usage & PROPERTY_USAGE_STORAGE:
					properties.append({"name": p.name, "value": show(v.get(p.name))})
			return {"class": v.get_class(), "properties": properties}
	return v

func container(type: int, of: String) -> Dictionary:
	return {"class": of} if of != "" else {"builtin": {"type": {ARMS[type]: null}}}

# --- PCK ---

const KEY := "0000000000000000000000000000000000000000000000000000000000000000"

# packs writes packs of the files in a folder. Names of packs are those of their files.
func packs(ask: Dictionary) -> void:
	for pack in ask.packs:
		var packer := PCKPacker.new()
		packer.pck_start("%s/%s.pck" % [ask.folder, pack.name], pack.alignment, KEY, pack.get("sealed", false))
		for file in pack.files:
			packer.add_file(pack.name + "/" + file, "%s/%s" % [ask.files, file], file in pack.get("encrypted", []))
		for file in pack.get("removed", []):
			packer.add_file_removal(pack.name + "/" + file)
		packer.flush()

# opened loads packs and prints the files that are there then.
func opened(ask: Dictionary) -> void:
	for pack in ask.packs:
		var good := ProjectSettings.load_resource_pack(pack.path)
		var files := []
		for file in pack.files:
			if FileAccess.file_exists("res://" + file):
				files.append([file, FileAccess.get_file_as_bytes("res://" + file).hex_encode(), FileAccess.get_md5("res://" + file)])
		say({"loaded": good, "files": files})
