"""BMP by ImageMagick, read by it and by Pillow."""

import struct

import PIL
from PIL import Image

from tool import run, version

CONVERT = "/usr/bin/convert"
VERSION = version(CONVERT, "-version").split(" Q")[0].removeprefix("Version: ")


def make(home):
    plain = ["-size", "5x3", "gradient:red-blue"]
    chess = ["-size", "9x3", "pattern:checkerboard", "-auto-level", "-monochrome"]
    few = ["-size", "7x5", "-seed", "1", "plasma:red-blue", "-colors", "9", "-type", "palette"]
    grey = ["-size", "3x4", "gradient:", "-colorspace", "gray"]
    for coder in ("bmp2", "bmp3", "bmp"):
        for name, options in [("plain", plain), ("chess", chess), ("few", [*few, "-compress", "none"]), ("grey", [*grey, "-compress", "none"]), ("one", ["-size", "1x1", "xc:red"])]:
            yield image(home, coder, name, options)
    for coder in ("bmp3", "bmp"):
        yield image(home, coder, "rle", [*few, "-compress", "RLE"])
        yield image(home, coder, "density", [*plain, "-units", "PixelsPerInch", "-density", "300x72"])
    for subtype in ("RGB555", "RGB565"):  # bmp3 lacks the masks
        yield image(home, "bmp", subtype, [*plain, "-define", "bmp:subtype=" + subtype])
    yield image(home, "bmp", "alpha", [*plain, "-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"])
    yield image(home, "bmp", "gamma", [*plain, "-set", "gamma", "0.5"])
    for width in (2, 3, 4):
        yield image(home, "bmp3", f"wide{width}", ["-size", f"{width}x2", "gradient:green-blue"])
    yield image(home, "bmp", "chromaticity", [*chess, "-red-primary", "0.5,0.25"])


def image(home, coder, name, options):
    path = home / f"{coder}-{name}.bmp"
    run(CONVERT, *options, f"{coder}:{path}")
    return path


def read(paths):
    return map(read_one, paths)


def read_one(path):
    data = path.read_bytes()
    form = {12: "core", 40: "info", 108: "v4", 124: "v5"}[struct.unpack_from("<I", data, 14)[0]]
    width, height, x, y = run("/usr/bin/identify", "-units", "PixelsPerCentimeter", "-format", "%w %h %x %y", str(path)).decode().split()
    width, height = int(width), int(height)
    bits = struct.unpack_from("<H", data, 24 if form == "core" else 28)[0]
    fields = {"width": width, "height": height, "bits": bits}
    header = fields if form == "core" else {"info": fields}
    if form != "core" and (x, y) != ("72", "72"):  # which are those of files without a resolution
        fields.update(x_resolution=round(float(x) * 100), y_resolution=round(float(y) * 100))
    reader = VERSION
    if bits >= 24:  # Pillow does not read all masks, and 16 bits are rounded by both
        pixels = run(CONVERT, str(path), "-depth", "8", "bgr:-" if bits == 24 else "bgra:-")
        header["pixels"] = {"rows": rows(pixels, width * bits // 8)}
    if bits <= 8:
        reader += f", and Pillow {PIL.__version__}"
        with Image.open(path) as im:
            im.load()
            compression = im.info.get("compression", 0)
            if form != "core":
                fields["compression"] = compression
            if im.mode == "P":
                colours = [im.palette.palette[i:i + 3][::-1] for i in range(0, len(im.palette.palette), 3)]
                header["colours"] = [[*colour] + [0] * (form != "core") for colour in colours]
            if compression == 0:
                numbers = [int(n != 0) if im.mode == "1" else n for n in im.getdata()]
                lines = [packed(numbers[y * width:(y + 1) * width], bits) for y in range(height)]
                header["pixels"] = {"rows": rows(b"".join(lines), len(lines[0]))}
    return {"reader": reader, "value": {"size": len(data), "header": {form: header}}}


def rows(pixels, length):
    """rows returns the rows from the bottom, filled to multiples of 4 bytes, in hexadecimal."""
    lines = [pixels[at:at + length] for at in range(0, len(pixels), length)]
    return b"".join(line.ljust((length + 3) // 4 * 4, b"\0") for line in reversed(lines)).hex()


def packed(numbers, bits):
    text = "".join(format(n, f"0{bits}b") for n in numbers)
    text = text.ljust((len(text) + 7) // 8 * 8, "0")
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
