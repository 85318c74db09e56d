"""Attention over keys and values in pages: paged_attention.py DIRECTORY OPTION...,
options being those of `sparseflow run`.

Pages of several sizes in any order, shared between batch entries, lengths that end
anywhere; each run is checked against float64. All that must not be read is poison:
pages that no table names and rows behind the lengths are NaN, and entries of the
table behind the lengths are no pages. Prints what fails and the number of runs.
"""

import itertools
import math
import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]

PAGES = [16, 64, 128, 48, 256]
# Heads, key heads, features of keys and of values.
HEADS = [(8, 2, 64, 64), (2, 2, 40, 24), (4, 1, 128, 128), (3, 1, 32, 96),
         (2, 1, 36, 33)]
# Batch entries, queries, columns of the table; mask; bshd, lengths, static sizes,
# log-sum-exp.
KINDS = [
    ((3, 1, 5), "", False, True, False, True),
    ((2, 37, 3), "causal", True, True, False, False),
    ((2, 21, 2), "causal, window = 33 : i64", False, False, True, True),
    ((4, 1, 4), "", True, True, True, False),
    ((1, 70, 4), "", False, False, False, False),
    ((2, 1, 8), "", False, False, True, False),
    ((3, 5, 6), "causal", False, True, False, True),
]


def program(page, heads, sizes, count, mask, bshd, ragged, static, lse):
    h, g, d, dv = heads
    batch, queries, columns = sizes if static else "???"
    pages = count if static else "?"

    def tensor(entries, head, length, width):
        inner = (length, head) if bshd else (head, length)
        return "tensor<%sx%sx%sx%sxf16>" % (entries, *inner, width)

    q, k, v, o = (tensor(batch, h, queries, d), tensor(pages, g, page, d),
                  tensor(pages, g, page, dv), tensor(batch, h, queries, dv))
    table, lengths = "tensor<%sx%sxi32>" % (batch, columns), "tensor<%sxi32>" % batch
    results = [o] + ["tensor<%sx%dx%sxf32>" % (batch, h, queries)] * lse
    attributes = ", ".join(filter(None, [
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else ""]))
    names = "%o, %l" if lse else "%o"
    return """func.func @f(%%q: %s, %%k: %s, %%v: %s, %%t: %s%s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v%s pages(%%t : %s) {%s}
    : %s, %s, %s -> %s
  return %s : %s
}
""" % (q, k, v, table, ", %%n: %s" % lengths if ragged else "", ", ".join(results),
       names, " lengths(%%n : %s)" % lengths if ragged else "", table, attributes,
       q, k, v, ", ".join(results), names, ", ".join(results))


def half(source):
    return source.gauss(0, 1)


runs = Runs()
pages = itertools.cycle(PAGES)
for number, (heads, kind) in enumerate(itertools.product(HEADS, KINDS)):
    # Every page size meets all kinds and heads in turn; a third of the products.
    page = next(pages)
    if number % 3:
        continue
    (batch, queries, columns), mask, bshd, ragged, static, lse = kind
    h, g, d, dv = heads
    source = random.Random(number)
    keys = columns * page
    lengths = [source.choice([0, 1, page - 1, page, page + 3, keys - page - 1, keys,
                              keys + 7]) if ragged else keys for _ in range(batch)]
    # Two pages more than two entries need: the others share some.
    count = 2 * columns + 2
    table = [[source.randrange(count) for _ in range(columns)]
             for _ in range(batch)]
    used = {(table[b][j // page], j % page)
            for b in range(batch) for j in range(min(lengths[b], keys))}
    for b in range(batch):
        for column in range(-(-lengths[b] // page), columns):
            table[b][column] = source.choice([-1, count, 1 << 30, -(1 << 31)])

    def cache(width):
        rows = {(p, head, r): [half(source) if (p, r) in used else math.nan
                               for _ in range(width)]
                for p in range(count) for head in range(g) for r in range(page)}
        order = ([(p, head, r) for p in range(count) for r in range(page)
                  for head in range(g)] if bshd else
                 [(p, head, r) for p in range(count) for head in range(g)
                  for r in range(page)])
        shape = (count, page, g, width) if bshd else (count, g, page, width)
        return shape, [x for key in order for x in rows[key]], "<f2"

    shape = (batch, queries, h, d) if bshd else (batch, h, queries, d)
    arguments = [(shape, [half(source) for _ in range(math.prod(shape))], "<f2"),
                 cache(d), cache(dv),
                 ((batch, columns), [x for row in table for x in row], "<i4")]
    if ragged:
        arguments.append(((batch,), lengths, "<i4"))
    runs.run_program(
        directory, number,
        program(page, heads, (batch, queries, columns), count, mask, bshd, ragged, static, lse),
        arguments,
        [*options, *(["--unaligned"] if "sim" in options and number % 4 == 3 else [])])

# Without pages there are no keys, though an operand has elements for what a table names.
runs.run_program(directory, number + 1, """
func.func @f(%q: tensor<?x4x1x16xf16>, %k: tensor<?x1x32x16xf16>, %t: tensor<?x2xi32>,
             %bias: tensor<?x64xf32>) -> tensor<?x4x1x16xf16> {
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<?x2xi32>)
      operands(%bias : tensor<?x64xf32>) as ["bk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %0 = arith.addf %s, %in : f32
    sparseflow.yield %0 : f32
  } : tensor<?x4x1x16xf16>, tensor<?x1x32x16xf16>, tensor<?x1x32x16xf16>
    -> tensor<?x4x1x16xf16>
  return %o : tensor<?x4x1x16xf16>
}
""", [((2, 4, 1, 16), [half(random) for _ in range(128)], "<f2"),
      ((0, 1, 32, 16), [], "<f2"), ((2, 2), [0, 1, 2, 3], "<i4"),
      ((2, 64), [half(random) for _ in range(128)], "<f4")], options)
runs.end()
