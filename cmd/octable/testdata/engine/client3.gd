# Sends three moves with pauses between them, and waits for the answer to each. Godot 3; client4.gd does the same in Godot 4.
extends SceneTree

func _init():
	var tcp = StreamPeerTCP.new()
	tcp.connect_to_host("127.0.0.1", int(OS.get_environment("OCTABLE_PORT")))
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	for i in 3:
		OS.delay_msec(60)
		tcp.put_var({"player": "Ada", "to": Vector2(i, 0.5), "tags": ["a", "b"]})
		var answer = tcp.get_var()
		print("answer ", var2str(answer).replace("\n", " "))
	quit()
