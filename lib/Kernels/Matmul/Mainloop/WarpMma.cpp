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

Value WarpMma::multiplyTile(const OperandA::Fragment &a, Value x, Value acc) {
  return MmaOp::create(b.builder, b.loc, acc.getType(), a.values, x, acc,
                       a.metadata, a.selector, mma);
}

void WarpMma::multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                       ValueRange) {
  OperandA::Fragment a;
  for (int64_t k = 0; k < warpColumns(); k += mma.getK()) {
    a = operandA.loadFragment(b, stage.a, warp.feature, warpFeatures,
                              {warp.column, k}, a);
    multiplyFragment(a, stage, k, acc);
  }
}
