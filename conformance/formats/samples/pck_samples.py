"""PCK files by PCKPacker of Godot 3 and 4, loaded by the engine that wrote them."""

import hashlib

import godot
from tool import write

FILES = {"one.txt": b"hello pack", "empty": b"", "ten/two.bin": bytes(range(200)), "é.txt": "ä file\n".encode(), "block": b"x" * 32}


def make(home):
    files = home / "files"
    (files / "ten").mkdir(parents=True)
    for name, data in FILES.items():
        write(files / name, data)
    names = list(FILES)
    packs = {}
    for version, alignments in ((3, [0, 1, 4, 8, 16, 32]), (4, [1, 4, 16, 32, 100, 512])):
        packs[version] = [{"name": f"godot{version}-{a}", "alignment": a, "files": names} for a in alignments]
        packs[version] += [{"name": f"godot{version}-{n}", "alignment": 16, "files": [n]} for n in ("empty", "block")]
        packs[version] += [{"name": f"godot{version}-last", "alignment": 16, "files": ["block", "one.txt"]}]
        packs[version] += [{"name": f"godot{version}-same", "alignment": 8, "files": ["one.txt", "block"] * 2}]
    packs[4] += [
        {"name": "godot4-none", "alignment": 16, "files": []},
        {"name": "godot4-encrypted", "alignment": 16, "files": names, "encrypted": ["one.txt", "empty"]},
        {"name": "godot4-all", "alignment": 32, "files": names, "encrypted": names},
        {"name": "godot4-sealed", "alignment": 32, "files": names, "sealed": True},
        {"name": "godot4-removed", "alignment": 32, "files": ["one.txt"], "removed": ["two.txt", "three"]},
    ]
    for version in packs:
        godot.ask(version, {"do": "packs", "folder": str(home), "files": str(files), "packs": packs[version]})
    yield from sorted(home.glob("*.pck"))


def read(paths):
    """read has each engine load its packs and print the files in them. Python reads the rest of the directory."""
    for path in paths:
        data = path.read_bytes()
        version = int.from_bytes(data[8:12], "little")
        asked = {"path": str(path), "files": [f"{path.stem}/{name}" for name in FILES]}
        [answer] = godot.ask(version, {"do": "opened", "packs": [asked]})
        files = {}
        for name, content, digest in answer["files"]:
            files[name] = content
            if digest != hashlib.md5(bytes.fromhex(content)).hexdigest():
                raise ValueError(f"{path}: {name} has another MD5")
        yield {"reader": godot.release(version), "value": value(path, data, version, files)}


def value(path, data, version, files):
    """value returns the value of a pack with the contents that the engine has."""
    number = lambda at, size=4: int.from_bytes(data[at:at + size], "little")
    pack = {"format": number(4), "major": version, "minor": number(12), "patch": number(16)}
    if version == 3:
        entries, at = [], 88
    else:
        entries, at = [], number(32, 8) + 4
        head = {"encrypted": bool(number(20) & 1), "relative": True, "sparse": False, "base": number(24, 8), "directory_at": number(32, 8)}
        if head["encrypted"]:
            check(path, sorted(files), sorted(f"{path.stem}/{name}" for name in FILES))
            return {**pack, "head": {"third": {**head, "sealed": {"count": number(at - 4)}}}}
    found = set()
    for _ in range(number(at - 4)):
        length = number(at)
        name = data[at + 4:at + 4 + length].rstrip(b"\0").decode()
        at += 4 + length
        entry = {"path": name, "path_length": length, "offset": number(at, 8), "size": number(at + 8, 8), "md5": data[at + 16:at + 32].hex()}
        at += 32
        flags = 0
        if version == 4:
            flags = number(at)
            at += 4
            entry.update(encrypted=bool(flags & 1), removal=bool(flags & 2))
        name = name.removeprefix("res://")
        if flags & 2 == 0:
            found.add(name)
            check(path, entry["size"], len(files[name]) // 2)
            if flags & 1 == 0:
                entry["data"] = files[name]
        entries.append(entry)
    check(path, found, set(files))
    return {**pack, "head": {"first": {"directory": entries}} if version == 3 else {"third": {**head, "directory": entries}}}


def check(path, said, got):
    if said != got:
        raise ValueError(f"{path} has {said}, and the engine {got}")
