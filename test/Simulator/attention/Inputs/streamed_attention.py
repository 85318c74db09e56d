"""One query over entries of several lengths whose stages few blocks divide equally:
streamed_attention.py DIRECTORY OPTION..., options being those of `sparseflow run`.

With so few blocks a share has whole tiles between two parts, and a long entry several
shares. Entries of no keys, of one and of all; more entries than a warp has lanes;
fewer stages than blocks; entries of as many stages. What lies behind a length is NaN or
infinite. Each run is checked against float64, with the race detector on.
"""

import math
import random
import sys

from matrix_runs import Runs

directory, *options = sys.argv[1:]

# Batch entries, heads, key heads, features, keys, mask, [B][S][H], log-sum-exps; lengths.
CASES = [
    (40, 4, 2, 64, 130, "", False, True, None),
    (3, 6, 1, 64, 900, "window = 150 : i64", True, False, [900, 3, 517]),
    (9, 4, 4, 40, 150, "causal", True, True, [0, 0, 150, 64, 65, 0, 1, 128, 0]),
    (2, 3, 1, 64, 70, "", False, True, [0, 1]),
    (5, 12, 1, 128, 300, "", True, True, [299, 0, 33, 300, 31]),
    (4, 2, 1, 96, 400, "causal, window = 97 : i64", False, False, None),
    # As many stages of all tiles: blocks have whole tiles, or parts where few tiles are long.
    (5, 4, 2, 64, 200, "", True, True, [200, 199, 193, 200, 195]),
    (36, 2, 1, 64, 70, "", False, False, [64] * 35 + [1]),
    (2, 3, 3, 64, 900, "", True, True, [900, 897]),
    (2, 2, 1, 128, 640, "", True, True, [640, 635]),
    # Shares that begin and end in what short tiles cost beside their stages.
    (9, 2, 1, 64, 450, "", False, True, [1, 0, 1, 450, 1, 1, 64, 1, 1])]


def program(batch, h, g, d, mask, bshd, static, lse, keys):
    def tensor(head, length):
        inner = (length, head) if bshd else (head, length)
        return "tensor<%sx%sx%sx%dxf16>" % (batch if static else "?", *inner, d)

    q, k = tensor(h, 1), tensor(g, keys if static else "?")
    lengths = "tensor<%sxi32>" % (batch if static else "?")
    results = [q] + ["tensor<%sx%dx1xf32>" % (batch if static else "?", h)] * lse
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
for number, (batch, h, g, d, keys, mask, bshd, lse, given) in enumerate(CASES):
    source = random.Random(number)
    lengths = given or [source.choice([0, 1, 63, 64, 65, keys - 1, keys, keys + 5,
                                       source.randint(0, keys)]) for _ in range(batch)]

    def tensor(head, positions, ragged):
        poison = source.choice([math.nan, math.inf])

        def row(b, s):
            if ragged and s >= lengths[b]:
                return [poison] * d
            return [source.gauss(0, 1) for _ in range(d)]
        if bshd:
            shape = (batch, positions, head, d)
            values = [x for b in range(batch) for s in range(positions)
                      for _ in range(head) for x in row(b, s)]
        else:
            shape = (batch, head, positions, d)
            values = [x for b in range(batch) for _ in range(head)
                      for s in range(positions) for x in row(b, s)]
        return shape, values, "<f2"

    arguments = [tensor(h, 1, False), tensor(g, keys, True), tensor(g, keys, True),
                 ((batch,), lengths, "<i4")]
    runs.run_program(directory, number,
                     program(batch, h, g, d, mask, bshd, number % 2 == 0, lse, keys),
                     arguments, ["--device", "sim", "--races", *options])
runs.end()
