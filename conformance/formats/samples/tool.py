"""What the modules of formats share: running tools, and writing files."""

import os
import subprocess


def run(*command, input=None, failing=False):
    """run returns the standard output of a command as bytes. A command that is failing may end with any status."""
    env = dict(os.environ, LC_ALL="C", TZ="UTC", HOME="/nonexistent")
    done = subprocess.run(command, input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    if done.returncode != 0 and not failing:
        raise RuntimeError(f"{command}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def version(*command):
    """version returns the first line that a command prints about itself."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode(errors="replace").strip().splitlines()[0]


def write(path, data):
    path.write_bytes(data)
    return path
