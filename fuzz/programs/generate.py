"""Random programs: valid MLIR of the sparseflow and linalg dialects, each with what it
means in float64.

A program is a chain of one to three ops. Its text, its sizes and the target it is
compiled for follow from a seed alone.
"""

import random

import attention
import caches
import matmul
import packed
import rows
import product
from builder import Program

TARGETS = ("sm_80", "sm_86", "sm_90", "sm_90a")


def kinds():
    """Functions that make a program, by name, with how often they are chosen."""
    return {"matmul": (matmul.single, 8), "chain": (matmul.chain, 3),
            "gated": (matmul.gated, 2), "normed": (matmul.normed, 2),
            "elementwise": (matmul.elementwise, 2),
            "product": (product.product, 2), "attention": (attention.plain, 4),
            "cached": (caches.cached, 3), "paged": (caches.paged, 2),
            "latent": (caches.latent, 1), "append": (caches.append, 2),
            "packed": (packed.packed, 2), "layer": (packed.layer, 1),
            "grown": (caches.grown, 2),
            "lookup": (rows.lookup, 1), "sample": (rows.sample, 1)}


def make(seed, target=None, only=None):
    """The program of `seed`, a text; of one kind, for one target, if they are named."""
    rng = random.Random(f"sparseflow programs 4: {seed}")
    table = kinds()
    names = [only] if only else list(table)
    kind = rng.choices(names, [table[name][1] for name in names])[0]
    chosen = rng.choice(TARGETS)
    program = Program(rng, str(seed), kind, target or chosen)
    table[kind][0](program)
    return program
