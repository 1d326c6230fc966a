# Times var2bytes and bytes2var of Godot 3 on packets from files, one line of
# JSON for each. The time of an empty loop is taken off.
extends SceneTree

func _init():
	var slice = int(OS.get_environment("OCTABLE_MICROSECONDS"))
	for path in OS.get_environment("OCTABLE_PACKETS").split(";"):
		var file = File.new()
		file.open(path, File.READ)
		var bytes = file.get_buffer(file.get_len())
		var value = bytes2var(bytes)
		var same = var2bytes(value) == bytes
		var n = 1
		while decode(bytes, n) < slice / 4:
			n *= 2
		var m = 1
		while encode(value, m) < slice / 4:
			m *= 2
		print("OCTABLE ", to_json({
			"version": Engine.get_version_info().string, "path": path, "same": same,
			"decode": (decode(bytes, n) + decode(bytes, n) - empty(bytes, n) - empty(bytes, n)) * 500.0 / n,
			"encode": (encode(value, m) + encode(value, m) - empty(value, m) - empty(value, m)) * 500.0 / m,
		}))
	quit()

func decode(bytes, n):
	var v
	var start = OS.get_ticks_usec()
	for _i in range(n):
		v = bytes2var(bytes)
	return OS.get_ticks_usec() - start

func encode(value, n):
	var b
	var start = OS.get_ticks_usec()
	for _i in range(n):
		b = var2bytes(value)
	return OS.get_ticks_usec() - start

func empty(value, n):
	var b
	var start = OS.get_ticks_usec()
	for _i in range(n):
		b = value
	return OS.get_ticks_usec() - start
