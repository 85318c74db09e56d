// Masks in score regions that bound the keys of a tile: causal from the first key on with other
// numbers of keys, a window, a prefix, keys ahead of which the last queries see none, nothing at all;
// with lengths, pages, packed sequences, packed heads, latent and quantized caches. Stages that a mask
// leaves out are not visited: values there may be no numbers.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races
// RUN: %{run} --target sm_90a %t/causal.mlir --dim T=2 --dim T1=131 --dim T2=300 --seed 1 | FileCheck %s
// RUN: %{run} --target sm_90a %t/causal.mlir --dim T=1 --dim T1=300 --dim T2=129 --seed 2 | FileCheck %s
// RUN: %{run} --target sm_80 %t/causal.mlir --dim T=1 --dim T1=290 --dim T2=290 --seed 3 | FileCheck %s
// RUN: %{run} --target sm_90a %t/window.mlir --dim T=3 --dim T1=150 --dim T2=290 --seed 4 | FileCheck %s
// RUN: %{run} --target sm_80 %t/window.mlir --dim T=2 --dim T1=300 --dim T2=200 --seed 5 | FileCheck %s
// RUN: %{run} --target sm_90a %t/prefix.mlir --dim T=1 --dim T1=300 --dim T2=290 --seed 6 | FileCheck %s
// RUN: %{run} --target sm_80 %t/prefix.mlir --dim T=1 --dim T1=131 --dim T2=300 --seed 7 | FileCheck %s
// RUN: %{run} --target sm_90a %t/ahead.mlir --dim T=2 --dim T1=140 --dim T2=290 --seed 8 | FileCheck %s
// RUN: %{run} --target sm_80 %t/ahead.mlir --dim T=1 --dim T1=140 --dim T2=290 --seed 9 | FileCheck %s
// RUN: %{run} --target sm_90a %t/none.mlir --dim T=1 --dim T1=131 --dim T2=200 --seed 10 | FileCheck %s
// RUN: %{run} --target sm_90a %t/few.mlir --dim T=2 --dim T1=700 --seed 11 | FileCheck %s
// RUN: %{run} --target sm_90a %t/few.mlir --dim T=2 --dim T1=33 --seed 12 | FileCheck %s
// RUN: %{run} --target sm_90a %t/one.mlir --dim T=2 --dim T1=700 --seed 13 | FileCheck %s
// RUN: %{run} --target sm_90a %t/paged.mlir --dim T=2 --dim T1=130 --dim T2=14 --dim T3=7 --seed 14 | FileCheck %s
// RUN: %{run} --target sm_80 %t/paged.mlir --dim T=2 --dim T1=1 --dim T2=14 --dim T3=7 --seed 15 | FileCheck %s
// RUN: %{run} --target sm_90a %t/packed.mlir --dim T=310 --dim T1=310 --dim T2=4 --seed 16 | FileCheck %s
// RUN: %{run} --target sm_80 %t/packed.mlir --dim T=170 --dim T1=210 --dim T2=4 --seed 17 | FileCheck %s
// RUN: %{run} --target sm_90a %t/chunks.mlir --dim T=170 --dim T1=12 --dim T2=3 --dim T3=4 --dim T4=4 --seed 18 | FileCheck %s
// RUN: %{run} --target sm_90a %t/latent.mlir --dim T=1 --dim T1=70 --dim T2=200 --seed 19 | FileCheck %s
// RUN: %{run} --target sm_90a %t/int8.mlir --dim T=1 --dim T1=150 --dim T2=320 --seed 20 | FileCheck %s
//
// RUN: %python %S/Inputs/write_values.py %t
// DEFINE: %{head} = sparseflow run --device sim %t/head.mlir --arg q=random:1 --arg k=random:2
// RUN: %{head} --target sm_90a --arg v=%t/numbers.npy -o %t/a.npy && %{head} --target sm_90a --arg v=%t/none.npy -o %t/b.npy
// RUN: cmp %t/a.0.npy %t/b.0.npy
// RUN: %{head} --target sm_80 --arg v=%t/numbers.npy -o %t/a.npy && %{head} --target sm_80 --arg v=%t/none.npy -o %t/b.npy
// RUN: cmp %t/a.0.npy %t/b.0.npy
//
// RUN: sparseflow compile %t/prefix.mlir --target sm_90a --emit ptx -o %t/prefix.ptx --remarks 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: sparseflow compile %t/window.mlir --target sm_90a --emit ptx -o %t/window.ptx --remarks 2>&1 | FileCheck %s --check-prefix=WINDOW
//
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// CHECK: found    nothing: bounds, alignment, operands, races
//
// PREFIX: {{\[mask\]}} the score region is -inf for query i and key j but where j - i <= 0, or j <= 149
// WINDOW: {{\[mask\]}} the score region is -inf for query i and key j but where j - i >= -69 and j - i <= 0: a tile

//--- causal.mlir
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>) -> (tensor<?x4x?x64xf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpi sle, %j, %i : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
}

//--- window.mlir
func.func @f(%q: tensor<?x4x?x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>, %n: tensor<?xi32>) -> (tensor<?x4x?x128xf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %w = arith.constant 70 : i32
    %c = arith.cmpi sle, %j, %i : i32
    %d = arith.subi %i, %j : i32
    %e = arith.cmpi slt, %d, %w : i32
    %m = arith.andi %c, %e : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x4x?x128xf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x128xf16>, tensor<?x4x?xf32>
}

//--- prefix.mlir
func.func @f(%q: tensor<?x4x?x64xbf16>, %k: tensor<?x2x?x64xbf16>, %v: tensor<?x2x?x64xbf16>) -> (tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 150 : i32
    %c = arith.cmpi sle, %j, %i : i32
    %e = arith.cmpi slt, %j, %p : i32
    %m = arith.ori %c, %e : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16> -> tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>
}

//--- ahead.mlir
func.func @f(%q: tensor<?x4x?x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>) -> (tensor<?x4x?x128xf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 200 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sge, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x4x?x128xf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x128xf16>, tensor<?x4x?xf32>
}

//--- none.mlir
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>) -> (tensor<?x4x?x64xf16>, tensor<?x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    sparseflow.yield %none : f32
  } : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
  return %o, %l : tensor<?x4x?x64xf16>, tensor<?x4x?xf32>
}

//--- few.mlir
func.func @f(%q: tensor<?x8x5x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>) -> (tensor<?x8x5x128xf16>, tensor<?x8x5xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 40 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sge, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x8x5x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x8x5x128xf16>, tensor<?x8x5xf32>
  return %o, %l : tensor<?x8x5x128xf16>, tensor<?x8x5xf32>
}

//--- one.mlir
func.func @f(%q: tensor<?x8x1x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>) -> (tensor<?x8x1x128xf16>, tensor<?x8x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 400 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sge, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x8x1x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x8x1x128xf16>, tensor<?x8x1xf32>
  return %o, %l : tensor<?x8x1x128xf16>, tensor<?x8x1xf32>
}

//--- head.mlir
func.func @f(%q: tensor<1x4x130x64xf16>, %k: tensor<1x2x300x64xf16>, %v: tensor<1x2x300x64xf16>) -> (tensor<1x4x130x64xf16>, tensor<1x4x130xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 100 : i32
    %c = arith.cmpi sgt, %j, %p : i32
    %r = arith.select %c, %none, %s : f32
    sparseflow.yield %r : f32
  } : tensor<1x4x130x64xf16>, tensor<1x2x300x64xf16>, tensor<1x2x300x64xf16> -> tensor<1x4x130x64xf16>, tensor<1x4x130xf32>
  return %o, %l : tensor<1x4x130x64xf16>, tensor<1x4x130xf32>
}

//--- paged.mlir
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x32x64xf16>, %v: tensor<?x2x32x64xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>) -> tensor<?x4x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 100 : i32
    %c = arith.cmpi sgt, %j, %p : i32
    %r = arith.select %c, %none, %s : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xf16>, tensor<?x2x32x64xf16>, tensor<?x2x32x64xf16> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}

//--- packed.mlir
func.func @f(%q: tensor<1x?x4x64xf16>, %k: tensor<1x?x2x64xf16>, %v: tensor<1x?x2x64xf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>) -> (tensor<1x?x4x64xf16>, tensor<1x4x?xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %w = arith.constant 40 : i32
    %c = arith.cmpi sle, %j, %i : i32
    %d = arith.subi %i, %j : i32
    %e = arith.cmpi slt, %d, %w : i32
    %m = arith.andi %c, %e : i1
    %r = arith.select %m, %s, %none : f32
    sparseflow.yield %r : f32
  } {layout = #sparseflow.attention_layout<bshd>} : tensor<1x?x4x64xf16>, tensor<1x?x2x64xf16>, tensor<1x?x2x64xf16> -> tensor<1x?x4x64xf16>, tensor<1x4x?xf32>
  return %o, %l : tensor<1x?x4x64xf16>, tensor<1x4x?xf32>
}

//--- chunks.mlir
func.func @f(%q: tensor<1x?x8x128xf16>, %k: tensor<?x64x2x128xf16>, %v: tensor<?x64x2x128xf16>, %n: tensor<?xi32>, %table: tensor<?x?xi32>, %cu: tensor<?xi32>) -> tensor<1x?x8x128xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) pages(%table : tensor<?x?xi32>) cu_seqlens(%cu : tensor<?xi32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 100 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sge, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } {causal, layout = #sparseflow.attention_layout<bshd>} : tensor<1x?x8x128xf16>, tensor<?x64x2x128xf16>, tensor<?x64x2x128xf16> -> tensor<1x?x8x128xf16>
  return %o : tensor<1x?x8x128xf16>
}

//--- latent.mlir
func.func @f(%q: tensor<?x16x?x192xbf16>, %k: tensor<?x1x?x192xbf16>) -> tensor<?x16x?x128xbf16> {
  %o = sparseflow.attention %q, %k, %k score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 100 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sle, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } {value_features = 128 : i64} : tensor<?x16x?x192xbf16>, tensor<?x1x?x192xbf16>, tensor<?x1x?x192xbf16> -> tensor<?x16x?x128xbf16>
  return %o : tensor<?x16x?x128xbf16>
}

//--- int8.mlir
func.func @f(%q: tensor<?x4x?x64xf16>, %k: tensor<?x2x?x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, %v: tensor<?x2x?x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>>) -> tensor<?x4x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %none = arith.constant 0xFF800000 : f32
    %p = arith.constant 50 : i32
    %t = arith.addi %i, %p : i32
    %c = arith.cmpi sle, %j, %t : i32
    %r = arith.select %c, %s, %none : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xf16>, tensor<?x2x?x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, tensor<?x2x?x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>> -> tensor<?x4x?x64xf16>
  return %o : tensor<?x4x?x64xf16>
}
