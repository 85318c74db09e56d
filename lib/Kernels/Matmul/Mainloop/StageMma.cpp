//===- StageMma.cpp - The MMAs of a stage ---------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/StageMma.h"
#include "Kernels/Matmul/Mainloop/WarpMma.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

namespace {

/// StageMma on wgmma. The MMAs of four warps together: each step is started
/// behind the one before, and all are waited for at the end of the stage,
/// because the next wait gives the stage's memory back.
class WarpgroupStageMma : public StageMma {
public:
  WarpgroupStageMma(const MatmulProblem &problem,
                    const SharedOperandA &operandA, KernelBuilder &b,
                    WarpTile warp)
      : problem(problem), operandA(operandA), b(b), warp(warp),
        wgmma(operandA.warpgroupMma()) {}

  LayoutAttr accumulatorLayout() const override {
    return LayoutAttr::get(b.builder.getContext(), wgmma.getLayoutC());
  }
  /// An MMA has one accumulator for all tokens of the warpgroup.
  int64_t fragmentTokens() const override {
    return problem.schedule.getWarp()[1];
  }

  void multiply(const MatmulStage &stage, MutableArrayRef<Value> acc,
                ValueRange) override {
    OpBuilder &builder = b.builder;
    Value feature = b.mul(b.div(warp.feature, wgmma.getM()), wgmma.getM());
    Value metadata =
        operandA.loadMetadata(b, stage.a, warp.feature, kWarpRows, /*k=*/0);
    auto type = PendingType::get(builder.getContext(),
                                 cast<FragType>(acc[0].getType()));
    Value pending = acc[0];
    int64_t step = wgmma.getK();
    for (int64_t k = 0; k < problem.schedule.getK(); k += step)
      pending = MmaAsyncOp::create(builder, b.loc, type, stage.a[0], feature,
                                   b.index(operandA.columnInTile(k)),
                                   stage.b[0], warp.token, b.index(k), pending,
                                   metadata, operandA.selector(k, step), wgmma);
    auto group = CommitGroupOp::create(builder, b.loc, pending, wgmma);
    acc[0] = WaitGroupOp::create(builder, b.loc, acc[0].getType(),
                                 group.getResults(),
                                 metadata ? ValueRange(metadata) : ValueRange(),
                                 /*pending=*/0, wgmma)
                 .getResult(0);
  }

private:
  // Rows of a warp in an MMA of its warpgroup.
  static constexpr int64_t kWarpRows = 16;

  const MatmulProblem &problem;
  const SharedOperandA &operandA;
  KernelBuilder &b;
  WarpTile warp;
  AsyncMmaAtomInterface wgmma;
};

} // namespace

std::unique_ptr<StageMma>
StageMma::create(MmaKind kind, const MatmulProblem &problem,
                 const OperandA &operandA, KernelBuilder &b,
                 ArrayRef<Value> views, Value blockFeature, WarpTile warp) {
  switch (kind) {
  case MmaKind::Warp:
    return std::make_unique<WarpMma>(problem, operandA, b, warp);
  case MmaKind::WarpGated:
    return std::make_unique<GatedWarpMma>(problem, operandA, b, warp);
  case MmaKind::WarpGroupScaled:
    return std::make_unique<GroupScaledWarpMma>(
        problem, static_cast<const QuantizedOperandA &>(operandA), b, warp,
        QuantizedOperandA::scalesOf(views), blockFeature);
  case MmaKind::WarpgroupByStage:
    return std::make_unique<WarpgroupStageMma>(
        problem, static_cast<const SharedOperandA &>(operandA), b, warp);
  default:
    llvm_unreachable("expected MMAs of a multistage mainloop");
  }
}
