// Some rows of two results: of one query a row of log-sum-exps is one number.
// RUN: sparseflow run %s --device cpu --dim T=40 --check=sampled:7 | FileCheck %s
// CHECK: result 0: ok, 112 elements of 7 of 320 rows
// CHECK: result 1: ok, 7 elements of 7 of 320 rows
func.func @one(%q: tensor<?x8x1x16xf16>, %k: tensor<?x2x24x16xf16>, %v: tensor<?x2x24x16xf16>)
    -> (tensor<?x8x1x16xf16>, tensor<?x8x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v
    : tensor<?x8x1x16xf16>, tensor<?x2x24x16xf16>, tensor<?x2x24x16xf16> -> tensor<?x8x1x16xf16>, tensor<?x8x1xf32>
  return %o, %l : tensor<?x8x1x16xf16>, tensor<?x8x1xf32>
}
