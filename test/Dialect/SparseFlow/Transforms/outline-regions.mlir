// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions=keep-ops=mine.op,mine.effect,tensor.generate 2>/dev/null | FileCheck %s
// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions="keep-ops=mine.op,mine.effect,tensor.generate part=host" 2>/dev/null | FileCheck %s --check-prefix=HOST
// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions="keep-ops=mine.op,mine.effect,tensor.generate part=device" 2>/dev/null | FileCheck %s --check-prefix=DEVICE
// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions="keep-ops=mine.op,mine.effect,nobody.here" 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions=keep-unsupported 2>&1 | FileCheck %s --check-prefix=NOKERNEL
// RUN: not sparseflow-opt %s --split-input-file --allow-unregistered-dialect --sparseflow-outline-regions=part=half 2>&1 | FileCheck %s --check-prefix=PART

// PART: error: expected the option part to be all, host or device, found 'half'

// Two chains: %a and %d do not wait for the kept op and are one region; %c does.
// Sizes are computed again where they are needed, and names stay.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf16> {sparseflow.name = "x"}, %[[W:.*]]: tensor<64x64xf16>
// CHECK-NEXT: %[[AD:.*]]:2 = call @f_region0(%[[X]], %[[W]])
// CHECK-NEXT: %[[B:.*]] = "mine.op"(%[[AD]]#0)
// CHECK-NEXT: %[[C:.*]] = call @f_region1(%[[B]], %[[AD]]#1, %[[X]])
// CHECK-NEXT: return %[[C]]
// CHECK: func.func @f_region0(%{{.*}}: tensor<?x64xf16> {sparseflow.name = "x"}, %{{.*}}: tensor<64x64xf16>) -> (tensor<?x64xf16>, tensor<?x64xf16>)
// CHECK: sparseflow.matmul
// CHECK: linalg.exp
// CHECK: func.func @f_region1(%{{.*}}: tensor<?x64xf16>, %{{.*}}: tensor<?x64xf16>, %[[Q:.*]]: tensor<?x64xf16> {sparseflow.name = "x"}) -> tensor<?x64xf16>
// CHECK: tensor.dim %[[Q]]
// CHECK: linalg.add

// HOST: func.func @f(
// HOST: call @f_region0
// HOST: func.func private @f_region0(tensor<?x64xf16> {sparseflow.name = "x"}, tensor<64x64xf16>) -> (tensor<?x64xf16>, tensor<?x64xf16>) attributes {llvm.emit_c_interface}
// HOST: func.func private @f_region1(
// HOST-NOT: sparseflow.matmul

// DEVICE-NOT: func.func @f(
// DEVICE: func.func @f_region0(
// DEVICE: sparseflow.matmul
// DEVICE: func.func @f_region1(
// DEVICE-NOT: mine.

// REMARK: remark: [outline] stays in the host function: keep-ops names it
// REMARK: remark: [outline] 'f_region0' computes 2 ops of the host function
// REMARK: remark: [outline] 'f_region1' computes 1 op of the host function
// REMARK: remark: [outline] keep-ops names 'nobody.here', which no function holds

// NOKERNEL: remark: [outline] stays in the host function, it has no kernel:
func.func @f(%x: tensor<?x64xf16> {sparseflow.name = "x"}, %w: tensor<64x64xf16>) -> tensor<?x64xf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf16>
  %a = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  %b = "mine.op"(%a) : (tensor<?x64xf16>) -> tensor<?x64xf16>
  %e = tensor.empty(%t) : tensor<?x64xf16>
  %d = linalg.exp ins(%x : tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
  %c = linalg.add ins(%b, %d : tensor<?x64xf16>, tensor<?x64xf16>) outs(%e : tensor<?x64xf16>) -> tensor<?x64xf16>
  return %c : tensor<?x64xf16>
}

// -----

// What the host does and others see stays in its order; the size of what a kept
// op made is asked for on the host, and again in the region.
// CHECK-LABEL: func.func @order(
// CHECK: %[[A:.*]] = call @order_region0
// CHECK: "mine.effect"(%[[A]])
// CHECK: "mine.effect"() {second}
// CHECK: %[[G:.*]] = tensor.generate
// CHECK: call @order_region1(%[[G]])
// CHECK: func.func @order_region1(%[[P:.*]]: tensor<?x8xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[P]]
// CHECK: tensor.empty(%[[N]])
func.func @order(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%t) : tensor<?x8xf32>
  %a = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  "mine.effect"(%a) : (tensor<?x8xf32>) -> ()
  "mine.effect"() {second} : () -> ()
  %g = tensor.generate %t {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<?x8xf32>
  %n = tensor.dim %g, %c0 : tensor<?x8xf32>
  %f = tensor.empty(%n) : tensor<?x8xf32>
  %y = linalg.exp ins(%g : tensor<?x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// All of it has kernels: one region.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: %[[Y:.*]] = call @whole_region0
// CHECK-NEXT: return %[[Y]]
func.func @whole(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.log ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}
