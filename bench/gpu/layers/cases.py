#!/usr/bin/env python3
"""The grid of the sweep: layers of real models by numbers of tokens between the tuned ones.

    python3 -m layers.cases OUTDIR    in bench/gpu: writes the programs as .mlir files
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

from common.matmul_text import matmul, write

# N x K: what it is. Fused projections where servers fuse them.
SHAPES = {
    (6144, 4096): "Llama 3 8B, query, key and value",
    (4096, 4096): "Llama 3 8B, attention output",
    (1024, 4096): "Llama 3 8B, keys",
    (28672, 4096): "Llama 3 8B, gate and up",
    (4096, 14336): "Llama 3 8B, down",
    (15360, 5120): "Llama 2 13B, query, key and value",
    (5120, 5120): "Llama 2 13B, attention output",
    (5120, 13824): "Llama 2 13B, down",
    (3584, 3584): "Qwen 2.5 7B, attention output",
    (512, 3584): "Qwen 2.5 7B, keys",
    (18944, 3584): "Qwen 2.5 7B, gate",
    (3584, 18944): "Qwen 2.5 7B, down",
    (28672, 8192): "Llama 3 70B, gate",
    (2560, 2560): "BitNet 2B, attention output",
    (640, 2560): "BitNet 2B, keys",
    (6912, 2560): "BitNet 2B, gate",
    (2560, 6912): "BitNet 2B, down",
    (1536, 576): "SmolLM2 135M, gate",
    (576, 1536): "SmolLM2 135M, down",
    (384, 384): "MiniLM, attention output",
    (1536, 384): "MiniLM, up",
    (1000, 2052): "no multiple of 64 or 8",
    (3001, 1100): "an odd number of features",
}
# Few are multiples of 16; edges of tiles stand beside their neighbours.
TOKENS = (1, 2, 3, 5, 8, 12, 16, 17, 24, 33, 48, 64, 65, 90, 112, 128, 129, 160, 200, 257,
          300, 384, 450, 513, 700, 1000, 1500, 2049, 3000, 4096, 6001, 8192)
RANDOM_TOKENS = 12


@dataclass(frozen=True)
class Kind:
    """Weights and activations of a program. `storage` is the ternary one, "" for 2:4 or
    `dense` weights; `columns` share a scale (0: a row)."""
    title: str
    type: str = "f16"
    storage: str = ""
    planes: int = 1
    columns: int = 0
    int8: bool = False
    dense: bool = False

    @property
    def encoding(self):
        if self.dense:
            return ""
        if not self.storage:
            return "#sparseflow.nm<2:4>"
        planes = f", planes = {self.planes}" if self.planes > 1 else ""
        return (f"#sparseflow.ternary<{self.storage}, "
                f"scale = {self.columns or 'row'} : f32{planes}>")


KINDS = {
    "sparse-f16": Kind("2:4 f16"),
    "sparse-bf16": Kind("2:4 bf16", "bf16"),
    "w2a8": Kind("W2A8", storage="codes", int8=True),
    "w2a16": Kind("W2A16", storage="codes"),
    "tern24-a8": Kind("2:4 ternary A8", storage="two_four", int8=True),
    "tern24-a16": Kind("2:4 ternary A16", storage="two_four"),
    "w2a8-g128": Kind("W2A8, groups of 128", storage="codes", columns=128, int8=True),
    "w2a8-g32": Kind("W2A8, groups of 32", storage="codes", columns=32, int8=True),
    "w2a16-g128": Kind("W2A16, groups of 128", storage="codes", columns=128),
    "w2a8-p2": Kind("W2A8, two planes", storage="codes", planes=2, int8=True),
}

# What the sweep is beside is measured for the cost model only.
DENSE = {"dense-f16": Kind("dense f16", dense=True)}


@dataclass(frozen=True)
class Program:
    kind: str
    n: int
    k: int

    @property
    def described(self):
        return {**KINDS, **DENSE}[self.kind]

    @property
    def name(self):
        return f"{self.kind}-n{self.n}-k{self.k}"


def tokens(seed):
    """All numbers of tokens: the fixed ones, and others that depend on the seed."""
    source = random.Random(seed)
    found = set(TOKENS)
    while len(found) < len(TOKENS) + RANDOM_TOKENS:
        # As many between 4 and 8 as between 4,096 and 8,192.
        count = round(2 ** source.uniform(1.5, 13))
        if count % 16:
            found.add(count)
    return sorted(found)


def programs(kinds=tuple(KINDS)):
    return [Program(kind, n, k) for n, k in SHAPES for kind in kinds]


def flags(program):
    """Words of the compiler's command line."""
    return ("--activations", "i8") if KINDS[program.kind].int8 else ()


def text(program):
    """y[T, N] = x[T, K] w[N, K]^T, any T."""
    kind = KINDS[program.kind]
    return matmul("?", program.n, program.k, kind.type, kind.encoding)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(Path(sys.argv[1]), ((program.name, text(program)) for program in programs()))
