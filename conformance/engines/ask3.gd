# Answers questions, one a line, from inside Godot 3 (ask4.gd is its twin and says what they are):
#
#	OCTABLE_ASK=questions OCTABLE_OUT=answers.jsonl godot3-server -s ask3.gd
extends SceneTree

func _init():
	var asked = File.new()
	var out = File.new()
	if asked.open(OS.get_environment("OCTABLE_ASK"), File.READ) != OK or out.open(OS.get_environment("OCTABLE_OUT"), File.WRITE) != OK:
		quit()
		return
	while not asked.eof_reached():
		var question = asked.get_line().split(" ")
		if question.size() != 2:
			break
		var said = {"accepted": false, "again": ""}
		if question[0] == "text":
			text(Marshalls.base64_to_utf8(question[1]), said)
		else:
			# There is an error in here for every packet refused, which ends the function, not the script.
			packet(Marshalls.base64_to_raw(question[1]), said)
		out.store_string("{\"accepted\":%s,\"again\":\"%s\"}\n" % [str(said["accepted"]).to_lower(), said["again"]])
	out.close()
	quit()

func text(s, said):
	said["again"] = var2bytes(str2var(s)).hex_encode()

func packet(b, said):
	var v = bytes2var(b)
	said["accepted"] = true
	said["again"] = var2bytes(v).hex_encode()
