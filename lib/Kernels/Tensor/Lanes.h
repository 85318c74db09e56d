//===- Lanes.h - One scalar for each lane of a vector -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread computes a vector of adjacent elements of a tensor. What it needs
// for that, indices and elements, are Lanes: a value for each lane, often the
// same one, and for most indices a line: base + offset + step * lane. Lines say
// which accesses are vectors: an offset in memory with step 1 whose base is a
// multiple of the vector is one access, one with step 0 is one element for all
// lanes.
//
//   x[b, s, d] of a tensor [B, S, 64], 8 lanes along d:
//     linear index   (block * threads + thread) * 8 + lane    multiple of 8
//     d = linear % 64                       step 1, multiple of 8: a vector
//     s = linear / 64 % S                   step 0: 8 divides 64
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_TENSOR_LANES_H
#define SPARSEFLOW_LIB_KERNELS_TENSOR_LANES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace mlir::sparseflow {

struct Lanes {
  /// One value for all lanes or one for each; empty for a line.
  SmallVector<Value> values;
  /// An index: lane l has base + offset + step * l; without a base it is 0.
  bool isLine = false;
  Value base;
  int64_t offset = 0, step = 0;
  /// `base` is a multiple of it; 0 without a base.
  int64_t multiple = 0;
  /// All lanes of a remainder are below it; 0 where that is not known.
  int64_t limit = 0;
  /// index, or i64 for a line that a body converted.
  Type type;

  bool isUniform() const { return isLine ? step == 0 : values.size() == 1; }
  std::optional<int64_t> constant() const {
    return isLine && !base && step == 0 ? std::optional(offset) : std::nullopt;
  }
  /// base + offset is a multiple of it, 0 for 0.
  int64_t startMultiple() const;
};

/// The size of a dimension: a number, or a value that the host passes.
struct Size {
  int64_t number = ShapedType::kDynamic;
  Value value; // index
  /// The size is a multiple of it.
  int64_t multiple = 1;

  bool isStatic() const { return !ShapedType::isDynamic(number); }
  bool operator==(const Size &other) const {
    return number == other.number && value == other.value;
  }
};

/// Arithmetic on indices. What has been computed is remembered, so that the
/// same index is the same value; code inside a Scope is forgotten at its end,
/// because nothing behind it may use it.
class IndexArithmetic {
public:
  IndexArithmetic(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// Lanes of one access.
  int64_t width = 1;

  Lanes number(int64_t value);
  /// An index that is the same in all lanes; a multiple of `multiple`.
  Lanes uniform(Value index, int64_t multiple = 1);
  Lanes line(Value base, int64_t step, int64_t multiple);
  Value at(const Lanes &lanes, int64_t lane);
  /// Lane `lane` alone.
  Lanes single(const Lanes &lanes, int64_t lane);

  Lanes add(const Lanes &a, const Lanes &b);
  Lanes sub(const Lanes &a, const Lanes &b);
  Lanes scale(const Lanes &a, const Size &size);
  Lanes div(const Lanes &a, const Size &size);
  Lanes rem(const Lanes &a, const Size &size);
  /// At least 0 and below `size`.
  Lanes clamp(const Lanes &a, const Size &size);
  /// The value of an expression over `dims`, which have no symbols.
  Lanes apply(AffineExpr expr, ArrayRef<Lanes> dims);

  /// Whether `a` is on the same side of `limit` in all lanes.
  bool isOneSided(const Lanes &a, const Size &limit) const;

  /// The offset of `indices` in a tensor of these sizes, row by row.
  Lanes linearize(ArrayRef<Lanes> indices, ArrayRef<Size> sizes);
  /// The indices of element `linear`.
  SmallVector<Lanes> delinearize(const Lanes &linear, ArrayRef<Size> sizes);

  Value valueOf(const Size &size);
  Value smaller(Value a, Value b) { return compute(MinS, a, b); }
  Value index(int64_t value);

  static Size product(IndexArithmetic &self, ArrayRef<Size> sizes);

  using Key = std::vector<int64_t>;
  static void appendKey(Key &key, const Lanes &lanes);

  OpBuilder &builder;
  Location loc;

protected:
  /// Forgets at its end what was computed inside.
  friend class Scope;
  /// Lists of indices that delinearize gave, and what they are of.
  struct Run {
    Lanes linear;
    SmallVector<Lanes> indices;
    SmallVector<Size> sizes;
  };
  std::map<Key, Value> known;
  std::map<Key, Lanes> elements;
  std::vector<Run> runs;

private:
  enum Op { Add, Sub, Mul, Div, Rem, MinS, MaxS };
  Value compute(Op op, Value a, Value b);
  Value computeBy(Op op, Value a, int64_t b);
  Lanes each(const Lanes &a, const Lanes &b,
             function_ref<Value(Value, Value)> op);
};

/// While it lives, code goes into a block of its own.
class Scope {
public:
  explicit Scope(IndexArithmetic &of)
      : of(of), known(of.known), elements(of.elements), runs(of.runs) {}
  ~Scope() {
    of.known = std::move(known);
    of.elements = std::move(elements);
    of.runs = std::move(runs);
  }

private:
  IndexArithmetic &of;
  std::map<IndexArithmetic::Key, Value> known;
  std::map<IndexArithmetic::Key, Lanes> elements;
  std::vector<IndexArithmetic::Run> runs;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_TENSOR_LANES_H
