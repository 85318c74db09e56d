//===- ScheduleTable.h - Sizes of kernels, from a data file -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Policy is data: which tile and pipeline a kernel gets stands in a table of
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

/// The kinds of weights that matmuls have rows for.
ArrayRef<StringRef> weightKinds();

/// The kind of ternary weights: whether two of four columns are nonzero,
/// whether scales belong to groups of columns or there are planes, and whether
/// activations have 8 bits.
StringRef ternaryKind(bool pairs, bool grouped, bool integer);

//===----------------------------------------------------------------------===//
// What is asked
//===----------------------------------------------------------------------===//

/// What the cases of a row look at, beside what chooses the row.
struct ScheduleFacts {
  /// Of a ternary weight: whether codes of those columns may be zero, its
  /// planes, and the columns that share a scale which the mainloop multiplies
  /// with (0: there is none).
  bool zeros = false;
  int64_t planes = 1, scaleColumns = 0;
  /// Of a cache: which of its halves are ternary, whether key lengths differ
  /// between batch entries, whether keys, or tokens of int8 and int4, have
  /// scales for groups of features.
  bool ternaryKeys = false, ternaryValues = false;
  bool lengths = false, keyGroups = false;
  /// Sequences follow one another.
  bool varlen = false;
  /// Bits of the wider of int8 and int4 keys and values; 0 for others.
  int64_t cacheBits = 0;
  /// Query heads that share a key head.
  int64_t heads = 0;
  int64_t dv = 0;
  /// Keys of a page; 0 without pages.
  int64_t page = 0;
};

/// What a kernel is needed for. Sizes are in elements.
struct ScheduleQuery {
  /// "matmul", "product", "elementwise" or "reduce".
  StringRef op;
  /// One of weightKinds(); ignored for kernels of other ops.
  StringRef weights;
  /// Target name, such as "sm_90".
  StringRef target;
  /// N and K of the matmul.
  int64_t n = 0, k = 0;
  /// Tensors that the epilogue reads; each costs registers. Those of the
  /// result's size cost shared memory, too.
  int64_t operands = 0, fullOperands = 0;
  /// Of an element of the result.
  int64_t resultBits = 16;
  /// Whether activations have 8 bits.
  bool integer = false;
  /// The number of tokens where it is known at compile time.
  std::optional<int64_t> tokens;
  /// Whether the kernel must do with accesses of less than 16 bytes, which cost
  /// it registers.
  bool unaligned = false;
  /// Whether the activations, as the program has them, have rows of a multiple
  /// of 16 bytes.
  bool wholeRows = true;
  /// Whether the matmul alone reads the quantized activations, and they lie in
  /// memory before: then blocks of any number of tokens may quantize them. Of
  /// activations of 16 bits, whether blocks may compute those of one token.
  bool holdable = false;
  /// Whether scales of groups of columns or of planes are numbers of the
  /// activations' type, one for each row.
  bool exactScales = false;
  /// Whether one launch may compute the matmul and one that it gates.
  bool gated = false;
  /// Whether streamed kernels can read the weight, and the bytes that one of
  /// its codes takes in a stage; 0: as many as trits take.
  bool streamed = true;
  double codeBytes = 0;
  ScheduleFacts facts = {};
  /// Names of rows that are not taken.
  ArrayRef<std::string> avoid = {};
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
  /// Whether keys are planes; `mapped` then says whether producer warps may
  /// dequantize them.
  bool planes = false;
  /// Whether kernels in front can make keys and values of 16 bits of int8 and
  /// int4 ones, which tensor maps describe then.
  bool dequantized = false;
  /// Whether producer warps can dequantize numbers of 8 and 4 bits.
  bool dequantizedBeside = false;
  /// Whether keys and values lie in pages.
  bool paged = false;
  /// Whether values are the first features of keys, more than a tile of them.
  bool valuesInKeys = false;
  /// Whether int8 MMAs can take them.
  bool bytes = false;
  /// The number of keys where it is known at compile time.
  std::optional<int64_t> keys = {};
  ScheduleFacts facts = {};
  /// Whether the score region reads tensors.
  bool scoreOperands = false;
  /// Names of rows that are not taken.
  ArrayRef<std::string> avoid = {};
};

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// When a case of a row holds: everything that is given.
struct CaseCondition {
  bool zeros = false, ternaryKeys = false, ternaryValues = false;
  bool lengths = false, keyGroups = false, varlen = false;
  int64_t minCacheBits = 0, minHeads = 0;
  int64_t minPlanes = 0, minScales = 0, minDv = 0;
  int64_t maxPage = 0; // 0: any, and none.
  static ArrayRef<sftile::ScheduleField<CaseCondition>> fields();

  /// `k` is that of the row's stages, or 0.
  bool holds(const ScheduleFacts &facts, int64_t k) const;
};

/// `blocks` to reach with parts of at least `minK`.
struct SplitRule {
  int64_t blocks = 0, minK = 0;
  static ArrayRef<sftile::ScheduleField<SplitRule>> fields();
};

/// Which matmuls a row fits.
struct MatmulLimits {
  bool unaligned = false, exactScales = false, wholeResults = false;
  bool soleReader = false;
  int64_t minN = 0, maxN = INT64_MAX, minK = 0, maxK = INT64_MAX;
  int64_t maxOperands = INT64_MAX, maxFullOperands = INT64_MAX;
  int64_t maxResultBits = INT64_MAX;
  int64_t maxPlanes = INT64_MAX, maxScales = INT64_MAX;
  int64_t filledN = 0;
  static ArrayRef<sftile::ScheduleField<MatmulLimits>> fields();
};

/// Which attention a row fits.
struct AttentionLimits {
  bool unaligned = false, planes = false, cached = false;
  bool sharedHeads = false;
  int64_t minD = 0, maxD = INT64_MAX;
  /// Known at compile time; 0: any number, also one that is not known.
  int64_t minQueries = 0;
  static ArrayRef<sftile::ScheduleField<AttentionLimits>> fields();
};

/// What makes a matmul's kernel; an elementwise one has no pipeline.
struct MatmulSizes {
  sftile::MatmulTileFields tile;
  std::optional<SplitRule> split;
  std::variant<std::monostate, sftile::MultistageFields,
               sftile::WarpSpecializedFields, sftile::StreamedFields>
      pipeline;

  template <typename T>
  const T *as() const {
    return std::get_if<T>(&pipeline);
  }
  /// Of a stage; 0 without a pipeline.
  int64_t k() const;
  int64_t stages() const;
  /// Warps that divide K.
  int64_t kWarps() const;
};

struct AttentionSizes {
  sftile::AttentionTileFields tile;
  std::variant<sftile::MultistageAttentionFields,
               sftile::WarpSpecializedAttentionFields,
               sftile::Int8AttentionFields>
      pipeline;

  template <typename T>
  const T *as() const {
    return std::get_if<T>(&pipeline);
  }
};

/// Other sizes for some of the ops that a row fits.
template <typename Sizes>
struct ScheduleCase {
  CaseCondition when;
  /// Why, as remarks say it.
  std::string because;
  /// The row's, with what the case sets.
  Sizes sizes;
};

struct ScheduleRow;

/// Split-K of a row: as given, or what its rule makes of the most tokens of
/// its class. 1 where parts would not be equal enough.
int64_t splitFor(const ScheduleRow &row, const ScheduleQuery &query);

/// Whether a row or a family with these limits is for the matmul of `query`.
bool admits(const MatmulLimits &limits, const ScheduleQuery &query);

struct ScheduleRow;
/// False for a row that streams weights which no kernel streams, or that holds
/// activations whose rows are not whole chunks of 16 bytes; what was quantized
/// before has them, and the 16-bit elements of a single token are held so.
bool canStream(const ScheduleRow &row, const ScheduleQuery &query);

/// The schedule of `sizes`, of which `name` is the row; null if they make none,
/// which `emitError` reports.
sftile::ScheduleAttr scheduleOf(MLIRContext *context, StringRef name,
                                const MatmulSizes &sizes,
                                function_ref<InFlightDiagnostic()> emitError);

/// Why consumer warpgroups with this schedule do not multiply by both weights
/// of a gated product, as far as it says alone; "" if they may.
StringRef whyWarpgroupsApart(sftile::ScheduleAttr schedule);

/// A row for matmuls, elementwise kernels or partial sums.
struct ScheduleRow {
  std::string name, op, weights;
  SmallVector<std::string> targets;
  MatmulLimits limits;
  MatmulSizes sizes;
  std::vector<ScheduleCase<MatmulSizes>> cases;
  /// All of it as the file has it, in today's form.
  llvm::json::Object fields;

  /// Reads one row, in today's form. Errors begin with `where`.
  static llvm::Expected<ScheduleRow> parse(const llvm::json::Object &object,
                                           std::string where);
};

/// A matmul's row as a table has it, without limits and cases.
llvm::json::Object fieldsOf(const ScheduleRow &row);

struct AttentionRow {
  std::string name;
  SmallVector<std::string> targets;
  AttentionLimits limits;
  /// For masked attention only, or for attention without masks; for a causal
  /// mask without a window only.
  std::optional<bool> masked;
  bool causal = false;
  /// Whether it is for sequences of several lengths, too, for none, or only for
  /// those whose queries follow one another.
  enum class Ragged { Any, None, Packed };
  Ragged ragged = Ragged::Any;
  /// Whether it is for score regions that read tensors: only where the numbers
  /// of queries and keys are known, or for no others.
  enum class ScoreOperands { Any, Known, Only };
  ScoreOperands scoreOperands = ScoreOperands::Any;
  AttentionSizes sizes;
  std::vector<ScheduleCase<AttentionSizes>> cases;

  static llvm::Expected<AttentionRow> parse(const llvm::json::Object &object,
                                            std::string where);
};

/// The same row with a pipeline in place of flat fields, as they were before
/// there were pipelines; nothing if it has that form (FlatRows.cpp).
std::optional<llvm::json::Object>
withPipeline(const llvm::json::Object &flatRow);

/// Rows that a table describes together: a row for each tile with each
/// combination of what is varied. Which of them an op gets, and for how many
/// tokens, says the cost model (Choice.h).
struct ScheduleFamily {
  std::string name;
  SmallVector<std::string> targets, weights;
  /// Which matmuls it is for, and from how many tokens on; rows are for fewer.
  /// The first place that admits a matmul counts.
  struct Place {
    MatmulLimits limits;
    int64_t minTokens = 1;
  };
  std::vector<Place> places;
  /// What all members have. They have at most its stages and its store_tokens.
  MatmulSizes sizes;
  /// Tiles: of a block, of a warp.
  std::vector<std::pair<sftile::Extent, sftile::Extent>> tiles;
  /// Fields of the tile or the pipeline, and their values.
  std::vector<std::pair<std::string, std::vector<int64_t>>> vary;

  static llvm::Expected<ScheduleFamily> parse(const llvm::json::Object &object,
                                              std::string where);
  /// The first place that admits the matmul of `query`, or null.
  const Place *placeOf(const ScheduleQuery &query) const;
  /// Its rows for one of its kinds of weights, which are named for what they
  /// vary. Some of them may make no schedule.
  std::vector<ScheduleRow> members(StringRef weights) const;
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Hears of a row of which a case was taken, and of the reason.
using CaseListener = function_ref<void(StringRef row, StringRef because)>;

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

  /// What should be said to who wrote the file, or "": that rows are of the
  /// form of the version before.
  StringRef warning() const { return obsolete; }

  /// Those of matmuls, elementwise kernels and partial sums.
  ArrayRef<ScheduleRow> rows() const { return list; }
  ArrayRef<ScheduleFamily> families() const { return described; }

  /// The rows for `query`, one for each class of token numbers, smallest class
  /// first. Of several rows for a class the first in the file is taken, and of
  /// classes with one kernel that for most tokens.
  SmallVector<const ScheduleRow *> rowsFor(const ScheduleQuery &query) const;
  /// All rows for `query`, smallest class first, in the order of the file.
  SmallVector<const ScheduleRow *> allRowsFor(const ScheduleQuery &query) const;

  /// The schedules of rowsFor(), so that a caller tests them in order. Empty if
  /// no row fits, or if one makes no schedule, which `emitError` reports.
  SmallVector<sftile::ScheduleAttr> select(
      MLIRContext *context, const ScheduleQuery &query,
      function_ref<InFlightDiagnostic()> emitError,
      CaseListener taken = [](StringRef, StringRef) {}) const;

  /// The schedules for an attention, in the order of the file, to be tested in
  /// this order; the last has no limits. One schedule if `unaligned`. Empty if
  /// no row fits.
  SmallVector<sftile::AttentionScheduleAttr> select(
      MLIRContext *context, const AttentionQuery &query,
      function_ref<InFlightDiagnostic()> emitError,
      CaseListener taken = [](StringRef, StringRef) {}) const;

private:
  std::vector<ScheduleRow> list;
  std::vector<ScheduleFamily> described;
  std::vector<AttentionRow> attention;
  std::string obsolete;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SCHEDULE_SCHEDULETABLE_H
