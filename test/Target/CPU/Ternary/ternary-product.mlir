// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary | FileCheck %s --check-prefix=MARKS
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx512vnni" | FileCheck %s --check-prefix=VNNI --implicit-check-not=sparseflow.ternary
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="int8-dot=avx2" | FileCheck %s --check-prefix=AVX2 --implicit-check-not=vpdpbusd
// RUN: sparseflow-opt %s --sparseflow-cpu-lower-ternary --sparseflow-lower-to-linalg --sparseflow-cpu="lookup-tokens=16" | FileCheck %s --check-prefix=PORTABLE --implicit-check-not=llvm.x86

// The sums and the scales of rows read packed bytes, and say so.
// MARKS-LABEL: func.func @row
// MARKS-SAME: %[[X:.*]]: tensor<?x300xi8>, %[[W:.*]]: tensor<12544xi8>
// MARKS: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]] : tensor<?x300xi8>) outs({{.*}} : tensor<?x70xi32>) attrs = {sparseflow.ternary_plane = 0 : i64, sparseflow.ternary_sums = #sparseflow.storage<"tern.v1", 70x300xf16, <codes, scale = row : f16>>}
// MARKS: tensor.extract %[[W]]
// MARKS: %[[SCALES:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<70xf32>) attrs = {sparseflow.ternary_plane = 0 : i64, sparseflow.ternary_scales =
// MARKS: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[SUMS]], %[[SCALES]] : tensor<?x70xi32>, tensor<70xf32>)

// VNNI-LABEL: llvm.func @row
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// AVX2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"
// AVX2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// PORTABLE: llvm.mul %{{.*}}, %{{.*}} : vector<16xi32>
func.func @row(%x: tensor<?x300xi8>, %w: tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>>) -> tensor<?x70xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x300xi8>, tensor<70x300xf16, #sparseflow.ternary<codes, scale = row : f16>> -> tensor<?x70xf32>
  return %y : tensor<?x70xf32>
}

// Groups, other layouts and float activations have no vector form.
// MARKS-LABEL: func.func @others
// MARKS-NOT: sparseflow.ternary_sums
func.func @others(%x: tensor<4x256xi8>, %f: tensor<4x256xf16>,
                  %g: tensor<8x256xf16, #sparseflow.ternary<codes, scale = 128 : f32>>,
                  %b: tensor<8x256xf16, #sparseflow.ternary<base3, scale = row : f32>>,
                  %c: tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = sparseflow.matmul %x, %g {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xi8>, tensor<8x256xf16, #sparseflow.ternary<codes, scale = 128 : f32>> -> tensor<4x8xf32>
  %1 = sparseflow.matmul %x, %b {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xi8>, tensor<8x256xf16, #sparseflow.ternary<base3, scale = row : f32>> -> tensor<4x8xf32>
  %2 = sparseflow.matmul %f, %c {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<4x256xf16>, tensor<8x256xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
