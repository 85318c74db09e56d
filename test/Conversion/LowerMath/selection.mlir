// Every supported op becomes instructions, from the oldest target to the
// newest: no call and no external symbol.

// RUN: sparseflow-opt %s -sparseflow-lower-math \
// RUN:   -convert-arith-to-llvm -convert-func-to-llvm \
// RUN:   -reconcile-unrealized-casts \
// RUN:   | mlir-translate -mlir-to-llvmir \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 \
// RUN:   | FileCheck %s --implicit-check-not=call --implicit-check-not=.extern
// RUN: sparseflow-opt %s -sparseflow-lower-math \
// RUN:   -convert-arith-to-llvm -convert-func-to-llvm \
// RUN:   -reconcile-unrealized-casts \
// RUN:   | mlir-translate -mlir-to-llvmir \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_89 \
// RUN:   | FileCheck %s --implicit-check-not=call --implicit-check-not=.extern
// RUN: sparseflow-opt %s -sparseflow-lower-math \
// RUN:   -convert-arith-to-llvm -convert-func-to-llvm \
// RUN:   -reconcile-unrealized-casts \
// RUN:   | mlir-translate -mlir-to-llvmir \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 \
// RUN:   | FileCheck %s --implicit-check-not=call --implicit-check-not=.extern
// RUN: sparseflow-opt %s -sparseflow-lower-math \
// RUN:   -convert-arith-to-llvm -convert-func-to-llvm \
// RUN:   -reconcile-unrealized-casts \
// RUN:   | mlir-translate -mlir-to-llvmir \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_120 \
// RUN:   | FileCheck %s --implicit-check-not=call --implicit-check-not=.extern
// RUN: sparseflow-opt %s -sparseflow-lower-math="approximate=true" \
// RUN:   -convert-arith-to-llvm -convert-func-to-llvm \
// RUN:   -reconcile-unrealized-casts \
// RUN:   | mlir-translate -mlir-to-llvmir \
// RUN:   | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 \
// RUN:   | FileCheck %s --implicit-check-not=call --implicit-check-not=.extern

// CHECK: .visible .func {{.*}}f32_ops(
// CHECK: ret;
func.func @f32_ops(%x: f32, %y: f32) -> f32 {
  %exp = math.exp %x : f32
  %exp2 = math.exp2 %exp : f32
  %expm1 = math.expm1 %exp2 : f32
  %log = math.log %expm1 : f32
  %log2 = math.log2 %log : f32
  %sqrt = math.sqrt %log2 : f32
  %rsqrt = math.rsqrt %sqrt : f32
  %tanh = math.tanh %rsqrt : f32
  %erf = math.erf %tanh : f32
  %erfc = math.erfc %erf : f32
  %sin = math.sin %erfc : f32
  %cos = math.cos %sin : f32
  %log1p = math.log1p %cos : f32
  %cbrt = math.cbrt %log1p : f32
  %atan = math.atan %cbrt : f32
  %sinh = math.sinh %atan : f32
  %cosh = math.cosh %sinh : f32
  %floor = math.floor %cosh : f32
  %ceil = math.ceil %floor : f32
  %trunc = math.trunc %ceil : f32
  %roundeven = math.roundeven %trunc : f32
  %absf = math.absf %roundeven : f32
  %addf = arith.addf %absf, %y : f32
  %subf = arith.subf %addf, %y : f32
  %mulf = arith.mulf %subf, %y : f32
  %divf = arith.divf %mulf, %y : f32
  %maximumf = arith.maximumf %divf, %y : f32
  %minimumf = arith.minimumf %maximumf, %y : f32
  %maxnumf = arith.maxnumf %minimumf, %y : f32
  %minnumf = arith.minnumf %maxnumf, %y : f32
  %copysign = math.copysign %minnumf, %y : f32
  %fma = math.fma %copysign, %x, %y : f32
  %powf = math.powf %fma, %y : f32
  %negf = arith.negf %powf : f32
  %less = arith.cmpf ult, %negf, %y : f32
  %select = arith.select %less, %negf, %y : f32
  %integer = arith.fptosi %select : f32 to i16
  %real = arith.sitofp %integer : i16 to f32
  return %real : f32
}

// CHECK: .visible .func {{.*}}f16_ops(
// CHECK: ret;
func.func @f16_ops(%x: f16, %y: f16) -> f16 {
  %exp = math.exp %x : f16
  %exp2 = math.exp2 %exp : f16
  %expm1 = math.expm1 %exp2 : f16
  %log = math.log %expm1 : f16
  %log2 = math.log2 %log : f16
  %sqrt = math.sqrt %log2 : f16
  %rsqrt = math.rsqrt %sqrt : f16
  %tanh = math.tanh %rsqrt : f16
  %erf = math.erf %tanh : f16
  %erfc = math.erfc %erf : f16
  %sin = math.sin %erfc : f16
  %cos = math.cos %sin : f16
  %log1p = math.log1p %cos : f16
  %cbrt = math.cbrt %log1p : f16
  %atan = math.atan %cbrt : f16
  %sinh = math.sinh %atan : f16
  %cosh = math.cosh %sinh : f16
  %floor = math.floor %cosh : f16
  %ceil = math.ceil %floor : f16
  %trunc = math.trunc %ceil : f16
  %roundeven = math.roundeven %trunc : f16
  %absf = math.absf %roundeven : f16
  %addf = arith.addf %absf, %y : f16
  %subf = arith.subf %addf, %y : f16
  %mulf = arith.mulf %subf, %y : f16
  %divf = arith.divf %mulf, %y : f16
  %maximumf = arith.maximumf %divf, %y : f16
  %minimumf = arith.minimumf %maximumf, %y : f16
  %maxnumf = arith.maxnumf %minimumf, %y : f16
  %minnumf = arith.minnumf %maxnumf, %y : f16
  %copysign = math.copysign %minnumf, %y : f16
  %fma = math.fma %copysign, %x, %y : f16
  %powf = math.powf %fma, %y : f16
  %negf = arith.negf %powf : f16
  %less = arith.cmpf ult, %negf, %y : f16
  %select = arith.select %less, %negf, %y : f16
  %integer = arith.fptosi %select : f16 to i16
  %real = arith.sitofp %integer : i16 to f16
  return %real : f16
}

// CHECK: .visible .func {{.*}}bf16_ops(
// CHECK: ret;
func.func @bf16_ops(%x: bf16, %y: bf16) -> bf16 {
  %exp = math.exp %x : bf16
  %exp2 = math.exp2 %exp : bf16
  %expm1 = math.expm1 %exp2 : bf16
  %log = math.log %expm1 : bf16
  %log2 = math.log2 %log : bf16
  %sqrt = math.sqrt %log2 : bf16
  %rsqrt = math.rsqrt %sqrt : bf16
  %tanh = math.tanh %rsqrt : bf16
  %erf = math.erf %tanh : bf16
  %erfc = math.erfc %erf : bf16
  %sin = math.sin %erfc : bf16
  %cos = math.cos %sin : bf16
  %log1p = math.log1p %cos : bf16
  %cbrt = math.cbrt %log1p : bf16
  %atan = math.atan %cbrt : bf16
  %sinh = math.sinh %atan : bf16
  %cosh = math.cosh %sinh : bf16
  %floor = math.floor %cosh : bf16
  %ceil = math.ceil %floor : bf16
  %trunc = math.trunc %ceil : bf16
  %roundeven = math.roundeven %trunc : bf16
  %absf = math.absf %roundeven : bf16
  %addf = arith.addf %absf, %y : bf16
  %subf = arith.subf %addf, %y : bf16
  %mulf = arith.mulf %subf, %y : bf16
  %divf = arith.divf %mulf, %y : bf16
  %maximumf = arith.maximumf %divf, %y : bf16
  %minimumf = arith.minimumf %maximumf, %y : bf16
  %maxnumf = arith.maxnumf %minimumf, %y : bf16
  %minnumf = arith.minnumf %maxnumf, %y : bf16
  %copysign = math.copysign %minnumf, %y : bf16
  %fma = math.fma %copysign, %x, %y : bf16
  %powf = math.powf %fma, %y : bf16
  %negf = arith.negf %powf : bf16
  %less = arith.cmpf ult, %negf, %y : bf16
  %select = arith.select %less, %negf, %y : bf16
  %integer = arith.fptosi %select : bf16 to i16
  %real = arith.sitofp %integer : i16 to bf16
  return %real : bf16
}
