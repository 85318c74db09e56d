//===- Wavefronts.cpp - Bank conflicts of shared memory -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Checks/Wavefronts.h"

#include <algorithm>

using namespace mlir::sparseflow::sim;

void WavefrontCounter::lane(uint32_t warp, uint32_t lane, uint64_t address,
                            uint32_t bytes, uint32_t site) {
  std::vector<Access> &accesses = open[warp][site];
  for (Access &access : accesses)
    if (!(access.lanes >> lane & 1)) {
      access.lanes |= 1u << lane;
      access.addresses[lane] = address;
      return;
    }
  accesses.emplace_back();
  accesses.back().lanes = 1u << lane;
  accesses.back().bytes = bytes;
  accesses.back().addresses[lane] = address;
}

void WavefrontCounter::phase(const uint64_t *addresses, uint32_t lanes,
                             unsigned count, uint32_t bytes, Count &total) {
  // At most 32 words: 32 lanes of up to 4 bytes (an unaligned one touches two),
  // 16 of 8 or 8 of 16.
  uint64_t words[64];
  unsigned used = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (!(lanes >> i & 1))
      continue;
    uint64_t last = (addresses[i] + bytes - 1) / 4;
    for (uint64_t word = addresses[i] / 4; word <= last && used < 64; ++word)
      words[used++] = word;
  }
  if (used == 0)
    return;
  std::sort(words, words + used);
  used = static_cast<unsigned>(std::unique(words, words + used) - words);
  unsigned perBank[32] = {}, most = 0;
  for (unsigned i = 0; i < used; ++i)
    most = std::max(most, ++perBank[words[i] % 32]);
  total.wavefronts += most;
  total.ideal += (used + 31) / 32;
}

void WavefrontCounter::flush(uint32_t warp) {
  for (auto &[site, accesses] : open[warp]) {
    Count &total = counts[site];
    for (const Access &access : accesses) {
      unsigned lanes = access.bytes <= 4 ? 32 : access.bytes <= 8 ? 16 : 8;
      ++total.accesses;
      for (unsigned first = 0; first < 32; first += lanes)
        phase(access.addresses + first, access.lanes >> first, lanes,
              access.bytes, total);
    }
  }
  open[warp].clear();
}

void WavefrontCounter::matrix(const uint64_t *rows, uint32_t site) {
  ++counts[site].accesses;
  phase(rows, 0xff, 8, 16, counts[site]);
}
