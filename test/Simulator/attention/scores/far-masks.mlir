// Masks of large negative numbers in place of -inf, as models that have no -inf write them: rows whose
// first stages hold such scores alone, and rows that see nothing, whose result is the mean of all
// values. Constants, operands and split keys.
//
// REQUIRES: numpy, turn-1-of-3
// RUN: rm -rf %t && split-file %s %t && sed s/-3.40282347E+38/-1.0E+9/ %t/least.mlir > %t/billion.mlir
// RUN: %python -c "import numpy as n; n.save(r'%t/x.npy', n.full(290, -3e38, 'f4'))"
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} --target sm_90a %t/least.mlir --dim T=1 --dim T1=131 --dim T2=290 --seed 1 | FileCheck %s
// RUN: %{run} --target sm_90a %t/billion.mlir --dim T=1 --dim T1=300 --dim T2=290 --seed 2 | FileCheck %s
// RUN: %{run} --target sm_90a %t/least.mlir --dim T=2 --dim T1=1 --dim T2=900 --seed 3 | FileCheck %s
// RUN: %{run} --target sm_80 %t/least.mlir --dim T=1 --dim T1=131 --dim T2=290 --seed 4 | FileCheck %s
// RUN: %{run} --target sm_80 %t/billion.mlir --dim T=2 --dim T1=1 --dim T2=900 --seed 5 | FileCheck %s
// RUN: %{run} --target sm_90a %t/operand.mlir --dim T=2 --dim T1=140 --dim T2=290 --arg x=%t/x.npy --seed 6 | FileCheck %s
// RUN: %{run} --target sm_80 %t/operand.mlir --dim T=1 --dim T1=3 --dim T2=290 --arg x=%t/x.npy --seed 7 | FileCheck %s
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// CHECK: found    nothing: bounds, alignment, operands, races

//--- least.mlir
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>) -> (tensor<?x4x?x64xf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %far = arith.constant -3.40282347E+38 : f32
    %c200 = arith.constant 200 : i32
    %at = arith.addi %i, %c200 : i32
    %c = arith.cmpi sge, %j, %at : i32
    %r = arith.select %c, %s, %far : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
}

//--- operand.mlir
func.func @f(%q: tensor<?x4x?x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>, %x: tensor<?xf32>) -> tensor<?x4x?x128xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<?xf32>) as ["k"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %c180 = arith.constant 180 : i32
    %c = arith.cmpi sge, %j, %c180 : i32
    %masked = arith.addf %s, %in : f32
    %r = arith.select %c, %s, %masked : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x4x?x128xf16>
  return %o : tensor<?x4x?x128xf16>
}
