# Godot 4 itself, as an implementation for octable conform:
#
#	octable conform -spec godot-4.4 -tcp -- godot --headless --script conformance/wrappers/godot4/wrapper.gd
#
# Engines print on standard output as they like, so the lines of the protocol go through
# the connection that OCTABLE_CONNECT names. OCTABLE_LOUD=1 shows what engines say of errors.
extends SceneTree

const Values := preload("values.gd")
const ABOUT := {"protocol": 1, "name": "Godot", "language": "GDScript", "link": "https://godotengine.org",
	"ops": ["decode", "encode", "recode"], "specs": ["godot-4.4"], "objects": true, "reals": "bits", "notes": [
		"Whether bytes are refused, and how many are used, is what PackedByteArray.decode_var_size says: bytes_to_var gives null for an error as well as for Nil.",
		"A script turns signalling NaNs into quiet ones, in d of a Plane and in a Quaternion."]}

func _init() -> void:
	Engine.print_error_messages = OS.has_environment("OCTABLE_LOUD")
	var peer := StreamPeerTCP.new()
	var address := OS.get_environment("OCTABLE_CONNECT").rsplit(":", true, 1)
	peer.connect_to_host(address[0], int(address[-1]))
	while peer.poll() == OK and peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	var unread := PackedByteArray()
	while true:
		var got := peer.get_data(1) # waits for one byte, and takes what came with it
		if got[0] != OK: break
		unread.append_array(got[1])
		unread.append_array(peer.get_partial_data(peer.get_available_bytes())[1])
		var whole := unread.rfind(10)
		if whole >= 0:
			for line in unread.slice(0, whole).get_string_from_utf8().split("\n"):
				peer.put_data((answer(line) + "\n").to_utf8_buffer())
			unread = unread.slice(whole + 1)
	quit()

func answer(line: String) -> String:
	var request: Variant = JSON.parse_string(line)
	if not request is Dictionary:
		return '{"id":%s,"unsupported":"the JSON of the engine is not nested so deep"}' % line.get_slice('"id":', 1).get_slice(",", 0)
	var values := Values.new()
	var said := '"unsupported":"this operation"'
	match request["op"]:
		"hello":
			said = '"hello":' + JSON.stringify(ABOUT.merged({"version": Engine.get_version_info()["string"]}))
		"decode":
			said = decode(str(request.get("bytes", "")).hex_decode(), request.get("objects", false), values)
		"recode":
			var bytes := str(request.get("bytes", "")).hex_decode()
			var objects: bool = request.get("objects", false)
			said = '"error":"PackedByteArray.decode_var_size is 0"'
			if bytes.decode_var_size(0, objects) > 0:
				said = '"ok":true,"bytes":"%s"' % (var_to_bytes_with_objects(bytes_to_var_with_objects(bytes)) if objects else var_to_bytes(bytes_to_var(bytes))).hex_encode()
		"encode":
			var value: Variant = values.read(request["value"])
			if "\\u0000" in line: values.lacks("a String holds no zero byte")
			said = '"ok":true,"bytes":"%s"' % (var_to_bytes_with_objects(value) if request.get("objects", false) else var_to_bytes(value)).hex_encode()
	if values.lack != "": said = '"unsupported":' + JSON.stringify(values.lack)
	return '{"id":%d,%s}' % [request["id"], said]

func decode(bytes: PackedByteArray, objects: bool, values: Values) -> String:
	var used := bytes.decode_var_size(0, objects)
	if used == 0:
		return '"error":"PackedByteArray.decode_var_size is 0"'
	var value: Variant = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
	return '"ok":true,"used":%d,"value":%s' % [mini(used, bytes.size()), values.write(value)] # counts padding that is not there
