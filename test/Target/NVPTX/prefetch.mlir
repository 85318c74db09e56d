// What a kernel reads from memory in every step of a model, the weights of a
// norm and the scales of a matmul's weights, is on its way to the L2 cache
// before the kernel waits for those before it.
//
// RUN: sparseflow compile %s --target sm_90a --activations i8 --emit ptx -o - | FileCheck %s
// RUN: sparseflow compile %s --target sm_80 --activations i8 --emit ptx -o - | FileCheck %s --check-prefix=APART
// RUN: sparseflow run --device sim --check --races --target sm_90a --activations i8 %s --dim T=1 | FileCheck %s --check-prefix=RIGHT
// RUN: sparseflow run --device sim --check --races --target sm_90a --activations i8 %s --dim T=3 | FileCheck %s --check-prefix=RIGHT
// RUN: sparseflow run --device sim --check --races --target sm_90a --activations i8 %s --dim T=40 | FileCheck %s --check-prefix=RIGHT
// RIGHT: check result 0: ok
// APART-NOT: prefetch
// APART-NOT: griddepcontrol

// 1536 bytes, 32 of which a thread of the warp brings at a time, by few blocks.
// CHECK-LABEL: .entry norm_1_rows_quantize(
// CHECK: setp.gt.u32 {{%p[0-9]+}}, {{%r[0-9]+}}, 3;
// CHECK-COUNT-2: prefetch.global.L2
// CHECK-NOT: prefetch
// CHECK: griddepcontrol.wait
// The scales of a block's features.
// CHECK-LABEL: .entry norm_2_a(
// CHECK: prefetch.global.L2
// CHECK-NOT: prefetch
// CHECK: griddepcontrol.wait
// CHECK-LABEL: .entry norm_2_b(
// CHECK: prefetch.global.L2
// CHECK-NOT: prefetch
// CHECK: griddepcontrol.wait
#row = affine_map<(t, k) -> (t)>
#column = affine_map<(t, k) -> (k)>
#full = affine_map<(t, k) -> (t, k)>
func.func @norm(%x: tensor<?x384xf16>, %g: tensor<384xf32>, %w: tensor<200x384xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x200xf16> {
  %zero = arith.constant 0.0 : f32
  %k = arith.constant 384.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %T = tensor.dim %x, %c0 : tensor<?x384xf16>
  %empty = tensor.empty(%T) : tensor<?x384xf16>
  %sums = tensor.empty(%T) : tensor<?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x384xf16>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: f16, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %term = arith.mulf %wide, %wide : f32
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %norm = linalg.generic {indexing_maps = [#full, #row, #column, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares, %g : tensor<?x384xf16>, tensor<?xf32>, tensor<384xf32>) outs(%empty : tensor<?x384xf16>) {
  ^bb0(%a: f16, %sq: f32, %o: f32, %out: f16):
    %wide = arith.extf %a : f16 to f32
    %mean = arith.divf %sq, %k : f32
    %safe = arith.addf %mean, %eps : f32
    %factor = math.rsqrt %safe : f32
    %scaled = arith.mulf %wide, %factor : f32
    %y = arith.mulf %scaled, %o : f32
    %rounded = arith.truncf %y : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<?x384xf16>
  %y = sparseflow.matmul %norm, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x384xf16>, tensor<200x384xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x200xf16>
  return %y : tensor<?x200xf16>
}
