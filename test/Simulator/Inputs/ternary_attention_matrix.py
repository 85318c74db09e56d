"""Attention with ternary keys and values of many kinds.

Usage: ternary_attention_matrix.py cpu|sim DIRECTORY [expanded|front|decode] [OPTION...]

Modes x scales x features x types x masks x heads x lengths, each checked against
float64 with the same trits and scales; on the simulator with the race detector on.
The lists rotate against one another. `expanded` takes kinds that warps of their own
dequantize for MMAs of warpgroups, `front` those that a kernel in front does, `decode`
those of one query that are MMAs of bytes. Prints what fails and the number of runs.
"""

import itertools
import sys

from matrix_runs import Runs

device, directory, *options = sys.argv[1:]
SCALES = ["head : f32", "token : f32", "32 : f32", "token : f16", "64 : bf16",
          "head : f16"]
FEATURES = [(64, 64), (128, 128), (32, 32), (96, 96), (128, 64), (40, 80)]
HEADS = [(2, 1), (4, 4), (8, 2), (3, 3), (6, 2)]
MASKS = ["causal", "", "causal, window = 50 : i64", "causal, plane_mask = 64 : i64",
         "window = 30 : i64, plane_mask = 32 : i64"]
QUERIES = [1, 64, 17, 130, 1, 65]
KEYS = [128, 64, 192, 256, 320]
KEY_SCALES = SCALES
isExpanded = options[:1] == ["expanded"]
isDecode = options[:1] == ["decode"]
isFront = options[:1] == ["front"]
if isExpanded or isDecode or isFront:
    options = options[1:]
if isDecode:
    KEY_SCALES = SCALES = ["head : f32", "token : f32", "32 : f32", "32 : f16",
                           "64 : bf16", "token : f32"]
    FEATURES = [(64, 64), (128, 128), (96, 96), (32, 32), (128, 64), (40, 80)]
    HEADS = [(4, 1), (3, 3), (4, 2), (6, 2), (8, 2)]
    QUERIES = [1]
    KEYS = [640, 64, 1280, 320, 128]
if isFront:
    KEY_SCALES = ["token : f32", "32 : f32", "token : f16", "64 : bf16"]
    FEATURES = [(128, 128), (64, 64), (96, 128), (40, 24), (128, 64)]
    QUERIES = [130, 64, 17, 257, 65]
if isExpanded:
    KEY_SCALES = ["head : f32", "128 : f16", "head : bf16", "head : f16"]
    SCALES = ["head : f32", "32 : f32", "64 : bf16", "head : f16", "128 : f32",
              "32 : f16"]
    FEATURES = [(128, 128), (64, 64), (96, 128), (128, 64), (40, 80)]
    QUERIES = [130, 64, 17, 257, 65]
    # Above 64 features masks are causal and lengths known and not few.
    WIDE_KEYS = [320, 384, 512]


def program(element, mode, keys, values, d, dv, heads, key_heads, mask, ragged,
            scored, sizes):
    q = "tensor<?x%dx?x%dx%s>" % (heads, d, element)
    k = "tensor<?x%dx?x%dx%s, #sparseflow.ternary<key_planes, scale = %s>>" % (
        key_heads, d, element, keys)
    v = "tensor<?x%dx?x%dx%s%s>" % (key_heads, dv, element, "" if mode == "keys" else
                                   ", #sparseflow.ternary<value_planes, scale = %s>"
                                   % values)
    o = "tensor<?x%dx?x%dx%s>" % (heads, dv, element)
    l = "tensor<?x%dx?xf32>" % heads
    middle = " lengths(%n : tensor<?xi32>)" if ragged else ""
    if scored:
        middle += """ score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %c = arith.constant 5.0 : f32
    %0 = arith.divf %s, %c : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %c : f32
    sparseflow.yield %2 : f32
  }"""
    if mask:
        middle += " {%s}" % mask
    if sizes:  # Batch entries, queries, keys.
        q, o = (text.replace("?", "%d") % (sizes[0], sizes[1]) for text in (q, o))
        k, v = (text.replace("?", "%d") % (sizes[0], sizes[2]) for text in (k, v))
        l = l.replace("?", "%d") % (sizes[0], sizes[1])
    return """func.func @f(%%q: %s, %%k: %s, %%v: %s%s) -> (%s, %s) {
  %%o, %%l = sparseflow.attention %%q, %%k, %%v%s
    : %s, %s, %s -> %s, %s
  return %%o, %%l : %s, %s
}
""" % (q, k, v, ", %n: tensor<?xi32>" if ragged else "", o, l, middle, q, k, v, o, l,
       o, l)


runs = Runs()
masks, heads = itertools.cycle(MASKS), itertools.cycle(HEADS)
features, queries = itertools.cycle(FEATURES), itertools.cycle(QUERIES)
keys = itertools.cycle(KEYS)
for number, (mode, scale) in enumerate(itertools.product(
        ["both", "both"] if isDecode else ["keys", "both", "both", "both"],
        KEY_SCALES)):
    (h, g), (d, dv), mask = next(heads), next(features), next(masks)
    if number % 6 == 5:
        next(features), next(heads)
    ragged = number % 3 == 0 or ("plane_mask" in mask and "causal" not in mask and
                                 "window" not in mask)
    sizes = (1 + number % 2, next(queries), next(keys))
    isStatic = isExpanded and bool(mask) and max(d, dv) > 64
    if isStatic:
        mask = "causal"
        sizes = (*sizes[:2], WIDE_KEYS[number % 3])
    if isExpanded:
        ragged = ragged and mode == "both" and not isStatic
    path = "%s/%d.mlir" % (directory, runs.count)
    with open(path, "w") as file:
        file.write(program("bf16" if number % 5 == 4 else "f16", mode, scale,
                           SCALES[(number * 5 + 1) % 6], d, dv, h, g, mask, ragged,
                           number % 7 == 3, sizes if isStatic else None))
    command = ["sparseflow", "run", path, "--device", device, "--check",
               "--seed", str(number), *options]
    if not isStatic:
        for name, size in zip(("T", "T1", "T2"), sizes):
            command += ["--dim", "%s=%d" % (name, size)]
    if device == "sim":
        command += ["--races", "--schedule-seed", str(number)]
    runs.run(command)
runs.end()
