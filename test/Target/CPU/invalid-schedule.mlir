// RUN: not sparseflow-opt %s --sparseflow-cpu="lanes=12" 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not sparseflow-opt %s --sparseflow-cpu="block-depth=0" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not sparseflow-opt %s --sparseflow-cpu="elementwise-unit=0" 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not sparseflow-opt %s --sparseflow-cpu="int8-dot=avx1" 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not sparseflow-opt %s --sparseflow-cpu="lookup-tokens=-1" 2>&1 | FileCheck %s --check-prefix=LOOKUP

// DOT: sparseflow-cpu-ternary-product: expected int8-dot to be portable, avx2 or avx512vnni, found 'avx1'
// LOOKUP: sparseflow-cpu-ternary-product: expected lookup-tokens to be at least 0, found -1
// LANES: expected lanes to be a power of two and every size at least 1, found lanes 12
// DEPTH: expected lanes to be a power of two and every size at least 1, {{.*}} x 0
// UNIT: expected lanes to be a power of two and unit to be at least 1, found lanes 8 and unit 0
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
