"""WAVE by sox and the programs of libsndfile, read by soxi and sndfile-info."""

import re
import struct

from tool import run, version, write

LIBRARY = re.search(r"libsndfile-[\d.]*\d", run("sndfile-info", "--help", failing=True).decode())[0]
VERSION = "soxi of " + version("soxi").split()[-1] + ", sndfile-info of " + LIBRARY


def chunk(id, *parts):
    data = b"".join(parts)
    return id + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def riff(*chunks):
    return chunk(b"RIFF", b"WAVE", chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)), *chunks)


def instrument():
    """instrument is a file of AIFF with an instrument, from which sndfile-convert makes data for a sampler."""
    def chunk(id, data):
        return id + struct.pack(">I", len(data)) + data

    marks = struct.pack(">H", 2) + struct.pack(">HI", 1, 2) + b"\5first" + struct.pack(">HI", 2, 6) + b"\3end"
    sounds = [chunk(b"COMM", struct.pack(">hIh", 1, 8, 8) + bytes.fromhex("400bfa00000000000000")), chunk(b"MARK", marks)]
    sounds.append(chunk(b"INST", struct.pack(">bbbbbbhhHHhHH", 60, -2, 10, 120, 1, 127, 6, 1, 1, 2, 0, 0, 0)))
    sounds.append(chunk(b"SSND", bytes(8) + bytes(range(8))))
    return chunk(b"FORM", b"AIFF" + b"".join(sounds))


def dated(data):
    """dated gives the PEAK chunk a time that is not that of the run."""
    at = data.find(b"PEAK")
    return data if at < 0 else data[:at + 12] + struct.pack("<I", 1700000000) + data[at + 16:]


def others():
    """others returns names and files with chunks that these programs do not make."""
    data = chunk(b"data", bytes([128, 144, 160, 176]))
    cues = chunk(b"cue ", struct.pack("<I", 2), struct.pack("<II4sIII", 1, 0, b"data", 0, 0, 1), struct.pack("<II4sIII", 2, 2, b"data", 0, 0, 2))
    labels = chunk(b"LIST", b"adtl", chunk(b"labl", struct.pack("<I", 1), b"first\0"), chunk(b"labl", struct.pack("<I", 2), b"last\0"))
    texts = chunk(b"ltxt", struct.pack("<II4sHHHH", 2, 1, b"rgn ", 1, 9, 1, 1252), b"text"), chunk(b"file", struct.pack("<II", 2, 0), b"xx")
    yield "cues", riff(cues, data, chunk(b"plst", struct.pack("<IIII", 1, 1, 2, 3)), labels)
    yield "cue-texts", riff(cues, data, chunk(b"LIST", b"adtl", chunk(b"note", struct.pack("<I", 1), b"a note\0"), *texts))
    loops = struct.pack("<6I", 3, 1, 0, 3, 5, 2) + struct.pack("<6I", 4, 0, 1, 2, 0, 0)
    yield "sampler", riff(chunk(b"smpl", struct.pack("<9I", 0x01000041, 7, 125000, 60, 0, 30, 0x01020304, 2, 4), loops, b"abcd"), data)
    yield "instrument", riff(data, chunk(b"inst", bytes([60, 0xFE, 6, 0, 127, 1, 127])))
    yield "text-end", riff(data, chunk(b"LIST", b"INFO", chunk(b"ICMT", b"no zero byte"), chunk(b"ISFT", b"two\0\0")))
    yield "unknown", riff(chunk(b"zzzz", b"1"), data)


def make(home):
    for name, options in [
        ("u8", ["-b", "8"]),
        ("s16", ["-b", "16"]),
        ("s24", ["-b", "24"]),
        ("s32", ["-b", "32"]),
        ("f32", ["-e", "float", "-b", "32"]),
        ("f64", ["-e", "float", "-b", "64"]),
        ("a-law", ["-e", "a-law"]),
        ("mu-law", ["-e", "u-law"]),
        ("ms-adpcm", ["-e", "ms-adpcm"]),
        ("ima-adpcm", ["-e", "ima-adpcm"]),
        ("gsm", ["-e", "gsm-full-rate", "-r", "8000"]),
        ("s16-44100", ["-b", "16", "-r", "44100"]),
        ("s24-96000", ["-b", "24", "-r", "96000"]),
        ("s16-stereo", ["-b", "16", "-c", "2"]),
        ("u8-stereo", ["-b", "8", "-c", "2"]),
        ("s16-surround", ["-b", "16", "-c", "6"]),
        ("s24-stereo", ["-b", "24", "-c", "2"]),
        ("ms-adpcm-stereo", ["-e", "ms-adpcm", "-c", "2"]),
        ("ima-adpcm-stereo", ["-e", "ima-adpcm", "-c", "2"]),
        ("f32-stereo", ["-e", "float", "-b", "32", "-c", "2"]),
        ("a-law-stereo", ["-e", "a-law", "-c", "2"]),
    ]:
        path = home / (name + ".wav")
        run("sox", "-D", "-n", "-r", "8000", *options, str(path), "synth", "33s", "sine", "440")
        yield path
    texts = ["--str-title", "Sine", "--str-artist", "Ann", "--str-comment", "café", "--str-copyright", "none", "--str-date", "2026-11-29", "--str-album", "Tests"]
    path = home / "texts.wav"
    run("sndfile-metadata-set", *texts, str(home / "s16.wav"), str(path))
    yield path
    source = write(home / "instrument.aiff", instrument())
    for name, option in [("loop", "-pcm16"), ("loop-float", "-float32")]:
        path = home / (name + ".wav")
        run("sndfile-convert", option, str(source), str(path))
        yield write(path, dated(path.read_bytes()))
    for name, data in others():
        yield write(home / (name + ".wav"), data)


def read(paths):
    return map(read_one, paths)


def read_one(path):
    log = run("sndfile-info", str(path), failing=True).decode(errors="replace").split("\nEnd\n")[0].splitlines()
    chunks, sizes = [], []
    for n, line in enumerate(log):
        found = re.fullmatch(r"(?:\*\*\* )?(\S.{3}) : (\d+)(?: \(unknown marker\))?", line)
        if found and found[1] == "RIFF":
            size = int(found[2])
        elif found:
            inside = [l for l in log[n + 1:] if not l.startswith("***")]
            inside = inside[:next((i for i, l in enumerate(inside) if not l.startswith(" ")), len(inside))]
            chunks.append({"id": found[1], "body": body(found[1], inside)})
            sizes.append(int(found[2]))
    compare(path, chunks, sizes)
    expected = {"reader": VERSION, "value": {"wave": chunks}, "rows": {"File.size": [size], "Chunk.size": sizes}}
    again = written(path.read_bytes())
    return expected if again == path.read_bytes() else expected | {"written": again.hex()}


def parts(data):
    at = 0
    while at + 8 <= len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        yield data[at:at + 4], data[at + 8:at + 8 + size]
        at += 8 + size + size % 2


def written(data):
    """written returns a file with one zero byte after each text of INFO, as a writer gives it."""
    chunks = []
    for id, body in parts(data[12:]):
        if id == b"LIST" and body[:4] == b"INFO":
            body = b"INFO" + b"".join(chunk(key, text.split(b"\0")[0] + b"\0") for key, text in parts(body[4:]))
        chunks.append(chunk(id, body))
    return chunk(b"RIFF", b"WAVE", *chunks)


def compare(path, chunks, sizes):
    """compare compares what soxi prints with what sndfile-info prints."""
    def ask(option):
        return run("soxi", option, str(path)).decode().strip()

    tag = {"Signed Integer PCM": 1, "Unsigned Integer PCM": 1, "Floating Point PCM": 3, "A-law": 6, "u-law": 7, "MS ADPCM": 2, "IMA ADPCM": 17, "GSM": 49}[ask("-e")]
    channels, bits, samples = int(ask("-c")), int(ask("-b")), int(ask("-s"))
    bodies = {c["id"]: (c["body"], size) for c, size in zip(chunks, sizes)}
    form = bodies["fmt "][0]["format"]
    extensible = form.get("extra", {}).get("extensible", {})
    pairs = [(form["rate"], int(ask("-r"))), (form["channels"], channels), (extensible.get("sub_format", form["tag"]), tag)]
    if tag in (1, 3):  # the others have no number of bits for each sample
        pairs += [(form["bits"], bits), (form["block"], channels * bits // 8), (bodies["data"][1], samples * form["block"])]
    if "fact" in bodies and tag not in (2, 17, 49):  # for these, soxi counts the samples of whole blocks
        pairs.append((bodies["fact"][0]["fact"]["samples"], samples))
    if any(a != b for a, b in pairs):
        raise RuntimeError(f"{path.name}: the readers differ: {pairs}")


def body(id, lines):
    """body returns the content of a chunk from the lines below its id."""
    of = {}
    for line in lines:
        key, _, text = line.partition(" : ")
        of.setdefault(key.strip(), text.strip())
    n = lambda key, base=10: int(of[key].split()[0], base)
    rows = [[int(x) for x in re.findall(r" : +(\d+)", line)] for line in lines]
    if id == "fmt ":
        return {"format": form(of, n, lines)}
    if id == "fact":
        return {"fact": {"samples": n("frames")}}
    if id == "LIST":
        return {"list": listed(lines)}
    if id == "cue ":
        points = [re.findall(r" : +(\w+)", line) for line in lines[1:]]
        return {"cue": [{"id": int(a), "position": int(b), "chunk": c, "chunk_start": int(d), "block_start": int(e), "sample_offset": int(f)} for a, b, c, d, e, f in points]}
    if id == "smpl":
        hours, minutes, seconds, frames = map(int, re.split("[: ]", of["SMPTE Offset"]))
        return {"sampler": {
            "manufacturer": n("Manufacturer", 16), "product": n("Product"), "period": n("Period"), "unity_note": n("Midi Note"), "pitch_fraction": 0 if of["Pitch Fract."] == "0" else None,
            "smpte_format": n("SMPTE Format"), "smpte_offset": hours << 24 | minutes << 16 | seconds << 8 | frames, "loops": [row for row in rows if len(row) == 6], "extra": lines[-1].replace(" ", "") if n("Sampler Data") else ""}}
    return {"plst": {"play_list": None}, "inst": {"instrument": None}, "data": {"data": None}}.get(id, {"other": None})


def form(of, n, lines):
    """form returns the format of the samples."""
    v = {"tag": n("Format", 16), "channels": n("Channels"), "rate": n("Sample Rate"), "bytes_per_second": n("Bytes/sec"), "block": n("Block Align"), "bits": n("Bit Width")}
    if v["tag"] == 2:
        coefficients = [[int(x) for x in line.split()[1:]] for line in lines[-n("No. of Coeffs"):]]
        v["extra"] = {"ms_adpcm": {"samples": n("Samples/Block"), "coefficients": coefficients}}
    elif "Samples/Block" in of:
        v["extra"] = {"blocks": n("Samples/Block")}
    elif "Valid Bits" in of:
        sub = n("esf_field1", 16)
        guid = struct.pack("<HHH", sub >> 16, n("esf_field2", 16), n("esf_field3", 16)) + bytes(int(x, 16) for x in of["esf_field4"].split())
        v["extra"] = {"extensible": {"valid_bits": n("Valid Bits"), "channel_mask": n("Channel Mask", 16), "sub_format": sub & 0xFFFF, "guid": guid.hex(), "rest": ""}}
    elif "Extra Bytes" in of:
        v["extra"] = {"other": None}
    return v


def listed(lines):
    """listed returns the content of a list. Of data about cue points, sndfile-info prints labels only."""
    kind = lines[0].strip()
    if kind == "INFO":
        texts = [re.fullmatch(r" +(\w{4}) : (.*)", line) for line in lines[1:]]
        return {"kind": kind, "content": {"info": [{"id": t[1], "text": t[2]} for t in texts]}}
    labels = [re.fullmatch(r" +labl : (\d+) : (.*)", line) for line in lines[1:]]
    if not all(labels):
        return {"kind": kind, "content": {"cue_data": None}}
    return {"kind": kind, "content": {"cue_data": [{"id": "labl", "data": {"label": {"cue": int(l[1]), "text": l[2]}}} for l in labels]}}
