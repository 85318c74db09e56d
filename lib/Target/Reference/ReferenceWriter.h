//===- ReferenceWriter.h - What a function computes, as JSON ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_REFERENCE_REFERENCEWRITER_H
#define SPARSEFLOW_LIB_TARGET_REFERENCE_REFERENCEWRITER_H

#include "RegionWriter.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow {

/// Writes the steps of one function's reference graph (docs/formats/bundle.md).
/// Reference.cpp has the ops of this dialect and what a function is,
/// LinalgStep.cpp linalg ops, TensorSteps.cpp tensor ops.
class ReferenceWriter : private RegionScope {
public:
  ReferenceWriter(func::FuncOp function, FunctionSignature signature)
      : function(function), signature(std::move(signature)) {}
  llvm::Expected<llvm::json::Object> write();
  /// The same without the member "reference".
  llvm::Expected<llvm::json::Object> writeSignature();

private:
  class LinalgStep;

  llvm::Expected<llvm::json::Array> writeArguments();
  llvm::Expected<llvm::json::Array> writeResults();
  llvm::Error writeOp(Operation &op);
  llvm::Error writeMatmul(MatmulOp op);
  llvm::Error writeAttention(AttentionOp op);
  llvm::Error writeAppend(CacheAppendOp op);
  llvm::Error writeQuantize(QuantizeOp op);
  llvm::Error writeHadamard(HadamardOp op);
  llvm::Error writeSample(SampleOp op);
  llvm::Error writeLinalg(linalg::LinalgOp op);
  llvm::Error writeReshape(Operation &op);
  llvm::Error writeSlice(tensor::ExtractSliceOp op);
  llvm::Error writeInsert(tensor::InsertSliceOp op);
  llvm::Error writeConcat(tensor::ConcatOp op);
  llvm::Error writePad(tensor::PadOp op);
  /// A step with the shape and the type of the result of `op`, which it
  /// defines.
  llvm::Error addStep(llvm::json::Object step, Operation &op);
  /// The numbers of values that `user` reads, by name.
  llvm::Error addNumbers(llvm::json::Object &step,
                         ArrayRef<std::pair<StringRef, Value>> tensors,
                         Operation &user);
  /// A map without inputs, whose region reads what it needs by its indices.
  llvm::Error addMap(Operation &op, RegionWriter region, int64_t yielded);

  llvm::Expected<int64_t> getNumber(Value value, Operation &user) override;
  llvm::Expected<llvm::json::Value> getSize(Value tensor, int64_t dim,
                                            Operation &user) override;
  /// The sizes of `value`, of which each has to be a number or a symbol.
  llvm::Expected<llvm::json::Array> getSizes(Value value, Operation &user);
  int64_t define(Value value) { return numbers[value] = count++; }

  func::FuncOp function;
  FunctionSignature signature;
  llvm::DenseMap<Value, int64_t> numbers;
  int64_t count = 0;
  llvm::json::Array steps;
};

/// How the manifest spells the type of `type`'s elements.
llvm::Expected<StringRef> getDtype(Type type, Location location);

/// The constant that every element of `value` is, as the manifest writes it: a
/// splat, a fill, or a generic that yields a constant.
std::optional<llvm::json::Value> getFill(Value value);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_REFERENCE_REFERENCEWRITER_H
