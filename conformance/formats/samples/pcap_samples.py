"""Captures by text2pcap and editcap, read by tshark."""

import ipaddress
import json
import re
import struct

import dns.message

from tool import run, version, write

VERSION = re.search(r"TShark \(Wireshark\) [\d.]+", version("tshark", "--version").splitlines()[-1] + run("tshark", "--version").decode())[0]

# Options of EDNS: codes and contents.
EDNS = [
    (1, "0001 0001 0000 0102030405060708 00000e10"), (2, "00000e10"), (2, "00000e10 00093a80"), (3, "6e7331"), (5, "080d"), (6, "02"), (7, "01"), (8, "0001 18 00 c00002"), (8, "0002 39 30 20010db8000102 80"), (10, "0102030405060708"), (10, "0102030405060708 1112131415161718"),
    (11, "012c"), (11, ""), (12, "000000"), (13, "03636f6d00"), (15, "0006 65787069726564"), (15, "0000"), (65001, "0102"),
]

NTP = bytes.fromhex("240106ec 00000000 00000100 47505300 876ce580 00000000 876ce580 00000000 876ce581 00000000 876ce581 80000000")


def inet(data):
    """inet is the checksum of RFC 1071."""
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(protocol, payload, options=b"", fragment=0x4000, service=0, padding=b""):
    words = 5 + len(options) // 4
    head = struct.pack(">BBHHHBBH4s4s", 64 + words, service, 4 * words + len(payload), 7, fragment, 64, protocol, 0, bytes([192, 0, 2, 1]), bytes([198, 51, 100, 9])) + options
    return head[:10] + struct.pack(">H", inet(head)) + head[12:] + payload + padding


def ethernet(kind, payload):
    return bytes.fromhex("005056c00001 000c29112233") + struct.pack(">H", kind) + payload


def tcp(flags, options=b"", data=b""):
    return struct.pack(">HHIIHHHH", 49152, 80, 1000, 2000, (5 + len(options) // 4) << 12 | flags, 65535, 0x1234, 0) + options + data


def icmp(kind, code, data):
    body = struct.pack(">BBHHH", kind, code, 0, 5, 6) + data
    return body[:2] + struct.pack(">H", inet(body)) + body[4:]


def udp(port, payload):
    return struct.pack(">HHHH", 40000, port, 8 + len(payload), 0) + payload


def ipv6(following, payload):
    return ethernet(0x86DD, struct.pack(">IHBB", 0x6A012345, len(payload), following, 63) + bytes(range(32)) + payload)


def ipv6_headers():
    """ipv6_headers returns packets with the extension headers of RFC 8200."""
    first, second = "20010db8000000000000000000000001", "20010db8000000000000000000000002"
    for following, headers in (
        (0, "3c00 05020000 0100 1102 c910" + first + "01020000"),
        (60, "1102 040103 0f0a01020001000200030004 1e02aabb 000000"),
        (60, "1100 c20400010000"),
        (43, "1102 0001 00000000" + first),
        (43, "1102 0201 00000000" + second),
        (43, "1104 0401 01000007" + first + second),
        (43, "1105 0401 00000007" + first + "00 0402 0000 850155 050e 8001 0000000a 0102030405060708"),
        (43, "1100 fd00 01020304"),
        (44, "1100 0000 0000002b"),
    ):
        yield ipv6(following, bytes.fromhex(headers) + udp(9, b"abc"))
    yield ipv6(44, bytes.fromhex("1100 0001 0000002a") + b"first pa")
    yield ipv6(44, bytes.fromhex("1100 000e 0000002a") + b"rest")


def edns():
    """edns is a query with options."""
    options = b"".join(struct.pack(">HH", code, len(bytes.fromhex(data))) + bytes.fromhex(data) for code, data in EDNS)
    return bytes.fromhex("0001 0100 0001 0000 0000 0001 0161 00 0001 0001 00 0029 04d0 00008000") + struct.pack(">H", len(options)) + options


def frames():
    """frames returns names and packets that text2pcap does not make."""
    about = ipv4(17, udp(9, b"abcdefgh"))[:28]
    yield "tcp-syn", [ethernet(0x800, ipv4(6, tcp(2, bytes.fromhex("020405b4 0402 080a 00000001 00000000 01 030307"))))]
    yield "tcp-sack", [ethernet(0x800, ipv4(6, tcp(0x10, bytes.fromhex("0101 050a 0000000a 00000014"))))]
    yield "tcp-flags", [ethernet(0x800, ipv4(6, tcp(1 << n, data=b"x" * n))) for n in range(9)]
    yield "tcp-option", [ethernet(0x800, ipv4(6, tcp(0x18, bytes.fromhex("fd04 aabb 00000000"), b"GET / HTTP/1.0\r\n\r\n")))]
    yield "ip-options", [ethernet(0x800, ipv4(17, udp(9, b"abc"), bytes.fromhex("94040000 01 070704 c0000201 00000000")))]
    yield "ip-routes", [ethernet(0x800, ipv4(17, udp(9, b"abc"), bytes.fromhex(options))) for options in ("830708 c0000201 00", "890b0c c0000201 c0000202 00", "440c09 00 00000001 00000000", "8804 00ff")]
    yield "icmp-messages", [ethernet(0x800, ipv4(1, icmp(kind, code, data))) for kind, code, data in ((3, 4, about), (5, 1, about), (11, 0, about), (12, 0, about), (4, 0, ipv4(17, bytes(8), bytes.fromhex("94040000"), fragment=0x2005, service=0xB9)), (13, 0, bytes(12)))]
    yield "tcp-options", [ethernet(0x800, ipv4(6, tcp(2, bytes.fromhex(options)))) for options in ("1c04 803c", "2206 01020304 0101", "1312" + "ab" * 16 + "0101", "1d08 0102 aabbccdd")]
    yield "fragments", [ethernet(0x800, ipv4(17, b"first part of 24 bytes..", fragment=0x2000)), ethernet(0x800, ipv4(17, b"rest", fragment=3))]
    yield "service", [ethernet(0x800, ipv4(17, udp(9, b""), service=0xB9, padding=bytes(18)))]
    yield "icmp", [ethernet(0x800, ipv4(1, icmp(8, 0, b"ping"))), ethernet(0x800, ipv4(1, icmp(0, 0, b"ping")))]
    yield "arp", [ethernet(0x806, bytes.fromhex("0001 0800 06 04 0001 000c29112233 c0000201 000000000000 c0000209") + bytes(18))]
    yield "vlan", [ethernet(0x8100, struct.pack(">HH", 0xB064, 0x800) + ipv4(17, udp(123, NTP)))]
    yield "ipv6", [ipv6(17, udp(123, NTP))]
    yield "ipv6-headers", list(ipv6_headers())
    yield "edns", [ethernet(0x800, ipv4(17, udp(53, edns())))]
    yield "llc", [bytes.fromhex("0180c2000000 000c29112233 0026 424203") + bytes(35)]


def dump(packets):
    """dump returns packets as text2pcap reads them."""
    lines = []
    for packet in packets:
        for at in range(0, len(packet), 16):
            lines.append(f"{at:06x} " + packet[at:at + 16].hex(" "))
        lines.append("")
    return "\n".join(lines).encode()


def dated(data):
    """dated gives the packets of a capture a time that is not that of the run."""
    at, n, out = 24, 0, bytearray(data)
    while at < len(out):
        out[at:at + 8] = struct.pack("<II", 1700000000 + n, 1000 * n)
        at, n = at + 16 + struct.unpack_from("<I", out, at + 8)[0], n + 1
    return bytes(out)


def swapped(data):
    """swapped returns a capture in the other byte order."""
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    other = ">" if order == "<" else "<"
    out, at = struct.pack(other + "IHHiIII", *struct.unpack(order + "IHHiIII", data[:24])), 24
    while at < len(data):
        head = struct.unpack(order + "IIII", data[at:at + 16])
        out += struct.pack(other + "IIII", *head) + data[at + 16:at + 16 + head[2]]
        at += 16 + head[2]
    return out


def make(home):
    query = dns.message.make_query("www.example.com", "A")
    query.id = 1
    wires = [query.to_wire(), dns.message.make_response(query).to_wire()]
    text = home / "packets.txt"

    def capture(name, packets, *options):
        path = home / (name + ".pcap")
        write(text, dump(packets))
        run("text2pcap", "-F", "pcap", *options, str(text), str(path))
        text.unlink()
        return write(path, dated(path.read_bytes()))

    for name, packets, options in [
        ("dns", wires, ["-u", "53,40000"]),
        ("ntp", [NTP], ["-u", "123,123"]),
        ("udp", [b"", b"a", b"ab" * 50], ["-u", "1000,2000"]),
        ("tcp", [b"", b"hello"], ["-T", "80,50000"]),
        ("sctp", [b"data"], ["-s", "1,2,3"]),
        ("ip-protocol", [b"abcdef"], ["-i", "89"]),
        ("ethertype", [b"payload"], ["-e", "0x88b5"]),
        ("empty", [], []),
        ("raw-link", [b"anything"], ["-l", "147"]),
        ("addresses", [b"x"], ["-u", "7,8", "-4", "10.1.2.3,10.4.5.6"]),
    ]:
        yield capture(name, packets, *options)
    for name, packets in frames():
        yield capture(name, packets)
    path = capture("source", wires * 3, "-u", "53,40000")
    for name, options in [("cut", ["-s", "60"]), ("nanoseconds", ["-F", "nsecpcap"]), ("shifted", ["-t", "1000.25"])]:
        run("editcap", *(["-F", "pcap"] if "-F" not in options else []), *options, str(path), str(home / (name + ".pcap")))
        yield home / (name + ".pcap")
    for name in ("tcp", "dns", "arp", "nanoseconds"):
        yield write(home / (name + "-swapped.pcap"), swapped((home / (name + ".pcap")).read_bytes()))


# Fields of tshark, and the rows of the schema with the same number.
ROWS = {
    "Ipv4.total_length": "ip.len", "Ipv4.checksum": "ip.checksum", "Ipv4.identification": "ip.id", "Ipv4.ttl": "ip.ttl", "Ipv4.protocol": "ip.proto",
    "tcp.source_port": "tcp.srcport", "tcp.destination_port": "tcp.dstport", "tcp.sequence": "tcp.seq_raw", "tcp.acknowledgment": "tcp.ack_raw",
    "tcp.window": "tcp.window_size_value", "tcp.checksum": "tcp.checksum", "tcp.urgent": "tcp.urgent_pointer",
    "udp.source_port": "udp.srcport", "udp.destination_port": "udp.dstport", "udp.length": "udp.length", "udp.checksum": "udp.checksum",
    "icmp.type": "icmp.type", "icmp.code": "icmp.code", "icmp.checksum": "icmp.checksum", "echo.identifier": "icmp.ident", "echo.sequence": "icmp.seq", "unreachable.next_mtu": "icmp.mtu", "router_alert.value": "ip.opt.ra", "stream.stream": "ip.opt.sid",
    "timestamp.identifier": "icmp.time.ident", "timestamp.sequence": "icmp.time.seq", "mss.mss": "tcp.options.mss_val", "window_scale.shift": "tcp.options.wscale.shift", "timestamps.value": "tcp.options.timestamp.tsval", "timestamps.echo": "tcp.options.timestamp.tsecr",
    "arp.operation": "arp.opcode", "arp.hardware_type": "arp.hw.type", "arp.protocol_type": "arp.proto.type", "arp.hardware_size": "arp.hw.size", "arp.protocol_size": "arp.proto.size",
    "ipv6.payload_length": "ipv6.plen", "routing.length": "ipv6.routing.len", "hop_by_hop.length": "ipv6.hopopts.len", "destination_options.length": "ipv6.dstopts.len", "ipv6.next_header": "ipv6.nxt", "ipv6.hop_limit": "ipv6.hlim",
    "dns.Message.id": "dns.id", "dns.Message.flags": "dns.flags", "dns.Message.qdcount": "dns.count.queries", "dns.Message.ancount": "dns.count.answers",
    "time.stratum": "ntp.stratum", "ntp.Packet.first": "ntp.flags",
    "Packet.captured": "frame.cap_len", "Packet.original": "frame.len",
}


# Words of bits, of which some are the length of a header.
WORDS = {
    "Ipv4.first": lambda found: number(found["ip.version"][0]) << 4 | number(found["ip.hdr_len"][0]) // 4,
    "tcp.flags": lambda found: number(found["tcp.hdr_len"][0]) // 4 << 12 | number(found["tcp.flags"][0]),
}


def number(text):
    text = text.split(" ")[0]
    return int(text, 16) if text.startswith("0x") else int(text)


def fields(tree, out):
    """fields adds the numbers of a tree of tshark to lists by name, in the order of the packet."""
    for key, value in tree if isinstance(tree, Pairs) else []:
        if key.endswith("_raw") and not isinstance(value, str):  # with the option -x: the bytes in hexadecimal, and their place
            out.setdefault(key, []).append(value[0])
            continue
        for one in [value] if isinstance(value, (Pairs, str)) else value:  # a key that occurs several times has a list
            if isinstance(one, str):
                out.setdefault(key, []).append(one)
            else:
                fields(one, out)


class Pairs(list):
    pass


def read(paths):
    return map(read_one, paths)


def read_one(path):
    out = run("tshark", "-n", "-r", str(path), "-T", "json", "--no-duplicate-keys", "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE", "-o", "tcp.desegment_tcp_streams:FALSE", "-o", "ip.check_checksum:TRUE")
    packets, rows = [], {row: [] for row in [*ROWS, *WORDS]}
    unit = 1 if path.read_bytes()[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    for packet in json.loads(out, object_pairs_hook=Pairs):
        layers = dict(dict(packet)["_source"])["layers"]
        found = {}
        fields(layers, found)
        whole = found["frame.len"] == found["frame.cap_len"]
        outer = dict(layers)
        if "1" in found.get("ip.flags.mf", [])[:1] + found.get("ipv6.fraghdr.more", []) or found.get("ip.frag_offset", ["0"])[:1] + found.get("ipv6.fraghdr.offset", ["0"]) != ["0", "0"]:
            outer = {"ip": None, "ipv6": None}  # the schema keeps the payload of a fragment as bytes
            found = {k: v for k, v in found.items() if not k.startswith(("udp.", "tcp."))}
        if found.get("icmp.type") == ["13"]:  # the row has the name of its message
            found["icmp.time.ident"], found["icmp.time.seq"] = found.pop("icmp.ident"), found.pop("icmp.seq")
        for row, field in ROWS.items():
            layer = field.split(".")[0]
            if layer == "frame" or whole and layer in outer:
                rows[row] += [number(v) for v in found.get(field, [])[:1]]
        for (row, word), layer in zip(WORDS.items(), ["ip", "tcp"]):
            if whole and layer in outer and layer + ".hdr_len" in found:
                rows[row].append(word(found))
        seconds, fraction = found["frame.time_epoch"][0].split(".")
        packets.append({"seconds": int(seconds), "fraction": int(fraction) // unit, "frame": frame(found, layers) if whole else {"raw": None}})
    value = {"packets": packets}
    return {"reader": VERSION, "value": value, "rows": {row: numbers for row, numbers in rows.items() if numbers}}


def frame(found, layers):
    if "eth.dst" not in found:
        return None
    v = {"destination": found["eth.dst"][0].replace(":", ""), "source": found["eth.src"][0].replace(":", "")}
    if "eth.type" in found:
        v["ethertype"] = number(found["eth.type"][0])
    payload = network(found, layers)
    if payload and found.get("eth.type") == ["0x0800"]:
        v["payload"] = payload
    if found.get("eth.type") == ["0x86dd"]:
        v["payload"] = {"ipv6": datagram6(dict(layers)["ipv6"])}
    return {"ethernet": v}


def network(found, layers):
    if "ip.src" not in found:
        return None
    flags = number(found["ip.flags"][0])
    address = lambda name: bytes(map(int, found[name][0].split("."))).hex()
    v = {
        "dscp": number(found["ip.dsfield.dscp"][0]), "ecn": number(found["ip.dsfield.ecn"][0]),
        "dont_fragment": bool(flags & 2), "more_fragments": bool(flags & 1), "source": address("ip.src"), "destination": address("ip.dst"),
    }
    if "tcp.flags" in found:
        flags = number(found["tcp.flags"][0])
        t = {name: bool(flags >> bit & 1) for bit, name in enumerate("fin syn rst psh ack urg ece cwr ae".split())}
        options = {"tcp.options.mss_val": ("mss", None), "tcp.options.wscale.shift": ("window_scale", None)}
        t["options"] = None
        v["payload"] = {"tcp": t}
    quoted = [dict(ip) for key, icmp in layers if key == "icmp" for of, ip in icmp if of == "ip"]
    if quoted:
        name = {3: "unreachable", 4: "report", 5: "redirect", 11: "report", 12: "parameter"}[number(found["icmp.type"][0])]
        v["payload"] = {"icmp": {"body": {name: {"original": original(quoted[0])}}}}
    additionals = [{"data": {"OPT": [option(dict(o)) for o in options]}} for options in lists(layers, "dns.opt")]
    if additionals:
        v["payload"] = {"udp": {"payload": {"dns": {"message": {"additionals": additionals}}}}}
    return {"ipv4": {"datagram": v}}


def original(of):
    """original returns the header of the datagram in a message of ICMP."""
    n = lambda name: number(of["ip." + name])
    address = lambda name: ipaddress.IPv4Address(of["ip." + name]).packed.hex()
    bits, flags = dict(of["ip.dsfield_tree"]), dict(of["ip.flags_tree"])
    return {
        "version": n("version"), "dscp": number(bits["ip.dsfield.dscp"]), "ecn": number(bits["ip.dsfield.ecn"]), "total_length": n("len"), "identification": n("id"),
        "reserved": number(flags["ip.flags.rb"]) == 1, "dont_fragment": number(flags["ip.flags.df"]) == 1, "more_fragments": number(flags["ip.flags.mf"]) == 1, "fragment_offset": n("frag_offset"),
        "ttl": n("ttl"), "protocol": n("proto"), "checksum": n("checksum"), "source": address("src"), "destination": address("dst")}


def address6(text):
    return ipaddress.IPv6Address(text).packed.hex()


def datagram6(tree):
    """datagram6 returns an IPv6 packet, whose extension headers are one in the other."""
    payload = None
    for key, of in reversed(tree):
        if key in ("ipv6.hopopts", "ipv6.dstopts", "ipv6.routing", "ipv6.fraghdr"):
            payload = header6(key, of, payload)
    of = dict(tree)
    return {
        "traffic_class": number(of["ipv6.tclass"]), "flow_label": number(of["ipv6.flow"]), "next_header": number(of["ipv6.nxt"]), "hop_limit": number(of["ipv6.hlim"]),
        "source": address6(of["ipv6.src"]), "destination": address6(of["ipv6.dst"]), "payload": payload or {"upper_layer": None},
    }


def header6(key, tree, payload):
    """header6 returns an extension header with what follows it."""
    of = dict(tree)
    n = lambda name: number(of[key + "." + name])
    v = {"following": n("nxt"), "payload": payload or {"upper_layer": None}}
    if key == "ipv6.fraghdr":
        return {"fragment": v | {"reserved": n("reserved_octet"), "offset": n("offset"), "reserved_bits": n("reserved_bits"), "more_fragments": n("more") == 1, "identification": n("ident")}}
    if key == "ipv6.routing":
        return {"routing": v | {"type": n("type"), "segments_left": n("segleft"), "data": routing6(n("type"), of)}}
    arm = "hop_by_hop" if key == "ipv6.hopopts" else "destination_options"
    options = of["ipv6.opt"]
    return {arm: v | {"options": [option6(dict(o)) for o in ([options] if isinstance(options, Pairs) else options)]}}


def routing6(type, of):
    plain = lambda name: of["ipv6.routing." + name].replace(":", "")
    addresses = lambda name: [address6(a) for a in ([of[name]] if isinstance(of[name], str) else of[name])]
    if type == 0:
        return {"source": {"reserved": int(plain("src.reserved"), 16), "addresses": addresses("ipv6.routing.src.addr")}}
    if type == 2:
        return {"home": {"reserved": int(plain("mipv6.reserved"), 16), "address": address6(of["ipv6.routing.mipv6.home_address"])}}
    if type == 4:
        return {"segments": {"flags": number(plain("srh.flags")), "tag": int(plain("srh.tag"), 16), "segments": addresses("ipv6.routing.srh.addr")}}
    return {"other": plain("unknown_data")}


def option6(of):
    kind, n = number(of["ipv6.opt.type"]), lambda name: number(of["ipv6.opt." + name])
    if kind == 0:
        return {"pad1": None}
    if kind == 1:
        return {"padn": of["ipv6.opt.padn"].replace(":", "")}
    if kind == 4:
        return {"tunnel_limit": n("tel")}
    if kind == 5:
        return {"router_alert": n("router_alert")}
    if kind == 15:
        return {"performance": {
            "scale_received": n("pdm.scale_dtlr"), "scale_sent": n("pdm.scale_dtls"), "sequence": n("pdm.psn_this_pkt"), "last_received": n("pdm.psn_last_recv"),
            "delta_received": n("pdm.delta_last_recv"), "delta_sent": n("pdm.delta_last_sent")}}
    if kind == 0xC2:
        return {"jumbo": n("jumbo")}
    if kind == 0xC9:
        return {"home_address": address6(of["ipv6.opt.mipv6.home_address"])}
    tree = dict(of["ipv6.opt.type_tree"])
    action, change, rest = (number(tree["ipv6.opt.type." + name]) for name in ("action", "change", "rest"))
    return {"other": {"action": action, "may_change": change == 1, "rest": rest, "data": of["ipv6.opt.experimental"].replace(":", "")}}


def lists(tree, key):
    """lists returns the lists with a key in a tree of tshark."""
    if isinstance(tree, Pairs):
        return [found for k, value in tree for found in ([value] if k == key else lists(value, key))]
    return [found for value in tree for found in lists(value, key)] if isinstance(tree, list) else []


def option(fields):
    """option returns an option of EDNS."""
    code, plain = number(fields["dns.opt.code"]), lambda name: fields[name].replace(":", "")
    data = None
    if code in (5, 6, 7):
        name = {5: "dau", 6: "dhu", 7: "n3u"}[code]
        found = fields["dns.opt." + name]
        data = {name: [int(n) for n in ([found] if isinstance(found, str) else found)]}
    elif code == 8:
        bits = number(fields["dns.opt.client.netmask"])
        address = ipaddress.ip_address(fields.get("dns.opt.client.addr4") or fields["dns.opt.client.addr6"])
        data = {"client_subnet": {"family": number(fields["dns.opt.client.family"]), "source": bits, "scope": number(fields["dns.opt.client.scope"]), "address": address.packed[: (bits + 7) // 8].hex()}}
    elif code == 10:
        data = {"cookie": {"client": plain("dns.opt.cookie.client"), "server": plain("dns.opt.cookie.server")}}
    elif code == 11 and "dns.opt.edns_tcp_keepalive.timeout" in fields:
        data = {"keepalive": number(fields["dns.opt.edns_tcp_keepalive.timeout"])}
    elif code == 12:
        data = {"padding": plain("dns.opt.padding")}
    elif code == 15:
        data = {"extended_error": {"info_code": number(fields["dns.opt.ext_error.info_code"]), "text": fields.get("dns.opt.ext_error.extra_text", "")}}
    return {"code": code, "data": data}
