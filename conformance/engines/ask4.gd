# Answers questions, one a line, from inside Godot 4:
#
#	OCTABLE_ASK=questions OCTABLE_OUT=answers.jsonl godot --headless --script ask4.gd
#
# "packet BASE64" asks whether the engine takes these bytes, and what it writes of them
# again; "text BASE64" what it writes of the value in this text. See ask.go.
extends SceneTree

func _init() -> void:
	Engine.print_error_messages = OS.has_environment("OCTABLE_LOUD")
	var asked := FileAccess.open(OS.get_environment("OCTABLE_ASK"), FileAccess.READ)
	var out := FileAccess.open(OS.get_environment("OCTABLE_OUT"), FileAccess.WRITE)
	if asked == null or out == null:
		quit(1)
		return
	while not asked.eof_reached():
		var question := asked.get_line().split(" ")
		if question.size() != 2:
			break
		if question[0] == "text":
			var again := var_to_bytes(str_to_var(Marshalls.base64_to_utf8(question[1])))
			out.store_string("{\"again\":\"%s\"}\n" % again.hex_encode())
			continue
		var b := Marshalls.base64_to_raw(question[1])
		var used := b.decode_var_size(0, false)
		var again := var_to_bytes(bytes_to_var(b)) if used > 0 else PackedByteArray()
		out.store_string("{\"accepted\":%s,\"used\":%d,\"again\":\"%s\"}\n" % [used > 0, used, again.hex_encode()])
	out.close()
	quit()
