// RUN: sparseflow-opt %s --sparseflow-print-reference -o /dev/null | %python -m json.tool --compact | FileCheck %s --strict-whitespace

// CHECK: "reference":{"results":[3],"steps":[
// CHECK-SAME: {"block":512,"dtype":"f16","op":"hadamard","out":2,"shape":["T",1536],"signs":1,"x":0},
// CHECK-SAME: {"block":64,"dtype":"f16","op":"hadamard","out":3,"shape":["T",1536],"x":2}],"values":4}
func.func @f(%x: tensor<?x1536xf16>, %s: tensor<1536xf32>) -> tensor<?x1536xf16> {
  %y = sparseflow.hadamard %x signs(%s : tensor<1536xf32>) block 512 : tensor<?x1536xf16>
  %z = sparseflow.hadamard %y block 64 : tensor<?x1536xf16>
  return %z : tensor<?x1536xf16>
}
