// RUN: sparseflow-opt %s --split-input-file --verify-diagnostics --convert-sparseflow-to-sftile

// What the conversion refuses, each with what to do.

func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  // expected-error@+1 {{expected sftile.schedules; run sparseflow-select-schedule first}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16, #sparseflow.nm<2:4>>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  // expected-error@+1 {{expected a packed weight; run sparseflow-materialize-storage first}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16, #sparseflow.nm<2:4>> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 64], warp = [32, 32], split_k = 2, group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  // expected-error@+1 {{expected sftile.reduce_schedule beside a schedule that splits K; run sparseflow-select-schedule, or pin one}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 8], warp = [16, 8], max_tokens = 1, pipeline = #sftile.multistage<k = 64, stages = 3, holds_activations = true>>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  // expected-error@+1 {{expected a schedule without holds_activations beside one by which blocks compute the rows of one token; pin one}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>]} {
  %w = arith.constant dense<1.0> : tensor<64x64xf16>
  // expected-error@+1 {{expected x and w to be arguments or computed tensors; pass constants as arguments}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  %b = arith.constant dense<1.0> : tensor<64xf16>
  // expected-error@+1 {{expected epilogue operand #0 to be an argument or a computed tensor, found the result of arith.constant; pass it as an argument}}
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<64xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#s = #sftile.schedule<"s", block = [64, 64], warp = [32, 32], group = 8, pipeline = #sftile.multistage<k = 64, stages = 3>>
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>) -> (tensor<?x64xf16>, tensor<?x64xf16>)
    attributes {sparseflow.argument_types = [tensor<?x64xf16>, tensor<64x64xf16>]} {
  // expected-remark@+1 {{[copy] rows of 64 elements allow copies of 16 bytes}}
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    sparseflow.yield %0 : f16
  } {sftile.schedules = [#s]} : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  // expected-error@+1 {{expected result #1 to be computed by an operation of its own, found a value that is returned already; return each tensor once (equal computations are one)}}
  return %y, %y : tensor<?x64xf16>, tensor<?x64xf16>
}

// -----

func.func @f(%x: tensor<?x64xf16>) -> tensor<?x64xf16>
    attributes {sparseflow.argument_types = [tensor<?x64xf16>]} {
  // expected-error@+1 {{expected result #0 to be computed by an operation of its own, found an argument; leave it out: the caller has it}}
  return %x : tensor<?x64xf16>
}

// -----

func.func @f(%x: tensor<4x64xf16>) -> tensor<4x64xf16>
    attributes {sparseflow.argument_types = [tensor<4x64xf16>]} {
  %c = arith.constant dense<1.0> : tensor<4x64xf16>
  // expected-error@+1 {{expected result #0 to be computed by an operation of its own, found a constant, or a value that folds to one; leave it out, or run on the CPU (--device cpu)}}
  return %c : tensor<4x64xf16>
}

// -----

func.func @f(%x: tensor<4x64xf16>) -> tensor<4x64xf16>
    attributes {sparseflow.argument_types = [tensor<4x64xf16>]} {
  // expected-error@+1 {{expected sparseflow.matmul, sparseflow.attention or an op that sparseflow-form-kernels gave a kernel; run that pass first, or compute this outside, or on the cpu device}}
  %y = math.exp %x : tensor<4x64xf16>
  return %y : tensor<4x64xf16>
}

// -----

// A body uses integers that are elements of tensors, or computed from sizes in a way that
// manifests can say.

#id = affine_map<(t, n) -> (t, n)>
func.func @f(%x: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {sparseflow.argument_types = [tensor<?x64xf32>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  // expected-error@+1 {{expected this integer to be computed from sizes of arguments, found a value that only the device knows, or an op that a manifest has no expression for; pass it as a size of an argument}}
  %t = arith.xori %d, %c1 : index
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) attrs = {sparseflow.kernel = "map"} {
  ^bb0(%a: f32, %out: f32):
    %t64 = arith.index_cast %t : index to i64
    %0 = arith.sitofp %t64 : i64 to f32
    %1 = arith.divf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}

// -----

// Nothing but integers goes from the host to a kernel as a number, whoever says that
// it is a part of one.

#id = affine_map<(t, n) -> (t, n)>
func.func @f(%x: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {sparseflow.argument_types = [tensor<?x64xf32>]} {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %i = arith.index_cast %d : index to i64
  %s = arith.sitofp %i {sparseflow.inlined} : i64 to f32
  %e = tensor.empty(%d) : tensor<?x64xf32>
  // expected-error@+1 {{expected a body that uses its inputs, constants and integers computed from sizes, found a value of 'f32' that the host computes; pass it as an input of rank 0}}
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) attrs = {sparseflow.kernel = "map"} {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}

// -----

func.func @f(%a: tensor<2x8x16xf16>, %b: tensor<2x16x8xf16>) -> tensor<2x8x8xf32>
    attributes {sparseflow.argument_types = [tensor<2x8x16xf16>, tensor<2x16x8xf16>]} {
  %zero = arith.constant dense<0.0> : tensor<2x8x8xf32>
  // expected-error@+1 {{expected one or two schedules of a product, found 0; run sparseflow-select-schedule first}}
  %y = linalg.batch_matmul {sparseflow.kernel = "product"} ins(%a, %b : tensor<2x8x16xf16>, tensor<2x16x8xf16>) outs(%zero : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %y : tensor<2x8x8xf32>
}

// -----

func.func @f(%a: tensor<2x8x16xf16>, %b: tensor<2x16x8xf16>) -> tensor<2x8x8xf32>
    attributes {sparseflow.argument_types = [tensor<2x8x16xf16>, tensor<2x16x8xf16>]} {
  %zero = arith.constant dense<0.0> : tensor<2x8x8xf32>
  // expected-error@+1 {{expected k_warps = 1 for a product of two activations, found 2 in schedule s}}
  %y = linalg.batch_matmul {sparseflow.kernel = "product", sftile.schedules = [#sftile.schedule<"s", block = [64, 64], warp = [32, 32], pipeline = #sftile.multistage<k = 128, stages = 3, k_warps = 2>>]} ins(%a, %b : tensor<2x8x16xf16>, tensor<2x16x8xf16>) outs(%zero : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %y : tensor<2x8x8xf32>
}

// -----

func.func @f(%a: tensor<2x8x16xf32>, %b: tensor<2x16x8xf32>) -> tensor<2x8x8xf32>
    attributes {sparseflow.argument_types = [tensor<2x8x16xf32>, tensor<2x16x8xf32>]} {
  %zero = arith.constant dense<0.0> : tensor<2x8x8xf32>
  // expected-error@+1 {{expected a product that tensor cores compute, as its form says; expected f16 x f16 or bf16 x bf16, found f32 x f32; run sparseflow-form-kernels again}}
  %y = linalg.batch_matmul {sparseflow.kernel = "product"} ins(%a, %b : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%zero : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %y : tensor<2x8x8xf32>
}
