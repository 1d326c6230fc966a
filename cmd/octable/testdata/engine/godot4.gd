# Writes files in the folder $OCTABLE_DIR if $OCTABLE_DO is write, and else reads those that octable wrote there,
# for TestEngineSaves. It is for Godot 4.
extends SceneTree

var dir = OS.get_environment("OCTABLE_DIR") + "/"
var value = {"gold": 100, "list": [1, 2.5, "x"], "name": "Ada", "pos": Vector2(1, 2)}
var stream = [value, 42, "two\nlines"]
var key = PackedByteArray(range(32))

func _init():
	if OS.get_environment("OCTABLE_DO") == "write":
		write()
	else:
		read()
	quit()

func write():
	var f = FileAccess.open(dir + "stream", FileAccess.WRITE)
	for v in stream:
		f.store_var(v)
	f = FileAccess.open(dir + "packet", FileAccess.WRITE)
	f.store_buffer(var_to_bytes(value))
	f = FileAccess.open(dir + "hex", FileAccess.WRITE)
	f.store_string(var_to_bytes(value).hex_encode())
	f = FileAccess.open(dir + "text", FileAccess.WRITE)
	f.store_string(var_to_str(value))
	f = FileAccess.open(dir + "lines", FileAccess.WRITE)
	for i in 1000:
		f.store_line(var_to_bytes([i, "name %d" % i, {"at": Vector3(i, 0.5, -i)}]).hex_encode())
	f = FileAccess.open(dir + "many", FileAccess.WRITE)
	for i in 20000:
		f.store_var([i, "ab", 7])
	f = FileAccess.open(dir + "damaged", FileAccess.WRITE)
	f.store_var(value)
	f.store_var(value)
	f.store_32(100)
	f.store_32(2)
	f = FileAccess.open(dir + "zeros", FileAccess.WRITE)
	f.seek(50 * 1024 * 1024 - 1)
	f.store_8(0)
	for mode in 4:
		f = FileAccess.open_compressed(dir + "compressed" + str(mode), FileAccess.WRITE, mode)
		f.store_var(value)
	f = FileAccess.open_encrypted_with_pass(dir + "pass", FileAccess.WRITE, "pässword")
	f.store_var(value)
	f = FileAccess.open_encrypted(dir + "key", FileAccess.WRITE, key)
	f.store_var(value)
	f = null
	ProjectSettings.set_setting("test/word", "before")
	ProjectSettings.save_custom(dir + "settings.binary")
	var packer = PCKPacker.new()
	packer.pck_start(dir + "pack")
	packer.add_file("res://note.txt", dir + "text")
	packer.flush()
	var r = Resource.new()
	r.resource_name = "ada"
	r.set_meta("gold", 100)
	ResourceSaver.save(r, dir + "plain.res")
	ResourceSaver.save(r, dir + "small.res", ResourceSaver.FLAG_COMPRESS)
	print("written ", Engine.get_version_info().string)

func text(path):
	var f = FileAccess.open(path, FileAccess.READ)
	return f.get_as_text() if f else ""

func edited():
	var v = value.duplicate(true)
	v["gold"] = 500
	v["list"].append(Vector2(1, 2))
	v.erase("name")
	return v

func check(name, f, values):
	if f == null:
		print(name, " cannot be opened")
		return
	var all = true
	for v in values:
		all = all and f.get_var() == v
	print(name, " ", all and f.get_position() == f.get_length())

func read():
	for name in ["stream.text", "stream.json"]:
		check(name, FileAccess.open(dir + name, FileAccess.READ), stream)
	print("packet.again ", bytes_to_var(FileAccess.get_file_as_bytes(dir + "packet.again")) == value)
	print("hex.again ", bytes_to_var(text(dir + "hex.again").replace(" ", "").replace("\n", "").hex_decode()) == value)
	print("text.again ", str_to_var(text(dir + "text.again")) == value)
	var all = true
	var i = 0
	for line in text(dir + "lines.again").strip_edges().split("\n"):
		all = all and bytes_to_var(line.hex_decode()) == [i, "name %d" % i, {"at": Vector3(i, 0.5, -i)}]
		i += 1
	print("lines.again ", all and i == 1000)
	check("stream.edited", FileAccess.open(dir + "stream.edited", FileAccess.READ), [edited(), 42, "two\nlines"])
	for mode in 4:
		check("made%d" % mode, FileAccess.open_compressed(dir + "made%d" % mode, FileAccess.READ, mode), [value, value])
		check("compressed%d.edited" % mode, FileAccess.open_compressed(dir + "compressed%d.edited" % mode, FileAccess.READ, mode), [edited()])
	check("made.pass", FileAccess.open_encrypted_with_pass(dir + "made.pass", FileAccess.READ, "pässword"), [value])
	check("made.key", FileAccess.open_encrypted(dir + "made.key", FileAccess.READ, key), [value])
	check("pass.edited", FileAccess.open_encrypted_with_pass(dir + "pass.edited", FileAccess.READ, "pässword"), [edited()])
	check("key.edited", FileAccess.open_encrypted(dir + "key.edited", FileAccess.READ, key), [edited()])
	print("project.binary ", ProjectSettings.get_setting("test/word") == "after")
	ProjectSettings.load_resource_pack(dir + "pack.again")
	print("pack.again ", str_to_var(text("res://note.txt")) == value)
	for name in ["plain.again.res", "small.again.res"]:
		var r = load(dir + name)
		print(name, " ", r != null and r.resource_name == "bob" and r.get_meta("gold") == 100)
