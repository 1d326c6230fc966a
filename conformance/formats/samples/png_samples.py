"""PNG by netpbm's pnmtopng, read by pngcheck."""

import re
import struct
import zlib

from tool import run, version, write

VERSION = version("pngcheck", "-h").split(" of ")[0].replace(", version", "")

TEXT = b"Title demo\nAuthor caf\xe9\nComment two words\n"


def make(home):
    grey = run("pgmramp", "-lr", "16", "8")
    deep = run("pgmramp", "-maxval", "65535", "-lr", "8", "4")
    colour = run("ppmpat", "-gingham2", "-randomseed=1", "16", "16")
    many = run("ppmpat", "-camo", "-randomseed=2", "24", "24")
    black = run("pbmmake", "-black", "9", "5")
    text = write(home / "text.txt", TEXT)
    alpha = write(home / "alpha.pgm", run("pgmramp", "-tb", "16", "16"))
    small = write(home / "alpha-small.pgm", run("pgmramp", "-tb", "16", "8"))
    for name, image, options in [
        ("black", black, []),
        ("grey", grey, []),
        ("grey-interlaced", grey, ["-interlace"]),
        ("grey-transparent", grey, ["-transparent", "=black"]),
        ("grey-background", grey, ["-background", "gray50"]),
        ("grey-alpha", grey, ["-alpha", str(small)]),
        ("deep", deep, []),
        ("deep-srgb", deep, ["-srgbintent", "perceptual", "-interlace"]),
        ("deep-ztxt", deep, ["-ztxt", str(text)]),
        ("palette", colour, []),
        ("palette-hist", colour, ["-hist"]),
        ("palette-background", colour, ["-background", "red"]),
        ("palette-transparent", colour, ["-transparent", "black"]),
        ("palette-many", many, ["-gamma", "1"]),
        ("colour", colour, ["-force"]),
        ("colour-transparent", colour, ["-force", "-transparent", "=black"]),
        ("colour-background", colour, ["-force", "-background", "blue"]),
        ("colour-alpha", colour, ["-alpha", str(alpha)]),
        ("gamma", grey, ["-gamma", "0.45455"]),
        ("physical", grey, ["-size", "2835 1417 1"]),
        ("text", grey, ["-text", str(text)]),
        ("time", grey, ["-modtime", "2020-02-03 04:05:06"]),
        ("all", colour, ["-gamma", "0.45455", "-hist", "-size", "3 4 0", "-text", str(text), "-background", "white", "-modtime", "1999-12-31 23:59:59", "-srgbintent", "absolutecolorimetric"]),
    ]:
        yield write(home / (name + ".png"), run("pnmtopng", *options, input=image))
    for path in [text, alpha, small]:
        path.unlink()
    # pnmtopng does not write these chunks.
    yield write(home / "inserted.png", insert(run("pnmtopng", "-force", input=colour), [
        (b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)),
        (b"sBIT", b"\x05\x06\x05"),
        (b"iTXt", b"Title\0\0\0de\0Titel\0" + "Grün".encode()),
        (b"sPLT", b"small\0\x08" + bytes([255, 0, 0, 255, 0, 9, 0, 0, 255, 255, 0, 7])),
        (b"sPLT", b"large\0\x10" + struct.pack(">5H", 65535, 0, 1, 2, 3)),
        (b"oFFs", struct.pack(">iib", -3, 4, 0)),
        (b"sTER", b"\x01"),
    ]))
    yield write(home / "extensions.png", insert(run("pnmtopng", "-force", input=colour), [
        (b"pCAL", b"degrees\0" + struct.pack(">iiBB", 0, 255, 0, 2) + b"\xb0C\0" + b"-40\0" + b"1.5"),
        (b"sCAL", b"\x01" + b"0.1\0" + b"0.25"),
        (b"gIFg", b"\x02\x01\x00\x0a"),
        (b"gIFx", b"NETSCAPE2.0" + b"\x03\x01\x00\x00\x00"),
    ]))


def insert(image, chunks):
    """insert puts chunks after the header."""
    more = b"".join(struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in chunks)
    return image[:33] + more + image[33:]


COLOURS = {"grayscale": 0, "RGB": 2, "palette": 3, "grayscale+alpha": 4, "RGB+alpha": 6}
INTENTS = ["perceptual", "relative colorimetric", "saturation-preserving", "absolute colorimetric"]
SAMPLES = {"gray": "grey"}


def read(paths):
    return map(read_one, paths)


def read_one(path):
    chunks, lengths, rows = [], [], {}
    head = None
    lines = run("pngcheck", "-vtp", str(path)).decode("latin1").splitlines()
    blocks = []
    for line in lines[1:-1]:
        if line.startswith("  chunk "):
            blocks.append([line])
        else:
            blocks[-1].append(line)
    for first, *more in blocks:
        m = re.match(r"  chunk (....) at offset 0x([0-9a-f]+), length (\d+)(.*)", first)
        kind, length, rest = m[1], int(m[3]), m[4].lstrip(":, ")
        detail = " ".join(line.strip() for line in more)
        if kind == "IHDR":
            head = header(detail)
            continue
        lengths.append(length)
        chunks.append({"type": kind, "data": {kind: content(kind, rest, detail, more)}})
    rows["Chunk.length"] = lengths
    return {"reader": VERSION, "value": dict(head, chunks=chunks), "rows": rows}


def header(detail):
    m = re.match(r"(\d+) x (\d+) image, (\d+)-bit (\S+), (non-)?interlaced", detail)
    depth = int(m[3])
    samples = {"RGB": 3, "grayscale+alpha": 2, "RGB+alpha": 4}.get(m[4], 1)
    return {"width": int(m[1]), "height": int(m[2]), "bit_depth": depth // samples, "colour_type": COLOURS[m[4]], "interlace": 0 if m[5] else 1}


def content(kind, rest, detail, lines):
    """content returns what pngcheck prints about a chunk; None if it prints nothing."""
    if kind == "gAMA":
        return round(float(rest) * 100000)
    if kind == "sRGB":
        return INTENTS.index(detail.split(" = ")[1])
    if kind == "pHYs":
        m = re.match(r"(\d+)x(\d+) pixels/(unit|meter)", rest)
        return {"x": int(m[1]), "y": int(m[2]), "unit": int(m[3] == "meter")}
    if kind == "tIME":
        months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
        m = re.match(r"\s*(\d+) (...) (\d+) (\d+):(\d+):(\d+)", rest)
        return {"day": int(m[1]), "month": months.index(m[2]) + 1, "year": int(m[3]), "hour": int(m[4]), "minute": int(m[5]), "second": int(m[6])}
    if kind == "tEXt":
        return {"keyword": rest.removeprefix("keyword: "), "text": detail}
    if kind == "zTXt":
        return {"keyword": rest.removeprefix("keyword: ")}
    if kind == "PLTE":
        return [[int(n) for n in re.search(r"\(([\d, ]+)\)", line)[1].split(",")] for line in lines]
    if kind == "hIST":
        return [int(re.search(r":\s*(\d+)", line)[1]) for line in lines]
    if kind == "cHRM":
        return {f"{name}_{axis}": round(float(n) * 100000) for name, x, y in re.findall(r"(\w+)\s+x = ([\d.]+),? y = ([\d.]+)", detail, re.I) for axis, n in (("x", x), ("y", y)) for name in [name.lower()]}
    if kind == "iTXt":
        m = re.match(r"(un)?compressed, (?:language tag = (\S+)|no language tag)", detail)
        return {"keyword": rest.removeprefix("keyword: "), "compressed": int(not m[1]), "language": m[2] or ""}
    if kind == "sPLT":
        m = re.match(r"sample depth = (\d+) bits, palette name = (\S+)", detail)
        entries = [[int(n) for n in re.search(r"\(([\d, ]+)\)", line)[1].split(",")] + [int(line.rsplit("= ", 1)[1])] for line in lines[1:]]
        if m[1] == "16":
            return {"name": m[2], "depth": 16, "large": entries}
        return {"name": m[2], "depth": 8, "small": [dict(zip(("red", "green", "blue", "alpha", "frequency"), e)) for e in entries]}
    if kind == "pCAL":
        m = re.search(r"calibration name = (\S+) physical_value unit name = (\S+) x0 = (-?\d+) x1 = (-?\d+) p0 = (\S+) p1 = (\S+)", detail)
        return {"equation": int(rest.split()[-1]), "name": m[1], "unit": m[2], "original_zero": int(m[3]), "original_max": int(m[4]), "parameters": [m[5]], "last": m[6]}
    if kind == "sCAL":
        m = re.match(r"image size (\S+) x (\S+) (meters|radians)", rest)
        return {"width": m[1], "height": m[2], "unit": ["meters", "radians"].index(m[3]) + 1}
    if kind == "gIFg":
        m = re.match(r"disposal method = (\d+), user input flag = (\d+), display time = ([\d.]+)", detail)
        return {"disposal": int(m[1]), "user_input": int(m[2]), "delay": round(float(m[3]) * 100)}
    if kind == "gIFx":
        m = re.match(r"application ID = (\S+), authentication code = 0x(\S+)", detail)
        return {"application": m[1], "code": m[2]}
    if kind == "sTER":
        return int("divergent" in detail)
    if kind in ("tRNS", "bKGD", "sBIT"):
        named = {SAMPLES.get(k, k): int(n, 0) for k, n in re.findall(r"([a-z]+) = (0x[0-9a-f]+|\d+)", detail)}
        if named:
            return named
        return bytes(int(re.search(r":\s*(\d+)", line)[1]) for line in lines).hex()
    return None
