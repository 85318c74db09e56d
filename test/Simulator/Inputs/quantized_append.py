"""Tokens appended to int8, int4 and e4m3 caches, and attention over what they became:
quantized_append.py DIRECTORY OPTION..., options being those of `sparseflow run`.

Numbers x scales x features x types x lengths, in place and in pages of a table in any
order. A run checks the caches bit by bit, and the attention of the new tokens (causal)
behind the old ones. Lengths leave tokens outside of the cache. Prints what fails and the
number of runs.
"""

import itertools
import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]

NUMBERS = [("int8", "e4m3"), ("int4", "int8"), ("e4m3", "int4"), ("int8", "int8"),
           ("e4m3", "e4m3"), ("int4", "int4")]
SCALES = ["token : f32", "token x 32 : f16", "token : bf16", "token x 64 : f32",
          "token : f16", "token x 128 : bf16"]
FEATURES = [(128, 128), (64, 96), (40, 24), (33, 72), (16, 128)]
# Batch entries, heads, key heads, new tokens, positions or columns of the table.
SIZES = [(2, 4, 2, 1, 128), (3, 2, 1, 5, 64), (1, 3, 3, 70, 192), (2, 8, 1, 1, 64)]
PAGES = [0, 64, 128]
COUNT = 12


def program(element, form, features, sizes, page):
    d, dv = features
    batch, heads, key_heads, count, room = sizes
    entries, positions = (2 * batch * room // page + 1, page) if page else (batch, room)
    types = ["tensor<%dx%dx%dx%dx%s, #sparseflow.quantized<%s_%s, scale = %s>>" % (
        entries, key_heads, positions, width, element, name, number, scale)
        for name, (number, scale), width in zip(("key", "value"), form, (d, dv))]
    new = ["tensor<%dx%dx%dx%dx%s>" % (batch, key_heads, count, width, element)
           for width in (d, dv)]
    q, o = ("tensor<%dx%dx%dx%dx%s>" % (batch, heads, count, width, element)
            for width in (d, dv))
    n, table = "tensor<%dxi32>" % batch, "tensor<%dx%dxi32>" % (batch, room // (page or 1))
    pages = " pages(%%t : %s)" % table if page else ""
    appends = "".join(
        "  %%%s1 = sparseflow.cache_append %%%s, %%%sn at %%n%s : %s, %s, %s\n" % (
            name, name, name, pages, cache, tokens, n)
        for name, cache, tokens in zip("kv", types, new))
    return """func.func @f(%%k: %s, %%v: %s, %%kn: %s, %%vn: %s, %%q: %s, %%n: %s, %%all: %s%s)
    -> (%s, %s, %s) {
%s  %%o = sparseflow.attention %%q, %%k1, %%v1 lengths(%%all : %s)%s {causal}
    : %s, %s, %s -> %s
  return %%k1, %%v1, %%o : %s, %s, %s
}
""" % (*types, *new, q, n, n, ", %%t: %s" % table if page else "", *types, o, appends, n,
       pages, q, *types, o, *types, o)


runs = Runs()
numbers, scales, features, shapes, pages = map(
    itertools.cycle, (NUMBERS, SCALES, FEATURES, SIZES, PAGES))
for number in range(COUNT):
    form = list(zip(next(numbers), (next(scales), next(scales))))
    sizes, page, width = next(shapes), next(pages), next(features)
    if number % 4 == 3:
        next(numbers)
    batch, heads, key_heads, count, room = sizes
    if page:
        room = max(room, page) // page * page
        sizes = (batch, heads, key_heads, count, room)
    source = random.Random(number)
    lengths = [source.choice([0, 1, room // 2 - 1, room - count, room - count + 3, -2])
               for _ in range(batch)]
    arguments = {"n": ((batch,), lengths, "<i4"),
                 "all": ((batch,), [n + count for n in lengths], "<i4")}
    if page:
        entries = source.sample(range(2 * batch * room // page + 1), batch * room // page)
        arguments["t"] = ((batch, room // page), entries, "<i4")
    runs.run_program(directory, number,
                     program("bf16" if number % 5 == 2 else "f16", form, width, sizes, page),
                     arguments, ["--seed", str(number), *options])
runs.end()
