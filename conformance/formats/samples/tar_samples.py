"""tar archives by GNU tar in its formats, and with devices by tarfile of Python; read by both."""

import os
import sys
import tarfile

from tool import run, version, write

LONG = "a/" * 40 + "file"


def make(home):
    tree = home / "tree"
    (tree / "dir/empty").mkdir(parents=True)
    write(tree / "text", b"hello\n")
    write(tree / "none", b"")
    write(tree / "block", bytes(range(256)) * 2)
    write(tree / "dir/é", b"caf\xc3\xa9")
    write(tree / ("n" * 100), b"a name of 100 bytes")
    (tree / LONG).parent.mkdir(parents=True)
    write(tree / LONG, b"a name with a prefix")
    os.symlink("text", tree / "link")
    os.symlink("t" * 100, tree / "far")
    os.link(tree / "text", tree / "hard")
    os.chmod(tree / "dir", 0o1777)
    os.chmod(tree / "block", 0o6750)
    os.chmod(tree / "none", 0o000)
    with open(tree / "holes", "wb") as f:
        f.truncate(1 << 20)
        f.seek(1 << 19)
        f.write(b"in the middle")
    plain = ["text", "none", "link", "hard", "dir"]
    for form in ["v7", "ustar", "oldgnu", "gnu", "posix"]:
        yield archive(home, form, form, plain)
        if form not in ("v7", "oldgnu"):
            yield archive(home, form + "-modes", form, ["block", "dir/empty", "none"])
    yield archive(home, "empty", "ustar", ["-T", "/dev/null"])
    yield archive(home, "ustar-prefix", "ustar", [LONG])
    yield archive(home, "ustar-hundred", "ustar", ["n" * 100, "far"])
    yield archive(home, "ustar-owner", "ustar", ["--owner=user:2097151", "--group=grouß:1", "text"])
    yield archive(home, "ustar-times", "ustar", ["--mtime=@8589934591", "text", "--mtime=@0", "none"])
    yield archive(home, "ustar-record", "ustar", ["-b4", "text"])
    yield archive(home, "gnu-hundred", "gnu", ["n" * 100, "far"])
    yield archive(home, "gnu-long", "gnu", ["--transform=s,^,x/" + "y" * 110 + "/,", "text", "far"])
    yield archive(home, "gnu-holes", "gnu", ["--sparse", "holes", "text"])
    yield archive(home, "ustar-again", "ustar", ["text", "text", "hard"])
    yield archive(home, "gnu-again", "gnu", ["text", "text", "hard"])
    yield archive(home, "posix-long", "posix", ["--transform=s,^," + "y" * 110 + "/,", "text", "far"])
    yield archive(home, "posix-global", "posix", ["--pax-option=globexthdr.name=g,comment=for all files,mtime:={2001-02-03 04:05:06.7}", "text"])
    for name, form in [("devices-ustar", tarfile.USTAR_FORMAT), ("devices-gnu", tarfile.GNU_FORMAT), ("devices-posix", tarfile.PAX_FORMAT)]:
        yield devices(home / (name + ".tar"), form)


def devices(path, form):
    tarfile.RECORDSIZE = 512
    with tarfile.open(path, "w", format=form) as tar:
        for n, kind in enumerate([tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE]):
            member = tarfile.TarInfo(f"device{n}")
            member.type, member.devmajor, member.devminor = kind, 8 * n, n
            tar.addfile(member)
    return path


def archive(home, name, form, arguments):
    path = home / (name + ".tar")
    run("tar", "-C", str(home / "tree"), "--sort=name", "--mtime=@1700000000", "--owner=user:1000", "--group=group:1000", "-b1",
        "--pax-option=exthdr.name=%d/x/%f,delete=atime,delete=ctime" if form == "posix" and name != "posix-global" else "--preserve-permissions",
        "--format=" + form, "-cf", str(path), *arguments)
    return path


VERSION = version("tar", "--version")


def read(paths):
    return map(read_one, paths)


def read_one(path):
    """read_one compares what tar lists with tarfile, which has the numbers of each header."""
    listed = run("tar", "--quoting-style=literal", "--show-stored-names", "-tf", str(path)).decode().splitlines()
    data = path.read_bytes()
    entries, sums, at = [], [], 0
    with tarfile.open(path, ignore_zeros=False) as tar:
        members = tar.getmembers()
        for member in members:
            while True:
                header = data[at:at + 512]
                size = int(header[124:135], 8)
                sums.append(tarfile.calc_chksums(header)[0])
                if header[156:157] not in (b"x", b"g", b"L", b"K"):
                    break
                entries.append({"typeflag": header[156], "data": described(header, data[at + 512:at + 512 + size], member)})
                at += 512 + (size + 511) // 512 * 512
            entries.append(entry(member, header))
            entries[-1]["data"] = {"file": data[at + 512:at + 512 + size].hex()}
            at += 512 + (size + 511) // 512 * 512
    if [name.rstrip("/") for name in listed] != [member.name for member in members]:
        raise ValueError(f"{path}: tar lists {listed}, and tarfile {members}")
    entries.append({"name": ""})
    return {"reader": f"{VERSION}, and tarfile of Python {sys.version.split()[0]}", "value": {"entries": entries}, "rows": {"Block.checksum": sums}}


def described(header, data, member):
    """described returns what a header says about the next entry, which tarfile has read from it."""
    if header[156:157] in (b"K", b"L"):
        return {"name": data.rstrip(b"\0").decode()}
    records = []
    while data:
        length = int(data.partition(b" ")[0])
        keyword, _, value = data[:length - 1].partition(b" ")[2].decode().partition("=")
        if header[156:157] == b"x" and member.pax_headers[keyword] != value:
            raise ValueError(f"{keyword} is {value}, and tarfile has {member.pax_headers}")
        records.append({"length": length, "keyword": keyword, "value": value})
        data = data[length:]
    return {"pax": records}


def entry(member, header):
    """entry returns what tarfile says about a file, without the fields that other headers replace."""
    fields = {
        "permissions": member.mode & 0o777, "sticky": bool(member.mode & 0o1000), "setgid": bool(member.mode & 0o2000),
        "setuid": bool(member.mode & 0o4000), "uid": member.uid, "gid": member.gid, "mtime": int(member.mtime),
        "typeflag": header[156], "uname": member.uname, "gname": member.gname,
    }
    if "mtime" in member.pax_headers:
        fields.pop("mtime")
    if len(member.name) <= 99:
        fields["name"] = member.name + "/" * member.isdir()
    if len(member.linkname) <= 99:
        fields["linkname"] = member.linkname
    if member.isdev() and not member.isfifo():
        fields["tail"] = {"ustar" if header[257:265] == b"ustar\x0000" else "gnu": {"device": {"devmajor": member.devmajor, "devminor": member.devminor}}}
    return fields
