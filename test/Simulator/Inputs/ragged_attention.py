"""Attention over entries of several lengths: ragged_attention.py DIRECTORY OPTION...,
options being those of `sparseflow run`.

Lengths of nothing, of one key, that end at a stage, before and behind it, that fill
the tensor and that say more than it has. What lies behind them is NaN or infinite in
keys and values. Each run is checked against float64, with the race detector on; what
fails is printed, and the number of runs.
"""

import itertools
import math
import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]

# Features; heads, key heads.
FEATURES = [64, 128, 192, 96, 256, 40]
HEADS = [(8, 2), (4, 4), (16, 1), (6, 3)]
# Queries, keys, mask.
KINDS = [(1, 300, ""), (70, 257, "causal"), (200, 200, "causal"), (37, 384, "window = 33 : i64"),
         (129, 129, ""), (1, 511, "causal, window = 40 : i64"),
         (150, 300, "causal, window = 130 : i64")]
ENDS = [0, 1, 63, 64, 65, 95, 127, 128, 129]


def program(d, heads, batch, queries, keys, mask, bshd, static, lse):
    h, g = heads

    def tensor(head, length, kind="f16"):
        length = length if static else "?"
        inner = (length, head) if bshd else (head, length)
        return "tensor<%sx%sx%sx%dx%s>" % (batch if static else "?", *inner, d, kind)

    q, k, lengths = tensor(h, queries), tensor(g, keys), "tensor<%sxi32>" % (
        batch if static else "?")
    results = [q] + ["tensor<%sx%dx%sxf32>" % (
        (batch, h, queries) if static else ("?", h, "?"))] * lse
    names = "%o, %l" if lse else "%o"
    attributes = ", ".join(filter(None, [
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else ""]))
    return """func.func @f(%%q: %s, %%k: %s, %%v: %s, %%n: %s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v lengths(%%n : %s) {%s} : %s, %s, %s -> %s
  return %s : %s
}
""" % (q, k, k, lengths, ", ".join(results), names, lengths, attributes, q, k, k,
       ", ".join(results), names, ", ".join(results))


runs = Runs()
heads, ends = itertools.cycle(HEADS), itertools.cycle(ENDS)
for number, (d, kind) in enumerate(itertools.product(FEATURES, KINDS)):
    # A quarter of the products; every number of features meets a kind or two.
    h, g = next(heads)
    if number % 4:
        continue
    queries, keys, mask = kind
    batch = 2 + number % 3 % 2
    bshd, static, lse = number % 3 == 1, number % 8 < 4, number % 5 < 3
    source = random.Random(number)
    lengths = [next(ends)] + [source.choice([*ENDS, keys - 1, keys, keys + 9])
                              for _ in range(batch - 1)]

    def tensor(head, positions, ragged):
        poison = source.choice([math.nan, math.inf])
        rows = {(b, i, s): [source.gauss(0, 1) if not ragged or s < lengths[b] else poison
                            for _ in range(d)]
                for b in range(batch) for i in range(head) for s in range(positions)}
        if bshd:
            shape = (batch, positions, head, d)
            order = itertools.product(range(batch), range(positions), range(head))
            return shape, [x for b, s, i in order for x in rows[b, i, s]], "<f2"
        order = itertools.product(range(batch), range(head), range(positions))
        return (batch, head, positions, d), [x for key in order for x in rows[key]], "<f2"

    arguments = [tensor(h, queries, False), tensor(g, keys, True), tensor(g, keys, True),
                 ((batch,), lengths, "<i4")]
    runs.run_program(directory, number,
                     program(d, (h, g), batch, queries, keys, mask, bshd, static, lse),
                     arguments, ["--device", "sim", "--races", *options])
runs.end()
