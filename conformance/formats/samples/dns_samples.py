"""DNS messages by dnspython, read by dnspython."""

import ipaddress

import dns.edns
import dns.flags
import dns.message
import dns.name
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import dns.version

from tool import write

RECORDS = """
A 192.0.2.1
AAAA 2001:db8::1
NS ns1.example.com.
CNAME www.example.com.
SOA ns.example.com. admin.example.com. 2026112300 7200 3600 1209600 300
PTR host.example.com.
HINFO "PC" "Linux"
MX 10 mail.example.com.
TXT "v=spf1 -all" "" "caf\\195\\169"
SRV 1 2 5060 sip.example.com.
NAPTR 100 50 "s" "SIP+D2U" "" _sip._udp.example.com.
DNAME other.example.net.
DS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
SSHFP 4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789
RRSIG A 5 3 86400 20300322173103 20300220173103 2642 example.com. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTr
NSEC host.example.com. A MX RRSIG NSEC TYPE1234
DNSKEY 256 3 5 AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+
TLSA 3 1 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971
SVCB 1 svc.example.com. alpn="h2,h3" port=8443
SVCB 2 . mandatory="alpn,port" alpn="h2" no-default-alpn port=53 ipv4hint="192.0.2.1,192.0.2.2" ech="AQID" ipv6hint="2001:db8::1"
RP mail.example.com. text.example.com.
AFSDB 1 afs.example.com.
KX 10 kx.example.com.
CERT 1 60485 5 AQIDBA==
NSEC3 1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr MX NS TYPE1234
NSEC3PARAM 1 0 12 aabbccdd
CDS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
CDNSKEY 257 3 5 AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+
CSYNC 66 3 A NS AAAA
URI 10 1 "ftp://ftp1.example.com/public"
WKS 10.0.0.1 6 0 1 2 21 23
HTTPS 0 www.example.com.
CAA 128 issue "letsencrypt.org"
LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
""".strip().splitlines()


def make(home):
    owner = "www.example.com."
    for line in RECORDS:
        kind, data = line.split(" ", 1)
        query = dns.message.make_query(owner, kind)
        query.id = len(line)
        reply = dns.message.make_response(query)
        reply.answer.append(dns.rrset.from_text(owner, 300, "IN", kind, data))
        path = home / f"{kind.lower()}.dns"
        yield write(path.with_stem(path.stem + "-2") if path.exists() else path, reply.to_wire())
    query = dns.message.make_query("example.org", "ANY", use_edns=0, want_dnssec=True, payload=1232, options=[dns.edns.GenericOption(10, bytes(range(8)))])
    query.id = 4660
    yield write(home / "edns.dns", query.to_wire())
    options = [
        dns.edns.ECSOption("192.0.2.7", 24), dns.edns.ECSOption("2001:db8:1:2ff::", 57, 48), dns.edns.ECSOption("0.0.0.0", 0), dns.edns.EDEOption(18, "blocked"), dns.edns.EDEOption(0),
        *[dns.edns.GenericOption(code, data) for code, data in ((1, bytes.fromhex("000100010000010203040506070800000e10")), (2, bytes.fromhex("00000e10")), (2, bytes.fromhex("00000e1000093a80")), (3, b"ns1"), (5, b"\x08\x0d"), (6, b"\x02"), (7, b"\x01"), (10, bytes(24)), (12, bytes(5)), (65001, b"x"))]]
    asked = dns.message.make_query("example.org", "A", options=options)
    asked.id = 4661
    yield write(home / "options.dns", asked.to_wire())
    refused = dns.message.make_response(query)
    refused.set_rcode(dns.rcode.BADVERS)
    refused.flags |= dns.flags.RA | dns.flags.AD | dns.flags.CD | dns.flags.TC
    yield write(home / "badvers.dns", refused.to_wire())
    query = dns.message.make_query("a.b.c.example.", "NS")
    query.id, query.flags = 65535, 0
    reply = dns.message.make_response(query)
    reply.flags |= dns.flags.AA
    for section, name, ttl, kind, values in [
        (reply.answer, "a.b.c.example.", 0, "NS", ["x.b.c.example.", "y.example.", "."]),
        (reply.authority, "c.example.", 2147483647, "SOA", ["y.example. z.y.example. 1 2 3 4 5"]),
        (reply.additional, "x.b.c.example.", 60, "A", ["192.0.2.7", "192.0.2.8"]),
        (reply.additional, "x.b.c.example.", 60, "AAAA", ["2001:db8::7"]),
    ]:
        section.append(dns.rrset.from_text(name, ttl, "IN", kind, *values))
    yield write(home / "sections.dns", reply.to_wire())


def read(paths):
    return map(read_one, paths)


def read_one(path):
    m = dns.message.from_wire(path.read_bytes(), one_rr_per_rrset=True)
    flag = lambda f: bool(m.flags & f)
    value = {
        "id": m.id, "qr": flag(dns.flags.QR), "opcode": int(m.opcode()), "aa": flag(dns.flags.AA), "tc": flag(dns.flags.TC),
        "rd": flag(dns.flags.RD), "ra": flag(dns.flags.RA), "ad": flag(dns.flags.AD), "cd": flag(dns.flags.CD), "rcode": int(m.rcode()) & 15,
        "questions": [{"name": name(q.name), "type": int(q.rdtype), "class": int(q.rdclass)} for q in m.question],
        "answers": [record(r) for r in m.answer],
        "authorities": [record(r) for r in m.authority],
        "additionals": [record(r) for r in m.additional],
    }
    if m.edns >= 0:
        options = [{"code": int(o.otype), "data": option(o)} for o in m.options]
        value["additionals"].append({
            "name": name(dns.name.root), "type": 41, "payload_size": m.payload, "extended_rcode": int(m.rcode()) >> 4, "version": m.edns,
            "dnssec_ok": bool(m.ednsflags & dns.flags.DO), "data": {"OPT": options}})
    return {"reader": "dnspython " + dns.version.version, "value": value}


def name(n):
    return {"$name": n.to_text()}


def record(r):
    return {"name": name(r.name), "type": int(r.rdtype), "class": int(r.rdclass), "ttl": r.ttl, "data": data(r[0])}


# Options whose content dnspython has as bytes, and the schema as one row of them.
ROWS = {3: "nsid", 5: "dau", 6: "dhu", 7: "n3u", 12: "padding"}


def option(o):
    """option returns the content of an option of EDNS."""
    if isinstance(o, dns.edns.ECSOption):
        address = ipaddress.ip_address(o.address).packed[: (o.srclen + 7) // 8]
        return {"client_subnet": {"family": o.family, "source": o.srclen, "scope": o.scopelen, "address": address.hex()}}
    if isinstance(o, dns.edns.EDEOption):
        return {"extended_error": {"info_code": int(o.code), "text": o.text or ""}}
    if o.otype in (1, 2):
        return None  # it does not print what they hold
    data = o.to_wire().hex()
    if o.otype == dns.edns.OptionType.COOKIE:
        return {"cookie": {"client": data[:16], "server": data[16:]}}
    return {ROWS.get(int(o.otype), "other"): data}


def windows(d):
    return [{"number": w, "bitmap": b.hex()} for w, b in d.windows]


def parameter(key, value):
    """parameter returns the value of a parameter of a service."""
    if key == 0:
        return {"mandatory": [int(k) for k in value.keys]}
    if key == 1:
        return {"alpn": [p.decode() for p in value.ids]}
    if key == 2:
        return {"no_default_alpn": None}
    if key == 3:
        return {"port": value.port}
    if key == 4:
        return {"ipv4hint": [bytes(map(int, a.split("."))).hex() for a in value.addresses]}
    if key == 6:
        return {"ipv6hint": [ipaddress.IPv6Address(a).packed.hex() for a in value.addresses]}
    return {"other": value.ech.hex()}


def data(d):
    """data returns the fields of a record with the names of the schema."""
    kind = dns.rdatatype.to_text(d.rdtype)
    text = lambda b: b.decode("utf-8")
    if kind in ("A", "AAAA"):
        return {kind: dns.rdata.Rdata.to_wire(d).hex()}
    if kind in ("NS", "CNAME", "PTR", "DNAME"):
        return {kind: {{"NS": "nsdname", "CNAME": "cname", "PTR": "ptrdname", "DNAME": "target"}[kind]: name(d.target)}}
    if kind == "SOA":
        return {kind: {"mname": name(d.mname), "rname": name(d.rname), "serial": d.serial, "refresh": d.refresh, "retry": d.retry, "expire": d.expire, "minimum": d.minimum}}
    if kind == "HINFO":
        return {kind: {"cpu": text(d.cpu), "os": text(d.os)}}
    if kind == "MX":
        return {kind: {"preference": d.preference, "exchange": name(d.exchange)}}
    if kind == "TXT":
        return {kind: [text(s) for s in d.strings]}
    if kind == "SRV":
        return {kind: {"priority": d.priority, "weight": d.weight, "port": d.port, "target": name(d.target)}}
    if kind == "NAPTR":
        return {kind: {"order": d.order, "preference": d.preference, "flags": text(d.flags), "services": text(d.service), "regexp": text(d.regexp), "replacement": name(d.replacement)}}
    if kind == "DS":
        return {kind: {"key_tag": d.key_tag, "algorithm": int(d.algorithm), "digest_type": int(d.digest_type), "digest": d.digest.hex()}}
    if kind == "SSHFP":
        return {kind: {"algorithm": d.algorithm, "digest_type": d.fp_type, "fingerprint": d.fingerprint.hex()}}
    if kind == "RRSIG":
        return {kind: {"type_covered": int(d.type_covered), "algorithm": int(d.algorithm), "labels": d.labels, "original_ttl": d.original_ttl, "expiration": d.expiration, "inception": d.inception, "key_tag": d.key_tag, "signer": name(d.signer), "signature": d.signature.hex()}}
    if kind == "NSEC":
        return {kind: {"next": name(d.next), "types": [{"number": w, "bitmap": b.hex()} for w, b in d.windows]}}
    if kind == "DNSKEY":
        return {kind: {"zone": bool(d.flags & 256), "revoked": bool(d.flags & 128), "entry": bool(d.flags & 1), "algorithm": int(d.algorithm), "key": d.key.hex()}}
    if kind == "TLSA":
        return {kind: {"usage": d.usage, "selector": d.selector, "matching": d.mtype, "data": d.cert.hex()}}
    if kind in ("SVCB", "HTTPS"):
        return {kind: {"service": {"priority": d.priority, "target": name(d.target), "parameters": [{"key": int(k), "value": parameter(int(k), d.params[k])} for k in sorted(d.params)]}}}
    if kind == "RP":
        return {kind: {"mbox": name(d.mbox), "txt": name(d.txt)}}
    if kind == "AFSDB":
        return {kind: {"subtype": d.subtype, "hostname": name(d.hostname)}}
    if kind == "KX":
        return {kind: {"preference": d.preference, "exchanger": name(d.exchange)}}
    if kind == "CERT":
        return {kind: {"kind": int(d.certificate_type), "key_tag": d.key_tag, "algorithm": int(d.algorithm), "certificate": d.certificate.hex()}}
    if kind == "NSEC3":
        return {kind: {"hash_algorithm": d.algorithm, "opt_out": bool(d.flags & 1), "iterations": d.iterations, "salt": d.salt.hex(), "next": d.next.hex(), "types": windows(d)}}
    if kind == "NSEC3PARAM":
        return {kind: {"hash_algorithm": d.algorithm, "flags": d.flags, "iterations": d.iterations, "salt": d.salt.hex()}}
    if kind == "CDS":
        return {kind: {"key_tag": d.key_tag, "algorithm": int(d.algorithm), "digest_type": int(d.digest_type), "digest": d.digest.hex()}}
    if kind == "CDNSKEY":
        return {kind: {"zone": bool(d.flags & 256), "revoked": bool(d.flags & 128), "entry": bool(d.flags & 1), "algorithm": int(d.algorithm), "key": d.key.hex()}}
    if kind == "CSYNC":
        return {kind: {"serial": d.serial, "immediate": bool(d.flags & 1), "minimum": bool(d.flags & 2), "types": windows(d)}}
    if kind == "URI":
        return {kind: {"priority": d.priority, "weight": d.weight, "target": text(d.target)}}
    if kind == "WKS":
        return {kind: {"address": bytes(map(int, d.address.split("."))).hex(), "protocol": d.protocol, "bitmap": d.bitmap.hex()}}
    if kind == "LOC":
        angle = lambda c: sum(part * unit for part, unit in zip(c, (3600000, 60000, 1000, 1))) * c[4] + (1 << 31)
        return {kind: {"latitude": angle(d.latitude), "longitude": angle(d.longitude), "altitude": round(d.altitude) + 10000000}}
    if kind == "CAA":
        return {kind: {"critical": bool(d.flags & 128), "tag": text(d.tag), "value": text(d.value)}}
    return {"other": d.to_wire().hex()}
