"""Every number of e4m3 as a key of one query: e4m3_keys.py DIRECTORY OPTION..., options
being those of `sparseflow run`.

Each query sees one key (a window of 1, lengths of its own), so its log-sum-exp is its
score, and a wrong feature is seen. A key has 448 in it, which makes its scale 1: what the
file holds are the numbers of the cache. Keys stand at all sixteenths of a page.
"""

import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]
BATCH, HEADS, KEY_HEADS, D = 16, 4, 2, 32
NUMBERS = [sign * (8 + code % 8 if code >= 8 else code % 8) * 2.0 ** (max(code >> 3, 1) - 10)
           for code in range(127) for sign in (1, -1)]
LENGTHS = [64 * (b % 2) + 4 * b + b % 4 + 1 for b in range(BATCH)]

PROGRAM = """func.func @f(%q: QUERIES, %k: tensor<16x2x128x32xTYPE, #sparseflow.quantized<key_e4m3, scale = token : f32>>, %v: tensor<16x2x128x32xTYPE, #sparseflow.quantized<value_e4m3, scale = token : f32>>, %n: tensor<16xi32>) -> (QUERIES, tensor<16x4x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<16xi32>) {causal, window = 1 : i64, scale = 1.0 : f32}
    : QUERIES, tensor<16x2x128x32xTYPE, #sparseflow.quantized<key_e4m3, scale = token : f32>>, tensor<16x2x128x32xTYPE, #sparseflow.quantized<value_e4m3, scale = token : f32>> -> QUERIES, tensor<16x4x1xf32>
  return %o, %l : QUERIES, tensor<16x4x1xf32>
}
"""

runs = Runs()
for number, element in enumerate(("f16", "bf16")):
    source = random.Random(number)
    kind = "<f2" if element == "f16" else "<f4"
    numbers, seen = iter(NUMBERS * 8), set()

    def key(b, s):
        if s + 1 != LENGTHS[b]:
            return [source.gauss(0, 100) for _ in range(D)]
        found = [next(numbers) for _ in range(D - 1)]
        seen.update(found)
        found.insert(b, 448.0)
        return found

    def cache(row):
        return ((BATCH, KEY_HEADS, 128, D), [x for b in range(BATCH)
                for _ in range(KEY_HEADS) for s in range(128) for x in row(b, s)], kind)
    keys = cache(key)
    assert seen == set(NUMBERS)
    queries = [source.gauss(0, 0.1) for _ in range(BATCH * HEADS * D)]
    runs.run_program(
        directory, number,
        PROGRAM.replace("QUERIES", "tensor<16x4x1x32xTYPE>").replace("TYPE", element),
        [((BATCH, HEADS, 1, D), queries, kind), keys,
         cache(lambda b, s: [source.gauss(0, 1) for _ in range(D)]),
         ((BATCH,), LENGTHS, "<i4")], options)
runs.end()
