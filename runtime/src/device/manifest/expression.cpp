//===- expression.cpp - Checked integer expressions of a manifest ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/expression.h"

#include <algorithm>
#include <limits>

using namespace sparseflow::rt;

using Op = Expression::Op;

static bool isLeaf(Op op) { return op == Op::Constant || op == Op::Symbol; }

static const char *opName(Op op) {
  switch (op) {
  case Op::Constant:
    return "constant";
  case Op::Symbol:
    return "symbol";
  case Op::Add:
    return "add";
  case Op::Sub:
    return "sub";
  case Op::Mul:
    return "mul";
  case Op::CeilDiv:
    return "ceildiv";
  case Op::FloorDiv:
    return "floordiv";
  case Op::Mod:
    return "mod";
  case Op::Min:
    return "min";
  case Op::Max:
    return "max";
  }
  return "?";
}

Expression Expression::constant(int64_t value) {
  Expression result;
  result.nodes[0].value = value;
  return result;
}

Status Expression::verify(size_t symbolCount) const {
  if (nodes.size() > maxNodes)
    return formatError("an expression has " + std::to_string(nodes.size()) +
                       " nodes, the limit is " + std::to_string(maxNodes));
  size_t depth = 0;
  for (const Node &node : nodes) {
    if (isLeaf(node.op)) {
      if (node.op == Op::Symbol &&
          (node.value < 0 || static_cast<size_t>(node.value) >= symbolCount))
        return formatError("an expression names a symbol that does not exist");
      if (++depth > maxStack)
        return formatError("an expression nests deeper than " +
                           std::to_string(maxStack) + " pending values");
    } else if (depth < 2) {
      return formatError(std::string("an expression has ") + opName(node.op) +
                         " without two operands");
    } else {
      --depth;
    }
  }
  if (depth != 1)
    return formatError("an expression does not give one value");
  return Status::success();
}

// Division towards minus infinity; false when it has no 64-bit result.
static bool floorDiv(int64_t a, int64_t b, int64_t &result) {
  if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1))
    return false;
  result = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool apply(Op op, int64_t a, int64_t b, int64_t &result) {
  switch (op) {
  case Op::Add:
    return !__builtin_add_overflow(a, b, &result);
  case Op::Sub:
    return !__builtin_sub_overflow(a, b, &result);
  case Op::Mul:
    return !__builtin_mul_overflow(a, b, &result);
  case Op::FloorDiv:
    return floorDiv(a, b, result);
  case Op::CeilDiv:
    if (!floorDiv(a, b, result))
      return false;
    result += a % b != 0;
    return true;
  case Op::Mod:
    // a - b * floor(a / b); -1 is apart because INT64_MIN % -1 traps.
    if (b == 0)
      return false;
    result = b == -1 ? 0 : a % b;
    if (result != 0 && (result < 0) != (b < 0))
      result += b;
    return true;
  case Op::Min:
    result = std::min(a, b);
    return true;
  case Op::Max:
    result = std::max(a, b);
    return true;
  case Op::Constant:
  case Op::Symbol:
    break;
  }
  return false;
}

Expected<int64_t> Expression::evaluate(const int64_t *symbols) const {
  int64_t stack[maxStack];
  size_t depth = 0;
  for (const Node &node : nodes) {
    if (node.op == Op::Constant) {
      stack[depth++] = node.value;
    } else if (node.op == Op::Symbol) {
      stack[depth++] = symbols[node.value];
    } else {
      int64_t a = stack[depth - 2], b = stack[depth - 1], value = 0;
      if (!apply(node.op, a, b, value))
        return invalidArgument(
            std::string(opName(node.op)) + " of " + std::to_string(a) +
            " and " + std::to_string(b) +
            " has no 64-bit result; the sizes of this call are out of range");
      stack[--depth - 1] = value;
    }
  }
  return stack[0];
}
