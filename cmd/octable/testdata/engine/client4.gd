# Sends three moves with pauses between them, and waits for the answer to each. Godot 4; client3.gd does the same in Godot 3.
extends SceneTree

func _init():
	var tcp = StreamPeerTCP.new()
	tcp.connect_to_host("127.0.0.1", int(OS.get_environment("OCTABLE_PORT")))
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		tcp.poll()
		OS.delay_msec(1)
	for i in 3:
		OS.delay_msec(60)
		tcp.put_var({"player": "Ada", "to": Vector2(i, 0.5), "tags": ["a", "b"]})
		var answer = tcp.get_var()
		print("answer ", var_to_str(answer).replace("\n", " "))
	quit()
