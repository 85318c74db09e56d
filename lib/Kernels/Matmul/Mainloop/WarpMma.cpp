//===- WarpMma.cpp - mma.sync of a stage ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/WarpMma.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Tokens of an accumulator fragment: two MMAs, whose activations one ldmatrix
// loads for half a K step.
static constexpr int64_t kFragmentTokens = 16;
// Elements of a warp's tile that is worth the registers of overlapped stages:
// smaller ones have more warps beside them.
static constexpr int64_t kOverlappedTile = 64 * 64;
// Columns of a short stage: of two such ones the next is still on its way.
static constexpr int64_t kShortStage = 64;
// Features of a block that leaves registers for it where stages are longer or
// weights are dense, and more of a thread's copies have addresses of their own.
static constexpr int64_t kFewFeatures = 128;
// Bytes of a store of whole chunks.
static constexpr int64_t kWholeStore = 16;

WarpMma::WarpMma(const MatmulProblem &problem, const OperandA &operandA,
                 KernelBuilder &b, WarpTile warp)
    : problem(problem), operandA(operandA), b(b), warp(warp),
      mma(operandA.warpMma()),
      accLayout(LayoutAttr::get(b.builder.getContext(), mma.getLayoutC())),
      warpFeatures(problem.schedule.getWarp()[0]),
      warpTokens(problem.schedule.getWarp()[1]) {}

int64_t WarpMma::fragmentTokens() const {
  return warpTokens % kFragmentTokens ? mma.getN() : kFragmentTokens;
}

void WarpMma::multiplyFragment(const OperandA::Fragment &a,
                               const MatmulStage &stage, int64_t k,
                               MutableArrayRef<Value> acc) {
  for (auto [index, sum] : llvm::enumerate(acc))
    sum = multiplyTile(a, loadActivations(stage, index, k), sum);
}

Value WarpMma::loadActivations(const MatmulStage &stage, int64_t number,
                               int64_t k) {
  MLIRContext *context = b.builder.getContext();
  FragType type = b.frag({fragmentTokens(), mma.getK()}, problem.operandType,
                         LayoutAttr::get(context, mma.getLayoutB()));
  Value token = b.add(warp.token, number * fragmentTokens());
  int64_t columns = cast<TileType>(stage.b[0].getType()).getShape()[1];
  Value column = b.index(k % columns);
  if (!stage.rowsOfB.empty()) {
    token = b.add(stage.rowsOfB[k / columns], token);
    if (warp.column)
      token = b.add(token, b.div(warp.column, columns));
  } else if (warp.column) {
    column = b.add(warp.column, column);
  }
  return LoadOp::create(b.builder, b.loc, type, stage.b[k / columns], token,
                        column, LdMatrixAttr::get(context));
}

OperandA::Fragment WarpMma::loadWeights(const MatmulStage &stage, int64_t k,
                                        const OperandA::Fragment &last) {
  return operandA.loadFragment(b, stage.a, warp.feature, warpFeatures,
                               {warp.column, k}, last);
}

Value WarpMma::multiplyTile(const OperandA::Fragment &a, Value x, Value acc) {
  return MmaOp::create(b.builder, b.loc, acc.getType(), a.values, x, acc,
                       a.metadata, a.selector, mma);
}

void WarpMma::multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                       ValueRange) {
  OperandA::Fragment a;
  for (int64_t k = 0; k < warpColumns(); k += mma.getK()) {
    a = loadWeights(stage, k, a);
    multiplyFragment(a, stage, k, acc);
  }
}

bool WarpMma::overlapsStages() const {
  ScheduleAttr schedule = problem.schedule;
  if (problem.weights == WeightKind::Quantized || problem.computedRows ||
      warp.column || warpFeatures * warpTokens < kOverlappedTile)
    return false;
  // Where results leave one by one their places take the registers.
  if (problem.storeWidth < kWholeStore)
    return false;
  bool isPacked = problem.weights == WeightKind::TwoFour;
  bool isShort = schedule.getK() <= kShortStage;
  if ((!isPacked || !isShort) && schedule.getBlock()[0] > kFewFeatures)
    return false;
  return isShort ? schedule.getStages() > 2
                 : isPacked && schedule.getK() == 2 * kShortStage;
}

SmallVector<Value> WarpMma::loadFirst(const MatmulStage &stage) {
  OperandA::Fragment a = loadWeights(stage, /*k=*/0, {});
  SmallVector<Value> first = {loadActivations(stage, /*number=*/0, /*k=*/0),
                              a.values};
  if (a.metadata)
    first.push_back(a.metadata);
  return first;
}

SmallVector<Value>
WarpMma::multiplyOverlapped(const MatmulStage &stage,
                            MutableArrayRef<Value> acc, ArrayRef<Value> first,
                            function_ref<SmallVector<Value>()> next) {
  OperandA::Fragment a;
  Value x = first[0];
  a.values = first[1];
  if (first.size() > 2)
    a.metadata = first[2];
  a.selector = static_cast<const SharedOperandA &>(operandA).selector(
      /*k=*/0, mma.getK());
  SmallVector<Value> firstOfNext;
  for (int64_t k = 0; k < warpColumns(); k += mma.getK()) {
    OperandA::Fragment behind;
    for (size_t number = 0; number < acc.size(); ++number) {
      // Operands of the MMAs that follow these.
      Value ahead;
      int64_t following = k + mma.getK();
      if (number + 1 < acc.size())
        ahead = loadActivations(stage, number + 1, k);
      if (number + 2 == acc.size()) {
        // The last activations of `k` are under way.
        if (following < warpColumns())
          behind = loadWeights(stage, following, a);
        else
          firstOfNext = next();
      }
      if (number + 1 == acc.size() && following < warpColumns())
        ahead = loadActivations(stage, 0, following);
      acc[number] = multiplyTile(a, x, acc[number]);
      x = ahead;
    }
    a = behind;
  }
  return firstOfNext;
}
