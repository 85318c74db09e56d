//===- expression.h - Checked integer expressions of a manifest -*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_MANIFEST_EXPRESSION_H
#define SPARSEFLOW_RT_DEVICE_MANIFEST_EXPRESSION_H

#include "common/status.h"

#include <cstdint>
#include <vector>

namespace sparseflow::rt {

/// An integer expression over the symbols of a function, in postfix form.
/// Evaluation allocates nothing unless it fails, and checks every operation:
/// overflow of 64 bits and division by zero are errors.
class Expression {
public:
  enum class Op : uint8_t {
    Constant,
    Symbol,
    Add,
    Sub,
    Mul,
    CeilDiv,
    FloorDiv,
    Mod,
    Min,
    Max
  };
  struct Node {
    Op op;
    /// The constant, or the symbol's index.
    int64_t value = 0;
  };
  /// Operations and leaves an expression may have, and values waiting at once.
  static constexpr size_t maxNodes = 4096;
  static constexpr size_t maxStack = 64;

  /// The constant 0.
  Expression() : nodes{{Op::Constant, 0}} {}
  static Expression constant(int64_t value);

  /// Appends a node; operands come before their operation.
  void clear() { nodes.clear(); }
  void append(Op op, int64_t value = 0) { nodes.push_back({op, value}); }
  size_t size() const { return nodes.size(); }

  /// Success when the nodes form one complete expression within the limits and
  /// name only symbols below `symbolCount`.
  Status verify(size_t symbolCount) const;

  /// The value for `symbols`; the expression must have been verified. Quotients
  /// round towards minus infinity (floordiv, mod) or plus infinity (ceildiv).
  Expected<int64_t> evaluate(const int64_t *symbols) const;

private:
  std::vector<Node> nodes;
};

/// a * b and a + b of sizes, with false for overflow.
inline bool checkedMul(uint64_t a, uint64_t b, uint64_t &result) {
  return !__builtin_mul_overflow(a, b, &result);
}
inline bool checkedAdd(uint64_t a, uint64_t b, uint64_t &result) {
  return !__builtin_add_overflow(a, b, &result);
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_MANIFEST_EXPRESSION_H
