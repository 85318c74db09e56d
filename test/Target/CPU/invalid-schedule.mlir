// RUN: not sparseflow-opt %s --sparseflow-cpu="lanes=12" 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not sparseflow-opt %s --sparseflow-cpu="block-depth=0" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not sparseflow-opt %s --sparseflow-cpu="elementwise-unit=0" 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not sparseflow-opt %s --sparseflow-cpu="int8-dot=avx1" 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not sparseflow-opt %s --sparseflow-cpu="lookup-tokens=-1" 2>&1 | FileCheck %s --check-prefix=LOOKUP
// RUN: not sparseflow-opt %s --sparseflow-cpu="prefetch-bytes=-1" 2>&1 | FileCheck %s --check-prefix=PREFETCH
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-vectorize-elementwise{lanes=3}))" 2>&1 | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: not sparseflow-opt %s --pass-pipeline="builtin.module(func.func(sparseflow-cpu-vectorize-reductions{unit=0}))" 2>&1 | FileCheck %s --check-prefix=REDUCTIONS

// DOT: sparseflow-cpu-ternary-product: expected int8-dot to be portable, avx2 or avx512vnni, found 'avx1'
// LOOKUP: sparseflow-cpu-ternary-product: expected lookup-tokens to be at least 0, found -1
// LANES: sparseflow-cpu-tile-matmul: expected lanes to be a power of two and every size at least 1 (rows of direct products and bytes of prefetches 0), found lanes 12
// DEPTH: expected lanes to be a power of two and every size at least 1 {{.*}} x 0, unit
// UNIT: expected lanes to be a power of two and every size at least 1 {{.*}}, unit 0, direct rows 32, prefetch 0
// PREFETCH: prefetch -1
// ELEMENTWISE: sparseflow-cpu-vectorize-elementwise: expected lanes to be a power of two and unit to be at least 1, found lanes 3 and unit 8192
// REDUCTIONS: sparseflow-cpu-vectorize-reductions: expected lanes to be a power of two and unit to be at least 1, found lanes 8 and unit 0
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
