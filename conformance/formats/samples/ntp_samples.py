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


def read(paths):
    text = paths[0].with_name("packets.txt")
    write(text, dump([path.read_bytes() for path in paths]))
    run("text2pcap", "-F", "pcap", "-u", "123,123", str(text), str(text) + ".pcap")
    out = run("tshark", "-n", "-r", str(text) + ".pcap", "-T", "json", "--no-duplicate-keys")
    for packet in json.loads(out, object_pairs_hook=Pairs):
        found = {}
        fields(dict(dict(packet)["_source"])["layers"], found)
        yield expected(found)


def expected(found):
    one = lambda name: found[name][0]
    flags = number(one("ntp.flags"))
    signed = lambda name: (number(one(name)) + 128) % 256 - 128
    short = lambda name: [number(one(name)) >> 16, number(one(name)) & 0xFFFF]
    value = {
        "leap": flags >> 6, "version": flags >> 3 & 7, "mode": flags & 7, "stratum": number(one("ntp.stratum")),
        "poll": signed("ntp.ppoll"), "precision": signed("ntp.precision"),
        "root_delay": short("ntp.rootdelay"), "root_dispersion": short("ntp.rootdispersion"),
        "reference_id": one("ntp.refid").replace(":", ""),
        "reference": stamp(one("ntp.reftime")), "origin": stamp(one("ntp.org")), "receive": stamp(one("ntp.rec")), "transmit": stamp(one("ntp.xmt")),
    }
    return {"reader": VERSION, "value": value}


def stamp(text):
    """stamp returns the seconds of a time such as Aug  4, 2023 09:20:00.041666666 UTC."""
    whole, _ = text.removesuffix(" UTC").rsplit(".", 1)
    time = datetime.datetime.strptime(whole, "%b %d, %Y %H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return [int(time.timestamp()) + 2208988800, None]
