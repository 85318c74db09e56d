"""Attention of many kinds on the simulator.

Usage: attention_matrix.py TARGET DIRECTORY [TABLE]

Lengths x features x types x layouts x masks x scores, each checked against
float64 with the race detector on. The lists rotate against one another, so that
every kind meets several sizes. With a schedule table, the kinds that tensor maps
serve, with the rows of the table. Prints what fails and, at the end, the number of
runs.
"""

import itertools
import sys

from matrix_runs import Runs

target, directory = sys.argv[1:3]
table = sys.argv[3] if len(sys.argv) > 3 else None

LENGTHS = [1, 7, 59, 97, 111, 113, 257]
FEATURES = [(32, 32), (40, 40), (64, 64), (96, 96), (128, 128), (192, 192),
            (256, 256), (64, 40), (33, 35), (40, 128)]
HEADS = [(1, 1), (2, 1), (3, 3), (3, 1), (4, 2)]
MASKS = ["", "causal", "window = 30 : i64", "causal, window = 17 : i64"]

SCORES = {
    "none": ("", "", ""),
    "softcap": ("", "", """
    %cap = arith.constant 5.0 : f32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %r = arith.mulf %1, %cap : f32"""),
    "bias": ("bqk", "f32", """
    %r = arith.addf %s, %in : f32"""),
    "alibi": ("h", "f16", """
    %d = arith.subi %j, %i : i32
    %0 = arith.sitofp %d : i32 to f32
    %1 = arith.extf %in : f16 to f32
    %2 = arith.constant 0.0625 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %r = arith.addf %s, %4 : f32"""),
    "full": ("bhqk", "bf16", """
    %0 = arith.extf %in : bf16 to f32
    %r = arith.subf %s, %0 : f32"""),
}


def program(element, d, dv, heads, keys_heads, bshd, mask, score, ragged, lse,
            wide):
    def tensor(batch, head, length, width, kind):
        sizes = (batch, length, head, width) if bshd else (batch, head, length, width)
        return "tensor<%sx%s>" % ("x".join(map(str, sizes)), kind)

    result = "f32" if wide else element
    q = tensor("?", heads, "?", d, element)
    k = tensor("?", keys_heads, "?", d, element)
    v = tensor("?", keys_heads, "?", dv, element)
    o = tensor("?", heads, "?", dv, result)
    arguments = ["%%q: %s" % q, "%%k: %s" % k, "%%v: %s" % v]
    middle = ""
    if ragged:
        arguments.append("%n: tensor<?xi32>")
        middle += " lengths(%n : tensor<?xi32>)"
    dims, kind, body = SCORES[score]
    if body:
        if dims:
            sizes = {"b": "?", "h": str(heads), "q": "?", "k": "?"}
            operand = "tensor<%sx%s>" % ("x".join(sizes[c] for c in dims), kind)
            arguments.append("%%x: %s" % operand)
            middle += ' operands(%%x : %s) as ["%s"]' % (operand, dims)
        middle += (" score {\n  ^bb0(%%s: f32, %%b: i32, %%h: i32, %%i: i32, "
                   "%%j: i32%s):%s\n    sparseflow.yield %%r : f32\n  }"
                   % (", %%in: %s" % kind if dims else "", body))
    attributes = [text for text in (
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else "",
        "scale = -0.2 : f32" if score == "none" and wide else "") if text]
    if attributes:
        middle += " {%s}" % ", ".join(attributes)
    results, values = [o], ["%o"]
    if lse:
        results.append("tensor<?x%dx?xf32>" % heads)
        values.append("%l")
    return """func.func @f(%s) -> (%s) {
  %s = sparseflow.attention %%q, %%k, %%v%s
    : %s, %s, %s -> %s
  return %s : %s
}
""" % (", ".join(arguments), ", ".join(results), ", ".join(values), middle, q, k,
       v, ", ".join(results), ", ".join(values), ", ".join(results))


queries = itertools.cycle(LENGTHS)
keys = itertools.cycle([257, 113, 1, 97, 59, 7, 111, 300])
heads = itertools.cycle(HEADS)
scores = itertools.cycle(["none", "softcap"] if table else SCORES)
if table:
    FEATURES = [(d, dv) for d, dv in FEATURES if d % 8 == dv % 8 == 0]
    FEATURES += [(136, 136), (200, 256)]
runs = Runs()
for number, (element, (d, dv), mask) in enumerate(
        itertools.product(["f16", "bf16"], FEATURES, MASKS)):
    # Half of the products on each family of targets.
    if (number % 2 == 0) != (target == "sm_80"):
        next(queries), next(keys), next(heads), next(scores)
        continue
    h, g = next(heads)
    path = "%s/%d.mlir" % (directory, runs.count)
    with open(path, "w") as file:
        file.write(program(element, d, dv, h, g, number % 3 == 1, mask,
                           next(scores), number % 4 > 1 and not table, number % 5 < 2,
                           number % 7 == 3))
    command = ["sparseflow", "run", path, "--device", "sim", "--target", target,
               "--dim", "T=%d" % (1 + number % 2), "--dim",
               "T1=%d" % next(queries), "--dim", "T2=%d" % next(keys),
               "--check", "--races", "--schedule-seed", str(runs.count), "--seed",
               str(number)]
    if table:
        command += ["--schedule-file", table]
    elif runs.count % 6 == 5:
        command.append("--unaligned")
    runs.run(command)
runs.end()
