# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values as caches of few bits hold them, with a scale a token and head (torch).

Each function takes [..., features] and gives what attention would read. Scales are in
float16: the ones of least squared error, those of 8 bits such that the largest element is
the largest number, as an append makes them.
"""

import torch


def _rounded(scale):
    return scale.half().float()


def int8(x):
    scale = _rounded(x.abs().amax(-1, keepdim=True) / 127).clamp_min(6e-8)
    return (x / scale).round().clamp(-128, 127) * scale


def e4m3(x):
    """Floats of 8 bits, at most 448."""
    scale = _rounded(x.abs().amax(-1, keepdim=True) / 448).clamp_min(6e-8)
    return (x / scale).clamp(-448, 448).to(torch.float8_e4m3fn).to(x.dtype) * scale


def int4(x):
    """Numbers from -8 to 7; the finest of 17 scales below that of the largest."""
    largest = x.abs().amax(-1, keepdim=True) / 7
    best, least = x, torch.full_like(largest, torch.inf)
    for share in torch.linspace(0.5, 1.1, 17):
        scale = _rounded(largest * share).clamp_min(6e-8)
        tried = (x / scale).round().clamp(-8, 7) * scale
        error = (x - tried).square().sum(-1, keepdim=True)
        best = torch.where(error < least, tried, best)
        least = torch.minimum(error, least)
    return best


def _trits(x, scale):
    return x.sign() * (x.abs() > scale / 2)


def trits(x):
    """One plane: a scale times -1, 0 or 1, the nearest in turn with the best scale."""
    scale = x.abs().mean(-1, keepdim=True)
    for _ in range(10):
        t = _trits(x, scale)
        scale = (x * t).sum(-1, keepdim=True) / t.abs().sum(-1, keepdim=True).clamp_min(1)
    scale = _rounded(scale)
    return _trits(x, scale) * scale


def two_trits(x):
    """Two planes with a scale each: the nearest of nine levels, in turn with the pair of
    scales of least squares."""
    first = x.abs().mean(-1, keepdim=True) * 1.5
    second = first / 3
    pairs = torch.cartesian_prod(*[torch.tensor([-1.0, 0.0, 1.0])] * 2)

    def nearest():
        levels = first * pairs[:, 0] + second * pairs[:, 1]
        chosen = (x[..., None] - levels[..., None, :]).abs().argmin(-1)
        return pairs[chosen].unbind(-1)

    for _ in range(10):
        a, b = nearest()
        aa, bb, ab = ((u * v).sum(-1, keepdim=True) for u, v in ((a, a), (b, b), (a, b)))
        ax, bx = (a * x).sum(-1, keepdim=True), (b * x).sum(-1, keepdim=True)
        one = (aa * bb - ab * ab).clamp_min(1e-6)
        solved = aa * bb > ab * ab + 0.5
        first = torch.where(solved, (bb * ax - ab * bx) / one, first)
        second = torch.where(solved, (aa * bx - ab * ax) / one, second)
    first, second = _rounded(first), _rounded(second)
    a, b = nearest()
    return first * a + second * b


# Bits of an element, scales apart, and the function.
FORMATS = {"f32": (32, lambda x: x), "int8": (8, int8), "e4m3": (8, e4m3), "int4": (4, int4),
           "ternary": (2, trits), "ternary2": (4, two_trits)}
