//===- MultistageMatmul.cpp - Matmul whose warps copy and multiply --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One role, of all warps: each copies with cp.async and multiplies its tile of
// the block's with mma.sync, or four warps together with wgmma. A block
// computes one tile, or of a split K the partial sums of one.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/ResultStore.h"
#include "Kernels/Matmul/Mainloop/MultistageMainloop.h"
#include "Kernels/Matmul/MatmulGenerator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Tokens that an epilogue treats at once: enough for full vectors, few enough
// that operands and results need few registers and little scratch.
static constexpr int64_t kEpilogueTokens = 8;

namespace {

class MultistageMatmul : public PipelinedMatmul {
public:
  explicit MultistageMatmul(const MatmulProblem &problem)
      : PipelinedMatmul(problem), operandB(this->problem),
        scheduler(schedule, problem.n) {}

  Value gridSize(OpBuilder &builder, Location loc,
                 Value tokens) const override {
    return scheduler.gridSize(builder, loc, tokens);
  }

protected:
  const OperandB &activations() const override { return operandB; }

  SmallVector<KernelParameter> epilogueParameters() const override {
    size_t operands = storesPartialSums() ? 0 : problem.operands.size();
    return SmallVector<KernelParameter>(operands + 1);
  }

  Views makeViews(KernelBuilder &b) const override {
    ValueRange pointers = pointersOfEpilogue(b);
    Views views;
    views.operandA = operandA->makeViews(b, pointersOfA(b));
    views.result = pointers.back();
    if (storesPartialSums())
      return views; // The view of partial sums needs the block's part of K.
    for (auto [operand, pointer] :
         llvm::zip(problem.operands, pointers.drop_back()))
      views.operands.push_back(b.operandView(operand, pointer, problem.n));
    views.result =
        b.view(pointers.back(), problem.resultType, b.count(), problem.n);
    return views;
  }

  void makeRoles(KernelBuilder &b, const Views &views,
                 MatmulPipeline &pipeline) const override {
    Block *role = &b.openRole("main", schedule.getNumWarps()).getBody().front();
    Value split;
    if (schedule.getSplitK() > 1)
      split = scheduler.splitRank(b);
    TileScheduler::Tile tile = scheduler.tileOfBlock(b);
    Value partialRow;
    if (split)
      partialRow =
          arith::MulIOp::create(b.builder, b.loc, b.toI64(split), b.count());
    MultistageMainloop mainloop(problem, b, *operandA, operandB, views.operandA,
                                pipeline, tile, split, composition.pdl,
                                composition.copiesWeightsEarly);
    WarpTile warp = warpTile(b);
    std::unique_ptr<StageMma> mma =
        StageMma::create(composition.mma, problem, *operandA, b, views.operandA,
                         tile.feature, warp);
    SmallVector<Value> sums = mainloop.run(*mma);

    Epilogue epilogue(problem, b, mma->accumulatorLayout(),
                      schedule.getWarp()[0], sliceTokens(),
                      schedule.getNumWarps(), views.operands, role);
    SmallVector<AccumulatorTile> accumulators;
    Value feature = b.add(tile.feature, b.toI64(warp.feature));
    Value token = b.add(tile.token, b.toI64(warp.token));
    for (auto [number, sum] : llvm::enumerate(sums))
      accumulators.push_back(
          {sum, feature, token, /*boxFeature=*/{},
           static_cast<int64_t>(number) * mma->fragmentTokens()});
    if (storesPartialSums())
      PartialSumStore(problem, b, epilogue, views.result, partialRow)
          .store(accumulators, /*number=*/{});
    else
      DirectStore(problem, b, epilogue, views.result)
          .store(accumulators, /*number=*/{});
  }

private:
  bool storesPartialSums() const {
    return composition.storage == Storage::PartialSums;
  }

  WarpTile warpTile(KernelBuilder &b) const {
    int64_t warpF = schedule.getWarp()[0], warpT = schedule.getWarp()[1];
    int64_t along = schedule.getBlock()[0] / warpF;
    Value warp = WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType());
    return {b.mul(b.rem(warp, along), warpF), b.mul(b.div(warp, along), warpT)};
  }

  int64_t sliceTokens() const {
    // Few features want more tokens to make full vectors of.
    return std::min(schedule.getWarp()[0] >= 32 ? kEpilogueTokens
                                                : 2 * kEpilogueTokens,
                    schedule.getWarp()[1]);
  }

  CopiedOperandB operandB;
  TileScheduler scheduler;
};

} // namespace

std::unique_ptr<MatmulGenerator>
mlir::sparseflow::createMultistageMatmul(const MatmulProblem &problem) {
  return std::make_unique<MultistageMatmul>(problem);
}
