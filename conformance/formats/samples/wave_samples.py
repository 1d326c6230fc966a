"""WAVE by sox, read by soxi."""

from tool import run, version, write

VERSION = "soxi of " + version("soxi").split()[-1]


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


def read(paths):
    return map(read_one, paths)


def read_one(path):
    def ask(option):
        return run("soxi", option, str(path)).decode().strip()

    rate, channels, bits = int(ask("-r")), int(ask("-c")), int(ask("-b"))
    samples, kind = int(ask("-s")), ask("-e")
    tag = {"Signed Integer PCM": 1, "Unsigned Integer PCM": 1, "Floating Point PCM": 3, "A-law": 6, "u-law": 7, "MS ADPCM": 2, "IMA ADPCM": 17, "GSM": 49}[kind]
    form = {"tag": tag, "channels": channels, "rate": rate}
    size = None
    if tag in (1, 3):  # the others have no number of bits for each sample
        form.update(bits=bits, block=channels * bits // 8)
        size = samples * form["block"]
    if tag == 1 and (bits > 16 or channels > 2):
        form.update(tag=0xFFFE, extra={"extensible": {"valid_bits": bits, "sub_format": tag}})
    chunks, sizes = [{"body": {"format": form}}], [None]
    if form["tag"] != 1:
        chunks.append({"id": "fact", "body": {"fact": {"samples": samples if tag not in (2, 17, 49) else None}}})
        sizes.append(4)
    chunks.append({"body": {"data": None}})
    return {"reader": VERSION, "value": {"wave": chunks}, "rows": {"Chunk.size": sizes + [size]}}
