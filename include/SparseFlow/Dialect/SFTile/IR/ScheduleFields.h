//===- ScheduleFields.h - What schedules say --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is a tile and a pipeline. Each is a plain struct here, and
// fields() describes its members: name, legal range, meaning; the default is
// what a fresh struct has. Parser, printer and verifier of the attributes, the
// reader of schedule tables and the tables of docs/formats/schedules.md all
// follow these descriptions (ScheduleFields.cpp), so a field is added there and
// nowhere else. What several fields must be together is checked where the
// attribute that has them all is made (Schedules.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SCHEDULEFIELDS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_SCHEDULEFIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace mlir::sftile {

/// [features, tokens].
using Extent = std::array<int64_t, 2>;

/// One member of the struct `T`.
template <typename T>
struct ScheduleField {
  llvm::StringLiteral name;
  std::variant<int64_t T::*, bool T::*, Extent T::*> member;
  /// A sentence for the documentation.
  llvm::StringLiteral meaning;
  /// Whether it must be given; otherwise it has the default of T{}.
  bool required = false;
  /// Of integers, limits included.
  int64_t minimum = 0, maximum = INT64_MAX, multiple = 1;
};

/// The tile of a matmul or an elementwise kernel, and what the tile scheduler
/// does with it.
struct MatmulTileFields {
  Extent block = {0, 0}, warp = {0, 0};
  int64_t splitK = 1, group = 1, maxTokens = 0;
  static llvm::ArrayRef<ScheduleField<MatmulTileFields>> fields();
};

/// Every warp copies and multiplies.
struct MultistageFields {
  int64_t k = 0, stages = 0, kWarps = 1;
  bool warpgroup = false, holdsActivations = false;
  static llvm::ArrayRef<ScheduleField<MultistageFields>> fields();
};

/// Producer warps copy by TMA, consumer warpgroups multiply by wgmma.
struct WarpSpecializedFields {
  int64_t k = 0, stages = 0, kWarps = 1;
  int64_t producerWarps = 4, producerRegisters = 40;
  int64_t cluster = 1, grid = 0, streamK = 0, storeTokens = 64;
  int64_t storeBuffers = 1;
  bool holdsActivations = false;
  static llvm::ArrayRef<ScheduleField<WarpSpecializedFields>> fields();
};

/// Every warp streams its own weights: ternary weights, few tokens.
struct StreamedFields {
  int64_t k = 0, stages = 0, kWarps = 0;
  bool holdsActivations = false;
  static llvm::ArrayRef<ScheduleField<StreamedFields>> fields();
};

/// The tile of an attention kernel, and when it is used.
struct AttentionTileFields {
  int64_t queries = 0, warp = 0, keys = 0;
  bool packed = false;
  int64_t maxQueries = 0, minBlocks = 0, maxBlocks = 0;
  int64_t minSmallTiles = 0, minTiles = 0, maxTiles = 0;
  int64_t minKeys = 0, maxKeys = 0, minKeyRatio = 0;
  int64_t splitBlocks = 0, splitMinKeys = 0;
  int64_t group = 1, groupBytes = 0;
  bool plan = false;
  int64_t heads = 1;
  static llvm::ArrayRef<ScheduleField<AttentionTileFields>> fields();
  /// Queries from which on `heads` query heads of a key head have `minTiles`
  /// tiles, at least 1.
  int64_t fewestQueries(int64_t heads) const {
    if (minTiles <= heads)
      return 1;
    return ((minTiles + heads - 1) / heads - 1) * kTile + 1;
  }
  /// Queries up to which they have at most `maxTiles`.
  int64_t mostQueries(int64_t heads) const { return maxTiles / heads * kTile; }
  static constexpr int64_t kTile = 128;
};

struct MultistageAttentionFields {
  int64_t stages = 0, blocksPerSM = 1, featureWarps = 1, keyWarps = 1;
  bool holdsQueries = false;
  static llvm::ArrayRef<ScheduleField<MultistageAttentionFields>> fields();
};

struct WarpSpecializedAttentionFields {
  int64_t stages = 0, producerWarps = 4, producerRegisters = 24;
  int64_t cluster = 1, grid = 0, featureGroups = 1, keyBlocks = 1;
  int64_t blocksPerSM = 1;
  bool pingPong = false, dequantizes = false;
  static llvm::ArrayRef<ScheduleField<WarpSpecializedAttentionFields>> fields();
};

/// int8 MMAs on planes of keys and values.
struct Int8AttentionFields {
  int64_t stages = 0, keyWarps = 1, blocksPerSM = 1;
  static llvm::ArrayRef<ScheduleField<Int8AttentionFields>> fields();
};

/// What an integer of `field` has to be: "an integer from 2 to 16".
std::string describeRange(int64_t minimum, int64_t maximum, int64_t multiple);
template <typename T>
std::string describeRange(const ScheduleField<T> &field) {
  return describeRange(field.minimum, field.maximum, field.multiple);
}

template <typename T>
bool isInRange(const ScheduleField<T> &field, int64_t value) {
  return value >= field.minimum && value <= field.maximum &&
         value % field.multiple == 0;
}

/// Calls `visit(field, value)` for every field, in order.
template <typename T, typename Visitor>
void forEachField(T &value, Visitor visit) {
  for (const auto &field : std::remove_const_t<T>::fields())
    std::visit([&](auto member) { visit(field, value.*member); }, field.member);
}

template <typename T, typename = decltype(T::fields())>
bool operator==(const T &a, const T &b) {
  return llvm::all_of(T::fields(), [&](const auto &field) {
    return std::visit([&](auto member) { return a.*member == b.*member; },
                      field.member);
  });
}

template <typename T, typename = decltype(T::fields())>
llvm::hash_code hash_value(const T &value) {
  llvm::hash_code hash = 0;
  forEachField(value, [&](const auto &, const auto &member) {
    if constexpr (std::is_same_v<decltype(member), const Extent &>)
      hash = llvm::hash_combine(hash, member[0], member[1]);
    else
      hash = llvm::hash_combine(hash, member);
  });
  return hash;
}

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SCHEDULEFIELDS_H
