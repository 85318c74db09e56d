//===- HostProgram.h - The launch list of a lowered function ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After code generation a function with tensors is a host function
//
//   func.func @f(argument pointers, result pointers, workspace pointer,
//                one i64 per symbol) -> i64 (workspace bytes)
//       attributes {sparseflow.symbols = ["T"],
//                   sparseflow.argument_types = [tensor<?x384xf16>, ...],
//                   sparseflow.argument_names = ["x", ...],
//                   sparseflow.result_types = [...]}
//
// whose body computes sizes with integer arithmetic and launches kernels
// inside chains of scf.if. It is never compiled: it is read into the data that
// a runtime interprets. The dense form of an argument that is a packed weight
// has an address too (sftile.dense_form). A kernel takes pointers, i64 and, by
// value, tensor maps (sftile.tensor_map). Each top-level scf.if chain or launch
// is one step; an attribute `sparseflow.op = "matmul"` on it names the op it
// came from. An scf.if with the unit attribute `sparseflow.nothing` has an
// empty first branch: under its condition the step has nothing to do. With the
// unit attribute `sparseflow.independent`, every branch whose conditions hold,
// whatever those before it say, computes the step. An attribute
// `sparseflow.traffic` on it is an affine map over the symbols: tokens, bytes
// read, bytes written; `sparseflow.variant_traffic` on a launch is the same of
// a variant that computes other steps, too.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_MANIFEST_HOSTPROGRAM_H
#define SPARSEFLOW_TARGET_MANIFEST_HOSTPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/JSON.h"

namespace mlir::LLVM {
class LLVMFuncOp;
} // namespace mlir::LLVM

namespace mlir::sparseflow {

/// The parts of a host function's signature, checked against its attributes.
struct HostSignature {
  func::FuncOp function;
  SmallVector<TensorType> argumentTypes;
  SmallVector<StringRef> argumentNames; // "" for an argument without a name
  SmallVector<TensorType> resultTypes;
  SmallVector<StringRef> symbols;

  /// Reads and checks the attributes. Errors name what is missing.
  static FailureOr<HostSignature> parse(func::FuncOp function);

  /// The only block of the body.
  Block *entry() const {
    func::FuncOp host = function;
    return &host.getBody().front();
  }
  /// Block argument numbers.
  unsigned firstResult() const { return argumentTypes.size(); }
  unsigned workspace() const { return firstResult() + resultTypes.size(); }
  unsigned firstSymbol() const { return workspace() + 1; }
};

/// True when `function` is in the host form.
bool isHostFunction(func::FuncOp function);

/// An integer value as a manifest expression: an integer, a symbol's name or
/// [op, a, b]. Sizes are non-negative, so signed and unsigned division agree.
/// An error is reported at the op that cannot be expressed.
FailureOr<llvm::json::Value> exportExpression(Value value,
                                              const HostSignature &signature);

/// The same for an affine expression whose symbols are those of the signature.
llvm::json::Value exportExpression(AffineExpr expression,
                                   const HostSignature &signature);

/// The member `traffic` of a step or a variant, which `attribute` of `op` says.
FailureOr<llvm::json::Object> exportTraffic(Operation *op,
                                            AffineMapAttr attribute,
                                            const HostSignature &signature);

/// True for sftile.dense_form, the dense form of a packed weight.
bool isDenseForm(Operation *op);

/// True for sftile.tensor_map, the description of a tensor that a kernel takes
/// by value. Known by name: manifests do not depend on the dialect.
bool isTensorMap(Operation *op);

/// The kernel argument {"tensor_map": ...} for `op`, whose pointer is `base` as
/// a kernel argument. Errors are reported at the op.
FailureOr<llvm::json::Object> exportTensorMap(Operation *op,
                                              llvm::json::Object base,
                                              const HostSignature &signature);

/// Checks that parameter `number` of `kernel` takes a tensor map, or that it
/// does not, as `launch` passes it.
LogicalResult verifyParameter(Operation *launch, LLVM::LLVMFuncOp kernel,
                              unsigned number, bool isMap);

/// What a kernel launch needs to know about the kernels of a module.
struct LaunchLimits {
  int64_t maxThreads;
  int64_t maxSharedBytes;
};

/// The "steps" array and the "workspace" expression of a program.
struct HostProgram {
  llvm::json::Array steps;
  llvm::json::Value workspace = 0;
  /// Whether a launch reads the dense form of an argument.
  bool usesDenseForms = false;
};

/// Reads the body of a host function. Errors are reported at the op that a
/// manifest cannot express, with what it can.
FailureOr<HostProgram> exportHostProgram(const HostSignature &signature,
                                         const LaunchLimits &limits);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_MANIFEST_HOSTPROGRAM_H
