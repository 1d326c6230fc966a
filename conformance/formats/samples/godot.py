"""Running the engines of Godot for samples of their files."""

import json
import os
import pathlib
import shutil
import tempfile

from tool import run

SHELF = pathlib.Path(os.environ.get("OCTABLE_ENGINES") or pathlib.Path.home() / ".cache/octable-engines")


def engine(version):
    """engine returns the command of an engine that .ci/engines has put there."""
    path = SHELF / f"godot{version}" / "run"
    if not path.exists():
        raise FileNotFoundError(f"no engine at {path}; .ci/engines godot{version} puts it there")
    return path


def ask(version, question, project=None):
    """ask runs the script of an engine and returns what it says. project is a file project.binary."""
    with tempfile.TemporaryDirectory() as folder:
        if project:
            shutil.copy(project, pathlib.Path(folder) / "project.binary")
        else:
            (pathlib.Path(folder) / "project.godot").write_text("")
        script = pathlib.Path(__file__).parent / f"godot{version}.gd"
        command = ["env", "OCTABLE_ASK=" + json.dumps(question), str(engine(version)), "--path", folder, "--script", str(script)]
        out = run(*command, failing=True).decode(errors="replace")
    return [json.loads(line.removeprefix("octable: ")) for line in out.splitlines() if line.startswith("octable: ")]


def release(version):
    """release returns the name of an engine and its version."""
    return "Godot " + ".".join(run(str(engine(version)), "--version").decode().strip().split(".")[:3])


def plain(v):
    """plain returns a value whose whole numbers have no fraction, as octable writes them."""
    if isinstance(v, float) and v.is_integer() and abs(v) < 1 << 53:
        return int(v)
    if isinstance(v, list):
        return [plain(e) for e in v]
    if isinstance(v, dict):
        return {k: e if k in ("float", "real") else plain(e) for k, e in v.items()}
    return v
