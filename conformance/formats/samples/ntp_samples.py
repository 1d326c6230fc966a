"""Packets of NTP, read by tshark out of a capture by text2pcap."""

import datetime
import json
import struct

from tool import run, write
from pcap_samples import Pairs, VERSION, dump, fields, number


def make(home):
    for n in range(24):
        leap, version, mode = n % 4, 1 + n % 4, 1 + n % 5
        stamps = [3_900_000_000 + n * 1000 + k * 7 << 32 | n * 178956970 for k in range(4)]
        packet = struct.pack(">BBbbIII4Q", leap << 6 | version << 3 | mode, n % 16, n - 3, -n, n << 14, n << 12 | 5, 0x47505300 if n % 16 < 2 else 0xC0000200 + n, *stamps)
        if n >= 20 and version == 4:
            packet += struct.pack(">I", n) + bytes(range(16))
        yield write(home / f"{n:02}.ntp", packet)
    request = bytes.fromhex("230006ec") + bytes(12) + struct.pack(">4Q", *(3_900_000_000 + n << 32 for n in range(4)))
    digest = struct.pack(">I", 5) + bytes(range(16))
    for name, rest in [
        ("nts", extension(0x0104, bytes(range(32))) + extension(0x0204, bytes(range(100))) + extension(0x0404, struct.pack(">HH", 16, 18) + bytes(range(34)) + bytes(2))),
        ("other-field", extension(0x2005, bytes(24))),
        ("field-and-digest", extension(0x0304, bytes(12)) + digest),
        ("field-and-sha1", extension(0x0104, bytes(24)) + digest + bytes(4)),
        ("no-digest", digest[:4]),
    ]:
        yield write(home / f"{name}.ntp", request + rest)
    for name, operation, status, association, data, rest in [
        ("read-status", 0x01, 0, 0, b"", b""),
        ("statuses", 0x81, 0x0615, 0, bytes.fromhex("1234963a5678fc1a"), b""),
        ("read-variables", 0x02, 0, 0x1234, b"stratum,offset", bytes(2)),
        ("system", 0x82, 0xC625, 0, b"leap=0, stratum=2", bytes(3)),
        ("peer", 0xA2, 0x9624, 0x1234, b"srcadr=192.0.2.1, ", b""),
        ("write-variables", 0x03, 0, 0, b"a=1", bytes(1) + struct.pack(">I", 7) + bytes(range(16))),
        ("failed", 0xC3, 0x0500, 0, b"", b""),
        ("clock", 0x84, 0x0103, 9, b"type=16", bytes(1)),
        ("trap", 0x87, 0x6813, 3, b"text", b""),
        ("nonce", 0x8C, 0, 0, b"nonce=0a1b2c", b""),
        ("authenticated", 0x82, 0xC625, 0, b"leap=0", bytes(2 + 4) + struct.pack(">I", 7) + bytes(range(20))),
    ]:
        packet = struct.pack(">BBHHHHH", 2 << 3 | 6, operation, len(name), status, association, 5 if name == "peer" else 0, len(data)) + data + rest
        yield write(home / f"{name}.ntp", packet)
    yield write(home / "private.ntp", bytes.fromhex("df850342000100040000000112345678"))


def extension(kind, value):
    return struct.pack(">HH", kind, 4 + len(value)) + value


def read(paths):
    text = paths[0].with_name("packets.txt")
    write(text, dump([path.read_bytes() for path in paths]))
    run("text2pcap", "-F", "pcap", "-u", "123,123", str(text), str(text) + ".pcap")
    out = run("tshark", "-n", "-r", str(text) + ".pcap", "-T", "json", "-x", "--no-duplicate-keys")
    for path, packet in zip(paths, json.loads(out, object_pairs_hook=Pairs)):
        found = {}
        fields(dict(dict(packet)["_source"])["layers"], found)
        read, again = expected(found), written(path.read_bytes())
        yield read if again == path.read_bytes() else read | {"written": again.hex()}


def written(packet):
    """written returns a packet with padding after the data of a message, as a writer gives it."""
    return packet + bytes(-len(packet) % 4) if packet[0] & 7 == 6 else packet


def expected(found):
    flags = number(found["ntp.flags"][0])
    read = {6: control, 7: private}.get(flags & 7, time)
    value = read(flags, lambda name, n=0: found[name][n])
    if read is time:
        value["extensions"] = [field(number(kind), content.replace(":", "")) for kind, content in zip(found.get("ntp.ext.type", []), found.get("ntp.ext.value", []))]
        if "ntp.keyid" in found:
            value["mac"] = {"key": int(found["ntp.keyid"][0].replace(":", ""), 16), "digest": found.get("ntp.mac", [""])[0].replace(":", "")}
    return {"reader": VERSION, "value": {read.__name__: value}}


def field(kind, content):
    name = {0x0104: "unique_identifier", 0x0204: "nts_cookie", 0x0304: "nts_placeholder", 0x0404: "nts_authenticator"}.get(kind, "other")
    return {"type": kind, "value": {name: None if kind == 0x0404 else content}}


def time(flags, one):
    signed = lambda name: (number(one(name)) + 128) % 256 - 128
    short = lambda name: [number(one(name)) >> 16, number(one(name)) & 0xFFFF]
    return {
        "leap": flags >> 6, "version": flags >> 3 & 7, "mode": flags & 7, "stratum": number(one("ntp.stratum")),
        "poll": signed("ntp.ppoll"), "precision": signed("ntp.precision"),
        "root_delay": short("ntp.rootdelay"), "root_dispersion": short("ntp.rootdispersion"),
        "reference_id": one("ntp.refid").replace(":", ""),
        "reference": stamp(one("ntp.reftime")), "origin": stamp(one("ntp.org")), "receive": stamp(one("ntp.rec")), "transmit": stamp(one("ntp.xmt")),
    }


PEER = {"configured": "config", "authenticated": "authenable", "authentic": "authentic", "reachable": "reach", "broadcast": "bcast", "selection": "selection", "events": "count", "event": "code"}


def control(flags, one):
    get = lambda name, n=0: number(one("ntp.ctrl." + name, n))
    response, error, opcode, association = truth(get("flags2.r")), truth(get("flags2.error")), get("flags2.opcode"), get("associd")
    data = {"offset": get("offset"), "text": bytes.fromhex(one("ntp.ctrl.data_raw")).decode(errors="replace") if get("count") else ""}
    if error:
        message = {"failed": {"error_code": get("err_status"), "association": association, "data": data}}
    elif response and opcode in (4, 5):
        message = {"clock": {"clock_status": get("clock_status.status"), "clock_event": get("clock_status.code"), "association": association, "data": data}}
    elif response and opcode in (1, 2, 3, 7) and association:
        message = {"status": {"status": {"peer": dict(peer(get, 0), association=association, data=data)}}}
    elif response and opcode in (1, 2, 3, 7):
        status = {name: get("sys_status." + field) for name, field in {"leap": "li", "source": "clksrc", "events": "count", "event": "code"}.items()}
        message = {"status": {"status": {"system": dict(status, data={"statuses": statuses(get)} if opcode == 1 else {"variables": {"text": data}})}}}
    else:
        message = {"other": {"status": get("status"), "association": association, "data": data}}
    return {
        "version": flags >> 3 & 7, "response": response, "error": error, "more": truth(get("flags2.more")), "opcode": opcode,
        "sequence": get("sequence"), "message": message,
    }


def statuses(get):
    items = [dict(peer(get, n), association=get("associd", n + 1)) for n in range(get("count") // 4)]
    return {"offset": get("offset"), "associations": items}


def peer(get, n):
    return {name: (int if name.startswith(("sel", "ev")) else truth)(get("peer_status." + field, n)) for name, field in PEER.items()}


def private(flags, one):
    get = lambda name: number(one("ntp.priv." + name))
    return {
        "response": truth(flags >> 7), "more": truth(flags >> 6 & 1), "version": flags >> 3 & 7, "authenticated": truth(get("auth")), "sequence": get("seq"),
        "implementation": get("impl"), "request": get("reqcode"),
    }


def truth(n):
    return n == 1


def stamp(text):
    """stamp returns the seconds of a time such as Aug  4, 2023 09:20:00.041666666 UTC."""
    whole, _ = text.removesuffix(" UTC").rsplit(".", 1)
    time = datetime.datetime.strptime(whole, "%b %d, %Y %H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return [int(time.timestamp()) + 2208988800, None]
