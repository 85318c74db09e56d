// New tokens of dense caches in pages that a table names, in any order and in both
// layouts: some of them before the first position or behind the last, computed where
// they are written, and read by attention through the same table. Every other element
// keeps its bits. Unused pages and rows behind a length are of no weight.

// RUN: %python %S/../../Inputs/write_lengths.py %t
// RUN: sparseflow run %s --device sim --races --entry bshd --check --dim T=7 --dim T1=37 --arg n=%t/low.npy --arg table=%t/table.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --unaligned --target sm_90a --entry bshd --check --dim T=7 --dim T1=37 --arg n=%t/taken.npy --arg table=%t/table.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --target sm_90a --entry negated --check --dim T=33 --arg n=%t/low.npy --arg table=%t/table.npy | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry negated --check --dim T=33 --arg n=%t/taken.npy --arg table=%t/table.npy | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry bshd --check --dim T=7 --dim T1=37 --arg n=%t/low.npy --arg table=%t/table.npy | FileCheck %s
// RUN: sparseflow run %s --device sim --races --entry decode --check --arg n=%t/taken.npy --arg all=%t/all.npy --arg table=%t/table.npy | FileCheck %s --check-prefix=DECODE
// RUN: sparseflow run %s --device sim --races --target sm_90a --entry decode --check --arg n=%t/taken.npy --arg all=%t/all.npy --arg table=%t/table.npy | FileCheck %s --check-prefix=DECODE
// RUN: sparseflow run %s --device cpu --entry decode --check --arg n=%t/taken.npy --arg all=%t/all.npy --arg table=%t/table.npy | FileCheck %s --check-prefix=DECODE
// RUN: sparseflow run %s --device sim --races --entry one --check --dim T=5 | FileCheck %s
// RUN: sparseflow run %s --device cpu --entry one --check --dim T=5 | FileCheck %s
// CHECK: result 0: ok
// DECODE: result 0: ok
// DECODE: result 1: ok
// DECODE: result 2: ok


// A table's entry that is no page: the tokens are dropped, and a checked run says so.
// RUN: sparseflow run %s --device cpu --entry bshd --dim T=7 --dim T1=37 --arg n=%t/low.npy --arg table=%t/wrong.npy
// RUN: sparseflow run %s --device sim --entry bshd --dim T=7 --dim T1=37 --arg n=%t/low.npy --arg table=%t/wrong.npy
// RUN: not sparseflow run %s --device cpu --entry bshd --check --dim T=7 --dim T1=37 --arg n=%t/low.npy --arg table=%t/wrong.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: argument 3 ('table') holds 7 at [0, 0], the page of position 3, expected 0 to 6

// Random tables: each page that is written is one text's, whatever the seed. One page for
// two texts that write there is refused by a checked run.
// RUN: sparseflow run %s --device sim --races --entry decode --check --seed 1 | FileCheck %s --check-prefix=DECODE
// RUN: sparseflow run %s --device sim --races --target sm_90a --entry decode --check --seed 2 | FileCheck %s --check-prefix=DECODE
// RUN: sparseflow run %s --device sim --races --entry bshd --check --dim T=6 --dim T1=33 | FileCheck %s
// RUN: not sparseflow run %s --device cpu --entry bshd --check --dim T=3 --dim T1=33 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: argument 3 ('table'): expected 6 pages, since new tokens are written through so many entries of the table and no two may have one place, found 3 in argument 0 ('cache'); give more (--dim T=6), or a table (--arg 3=FILE.npy)
// RUN: not sparseflow run %s --device cpu --entry negated --check --dim T=33 --arg n=%t/low.npy --arg table=%t/same.npy 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: argument 3 ('table') gives token 2 of batch entry 1 row 0 of page 0, where token 13 of batch entry 0 is, expected a place for each; share pages that are only read

func.func @bshd(%cache: tensor<?x16x2x24xf16>, %new: tensor<2x?x2x24xf16>,
                %n: tensor<2xi32>, %table: tensor<2x3xi32>)
    -> tensor<?x16x2x24xf16> {
  %0 = sparseflow.cache_append %cache, %new at %n pages(%table : tensor<2x3xi32>)
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x16x2x24xf16>, tensor<2x?x2x24xf16>, tensor<2xi32>
  return %0 : tensor<?x16x2x24xf16>
}

// One token and as many pages as the caller has: no loop is left on the CPU.
func.func @one(%cache: tensor<?x16x2x24xf16>, %new: tensor<1x1x2x24xf16>,
               %n: tensor<1xi32>, %table: tensor<1x3xi32>)
    -> tensor<?x16x2x24xf16> {
  %0 = sparseflow.cache_append %cache, %new at %n pages(%table : tensor<1x3xi32>)
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<?x16x2x24xf16>, tensor<1x1x2x24xf16>, tensor<1xi32>
  return %0 : tensor<?x16x2x24xf16>
}

#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @negated(%cache: tensor<7x3x16x5xbf16>, %new: tensor<2x3x?x5xbf16>,
                   %n: tensor<2xi32>, %table: tensor<2x3xi32>)
    -> tensor<7x3x16x5xbf16> {
  %c2 = arith.constant 2 : index
  %t = tensor.dim %new, %c2 : tensor<2x3x?x5xbf16>
  %e = tensor.empty(%t) : tensor<2x3x?x5xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%new : tensor<2x3x?x5xbf16>) outs(%e : tensor<2x3x?x5xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %y = arith.negf %x : bf16
    linalg.yield %y : bf16
  } -> tensor<2x3x?x5xbf16>
  %0 = sparseflow.cache_append %cache, %d at %n pages(%table : tensor<2x3xi32>)
    : tensor<7x3x16x5xbf16>, tensor<2x3x?x5xbf16>, tensor<2xi32>
  return %0 : tensor<7x3x16x5xbf16>
}

func.func @decode(%k: tensor<7x16x2x64xf16>, %v: tensor<7x16x2x64xf16>,
                  %kn: tensor<2x1x2x64xf16>, %vn: tensor<2x1x2x64xf16>,
                  %q: tensor<2x1x4x64xf16>, %n: tensor<2xi32>, %all: tensor<2xi32>,
                  %table: tensor<2x3xi32>)
    -> (tensor<2x1x4x64xf16>, tensor<7x16x2x64xf16>, tensor<7x16x2x64xf16>) {
  %0 = sparseflow.cache_append %k, %kn at %n pages(%table : tensor<2x3xi32>)
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<7x16x2x64xf16>, tensor<2x1x2x64xf16>, tensor<2xi32>
  %1 = sparseflow.cache_append %v, %vn at %n pages(%table : tensor<2x3xi32>)
    {layout = #sparseflow.attention_layout<bshd>}
    : tensor<7x16x2x64xf16>, tensor<2x1x2x64xf16>, tensor<2xi32>
  %2 = sparseflow.attention %q, %0, %1 lengths(%all : tensor<2xi32>)
    pages(%table : tensor<2x3xi32>) {layout = #sparseflow.attention_layout<bshd>}
    : tensor<2x1x4x64xf16>, tensor<7x16x2x64xf16>, tensor<7x16x2x64xf16>
      -> tensor<2x1x4x64xf16>
  return %2, %0, %1 : tensor<2x1x4x64xf16>, tensor<7x16x2x64xf16>, tensor<7x16x2x64xf16>
}
