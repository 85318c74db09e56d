//===- RegionWriter.h - Scalar regions as JSON -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H
#define SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H

#include "SparseFlow/Support/LocatedError.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::sparseflow {

/// An error at `location` of which `parts` are the text.
template <typename... Parts>
llvm::Error errorAt(Location location, const Parts &...parts) {
  std::string message;
  llvm::raw_string_ostream os(message);
  ((os << parts), ...);
  return llvm::make_error<LocatedError>(location, std::move(message));
}

/// JSON has no infinities and no NaN; the manifest writes them as strings.
llvm::json::Value getJsonNumber(const APFloat &value);

/// What a region can read of the function around it.
class RegionScope {
public:
  virtual ~RegionScope() = default;
  /// The number of a tensor.
  virtual llvm::Expected<int64_t> getNumber(Value value, Operation &user) = 0;
  /// The size of dimension `dim` of a tensor: a number or a symbol.
  virtual llvm::Expected<llvm::json::Value> getSize(Value tensor, int64_t dim,
                                                    Operation &user) = 0;
};

/// Numbers the values of a scalar region and writes its ops. The inputs come
/// first; a constant, and what is computed outside of the region, is written
/// when it is first read.
class RegionWriter {
public:
  /// `loops` numbers the loops of a linalg op, where there is one. `scope` is
  /// null where a region may read its inputs only.
  explicit RegionWriter(ArrayRef<BlockArgument> inputs,
                        RegionScope *scope = nullptr,
                        ArrayRef<unsigned> loops = {});

  /// Writes the ops of `block`, and what its terminator reads.
  llvm::Error write(Block &block);
  /// The number of a scalar: of the region, a constant, or computed outside.
  llvm::Expected<int64_t> getNumber(Value value, Operation &user);
  /// The number of a constant or of an SSA value.
  llvm::Expected<int64_t> getNumber(OpFoldResult value, Operation &user);
  /// Appends an op of the manifest's, such as {"addf", 0, 1}.
  int64_t add(llvm::json::Array op) {
    ops.push_back(std::move(op));
    return count++;
  }
  /// Value `index` is what the program says of dimension `dim` of `load`, which
  /// the compiler clamped.
  void addChecked(int64_t load, int64_t dim, int64_t index) {
    checked.push_back(
        llvm::json::Object{{"load", load}, {"dim", dim}, {"index", index}});
  }
  int64_t addConstant(double value) {
    return add(llvm::json::Array{"const", value});
  }
  /// `value` is what is `number` from here on.
  void define(Value value, int64_t number) { numbers[value] = number; }

  /// The region; it yields what operand 0 of the terminator is, or `value`.
  llvm::json::Object take() { return take(yielded.front()); }
  llvm::json::Object take(int64_t value) {
    llvm::json::Object region{
        {"inputs", inputs}, {"ops", std::move(ops)}, {"yield", value}};
    if (!checked.empty())
      region["checked"] = std::move(checked);
    return region;
  }
  /// What the terminator's operands are.
  ArrayRef<int64_t> getYielded() const { return yielded; }

private:
  llvm::Error writeOp(Operation &op);
  llvm::Error writeExtract(Operation &op);

  int64_t inputs;
  int64_t count;
  SmallVector<int64_t> yielded;
  llvm::json::Array ops;
  /// Indices of loads that the compiler clamped.
  llvm::json::Array checked;
  llvm::DenseMap<Value, int64_t> numbers;
  RegionScope *scope;
  SmallVector<unsigned> loops;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_TARGET_REFERENCE_REGIONWRITER_H
