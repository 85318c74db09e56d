"""Results of the reference with a fault in it, which the limits of the search must call wrong.

Usage: planted_faults.py

For each family and each cache the first models of a seed in which a fault shows, rounded to the
nearest as a program is. Prints how many of them are found; fails where one is not.
"""

import collections
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / name) for name in ("fuzz/models", "fuzz", "python/tests/model")]

import draw  # noqa: E402
import exact_attention  # noqa: E402
import reference  # noqa: E402
import search  # noqa: E402
from rounding import Rounding  # noqa: E402

Reference = reference.Reference
attention, rotate = reference.attention, Reference.rotate
quantized, seen = exact_attention.quantized, exact_attention.seen


class Nearest(Rounding):
    """Rounds as programs do."""

    def __call__(self, x):
        return self.near(np.ascontiguousarray(x, np.float32))[0]


# What the scale of a head is off by: of caches of few bits, more than what they round.
OFF = {"dense": 1.05, "int8": 1.05, "e4m3": 1.15, "int4": 1.4}


def scaled_head(q, k, v, store, cache, *rest):
    v = v.copy()
    v[:, -1] *= OFF[cache]
    return attention(q, k, v, store, cache, *rest)


def one_key_more(count, causal, window):
    """The oldest of a window, or the next one."""
    if not causal or window:
        return seen(count, causal, window and window + 1)
    return seen(count + 1, True, 0)[1:, :-1]


def side_by_side(self, x):
    """Rotates pairs that lie side by side."""
    if not self.m.rotary:
        return x
    order = np.arange(x.shape[-1])
    order[:self.m.rotated] = order[:self.m.rotated].reshape(-1, 2).T.ravel()
    return rotate(self, x[..., order])


def other_scale(x, cache):
    """The scale of another group, or, where a head has one, of another token."""
    number, scale = quantized(x, cache)
    return number, np.roll(scale, 1, 2 if cache == "int4" else 0)


FAULTS = {"head": (reference, "attention", scaled_head),
          "key": (exact_attention, "seen", one_key_more),
          "order": (Reference, "rotate", side_by_side),
          "scale": (exact_attention, "quantized", other_scale)}


def planted(case, counts):
    """Counts what is found in a model."""
    m = case.m
    text = case.ids(min(m.cut or m.positions, 12))

    def call(ref):
        return ref.embedding(text) if m.encoder else ref.logits(text)

    def kernels():
        return call(Reference(m, case.stored, Nearest(m.dtype, 0), True))

    exact, rounded = case.bounds(call, True)
    limit = search.allowed(exact, rounded)

    def is_right(found):
        return np.linalg.norm(found - exact) <= limit
    counts["right", m.cache] += [1, is_right(kernels())]
    for name, (place, what, wrong) in FAULTS.items():
        right = getattr(place, what)
        setattr(place, what, wrong)
        with np.errstate(all="ignore"):
            changed, found = call(Reference(m, case.weights)) - exact, kernels()
        setattr(place, what, right)
        if np.linalg.norm(changed) > 0.01 * np.linalg.norm(exact):
            counts[name, m.cache] += [1, not is_right(found)]


def main():
    counts = collections.defaultdict(lambda: np.zeros(2, int))
    for kind, family in [("hf", name) for name in draw.FAMILIES] + \
                        [("gguf", name) for name in draw.GGUF]:
        # Heads of GPT-2 are none of the sizes that int4 has.
        left = {"dense"} if family in draw.ENCODERS else \
            {"dense", "int8", "e4m3"} if family == "gpt2" else {"dense", "int8", "e4m3", "int4"}
        number = 0
        while left:
            seed, number = f"faults/{number}", number + 1
            m = draw.make(random.Random(f"sparseflow models 2: {seed}"), kind, family)
            if m.cache not in left or m.dtype != "f16" or min(m.vocabulary, m.positions) < 8:
                continue
            left.remove(m.cache)
            with tempfile.TemporaryDirectory() as folder:
                planted(search.Case(seed, folder, kind, family), counts)
    for (name, cache), (all_of, found) in sorted(counts.items()):
        print(f"{name}, {cache}: {found} of {all_of}")
    return any(found < all_of for all_of, found in counts.values())


sys.exit(main())
