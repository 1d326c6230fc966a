# Writes files in the folder $OCTABLE_DIR if $OCTABLE_DO is write, and else reads those that octable wrote there,
# for TestEngineSaves. It is for Godot 3.
extends SceneTree

var dir = OS.get_environment("OCTABLE_DIR") + "/"
var value = {"gold": 100, "list": [1, 2.5, "x"], "name": "Ada", "pos": Vector2(1, 2)}
var stream = [value, 42, "two\nlines"]
var key = PoolByteArray(range(32))

func _init():
	if OS.get_environment("OCTABLE_DO") == "write":
		write()
	else:
		read()
	quit()

func same(a, b):
	return typeof(a) == typeof(b) and var2str(a) == var2str(b)

func write():
	var f = File.new()
	f.open(dir + "stream", File.WRITE)
	for v in stream:
		f.store_var(v)
	f.close()
	f.open(dir + "packet", File.WRITE)
	f.store_buffer(var2bytes(value))
	f.close()
	f.open(dir + "hex", File.WRITE)
	f.store_string(var2bytes(value).hex_encode())
	f.close()
	f.open(dir + "text", File.WRITE)
	f.store_string(var2str(value))
	f.close()
	f.open(dir + "lines", File.WRITE)
	for i in 1000:
		f.store_line(var2bytes([i, "name %d" % i, {"at": Vector3(i, 0.5, -i)}]).hex_encode())
	f.close()
	f.open(dir + "many", File.WRITE)
	for i in 20000:
		f.store_var([i, "ab", 7])
	f.close()
	f.open(dir + "damaged", File.WRITE)
	f.store_var(value)
	f.store_var(value)
	f.store_32(100)
	f.store_32(2)
	f.close()
	f.open(dir + "zeros", File.WRITE)
	f.seek(50 * 1024 * 1024 - 1)
	f.store_8(0)
	f.close()
	for mode in 4:
		f.open_compressed(dir + "compressed" + str(mode), File.WRITE, mode)
		f.store_var(value)
		f.close()
	f.open_encrypted_with_pass(dir + "pass", File.WRITE, "pässword")
	f.store_var(value)
	f.close()
	f.open_encrypted(dir + "key", File.WRITE, key)
	f.store_var(value)
	f.close()
	ProjectSettings.set_setting("test/word", "before")
	ProjectSettings.save_custom(dir + "settings.binary")
	var packer = PCKPacker.new()
	packer.pck_start(dir + "pack", 0)
	packer.add_file("res://note.txt", dir + "text")
	packer.flush()
	var r = Resource.new()
	r.resource_name = "ada"
	r.set_meta("gold", 100)
	ResourceSaver.save(dir + "plain.res", r)
	ResourceSaver.save(dir + "small.res", r, ResourceSaver.FLAG_COMPRESS)
	print("written ", Engine.get_version_info().string)

func text(path):
	var f = File.new()
	f.open(path, File.READ)
	return f.get_as_text()

func edited():
	var v = value.duplicate(true)
	v["gold"] = 500
	v["list"].append(Vector2(1, 2))
	v.erase("name")
	return v

func bytes(digits):
	var b = PoolByteArray()
	for i in range(0, digits.length(), 2):
		b.append(("0x" + digits.substr(i, 2)).hex_to_int())
	return b

func check(name, f, error, values):
	if error != OK:
		print(name, " cannot be opened")
		return
	var all = true
	for v in values:
		all = all and same(f.get_var(), v)
	print(name, " ", all and f.get_position() == f.get_len())
	f.close()

func read():
	var f = File.new()
	for name in ["stream.text", "stream.json"]:
		check(name, f, f.open(dir + name, File.READ), stream)
	f.open(dir + "packet.again", File.READ)
	print("packet.again ", same(bytes2var(f.get_buffer(f.get_len())), value))
	f.close()
	print("hex.again ", same(bytes2var(bytes(text(dir + "hex.again").replace(" ", "").replace("\n", ""))), value))
	print("text.again ", same(str2var(text(dir + "text.again")), value))
	var all = true
	var i = 0
	for line in text(dir + "lines.again").strip_edges().split("\n"):
		all = all and same(bytes2var(bytes(line)), [i, "name %d" % i, {"at": Vector3(i, 0.5, -i)}])
		i += 1
	print("lines.again ", all and i == 1000)
	check("stream.edited", f, f.open(dir + "stream.edited", File.READ), [edited(), 42, "two\nlines"])
	for mode in 4:
		check("made%d" % mode, f, f.open_compressed(dir + "made%d" % mode, File.READ, mode), [value, value])
		check("compressed%d.edited" % mode, f, f.open_compressed(dir + "compressed%d.edited" % mode, File.READ, mode), [edited()])
	check("made.pass", f, f.open_encrypted_with_pass(dir + "made.pass", File.READ, "pässword"), [value])
	check("made.key", f, f.open_encrypted(dir + "made.key", File.READ, key), [value])
	check("pass.edited", f, f.open_encrypted_with_pass(dir + "pass.edited", File.READ, "pässword"), [edited()])
	check("key.edited", f, f.open_encrypted(dir + "key.edited", File.READ, key), [edited()])
	print("project.binary ", ProjectSettings.get_setting("test/word") == "after")
	ProjectSettings.load_resource_pack(dir + "pack.again")
	print("pack.again ", same(str2var(text("res://note.txt")), value))
	for name in ["plain.again.res", "small.again.res"]:
		var r = load(dir + name)
		print(name, " ", r != null and r.resource_name == "bob" and r.get_meta("gold") == 100)
