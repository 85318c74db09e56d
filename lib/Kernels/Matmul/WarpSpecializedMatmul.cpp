//===- WarpSpecializedMatmul.cpp - Matmul of producer and consumer warps --===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warpgroup of the block is the producer: one of its threads starts TMA
// copies into the pipeline, as far ahead as it is long. The others consume:
// each warpgroup multiplies 64 features, or several times 64, by all tokens of
// the block. Blocks are persistent: copies for a tile run while the results of
// the one before leave. Blocks of a cluster compute neighbouring features of
// the same tokens, and each fetches its part of the activations for all; or
// they split K. Or a block's consumers quantize its tokens first, which it then
// keeps for several tiles of features.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Epilogue/KWarpSums.h"
#include "Kernels/Matmul/Epilogue/ResultStore.h"
#include "Kernels/Matmul/Mainloop/ProducerMainloop.h"
#include "Kernels/Matmul/Mainloop/WarpgroupMainloop.h"
#include "Kernels/Matmul/MatmulGenerator.h"
#include "Kernels/Matmul/Operands/HeldOperandB.h"
#include "Kernels/Matmul/StreamK/StreamK.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Features of a warp in an MMA.
static constexpr int64_t kWarpFeatures = 16;

/// Tokens that an epilogue treats at once: the four matrices of one stmatrix,
/// or two where `tokens`, which come together, are no multiple of 16.
static int64_t sliceTokens(int64_t tokens) { return tokens % 16 ? 8 : 16; }

namespace {

class WarpSpecializedMatmul : public PipelinedMatmul {
public:
  explicit WarpSpecializedMatmul(const MatmulProblem &problem)
      : PipelinedMatmul(problem),
        operandB(OperandB::ofProducers(this->problem)),
        scheduler(schedule, problem.n),
        epilogueLoads(EpilogueLoad::plan(this->problem)) {
    if (schedule.getStreamK())
      streamK.emplace(this->problem);
    if (!problem.gatedOperand)
      return;
    gated = this->problem.ofCompanion(0);
    gate = *problem.gatedOperand;
  }

  Value gridSize(OpBuilder &builder, Location loc,
                 Value tokens) const override {
    return scheduler.persistentGridSize(builder, loc, tokens);
  }

protected:
  const OperandB &activations() const override { return *operandB; }

  SmallVector<KernelParameter> epilogueParameters() const override {
    SmallVector<KernelParameter> parameters;
    for (auto [index, operand] : llvm::enumerate(problem.operands)) {
      parameters.push_back({});
      if (epilogueLoads.contains(index))
        parameters.back().map =
            EpilogueLoad::loadedMap(problem, operand.elementType);
    }
    // The operands of a product that is gated but the gate, and the result.
    if (gated)
      parameters.append(gated->operands.size() - 1, {});
    parameters.push_back({});
    if (storesByTma())
      parameters.back().map = EpilogueLoad::boxMap(problem, problem.resultType);
    // Behind it the partial sums of the last wave.
    if (streamK)
      parameters.push_back({});
    return parameters;
  }

  Views makeViews(KernelBuilder &b) const override {
    ValueRange pointers = pointersOfEpilogue(b);
    Views views;
    views.operandA = operandA->makeViews(b, pointersOfA(b));
    for (auto [index, operand] : llvm::enumerate(problem.operands))
      views.operands.push_back(
          epilogueLoads.contains(index)
              ? Value() // The producer has its boxes.
              : b.operandView(operand, pointers[index], problem.n));
    if (gated) {
      size_t next = problem.operands.size();
      for (auto [index, operand] : llvm::enumerate(gated->operands))
        views.operands.push_back(
            index == gate
                ? Value()
                : b.operandView(operand, pointers[next++], problem.n));
    }
    views.result = pointers.back();
    if (streamK) {
      views.partialSums = streamK->view(b, pointers.back());
      views.result = pointers.drop_back().back();
    }
    if (storesByTma())
      views.result = b.mappedView(views.result, problem.resultType);
    else if (composition.storage == Storage::Direct)
      views.result =
          b.view(views.result, gated ? gated->resultType : problem.resultType,
                 b.count(), problem.n);
    return views;
  }

  void makeRoles(KernelBuilder &b, const Views &views,
                 MatmulPipeline &pipeline) const override {
    setLaunchBounds(b);
    EpilogueLoad load(problem, epilogueLoads, b, loadedBoxes(b));
    if (!composition.copiesWeightsEarly)
      b.griddepWait();
    RoleOp producer = b.openRole("copy", schedule.getProducerWarps());
    producer.setLeader(true);
    producer.setRegisters(schedule.getProducerRegisters());
    produce(b, views, pipeline, load);
    b.openRole("multiply", schedule.getNumConsumerWarps());
    if (composition.copiesWeightsEarly)
      b.griddepWait();
    consume(b, views, pipeline, load);
  }

private:
  /// Of the epilogue operands that come by TMA.
  SmallVector<TokenBoxes> loadedBoxes(KernelBuilder &b) const {
    SmallVector<TokenBoxes> boxes;
    size_t first = 1 + operandA->parameters().size();
    for (size_t index : epilogueLoads.operands)
      boxes.emplace_back(*epilogueParameters()[index].map,
                         b.pointer(first + index),
                         lastTileOf(b, first + index));
    return boxes;
  }

  bool holdsActivations() const {
    return composition.activations == ActivationSource::Quantized;
  }
  const HeldOperandB &heldOperandB() const {
    return static_cast<const HeldOperandB &>(*operandB);
  }

  bool storesByTma() const { return composition.storage == Storage::Tma; }

  void setLaunchBounds(KernelBuilder &b) const {
    int64_t blocks = schedule.getCluster() * schedule.getSplitK();
    if (blocks > 1)
      setClusterBlocks(b.kernel, blocks);
    setMinBlocksPerSM(b.kernel, 1);
  }

  /// The first of the tokens that this block stores of a tile.
  Value storedToken(KernelBuilder &b, const TileScheduler::Tile &tile) const {
    if (schedule.getSplitK() == 1)
      return tile.token;
    return firstTokenOfRank(problem, b, scheduler.splitRank(b), tile.token);
  }

  void produce(KernelBuilder &b, const Views &views, MatmulPipeline &pipeline,
               EpilogueLoad &load) const {
    int64_t steps = WarpgroupMainloop::stepsOfTile(problem);
    std::optional<TokenBoxes> boxes;
    if (!holdsActivations())
      boxes = static_cast<const TmaOperandB &>(*operandB).boxes(
          b.pointer(0), lastTileOf(b, 0));
    ProducerMainloop mainloop(problem, b, scheduler, *operandA, *operandB,
                              views.operandA, boxes, pipeline, steps);
    std::optional<StreamK::Wave> wave = lastWave(b);
    if (composition.copiesWeightsEarly)
      copyFirstStages(b, mainloop, wave);
    Value position = scheduler.forEachTile(
        b, steps,
        [&](TileScheduler::Tile tile, Value position) {
          mainloop.copyTile(tile, position);
          load.copyTile(tile.feature, storedToken(b, tile),
                        b.toIndex(b.div(position, steps)));
        },
        wave ? wave->first : Value());
    if (wave)
      streamK->forEachPart(b, *wave, position, [&](const StreamK::Part &part) {
        mainloop.copyPart(scheduler.tileAt(b, part.tile), part.step,
                          b.mul(part.pairs, StreamK::kStages), part.position);
      });
  }

  /// The sums of this block's part of a tile. Where parts of a split K differ,
  /// either length has its own loop: MMAs behind a loop of a part would read
  /// copies of its accumulators.
  SmallVector<Value> multiplyPart(KernelBuilder &b, WarpgroupMainloop &mainloop,
                                  Value position) const {
    int64_t stages = WarpgroupMainloop::stepsOfTile(problem);
    Value isWhole =
        WarpgroupMainloop::isWholePart(problem, b, scheduler.splitRank(b));
    if (!isWhole)
      return mainloop.multiplyTile(position, stages);
    auto multiply = [&](int64_t number) {
      return [&mainloop, position, number](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc,
                             mainloop.multiplyTile(position, number));
      };
    };
    auto branch = scf::IfOp::create(b.builder, b.loc, isWhole, multiply(stages),
                                    multiply(stages - 1));
    return llvm::to_vector(ValueRange(branch.getResults()));
  }

  void consume(KernelBuilder &b, const Views &views, MatmulPipeline &pipeline,
               EpilogueLoad &load) const {
    Block *role = b.builder.getInsertionBlock();
    int64_t steps = WarpgroupMainloop::stepsOfTile(problem);
    SmallVector<Value> operandViews = views.operands;
    WarpgroupMainloop::AddHeld addHeld;
    Value heldFrom;
    if (holdsActivations()) {
      heldFrom = scheduler.firstTile(b).token;
      HeldOperandB::Tokens tokens =
          heldOperandB().hold(b, b.pointer(0), heldFrom);
      operandViews = heldOperandB().operandViews(operandViews, tokens);
      addHeld = [this, &b, tokens](Value step, MatmulStage &stage) {
        heldOperandB().addTo(b, tokens, step, stage);
      };
    }
    std::unique_ptr<WarpgroupMainloop> mainloop =
        WarpgroupMainloop::create(composition.mma, problem, *operandA, b,
                                  pipeline, views.operandA, std::move(addHeld));
    SmallVector<std::unique_ptr<Epilogue>, 2> epilogues;
    auto makeEpilogue = [&](const MatmulProblem &own, ArrayRef<Value> ofViews,
                            ArrayRef<size_t> given) {
      epilogues.push_back(std::make_unique<Epilogue>(
          own, b, mainloop->accumulatorLayout(), kWarpFeatures,
          sliceTokens(storesByTma() ? schedule.getStoreTokens()
                                    : schedule.getStoredTokens()),
          schedule.getNumConsumerWarps(), ofViews, role, given, heldFrom));
    };
    ArrayRef<Value> viewsOfBoth = operandViews;
    makeEpilogue(problem, viewsOfBoth.take_front(problem.operands.size()),
                 epilogueLoads.operands);
    Epilogue &epilogue = *epilogues.front();
    std::unique_ptr<ResultStore> results;
    if (gated) {
      makeEpilogue(*gated, viewsOfBoth.drop_front(problem.operands.size()),
                   gate);
      results = std::make_unique<GatedStore>(
          *gated, b, epilogue, *epilogues.back(), gate, views.result);
    } else if (storesByTma()) {
      results = std::make_unique<TmaStore>(problem, b, epilogue, load,
                                           views.result, mainloop->warpRow,
                                           mainloop->accumulatorLayout());
    } else if (composition.storage == Storage::PartialMaxima) {
      results = std::make_unique<PartialMaximaStore>(problem, b, epilogue,
                                                     views.result);
    } else {
      results =
          std::make_unique<DirectStore>(problem, b, epilogue, views.result);
    }
    std::optional<StreamK::Wave> wave = lastWave(b);
    Value position = scheduler.forEachTile(
        b, steps,
        [&](TileScheduler::Tile tile, Value position) {
          SmallVector<Value> sums = multiplyPart(b, *mainloop, position);
          if (schedule.getKWarps() > 1)
            exchangeOverKWarps(b, schedule, sums, mainloop->kPart);
          if (schedule.getSplitK() > 1)
            reduceOverCluster(problem, b, sums, scheduler.splitRank(b),
                              pipeline.ring());
          Value token = storedToken(b, tile);
          if (schedule.getKWarps() > 1)
            token = b.add(token,
                          b.mul(b.toI64(mainloop->kPart),
                                schedule.getBlock()[1] / schedule.getKWarps()));
          SmallVector<AccumulatorTile> accumulators;
          SmallVector<Value> rows = mainloop->rows().ofGroup;
          for (auto [number, sum] : llvm::enumerate(sums)) {
            Value row = rows[number % rows.size()];
            Value box = b.add(tile.feature, b.toI64(row));
            Value feature = b.add(box, b.toI64(mainloop->warpRow));
            accumulators.push_back({sum, feature, token, box});
          }
          results->store(accumulators, b.toIndex(b.div(position, steps)));
        },
        wave ? wave->first : Value());
    if (wave)
      streamK->forEachPart(b, *wave, position, [&](const StreamK::Part &part) {
        storePart(b, part, *mainloop, views.partialSums);
      });
    results->finish();
  }

  /// A block whose first tile is divided has other stages first, and waits.
  void copyFirstStages(KernelBuilder &b, ProducerMainloop &mainloop,
                       const std::optional<StreamK::Wave> &wave) const {
    if (!wave)
      return mainloop.copyFirstStages();
    OpBuilder::InsertionGuard guard(b.builder);
    Value block = b.toI32(b.div(b.blockId(), schedule.getCluster()));
    Value isWhole = arith::CmpIOp::create(
        b.builder, b.loc, arith::CmpIPredicate::ult, block, wave->first);
    auto branch =
        scf::IfOp::create(b.builder, b.loc, isWhole, /*withElseRegion=*/true);
    b.builder.setInsertionPointToStart(branch.thenBlock());
    mainloop.copyFirstStages();
    b.builder.setInsertionPointToStart(branch.elseBlock());
    b.griddepWait();
  }

  std::optional<StreamK::Wave> lastWave(KernelBuilder &b) const {
    if (!streamK)
      return std::nullopt;
    return streamK->lastWave(b);
  }

  /// Computes the sums of a part of a tile, and stores them as they lie in
  /// registers: eight features of a token are a sector.
  void storePart(KernelBuilder &b, const StreamK::Part &part,
                 WarpgroupMainloop &mainloop, Value view) const {
    SmallVector<Value> sums = mainloop.multiplyPairs(part.position, part.pairs);
    Value token = b.mul(b.toI64(part.slot), streamK->tokens);
    Value inCluster = b.mul(b.toI64(b.rem(b.blockId(), schedule.getCluster())),
                            schedule.getBlock()[0]);
    for (auto [sum, row] : llvm::zip(sums, mainloop.rows().ofWarp))
      StoreOp::create(b.builder, b.loc, sum, view, token,
                      b.add(inCluster, b.toI64(row)), Access::Transposed,
                      /*width=*/4, /*rowsInBounds=*/true,
                      /*colsInBounds=*/true);
  }

  std::unique_ptr<OperandB> operandB;
  TileScheduler scheduler;
  EpilogueLoad::Plan epilogueLoads;
  /// If the last wave is divided.
  std::optional<StreamK> streamK;
  /// Of a gated product the matmul whose results are stored, and the operand of
  /// its epilogue that the other one's results are, in registers.
  std::optional<MatmulProblem> gated;
  size_t gate = 0;
};

} // namespace

std::unique_ptr<MatmulGenerator>
mlir::sparseflow::createWarpSpecializedMatmul(const MatmulProblem &problem) {
  return std::make_unique<WarpSpecializedMatmul>(problem);
}
