# Writes texts of Godot 3 and the bytes that the engine reads them as; see godot4.gd.
#
#	godot3-server -s godot3.gd > godot3.jsonl
extends SceneTree

func _init():
	var values = [
		null, true, 1, -9223372036854775807, 1.0, -2.5, 0.1, 1e15, 1e-7, 123456.0, INF, -INF, NAN, "", "a\"\\\n\t'", "größe 日本",
		Vector2(1, -2.5), Vector2(INF, NAN), Rect2(1, 2, 3, 4), Vector3(0.1, 1e10, 1e-10),
		Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), Plane(1, 2, 3, 4), Quat(1, 2, 3, 4),
		AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Transform(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12)),
		Color(0.5, 1, 2, 0.25), [], [1, "a", null, [2.0]], {}, {"b": 1, 2: [], Vector2(1, 2): {}},
		PoolByteArray(), PoolByteArray([0, 127, 255]), PoolIntArray([1, -2147483648]), PoolRealArray([0.1, 1e-45]),
		PoolStringArray(["", "a\nb'?", "ß"]), PoolVector2Array([Vector2(1, 2), Vector2(3, 4)]),
		PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color(1, 2, 3, 4)]),
	]
	for v in values:
		line(var2str(v))
	for text in ["IntArray(1)", "[1,]", "inf_neg", "\"\\u0041\\q\""]:
		line(text)
	quit()

func line(text):
	var quoted = text.replace("\\", "\\\\").replace("\"", "\\\"")
	for i in range(1, 32):
		quoted = quoted.replace(char(i), "\\u%04x" % i)
	print("{\"text\": \"%s\", \"hex\": \"%s\"}" % [quoted, var2bytes(str2var(text)).hex_encode()])
