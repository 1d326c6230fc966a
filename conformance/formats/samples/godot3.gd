# Writes samples of Godot's files, and prints what the engine reads from them, from inside Godot 3:
#
#	OCTABLE_ASK='{"do": "settings", "folder": "…"}' godot --path PROJECT --script godot3.gd
#
# A line of the output that begins with "octable: " is JSON.
extends SceneTree

func _init():
	var ask = JSON.parse(OS.get_environment("OCTABLE_ASK")).result
	call(ask["do"], ask)
	quit()

func say(what):
	print("octable: ", JSON.print(what))

# --- project.binary ---

func values():
	var key = InputEventKey.new()
	key.scancode = KEY_A
	var click = InputEventMouseButton.new()
	click.button_index = BUTTON_RIGHT
	return {
		"truths": [true, false], "integers": [0, -1, 2147483647, -2147483648, 2147483648, 140737488355327],
		"floats": [0.5, -1.25, 0.125, 1048576.5], "strings": ["", "a", "héllo", "日本語", "four", "\n\t\""],
		"vectors": [Vector2(1, 2), Vector3(1, 2.5, 3)],
		"rects": [Rect2(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Plane(0, 1, 0, 5)],
		"transforms": [Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Transform(Basis(), Vector3(1, 2, 3)), Quat(0, 0, 0, 1)],
		"colours": [Color(1, 0.5, 0.25, 1), Color(2, -1, 0, 0)],
		"names": [NodePath("/root/abcd:four:lett"), NodePath("name"), NodePath("")],
		"lists": [[], [1, "two", null, [3.0]]], "maps": [{}, {"a": 1, 2: "b", Vector2(1, 2): [null]}],
		"bytes": [PoolByteArray(), PoolByteArray([1, 2, 3, 4, 255])], "integers32": [PoolIntArray([1, -1])],
		"floats32": [PoolRealArray([0.5, -2])],
		"texts": [PoolStringArray(), PoolStringArray(["a", "", "ccc", "é"])],
		"points": [PoolVector2Array([Vector2(1, 2)]), PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color(1, 0, 0)])],
		"events": [{"deadzone": 0.5, "events": [key, click]}], "deep": [[[[[[["deep"]]]]]]], "nothing": [],
		"many": range(100), "pairs": [{1: {2: {3: 4}}}], "more": [["a", "b"], {"c": "d"}],
	}

func settings(ask):
	var all = values()
	for name in all:
		var i = 0
		for v in all[name]:
			ProjectSettings.set_setting("test/%s_%d" % [name, i], v)
			i += 1
		if name == "truths":
			ProjectSettings.set_setting("test/ключ", "a key of letters that are no ASCII")
		ProjectSettings.save_custom("%s/%s.binary" % [ask.folder, name])
		for p in ProjectSettings.get_property_list():
			if p.name.begins_with("test/"):
				ProjectSettings.set_setting(p.name, null)

# loaded prints the settings that the engine has loaded.
func loaded(ask):
	for name in ask.names:
		say([name, show(ProjectSettings.get_setting(name))])

const ARMS = {
	TYPE_NIL: "Nil", TYPE_BOOL: "bool", TYPE_INT: "int", TYPE_REAL: "float", TYPE_STRING: "String",
	TYPE_VECTOR2: "Vector2", TYPE_VECTOR3: "Vector3", TYPE_RECT2: "Rect2", TYPE_AABB: "AABB", TYPE_PLANE: "Plane", TYPE_TRANSFORM2D: "Transform2D",
	TYPE_BASIS: "Basis", TYPE_TRANSFORM: "Transform", TYPE_QUAT: "Quat", TYPE_COLOR: "Color",
	TYPE_RAW_ARRAY: "PoolByteArray", TYPE_INT_ARRAY: "PoolIntArray", TYPE_REAL_ARRAY: "PoolRealArray", TYPE_STRING_ARRAY: "PoolStringArray",
	TYPE_VECTOR2_ARRAY: "PoolVector2Array", TYPE_VECTOR3_ARRAY: "PoolVector3Array", TYPE_COLOR_ARRAY: "PoolColorArray",
	TYPE_NODE_PATH: "NodePath", TYPE_ARRAY: "Array", TYPE_DICTIONARY: "Dictionary", TYPE_OBJECT: "Object",
}

# show returns a value with the names of the schema of Variants.
func show(v):
	if v == null: # a property without an object is of type TYPE_OBJECT
		return {"Nil": null}
	return {ARMS[typeof(v)]: content(v)}

func content(v):
	match typeof(v):
		TYPE_VECTOR2:
			return [v.x, v.y]
		TYPE_VECTOR3:
			return [v.x, v.y, v.z]
		TYPE_QUAT:
			return [v.x, v.y, v.z, v.w]
		TYPE_RECT2, TYPE_AABB:
			return content(v.position) + content(v.size)
		TYPE_PLANE:
			return content(v.normal) + [v.d]
		TYPE_TRANSFORM2D:
			return content(v.x) + content(v.y) + content(v.origin)
		TYPE_BASIS:
			return [v.x.x, v.y.x, v.z.x, v.x.y, v.y.y, v.z.y, v.x.z, v.y.z, v.z.z]
		TYPE_TRANSFORM:
			return content(v.basis) + content(v.origin)
		TYPE_COLOR:
			return [v.r, v.g, v.b, v.a]
		TYPE_RAW_ARRAY:
			return v.hex_encode()
		TYPE_INT_ARRAY, TYPE_REAL_ARRAY, TYPE_STRING_ARRAY:
			return Array(v)
		TYPE_VECTOR2_ARRAY, TYPE_VECTOR3_ARRAY, TYPE_COLOR_ARRAY:
			var tuples = []
			for e in v:
				tuples.append(content(e))
			return tuples
		TYPE_NODE_PATH:
			var names = []
			for i in v.get_name_count():
				names.append(v.get_name(i))
			var subnames = []
			for i in v.get_subname_count():
				subnames.append(v.get_subname(i))
			return {"absolute": v.is_absolute(), "names": names, "subnames": subnames}
		TYPE_ARRAY:
			var elements = []
			for e in v:
				elements.append(show(e))
			return elements
		TYPE_DICTIONARY:
			var pairs = []
			for key in v:
				pairs.append([show(key), show(v[key])])
			return pairs
		TYPE_OBJECT:
			var properties = []
			for p in v.get_property_list():
				if p.usage & PROPERTY_USAGE_STORAGE:
					properties.append({"name": p.name, "value": show(v.get(p.name))})
			return {"class": v.get_class(), "properties": properties}
	return v

# --- PCK ---

# packs writes packs of the files in a folder. Names of packs are those of their files.
func packs(ask):
	for pack in ask.packs:
		var packer = PCKPacker.new()
		packer.pck_start("%s/%s.pck" % [ask.folder, pack.name], int(pack.alignment))
		for file in pack.files:
			packer.add_file("res://" + pack.name + "/" + file, "%s/%s" % [ask.files, file])
		packer.flush()

# opened loads packs and prints the files that are there then.
func opened(ask):
	for pack in ask.packs:
		var good = ProjectSettings.load_resource_pack(pack.path)
		var files = []
		for file in pack.files:
			var f = File.new()
			if f.open("res://" + file, File.READ) == OK:
				files.append([file, f.get_buffer(f.get_len()).hex_encode(), f.get_md5("res://" + file)])
		say({"loaded": good, "files": files})
