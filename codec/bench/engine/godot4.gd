# Times var_to_bytes and bytes_to_var of Godot 4 on packets from files, one line
# of JSON for each. The time of an empty loop is taken off.
extends SceneTree

func _init() -> void:
	var slice := int(OS.get_environment("OCTABLE_MICROSECONDS"))
	for path in OS.get_environment("OCTABLE_PACKETS").split(";"):
		var bytes := FileAccess.get_file_as_bytes(path)
		var value = bytes_to_var(bytes)
		var same := var_to_bytes(value) == bytes
		var n := 1
		while decode(bytes, n) < slice / 4:
			n *= 2
		var m := 1
		while encode(value, m) < slice / 4:
			m *= 2
		print("OCTABLE ", JSON.stringify({
			"version": Engine.get_version_info().string, "path": path, "same": same,
			"decode": (decode(bytes, n) + decode(bytes, n) - empty(bytes, n) - empty(bytes, n)) * 500.0 / n,
			"encode": (encode(value, m) + encode(value, m) - empty(value, m) - empty(value, m)) * 500.0 / m,
		}))
	quit()

func decode(bytes: PackedByteArray, n: int) -> int:
	var v
	var start := Time.get_ticks_usec()
	for i in n:
		v = bytes_to_var(bytes)
	return Time.get_ticks_usec() - start

func encode(value, n: int) -> int:
	var b
	var start := Time.get_ticks_usec()
	for i in n:
		b = var_to_bytes(value)
	return Time.get_ticks_usec() - start

func empty(value, n: int) -> int:
	var b
	var start := Time.get_ticks_usec()
	for i in n:
		b = value
	return Time.get_ticks_usec() - start
