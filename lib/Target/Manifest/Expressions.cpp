//===- Expressions.cpp - Integer arithmetic as data -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/HostProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

// A runtime evaluates expressions on a small stack; a chain of definitions
// that shares values grows when it is written as a tree.
constexpr int kMaxNodes = 4096;
constexpr int kMaxDepth = 60;

class ExpressionWriter {
public:
  explicit ExpressionWriter(const HostSignature &signature)
      : signature(signature) {}

  FailureOr<llvm::json::Value> write(Value value, int depth = 0);

private:
  FailureOr<llvm::json::Value> writeArgument(BlockArgument argument);
  FailureOr<llvm::json::Value> binary(Operation *op, StringRef name, int depth);

  const HostSignature &signature;
  int nodes = 0;
};

} // namespace

FailureOr<llvm::json::Value>
ExpressionWriter::writeArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  assert(argument.getOwner() == signature.entry() &&
         number >= signature.firstSymbol() &&
         "integers are symbols: the arguments before them are pointers");
  return llvm::json::Value(
      signature.symbols[number - signature.firstSymbol()].str());
}

/// Folds two constants, exactly as a runtime would evaluate them. Nothing is
/// folded when the operation would fail: the runtime then reports it.
static std::optional<int64_t> fold(StringRef name, int64_t a, int64_t b) {
  int64_t result;
  if (name == "add")
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (name == "sub")
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (name == "mul")
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  if (name == "min")
    return std::min(a, b);
  if (name == "max")
    return std::max(a, b);
  if (a < 0 || b <= 0)
    return std::nullopt;
  if (name == "floordiv")
    return a / b;
  if (name == "mod")
    return a % b;
  if (name == "ceildiv")
    return a / b + (a % b != 0);
  return std::nullopt;
}

FailureOr<llvm::json::Value>
ExpressionWriter::binary(Operation *op, StringRef name, int depth) {
  FailureOr<llvm::json::Value> left = write(op->getOperand(0), depth + 1);
  if (failed(left))
    return failure();
  FailureOr<llvm::json::Value> right = write(op->getOperand(1), depth + 1);
  if (failed(right))
    return failure();
  std::optional<int64_t> a = left->getAsInteger(), b = right->getAsInteger();
  if (a && b)
    if (std::optional<int64_t> folded = fold(name, *a, *b))
      return llvm::json::Value(*folded);
  // Neutral operands only lengthen what a person reads.
  if (name == "add" && a == 0)
    return right;
  if ((name == "add" || name == "sub") && b == 0)
    return left;
  if (name == "mul" && a == 1)
    return right;
  if ((name == "mul" || name == "floordiv" || name == "ceildiv") && b == 1)
    return left;
  return llvm::json::Value(
      llvm::json::Array{name.str(), std::move(*left), std::move(*right)});
}

FailureOr<llvm::json::Value> ExpressionWriter::write(Value value, int depth) {
  if (++nodes > kMaxNodes || depth > kMaxDepth)
    return emitError(value.getLoc())
           << "expression is too large for a manifest (more than " << kMaxNodes
           << " nodes or " << kMaxDepth << " levels): simplify it";
  if (auto argument = dyn_cast<BlockArgument>(value))
    return writeArgument(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return llvm::json::Value(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  using Result = FailureOr<llvm::json::Value>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
            arith::ExtSIOp>([&](auto cast) -> Result {
        return write(cast->getOperand(0), depth + 1);
      })
      .Case<arith::AddIOp>([&](auto) { return binary(op, "add", depth); })
      .Case<arith::SubIOp>([&](auto) { return binary(op, "sub", depth); })
      .Case<arith::MulIOp>([&](auto) { return binary(op, "mul", depth); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return binary(op, "ceildiv", depth); })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return binary(op, "floordiv", depth); })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [&](auto) { return binary(op, "mod", depth); })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [&](auto) { return binary(op, "min", depth); })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [&](auto) { return binary(op, "max", depth); })
      .Default([&](Operation *other) -> Result {
        return other->emitOpError(
            "cannot be expressed in a manifest: expected integer constants, "
            "symbols, add, sub, mul, ceildiv, div, rem, min and max");
      });
}

FailureOr<llvm::json::Value>
mlir::sparseflow::exportExpression(Value value,
                                   const HostSignature &signature) {
  return ExpressionWriter(signature).write(value);
}

static StringRef operationOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return "add";
  case AffineExprKind::Mul:
    return "mul";
  case AffineExprKind::Mod:
    return "mod";
  case AffineExprKind::FloorDiv:
    return "floordiv";
  case AffineExprKind::CeilDiv:
    return "ceildiv";
  default:
    llvm_unreachable("no operation of two numbers");
  }
}

llvm::json::Value
mlir::sparseflow::exportExpression(AffineExpr expression,
                                   const HostSignature &signature) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return signature.symbols[symbol.getPosition()].str();
  auto binary = cast<AffineBinaryOpExpr>(expression);
  return llvm::json::Array{operationOf(expression.getKind()).str(),
                           exportExpression(binary.getLHS(), signature),
                           exportExpression(binary.getRHS(), signature)};
}

FailureOr<llvm::json::Object>
mlir::sparseflow::exportTraffic(Operation *op, AffineMapAttr attribute,
                                const HostSignature &signature) {
  AffineMap map = attribute.getValue();
  if (map.getNumDims() || map.getNumSymbols() != signature.symbols.size() ||
      map.getNumResults() != 3)
    return op->emitOpError()
           << "expected 'sparseflow.traffic' to be a map of "
           << signature.symbols.size()
           << " symbols to tokens, bytes read and bytes written, found "
           << attribute;
  return llvm::json::Object{
      {"tokens", exportExpression(map.getResult(0), signature)},
      {"read", exportExpression(map.getResult(1), signature)},
      {"written", exportExpression(map.getResult(2), signature)}};
}
