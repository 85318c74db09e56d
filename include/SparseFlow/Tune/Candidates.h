//===- Candidates.h - Schedules worth trying --------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The space of schedules to try is data (lib/Schedule/tuning-space.json):
// tiles, lists of values for other fields of a row, and what the machine can
// do. The rows of the table that is to be improved are tiles too, so that every
// form of weights that has kernels has candidates. A model of a kernel's time
// orders the candidates for a shape and drops those that cannot be launched;
// the best of them are compiled, and measured where there is a GPU. Format and
// model: docs/tuning.md.
//
// Rows are JSON objects in the form of schedule tables, and are read as those
// are. A field of the pipeline is named "pipeline.stages" where it is varied.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TUNE_CANDIDATES_H
#define SPARSEFLOW_TUNE_CANDIDATES_H

#include "SparseFlow/Schedule/CostModel.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir::sparseflow {

/// A form of weights: a kind of schedule tables, and what a kind leaves open.
struct TuneForm {
  /// One of weightKinds().
  std::string kind = "2:4";
  /// Columns that share a scale, of kinds that have such groups; 0: a row.
  int64_t group = 0;
  int64_t planes = 1;
  /// Whether at most two of four columns are nonzero, not exactly two.
  bool zeros = false;
  /// Whether activations have 8 bits.
  bool integer = false;
  /// Whether scales of groups are f32 beside activations of 16 bits: they
  /// multiply partial sums, not weights.
  bool wideScales = false;
  /// Bits of a weight, 4 or 8, that is no trit; 0: trits.
  int64_t bits = 0;

  /// "ternary_groups.g64.p2": what parseTuneForm() reads.
  std::string name() const;
  bool isTernary() const { return StringRef(kind).starts_with("ternary"); }
  bool keepsPairs() const { return StringRef(kind).starts_with("ternary24"); }
};

/// A kind, and behind it in any order: ".g32" to ".g256" or ".row" (what shares
/// a scale; with groups 128 columns if nothing is said), ".p2" (two planes),
/// ".zeros", ".i8", ".f32" (scales), ".int4" or ".int8" (weights). Errors say
/// what the kind takes.
llvm::Expected<TuneForm> parseTuneForm(StringRef text);

/// What is asked of a schedule table for a weight of this form.
ScheduleQuery queryOf(const TuneForm &form, int64_t n, int64_t k);

/// A product to tune: y[t, n] = x[t, k] w[n, k]^T.
struct TuneShape {
  int64_t t = 0, n = 0, k = 0;
  TuneForm form;
  /// "f16" or "bf16".
  std::string type = "f16";

  /// "2048x2048x2048-2:4-f16".
  std::string name() const;
};

/// "2048x2048x2048": tokens, features, K. The last two are multiples of 4.
llvm::Expected<TuneShape> parseTuneShape(StringRef text);

/// What the model knows of a GPU.
struct TuneMachine {
  std::vector<std::string> targets;
  int64_t multiprocessors = 0, sharedBytes = 0;
  double clockMHz = 0;
  /// Of the memory, by its data sheet.
  double memoryGBps = 0;
};

/// Tiles and lists of values whose every combination is a candidate.
struct TuneFamily {
  std::string name;
  /// No weights: all kinds.
  std::vector<std::string> targets, weights;
  int64_t minTokens = 0, maxTokens = INT64_MAX;
  /// Fields of every row, and fields of some ("block", "warp").
  llvm::json::Object row;
  std::vector<llvm::json::Object> tiles;
  /// Whether, in place of `tiles`, the rows of the table to improve are, each
  /// also as it is.
  bool ofTable = false;
  /// In the order of the file.
  std::vector<std::pair<std::string, std::vector<llvm::json::Value>>> vary;
};

/// What the model says of a row for a shape.
struct TuneEstimate {
  /// Why the row makes no kernel, or "".
  std::string refusal;
  int64_t sharedBytes = 0, accumulators = 0, tiles = 0, waves = 0;
  double microseconds = 0;
};

struct TuneCandidate {
  /// A whole row of a schedule table, with a name of its own.
  llvm::json::Object row;
  TuneEstimate estimate;
};

class TuningSpace {
public:
  /// Errors name `origin`, the member and what was expected.
  static llvm::Expected<TuningSpace> parse(StringRef text, StringRef origin);
  static llvm::Expected<TuningSpace> load(StringRef path);
  /// The space that ships with the compiler.
  static const TuningSpace &builtin();

  /// The machine of a target, or null.
  const TuneMachine *machine(StringRef target) const;
  /// The shapes that are tuned when none is named.
  ArrayRef<TuneShape> shapes() const { return defaultShapes; }

  /// The best `limit` rows for `shape`, best first, a quarter of them at most
  /// of one tile. The row that `table` has for the shape is one of them,
  /// whatever the model says: what is measured to be best is never worse.
  /// `refused` counts the rows that the model drops.
  std::vector<TuneCandidate> candidates(const TuneShape &shape,
                                        StringRef target,
                                        const ScheduleTable &table,
                                        size_t limit, size_t &refused) const;

  /// N x K and numbers of tokens that a calibration measures when no shapes are
  /// named.
  ArrayRef<TuneShape> calibrationShapes() const { return spreadShapes; }

private:
  std::vector<TuneMachine> machines;
  std::vector<TuneFamily> families;
  std::vector<TuneShape> defaultShapes, spreadShapes;
};

/// Rows of the table's families for a calibration, at most `limit`: a third is
/// what the built-in calibration takes for the shape, the others are as unlike
/// each other as their order says, and the same for all numbers of tokens.
std::vector<llvm::json::Object> spreadCandidates(const ScheduleTable &table,
                                                 const TuneShape &shape,
                                                 const TargetInfo &target,
                                                 size_t limit);

/// Whether somebody might take a row of a spread for so many tokens: its time
/// says nothing where nearly all of a tile is empty, or tiles are very many.
bool isSensible(const llvm::json::Object &row, int64_t tokens);

/// The cost model, for what a row of a schedule table says: with the constants
/// of the built-in calibration, or usual ones of a kind that it lacks.
TuneEstimate estimateSizes(const MatmulSizes &sizes, const TuneShape &shape,
                           const TuneMachine &machine);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TUNE_CANDIDATES_H
