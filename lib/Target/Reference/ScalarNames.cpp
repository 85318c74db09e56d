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

StringRef mlir::sparseflow::getManifestName(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::ExtFOp, arith::TruncFOp, arith::AddFOp, arith::SubFOp,
            arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
            arith::SelectOp, math::AbsFOp, math::FmaOp, math::ExpOp,
            math::Exp2Op, math::LogOp, math::Log2Op, math::SqrtOp,
            math::RsqrtOp, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
            math::FloorOp, math::CeilOp, math::PowFOp>(
          [](Operation *op) { return op->getName().stripDialect(); })
      // Indices are exact in the reference's arithmetic.
      .Case([](arith::SIToFPOp) { return "extf"; })
      .Case([](arith::AddIOp) { return "addf"; })
      .Case([](arith::SubIOp) { return "subf"; })
      .Case([](arith::MulIOp) { return "mulf"; })
      .Case([](arith::MaxSIOp) { return "maximumf"; })
      .Case([](arith::MinSIOp) { return "minimumf"; })
      .Default([](Operation *) { return StringRef(); });
}

std::optional<StringRef>
mlir::sparseflow::getFloatPredicate(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "oeq";
  case arith::CmpIPredicate::ne:
    return "une";
  case arith::CmpIPredicate::slt:
    return "olt";
  case arith::CmpIPredicate::sle:
    return "ole";
  case arith::CmpIPredicate::sgt:
    return "ogt";
  case arith::CmpIPredicate::sge:
    return "oge";
  default:
    return std::nullopt;
  }
}
