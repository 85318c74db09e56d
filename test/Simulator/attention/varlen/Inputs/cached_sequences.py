"""Attention of packed queries, each sequence behind a cache: cached_sequences.py DIRECTORY
OPTION..., options being those of `sparseflow run`.

Chunks at the end of their keys, whole prompts, one token behind a cache, sequences of
nothing, without queries or keys, and more queries than keys; caches in pages of several
sizes, in any order and shared, or in entries one behind the other; lengths that end
anywhere, also behind the cache. All that no query sees is poison: rows behind a length,
pages that no table names, caches of sequences without queries; entries of the table behind
a length are no pages. Each run is checked against float64, which says that queries behind
the last sequence give zeros. With `--numbers` caches are of int8, int4 and e4m3. Prints
what fails and the number of runs.
"""

import itertools
import math
import random
import sys

from matrix_runs import Runs
from packed_queries import CHUNKS, FEATURES, HEADS, MANY, PROMPTS, SCORE

directory, *options = sys.argv[1:]
hasNumbers = "--numbers" in options
if hasNumbers:
    options.remove("--numbers")

# Keys of a page, 0 without.
PAGES = [64, 0, 16, 256, 128, 0, 48, 32]
NUMBERS = [("int8", "int8"), ("int4", "int4"), ("e4m3", "e4m3"), ("int8", "int4")]
if hasNumbers:
    FEATURES = [(128, 128), (64, 64), (40, 24), (96, 64)]
    PAGES = [64, 0, 128, 256, 192]
# Queries and keys of each sequence, rows behind the last one; mask; bshd, static sizes,
# log-sum-exp, a score of the indices.
DECODE = [(1, n) for n in (3, 190, 64, 65, 0, 128)]
KINDS = [(CHUNKS, 9, "causal", True, False, True, False),
         (PROMPTS, 0, "causal", False, False, False, False),
         (CHUNKS, 70, "", True, True, True, False),
         (CHUNKS, 3, "causal, window = 33 : i64", False, True, False, False),
         (DECODE, 1, "window = 20 : i64", True, False, False, False),
         (CHUNKS, 5, "causal", True, False, False, True),
         ([(0, 0), (0, 0)], 5, "causal", False, False, True, False),
         ([], 2, "", True, False, False, False),
         (MANY, 0, "causal", False, True, False, False),
         (DECODE, 0, "causal", True, True, True, False)]


def program(features, heads, page, numbers, sizes, mask, bshd, static, lse, scored):
    (d, dv), (h, g) = features, heads
    queries, sequences, positions, entries = sizes if static else "????"
    offsets = int(sequences) + 1 if static else "?"

    def tensor(count, head, length, width, encoding=""):
        inner = (length, head) if bshd else (head, length)
        return "tensor<%sx%sx%sx%sxf16%s>" % (count, *inner, width, encoding)

    q, o = tensor(1, h, queries, d), tensor(1, h, queries, dv)
    k, v = (tensor(entries, g, page or positions, width, numbers and (
        ", #sparseflow.quantized<%s_%s, scale = token : f16>" % (part, number)))
            for width, part, number in zip((d, dv), ("key", "value"), numbers or ("", "")))
    n, c = "tensor<%sxi32>" % sequences, "tensor<%sxi32>" % offsets
    t = "tensor<%sx%sxi32>" % (sequences, positions)
    results = [o] + ["tensor<1x%dx%sxf32>" % (h, queries)] * lse
    names = "%o, %l" if lse else "%o"
    attributes = ", ".join(filter(None, [
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else ""]))
    score = SCORE if scored else ""
    return """func.func @f(%%q: %s, %%k: %s, %%v: %s, %%n: %s, %%cu: %s%s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v lengths(%%n : %s)%s cu_seqlens(%%cu : %s) %s {%s}
    : %s, %s, %s -> %s
  return %s : %s
}
""" % (q, k, v, n, c, ", %%t: %s" % t if page else "", ", ".join(results), names, n,
       " pages(%%t : %s)" % t if page else "", c, score, attributes, q, k, v,
       ", ".join(results), names, ", ".join(results))


runs = Runs()
heads, features, pages, types = map(itertools.cycle, (HEADS, FEATURES, PAGES, NUMBERS))
for number in range(18):
    sequences, behind, mask, bshd, static, lse, scored = KINDS[number % len(KINDS)]
    (h, g), (d, dv), page = next(heads), next(features), next(pages)
    numbers, bshd = (next(types), False) if hasNumbers else ("", bshd)
    source = random.Random(number)
    cu = [0, *itertools.accumulate(q for q, _ in sequences)]
    queries, most = cu[-1] + behind, max((n for _, n in sequences), default=0)
    columns = -(-most // page) + 1 if page else 0
    # The longest entry may end where its cache does, and its length behind that.
    positions = columns * page if page else most + source.choice([0, 0, 5])
    if hasNumbers:
        positions = -(-positions // 64) * 64
    lengths = [n for _, n in sequences]
    if lengths and positions == most:
        lengths[lengths.index(most)] += 7
    count = 2 * columns + 3 if page else len(sequences)
    table = [[source.randrange(count) for _ in range(columns)] for _ in sequences]
    seen = set()
    for n, (rows, length) in enumerate(sequences):
        for j in range(length if rows else 0):
            seen.add((table[n][j // page], j % page) if page else (n, j))
        for column in range(-(-length // page) if page else 0, columns):
            table[n][column] = source.choice([-1, count, 1 << 30, -(1 << 31)])

    def tensor(entries, head, rows, width, known):
        poison = source.choice([math.nan, math.inf])
        order = [(e, i, s) for e in range(entries) for i in range(head) for s in range(rows)]
        drawn = {(e, i, s): [source.gauss(0, 1) if known is None or (e, s) in known else poison
                               for _ in range(width)] for e, i, s in order}
        if bshd:
            order.sort(key=lambda x: (x[0], x[2], x[1]))
        shape = (entries, rows, head, width) if bshd else (entries, head, rows, width)
        return shape, [x for key in order for x in drawn[key]], "<f2"

    arguments = [tensor(1, h, queries, d, None), tensor(count, g, page or positions, d, seen),
                 tensor(count, g, page or positions, dv, seen),
                 ((len(sequences),), lengths, "<i4"), ((len(cu),), cu, "<i4")]
    if page:
        arguments.append(((len(sequences), columns), [x for row in table for x in row], "<i4"))
    runs.run_program(
        directory, number,
        program((d, dv), (h, g), page, numbers,
                (queries, len(sequences), columns if page else positions, count), mask, bshd,
                static, lse, scored), arguments,
        [*options, *(["--unaligned"] if "sim" in options and number % 4 == 3 else [])])
runs.end()
