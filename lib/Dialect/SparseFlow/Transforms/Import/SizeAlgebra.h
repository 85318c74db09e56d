//===- SizeAlgebra.h - Which sizes of a program are equal -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends compute sizes at run time: the 4 of [B, S, 4, 64] is the number of
// elements, divided by what is known. Here a size is a product of a number and
// of symbols, the dynamic dimensions of arguments; quotients cancel, and what
// the program asserts to be equal, or what one loop indexes, is one symbol:
//
//   %n = tensor.dim %x, %c1            n
//   %a = arith.muli %n, %c256          256 n
//   %b = arith.muli %n, %c64           64 n
//   %c = arith.divsi %a, %b            4
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SIZEALGEBRA_H
#define SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SIZEALGEBRA_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::sparseflow {

/// factor * symbols[0] * symbols[1] * ...; the symbols are sorted.
struct Size {
  int64_t factor = 1;
  SmallVector<unsigned, 2> symbols;

  bool operator==(const Size &other) const {
    return factor == other.factor && symbols == other.symbols;
  }
  bool operator!=(const Size &other) const { return !(*this == other); }
  /// The number that it is, if it is one.
  std::optional<int64_t> getConstant() const {
    return symbols.empty() || factor == 0 ? std::optional(factor)
                                          : std::nullopt;
  }
  bool isOne() const { return getConstant() == 1; }
};

/// A dynamic dimension of an argument that can be one number only.
struct FixedSize {
  BlockArgument argument;
  int64_t dim, size;
};

class SizeAlgebra {
public:
  /// What an integer or an index is; a symbol of its own where nothing else is
  /// known of it.
  Size get(Value value);
  Size get(OpFoldResult value);
  /// A dimension of a tensor.
  Size getDim(Value tensor, int64_t dim);
  /// Whether a condition always, or never, holds.
  std::optional<bool> getCondition(Value condition);

  /// Makes two sizes equal where they differ in one symbol each; true if that
  /// is new.
  bool unify(Size a, Size b);

  /// What two sizes fix where they are equal.
  std::optional<FixedSize> findFixed(Size a, Size b);

  Size multiply(const Size &a, const Size &b);
  /// a / b where nothing remains.
  std::optional<Size> divide(const Size &a, const Size &b);
  /// a + b where a product says it.
  std::optional<Size> add(const Size &a, const Size &b);

  /// The dimension of a tensor that a size with factor 1 and one symbol is.
  std::optional<std::pair<Value, int64_t>> getDimension(const Size &size);

private:
  struct Symbol {
    /// A tensor and its dimension, or an integer and -1.
    Value source;
    int64_t dim;
    unsigned parent;
  };
  unsigned find(unsigned symbol);
  Size makeSymbol(Value source, int64_t dim);
  Size compute(Value value);
  std::optional<Size> evaluate(AffineExpr expr, ValueRange operands,
                               unsigned dims);
  Size computeDim(Value tensor, int64_t dim);
  bool isNatural(const Size &size);

  SmallVector<Symbol> symbols;
  DenseMap<std::pair<Value, int64_t>, unsigned> symbolOf;
  /// What was computed since the last new equality.
  DenseMap<std::pair<Value, int64_t>, Size> known;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_DIALECT_SPARSEFLOW_TRANSFORMS_IMPORT_SIZEALGEBRA_H
