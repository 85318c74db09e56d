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

#include "Kernels/Matmul/Epilogue/KWarpSums.h"
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
      : PipelinedMatmul(problem), operandB(MultistageOperandB::create(
                                      composition.activations, this->problem)),
        scheduler(schedule, problem.n) {}

  Value gridSize(OpBuilder &builder, Location loc,
                 Value tokens) const override {
    return scheduler.gridSize(builder, loc, tokens);
  }

protected:
  const OperandB &activations() const override { return *operandB; }

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
    if (composition.storage == Storage::Direct)
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
    MultistageMainloop mainloop(
        problem, b, *operandA, *operandB, views.operandA, pipeline, tile, split,
        composition.pdl, composition.copiesWeightsEarly);
    WarpTile warp = warpTile(b);
    std::unique_ptr<StageMma> mma =
        StageMma::create(composition.mma, problem, *operandA, b, views.operandA,
                         tile.feature, warp);
    auto placeOf = [&] {
      return std::pair(b.add(tile.feature, b.toI64(warp.feature)),
                       b.add(tile.token, b.toI64(warp.token)));
    };
    mainloop.start(*mma);
    SmallVector<Value> ahead;
    if (loadsAhead(*mma)) {
      auto [feature, token] = placeOf();
      ahead =
          epilogueOf(problem, b, mma->accumulatorLayout(), views.operands, role)
              .load(feature, token);
    }
    SmallVector<Value> sums = mainloop.run(*mma);
    if (schedule.getKWarps() > 1)
      sums = sumOverKWarps(b, schedule, sums);

    SmallVector<AccumulatorTile> accumulators;
    auto [feature, token] = placeOf();
    int64_t ofWeight = sums.size() / mma->weights();
    for (auto [number, sum] : llvm::enumerate(sums))
      accumulators.push_back(
          {sum, feature, token, /*boxFeature=*/{},
           static_cast<int64_t>(number) % ofWeight * mma->fragmentTokens()});
    storeResults(b, views, mma->accumulatorLayout(), role, accumulators,
                 partialRow, ahead);
  }

  /// Behind the mainloop: `layout` is that of the accumulators; `partialRow`
  /// (i64) the first row of a split K's part among those of partial sums;
  /// `ahead` the epilogue's operands of the only slice, where they are loaded.
  virtual void storeResults(KernelBuilder &b, const Views &views,
                            LayoutAttr layout, Block *role,
                            ArrayRef<AccumulatorTile> accumulators,
                            Value partialRow, ArrayRef<Value> ahead) const {
    Epilogue epilogue = epilogueOf(problem, b, layout, views.operands, role);
    if (storesPartialSums())
      PartialSumStore(problem, b, epilogue, views.result, partialRow)
          .store(accumulators, /*number=*/{});
    else if (composition.storage == Storage::PartialMaxima)
      PartialMaximaStore(problem, b, epilogue, views.result)
          .store(accumulators, /*number=*/{});
    else
      DirectStore(problem, b, epilogue, views.result, ahead)
          .store(accumulators, /*number=*/{});
  }

  Epilogue epilogueOf(const MatmulProblem &problem, KernelBuilder &b,
                      LayoutAttr layout, ArrayRef<Value> operands, Block *role,
                      ArrayRef<size_t> given = {}) const {
    return Epilogue(problem, b, layout, schedule.getWarp()[0], sliceTokens(),
                    schedule.getNumWarps(), operands, role, given);
  }

private:
  bool storesPartialSums() const {
    return composition.storage == Storage::PartialSums;
  }

  WarpTile warpTile(KernelBuilder &b) const {
    int64_t warpF = schedule.getWarp()[0], warpT = schedule.getWarp()[1];
    int64_t along = schedule.getBlock()[0] / warpF;
    Value warp = WarpIdOp::create(b.builder, b.loc, b.builder.getIndexType());
    WarpTile tile;
    if (int64_t sharers = schedule.getKWarps(); sharers > 1) {
      int64_t apart = schedule.getNumWarps() / sharers;
      tile.column = b.mul(b.div(warp, apart), schedule.getK() / sharers);
      warp = b.rem(warp, apart);
    }
    tile.feature = b.mul(b.rem(warp, along), warpF);
    tile.token = b.mul(b.div(warp, along), warpT);
    return tile;
  }

  /// Whether a warp that shares its tile loads the epilogue's operands in front
  /// of the mainloop: those of one slice, which few registers hold.
  bool loadsAhead(const StageMma &mma) const {
    return schedule.getKWarps() > 1 && !problem.gatedOperand &&
           composition.storage == Storage::Direct &&
           mma.fragmentTokens() == schedule.getWarp()[1] &&
           sliceTokens() == schedule.getWarp()[1];
  }

  int64_t sliceTokens() const {
    // Few features want more tokens to make full vectors of.
    return std::min(schedule.getWarp()[0] >= 32 ? kEpilogueTokens
                                                : 2 * kEpilogueTokens,
                    schedule.getWarp()[1]);
  }

  std::unique_ptr<MultistageOperandB> operandB;
  TileScheduler scheduler;
};

/// Of two weights: the results of the first are an operand of the second's
/// epilogue, and stay in registers.
class GatedMultistageMatmul : public MultistageMatmul {
public:
  explicit GatedMultistageMatmul(const MatmulProblem &problem)
      : MultistageMatmul(problem), gated(this->problem.ofCompanion(0)),
        gate(*problem.gatedOperand) {}

protected:
  SmallVector<KernelParameter> epilogueParameters() const override {
    // The operands of both but the gate, and the result.
    return SmallVector<KernelParameter>(problem.operands.size() +
                                        gated.operands.size());
  }

  Views makeViews(KernelBuilder &b) const override {
    ValueRange pointers = pointersOfEpilogue(b);
    Views views;
    views.operandA = operandA->makeViews(b, pointersOfA(b));
    size_t next = 0;
    for (const ElementOperand &operand : problem.operands)
      views.operands.push_back(
          b.operandView(operand, pointers[next++], problem.n));
    for (auto [index, operand] : llvm::enumerate(gated.operands))
      views.operands.push_back(
          index == gate ? Value()
                        : b.operandView(operand, pointers[next++], problem.n));
    views.result =
        b.view(pointers[next], gated.resultType, b.count(), problem.n);
    return views;
  }

  void storeResults(KernelBuilder &b, const Views &views, LayoutAttr layout,
                    Block *role, ArrayRef<AccumulatorTile> accumulators, Value,
                    ArrayRef<Value>) const override {
    ArrayRef<Value> operands = views.operands;
    size_t ofFirst = problem.operands.size();
    Epilogue first =
        epilogueOf(problem, b, layout, operands.take_front(ofFirst), role);
    Epilogue second =
        epilogueOf(gated, b, layout, operands.drop_front(ofFirst), role, gate);
    GatedStore(gated, b, first, second, gate, views.result)
        .store(accumulators, /*number=*/{});
  }

private:
  MatmulProblem gated;
  size_t gate;
};

} // namespace

std::unique_ptr<MatmulGenerator>
mlir::sparseflow::createMultistageMatmul(const MatmulProblem &problem) {
  if (problem.gatedOperand)
    return std::make_unique<GatedMultistageMatmul>(problem);
  return std::make_unique<MultistageMatmul>(problem);
}
