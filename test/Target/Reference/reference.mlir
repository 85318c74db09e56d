// RUN: sparseflow-opt %s --sparseflow-print-reference -o /dev/null | %python -m json.tool --compact | FileCheck %s --strict-whitespace

// A matmul with every broadcast, then a leftover map; keys are sorted.

// CHECK: "arguments":[{"dtype":"f16","name":"x","shape":["T",64]},
// CHECK-SAME: {"dtype":"f16","encoding":{"kind":"nm","m":4,"n":2},"layout":"sf24.v1","name":"arg1","shape":[32,64]},
// CHECK-SAME: {"dtype":"bf16","name":"arg2","shape":[32]},
// CHECK-SAME: {"dtype":"f32","name":"arg3","shape":["T"]},
// CHECK-SAME: {"dtype":"f32","name":"arg4","shape":["T",32]},
// CHECK-SAME: {"dtype":"f32","name":"arg5","shape":[]},
// CHECK-SAME: {"dtype":"f16","encoding":{"axis":0,"kind":"nm","m":4,"n":1},"name":"unused","shape":[8,5]}]
// CHECK-SAME: "name":"f"
// CHECK-SAME: "reference":{"results":[8,7,0],"steps":[
// CHECK-SAME: {"dtype":"f32","op":"matmul","operands":[{"broadcast":"per_feature","value":2},{"broadcast":"per_token","value":3},{"broadcast":"full","value":4},{"broadcast":"scalar","value":5}],"out":7,
// CHECK-SAME: "region":{"inputs":5,"ops":{{\[\[}}"extf",1],["addf",0,5],["const",0.5],["fma",6,2,7],["const","-inf"],["maximumf",8,9],["cmpf","olt",10,3],["select",11,4,10]],"yield":12},
// CHECK-SAME: "shape":["T",32],"w":1,"x":0},
// CHECK-SAME: {"dtype":"f16","inputs":[{"dims":[0,1],"value":7},{"dims":[1],"value":2},{"dims":[0],"value":3},{"dims":[],"value":5}],"op":"map","out":8,
// CHECK-SAME: "region":{"inputs":4,"ops":{{\[\[}}"extf",1],["addf",0,4],["mulf",5,2],["mulf",6,3],["const",2],["powf",7,8],["truncf",9,"f16"]],"yield":10},
// CHECK-SAME: "shape":["T",32]}],"values":9},
// CHECK-SAME: "results":[{"dtype":"f16","shape":["T",32]},{"dtype":"f32","shape":["T",32]},{"dtype":"f16","shape":["T",64]}],
// CHECK-SAME: "symbols":["T"]

#swapped = affine_map<(n, t) -> (t, n)>
#n = affine_map<(n, t) -> (n)>
#t = affine_map<(n, t) -> (t)>
#scalar = affine_map<(n, t) -> ()>

func.func private @declared(tensor<4xf16>)

func.func @f(%x: tensor<?x64xf16> {sparseflow.name = "x"},
    %w: tensor<32x64xf16, #sparseflow.nm<2:4>>, %b: tensor<32xbf16>,
    %s: tensor<?xf32>, %r: tensor<?x32xf32>, %f: tensor<f32>,
    %unused: tensor<8x5xf16, #sparseflow.nm<1:4, axis = 0>> {sparseflow.name = "unused"})
    -> (tensor<?x32xf16>, tensor<?x32xf32>, tensor<?x64xf16>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %y = sparseflow.matmul %x, %w
      epilogue(%b, %s, %r, %f : tensor<32xbf16>, tensor<?xf32>, tensor<?x32xf32>, tensor<f32>)
      as [per_feature, per_token, full, scalar] {
  ^bb0(%acc: f32, %bi: bf16, %si: f32, %ri: f32, %fi: f32):
    %half = arith.constant 0.5 : f32
    %low = arith.constant 0xFF800000 : f32
    %0 = arith.extf %bi : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = math.fma %1, %si, %half : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.cmpf olt, %3, %ri : f32
    %5 = arith.select %4, %fi, %3 : f32
    sparseflow.yield %5 : f32
  } : tensor<?x64xf16>, tensor<32x64xf16, #sparseflow.nm<2:4>> -> tensor<?x32xf32>
  %d = tensor.dim %x, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%d) : tensor<?x32xf16>
  %z = linalg.generic {indexing_maps = [#swapped, #n, #t, #scalar, #swapped], iterator_types = ["parallel", "parallel"]}
    ins(%y, %b, %s, %f : tensor<?x32xf32>, tensor<32xbf16>, tensor<?xf32>, tensor<f32>)
    outs(%e : tensor<?x32xf16>) {
  ^bb0(%yi: f32, %bi: bf16, %si: f32, %fi: f32, %o: f16):
    %0 = arith.extf %bi : bf16 to f32
    %1 = arith.addf %yi, %0 : f32
    %2 = arith.mulf %1, %si : f32
    %3 = arith.mulf %2, %fi : f32
    %4 = math.powf %3, %two : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<?x32xf16>
  return %z, %y, %x : tensor<?x32xf16>, tensor<?x32xf32>, tensor<?x64xf16>
}
