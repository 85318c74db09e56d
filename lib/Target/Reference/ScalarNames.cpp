//===- ScalarNames.cpp - Names of scalar ops in manifests -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarNames.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Conversions of booleans are of 0 and 1, whatever their sign.
static StringRef getConversion(Operation &op) {
  bool fromFlag = op.getOperand(0).getType().isInteger(1);
  bool toFlag = op.getResult(0).getType().isInteger(1);
  // True is -1 to an extension of the sign.
  if (isa<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>(op))
    return fromFlag ? "negf" : toFlag ? "" : "extf";
  // Numbers are signed here.
  if (isa<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(op))
    return fromFlag ? "extf" : "";
  if (isa<arith::TruncIOp>(op))
    return toFlag ? "andi" : "extf";
  if (isa<arith::FPToSIOp>(op))
    return "trunc";
  return "";
}

StringRef mlir::sparseflow::getManifestName(Operation &op) {
  bool onFlags =
      op.getNumOperands() == 2 && op.getOperand(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::ExtFOp, arith::TruncFOp, arith::AddFOp, arith::SubFOp,
            arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
            arith::SelectOp, math::AbsFOp, math::AtanOp, math::CbrtOp,
            math::CopySignOp, math::CoshOp, math::ErfcOp, math::ExpM1Op,
            math::FmaOp, math::ExpOp, math::Exp2Op, math::LogOp, math::Log1pOp,
            math::Log2Op, math::SinhOp, math::SqrtOp, math::RsqrtOp,
            math::TanhOp, math::ErfOp, math::SinOp, math::CosOp, math::FloorOp,
            math::CeilOp, math::PowFOp, math::TruncOp, math::RoundEvenOp,
            arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [](Operation *op) { return op->getName().stripDialect(); })
      .Case<math::FPowIOp>([](Operation *) { return "powf"; })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
            arith::UIToFPOp, arith::FPToSIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>(
          [](Operation *op) { return getConversion(*op); })
      // Integers are exact in the reference's arithmetic.
      .Case([&](arith::AddIOp) { return onFlags ? "xori" : "addf"; })
      .Case([&](arith::SubIOp) { return onFlags ? "xori" : "subf"; })
      .Case([&](arith::MulIOp) { return onFlags ? "andi" : "mulf"; })
      .Case([&](arith::MaxSIOp) { return onFlags ? "andi" : "maximumf"; })
      .Case([&](arith::MinSIOp) { return onFlags ? "ori" : "minimumf"; })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::ShLIOp,
            arith::ShRSIOp>([&](Operation *op) {
        return onFlags ? StringRef() : op->getName().stripDialect();
      })
      .Default([](Operation *) { return StringRef(); });
}

std::optional<StringRef> mlir::sparseflow::getFloatPredicate(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  // Booleans are 0 and 1, and unsigned.
  bool onFlags = op.getLhs().getType().isInteger(1);
  switch (op.getPredicate()) {
  case Predicate::eq:
    return "oeq";
  case Predicate::ne:
    return "une";
  case Predicate::slt:
    return onFlags ? "ogt" : "olt";
  case Predicate::sle:
    return onFlags ? "oge" : "ole";
  case Predicate::sgt:
    return onFlags ? "olt" : "ogt";
  case Predicate::sge:
    return onFlags ? "ole" : "oge";
  default:
    return std::nullopt;
  }
}
