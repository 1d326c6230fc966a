# Writes texts of Godot 4 and the bytes that the engine reads them as:
#
#	godot --headless --script godot4.gd > godot4.jsonl
#
# The field "ours" is added by go test -run TestEngineTexts -update.
extends SceneTree

func _init() -> void:
	var values := [
		null, true, false, 0, 1, -1, 9223372036854775807, -9223372036854775808, 1.0, -2.5, 0.1, 1e15, 1e20, 1e-7,
		123456789012.0, INF, -INF, NAN, "", "text", "a\"\\\n\t\r\b\f'", "größe 日本 😀", "\u0001\u007f\u0085", &"", &"name \n",
		Vector2(1, -2.5), Vector2(INF, NAN), Vector2i(-1, 2147483647), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4),
		Vector3(0.1, 1e10, 1e-10), Vector3i(1, 2, 3), Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)),
		Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, 4), Plane(1, 2, 3, 4), Quaternion(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12)),
		Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		Color(0.5, 1, 2, 0.25), NodePath(""), NodePath("/root/a b:c:d"), NodePath(":p"), NodePath("/"), NodePath("../a"),
		RID(), rid_from_int64(13), rid_from_int64(-5), Callable(), Signal(),
		[], [1, "a", null, [2.0]], {}, {"b": 1, 2: [], Vector2(1, 2): &"x", null: {}},
		Array([1, 2], TYPE_INT, &"", null), Array(["a"], TYPE_STRING, &"", null), Array([], TYPE_OBJECT, &"", null),
		Array([Vector3(1, 2, 3)], TYPE_VECTOR3, &"", null), Array([[1]], TYPE_ARRAY, &"", null),
		Dictionary({"a": 1}, TYPE_STRING, &"", null, TYPE_INT, &"", null),
		Dictionary({1: "x"}, TYPE_INT, &"", null, TYPE_NIL, &"", null),
		PackedByteArray(), PackedByteArray([0, 127, 255]), PackedInt32Array([1, -2147483648]), PackedInt64Array([9223372036854775807]),
		PackedFloat32Array([0.1, 1e-45, 3.4e38]), PackedFloat64Array([0.1, 1e300]), PackedStringArray(["", "a\nb", "ß"]),
		PackedVector2Array([Vector2(1, 2), Vector2(3, 4)]), PackedVector3Array([Vector3(1, 2, 3)]),
		PackedColorArray([Color(1, 2, 3, 4)]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
	]
	for v in values:
		line(var_to_str(v))
	# Not what the engine writes, but what it takes.
	for text in ["nil", "-inf", "1.", "1E5", "-2.5E-3", "007", "-0", "-0.0", "@\"old\"", "[1,]", "{1:2,}", "; c\n[ ; c\n1 ]",
			"\"\\u0041\\U01F600\\ud83d\\ude00\\q\\v\"", "\"a\\\nb\"", "#ff8800 ", "[#f80, #f808, #ff880080]", "PackedByteArray(\"AQID\")",
			"PackedByteArray(256, -1, 300.7)", "Vector2i(1.9, -1.9)", "PackedInt32Array(3000000000)", "Vector2(9007199254740993, -0)",
			"PackedStringArray(\"a\",)", "Quat(1,2,3,4)", "Matrix32(1,2,3,4,5,6)", "Rect3(1,2,3,4,5,6)", "PoolRealArray(1.5)",
			"FloatArray(1.5)", "IntArray(1)", "PackedIntArray(1)", "Vector2Array(1,2)", "Array[Variant]([1])", "Array [ int ] ( [ ] )",
			"NodePath(\"a//b/\")", "NodePath(\"a:\")", "RID(-1)", "1e400", "Vector2 \n ( 1 , 2 )"]:
		line(text)
	quit()

func line(text: String) -> void:
	var quoted := text.replace("\\", "\\\\").replace("\"", "\\\"")
	for i in range(1, 32):
		quoted = quoted.replace(String.chr(i), "\\u%04x" % i)
	print("{\"text\": \"%s\", \"hex\": \"%s\"}" % [quoted, var_to_bytes(str_to_var(text)).hex_encode()])
