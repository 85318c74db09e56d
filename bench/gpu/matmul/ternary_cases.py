#!/usr/bin/env python3
"""Which ternary matmuls are timed, and what is expected of them.

    python3 -m matmul.ternary_cases OUTDIR    in bench/gpu: writes the programs as .mlir files
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from common.matmul_text import matmul, write

TOKENS = (1, 16, 64, 256, 4096)
# N x K
SHAPES = ((4096, 11008), (28672, 8192))
# The layers of BitNet models, at one token.
BITNET = ((2560, 2560), (3840, 2560), (13824, 2560), (2560, 6912), (3200, 3200),
          (4800, 3200), (3200, 10240), (20480, 3200), (5120, 27648), (55296, 5120))
# microsoft/BitNet's GPU kernel on these shapes, microseconds inside a CUDA graph on an
# H200, in a run of its own.
BITNET_US = (5.0, 5.4, 9.1, 10.9, 6.1, 6.3, 14.8, 14.5, 44.1, 49.7)
BITNET_AIM = 1.8
# T x N x K whose K is divided into two splits of unequal length, or has half a step, and
# matmuls too small to fill the SMs.
UNEVEN = ((33, 3200, 3200), (64, 3200, 3200), (100, 3200, 3200), (200, 3200, 3200),
          (512, 3200, 3200), (64, 192, 1152), (128, 320, 1088), (128, 512, 2048))

# What a kind is called, the weights it multiplies by, whether its bits are compared.
KINDS = {"w2a8": ("W2A8", "codes", True), "w2a16": ("W2A16", "codes", False),
         "tern24a8": ("2:4 ternary A8", "two_four", True)}
# How many times faster than cuBLASLt in f16: kind, T -> of SHAPES.
AIMS = {
    "W2A8": {1: (4.5, 6.5), 16: (4.5, 6.5), 64: (3.5, 4.3), 256: (1.7, 1.7),
             4096: (1.8, 1.8)},
    "W2A16": {1: (4.0, 5.5), 16: (4.0, 5.5), 64: (1.9, 2.2), 256: (1.0, 1.0),
              4096: (0.95, 0.95)},
    "2:4 ternary A8": {1: (5.0, 7.5), 16: (5.0, 7.5), 64: (4.0, 5.5), 256: (2.3, 2.3),
                       4096: (2.5, 2.5)}}
# And than cuBLASLt on 8-bit numbers.
INT8_AIMS = {"W2A8": {256: 1.5, 4096: 1.0}}


@dataclass(frozen=True)
class Program:
    kind: str
    n: int
    k: int
    # Tokens that it is compiled for; 0: any number.
    t: int = 0

    @property
    def name(self):
        return f"{self.kind}-n{self.n}-k{self.k}" + (f"-t{self.t}" if self.t else "")

    @property
    def title(self):
        return KINDS[self.kind][0]

    @property
    def exact(self):
        return KINDS[self.kind][2]


@dataclass(frozen=True)
class Case:
    t: int
    n: int
    k: int
    weights: str

    @property
    def key(self):
        return f"{self.t}x{self.n}x{self.k}-{self.weights}"

    def programs(self):
        fixed = 1 if self.t == 1 and (self.n, self.k) in BITNET else 0
        return [Program(kind, self.n, self.k, fixed)
                for kind, (_, weights, _) in KINDS.items() if weights == self.weights]


def rows():
    """All rows, most telling first."""
    table = [Case(t, *shape, weights) for weights in ("codes", "two_four")
             for shape in SHAPES for t in TOKENS]
    return (table + [Case(1, *shape, "codes") for shape in BITNET] +
            [Case(*shape, "codes") for shape in UNEVEN])


def programs():
    """The programs of all rows, each once."""
    return list(dict.fromkeys(p for case in rows() for p in case.programs()))


def flags(program):
    """Words of the compiler's command line."""
    return ("--activations", "i8") if program.exact else ()


def text(program):
    """y[T, N] = x[T, K] w[N, K]^T in f16, a scale a row."""
    storage = KINDS[program.kind][1]
    return matmul(program.t or "?", program.n, program.k, "f16",
                  f"#sparseflow.ternary<{storage}, scale = row : f32>")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(Path(sys.argv[1]), ((program.name, text(program)) for program in programs()))
