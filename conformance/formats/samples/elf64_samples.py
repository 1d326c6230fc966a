"""ELF64 objects, libraries and programs by gcc, ld and objcopy, read by readelf."""

import re

from tool import run, version, write

VERSION = version("readelf", "--version")
SOURCE = b"""
int numbers[4] = {1, 2}; static int zero; const char *text = "hello"; __thread int own = 5;
__attribute__((weak)) int other(int);
static int twice(int a) { return a * 2 + zero; }
int add(int a) { return twice(a) + numbers[0] + own; }
int _start(void) { return add(text[0]); }
"""
VERSIONS = b"one { global: add; local: *; }; two { global: numbers; } one;"


def make(home):
    source = write(home / "a.c", SOURCE)
    objects = {
        "object": [], "optimised": ["-O2"], "debug": ["-g1"], "sections": ["-ffunction-sections", "-fdata-sections"],
        "position": ["-fPIC"], "plain": ["-fno-asynchronous-unwind-tables", "-fno-ident"], "defined": ["-DA=1", "-fno-pie"], "large": ["-mcmodel=large"],
        "group": ["-O1", "-gdwarf-4", "-fno-ident"], "profile": ["-pg"], "cold": ["-O2", "-fno-pic"], "stack": ["-fstack-protector-all"],
    }
    for name, options in objects.items():
        path = home / (name + ".o")
        run("gcc", "-c", *options, str(source), "-o", str(path))
        yield path
    small = ["-nostdlib", "-Wl,-z,noseparate-code", "-Wl,-z,norelro", "-Wl,--build-id=none"]
    script = write(home / "versions", VERSIONS)
    linked = {
        "library.so": ["-shared", "-fPIC"], "versions.so": ["-shared", "-fPIC", f"-Wl,--version-script={script}"],
        "hash.so": ["-shared", "-fPIC", "-Wl,--hash-style=sysv", "-s"], "fixed": ["-static", "-no-pie"], "stripped": ["-static", "-s", "-no-pie"],
        "position": ["-pie", "-fPIE"], "relocatable": ["-r"], "soname.so": ["-shared", "-fPIC", "-Wl,-soname,libsome.so.1", "-s"],
    }
    for name, options in linked.items():
        path = home / name
        run("gcc", *small, *options, str(source), "-o", str(path))
        yield path
    path = home / "needed"
    run("gcc", "-Wl,-z,noseparate-code", "-s", "-o", str(path), "-x", "c", "-", input=b"#include <stdio.h>\nint main() { return puts(\"hello\"); }\n")
    yield path
    yield write(home / "filled", filled((home / "position").read_bytes()))
    yield write(home / "behind", (home / "fixed").read_bytes() + b"a payload\0")
    path = home / "big-endian.o"
    run("objcopy", "-I", "binary", "-O", "elf64-big", str(source), str(path))
    yield path


def filled(data):
    """filled returns a file with X between its last section and the section headers, as patchelf leaves it."""
    number = lambda at, size: int.from_bytes(data[at:at + size], "little")
    headers = number(40, 8)
    last = headers + 64 * number(62, 2)
    end = number(last + 24, 8) + number(last + 32, 8)
    return data[:end] + b"X" * (headers - end) + data[headers:]


def read(paths):
    return map(read_one, paths)


TYPES = {"NULL": 0, "PROGBITS": 1, "SYMTAB": 2, "STRTAB": 3, "RELA": 4, "HASH": 5, "DYNAMIC": 6, "NOTE": 7, "NOBITS": 8, "REL": 9, "DYNSYM": 11,
         "INIT_ARRAY": 14, "FINI_ARRAY": 15, "GROUP": 17, "GNU_HASH": 0x6FFFFFF6, "VERDEF": 0x6FFFFFFD, "VERNEED": 0x6FFFFFFE, "VERSYM": 0x6FFFFFFF, "X86_64_UNWIND": 0x70000001}
FLAGS = {"W": 1, "A": 2, "X": 4, "M": 16, "S": 32, "I": 64, "L": 128, "G": 512, "T": 1024}
SEGMENTS = {"LOAD": 1, "DYNAMIC": 2, "INTERP": 3, "NOTE": 4, "PHDR": 6, "TLS": 7}
SYMBOLS = {"NOTYPE": 0, "OBJECT": 1, "FUNC": 2, "SECTION": 3, "FILE": 4, "TLS": 6}
BINDINGS = {"LOCAL": 0, "GLOBAL": 1, "WEAK": 2}
VISIBILITIES = {"DEFAULT": 0, "INTERNAL": 1, "HIDDEN": 2, "PROTECTED": 3}
PLACES = {"UND": 0, "ABS": 0xFFF1, "COM": 0xFFF2}


def read_one(path):
    show = lambda *options: run("readelf", "-W", *options, str(path)).decode()
    header = dict(re.findall(r"^  ([A-Z][^:]*): +(.*)$", show("-h"), re.M))
    number = lambda key: int(header[key].split()[0], 0)
    value = {
        "data": 2 if "big endian" in header["Data"] else 1, "os_abi": {"UNIX - System V": 0, "UNIX - GNU": 3}[header["OS/ABI"]], "abi_version": number("ABI Version"),
        "type": {"REL": 1, "EXEC": 2, "DYN": 3}[header["Type"].split()[0]], "version": number("Version"), "entry": number("Entry point address"),
        "phoff": number("Start of program headers"), "shoff": number("Start of section headers"), "flags": number("Flags"),
        "ehsize": number("Size of this header"), "phentsize": number("Size of program headers"), "phnum": number("Number of program headers"),
        "shentsize": number("Size of section headers"), "shnum": number("Number of section headers"), "shstrndx": number("Section header string table index"),
        "machine": {"Advanced Micro Devices X86-64": 62, "None": 0}[header["Machine"]],
        "sections": list(sections(show)),
    }
    if value["phnum"]:
        value["segments"] = list(segments(show("-l")))
        for segment, path in zip([s for s in value["segments"] if s["type"] == 3], re.findall(r"interpreter: (.*)\]", show("-l"))):
            segment["interpreter"] = path
    return {"reader": VERSION, "value": value}


def segments(text):
    hexadecimal = r" +0x(\S+)"
    for kind, offset, vaddr, paddr, filesz, memsz, flags, align in re.findall(r"^  ([A-Z_]+)" + hexadecimal * 5 + r" ([R ][W ][E ])" + hexadecimal + "$", text, re.M):
        yield {"type": SEGMENTS.get(kind), "read": "R" in flags, "write": "W" in flags, "execute": "E" in flags, "offset": int(offset, 16), "vaddr": int(vaddr, 16),
               "paddr": int(paddr, 16), "filesz": int(filesz, 16), "memsz": int(memsz, 16), "align": int(align, 16)}


def sections(show):
    pattern = r"^  \[ *(\d+)\] (.{17,}?) +([A-Z_0-9a-z]+) +([0-9a-f]{16}) ([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) +([A-Za-z]*) +(\d+) +(\d+) +(\d+)$"
    tables = [*symbols(show("-s")), *relocations(show("-r")), *dynamic(show("-d"))]
    for index, name, kind, addr, offset, size, entsize, flags, link, info, align in re.findall(pattern, show("-S"), re.M):
        name = name.strip()
        section = {"name": name, "type": TYPES[kind], "flags": sum(FLAGS[f] for f in flags if f in FLAGS) if flags.strip("WAXMSILGTlx") == "" else None, "addr": int(addr, 16), "offset": int(offset, 16),
                   "size": int(size, 16), "entsize": int(entsize, 16), "link": int(link), "info": int(info), "addralign": int(align)}
        if "l" in flags:
            section["flags"] = None
        arm = {"SYMTAB": "symbols", "DYNSYM": "symbols", "RELA": "rela", "DYNAMIC": "dynamic"}.get(kind)
        if arm:
            found = next(table for table in tables if table[0] in (name, arm))
            tables.remove(found)  # several sections may have one name
            entries = found[1]
            if arm == "dynamic":  # readelf ends at the first entry of the kind 0
                entries += [{"tag": 0, "value": 0}] * (section["size"] // 16 - len(entries))
            section["content"] = {arm: entries}
        elif kind == "NOTE":
            section["content"] = {"note": list(notes(show("-n"), name))}
        elif kind == "VERNEED":
            section["content"] = {"needed": list(needed(show("-V")))}
        elif kind == "STRTAB":
            data = [line[12:] for line in show("-p", index).splitlines() if line.startswith("  [")]
            section["content"] = {"strings": ["", *data]} if all("$" not in d for d in data) else None
        yield section


def symbols(text):
    for name, body in re.findall(r"^Symbol table '(\S+)'.*?:\n.*?\n((?: +\d+: .*\n?)*)", text, re.M):
        entries = []
        for value, size, kind, binding, visibility, place, symbol in re.findall(r"^ +\d+: (\S+) +(\S+) (\S+) +(\S+) +(\S+) +(\S+) ?(\S*)", body, re.M):
            entries.append({"value": int(value, 16), "size": int(size, 0), "type": SYMBOLS[kind], "binding": BINDINGS[binding],
                            "visibility": VISIBILITIES[visibility], "shndx": PLACES[place] if place in PLACES else int(place)})
            if kind != "SECTION":  # whose names are those of sections
                entries[-1]["name"] = symbol.partition("@")[0]  # without its version
        yield name, entries


def relocations(text):
    for name, body in re.findall(r"^Relocation section '(\S+)'.*\n.*\n((?:[0-9a-f]{16} .*\n?)*)", text, re.M):
        entries = []
        for offset, info, rest in re.findall(r"^(\S{16}) +(\S{16}) \S+ *(.*)$", body, re.M):
            addend = re.search(r"(?:([+-]) )?([0-9a-f]+)$", rest)
            entries.append({"offset": int(offset, 16), "type": int(info, 16) & 0xFFFFFFFF, "symbol": int(info, 16) >> 32,
                            "addend": int(addend[2], 16) * (-1 if addend[1] == "-" else 1)})
        yield name, entries


def dynamic(text):
    entries = []
    for tag, value in re.findall(r"^ (0x[0-9a-f]{16}) \(.*?\) *(.*)$", text, re.M):
        entries.append({"tag": int(tag, 16)})
        if "[" in value:
            entries[-1]["name"] = re.search(r"\[(.*)\]", value)[1]
    yield "dynamic", entries


def notes(text, section):
    """notes returns the notes of a section: those of builds, systems and properties have the name GNU."""
    body = re.search(r"^Displaying notes found in: " + re.escape(section) + r"\n.*\n((?:.+\n?)*)", text, re.M)[1]
    for owner, rest in re.findall(r"^  (\S+) +0x[0-9a-f]{8}(.*(?:\n    .*)*)", body, re.M):
        note = {"owner": owner + "\0"}
        if build := re.search(r"Build ID: ([0-9a-f]+)", rest):
            note["description"] = {"build_id": build[1]}
        elif system := re.search(r"OS: (\w+), ABI: (\d+)\.(\d+)\.(\d+)", rest):
            note["description"] = {"abi_tag": {"os": ["Linux", "Hurd", "Solaris", "FreeBSD"].index(system[1]), "major": int(system[2]), "minor": int(system[3]), "subminor": int(system[4])}}
        elif "NT_GNU_PROPERTY_TYPE_0" in rest:
            note["description"] = {"properties": None}
        yield note


def needed(text):
    body = text.partition("Version needs section")[2]
    for file, versions in re.findall(r"File: (\S+)  Cnt: \d+\n((?:  .*Name: .*\n?)*)", body):
        yield {"file_name": file, "versions": [{"version_name": name, "number": int(n)} for name, n in re.findall(r"Name: (\S+)  Flags: .*Version: (\d+)", versions)]}
