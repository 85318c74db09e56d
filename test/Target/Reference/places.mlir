// RUN: sparseflow-opt %s --sparseflow-print-reference | FileCheck %s

// What picks elements by their place is a map that loads: a slice with a stride, a
// concatenation of symbols, a gather, a diagonal. A maximum and its position are
// one reduction.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#sum = affine_map<(i, j) -> (i + j)>

// CHECK: "name":"slice"
// CHECK-SAME: ["const",2],["const",3],["index",1],["mulf",7,6],["addf",5,8],["load",0,4,9]
func.func @slice(%x: tensor<8x9xf16>) -> tensor<8x3xf16> {
  %0 = tensor.extract_slice %x[0, 2] [8, 3] [1, 3] : tensor<8x9xf16> to tensor<8x3xf16>
  return %0 : tensor<8x3xf16>
}

// CHECK: "name":"concat"
// CHECK-SAME: ["load",0,0,1],{{.*}}["size",4],["subf",1,{{[0-9]+}}],["load",1,0,{{[0-9]+}}]
// CHECK-SAME: "shape":["T",6]
func.func @concat(%x: tensor<?x4xf32>, %y: tensor<?x2xf32>) -> tensor<?x6xf32> {
  %0 = tensor.concat dim(1) %x, %y : (tensor<?x4xf32>, tensor<?x2xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// CHECK: {"dtype":"i64",{{.*}}"shape":["T"]}
// CHECK-SAME: "name":"gather"
// CHECK-SAME: ["extf",0],["index",1],["load",1,1,2]
func.func @gather(%ids: tensor<?xi64>, %w: tensor<50x8xf16>) -> tensor<?x8xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x8xf16>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi64>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%id: i64, %out: f16):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %w[%i, %j] : tensor<50x8xf16>
    linalg.yield %v : f16
  } -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// What the compiler clamped is named, and the clamp stays in the region.

// CHECK: "name":"checked"
// CHECK-SAME: "region":{"checked":[{"dim":0,"index":1,"load":[[LOAD:[0-9]+]]}],"inputs":1
// CHECK-SAME: ["load",1,{{[0-9]+}},{{[0-9]+}}]],"yield":[[LOAD]]
func.func @checked(%ids: tensor<?xi64>, %w: tensor<50x8xf16>) -> tensor<?x8xf16> {
  %c0 = arith.constant 0 : index
  %c49 = arith.constant 49 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x8xf16>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi64>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%id: i64, %out: f16):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %least = arith.maxsi %i, %c0 : index
    %at = arith.minsi %least, %c49 {sparseflow.index_clamp} : index
    %v = tensor.extract %w[%at, %j] : tensor<50x8xf16>
    linalg.yield %v : f16
  } -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// CHECK: "name":"diagonal"
// CHECK-SAME: ["index",0],["index",1],["addf",0,1],["load",0,2]
func.func @diagonal(%y: tensor<15xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#sum, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y : tensor<15xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK: "name":"argmax"
// CHECK-SAME: "init":"-inf"
// CHECK-SAME: "more":[{"dtype":"i64","init":0,"out":{{[0-9]+}},"yield":{{[0-9]+}}}]
// CHECK-SAME: "op":"reduce"
func.func @argmax(%x: tensor<4x30xf32>) -> tensor<4xi64> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %m = linalg.fill ins(%ninf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = tensor.empty() : tensor<4xi64>
  %z = linalg.fill ins(%zero : i64) outs(%f : tensor<4xi64>) -> tensor<4xi64>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x30xf32>) outs(%m, %z : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %best: f32, %at: i64):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i64
    %b = arith.maximumf %a, %best : f32
    %c = arith.cmpf ogt, %a, %best : f32
    %s = arith.select %c, %i, %at : i64
    linalg.yield %b, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}
