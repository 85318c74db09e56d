//===- ScheduleTable.h - Sizes of kernels, from a data file -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Policy is data: which block, warp and ring a kernel gets stands in a table of
// JSON rows, not in a pass. The table that ships is
// lib/Schedule/schedules.json; a user may give another file, or pin
// `sftile.schedules` on an op. Format and meaning of the fields:
// docs/formats/schedules.md.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SCHEDULE_SCHEDULETABLE_H
#define SPARSEFLOW_SCHEDULE_SCHEDULETABLE_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace mlir::sparseflow {

/// The kinds of weights that products have rows for.
ArrayRef<StringRef> weightKinds();

/// The kind of ternary weights: whether two of four columns are kept, whether
/// scales belong to groups of columns or there are planes, and whether
/// activations have 8 bits.
StringRef ternaryKind(bool pairs, bool grouped, bool integer);

/// What a kernel is needed for. Sizes are in elements.
struct ScheduleQuery {
  /// "matmul", "elementwise" or "reduce".
  StringRef op;
  /// One of weightKinds(); ignored for kernels of other ops.
  StringRef weights;
  /// Target name, such as "sm_90".
  StringRef target;
  /// Features of the result and depth of the product.
  int64_t n = 0, k = 0;
  /// Tensors that the epilogue reads; each costs registers.
  int64_t operands = 0;
  /// The number of tokens where it is known at compile time.
  std::optional<int64_t> tokens;
  /// Whether the kernel must do with accesses of less than 16 bytes, which cost
  /// it registers.
  bool unaligned = false;
  /// Whether the activations, as the program has them, have rows of a multiple
  /// of 16 bytes.
  bool wholeRows = true;
  /// Whether scales of groups of columns or of planes are numbers of the
  /// activations' type, one for each row.
  bool exactScales = false;
  /// Names of rows that are not taken.
  ArrayRef<std::string> avoid = {};
};

/// A row of the table. A split of the depth may be given as a number, or as a
/// number of blocks to reach with parts of at least a given depth.
struct ScheduleRow {
  std::string name, op, weights;
  SmallVector<std::string> targets;
  bool unaligned = false, warpgroup = false;
  int64_t maxTokens = 0;
  int64_t minN = 0, maxN = INT64_MAX, minK = 0, maxK = INT64_MAX;
  int64_t maxOperands = INT64_MAX;
  SmallVector<int64_t> block, warp;
  int64_t k = 0, stages = 0, group = 1;
  int64_t splitK = 1, splitBlocks = 0, splitMinDepth = 0;
  int64_t producerWarps = 0, cluster = 1, grid = 0;
  int64_t storeTokens = 64, storeBuffers = 1;
  int64_t depthWarps = 0;
  bool held = false, exactScales = false;
  /// All of it as the file has it.
  llvm::json::Object fields;
};

/// What a choice of rows for attention depends on.
struct AttentionQuery {
  StringRef target;
  /// The larger number of features, of keys or of values.
  int64_t features = 0;
  /// The number of queries where it is known at compile time.
  std::optional<int64_t> queries;
  bool unaligned = false;
  /// Whether tensor maps can describe queries, keys and values, and nothing
  /// else asks for a kernel without them.
  bool mapped = false;
  /// Whether a causal mask or a window leaves keys out, and whether a causal
  /// mask alone does.
  bool masked = false, causal = false;
  /// Whether keys are planes; `mapped` then says whether warps of their own may
  /// expand them.
  bool planes = false;
  /// Whether integer products can take them as bytes.
  bool bytes = false;
  /// Names of rows that are not taken.
  ArrayRef<std::string> avoid = {};
};

struct AttentionRow {
  std::string name;
  SmallVector<std::string> targets;
  bool unaligned = false, held = false, packed = false;
  int64_t minFeatures = 0, maxFeatures = INT64_MAX;
  int64_t queries = 0, warp = 0, keys = 0, stages = 0;
  int64_t maxQueries = 0, minBlocks = 0;
  /// Known at compile time; 0: any number, also one that is not known.
  int64_t minQueries = 0;
  int64_t splitBlocks = 0, splitMinKeys = 0, group = 1;
  int64_t producerWarps = 0, grid = 0, cluster = 1, groupBytes = 0;
  bool turns = false, bytes = false;
  int64_t keyWarps = 1;
  /// For keys that are planes: expanded by warps of their own or, with `bytes`,
  /// beside values that are planes.
  bool planes = false;
  /// For masked attention only, or for attention without masks; for a causal
  /// mask without a window only.
  std::optional<bool> masked;
  bool causal = false;
};

class RowReader;

/// An immutable list of rows; safe to share between threads.
class ScheduleTable {
public:
  /// Reads the JSON text of a table. Errors name `origin`, the row and the
  /// field.
  static llvm::Expected<ScheduleTable> parse(StringRef text, StringRef origin);
  /// Reads a file.
  static llvm::Expected<ScheduleTable> load(StringRef path);
  /// The table that ships with the compiler.
  static const ScheduleTable &builtin();
  /// Its JSON text.
  static StringRef builtinText();

  /// Those of products, elementwise kernels and partial sums.
  ArrayRef<ScheduleRow> rows() const { return list; }

  /// The rows for `query`, one for each class of token numbers, smallest class
  /// first. Of several rows for a class the first in the file is taken.
  SmallVector<const ScheduleRow *> rowsFor(const ScheduleQuery &query) const;

  /// The schedules of rowsFor(), so that a caller tests them in order. Empty if
  /// no row fits, or if one makes no schedule, which `emitError` reports.
  SmallVector<sftile::ScheduleAttr>
  select(MLIRContext *context, const ScheduleQuery &query,
         function_ref<InFlightDiagnostic()> emitError) const;

  /// The schedules for an attention, in the order of the file, to be tested in
  /// this order; the last has no limits. One schedule if `unaligned`. Empty if
  /// no row fits.
  SmallVector<sftile::AttentionScheduleAttr>
  select(MLIRContext *context, const AttentionQuery &query,
         function_ref<InFlightDiagnostic()> emitError) const;

private:
  static AttentionRow readAttention(RowReader &reader);

  std::vector<ScheduleRow> list;
  std::vector<AttentionRow> attention;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_SCHEDULETABLE_H
