//===- StreamedBlocks.cpp - How many blocks that stream weights an SM has -===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/MatmulStep.h"
#include "SparseFlow/Target/NVPTX/Model.h"
#include "SparseFlow/Target/NVPTX/Resources.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Blocks that stream weights wait for the kernel that quantizes. Until that has
// begun they find room where the kernel before it has left some, several on an
// SM and none on others. So an SM has room for no more than all of them need.
// Measured for compute capability 9.0 alone.
void MatmulStep::spreadBlocks(SmallVectorImpl<Variant> &variants) const {
  constexpr int64_t kGranule = 128;
  const TargetPeaks *peaks =
      context.computeCapability == 90 ? findPeaks("sm_90") : nullptr;
  if (!peaks || !integer)
    return;
  SMLimits sm = SMLimits::ofComputeCapability(context.computeCapability);
  SmallVector<Variant> spread;
  int64_t first = 1;
  for (auto [variant, schedule] : llvm::zip_equal(variants, schedules())) {
    int64_t last = schedule.getMaxTokens(), tokens = schedule.getBlock()[1];
    int64_t features = llvm::divideCeil(n, schedule.getBlock()[0]);
    while (variant.blockBytes && first <= last) {
      int64_t blocks = llvm::divideCeil(first, tokens) * features;
      int64_t each = llvm::divideCeil(blocks, peaks->multiprocessors);
      // So many and no more of them have room.
      int64_t bytes = sm.sharedBytesOfEach(each + 1) + kGranule;
      if (bytes <= variant.blockBytes)
        break;
      int64_t most = each * peaks->multiprocessors / features * tokens;
      Variant part = variant;
      part.maxRows = std::min(most, last);
      part.launches = [launches = variant.launches, bytes](OpBuilder &builder) {
        SmallVector<Launch> own = launches(builder);
        own.front().leastSharedBytes = bytes;
        return own;
      };
      spread.push_back(std::move(part));
      first = most + 1;
    }
    if (first <= last || !last)
      spread.push_back(std::move(variant));
    first = last + 1;
  }
  variants = std::move(spread);
}
