// Score regions that read tensors, on kernels with tensor maps: a number for each query and key, of
// whose keys two are loaded at once where rows begin with a pair; one for each key, beside lengths; a
// slope for each head, of one query and of several whose rows are heads; a mask of a tree; and behind
// a kernel that dequantizes keys and values. And the short form of a soft cap's tanh.
//
// REQUIRES: turn-0-of-3
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --target sm_90a --check --races
// RUN: %{run} %t/bias.mlir --dim T=2 --seed 1 | FileCheck %s
// RUN: %{run} %t/bias.mlir --dim T=1 --seed 2 --unaligned | FileCheck %s
// RUN: %{run} %t/odd.mlir --dim T=2 --seed 3 | FileCheck %s
// RUN: %{run} %t/window.mlir --dim T=1 --seed 4 | FileCheck %s
// RUN: %{run} %t/padding.mlir --dim T=3 --dim T1=70 --dim T2=133 --seed 5 | FileCheck %s
// RUN: %{run} %t/slopes.mlir --dim T=2 --dim T1=1 --dim T2=301 --seed 6 | FileCheck %s
// RUN: %{run} %t/slopes.mlir --dim T=2 --dim T1=5 --dim T2=301 --seed 7 | FileCheck %s
// RUN: %{run} %t/slopes.mlir --dim T=1 --dim T1=130 --dim T2=130 --seed 8 | FileCheck %s
// RUN: %{run} %t/half_slopes.mlir --dim T=1 --dim T1=3 --dim T2=131 --seed 12 | FileCheck %s
// RUN: %{run} %t/half_slopes.mlir --dim T=1 --dim T1=140 --dim T2=65 --seed 13 | FileCheck %s
// RUN: %{run} %t/tree.mlir --dim T=2 --seed 9 | FileCheck %s
// RUN: %{run} %t/cached.mlir --dim T=1 --seed 10 | FileCheck %s
// RUN: %{run} %t/capped.mlir --dim T=1 --dim T1=200 --dim T2=200 --seed 11 | FileCheck %s
// RUN: sparseflow compile %t/bias.mlir --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=PAIRS
// RUN: sparseflow compile %t/odd.mlir --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=ODD
// RUN: sparseflow compile %t/capped.mlir --target sm_90a --emit ptx -o - | FileCheck %s --check-prefix=SHORT
//
// CHECK: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races
//
// Two neighbours of 16 bits, loaded before the scores are waited for.
// PAIRS: .entry f_0_a
// PAIRS: wgmma.commit_group
// PAIRS-NOT: ld.global.b16
// PAIRS-COUNT-32: ld.global.v2.b16
// PAIRS-NOT: ld.global
// PAIRS: wgmma.wait_group
// ODD: .entry f_0_a
// ODD: wgmma.commit_group
// ODD-NOT: ld.global.v2
// ODD: ld.global.b32
// ODD: wgmma.wait_group
//
// No division, and of each score three instructions of the special-function unit.
// SHORT-NOT: div.rn.f32
// SHORT-NOT: div.full.f32
// SHORT: ex2.approx
// SHORT: rcp.approx

//--- bias.mlir
func.func @f(%q: tensor<?x4x150x128xf16>, %k: tensor<?x2x150x128xf16>, %v: tensor<?x2x150x128xf16>, %x: tensor<4x150x150xf16>) -> tensor<?x4x150x128xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<4x150x150xf16>) as ["hqk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %0 = arith.extf %in : f16 to f32
    %r = arith.addf %s, %0 : f32
    sparseflow.yield %r : f32
  } {causal} : tensor<?x4x150x128xf16>, tensor<?x2x150x128xf16>, tensor<?x2x150x128xf16> -> tensor<?x4x150x128xf16>
  return %o : tensor<?x4x150x128xf16>
}

//--- odd.mlir
func.func @f(%q: tensor<?x4x97x64xbf16>, %k: tensor<?x2x133x64xbf16>, %v: tensor<?x2x133x64xbf16>, %x: tensor<?x97x133xf32>) -> tensor<?x4x97x64xbf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<?x97x133xf32>) as ["bqk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %r = arith.addf %s, %in : f32
    sparseflow.yield %r : f32
  } {causal, layout = #sparseflow.attention_layout<bhsd>} : tensor<?x4x97x64xbf16>, tensor<?x2x133x64xbf16>, tensor<?x2x133x64xbf16> -> tensor<?x4x97x64xbf16>
  return %o : tensor<?x4x97x64xbf16>
}

//--- window.mlir
func.func @f(%q: tensor<?x2x130x192xf16>, %k: tensor<?x2x130x192xf16>, %v: tensor<?x2x130x192xf16>, %x: tensor<130x130xf16>) -> tensor<?x2x130x192xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<130x130xf16>) as ["qk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %0 = arith.extf %in : f16 to f32
    %r = arith.addf %s, %0 : f32
    sparseflow.yield %r : f32
  } {causal, window = 70 : i64} : tensor<?x2x130x192xf16>, tensor<?x2x130x192xf16>, tensor<?x2x130x192xf16> -> tensor<?x2x130x192xf16>
  return %o : tensor<?x2x130x192xf16>
}

//--- padding.mlir
func.func @f(%q: tensor<?x2x?x64xf16>, %k: tensor<?x2x?x64xf16>, %v: tensor<?x2x?x64xf16>, %n: tensor<?xi32>, %x: tensor<?x?xf16>) -> tensor<?x2x?x64xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) operands(%x : tensor<?x?xf16>) as ["bk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %0 = arith.extf %in : f16 to f32
    %r = arith.addf %s, %0 : f32
    sparseflow.yield %r : f32
  } : tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16>, tensor<?x2x?x64xf16> -> tensor<?x2x?x64xf16>
  return %o : tensor<?x2x?x64xf16>
}

//--- slopes.mlir
func.func @f(%q: tensor<?x8x?x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>, %x: tensor<8xf32>) -> tensor<?x8x?x128xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<8xf32>) as ["h"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %d = arith.subi %j, %i : i32
    %0 = arith.sitofp %d : i32 to f32
    %1 = arith.mulf %0, %in : f32
    %2 = arith.constant 0.0625 : f32
    %3 = arith.mulf %1, %2 : f32
    %r = arith.addf %s, %3 : f32
    sparseflow.yield %r : f32
  } {causal} : tensor<?x8x?x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x8x?x128xf16>
  return %o : tensor<?x8x?x128xf16>
}

//--- half_slopes.mlir
func.func @f(%q: tensor<?x4x?x64xbf16>, %k: tensor<?x2x?x64xbf16>, %v: tensor<?x2x?x64xbf16>, %x: tensor<4xbf16>) -> tensor<?x4x?x64xbf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<4xbf16>) as ["h"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: bf16):
    %d = arith.subi %j, %i : i32
    %0 = arith.sitofp %d : i32 to f32
    %e = arith.extf %in : bf16 to f32
    %1 = arith.mulf %0, %e : f32
    %2 = arith.constant 0.0625 : f32
    %3 = arith.mulf %1, %2 : f32
    %r = arith.addf %s, %3 : f32
    sparseflow.yield %r : f32
  } : tensor<?x4x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16> -> tensor<?x4x?x64xbf16>
  return %o : tensor<?x4x?x64xbf16>
}

//--- tree.mlir
func.func @f(%q: tensor<?x8x6x128xf16>, %k: tensor<?x2x270x128xf16>, %v: tensor<?x2x270x128xf16>, %x: tensor<?x6x270xf32>) -> tensor<?x8x6x128xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<?x6x270xf32>) as ["bqk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %r = arith.addf %s, %in : f32
    sparseflow.yield %r : f32
  } : tensor<?x8x6x128xf16>, tensor<?x2x270x128xf16>, tensor<?x2x270x128xf16> -> tensor<?x8x6x128xf16>
  return %o : tensor<?x8x6x128xf16>
}

//--- cached.mlir
func.func @f(%q: tensor<?x4x192x64xf16>, %k: tensor<?x2x192x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, %v: tensor<?x2x192x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>>, %x: tensor<4xf32>) -> tensor<?x4x192x64xf16> {
  %o = sparseflow.attention %q, %k, %v operands(%x : tensor<4xf32>) as ["h"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %d = arith.subi %j, %i : i32
    %0 = arith.sitofp %d : i32 to f32
    %1 = arith.mulf %0, %in : f32
    %2 = arith.constant 0.0625 : f32
    %3 = arith.mulf %1, %2 : f32
    %r = arith.addf %s, %3 : f32
    sparseflow.yield %r : f32
  } {causal} : tensor<?x4x192x64xf16>, tensor<?x2x192x64xf16, #sparseflow.quantized<key_int8, scale = token : f16>>, tensor<?x2x192x64xf16, #sparseflow.quantized<value_int8, scale = token : f16>> -> tensor<?x4x192x64xf16>
  return %o : tensor<?x4x192x64xf16>
}

//--- capped.mlir
func.func @f(%q: tensor<?x2x?x128xf16>, %k: tensor<?x2x?x128xf16>, %v: tensor<?x2x?x128xf16>) -> tensor<?x2x?x128xf16> {
  %o = sparseflow.attention %q, %k, %v score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %cap = arith.constant 5.0 : f32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %r = arith.mulf %1, %cap : f32
    sparseflow.yield %r : f32
  } {causal} : tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16>, tensor<?x2x?x128xf16> -> tensor<?x2x?x128xf16>
  return %o : tensor<?x2x?x128xf16>
}
