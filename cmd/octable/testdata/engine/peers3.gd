# Exchanges a value with octable over each kind of connection, first as the client and then as the server.
# Godot 3; peers4.gd does the same in Godot 4.
extends SceneTree

const HOST = "127.0.0.1"
var value = {"name": "Ada", "at": Vector2(1, 2)}
var joined = 0

func port(kind):
	return int(OS.get_environment("OCTABLE_" + kind))

func poll(link):
	if link != null:
		link.poll()
	OS.delay_msec(1)

func exchange(kind, peer, link, first):
	if first:
		peer.put_var(value)
	while peer.get_available_packet_count() == 0:
		poll(link)
	print(kind, " got ", var2str(peer.get_var()).replace("\n", " "))
	if not first:
		peer.put_var(value)
		for i in 20:
			poll(link)

func tcp_client():
	var tcp = StreamPeerTCP.new()
	tcp.connect_to_host(HOST, port("TCP"))
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	var peer = PacketPeerStream.new()
	peer.set_stream_peer(tcp)
	exchange("TCP", peer, null, true)
	tcp.put_var([true, null])
	tcp.disconnect_from_host()

func udp_client():
	var udp = PacketPeerUDP.new()
	udp.set_dest_address(HOST, port("UDP"))
	exchange("UDP", udp, null, true)

func ws_client():
	var client = WebSocketClient.new()
	client.connect_to_url("ws://" + HOST + ":" + str(port("WS")) + "/game")
	while client.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTING:
		poll(client)
	exchange("WS", client.get_peer(1), client, true)
	client.disconnect_from_host()
	for i in 20:
		poll(client)

func tcp_server():
	var server = TCP_Server.new()
	server.listen(port("TCP_SERVER"), HOST)
	print("listening TCP_SERVER")
	while not server.is_connection_available():
		OS.delay_msec(1)
	var tcp = server.take_connection()
	var peer = PacketPeerStream.new()
	peer.set_stream_peer(tcp)
	exchange("TCP_SERVER", peer, null, false)
	tcp.disconnect_from_host()
	server.stop()

func udp_server():
	var udp = PacketPeerUDP.new()
	udp.listen(port("UDP_SERVER"), HOST)
	print("listening UDP_SERVER")
	while udp.get_available_packet_count() == 0:
		OS.delay_msec(1)
	print("UDP_SERVER got ", var2str(udp.get_var()).replace("\n", " "))
	udp.set_dest_address(udp.get_packet_ip(), udp.get_packet_port())
	udp.put_var(value)

func join(id, _protocol):
	joined = id

func ws_server():
	var server = WebSocketServer.new()
	server.connect("client_connected", self, "join")
	server.set_bind_ip(HOST)
	server.listen(port("WS_SERVER"))
	print("listening WS_SERVER")
	while joined == 0:
		poll(server)
	exchange("WS_SERVER", server.get_peer(joined), server, false)
	server.disconnect_peer(joined)
	for i in 50:
		poll(server)
	server.stop()

func _init():
	tcp_client()
	udp_client()
	ws_client()
	tcp_server()
	udp_server()
	ws_server()
	quit()
