//===- DsmemReduction.cpp - Partial sums of a cluster ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/ResultStore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

/// Whether in the round of `stride` the block of `rank` keeps the later tokens:
/// 0 or 1, index.
static Value keepsLater(KernelBuilder &b, Value rank, int64_t stride) {
  return b.rem(b.div(rank, stride), 2);
}

void mlir::sparseflow::reduceOverCluster(const MatmulProblem &problem,
                                         KernelBuilder &b,
                                         SmallVectorImpl<Value> &sums,
                                         Value rank, Value ring) {
  OpBuilder &builder = b.builder;
  for (int64_t round = 1; round < problem.schedule.getSplitK(); round *= 2) {
    Value bit = keepsLater(b, rank, round);
    Value partner = arith::XOrIOp::create(builder, b.loc, rank, b.index(round));
    Value later = arith::CmpIOp::create(
        builder, b.loc, arith::CmpIPredicate::ne, bit, b.index(0));
    for (Value &sum : sums) {
      auto [own, given] = b.halves(sum, later);
      Value theirs =
          DsmemExchangeOp::create(builder, b.loc, TypeRange{own.getType()},
                                  ValueRange{given}, partner, ring,
                                  /*offset=*/0)
              .getResult(0);
      sum = b.sum(own, theirs);
    }
  }
}

Value mlir::sparseflow::firstTokenOfRank(const MatmulProblem &problem,
                                         KernelBuilder &b, Value rank,
                                         Value token) {
  int64_t part = problem.schedule.getBlock()[1] / problem.schedule.getKWarps();
  for (int64_t round = 1; round < problem.schedule.getSplitK(); round *= 2) {
    part /= 2;
    token = b.add(token, b.mul(b.toI64(keepsLater(b, rank, round)), part));
  }
  return token;
}
