//===- CostModel.cpp - How long a kernel should take ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the order of candidates matters: the best are measured. The numbers of
// cycles were measured on an H200 with kernels of this form (docs/tuning.md).
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Tune/Candidates.h"

#include "SparseFlow/Target/NVPTX/Resources.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Cycles outside the loop: start, first data from memory, tail.
constexpr double kFixedCycles = 5500;
/// Of the result of a 128 x 256 tile through shared memory.
constexpr double kEpilogueCycles = 2300;
/// From the L2 cache to one multiprocessor, when all of them ask.
constexpr double kL2BytesPerCycle = 58;
/// Barriers, and what alignment wastes.
constexpr int64_t kExtraSharedBytes = 2048;

/// What the operands of a form of weights take.
struct Form {
  /// Bytes of a weight with its scales, and of an activation as it is
  /// multiplied.
  double weight;
  int64_t activation;
  /// Whether instructions skip half of the weights, and whether these reach
  /// them in registers.
  bool sparse, inRegisters;
  /// Products of each weight, and whether sums of groups of columns are apart
  /// until a scale has met them.
  double products;
  bool apart;

  explicit Form(const TuneForm &form)
      : weight(bytesOf(form)), activation(form.integer ? 1 : 2),
        sparse(form.kind == "2:4" || form.keepsPairs()),
        inRegisters(form.isTernary()), products(double(form.planes)),
        apart(form.group || form.planes > 1) {
    // A sparse product of bytes takes 64 columns, of which such a group is
    // half: each is computed with the other half zero.
    if (form.keepsPairs() && form.integer && form.group == 32)
      products *= 2;
  }

  static double bytesOf(const TuneForm &form) {
    if (!form.isTernary())
      return form.kind == "2:4" ? 1.125 : 2;
    double trit = form.keepsPairs() && !form.zeros ? 0.1875 : 0.25;
    // A scale has two bytes in most files.
    return double(form.planes) *
           (trit + (form.group ? 2.0 / double(form.group) : 0));
  }
};

/// What the model reads of a row.
struct Row {
  int64_t features, tokens, warpFeatures, warpTokens;
  int64_t k, stages, split, producers = 0, producerRegisters = 0;
  int64_t cluster = 1, grid = 0, storeTokens = 0, storeBuffers = 0;
  int64_t depthWarps = 0;
  bool warpgroup = false, held = false;

  Row(const MatmulSizes &sizes, const TuneShape &shape)
      : features(sizes.tile.block[0]), tokens(sizes.tile.block[1]),
        warpFeatures(sizes.tile.warp[0]), warpTokens(sizes.tile.warp[1]),
        k(sizes.k()), stages(sizes.stages()), split(sizes.tile.splitK) {
    if (const auto *multistage = sizes.as<sftile::MultistageFields>())
      warpgroup = multistage->warpgroup;
    if (const auto *specialized = sizes.as<sftile::WarpSpecializedFields>()) {
      warpgroup = true;
      producers = specialized->producerWarps;
      producerRegisters = specialized->producerRegisters;
      cluster = specialized->cluster;
      grid = specialized->grid;
      storeTokens = specialized->storeTokens;
      storeBuffers = specialized->storeBuffers;
    }
    if (const auto *streamed = sizes.as<sftile::StreamedFields>()) {
      depthWarps = streamed->kWarps;
      held = streamed->holdsActivations;
    }
    if (sizes.split && sound()) {
      int64_t tiles = llvm::divideCeil(shape.n, features) *
                      llvm::divideCeil(shape.t, tokens);
      split = std::clamp<int64_t>(
          llvm::divideCeil(sizes.split->blocks, tiles), 1,
          std::max<int64_t>(1, shape.k / sizes.split->minK));
    }
  }

  bool sound() const {
    return features % warpFeatures == 0 && tokens % warpTokens == 0;
  }
  int64_t consumers() const {
    return features / warpFeatures * (tokens / warpTokens) *
           std::max<int64_t>(depthWarps, 1);
  }
  int64_t threads() const { return 32 * (consumers() + producers); }
  /// Of a stage: all bytes that it needs, and those in shared memory.
  int64_t activationBytes(const Form &form) const {
    return held ? 0 : tokens * k * form.activation;
  }
  int64_t stageBytes(const Form &form) const {
    return int64_t(double(features * k) * form.weight) + activationBytes(form);
  }
  int64_t sharedBytes(const Form &form, const TuneShape &shape) const {
    // Warps that read their own weights have rings of their own.
    if (depthWarps) {
      int64_t whole = held ? shape.t * (shape.k + 16) * form.activation : 0;
      return std::max(depthWarps * stages * stageBytes(form) + whole,
                      depthWarps * features * tokens * 4) +
             kExtraSharedBytes;
    }
    int64_t bytes = stages * stageBytes(form);
    if (producers)
      bytes += consumers() / 4 * storeBuffers * storeTokens * 64 * 2 +
               kExtraSharedBytes;
    return bytes;
  }
};

} // namespace

/// Cycles of one stage of the ring in one block that has a multiprocessor for
/// itself.
static double stageCycles(const Row &row, const Form &form) {
  bool sparse = form.sparse;
  // An int8 MMA is twice as deep along K.
  double depth =
      double(row.k) / 64 * double(form.activation) / 2 * form.products;
  if (!row.warpgroup) {
    // mma.sync and mma.sp of four warps or more, as fast as they were seen.
    double rate = sparse ? 4006 : 2702;
    double tensor = 2.0 * row.features * row.tokens * 64 / rate;
    return 1.25 * tensor * depth;
  }
  // m64nNk32 (2:4) and m64nNk16 take N / 2 cycles. Operands come through one
  // pipe: 128 bytes a cycle, tokens as they are and 64 features for each
  // instruction, which few tokens use badly.
  double instructions = double(row.features) / 64 * (sparse ? 2 : 4);
  double tensor = instructions * double(row.warpTokens) / 2 *
                  (double(row.tokens) / double(row.warpTokens));
  double activations = sparse ? tensor : tensor / 2;
  double pipe = activations + (form.inRegisters ? 0 : instructions * 16);
  return 1.06 * std::max(tensor, pipe) * depth;
}

TuneEstimate mlir::sparseflow::estimateSizes(const MatmulSizes &sizes,
                                             const TuneShape &shape,
                                             const TuneMachine &machine) {
  TuneEstimate result;
  Row row(sizes, shape);
  Form form(shape.form);
  if (!row.sound()) {
    result.refusal = "warp does not divide block";
    return result;
  }
  result.sharedBytes = row.sharedBytes(form, shape);
  if (result.sharedBytes > machine.sharedBytes) {
    result.refusal = llvm::formatv("needs {0} bytes of shared memory of {1}",
                                   result.sharedBytes, machine.sharedBytes);
    return result;
  }
  result.accumulators = row.warpFeatures * row.warpTokens / 32;
  int64_t threads = row.threads();
  // ptxas holds every instruction to the registers at launch, and with
  // producers the consumers get what those leave.
  SMLimits limits = SMLimits::ofLargest();
  limits.sharedBytesPerBlock = machine.sharedBytes;
  int64_t atLaunch = limits.registersAtLaunch(threads);
  int64_t later =
      row.producers
          ? limits.consumerRegisters(threads / 128, row.producerRegisters)
          : std::min<int64_t>(atLaunch, 240);
  int64_t oneInstruction =
      row.warpgroup ? row.warpTokens / 2 : result.accumulators;
  if (threads > 1024 || oneInstruction + 27 > atLaunch ||
      result.accumulators + 30 > later) {
    result.refusal = llvm::formatv(
        "{0} accumulators do not fit {1} threads of {2} registers",
        result.accumulators, threads, later);
    return result;
  }

  // Blocks that a multiprocessor holds, and tiles that run at a time.
  int64_t sums = result.accumulators * (form.apart ? 2 : 1);
  int64_t registers = std::min<int64_t>(255, sums + 50);
  int64_t resident =
      limits.residentBlocks(result.sharedBytes, threads, registers);
  if (row.producers)
    resident = 1;
  int64_t slots = machine.multiprocessors * resident;
  if (row.grid)
    slots = std::min(slots, row.grid);
  slots -= slots % row.cluster;
  int64_t rows = llvm::divideCeil(shape.n, row.features);
  rows = llvm::alignTo(rows, row.cluster);
  result.tiles = rows * llvm::divideCeil(shape.t, row.tokens) * row.split;
  result.waves = llvm::divideCeil(result.tiles, std::max<int64_t>(slots, 1));

  double steps = double(llvm::divideCeil(
      shape.k, row.k * row.split * std::max<int64_t>(row.depthWarps, 1)));
  // Neighbours on a multiprocessor share its tensor cores and hide each
  // other's waiting.
  int64_t together = std::min<int64_t>(
      resident, llvm::divideCeil(result.tiles, machine.multiprocessors));
  // A cluster fetches its activations from the L2 cache once.
  double fetched =
      double(row.stageBytes(form)) -
      double(row.activationBytes(form)) * (1 - 1.0 / double(row.cluster));
  double stage = std::max(stageCycles(row, form), fetched / kL2BytesPerCycle);
  double perTile = steps * stage * double(together) +
                   kEpilogueCycles * double(row.features * row.tokens) / 32768;
  // A short ring waits for memory at every step.
  double latency = machine.latencyNs * machine.clockMHz / 1000;
  double ahead = double(row.stages - 1) * stage * double(together);
  if (ahead < latency)
    perTile += steps * (latency - ahead) / double(row.stages - 1);
  double compute =
      (double(result.waves) * perTile + kFixedCycles) / machine.clockMHz;

  // Bytes that have to come, at a rate that what is under way allows.
  double weights = double(shape.n) * double(shape.k) * form.weight;
  double bytes = weights + 2.0 * double(shape.t) * double(shape.k + shape.n);
  double busy =
      double(std::min(result.tiles, machine.multiprocessors * resident));
  double underWay = busy * double(row.stages - 1) *
                    double(row.stageBytes(form)) *
                    double(std::max<int64_t>(row.depthWarps, 1));
  double rate = std::min(machine.memoryGBps, underWay / machine.latencyNs);
  double memory = bytes / rate / 1000 + kFixedCycles / machine.clockMHz;

  // What is hidden is not hidden entirely.
  result.microseconds =
      std::max(compute, memory) + 0.1 * std::min(compute, memory);
  // Blocks of a cluster meet without one.
  if (row.split > 1 && !row.depthWarps)
    result.microseconds +=
        machine.launchUs + double(shape.t) * double(shape.n) * 8 *
                               double(row.split) / machine.memoryGBps / 1000;
  return result;
}
