// RUN: sparseflow-opt %s --sparseflow-print-reference -o /dev/null | %python -m json.tool --compact | FileCheck %s --strict-whitespace

// CHECK: "reference":{"results":[6],"steps":[
// CHECK-SAME: {"dtype":"i32","logits":0,"op":"sample","out":6,"position":5,"seed":4,"shape":["T"],"temperature":1,"top_k":2,"top_p":3}],"values":7}
func.func @f(%l: tensor<?x100xf32>, %t: tensor<?xf32>, %k: tensor<?xi32>, %p: tensor<?xf32>,
             %s: tensor<?xi64>, %n: tensor<?xi32>) -> tensor<?xi32> {
  %ids = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s) position(%n)
      : tensor<?x100xf32>
  return %ids : tensor<?xi32>
}
