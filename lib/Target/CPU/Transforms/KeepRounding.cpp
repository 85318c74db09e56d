//===- KeepRounding.cpp - Conversions round where they stand --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sparseflow::cpu {
#define GEN_PASS_DEF_KEEPROUNDING
#include "SparseFlow/Target/CPU/Passes.h.inc"
} // namespace mlir::sparseflow::cpu

using namespace mlir;

namespace {
struct KeepRoundingPass
    : public sparseflow::cpu::impl::KeepRoundingBase<KeepRoundingPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto extension = dyn_cast<arith::ExtFOp>(op))
        extension.removeFastmathAttr();
      else if (auto truncation = dyn_cast<arith::TruncFOp>(op))
        truncation.removeFastmathAttr();
    });
  }
};
} // namespace
