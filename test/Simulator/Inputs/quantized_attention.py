"""Attention with int8, int4 and e4m3 keys and values: quantized_attention.py DIRECTORY
[many|beside|shared|warps|packed] [FIRST-LAST] OPTION..., options being those of `sparseflow run`.
`many`: a kernel in front dequantizes keys and values, as for many queries, and wgmma
multiplies them; `beside`: producer warps dequantize them; `shared`: those of two blocks
dequantize a half each; `warps`: the warps of a block divide the keys of one query;
`packed`: the heads of a key head for each of several queries are rows of one tile.

Numbers x scales x features x types x masks x heads x lengths, in pages of a table and
without; each run is checked against float64 of what the caches hold. All that must not
be read is poison: rows behind the lengths and pages that no table names have scales of
NaN, and entries of the table behind the lengths are no pages. The lists rotate against
one another. Prints what fails and the number of runs.
"""

import itertools
import math
import random
import re
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]
isShared = options[0] == "shared"
isBeside = isShared or options[0] == "beside"
isMany = isBeside or options[0] == "many"
isDivided = options[0] == "warps"
isPacked = options[0] == "packed"
if isMany or isDivided or isPacked:
    options.pop(0)
first, last = 0, 10**9
if re.fullmatch(r"\d+-\d+", options[0]):
    first, last = map(int, options.pop(0).split("-"))
onCpu = "cpu" in options

NUMBERS = [("int8", "int8"), ("int4", "int4"), ("e4m3", "e4m3"), ("int8", "int4"),
           ("int4", "e4m3"), ("e4m3", "int8")]
SCALES = ["token : f16", "token x 32 : f16", "token : f32", "token x 64 : bf16",
          "token x 128 : f32"]
FEATURES = [(128, 128), (64, 64), (40, 24), (96, 128), (33, 36), (16, 80), (128, 64)]
HEADS = [(8, 2), (4, 1), (3, 3), (32, 2), (5, 1)]
# Batch entries, queries, pages of 64 keys (without a table) or columns of it; mask;
# lengths, static sizes, log-sum-exp, a score region.
KINDS = [
    ((3, 1, 5), "", True, False, True, False),
    ((2, 1, 3), "", False, True, False, False),
    ((2, 7, 2), "causal", True, False, True, False),
    ((2, 1, 4), "causal, window = 70 : i64", True, True, False, False),
    ((1, 70, 3), "causal", False, False, False, True),
    ((1, 33, 2), "window = 20 : i64", True, True, True, False),
    ((2, 1, 3), "", True, False, False, True),
]
PAGES = [0, 64, 0, 128, 256, 0, 192]
COUNT = 24
PINNED = ""
if isMany:
    FEATURES = [(128, 128), (64, 64), (40, 24), (96, 128), (8, 72)]
    HEADS = [(2, 1), (4, 2), (3, 3), (1, 1)]
    KINDS = [
        ((2, 70, 5), "causal", True, False, True, False),
        ((1, 129, 3), "", False, True, False, True),
        ((2, 67, 4), "causal, window = 70 : i64", True, True, True, False),
        ((1, 130, 1), "causal", False, False, True, False),
        ((1, 64, 6), "causal", True, True, False, False),
    ]
    COUNT = 15
    PINNED = """sftile.schedules = [#sftile.attention_schedule<"decoded",
    queries = %d, warp = 16, keys = %d, %spipeline = #sftile.warp_specialized_attention<
    stages = 2, %sgrid = 3%s>>]"""
if isDivided:
    KINDS = [((batch, queries, columns + 2 * batch), *others)
             for (batch, queries, columns), *others in KINDS if queries == 1]
    COUNT = 14
    PINNED = """sftile.schedules = [#sftile.attention_schedule<"divided",
    queries = 16, warp = 16, keys = %d, packed = true, max_queries = 1, %s
    pipeline = #sftile.multistage_attention<stages = 2, holds_queries = true,
    key_warps = %d>>]"""
if isPacked:
    KINDS = [
        ((3, 5, 5), "causal", True, False, True, False),
        ((2, 3, 3), "", False, True, False, False),
        ((2, 2, 4), "causal, window = 70 : i64", True, True, False, False),
        ((1, 9, 3), "causal", False, False, True, True),
        ((1, 1, 2), "window = 20 : i64", True, True, True, False),
    ]
    COUNT = 14
    PINNED = """sftile.schedules = [#sftile.attention_schedule<"packed",
    queries = 16, warp = 16, keys = %d, packed = true, max_queries = 16, %s
    pipeline = #sftile.multistage_attention<stages = 2, holds_queries = true>>,
    #sftile.attention_schedule<"any", queries = 64, warp = 16, keys = 32,
    pipeline = #sftile.multistage_attention<stages = 2, holds_queries = true>>]"""
if isBeside:
    SCALES = ["token : f16", "token x 32 : f16", "token x 64 : f16"]
    PINNED = PINNED.replace("stages = 2", "stages = 2, dequantizes = true")
if isShared:
    PINNED = PINNED.replace("grid = 3", "cluster = 2, grid = 4")


def program(element, form, d, dv, h, g, sizes, page, count, mask, ragged, static, lse,
            scored):
    batch, queries, columns = sizes if static else "???"
    if isDivided:
        queries = sizes[1]
    caches, positions = (count if static else "?", page) if page else (
        batch, 64 * columns if static else "?")

    def cache(name, number, scale, width):
        return "tensor<%sx%sx%sx%sx%s, #sparseflow.quantized<%s_%s, scale = %s>>" % (
            caches, g, positions, width, element, name, number, scale)

    q, o = ("tensor<%sx%sx%sx%sx%s>" % (batch, h, queries, width, element)
            for width in (d, dv))
    k, v = cache("key", *form[0], d), cache("value", *form[1], dv)
    table, lengths = "tensor<%sx%sxi32>" % (batch, columns), "tensor<%sxi32>" % batch
    results = [o] + ["tensor<%sx%dx%sxf32>" % (batch, h, queries)] * lse
    names = "%o, %l" if lse else "%o"
    middle = ""
    arguments = ["%%q: %s" % q, "%%k: %s" % k, "%%v: %s" % v]
    if ragged:
        middle += " lengths(%%n : %s)" % lengths
        arguments.append("%%n: %s" % lengths)
    if page:
        middle += " pages(%%t : %s)" % table
        arguments.append("%%t: %s" % table)
    if scored:
        middle += """ score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %c = arith.constant 5.0 : f32
    %0 = arith.divf %s, %c : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %c : f32
    sparseflow.yield %2 : f32
  }"""
    return """func.func @f(%s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v%s {%s}
    : %s, %s, %s -> %s
  return %s : %s
}
""" % (", ".join(arguments), ", ".join(results), names, middle, mask, q, k, v,
       ", ".join(results), names, ", ".join(results))


runs = Runs()
scales = itertools.cycle(SCALES)
features, heads = map(itertools.cycle, (FEATURES, HEADS))
numbers, kinds, pages = map(itertools.cycle, (NUMBERS, KINDS, PAGES))
for number in range(COUNT):
    form = list(zip(next(numbers), (next(scales), next(scales))))
    (d, dv), (h, g), page = next(features), next(heads), next(pages)
    (batch, queries, columns), mask, ragged, static, lse, scored = next(kinds)
    if number % 7 == 6:
        next(kinds), next(heads)
    if isPacked:
        split = "split_blocks = 13, split_min_keys = 64, " * (number % 3 == 1)
        pinned = PINNED % ((16, 32, 64)[number % 3], split)
        mask = ", ".join(filter(None, (mask, pinned)))
    elif isDivided:
        split = "split_blocks = 13, split_min_keys = 64, " * (number % 3 == 1)
        pinned = PINNED % ((16, 32, 64)[number % 3], split, (4, 2, 3, 8, 16)[number % 5])
        mask = ", ".join(filter(None, (mask, pinned)))
    elif PINNED:
        isWide, isPlanned = number % 3 == 0, number % 3 == 1 and not isShared
        keys = 128 if isShared else 64 if isBeside else 96
        pinned = PINNED % ((128, keys, "", "", ", ping_pong = true") if isWide else
                           (64, 128, "min_blocks = 2, plan = true, " * isPlanned,
                            "producer_registers = 64, ", ""))
        mask = ", ".join(filter(None, (mask, pinned)))
    element = "bf16" if number % 5 == 3 and not isBeside else "f16"
    if not first <= number <= last:
        continue
    source = random.Random(number)
    each = page or 64
    keys = columns * each
    lengths = [source.choice([0, 1, each - 1, each, each + 3, keys - 17, keys, keys + 7])
               if ragged else keys for _ in range(batch)]
    count = 2 * columns + 2 if page else batch
    table = [[source.randrange(count) for _ in range(columns)] for _ in range(batch)]
    if page:
        used = {(table[b][j // page], j % page)
                for b in range(batch) for j in range(min(lengths[b], keys))}
    else:
        used = {(b, j) for b in range(batch) for j in range(min(lengths[b], keys))}
    for b in range(batch):
        for column in range(-(-lengths[b] // each), columns):
            table[b][column] = source.choice([-1, count, 1 << 30, -(1 << 31)])
    rows = page or keys
    # The CPU device reads what it masks; a NaN is not converted.
    kind = "<f2" if element == "f16" else "<f4"
    isFinite = element == "bf16" or (onCpu and not page)
    poison = 60000.0 if isFinite else math.nan

    def cache(width, special=""):
        size = 3e-7 if special == "tiny" else source.choice([0.01, 1, 30])
        numbers = [
            source.gauss(0, size) if (p, r) in used else poison
            for p in range(count) for head in range(g) for r in range(rows)
            for _ in range(width)]
        # Of the last key of the first entry, which the last query alone sees.
        last = min(lengths[0], keys) - 1
        if special in ("largest", "nan") and last >= 0:
            at = (table[0][last // page], last % page) if page else (0, last)
            numbers[(at[0] * g * rows + at[1]) * width] = (
                65504.0 if special == "largest" else math.nan)
        return (count, g, rows, width), numbers, kind

    # Products that f16 holds as multiples of 2^-24 or not at all, that are beyond its
    # largest number by less than a rounding, and no numbers. A value that is none reaches
    # all queries of its stage, as in f16: nothing times it is nothing. Scales of f16 make
    # the largest key another one, which the plain computation does not know.
    special = ("", "tiny", "largest", "", "nan")[number % 5] if isMany else ""
    arguments = [((batch, h, queries, d), [
        source.gauss(0, 1) for _ in range(batch * h * queries * d)], kind),
        cache(d, "" if isBeside and special == "largest" else special),
        cache(dv, special if special != "nan" else "")]
    if ragged:
        arguments.append(((batch,), lengths, "<i4"))
    if page:
        arguments.append(((batch, columns), [x for row in table for x in row], "<i4"))
    runs.run_program(directory, number,
                     program(element, form, d, dv, h, g, (batch, queries, columns), page,
                             count, mask, ragged, static, lse, scored), arguments, options)
runs.end()
