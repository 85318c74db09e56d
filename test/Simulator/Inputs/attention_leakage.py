"""What attention must not see, and what it must: attention_leakage.py DEVICE
DIRECTORY [OPTION...], options being those of `sparseflow run`.

Runs programs twice on data that differs where it must not matter, and compares
bit by bit; and on data for which the answer is known: equal keys, equal values,
one key, values that make the probabilities visible. No numpy.

With two devices more, for a machine with a GPU and no compiler:
  attention_leakage.py compile DIRECTORY --target T   writes bundles and arguments
  attention_leakage.py exec DIRECTORY [PATH]          runs them by sparseflow-exec
"""

import math
import random
import struct
import subprocess
import sys

import npyfile

device, directory, *options = sys.argv[1:]
calls = 0
# Nothing is known while programs are only compiled.
fail = sys.exit if device != "compile" else lambda message: None
D = 32


def attend(name, q, k, v, attributes="", lengths=None, dv=D, scale=None):
    """One head: q, k, v are lists of rows. Rows of the result, log-sum-exps."""
    if scale is not None:
        attributes = ", ".join(filter(None, [attributes, "scale = %r : f32" % scale]))
    global calls
    calls += 1
    path = "%s/%s%d" % (directory, name, calls)
    types = ["tensor<1x1x%dx%dxf16>" % (len(rows), len(rows[0]))
             for rows in (q, k, v)]
    extra = ", %n: tensor<1xi32>" if lengths is not None else ""
    clause = " lengths(%n : tensor<1xi32>)" if lengths is not None else ""
    out = "tensor<1x1x%dx%dxf32>, tensor<1x1x%dxf32>" % (len(q), dv, len(q))
    with open(path + ".mlir", "w") as file:
        file.write("""func.func @f(%%q: %s, %%k: %s, %%v: %s%s) -> (%s) {
  %%o, %%l = sparseflow.attention %%q, %%k, %%v%s%s : %s -> %s
  return %%o, %%l : %s
}
""" % (*types, extra, out, clause, " {%s}" % attributes if attributes else "",
            ", ".join(types), out, out))
    if device == "compile":
        command = ["sparseflow", "compile", path + ".mlir", "--emit", "bundle", "-o",
                   path, *options]
    elif device == "exec":
        command = [options[0] if options else "sparseflow-exec", path, "--quiet"]
    else:
        command = ["sparseflow", "run", path + ".mlir", "--device", device, *options]
    for index, rows in enumerate((q, k, v)):
        file = "%s.%d.npy" % (path, index)
        npyfile.write(file, (1, 1, len(rows), len(rows[0])),
                      [x for row in rows for x in row])
        if device != "compile":
            command += ["--arg", "%d=%s" % (index, file)]
    if lengths is not None:
        npyfile.write(path + ".3.npy", (1,), [lengths], "<i4")
        if device != "compile":
            command += ["--arg", "3=%s.3.npy" % path]
    if device != "compile":
        command += ["--save-result" if device == "exec" else "-o", path + ".out.npy"]
    done = subprocess.run(command,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout))
    if device == "compile":
        return [[1.0] * dv] * len(q), [0.0] * len(q)
    _, o = npyfile.read(path + ".out.0.npy")
    _, l = npyfile.read(path + ".out.1.npy")
    return [o[i * dv:(i + 1) * dv] for i in range(len(q))], l


def rows(count, seed, width=D, scale=1.0):
    source = random.Random(seed)
    return [[struct.unpack("<e", struct.pack("<e", source.gauss(0, scale)))[0]
             for _ in range(width)] for _ in range(count)]


def same(first, second, wanted, what):
    for i in wanted:
        a = struct.pack("<%df" % len(first[0][i]), *first[0][i])
        b = struct.pack("<%df" % len(second[0][i]), *second[0][i])
        if a != b or first[1][i] != second[1][i]:
            fail("%s: row %d differs" % (what, i))


def differs(first, second, row, what):
    if first[0][row] == second[0][row]:
        fail("%s: row %d should differ" % (what, row))


checks = 0
for length in (59, 113):
    q, k, v = rows(length, 1), rows(length, 2), rows(length, 3)
    base = attend("base", q, k, v, "causal")
    for cut in (0, 15, 16, length - 2):
        # Keys and values behind `cut` change; rows up to it do not.
        k2, v2 = k[:cut + 1], v[:cut + 1]
        k2 += [[5e4] * D] * (length - cut - 1)
        v2 += [[-6e4] * D] * (length - cut - 1)
        other = attend("future", q, k2, v2, "causal")
        same(base, other, range(cut + 1), "causal, keys after %d" % cut)
        differs(base, other, length - 1, "causal, keys after %d" % cut)
        checks += 1
    # The first rows are those of fewer queries and keys.
    part = attend("prefix", q[:31], k[:31], v[:31], "causal")
    same(base, part, range(31), "prefix")
    # One key: its value, exactly.
    if list(base[0][0]) != v[0]:
        fail("row 0 should be the first value")
    # A window: what lies before it does not matter.
    base = attend("window", q, k, v, "causal, window = 9 : i64")
    k2 = [[5e4] * D] * 20 + k[20:]
    v2 = [[-6e4] * D] * 20 + v[20:]
    other = attend("past", q, k2, v2, "causal, window = 9 : i64")
    same(base, other, range(28, length), "window")
    differs(base, other, 27, "window")
    # A length: what lies behind it does not matter, not even if it is no number.
    base = attend("length", q, k, v, "causal", lengths=37)
    k2 = k[:37] + [[math.nan] * D] * (length - 37)
    v2 = v[:37] + [[math.inf] * D] * (length - 37)
    other = attend("behind", q, k2, v2, "causal", lengths=37)
    same(base, other, range(length), "length")
    # The first queries stand before the first key then.
    for i in range(length - 37):
        if any(base[0][i]) or base[1][i] != -math.inf:
            fail("row %d should be empty" % i)
    checks += 4
    # Equal keys: means of the values that are seen, and no others.
    o, lse = attend("equal", q, [[0.0] * D] * length, v, "causal")
    for i in range(length):
        for d in range(D):
            mean = sum(row[d] for row in v[:i + 1]) / (i + 1)
            if abs(o[i][d] - mean) > 2e-3:
                fail("row %d should be the mean of %d values" % (i, i + 1))
        if abs(lse[i] - math.log(i + 1)) > 1e-5:
            fail("row %d: log-sum-exp %g" % (i, lse[i]))
    # Equal values, and scores far below zero: neither the maximum nor the sum
    # may begin with a zero of their own.
    o, lse = attend("negative", [[4.0] * D] * length, [[-1.0] * D] * length,
                    [[1.0] * D] * length, "causal", scale=1.0)
    for i in range(length):
        if any(abs(x - 1) > 1e-6 for x in o[i]):
            fail("row %d should be ones" % i)
        if abs(lse[i] - (math.log(i + 1) - 4 * D)) > 1e-4:
            fail("row %d: log-sum-exp %g" % (i, lse[i]))
    checks += 2

# Stage by stage: values that are unit vectors make probabilities visible; with
# the log-sum-exp they give the scores back, to compare with sums of products.
count = 48
q, k = rows(17, 4), rows(count, 5)
unit = [[1.0 if i == j else 0.0 for j in range(count)] for i in range(count)]
p, lse = attend("stages", q, k, unit, dv=count, scale=0.125)
for i in range(17):
    scores = [0.125 * sum(a * b for a, b in zip(q[i], key)) for key in k]
    exact = math.log(sum(map(math.exp, scores)))
    if abs(lse[i] - exact) > 2e-6 * (1 + abs(exact)):
        fail("statistics of row %d: %r, expected %r" % (i, lse[i], exact))
    for j in range(count):
        found = math.log(p[i][j]) + lse[i]
        # Probabilities are rounded to eleven bits.
        if abs(found - scores[j]) > 1e-3:
            fail("score %d, %d: %r, expected %r" % (i, j, found, scores[j]))
checks += 1

# Scores that grow from stage to stage (stages are visited from the last key on),
# for some rows by much and for others by little: maxima may lag behind for the
# latter, but neither a statistic nor a probability may be wrong for that.
count = 96
q = [[(0.05 if i % 3 else 1.0) * x for x in row]
     for i, row in enumerate(rows(19, 6))]
k = [[(8.0 if j < 48 else 0.5) * x for x in row]
     for j, row in enumerate(rows(count, 7))]
unit = [[1.0 if i == j else 0.0 for j in range(count)] for i in range(count)]
q, k = [[[struct.unpack("<e", struct.pack("<e", x))[0] for x in row]
         for row in part] for part in (q, k)]
p, lse = attend("growing", q, k, unit, dv=count, scale=0.5)
for i in range(19):
    scores = [0.5 * sum(a * b for a, b in zip(q[i], key)) for key in k]
    most = max(scores)
    exact = most + math.log(sum(math.exp(s - most) for s in scores))
    if abs(lse[i] - exact) > 4e-6 * (1 + abs(exact)):
        fail("growing: statistics of row %d: %r, expected %r" % (i, lse[i], exact))
    for j in range(count):
        wanted = math.exp(scores[j] - exact)
        if abs(p[i][j] - wanted) > 1e-3 * wanted + 1e-6:
            fail("growing: probability %d, %d: %r, expected %r" %
                     (i, j, p[i][j], wanted))
checks += 1
print("%d checks" % checks)
