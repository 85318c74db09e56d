"""What attention on planes must not see, and what it must:
ternary_attention_leakage.py DEVICE DIRECTORY [expanded] [OPTION...], options being
those of `sparseflow run`; `expanded` takes scales of heads, which products of
warpgroups have kernels for.

The eight tests of a mask that is one, with ternary keys and with ternary keys and
values. Programs run twice on planes that differ where it must not matter, and are
compared bit by bit; and on planes for which the answer is known. No numpy.
"""

import math
import random
import struct
import subprocess
import sys

import npyfile

device, directory, *options = sys.argv[1:]
D, ROOM = 64, 128
ENCODINGS = {
    "keys": ("key_planes, scale = head : f32", None),
    "both": ("key_planes, scale = token : f32", "value_planes, scale = token : f32"),
}
# All positions have one scale then, so that other trits are what may differ.
isExpanded = options[:1] == ["expanded"]
if isExpanded:
    options = options[1:]
    ENCODINGS = {"both": ("key_planes, scale = head : f32",
                          "value_planes, scale = head : f32")}
OTHER = {-1: 0, 0: 1, 1: -1}


def flat(tensor):
    if isinstance(tensor, list):
        return [x for part in tensor for x in flat(part)]
    return [tensor]


def tensor_type(heads, encoding):
    suffix = ", #sparseflow.ternary<%s>" % encoding if encoding else ""
    return "tensor<1x%dx%%dx%dxf16%s>" % (heads, D, suffix)


def attend(mode, q, k, v, length, attributes="causal", scale=None):
    """q: heads of rows; k, v: key heads of ROOM rows. Heads of rows of the result
    and the log-sum-exps, both as bytes and as numbers."""
    keys, values = ENCODINGS[mode]
    if scale is not None:
        attributes += ", scale = %r : f32" % scale
    types = [tensor_type(len(q), None) % len(q[0]),
             tensor_type(len(k), keys) % ROOM, tensor_type(len(v), values) % ROOM]
    out = "tensor<1x%dx%dx%dxf32>, tensor<1x%dx%dxf32>" % (
        len(q), len(q[0]), D, len(q), len(q[0]))
    path = directory + "/case"
    with open(path + ".mlir", "w") as file:
        file.write("""func.func @f(%%q: %s, %%k: %s, %%v: %s, %%n: tensor<1xi32>) -> (%s) {
  %%o, %%l = sparseflow.attention %%q, %%k, %%v lengths(%%n : tensor<1xi32>) {%s, plane_mask = 64 : i64} : %s -> %s
  return %%o, %%l : %s
}
""" % (*types, out, attributes, ", ".join(types), out, out))
    command = ["sparseflow", "run", path + ".mlir", "--device", device, *options]
    for index, tensor in enumerate((q, k, v)):
        file = "%s.%d.npy" % (path, index)
        npyfile.write(file, (1, len(tensor), len(tensor[0]), D), flat(tensor))
        command += ["--arg", "%d=%s" % (index, file)]
    npyfile.write(path + ".3.npy", (1,), [length], "<i4")
    command += ["--arg", "3=%s.3.npy" % path]
    done = subprocess.run(command + ["-o", path + ".out.npy"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout))
    _, o = npyfile.read(path + ".out.0.npy")
    _, l = npyfile.read(path + ".out.1.npy")
    rows = len(q[0])
    return ([[o[(h * rows + i) * D:(h * rows + i + 1) * D] for i in range(rows)]
             for h in range(len(q))],
            [l[h * rows:(h + 1) * rows] for h in range(len(q))])


def numbers(heads, count, seed):
    source = random.Random(seed)
    return [[[struct.unpack("<e", struct.pack("<e", source.gauss(0, 1)))[0]
              for _ in range(D)] for _ in range(count)] for _ in range(heads)]


def trits(heads, seed, scale=1.0):
    source = random.Random(seed)
    return [[[scale * source.choice((-1, 0, 1)) for _ in range(D)]
             for _ in range(ROOM)] for _ in range(heads)]


def equal(mode, seed, heads=1):
    """Values: full, or ternary with a scale for each token."""
    if mode == "keys":
        return numbers(heads, ROOM, seed)
    tokens = trits(heads, seed)
    if isExpanded:
        return tokens
    return [[[(1 + t % 4) * x for x in row] for t, row in enumerate(head)]
            for head in tokens]


def same(first, second, head, wanted, what):
    for i in wanted:
        if (struct.pack("<%df" % D, *first[0][head][i]) !=
                struct.pack("<%df" % D, *second[0][head][i]) or
                first[1][head][i] != second[1][head][i]):
            sys.exit("%s: head %d, row %d differs" % (what, head, i))


def differs(first, second, head, row, what):
    if first[0][head][row] == second[0][head][row]:
        sys.exit("%s: head %d, row %d should differ" % (what, head, row))


checks = 0
for mode in ENCODINGS:
    # Not a multiple of a tile, of a page, and a whole one.
    for length in (59, 113, 128):
        q, k, v = numbers(1, length, 1), trits(1, 2), equal(mode, 3)
        base = attend(mode, q, k, v, length)
        # 1. Other planes and scales behind `cut` change nothing up to it.
        for cut in {59: (0, 31), 113: (63, 64), 128: (15, 126)}[length]:
            # One scale for the head: the bits change only.
            factor = 1.0 if mode == "keys" or isExpanded else 7.0
            k2 = [k[0][:cut + 1] + [[factor * OTHER[x] for x in row]
                                    for row in k[0][cut + 1:]]]
            v2 = [v[0][:cut + 1] + (
                [[OTHER[x] for x in row] for row in v[0][cut + 1:]] if isExpanded
                else [[6e4] * D] * (ROOM - cut - 1))]
            other = attend(mode, q, k2, v2, length)
            same(base, other, 0, range(cut + 1), "keys after %d" % cut)
            differs(base, other, 0, length - 1, "keys after %d" % cut)
            checks += 1
        # 2. One key: its value, exactly.
        if list(base[0][0][0]) != v[0][0]:
            sys.exit("row 0 should be the first value")
        # 7. The first rows are those of fewer queries and keys.
        part = attend(mode, [q[0][:31]], k, v, 31)
        same(base, part, 0, range(31), "prefix")
        checks += 2
    length = 113
    # 3. Keys of zeros: means of the values that are seen, and of no others.
    o, lse = attend(mode, q[:1], [[[0.0] * D] * ROOM], v, 128)
    for i in range(128):
        for d in range(D):
            seen = [row[d] for row in v[0][:i + 1]]
            size = sum(map(abs, seen)) / (i + 1)
            if abs(o[0][i][d] - sum(seen) / (i + 1)) > 1e-3 * (1 + size):
                sys.exit("row %d should be the mean of %d values" % (i, i + 1))
        if abs(lse[0][i] - math.log(i + 1)) > 1e-5:
            sys.exit("row %d: log-sum-exp %g" % (i, lse[0][i]))
    # 4 and 5. Scores far below zero, and values that are all 1: neither the
    # maximum nor the sum may begin with a zero of its own, nor count a masked key.
    ones = [[[1.0] * D] * ROOM]
    o, lse = attend(mode, [[[1.25] * D] * length], [[[-1.0] * D] * ROOM], ones,
                    length, scale=1.0)
    for i in range(length):
        # Exponents near 115 are rounded to 2^-18; a masked key would be e^80.
        if any(abs(x - 1) > 1e-5 for x in o[0][i]):
            sys.exit("row %d should be ones" % i)
        if abs(lse[0][i] - (math.log(i + 1) - 80)) > 1e-4:
            sys.exit("row %d: log-sum-exp %g" % (i, lse[0][i]))
    # 6. More queries than keys: the first rows see nothing.
    o, lse = attend(mode, numbers(1, 70, 5), k, v, 50)
    for i in range(70):
        if any(o[0][i]) == (i < 20) or (lse[0][i] == -math.inf) != (i < 20):
            sys.exit("row %d should be %s" % (i, "empty" if i < 20 else "filled"))
    # 8. Heads: other planes of the second key head change its queries, only.
    q, k, v = numbers(4, 33, 6), trits(2, 7), equal(mode, 8, heads=2)
    base = attend(mode, q, k, v, 97)
    other = attend(mode, q, [k[0], trits(1, 9)[0]], v, 97)
    for head in range(2):
        same(base, other, head, range(33), "the first key head")
        differs(base, other, head + 2, 32, "the second key head")
    checks += 4
    # One query, whose heads share a tile and whose keys may be divided.
    one = attend(mode, numbers(4, 1, 10), k, v, 77)
    k2 = [[row if t < 77 else [1.0] * D for t, row in enumerate(head)] for head in k]
    v2 = [[row if t < 77 else [1.0 if isExpanded else 6e4] * D
           for t, row in enumerate(head)] for head in v]
    other = attend(mode, numbers(4, 1, 10), k2, v2, 77)
    for head in range(4):
        same(one, other, head, range(1), "one query")
    checks += 1
print("%d checks" % checks)
