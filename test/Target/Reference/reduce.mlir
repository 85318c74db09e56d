// RUN: sparseflow-opt %s --sparseflow-print-reference -o /dev/null | %python -m json.tool --compact --sort-keys | FileCheck %s --strict-whitespace

// A softmax: reductions start from a constant, loops are numbered as the
// dimensions of the result first. A reshape has no region. A fill that is read as
// a tensor is a map without inputs.

// CHECK: "reference":{"results":[5],"steps":[
// CHECK-SAME: {"dtype":"f32","init":"-inf","inputs":[{"dims":[0,1],"value":0}],"op":"reduce","out":1,"reduced":[16],"region":{"inputs":2,"ops":{{\[\[}}"maximumf",0,1]],"yield":2},"shape":["T"]}
// CHECK-SAME: {"dtype":"f32","inputs":[{"dims":[0,1],"value":0},{"dims":[0],"value":1}],"op":"map","out":2
// CHECK-SAME: {"dtype":"f32","op":"reshape","out":3,"shape":["T",4,4],"value":2}
// CHECK-SAME: {"dtype":"f32","inputs":[],"op":"map","out":4,"region":{"inputs":0,"ops":{{\[\[}}"const",0]],"yield":0},"shape":["T",4,4]}
// CHECK-SAME: {"dtype":"f32","inputs":[{"dims":[0,1,2],"value":3},{"dims":[0,1,2],"value":4}],"op":"map","out":5
#full = affine_map<(t, n) -> (t, n)>
#row = affine_map<(t, n) -> (t)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @softmax(%x: tensor<?x16xf32> {sparseflow.name = "x"}) -> tensor<?x4x4xf32> {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%t) : tensor<?xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.reduce ins(%x : tensor<?x16xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
    (%a: f32, %acc: f32) {
      %0 = arith.maximumf %acc, %a : f32
      linalg.yield %0 : f32
    }
  %e2 = tensor.empty(%t) : tensor<?x16xf32>
  %d = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<?x16xf32>, tensor<?xf32>) outs(%e2 : tensor<?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x16xf32>
  %r = tensor.expand_shape %d [[0], [1, 2]] output_shape [%t, 4, 4] : tensor<?x16xf32> into tensor<?x4x4xf32>
  %e3 = tensor.empty(%t) : tensor<?x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %s = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %z : tensor<?x4x4xf32>, tensor<?x4x4xf32>) outs(%e3 : tensor<?x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x4xf32>
  return %s : tensor<?x4x4xf32>
}
