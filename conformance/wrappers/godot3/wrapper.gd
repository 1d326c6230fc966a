# Godot 3 itself, as an implementation for octable conform (tried with 3.2.3 and 3.6.2):
#
#	octable conform -spec godot-3 -tcp -- godot3-server -s conformance/wrappers/godot3/wrapper.gd
#
# Engines print on standard output as they like, so the lines of the protocol go through
# the connection that OCTABLE_CONNECT names. Godot 3.2 makes a folder of logs where it is
# started: with -dir FOLDER that is elsewhere, and the path of the script is then absolute.
extends SceneTree

const Values = preload("values.gd")
const ABOUT = {"protocol": 1, "name": "Godot", "language": "GDScript", "link": "https://godotengine.org",
	"ops": ["decode", "encode", "recode"], "specs": ["godot-3"], "objects": true, "reals": "bits", "window": 1, "notes": [
		"bytes2var does not say how many bytes it used. Where it refuses bytes, the function that called it ends, which tells an error from Nil.",
		"A script turns signalling NaNs of single precision into quiet ones."]}

func _init():
	var peer = StreamPeerTCP.new()
	var address = OS.get_environment("OCTABLE_CONNECT").rsplit(":", true, 1)
	peer.connect_to_host(address[0], int(address[-1]))
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	var unread = PoolByteArray()
	while true:
		var got = peer.get_data(1) # waits for one byte, and takes what came with it
		if got[0] != OK: break
		unread.append_array(got[1])
		unread.append_array(peer.get_partial_data(peer.get_available_bytes())[1])
		if unread[unread.size() - 1] == 10:
			for line in unread.get_string_from_utf8().split("\n", false):
				peer.put_data((answer(line) + "\n").to_utf8())
			unread = PoolByteArray()
	quit()

func answer(line):
	var request = JSON.parse(line).result
	if not request is Dictionary:
		return '{"id":%s,"unsupported":"the JSON of the engine is not nested so deep"}' % line.split('"id":')[1].split(",")[0]
	var values = Values.new()
	var said = {"as": '"unsupported":"this operation"'}
	match request["op"]:
		"hello":
			ABOUT["version"] = Engine.get_version_info()["string"]
			said["as"] = '"hello":' + JSON.print(ABOUT)
		"decode":
			decode(values.unhex(request["bytes"] if "bytes" in request else ""), "objects" in request, values, said)
		"recode":
			recode(values.unhex(request["bytes"] if "bytes" in request else ""), "objects" in request, said)
		"encode":
			encode(values.read(request["value"]), "objects" in request, said)
			if "\\u0000" in line: values.lacks("a String holds no zero byte")
	if values.lack != "":
		said["as"] = '"unsupported":' + JSON.print(values.lack)
	return '{"id":%d,%s}' % [request["id"], said["as"]]

# An error of bytes2var or var2bytes ends the function that it happens in.

func decode(bytes, objects, values, said):
	said["as"] = '"error":"bytes2var made an error"'
	var value = bytes2var(bytes, objects)
	said["as"] = '"ok":true,"value":' + values.write(value)

func recode(bytes, objects, said):
	said["as"] = '"error":"bytes2var or var2bytes made an error"'
	var again = var2bytes(bytes2var(bytes, objects), objects)
	said["as"] = '"ok":true,"bytes":"%s"' % again.hex_encode()

func encode(value, objects, said):
	said["as"] = '"error":"var2bytes made an error"'
	var bytes = var2bytes(value, objects)
	said["as"] = '"ok":true,"bytes":"%s"' % bytes.hex_encode()
