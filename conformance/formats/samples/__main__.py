"""Makes samples of real formats and reads them with independent readers.

    python3 samples FOLDER [FORMAT…]
    python3 samples -read FORMAT FILE…

writes FOLDER/FORMAT.jsonl with a line for each sample: its name and bytes, the name of the reader, the value
that the schema of the format must give, the bytes that a writer must give if they are other ones, and the numbers of rows by their names, in the order of the file. An
object in a value has the fields that the reader prints, or one arm of a union; bytes are hexadecimal; null is
any value; {"$oneof": […]} is one of several values, {"$name": "a.b."} a name of DNS with its pointers followed,
{"$items": […]} and {"$pairs": […]} an array and a map of CBOR of definite or indefinite length.
A format whose tools are missing is left out, with its name on standard error. With -read it prints these lines for files
that others have made.
"""

import importlib
import json
import pathlib
import sys
import tempfile

FORMATS = ["bmp", "cbor", "dns", "ecfg", "ecfg-3", "elf64", "midi", "msgpack", "ntp", "pcap", "pck", "png", "tar", "wasm", "wave"]


def main(folder, names):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name in names or FORMATS:
        with tempfile.TemporaryDirectory() as home:
            try:
                module = samples(name)
                made = list(module.make(pathlib.Path(home)))
            except (ImportError, FileNotFoundError) as error:
                print(f"{name}: left out: {error}", file=sys.stderr)
                continue
            lines = [line(path, expected) for path, expected in zip(made, module.read(made))]
        (pathlib.Path(folder) / (name + ".jsonl")).write_text("".join(lines), encoding="utf-8")
        print(f"{name}: {len(lines)} samples")


def samples(name):
    return importlib.import_module(name.replace("-", "_") + "_samples")


def line(path, expected):
    sample = dict(expected, name=path.name, bytes=path.read_bytes().hex())
    return json.dumps(sample, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "-read":
        paths = [pathlib.Path(path) for path in sys.argv[3:]]
        sys.stdout.writelines(map(line, paths, samples(sys.argv[2]).read(paths)))
    else:
        main(sys.argv[1], sys.argv[2:])
