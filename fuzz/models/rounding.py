"""Rounding by chance: each value goes to one of its two neighbours, to the nearer one more
often. A run that rounds to the nearest is off by one number; several by chance tell how far
rounding takes a result."""

import numpy as np

# Runs with roundings of their own, for one result.
RUNS = 24


def to_bf16(x):
    """The nearest values of bf16 as float32, and those on the other side of x."""
    bits = x.view(np.uint32)
    cut = bits & np.uint32(0xFFFF0000)
    up = cut + np.uint32(0x10000)
    nearer = (bits & np.uint32(0xFFFF)) > 0x8000
    near, other = np.where(nearer, up, cut), np.where(nearer, cut, up)
    return near.view(np.float32), other.view(np.float32)


def to_f16(x):
    """The same of f16."""
    near = x.astype(np.float16)
    way = np.where(near.astype(np.float32) < x, np.float16(np.inf), np.float16(-np.inf))
    return near.astype(np.float32), np.nextafter(near, way).astype(np.float32)


class Rounding:
    """The roundings of one run. What is rounded by chance follows from the value, as it does in a
    program: equal tokens stay equal, and the errors of all of them are one."""
    kinds = {"f16": to_f16, "bf16": to_bf16}

    def __init__(self, dtype, seed):
        self.near, self.random = self.kinds[dtype], np.random.default_rng(seed)

    def chance(self, near):
        """A number from 0 to 1 for each value, other ones in the next call."""
        first, second = self.random.integers(2 ** 32, size=2, dtype=np.uint32)
        mixed = (near.view(np.uint32) ^ first) * np.uint32(2654435761)
        mixed = (mixed ^ mixed >> np.uint32(15) ^ second) * np.uint32(2246822519)
        mixed = (mixed ^ mixed >> np.uint32(13)) * np.uint32(3266489917)
        return (mixed ^ mixed >> np.uint32(16)).astype(np.float64) / 2 ** 32

    def __call__(self, x):
        x = np.ascontiguousarray(x, np.float32)
        with np.errstate(all="ignore"):
            near, other = self.near(x)
            share = np.abs((x - near) / (other - near))
        # What rounds to itself, and what is not finite, stays.
        return np.where(self.chance(near) < share, other, near)
