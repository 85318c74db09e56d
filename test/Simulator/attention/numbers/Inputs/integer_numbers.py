"""Every number of int8 and int4 as a key and a value of one query, with the largest scales of
f16 and the smallest: integer_numbers.py DIRECTORY OPTION..., options being those of
`sparseflow run`.

First each query sees one key (a window of 1, lengths of its own): its log-sum-exp is its
score and its result a value, so a wrong feature of either is seen. Then it sees all keys,
whose values have scales 2^32 times as large as others': probabilities of few digits count.
"""

import itertools
import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]
BATCH, HEADS, KEY_HEADS, KEYS, D = 16, 4, 2, 128, 32
LENGTHS = [64 * (b % 2) + 4 * b + b % 4 + 1 for b in range(BATCH)]
# What the largest number of a token is: its scale is that, divided by 127 or by 7.
LARGEST, SMALLEST = 65000.0, 1e-5

PROGRAM = """func.func @f(%q: QUERIES, %k: CACHE<key_NUMBER, scale = token : f16>>, %v: CACHE<value_NUMBER, scale = token : f16>>, %n: tensor<16xi32>) -> (QUERIES, tensor<16x4x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<16xi32>) {MASKscale = 1.0 : f32}
    : QUERIES, CACHE<key_NUMBER, scale = token : f16>>, CACHE<value_NUMBER, scale = token : f16>> -> QUERIES, tensor<16x4x1xf32>
  return %o, %l : QUERIES, tensor<16x4x1xf32>
}
""".replace("CACHE", "tensor<16x2x128x32xf16, #sparseflow.quantized").replace(
    "QUERIES", "tensor<16x4x1x32xf16>")

runs = Runs()
for number, (name, most, isAlone) in enumerate(
        (name, most, isAlone) for name, most in (("int8", 127), ("int4", 7))
        for isAlone in (True, False)):
    source = random.Random(number)
    seen = set()

    def cache(size):
        """Rows whose largest number is `most`, so that its scale is that of size(s)."""
        numbers = itertools.cycle(range(-most, most + 1))
        rows = []
        for b in range(BATCH):
            for _ in range(KEY_HEADS):
                for s in range(KEYS):
                    if s + 1 == LENGTHS[b]:
                        row = [next(numbers) for _ in range(D - 1)]
                        seen.update(row)
                    else:
                        row = [source.randint(-most, most) for _ in range(D - 1)]
                    row.insert(b, most)
                    rows += [n * size(s) / most for n in row]
        return (BATCH, KEY_HEADS, KEYS, D), rows, "<f2"
    keys = cache(lambda s: 1.0)
    assert seen == set(range(-most, most + 1))
    values = cache(lambda s: LARGEST if s % 2 else SMALLEST)
    queries = [source.gauss(0, 2) for _ in range(BATCH * HEADS * D)]
    runs.run_program(
        directory, number,
        PROGRAM.replace("NUMBER", name).replace(
            "MASK", "causal, window = 1 : i64, " if isAlone else ""),
        [((BATCH, HEADS, 1, D), queries, "<f2"), keys, values,
         ((BATCH,), LENGTHS, "<i4")], options)
runs.end()
