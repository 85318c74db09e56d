"""Attention over sequences that follow one another: varlen_attention.py DIRECTORY
OPTION..., options being those of `sparseflow run`.

Sequences of nothing, of one token, without keys, without queries, that end before, at
and behind a tile; chunks of prompts at the end of their keys, and more queries than
keys. Keys and values that no query sees are NaN or infinite: those behind the last
sequence, and those of sequences without queries. Each run is checked against float64,
which says that queries behind the last sequence give zeros. Prints what fails and the
number of runs.
"""

import itertools
import math
import random
import sys

from matrix_runs import Runs
from packed_queries import CHUNKS, FEATURES, HEADS, MANY, PROMPTS, SCORE

directory, *options = sys.argv[1:]

# Queries and keys of each sequence, rows and keys behind the last one; mask; bshd,
# static sizes, log-sum-exp, a score of the indices.
KINDS = [(PROMPTS, 0, "causal", True, False, False, False),
         (CHUNKS, 9, "causal", False, False, True, False),
         (CHUNKS, 70, "", True, True, True, False),
         (PROMPTS, 3, "causal, window = 33 : i64", False, True, False, False),
         (CHUNKS, 1, "window = 20 : i64", False, False, False, False),
         (CHUNKS, 5, "causal", True, False, False, True),
         ([(0, 0), (0, 0)], 5, "causal", False, False, True, False),
         ([], 2, "", True, False, False, False),
         (MANY, 0, "causal", False, True, False, False)]


def program(features, heads, rows, mask, bshd, static, lse, scored):
    (d, dv), (h, g) = features, heads
    queries, keys, offsets = rows if static else "???"

    def tensor(head, length, width):
        inner = (length, head) if bshd else (head, length)
        return "tensor<1x%sx%sx%sxf16>" % (*inner, width)

    q, k, v, o = (tensor(h, queries, d), tensor(g, keys, d), tensor(g, keys, dv),
                  tensor(h, queries, dv))
    n = "tensor<%sxi32>" % offsets
    results = [o] + ["tensor<1x%dx%sxf32>" % (h, queries)] * lse
    names = "%o, %l" if lse else "%o"
    attributes = ", ".join(filter(None, [
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else ""]))
    score = SCORE if scored else ""
    return """func.func @f(%%q: %s, %%k: %s, %%v: %s, %%cq: %s, %%ck: %s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v cu_seqlens(%%cq, %%ck : %s, %s) %s {%s}
    : %s, %s, %s -> %s
  return %s : %s
}
""" % (q, k, v, n, n, ", ".join(results), names, n, n, score, attributes, q, k, v,
       ", ".join(results), names, ", ".join(results))


runs = Runs()
heads, features = itertools.cycle(HEADS), itertools.cycle(FEATURES)
for number in range(11):
    sequences, behind, mask, bshd, static, lse, scored = KINDS[number % len(KINDS)]
    (h, g), (d, dv) = next(heads), next(features)
    source = random.Random(number)
    cu_queries = [0, *itertools.accumulate(q for q, _ in sequences)]
    cu_keys = [0, *itertools.accumulate(k for _, k in sequences)]
    queries, keys = cu_queries[-1] + behind, cu_keys[-1] + behind
    seen = {j for n, (count, length) in enumerate(sequences) if count
            for j in range(cu_keys[n], cu_keys[n] + length)}

    def tensor(head, positions, width, poisoned):
        poison = source.choice([math.nan, math.inf])
        rows = {(i, s): [source.gauss(0, 1) if not poisoned or s in seen else poison
                         for _ in range(width)]
                for i in range(head) for s in range(positions)}
        if bshd:
            order = [(i, s) for s in range(positions) for i in range(head)]
            return (1, positions, head, width), [x for key in order for x in rows[key]], "<f2"
        return (1, head, positions, width), [x for row in rows.values() for x in row], "<f2"

    offsets = (len(cu_queries),)
    arguments = [tensor(h, queries, d, False), tensor(g, keys, d, True),
                 tensor(g, keys, dv, True), (offsets, cu_queries, "<i4"),
                 (offsets, cu_keys, "<i4")]
    runs.run_program(
        directory, number,
        program((d, dv), (h, g), (queries, keys, *offsets), mask, bshd, static, lse, scored),
        arguments,
        [*options, *(["--unaligned"] if "sim" in options and number % 4 == 3 else [])])
runs.end()
