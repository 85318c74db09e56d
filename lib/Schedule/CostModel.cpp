//===- CostModel.cpp - How long a matmul's kernel takes -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Schedule/CostModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::sparseflow;

// Tiles in shared memory that TMA swizzles begin at such multiples, and so does
// what follows a ring (sftile-assign-resources).
static constexpr int64_t kSharedAlignment = 1024;
// Of the staging of results: 64 features of 16 bits, for four warps.
static constexpr int64_t kBoxRowBytes = 128, kGroupWarps = 4;
// Operands of the epilogue arrive through a ring of at least two such boxes.
static constexpr int64_t kOperandStages = 2;
// Two mbarriers a stage.
static constexpr int64_t kBarrierBytes = 16;
// Of the L2 cache.
static constexpr int64_t kLineBytes = 128, kSectorBytes = 32;
/// How much faster pieces arrive that lie in two lines, but split no sector
/// (29 sizes on an H200: 10.2 TB/s at most beside 6.2, and 13.3 of one line).
static constexpr double kWholeSectors = 1.65;
// Staging of a multistage kernel's results, at most.
static constexpr int64_t kScratchBytes = 8192;
// What ptxas needs of a thread beside accumulators.
static constexpr int64_t kOtherRegisters = 30, kLoopRegisters = 50;
// Of a streamed kernel: words behind a token's partial sums.
static constexpr int64_t kSumPadding = 4;
// Of a scale of a group or plane: f32 and f16 are both usual.
static constexpr double kScaleBytes = 4;
// The tensor cores of an SM, each for the warps of a quarter.
static constexpr int64_t kQuarters = 4;

ArrayRef<ModelConstants::Field> ModelConstants::fields() {
  using T = ModelConstants;
  static constexpr Field list[] = {
      {"launch_us", &T::launchUs, 0, 10,
       "A launch: start, first data, the last results"},
      {"wave_us", &T::waveUs, 0, 10,
       "The same of each further wave of blocks that are not persistent"},
      {"tile_cycles", &T::tileCycles, 0, 5000, "Of a tile beside its stages"},
      {"epilogue_cycles", &T::epilogueCycles, 0, 4,
       "Of a result, by one warpgroup or four warps"},
      {"reduction_us", &T::reductionUs, 0, 5,
       "Split-K: each doubling of the blocks of a cluster, in each round, or "
       "the "
       "second launch"},
      {"reduction_cycles", &T::reductionCycles, 0, 4,
       "Split-K: of a result of a block's tile"},
      {"mma_efficiency", &T::mmaEfficiency, 0.1, 1.2,
       "What MMAs reach of the tensor cores' rate"},
      {"mma_tokens", &T::mmaTokens, 0, 64,
       "Tokens that an MMA takes longer than its own"},
      {"unpack_cycles", &T::unpackCycles, 0, 0.2,
       "To dequantize a weight, by one SM"},
      {"scale_cycles", &T::scaleCycles, 0, 0.5,
       "To scale a partial sum and add it, by one SM"},
      {"overlap", &T::overlap, 0, 1,
       "What is seen of the shorter of MMAs and dequantization in one "
       "warpgroup: 0: nothing, 1: all"},
      {"stage_cycles", &T::stageCycles, 0, 500,
       "Of a stage beside its work: barriers"},
      {"l2_bytes_per_cycle", &T::l2BytesPerCycle, 16, 1000,
       "From the L2 cache to an SM"},
      {"l2_total_bytes_per_cycle", &T::l2TotalBytesPerCycle, 1500, 60000,
       "From the L2 cache to all SMs"},
      {"straddled_bytes_per_cycle", &T::straddledBytesPerCycle, 500, 60000,
       "Activations from the L2 cache to all SMs by TMA where rows of 16-bit "
       "ones are no multiple of 128 bytes"},
      {"cluster_us", &T::clusterUs, 0, 3,
       "Of a launch in clusters that share copies"},
      {"cluster_cycles", &T::clusterCycles, 0, 300,
       "Of a stage whose copies a cluster shares: its blocks wait for each "
       "other"},
      {"fill_cycles", &T::fillCycles, 0, 5000,
       "Before the first stage of a wave"},
      {"latency_ns", &T::latencyNs, 200, 2000,
       "From the start of a stage's copies to their arrival"},
      {"cache_mbytes", &T::cacheMBytes, 5, 50,
       "Weights of at most so many 10^6 bytes are read from memory once; those "
       "of twice as many for each group of token tiles"},
      {"memory_efficiency", &T::memoryEfficiency, 0.2, 1,
       "What copies of weights reach of the memory's rate"},
      {"quantize_us", &T::quantizeUs, 0, 5,
       "The kernel before that quantizes activations"},
      {"quantize_gbps", &T::quantizeGBps, 500, 20000,
       "Its rate, read and written"},
      {"quantize_wait_us", &T::quantizeWaitUs, 0, 5,
       "It begins on SMs that the kernels before leave free: what it takes "
       "more where one wave of the matmul's blocks leaves none"},
      {"hold_cycles", &T::holdCycles, 0, 2,
       "To read and quantize an activation that a block holds, by many warps; "
       "four take twice as long"},
  };
  return list;
}

//===----------------------------------------------------------------------===//
// What there is to do
//===----------------------------------------------------------------------===//

MatmulWork MatmulWork::of(const ScheduleQuery &query) {
  MatmulWork work;
  // No features are refused where kernels are made; times are numbers for them.
  work.n = std::max<int64_t>(query.n, 1);
  work.k = query.k;
  work.ternary = query.weights.starts_with("ternary");
  bool pairs = query.weights.starts_with("ternary24");
  work.sparse = pairs || query.weights == "2:4";
  work.integer = query.integer;
  work.activationBytes = work.integer ? 1 : 2;
  work.planes = query.facts.planes;
  work.fullOperands = query.fullOperands;
  if (!work.ternary) {
    work.weightBytes = work.sparse ? 1.125 : 2;
    return work;
  }
  double trit = pairs && !query.facts.zeros ? 0.1875 : 0.25;
  work.weightBytes =
      double(work.planes) * (query.codeBytes ? query.codeBytes : trit);
  if (query.facts.scaleColumns) {
    work.storedColumns = query.facts.scaleColumns;
    work.scaleColumns = query.exactScales ? 0 : work.storedColumns;
    work.weightBytes +=
        double(work.planes) * kScaleBytes / double(work.storedColumns);
  }
  return work;
}

static bool isDense(const MatmulWork &work) {
  return !work.ternary && !work.sparse;
}

bool mlir::sparseflow::copiesRows(const MatmulSizes &sizes,
                                  const MatmulWork &work) {
  constexpr int64_t kElementBytes = 2, kFewTokens = 32;
  const auto *streamed = sizes.as<sftile::StreamedFields>();
  // One token begins where chunks do.
  if (work.integer || (streamed && streamed->holdsActivations))
    return false;
  // Kernels of warps take up to 1.5 times as long with pieces of 4 bytes. Dense
  // weights are copied as well, in the time in which few tokens read them; of
  // more tokens narrow pieces would spill.
  int64_t piece = 16;
  if (sizes.as<sftile::MultistageFields>()) {
    bool few = sizes.tile.block[1] <= kFewTokens;
    piece = !isDense(work) ? 8 : few ? 4 : 16;
  } else if (streamed && work.sparse) {
    piece = 8;
  }
  return work.k * kElementBytes % piece != 0;
}

StringRef mlir::sparseflow::pipelineName(const MatmulSizes &sizes) {
  if (sizes.as<sftile::WarpSpecializedFields>())
    return "warp_specialized";
  return sizes.as<sftile::StreamedFields>() ? "streamed" : "multistage";
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// Bytes of a stage in shared memory.
static int64_t sharedBytesOfStage(const MatmulSizes &sizes,
                                  const MatmulWork &work, int64_t alignment) {
  int64_t features = sizes.tile.block[0], tokens = sizes.tile.block[1];
  double scales = 0;
  if (work.storedColumns)
    scales = double(llvm::divideCeil(sizes.k(), work.storedColumns) *
                    work.planes * features) *
             kScaleBytes;
  double perWeight = work.weightBytes;
  if (work.storedColumns)
    perWeight -= double(work.planes) * kScaleBytes / double(work.storedColumns);
  auto weights =
      int64_t(double(features * sizes.k()) * perWeight + scales + 0.5);
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  auto activations = int64_t(double(tokens * sizes.k()) * work.activationBytes);
  if (specialized && specialized->holdsActivations)
    activations = 0;
  return llvm::alignTo(int64_t(llvm::alignTo(weights, alignment)) + activations,
                       alignment);
}

static int64_t consumerWarps(const MatmulSizes &sizes) {
  const sftile::MatmulTileFields &tile = sizes.tile;
  int64_t warps = tile.block[0] / tile.warp[0] * (tile.block[1] / tile.warp[1]);
  return warps * sizes.kWarps();
}

static int64_t sharedBytesOf(const MatmulSizes &sizes, const MatmulWork &work) {
  int64_t stages = sizes.stages();
  if (const auto *streamed = sizes.as<sftile::StreamedFields>()) {
    int64_t stage = sharedBytesOfStage(sizes, work, 1);
    // Each of the warps that share features has a ring of its own.
    int64_t held =
        streamed->holdsActivations ? (work.k + 16) * sizes.tile.block[1] : 0;
    return std::max(streamed->kWarps * stages * stage + held,
                    streamed->kWarps * (sizes.tile.block[0] + kSumPadding) *
                        sizes.tile.block[1] * 4) +
           kSharedAlignment;
  }
  int64_t stage = sharedBytesOfStage(sizes, work, kSharedAlignment);
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  if (!specialized)
    return stages * stage + kScratchBytes;
  int64_t box =
      llvm::alignTo(specialized->storeTokens * kBoxRowBytes, kSharedAlignment);
  int64_t groups = consumerWarps(sizes) / kGroupWarps;
  int64_t boxes =
      specialized->storeBuffers + kOperandStages * work.fullOperands;
  // Values of all stages, a scale and a sum for each token.
  int64_t held = 0;
  if (specialized->holdsActivations) {
    int64_t tokens = sizes.tile.block[1];
    held = int64_t(
               llvm::alignTo(tokens * int64_t(llvm::alignTo(work.k, sizes.k())),
                             kSharedAlignment)) +
           2 * int64_t(llvm::alignTo(tokens * 4, kSharedAlignment));
  }
  // Warpgroups that share a tile give each other half of its sums.
  if (specialized->kWarps > 1)
    held = sizes.tile.block[0] * sizes.tile.block[1] * 4;
  return int64_t(llvm::alignTo(stages * stage, kSharedAlignment)) + held +
         groups * boxes * box + stages * kBarrierBytes +
         (work.fullOperands ? kOperandStages * kBarrierBytes : 0);
}

/// What ptxas takes for a thread of a streamed kernel.
static int64_t streamedRegisters(const sftile::MatmulTileFields &tile,
                                 const MatmulWork &work, int64_t accumulators) {
  constexpr int64_t kOthers = 70, kOthersOfRaw = 20, kOfToken = 11;
  int64_t tokenTiles = tile.block[1] / 8;
  // Raw codes of 16-bit activations have two sums a result, and one a token.
  if (work.ternary && !work.sparse && !work.integer && !work.scaleColumns)
    return kOthersOfRaw + 5 * (accumulators + 2 * tokenTiles);
  return accumulators * (work.scaleColumns ? 2 : 1) + kOthers +
         std::max<int64_t>(tokenTiles - 2, 0) * kOfToken;
}

ScheduleResources mlir::sparseflow::resourcesOf(const MatmulSizes &sizes,
                                                const MatmulWork &work,
                                                const SMLimits &limits) {
  ScheduleResources result;
  const sftile::MatmulTileFields &tile = sizes.tile;
  if (tile.block[0] % tile.warp[0] || tile.block[1] % tile.warp[1]) {
    result.refusal = "warp does not divide block";
    return result;
  }
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  const auto *multistage = sizes.as<sftile::MultistageFields>();
  bool isWarpgroup = specialized || (multistage && multistage->warpgroup);
  result.sharedBytes = sharedBytesOf(sizes, work);
  result.threads = 32 * (consumerWarps(sizes) +
                         (specialized ? specialized->producerWarps : 0));
  result.accumulators = tile.warp[0] * tile.warp[1] / 32;
  if (result.sharedBytes > limits.sharedBytesPerBlock) {
    result.refusal =
        llvm::formatv("needs {0} bytes of shared memory of {1}",
                      result.sharedBytes, limits.sharedBytesPerBlock);
    return result;
  }
  // ptxas holds every instruction to the registers at launch, and with
  // producers the consumers get what those leave. Those are the same for all
  // targets.
  SMLimits largest = SMLimits::ofLargest();
  int64_t atLaunch = largest.registersAtLaunch(result.threads);
  int64_t later =
      specialized ? largest.consumerRegisters(result.threads / 128,
                                              specialized->producerRegisters)
                  : std::min<int64_t>(atLaunch, 240);
  int64_t oneInstruction = isWarpgroup ? tile.warp[1] / 2 : result.accumulators;
  if (result.threads > 1024 || oneInstruction + 27 > atLaunch ||
      result.accumulators + kOtherRegisters > later) {
    result.refusal = llvm::formatv(
        "{0} accumulators do not fit {1} threads of {2} registers",
        result.accumulators, result.threads, later);
    return result;
  }
  int64_t registers =
      sizes.as<sftile::StreamedFields>()
          ? streamedRegisters(tile, work, result.accumulators)
          : result.accumulators * (work.scaleColumns ? 2 : 1) + kLoopRegisters;
  result.residentBlocks =
      specialized ? 1
                  : limits.residentBlocks(result.sharedBytes, result.threads,
                                          std::min<int64_t>(255, registers));
  return result;
}

double mlir::sparseflow::paddedShare(const MatmulSizes &sizes,
                                     const MatmulWork &work) {
  auto features = double(sizes.tile.block[0]), n = double(work.n);
  auto tiles = double(llvm::divideCeil(work.n, sizes.tile.block[0]));
  auto columns = double(llvm::alignTo(work.k, sizes.k()));
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  double tokens = specialized && specialized->holdsActivations
                      ? 0
                      : tiles * double(sizes.tile.block[1]);
  double copied =
      (tiles * features * work.weightBytes + tokens * work.activationBytes) *
      columns;
  double elements =
      (n * work.weightBytes + tokens * work.activationBytes) * double(work.k);
  return copied > 0 ? 1 - elements / copied : 0;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// The larger, and what is seen of the other: two that overlap well.
static double together(double a, double b) {
  return std::pow(a * a * a * a + b * b * b * b, 0.25);
}

/// Whether a consumer warp has no registers for the weights of a stage beside
/// those that MMAs read (DequantizedMma::leavesRoomForTwoStages).
static bool unpacksBetweenMmas(const MatmulSizes &sizes,
                               const MatmulWork &work) {
  constexpr double kRegisters = 160;
  if (!work.ternary || work.integer)
    return false;
  double accumulators = double(sizes.tile.warp[0]) / 16;
  double sums = double(sizes.tile.block[1]) / 2;
  double nonzeros = double(sizes.k()) / (work.sparse ? 2 : 1);
  double weights = nonzeros / 4 * double(work.planes);
  return accumulators * (sums + 2 * weights) > kRegisters;
}

/// The share of the columns of all stages that MMAs read: those of bytes end
/// with K (WarpgroupMainloop::firstColumns).
static double multipliedShare(const MatmulSizes &sizes, const MatmulWork &work,
                              int64_t split) {
  constexpr int64_t kMmaBytes = 32;
  if (!sizes.as<sftile::WarpSpecializedFields>() || !work.integer ||
      work.scaleColumns || split > 1)
    return 1;
  auto read = llvm::alignTo(work.k, work.sparse ? 2 * kMmaBytes : kMmaBytes);
  return double(read) / double(llvm::alignTo(work.k, sizes.k()));
}

/// What the kernel that quantizes takes at least, whatever it reads: a token
/// has a block, of many short ones a warp (QuantizeStep.cpp), and these start
/// one after the other. A warp takes a while for its token, and all of a few
/// thousand do at once.
static double startNanoseconds(int64_t tokens, int64_t k) {
  constexpr int64_t kBlockTokens = 2560, kWarpColumns = 2048;
  constexpr double kBlockNs = 1.1, kWarpNs = 0.5, kLeastOfWarps = 2100;
  bool isWarp = tokens > kBlockTokens && k <= kWarpColumns;
  return isWarp ? std::max(double(tokens) * kWarpNs, kLeastOfWarps)
                : double(tokens) * kBlockNs;
}

/// Blocks that run at a time.
static int64_t slotsOf(const MatmulSizes &sizes, int64_t cluster,
                       const ScheduleResources &resources,
                       const ModelMachine &machine) {
  int64_t slots = machine.multiprocessors * resources.residentBlocks;
  if (resources.residentBlocks == 1)
    slots = machine.clusterBlocks[llvm::Log2_64(std::min<int64_t>(cluster, 8))];
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  if (specialized && specialized->grid)
    slots = std::min(slots, specialized->grid);
  return std::max(slots - slots % cluster, cluster);
}

KernelTime::KernelTime(const MatmulSizes &sizes, int64_t splitK,
                       const MatmulWork &work,
                       const ScheduleResources &resources,
                       const ModelMachine &machine,
                       const ModelConstants &constants)
    : work(work), machine(&machine), constants(&constants),
      tileTokens(sizes.tile.block[1]), split(splitK), group(sizes.tile.group),
      multiprocessors(machine.multiprocessors) {
  const auto *specialized = sizes.as<sftile::WarpSpecializedFields>();
  const auto *streamed = sizes.as<sftile::StreamedFields>();
  int64_t features = sizes.tile.block[0], k = sizes.k();
  int64_t sharers = specialized ? specialized->cluster : 1;
  isCluster = specialized || streamed;
  holdsActivations = specialized && specialized->holdsActivations;
  grid = specialized ? specialized->grid : 0;
  cluster = sharers;
  streamK = specialized ? specialized->streamK : 0;
  isPersistent = grid && !holdsActivations;
  isStreamed = streamed;
  hidesBarriers = !specialized;
  copies = copiesRows(sizes, work);
  quantizes = work.integer && !holdsActivations &&
              !(streamed && streamed->holdsActivations);
  featureTiles = llvm::alignTo(llvm::divideCeil(work.n, features), sharers);
  slots = slotsOf(sizes, sharers * (isCluster ? split : 1), resources, machine);
  kWarps = sizes.kWarps();
  turnStages = specialized ? kWarps : 1;
  inClusters = sharers * (isCluster ? split : 1) > 1;
  steps = double(
      llvm::divideCeil(llvm::divideCeil(work.k, k), uint64_t(split * kWarps)));

  auto area = double(features * tileTokens);
  tileArea = area;
  double groups = std::max(1.0, double(consumerWarps(sizes)) /
                                    double(kGroupWarps * kWarps));
  double rate =
      machine.mmaRate * (work.integer ? 2 : 1) * (work.sparse ? 2 : 1);
  double weights =
      double(features * k * work.planes) * multipliedShare(sizes, work, split);
  double tensor = weights * (double(tileTokens) + constants.mmaTokens) /
                  (rate * constants.mmaEfficiency);
  double other = work.ternary ? weights * constants.unpackCycles : 0;
  if (work.scaleColumns)
    other += area * double(work.planes) *
             std::max(1.0, double(k) / double(work.scaleColumns)) *
             constants.scaleCycles;
  double overlap =
      unpacksBetweenMmas(sizes, work) ? 1 : std::min(1.0, constants.overlap);
  double compute =
      std::max(tensor, other) + std::min(tensor, other) * overlap / groups;
  stageBytes = double(features * k) * work.weightBytes +
               (holdsActivations ? 0
                                 : double(tileTokens * k) *
                                       work.activationBytes / double(sharers));
  // Rows that are no multiple of 16 bytes are copied to whole lines before.
  bool straddles = specialized && work.activationBytes == 2 &&
                   work.k * 2 % kLineBytes != 0 && work.k % 8 == 0;
  straddlingBytes =
      straddles ? double(tileTokens * k) * 2 / double(sharers) : 0;
  if (straddles && isDense(work))
    straddlingBytes += double(features * k) * 2;
  bool splitsSectors = work.k * 2 % kSectorBytes != 0;
  straddledRate =
      constants.straddledBytesPerCycle * (splitsSectors ? 1 : kWholeSectors);
  // Warpgroups that have a stage each share the tensor cores.
  stageCompute = std::max(compute, double(turnStages) * tensor);
  // A warp that streams weights has one of the quarters' tensor cores.
  stageAlone = stageCompute;
  if (streamed)
    stageAlone *= std::max(1.0, double(kQuarters * sizes.tile.warp[0]) /
                                    double(features));
  stageOther =
      constants.stageCycles + (sharers > 1 ? constants.clusterCycles : 0);
  tileCycles = area * constants.epilogueCycles / (groups * double(turnStages)) +
               constants.tileCycles;
  if (turnStages > 1)
    tileCycles += area * constants.reductionCycles;
  // Bound by the instructions of all warps; four alone wait for each other.
  holdCycles = 0;
  if (holdsActivations) {
    // Columns behind K in the last stage are quantized as well.
    auto columns = int64_t(llvm::alignTo(work.k, k));
    holdCycles =
        double(tileTokens * columns) * constants.holdCycles * (1 + 1 / groups);
  }
  clusterUs = sharers > 1 ? constants.clusterUs : 0;
  // A stage can be filled again when the MMAs behind it are done.
  ahead = double(sizes.stages() - 1);
  weightBytes = double(work.n) * double(work.k) * work.weightBytes;
  reductionUs = 0;
  if (split > 1)
    reductionUs =
        constants.reductionUs * (isCluster ? std::log2(double(split)) : 1);
}

int64_t KernelTime::tilesOfBlock(int64_t tokens) const {
  if (!holdsActivations)
    return 1;
  int64_t ofTokens = llvm::divideCeil(tokens, tileTokens);
  int64_t blocks = std::clamp<int64_t>(grid / ofTokens, 1, featureTiles);
  return llvm::divideCeil(featureTiles, blocks);
}

int64_t KernelTime::tiles(int64_t tokens) const {
  return llvm::divideCeil(tokens, tileTokens) * split *
         llvm::divideCeil(featureTiles, tilesOfBlock(tokens));
}

StreamKRule KernelTime::rule() const {
  return {slots / cluster, int64_t(work.k),
          int64_t(std::ceil(steps / double(StreamKRule::kStages)))};
}

int64_t KernelTime::waves(int64_t tokens) const {
  return llvm::divideCeil(tiles(tokens), slots);
}

KernelTime::BlockCycles KernelTime::blockCycles(int64_t active,
                                                int64_t count) const {
  double rate = std::min(constants->l2BytesPerCycle,
                         constants->l2TotalBytesPerCycle / double(active));
  double load =
      (stageBytes - straddlingBytes) / rate +
      straddlingBytes / std::min(rate, straddledRate / double(active));
  auto turn = double(turnStages);
  double stage = together(stageCompute, load * turn) + stageOther;
  double alone = together(stageAlone, load * turn) + stageOther;
  double latency = constants->latencyNs * machine->clockGHz;
  auto tiles = double(count);
  // Blocks that share an SM hide each other's barriers.
  double hidden = hidesBarriers ? stageOther : 0;
  double least = steps * std::max(alone, (latency + alone) * turn / ahead);
  return {
      tiles * (steps * (stage - hidden) * double(kWarps) / turn + tileCycles) +
          holdCycles,
      tiles * (least + tileCycles) + holdCycles + constants->fillCycles};
}

double KernelTime::dividedCycles(int64_t count) const {
  // Sums of parts are written and read.
  constexpr double kBytes = 8, kBytesPerCycle = 1500;
  StreamKRule rule = this->rule();
  int64_t tiles = count / cluster, sharers = rule.sharersOf(tiles);
  double share = double(llvm::divideCeil(tiles * rule.pairs, sharers)) /
                 double(rule.pairs);
  int64_t parts = sharers % tiles ? sharers + tiles : sharers;
  BlockCycles whole =
      blockCycles(std::min(sharers * cluster, multiprocessors), 1);
  return std::max(whole.least, whole.busy) * share + tileCycles +
         double(parts * cluster) * tileArea * kBytes / kBytesPerCycle;
}

double KernelTime::operator()(int64_t tokens) const {
  int64_t blocks = tiles(tokens), rounds = waves(tokens);
  double clock = machine->clockGHz * 1000;
  int64_t active = std::min({blocks, slots, multiprocessors});
  // Two SMs share a way to the L2 cache. Blocks get one each as long as there
  // are some; of clusters all wait for those that have half of one.
  if (inClusters && active > multiprocessors / 2)
    active = multiprocessors;
  BlockCycles block = blockCycles(active, tilesOfBlock(tokens));
  // Blocks of an SM at a time, in a full round and in the last.
  auto cyclesOf = [&](int64_t count) {
    double busy = block.busy * double(llvm::divideCeil(count, multiprocessors));
    return isStreamed ? together(block.least, busy)
                      : std::max(block.least, busy);
  };
  int64_t last = blocks - (rounds - 1) * slots;
  bool divides = last <= streamK * cluster && rule().divides(last / cluster);
  double compute = (double(rounds - 1) * cyclesOf(slots) +
                    (divides ? dividedCycles(last) : cyclesOf(last))) /
                   clock;
  if (!isPersistent)
    compute += double(rounds - 1) * constants->waveUs;
  // Bytes of weights arrive at the memory's rate, or as fast as what is under
  // way allows. What does not stay in the L2 cache comes again with the next
  // group of token tiles.
  int64_t passes =
      llvm::divideCeil(llvm::divideCeil(tokens, tileTokens), group);
  double again =
      std::clamp(weightBytes / (constants->cacheMBytes * 1e6) - 1, 0.0, 1.0);
  double bytes = weightBytes * (1 + double(passes - 1) * again);
  double rate = machine->memoryGBps * constants->memoryEfficiency;
  // Blocks of other tokens ask for the same weights.
  double underWay =
      double(std::min(featureTiles * split, slots)) * ahead * stageBytes;
  double memory =
      bytes / std::min(rate, underWay / constants->latencyNs) / 1000;
  // A cluster adds its partial sums behind each round's tile.
  double us = constants->launchUs + clusterUs + together(compute, memory) +
              reductionUs * double(isCluster ? rounds : 1);
  if (split > 1 && isCluster)
    us += double(rounds) * tileArea * constants->reductionCycles / clock;
  if (split > 1 && !isCluster)
    // Partial sums, written and read.
    us += double(tokens) * double(work.n) * 8 * double(split) /
          (constants->l2BytesPerCycle * double(multiprocessors) * clock);
  // The kernel that adds what is divided, also where nothing is.
  constexpr double kSecondUs = 2;
  if (streamK)
    us += kSecondUs;
  double taken = std::min(1.0, double(blocks) / double(multiprocessors));
  if (quantizes && rounds == 1)
    us += constants->quantizeWaitUs * taken * taken;
  if (quantizes)
    us += constants->quantizeUs + std::max(double(tokens) * double(work.k) * 3 /
                                               constants->quantizeGBps,
                                           startNanoseconds(tokens, work.k)) /
                                      1000;
  // The kernel before that copies rows: its launch, what it takes more where a
  // wave of warpgroups has all registers, bytes read and written. Measured on
  // an H200.
  constexpr double kCopyUs = 0.7, kWaitUs = 1, kCopyGBps = 4000;
  int64_t copied = work.ternary || work.sparse ? tokens : tokens + work.n;
  if (copies)
    us += kCopyUs + double(copied) * double(work.k) * 4 / kCopyGBps / 1000;
  if (copies && !hidesBarriers && rounds == 1)
    us += kWaitUs * taken * taken;
  return us;
}
