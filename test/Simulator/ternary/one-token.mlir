// Activations of one token begin where chunks of 16 bytes do, whatever K is:
// the elements behind the last whole chunk are held one by one, and none is read
// behind them.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --remarks --target sm_90a --dim T=1
// RUN: %{run} %t/even.mlir 2>&1 | FileCheck %s
// RUN: %{run} %t/odd.mlir --schedule-seed 1 2>&1 | FileCheck %s
// RUN: %{run} %t/few.mlir --unaligned 2>&1 | FileCheck %s
// RUN: %{run} %t/few.mlir --schedule-seed 2 2>&1 | FileCheck %s
// CHECK: remark: [schedule] sm90.ternary.t1.small for up to 1 tokens
// CHECK: check    result 0: ok
// CHECK: found    nothing

//--- even.mlir
func.func @f(%x: tensor<?x1030xf16>, %w: tensor<200x1030xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x200xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x1030xf16>, tensor<200x1030xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x200xf16>
  return %y : tensor<?x200xf16>
}

//--- odd.mlir
func.func @f(%x: tensor<?x301xbf16>, %w: tensor<67x301xbf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x67xbf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    sparseflow.yield %0 : bf16
  } : tensor<?x301xbf16>, tensor<67x301xbf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x67xbf16>
  return %y : tensor<?x67xbf16>
}

//--- few.mlir
func.func @f(%x: tensor<?x9xf16>, %w: tensor<40x9xf16, #sparseflow.ternary<codes, scale = row : f32>>) -> tensor<?x40xf16> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x9xf16>, tensor<40x9xf16, #sparseflow.ternary<codes, scale = row : f32>> -> tensor<?x40xf16>
  return %y : tensor<?x40xf16>
}
