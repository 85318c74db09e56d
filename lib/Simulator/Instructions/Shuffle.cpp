//===- Shuffle.cpp - shfl.sync, redux, vote.sync --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

using namespace mlir::sparseflow::sim;

namespace {

enum class Shuffle { Index, Butterfly, Up, Down };

struct ShuffleOperands {
  uint32_t mask, value, b, c;
};
struct ShuffleResult {
  uint32_t value;
  bool inRange;
};

/// shfl.sync: bits 0 to 4 of c clamp the source, bits 8 to 12 split the warp
/// into segments. A source out of range reads the lane's own value.
template <Shuffle mode, bool predicate>
void shuffle(WarpCall &call) {
  ShuffleResult results[32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!call.has(lane))
      continue;
    const ShuffleOperands &own = call.args<ShuffleOperands>(lane);
    unsigned clamp = own.c & 31, segment = own.c >> 8 & 31, b = own.b & 31;
    unsigned maxLane = (lane & segment) | (clamp & ~segment);
    unsigned minLane = lane & segment;
    int source = 0;
    bool inRange = false;
    switch (mode) {
    case Shuffle::Up:
      source = static_cast<int>(lane) - static_cast<int>(b);
      inRange = source >= static_cast<int>(maxLane);
      break;
    case Shuffle::Down:
      source = static_cast<int>(lane + b);
      inRange = source <= static_cast<int>(maxLane);
      break;
    case Shuffle::Butterfly:
      source = static_cast<int>(lane ^ b);
      inRange = source <= static_cast<int>(maxLane);
      break;
    case Shuffle::Index:
      source = static_cast<int>(minLane | (b & ~segment));
      inRange = source <= static_cast<int>(maxLane);
      break;
    }
    if (!inRange)
      source = static_cast<int>(lane);
    // PTX leaves the value undefined; a kernel must not rely on it.
    if (!call.has(source))
      call.lanes[lane].block->stop(
          call.lanes[lane], FindingKind::BadOperand, call.site, 0,
          "lane %u takes the value of lane %d, which is not in the member mask "
          "0x%x",
          lane, source, call.mask);
    results[lane].value = call.args<ShuffleOperands>(source).value;
    results[lane].inRange = inRange;
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!call.has(lane))
      continue;
    if (predicate)
      *call.result<ShuffleResult>(lane) = results[lane];
    else
      *call.result<uint32_t>(lane) = results[lane].value;
  }
}

struct VoteOperands {
  uint32_t mask;
  bool predicate;
};

uint32_t ballotOf(const WarpCall &call) {
  uint32_t ballot = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.has(lane) && call.args<VoteOperands>(lane).predicate)
      ballot |= 1u << lane;
  return ballot;
}

enum class Vote { All, Any, Uniform };

template <Vote mode>
void vote(WarpCall &call) {
  uint32_t ballot = ballotOf(call);
  bool result = mode == Vote::All   ? ballot == call.mask
                : mode == Vote::Any ? ballot != 0
                                    : ballot == 0 || ballot == call.mask;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.has(lane))
      *call.result<bool>(lane) = result;
}

void voteBallot(WarpCall &call) {
  uint32_t ballot = ballotOf(call);
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.has(lane))
      *call.result<uint32_t>(lane) = ballot;
}

struct ReduxOperands {
  uint32_t value, mask;
};

/// The sum of the lanes' words, modulo 2^32, or the largest of them with a
/// sign.
template <bool largest>
void redux(WarpCall &call) {
  uint32_t result = largest ? uint32_t(1) << 31 : 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!call.has(lane))
      continue;
    const ReduxOperands &own = call.args<ReduxOperands>(lane);
    if (own.mask != call.mask)
      call.lanes[lane].block->stop(
          call.lanes[lane], FindingKind::BadOperand, call.site, 0,
          "redux.sync with mask 0x%x: expected the lanes that execute it, 0x%x",
          own.mask, call.mask);
    result =
        largest
            ? static_cast<uint32_t>(std::max(static_cast<int32_t>(result),
                                             static_cast<int32_t>(own.value)))
            : result + own.value;
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.has(lane))
      *call.result<uint32_t>(lane) = result;
}

template <Shuffle mode>
void addShuffle(Registry &registry, const char *name) {
  for (const char *type : {".i32", ".f32"}) {
    std::string full = std::string("shfl.sync.") + name + type;
    registry.addWarp(full, shuffle<mode, false>, /*hasMask=*/true);
    registry.addWarp(full + "p", shuffle<mode, true>, /*hasMask=*/true);
  }
}

} // namespace

void mlir::sparseflow::sim::addExchangeHandlers(Registry &registry) {
  addShuffle<Shuffle::Index>(registry, "idx");
  addShuffle<Shuffle::Butterfly>(registry, "bfly");
  addShuffle<Shuffle::Up>(registry, "up");
  addShuffle<Shuffle::Down>(registry, "down");
  registry.addWarp("redux.sync.add", redux<false>);
  registry.addWarp("redux.sync.max", redux<true>);
  registry.addWarp("vote.all.sync", vote<Vote::All>, /*hasMask=*/true);
  registry.addWarp("vote.any.sync", vote<Vote::Any>, /*hasMask=*/true);
  registry.addWarp("vote.uni.sync", vote<Vote::Uniform>, /*hasMask=*/true);
  registry.addWarp("vote.ballot.sync", voteBallot, /*hasMask=*/true);
}
