"""project.binary by Godot 4, read by it."""

import godot

VERSION = 4


def make(home, version=VERSION):
    godot.ask(version, {"do": "settings", "folder": str(home)})
    yield from sorted(home.glob("*.binary"))


def read(paths, version=VERSION):
    name = godot.release(version)
    for path in paths:
        names = list(keys(path.read_bytes()))
        values = godot.ask(version, {"do": "loaded", "names": names}, project=path)
        if [value[0] for value in values] != names:
            raise ValueError(f"{path} has the settings {names}, and the engine says {values}")
        yield {"reader": name, "value": [{"key": key, "value": godot.plain(value)} for key, value in values]}


def keys(data):
    """keys returns the names of the settings in their order."""
    number = lambda at: int.from_bytes(data[at:at + 4], "little")
    at = 8
    for _ in range(number(4)):
        yield data[at + 4:at + 4 + number(at)].decode()
        at += 4 + number(at)
        at += 4 + number(at)
