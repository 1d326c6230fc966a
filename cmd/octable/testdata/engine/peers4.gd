# Exchanges a value with octable over each kind of connection, first as the client and then as the server.
# Godot 4; peers3.gd does the same in Godot 3.
extends SceneTree

const HOST = "127.0.0.1"
var value = {"name": "Ada", "at": Vector2(1, 2)}

func port(kind):
	return int(OS.get_environment("OCTABLE_" + kind))

func exchange(kind, peer, link, first):
	if first:
		peer.put_var(value)
	while peer.get_available_packet_count() == 0:
		link.poll()
		OS.delay_msec(1)
	print(kind, " got ", var_to_str(peer.get_var()).replace("\n", " "))
	if not first:
		peer.put_var(value)
		for i in 20:
			link.poll()
			OS.delay_msec(1)

class NoLink:
	func poll():
		pass

func tcp_client():
	var tcp = StreamPeerTCP.new()
	tcp.connect_to_host(HOST, port("TCP"))
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		tcp.poll()
		OS.delay_msec(1)
	var peer = PacketPeerStream.new()
	peer.stream_peer = tcp
	exchange("TCP", peer, tcp, true)
	tcp.put_var([true, null])
	tcp.disconnect_from_host()

func udp_client():
	var udp = PacketPeerUDP.new()
	udp.connect_to_host(HOST, port("UDP"))
	exchange("UDP", udp, NoLink.new(), true)

func ws_client():
	var ws = WebSocketPeer.new()
	ws.connect_to_url("ws://" + HOST + ":" + str(port("WS")) + "/game")
	while ws.get_ready_state() == WebSocketPeer.STATE_CONNECTING:
		ws.poll()
		OS.delay_msec(1)
	exchange("WS", ws, ws, true)
	ws.close()
	while ws.get_ready_state() != WebSocketPeer.STATE_CLOSED:
		ws.poll()
		OS.delay_msec(1)

func accept(kind):
	var server = TCPServer.new()
	server.listen(port(kind), HOST)
	print("listening ", kind)
	while not server.is_connection_available():
		OS.delay_msec(1)
	var tcp = server.take_connection()
	server.stop()
	return tcp

func tcp_server():
	var tcp = accept("TCP_SERVER")
	var peer = PacketPeerStream.new()
	peer.stream_peer = tcp
	exchange("TCP_SERVER", peer, tcp, false)
	tcp.disconnect_from_host()

func udp_server():
	var udp = PacketPeerUDP.new()
	udp.bind(port("UDP_SERVER"), HOST)
	print("listening UDP_SERVER")
	while udp.get_available_packet_count() == 0:
		OS.delay_msec(1)
	print("UDP_SERVER got ", var_to_str(udp.get_var()).replace("\n", " "))
	udp.set_dest_address(udp.get_packet_ip(), udp.get_packet_port())
	udp.put_var(value)

func ws_server():
	var ws = WebSocketPeer.new()
	ws.accept_stream(accept("WS_SERVER"))
	while ws.get_ready_state() == WebSocketPeer.STATE_CONNECTING:
		ws.poll()
		OS.delay_msec(1)
	exchange("WS_SERVER", ws, ws, false)
	ws.close()
	while ws.get_ready_state() != WebSocketPeer.STATE_CLOSED:
		ws.poll()
		OS.delay_msec(1)

func _init():
	tcp_client()
	udp_client()
	ws_client()
	tcp_server()
	udp_server()
	ws_server()
	quit()
