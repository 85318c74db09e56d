# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a matrix may become: its method, its bytes, and how a .sfpk file holds it."""

from __future__ import annotations

import re
from typing import Dict, NamedTuple, Optional, Sequence, Tuple

from ...errors import Error

# Columns that a stored scale may be for; 0: the row.
_STORED_SCALES = (0, 32, 64, 128, 256)


class Form(NamedTuple):
    """A format of weights by its name in a plan.

    `method`: of compress, where a plan names none. `scale`: columns that share one, 0:
    the row. `bits`: of a weight, metadata included, scales apart; `planes` of scales.
    `pack`: the options of `sparseflow pack`, None where no storage holds the format.
    `encoding`: of the dialect, with {scale}; "" where there is none.
    """
    method: str
    scale: int
    bits: float
    planes: int
    pack: Optional[Tuple[str, ...]]
    encoding: str

    def bytes(self, n: int, k: int, scale: int) -> int:
        """Of a matrix [n, k]; f16 scales."""
        scales = n * (-(-k // scale) if scale else 1) * self.planes
        return int(n * k * self.bits / 8) + 2 * scales

    def packs(self, k: int, scale: int) -> bool:
        """Whether a storage holds a matrix of k columns."""
        return self.pack is not None and scale in _STORED_SCALES and \
            (k % 4 == 0 or "24" not in "".join(self.pack) and self.pack[1] != "2:4")


_F16_SCALES = ("--scale-type", "f16")
# From the most bytes to the fewest. 6:8 keeps 6 of 8 values and a byte of positions, 4:8
# four and a byte.
FORMS: Dict[str, Form] = {
    "dense": Form("", 0, 16, 0, None, ""),
    "6:8": Form("refit", 0, 13, 0, None, ""),
    "4:8": Form("refit", 0, 9, 0, None, ""),
    "2:4": Form("refit", 0, 9, 0, ("--format", "2:4"), "#sparseflow.nm<2:4>"),
    "int8": Form("gptq", 0, 8, 1, ("--format", "int8", *_F16_SCALES),
                 "#sparseflow.quantized<int8, scale = row : f16>"),
    # `pack` would choose its two scales anew, and lose by that.
    "ternary2": Form("gptq", 32, 4, 2, None, ""),
    "int4": Form("gptq", 128, 4, 1, ("--format", "int4", *_F16_SCALES),
                 "#sparseflow.quantized<int4, scale = {scale} : f16>"),
    "ternary": Form("gptq", 32, 2, 1, ("--format", "ternary", *_F16_SCALES), ""),
    "2:4+ternary": Form("gptq", 32, 2, 1, ("--format", "ternary24", "--layout",
                                           "tern24z.v1", *_F16_SCALES), ""),
}


def form_of(name: str) -> Form:
    """The format of this name; other patterns and integers are known to compress
    alone, and count as dense."""
    return FORMS.get(name, FORMS["dense"]._replace(method="magnitude"))


def group_of(name: str) -> int:
    """Columns that rows of this format are whole groups of: 8 of 6:8. What is no format,
    the command says."""
    found = re.match(r"(\d+):(\d+)", name)
    return int(found[2]) if found and int(found[1]) < int(found[2]) else 1


def check_forms(names: Sequence[str]) -> None:
    """Raises Error for a format that a plan cannot choose."""
    for name in names:
        if name not in FORMS:
            raise Error(f"expected formats of {', '.join(FORMS)}, found '{name}'")
