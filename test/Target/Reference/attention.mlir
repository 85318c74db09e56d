// RUN: sparseflow-opt %s --sparseflow-print-reference --split-input-file | FileCheck %s

// CHECK: {"dtype":"i32","name":"arg2","shape":[2]}
// CHECK-SAME: "results":[4,5],"steps":[{"causal":1,"dtype":"bf16","k":1,"layout":"bshd","lengths":2,"lse":5,"op":"attention","operands":[{"dims":[2,3],"value":3}],"out":4,"q":0,
// CHECK-SAME: "region":{"inputs":6,"ops":{{\[\[}}"subf",4,3],["const",3],["cmpf","olt",6,7],["extf",6],["select",8,0,9{{\]\]}},"yield":10},
// CHECK-SAME: "scale":0.25,"v":1,"window":5}],"values":6}
func.func @scored(%q: tensor<2x?x4x32xbf16>, %k: tensor<2x?x4x32xbf16>,
                  %n: tensor<2xi32>, %bias: tensor<?x?xf32>)
    -> (tensor<2x?x4x32xbf16>, tensor<2x4x?xf32>) {
  %o, %lse = sparseflow.attention %q, %k, %k lengths(%n : tensor<2xi32>)
      operands(%bias : tensor<?x?xf32>) as ["qk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f32):
    %three = arith.constant 3 : i32
    %0 = arith.subi %j, %i : i32
    %1 = arith.cmpi slt, %0, %three : i32
    %2 = arith.sitofp %0 : i32 to f32
    %3 = arith.select %1, %s, %2 : f32
    sparseflow.yield %3 : f32
  } {layout = #sparseflow.attention_layout<bshd>, causal, window = 5 : i64,
     scale = 0.25 : f32}
    : tensor<2x?x4x32xbf16>, tensor<2x?x4x32xbf16>, tensor<2x?x4x32xbf16>
      -> tensor<2x?x4x32xbf16>, tensor<2x4x?xf32>
  return %o, %lse : tensor<2x?x4x32xbf16>, tensor<2x4x?xf32>
}

// -----

// CHECK: "lengths":3,"op":"attention","operands":[],"out":4,"pages":2,"q":0,
func.func @paged(%q: tensor<?x4x1x32xf16>, %k: tensor<?x2x16x32xf16>,
                 %t: tensor<?x?xi32>, %n: tensor<?xi32>)
    -> tensor<?x4x1x32xf16> {
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>)
      pages(%t : tensor<?x?xi32>)
    : tensor<?x4x1x32xf16>, tensor<?x2x16x32xf16>, tensor<?x2x16x32xf16>
      -> tensor<?x4x1x32xf16>
  return %o : tensor<?x4x1x32xf16>
}

// -----

// CHECK: "cu_seqlens_k":3,"cu_seqlens_q":2,{{.*}}"op":"attention","operands":[],"out":4,"q":0,
func.func @varlen(%q: tensor<1x4x?x32xf16>, %k: tensor<1x2x?x32xf16>,
                  %cq: tensor<?xi32>, %ck: tensor<?xi32>)
    -> tensor<1x4x?x32xf16> {
  %o = sparseflow.attention %q, %k, %k
      cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>)
    : tensor<1x4x?x32xf16>, tensor<1x2x?x32xf16>, tensor<1x2x?x32xf16>
      -> tensor<1x4x?x32xf16>
  return %o : tensor<1x4x?x32xf16>
}
