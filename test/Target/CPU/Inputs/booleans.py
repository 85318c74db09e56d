"""booleans.py SPARSEFLOW DIR: a stored mask against the same in Python.

out[t, n] = max(x, y)[t, n] + |{n : x[t, n] > y[t, n]}|, the count through a
transposed copy of the mask. The values are small integers: every sum is exact.
"""

import random
import subprocess
import sys

import npyfile

PROGRAM = """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @mask(%x: tensor<?xNxf32>, %y: tensor<?xNxf32>) -> tensor<?xNxf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?xNxf32>
  %e0 = tensor.empty(%t) : tensor<?xNxi1>
  %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?xNxf32>, tensor<?xNxf32>) outs(%e0 : tensor<?xNxi1>) {
  ^bb0(%a: f32, %b: f32, %o: i1):
    %c = arith.cmpf ogt, %a, %b : f32
    linalg.yield %c : i1
  } -> tensor<?xNxi1>
  %e1 = tensor.empty(%t) : tensor<Nx?xi1>
  %across = linalg.transpose ins(%mask : tensor<?xNxi1>) outs(%e1 : tensor<Nx?xi1>) permutation = [1, 0]
  %e2 = tensor.empty(%t) : tensor<?xNxf32>
  %larger = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x, %y : tensor<?xNxi1>, tensor<?xNxf32>, tensor<?xNxf32>) outs(%e2 : tensor<?xNxf32>) {
  ^bb0(%c: i1, %a: f32, %b: f32, %o: f32):
    %s = arith.select %c, %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xNxf32>
  %e3 = tensor.empty(%t) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  %count = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%across : tensor<Nx?xi1>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%c: i1, %sum: f32):
    %s = arith.select %c, %one, %zero : f32
    %next = arith.addf %sum, %s : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %out = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%larger, %count : tensor<?xNxf32>, tensor<?xf32>) outs(%e2 : tensor<?xNxf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xNxf32>
  return %out : tensor<?xNxf32>
}
"""


def main():
    sparseflow, folder = sys.argv[1:]
    random.seed(0)
    programs = wrong = 0
    for n in (1, 8, 16, 37, 48, 100):
        with open(f"{folder}/mask.mlir", "w") as file:
            file.write(PROGRAM.replace("N", str(n)))
        for t in (1, 3, 8, 33, 65):
            x = [float(random.randint(-9, 9)) for _ in range(t * n)]
            y = [float(random.randint(-9, 9)) for _ in range(t * n)]
            npyfile.write(f"{folder}/x.npy", (t, n), x, "<f4")
            npyfile.write(f"{folder}/y.npy", (t, n), y, "<f4")
            subprocess.run(
                [sparseflow, "run", f"{folder}/mask.mlir", "--device", "cpu",
                 "--dim", f"T={t}", "--arg", f"x={folder}/x.npy",
                 "--arg", f"y={folder}/y.npy", "-o", f"{folder}/out.npy"],
                check=True, stdout=subprocess.DEVNULL)
            expected = []
            for row in range(t):
                a, b = x[row * n:][:n], y[row * n:][:n]
                count = sum(p > q for p, q in zip(a, b))
                expected += [max(p, q) + count for p, q in zip(a, b)]
            programs += 1
            if list(npyfile.read(f"{folder}/out.npy")[1]) != expected:
                wrong += 1
                print(f"wrong: T={t} N={n}")
    print(f"{programs} programs, {wrong} wrong")


main()
