//===- MappedKv.h - Keys and values by tensor maps --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The producer's side of attention on TMA and wgmma: the pipelines for queries,
// keys and values, and the copies that fill them. Keys and values of an entry
// follow one another, or lie in pages that a page table orders; planes are
// dequantized.
//
// A stage of keys in pages is copied in pieces, each from one page. Where these
// are few, the numbers of the pages are loaded a stage ahead of their copies,
// so that no copy waits for one; entries behind a length are not read. A number
// that is no page becomes one past the last, and the copy, outside the tensor
// map's bounds, brings zeros.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_MAPPEDKV_H
#define SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_MAPPEDKV_H

#include "Kernels/Attention/Warpgroup/DequantizedKv.h"

namespace mlir::sparseflow {

class MappedKv : protected DequantizedKv {
protected:
  // Features of a tile in shared memory: rows of 128 bytes.
  static constexpr int64_t kTileCols = 64;

  MappedKv(const AttentionKernel &spec, OpBuilder &builder);

  void openRings();
  /// True if tiles without keys are no exception: those of short entries, and
  /// splits that the keys of an entry do not reach. They copy no keys then.
  bool mayBeEmpty() const {
    return (shape.hasLengths &&
            (!spec.dequantizesKv() || shape.isQuantized())) ||
           shape.varlen;
  }
  Value hasKeys() { return less(b.index(0), stageCount); }
  /// True if a plan's tile is one of those that see keys. Those that do not
  /// come last in the plan, so that a block has none of the others behind them:
  /// their queries are not copied. Where results are stored by TMA the loop
  /// over tiles has the others only.
  Value seesKeys() { return less(b.index(0), length); }
  /// Copies the queries, keys and values of the tile that was placed, from
  /// these positions of their pipelines on (index).
  void copyTile(Value queryPosition, Value keyPosition);
  /// The same in two parts; `copyNext` is called behind the first keys.
  void copyQueries(Value queryPosition);
  void copyStages(Value keyPosition, function_ref<void()> copyNext);
  void copyPagedStages(Value keyPosition, function_ref<void()> copyNext);
  /// Two, so that the queries of a tile are copied while the one before is
  /// computed, where shared memory suffices.
  int64_t queryStages() const;

  // Blocks that share the copies of keys and values.
  int64_t cluster;
  sftile::TmaAttr tma;
  // Without `valueRing`: values are read where keys are.
  sftile::RingOp queryRing, keyRing, valueRing;
  // `keyRing`, or rings of parts of a key's features, the first of which it is:
  // the left half of the values, their right half, and what is behind them, a
  // tile at least. Each part is free again when nobody needs it any longer.
  SmallVector<sftile::RingOp, 3> keyRings;

private:
  sftile::RingOp makeRing(int64_t stages, int64_t height, int64_t features);
  /// What parameter `pointer` holds of the rows at the indices `at` (index).
  Value mapView(int64_t pointer, Value h, Value at);
  /// Features from the tile `firstTile` on.
  void copyRows(sftile::RingOp ring, Value position, Value view, Value row,
                int64_t firstTile = 0);
  /// The same of numbers that producer warps dequantize.
  void fillStages(Value keyPosition);
  /// The first key of the stage that is visited as number `visit`.
  Value firstKeyOf(Value visit);
  /// The entry of the page table for a key (index), i32: -1 where the key does
  /// not count, or `wanted`, which may be null, says no.
  Value loadEntry(Value key, Value wanted);
  /// The entries for that stage, one for each piece.
  SmallVector<Value> loadEntries(Value visit);
  /// Without `entries` it loads them.
  void copyPieces(ArrayRef<sftile::RingOp> rings, int64_t pointer,
                  Value keyPosition, Value visit, ValueRange entries);
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_ATTENTION_WARPGROUP_MAPPEDKV_H
