"""project.binary by Godot 3, read by it."""

import ecfg_samples


def make(home):
    return ecfg_samples.make(home, 3)


def read(paths):
    return ecfg_samples.read(paths, 3)
