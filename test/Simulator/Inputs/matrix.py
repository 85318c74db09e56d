"""Products of many kinds on the simulator: matrix.py TARGET DIRECTORY.

Type x pattern x epilogue x result type x odd sizes, each checked against float64
with the race detector on. The sizes rotate through the lists, so that every kind
meets several of them. Prints what fails and, at the end, the number of runs.
"""

import itertools
import subprocess
import sys

target, directory = sys.argv[1:]

PROGRAM = """\
func.func @f(%x: tensor<?x{k}x{t}>, %w: tensor<{n}x{k}x{t}{pattern}>,
             %b: tensor<{n}x{t}>, %r: tensor<?x{n}x{t}>) -> tensor<?x{n}x{o}> {{
  %y = sparseflow.matmul %x, %w
      epilogue(%b, %r : tensor<{n}x{t}>, tensor<?x{n}x{t}>)
      as [per_feature, full] {{
  ^bb0(%acc: f32, %b_: {t}, %r_: {t}):
    %bias = arith.extf %b_ : {t} to f32
    %residual = arith.extf %r_ : {t} to f32
{body}    sparseflow.yield %out : {o}
  }} : tensor<?x{k}x{t}>, tensor<{n}x{k}x{t}{pattern}> -> tensor<?x{n}x{o}>
  return %y : tensor<?x{n}x{o}>
}}
"""

EPILOGUES = {
    "plain": "    %v = arith.addf %acc, %bias : f32\n",
    "residual": "    %u = arith.addf %acc, %bias : f32\n"
                "    %v = arith.addf %u, %residual : f32\n",
    "tanh": "    %u = arith.addf %acc, %bias : f32\n"
            "    %a = math.tanh %u : f32\n"
            "    %v = arith.addf %a, %residual : f32\n",
}
# The patterned side of a 2:4 weight is a multiple of 4.
SPARSE_K = itertools.cycle([4, 36, 60, 64, 100, 132, 260])
DENSE_K = itertools.cycle([1, 7, 33, 59, 64, 97, 111, 257])
FEATURES = itertools.cycle([1, 8, 9, 59, 64, 97, 111, 128, 257])
TOKENS = itertools.cycle([1, 7, 8, 9, 59, 97, 111, 257])

runs = failures = 0
for kind in itertools.product(["f16", "bf16"], [True, False], EPILOGUES,
                              [False, True]):
    element, sparse, epilogue, wide = kind
    for repeat in range(2):
        result = "f32" if wide else element
        body = EPILOGUES[epilogue]
        if wide:
            body = body.replace("%v =", "%out =")
        else:
            body += "    %%out = arith.truncf %%v : f32 to %s\n" % element
        path = "%s/%d.mlir" % (directory, runs)
        with open(path, "w") as file:
            file.write(PROGRAM.format(
                k=next(SPARSE_K if sparse else DENSE_K), n=next(FEATURES),
                t=element, o=result, body=body,
                pattern=", #sparseflow.nm<2:4>" if sparse else ""))
        command = ["sparseflow", "run", path, "--device", "sim", "--target",
                   target, "--dim", "T=%d" % next(TOKENS), "--check", "--races",
                   "--schedule-seed", str(runs)]
        if runs % 5 == 4:
            command.append("--unaligned")
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        runs += 1
        if done.returncode:
            failures += 1
            print("FAILED", *command)
            print(done.stdout)
print("%d runs, %d failures" % (runs, failures))
sys.exit(failures != 0)
