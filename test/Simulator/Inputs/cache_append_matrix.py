"""Appends to ternary caches of many kinds, alone and before attention reads them.

Usage: cache_append_matrix.py cpu|sim DIRECTORY [OPTION...]

Storage x scales x features x tokens x methods x types, each result compared with the
host's append, trit by trit and scale by scale; on the simulator with the race detector
on. Some tokens hold NaNs and infinities, some stand before the cache or past its end.
The lists rotate against one another. Prints what fails and the number of runs.
"""

import itertools
import sys

import npyfile
from matrix_runs import Runs

device, directory, *options = sys.argv[1:]
SCALES = ["token : f32", "head : f32", "32 : f32", "token : f16", "64 : bf16",
          "token : bf16", "128 : f16"]
FEATURES = [64, 128, 32, 96, 40, 256, 130]
TOKENS = [1, 2, 17, 64, 65, 130]
ROOM = [128, 64, 192, 256, 320]
HEADS = [1, 2, 3]


def cache(storage, scale, element, heads, d):
    return "tensor<?x%dx?x%dx%s, #sparseflow.ternary<%s, scale = %s>>" % (
        heads, d, element, storage, scale)


def append(storage, scale, element, heads, d, method):
    c = cache(storage, scale, element, heads, d)
    t = "tensor<?x%dx?x%dx%s>" % (heads, d, element)
    return """func.func @f(%%c: %s, %%t: %s, %%n: tensor<?xi32>) -> %s {
  %%r = sparseflow.cache_append %%c, %%t at %%n by <%s> : %s, %s, tensor<?xi32>
  return %%r : %s
}
""" % (c, t, c, method, c, t, c)


def step(scale, element, heads, d, method):
    k = cache("key_planes", scale, element, heads, d)
    v = cache("value_planes", scale, element, heads, d)
    t = "tensor<?x%dx?x%dx%s>" % (heads, d, element)
    q = "tensor<?x%dx?x%dx%s>" % (4 * heads, d, element)
    n = "tensor<?xi32>"
    return """func.func @f(%%k: %s, %%s: %s, %%n: %s, %%v: %s, %%t: %s, %%q: %s,
                  %%m: %s) -> (%s, %s, %s) {
  %%k1 = sparseflow.cache_append %%k, %%s at %%n by <%s> : %s, %s, %s
  %%v1 = sparseflow.cache_append %%v, %%t at %%n by <%s> : %s, %s, %s
  %%o = sparseflow.attention %%q, %%k1, %%v1 lengths(%%m : %s) {causal}
    : %s, %s, %s -> %s
  return %%o, %%k1, %%v1 : %s, %s, %s
}
""" % (k, t, n, v, t, q, n, q, k, v, method, k, t, n, method, v, t, n, n, q, k, v, q, q,
       k, v)


runs = Runs()
features, rooms = itertools.cycle(FEATURES), itertools.cycle(ROOM)
heads = itertools.cycle(HEADS)
for number, (storage, scale, count) in enumerate(itertools.product(
        ["key_planes", "value_planes", "step"], SCALES, [0, 1])):
    d, g, room = next(features), next(heads), next(rooms)
    tokens = TOKENS[(number + count) % len(TOKENS)]
    if storage == "step":
        d, tokens = min(d, 128), 1 + 2 * count
    if number % 7 == 6:
        next(features)
    element = "bf16" if number % 4 == 3 else "f16"
    method = ["twn", "absmean"][number // 3 % 2]
    if device == "sim" and number % 3 == 1:
        continue
    path = "%s/%d.mlir" % (directory, number)
    lengths = "%s/%d.npy" % (directory, number)
    with open(path, "w") as file:
        file.write(step(scale, element, g, d, method) if storage == "step" else
                   append(storage, scale, element, g, d, method))
    # What lies outside is dropped; behind everything nothing changes.
    taken = [[room - tokens, 3], [-1, room - 1], [63, 0], [room + 5, 61],
             [-200, 64]][number % 5]
    npyfile.write(lengths, [2], taken, "<i4")
    command = ["sparseflow", "run", path, "--device", device, "--check",
               "--dim", "T1=%d" % room, "--dim", "T2=%d" % tokens,
               "--arg", "2=" + lengths, "--seed", str(number), *options]
    if number % 6 == 4:
        command += ["--arg", "1=special:%d" % number]
    if storage == "step":
        command += ["--dim", "T3=%d" % tokens, "--dim", "T4=%d" % (1 + 4 * count)]
    if device == "sim":
        command += ["--races", "--schedule-seed", str(number)]
    runs.run(command)
runs.end()
