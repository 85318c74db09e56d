//===- SelectSchedule.cpp - A schedule for every kernel -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SelectSchedule/SelectOps.h"
#include "Kernels/Matmul/TernaryScales.h"
#include "Launch/LaunchGroup.h"
#include "Launch/QuantizeGroup.h"
#include "Launch/Rows/RowsOfMatmuls.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Schedule/Choice.h"
#include "SparseFlow/Support/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWSELECTSCHEDULE
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// The number of rows of `type` when all but the last dimension are folded;
/// nothing if one of them is dynamic.
static std::optional<int64_t> staticRows(RankedTensorType type) {
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back()) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    rows *= size;
  }
  return rows;
}

namespace {
struct SelectSchedule
    : public sparseflow::impl::SparseFlowSelectScheduleBase<SelectSchedule> {
  using SparseFlowSelectScheduleBase::SparseFlowSelectScheduleBase;

  void runOnOperation() override {
    std::optional<ScheduleTable> loaded;
    std::optional<Calibration> loadedCalibration;
    pick = calibration.empty()
               ? Calibration::pickFor(gpu, target)
               : CalibrationPick{calibration, "the one that is asked for"};
    if (!load(scheduleFile, loaded) || !load(pick.name, loadedCalibration))
      return signalPassFailure();
    constants = &*loadedCalibration;
    const ScheduleTable &table = loaded ? *loaded : ScheduleTable::builtin();
    if (!table.warning().empty())
      emitWarning(getOperation()->getLoc()) << table.warning();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (auto matmul = dyn_cast<MatmulOp>(op))
        return select(table, matmul);
      if (auto attention = dyn_cast<AttentionOp>(op))
        return WalkResult(selectSchedules(attention, table, target));
      return WalkResult(selectProductSchedule(op, table, target));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Reads the file of an option, if one is named; false after an error.
  template <typename Data>
  bool load(StringRef path, std::optional<Data> &data) {
    if (path.empty())
      return true;
    llvm::Expected<Data> read = Data::load(path);
    if (!read) {
      emitError(getOperation()->getLoc()) << llvm::toString(read.takeError());
      return false;
    }
    data = std::move(*read);
    return true;
  }

  /// What the table and the cost model are asked about `op`. Its names of rows
  /// to avoid are `avoid`.
  ScheduleQuery queryOf(MatmulOp op, ArrayRef<std::string> avoid) const {
    Type activations = op.getXType().getElementType();
    TernaryAttr ternary = op.getTernary();
    ScheduleQuery query;
    query.op = "matmul";
    query.target = target;
    query.avoid = avoid;
    query.n = op.getN();
    query.k = op.getK();
    query.tokens = staticRows(op.getXType());
    query.integer = activations.isInteger(8);
    addEpilogue(query, op);
    query.weights = op.isSparse() ? "2:4" : "dense";
    if (ternary)
      addQuantizedWeight(query, op, ternary);
    // Rows of activations that allow narrower accesses than a kernel needs are
    // copied first (copiesRows), those of dense weights as well; quantized ones
    // have whole chunks whatever K is, and packed weights whole units.
    RankedTensorType given = op.getXType();
    if (auto quantize = op.getX().getDefiningOp<QuantizeOp>())
      given = cast<RankedTensorType>(quantize.getX().getType());
    query.wholeRows =
        query.k * given.getElementType().getIntOrFloatBitWidth() % 128 == 0;
    query.holdable = isHoldable(op) || readsComputableRows(op);
    return query;
  }

  static void addQuantizedWeight(ScheduleQuery &query, MatmulOp op,
                                 TernaryAttr ternary) {
    std::optional<LoopScales> scales = loopScales(op);
    query.weights =
        ternaryKind(ternary.isTwoFour(), scales.has_value(), query.integer);
    query.facts.zeros = ternary.getStorage() == TernaryStorage::TwoFourZero;
    sftile::CodecInterface codec = codecOf(ternary);
    query.streamed = codec && codec.isStreamed();
    // Tiles of a unit, of 64 rows, have 512 or 2048 bytes.
    if (codec)
      query.codeBytes = codec.getUnitTiles() *
                        (codec.isSparse() ? 512.0 : 2048.0) /
                        (64 * codec.getUnitColumns());
    if (!scales)
      return;
    query.exactScales = scales->areExactIn(op.getXType().getElementType());
    query.facts.planes = scales->planes;
    query.facts.scaleColumns = scales->columns;
  }

  static void addEpilogue(ScheduleQuery &query, MatmulOp op) {
    query.operands = op.getEpilogueOperands().size();
    query.fullOperands = llvm::count(op.getBroadcastList(), Broadcast::Full);
    query.resultBits =
        getElementTypeOrSelf(op.getResult().getType()).getIntOrFloatBitWidth();
  }

  WalkResult select(const ScheduleTable &table, MatmulOp op) {
    SmallVector<std::string> avoid = avoidedRows(op);
    ScheduleQuery query = queryOf(op, avoid);
    bool isPacked = op.getTernary() || op.isSparse();
    if (denseForms && isPacked && failed(selectDense(table, op, query)))
      return WalkResult::interrupt();
    if (failed(attachSole(table, op, query)))
      return WalkResult::interrupt();
    if (op->hasAttr(kSchedulesAttr)) {
      explain(op, "schedule") << "pinned in the IR";
      return WalkResult::advance();
    }
    std::optional<LaunchGroup> group = launchGroupOf(op);
    FailureOr<SmallVector<sftile::ScheduleAttr>> schedules =
        classes(table, op, query, group && op.getTernary() ? group->rows() : 0);
    if (failed(schedules))
      return WalkResult::interrupt();
    // Matmuls that share a launch have one streamed kernel, of a class.
    ScheduleQuery alone = query;
    alone.streamed &= !group;
    alone.gated =
        group && group->gatedOperand && (query.integer || op.isSparse());
    const ScheduleChoice *choice = &choose(table, alone, *schedules);
    // Every row's kernel spilled: that for operands in any place is left.
    if (!avoid.empty() && schedules->empty() && choice->schedules.empty()) {
      query.unaligned = alone.unaligned = true;
      schedules = find(table, op, query);
      if (failed(schedules))
        return WalkResult::interrupt();
      choice = &choose(table, alone, *schedules);
    }
    bool gates = group && group->gatedOperand && op == group->first() &&
                 (!op.getTernary() || query.integer);
    if (!gates)
      return attach(op, query, *schedules, *choice, kSchedulesAttr);
    addEpilogue(alone, group->members.back());
    return attach(op, query, *schedules,
                  asGated(choose(table, alone, *schedules), *choice),
                  kSchedulesAttr);
  }

  /// Attaches the schedules of kernels that there is one of: for operands in
  /// any place, and for the sum of split-K's partial sums.
  LogicalResult attachSole(const ScheduleTable &table, MatmulOp op,
                           const ScheduleQuery &query) {
    ScheduleQuery unaligned = query, reduce = query;
    unaligned.unaligned = true;
    unaligned.tokens.reset();
    if (failed(attachOne(table, op, unaligned, kUnalignedScheduleAttr)))
      return failure();
    // Ternary weights take so little time that many blocks share them: adding
    // their partial sums has rows of its own, where the table has any.
    if (op.getTernary()) {
      reduce.op = "reduce";
      if (failed(attachOne(table, op, reduce, kReduceScheduleAttr)))
        return failure();
    }
    reduce.op = "elementwise";
    return attachOne(table, op, reduce, kReduceScheduleAttr);
  }

  /// What a matmul gets that gates the one with the choice `gated`: its
  /// schedules as long as one launch may compute both, then its `own`.
  static ScheduleChoice asGated(const ScheduleChoice &gated,
                                const ScheduleChoice &own) {
    auto last = llvm::find_if(
        llvm::reverse(gated.schedules), [](const ChosenSchedule &chosen) {
          return whyWarpgroupsApart(chosen.schedule).empty();
        });
    if (last == gated.schedules.rend())
      return own;
    ScheduleChoice both = own;
    both.schedules.assign(gated.schedules.begin(), last.base());
    for (const ChosenSchedule &chosen : own.schedules)
      if (last->maxTokens &&
          (!chosen.maxTokens || chosen.maxTokens > last->maxTokens))
        both.schedules.push_back(chosen);
    return both;
  }

  /// Why no kernel of `op` can read the dense form of its packed weight, or "".
  static StringRef whyNoDenseForm(MatmulOp op) {
    if (op.getXType().getElementType().isInteger(8))
      return "activations of 8 bits meet trits only";
    if (!isa<BlockArgument>(op.getW()))
      return "the weight is no argument of the function";
    if (op.getTernary() && launchGroupOf(op))
      return "matmuls of the same activations share a launch and decide "
             "together";
    TernaryAttr ternary = op.getTernary();
    if (!ternary || !loopScales(op))
      return "";
    // Its numbers are products, which must be the packed weight's.
    if (ternary.getPlanes() > 1 || !ternary.isTernary() ||
        ternary.getScaleType() != op.getXType().getElementType())
      return "products of its planes or groups and their scales need not be "
             "numbers of the activations' type";
    return "";
  }

  /// Attaches the schedules of kernels for the dense form of a packed weight.
  LogicalResult selectDense(const ScheduleTable &table, MatmulOp op,
                            const ScheduleQuery &packed) {
    if (StringRef reason = whyNoDenseForm(op); !reason.empty()) {
      explain(op, "dense") << "no dense form beside the packed weight: "
                           << reason;
      return success();
    }
    if (op->hasAttr(kDenseSchedulesAttr))
      return success();
    ScheduleQuery query;
    query.op = packed.op;
    query.weights = "dense";
    query.target = packed.target;
    query.n = packed.n;
    query.k = packed.k;
    query.operands = packed.operands;
    query.fullOperands = packed.fullOperands;
    query.resultBits = packed.resultBits;
    query.tokens = packed.tokens;
    query.wholeRows = packed.wholeRows;
    query.avoid = packed.avoid;
    auto schedules = find(table, op, query);
    if (failed(schedules))
      return failure();
    return failure(attach(op, query, *schedules,
                          choose(table, query, *schedules), kDenseSchedulesAttr)
                       .wasInterrupted());
  }

  /// The schedules for `query`, none if no row fits. A row that fits and makes
  /// no schedule is reported.
  FailureOr<SmallVector<sftile::ScheduleAttr>>
  find(const ScheduleTable &table, Operation *op, const ScheduleQuery &query) {
    bool invalid = false;
    SmallVector<sftile::ScheduleAttr> found = table.select(
        &getContext(), query,
        [&] {
          invalid = true;
          return op->emitError();
        },
        [&](StringRef row, StringRef because) {
          explainCase(op, row, because);
        });
    if (invalid)
      return failure();
    return found;
  }

  /// Attaches the schedule of a kernel that serves all numbers of tokens, where
  /// the table has one and none is pinned.
  LogicalResult attachOne(const ScheduleTable &table, MatmulOp op,
                          const ScheduleQuery &query, StringRef attribute) {
    if (op->hasAttr(attribute))
      return success();
    FailureOr<SmallVector<sftile::ScheduleAttr>> found = find(table, op, query);
    if (failed(found))
      return failure();
    if (!found->empty())
      op->setAttr(attribute, found->back());
    return success();
  }

  /// The schedules of the table's classes. Of a group that shares the launches
  /// for few tokens these are chosen for all its `groupRows` features.
  FailureOr<SmallVector<sftile::ScheduleAttr>>
  classes(const ScheduleTable &table, Operation *op, const ScheduleQuery &query,
          int64_t groupRows) {
    FailureOr<SmallVector<sftile::ScheduleAttr>> schedules =
        find(table, op, query);
    if (succeeded(schedules) && groupRows) {
      ScheduleQuery all = query;
      all.n = groupRows;
      FailureOr<SmallVector<sftile::ScheduleAttr>> shared =
          find(table, op, all);
      if (failed(shared))
        return failure();
      llvm::erase_if(*schedules, mayShareLaunch);
      schedules->insert(schedules->begin(), shared->begin(),
                        llvm::find_if_not(*shared, mayShareLaunch));
      // Of a known number of tokens there is one class, which for the group's
      // features need not share launches.
      if (schedules->empty())
        schedules = std::move(shared);
    }
    return schedules;
  }

  /// The choice by the cost model, made once for ops that ask the same.
  const ScheduleChoice &choose(const ScheduleTable &table,
                               const ScheduleQuery &query,
                               ArrayRef<sftile::ScheduleAttr> classes) {
    const ScheduleFacts &facts = query.facts;
    std::string asked = llvm::formatv(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
        query.weights, query.n, query.k, query.operands, query.fullOperands,
        query.resultBits, query.integer, query.tokens.value_or(0),
        query.unaligned, query.exactScales, facts.zeros, facts.planes,
        facts.scaleColumns, query.streamed, query.gated, query.codeBytes,
        query.wholeRows, query.holdable, classes.size(),
        llvm::join(query.avoid, " "));
    auto [known, isNew] = choices.try_emplace(asked);
    if (isNew)
      known->second =
          chooseSchedules(&getContext(), table, query, *constants,
                          *llvm::cantFail(parseTarget(target)), classes, gpu);
    return known->second;
  }

  /// Attaches the `schedules` of classes, of which those for fewer tokens than
  /// the choice is for come first, and the choice.
  WalkResult attach(Operation *op, const ScheduleQuery &query,
                    ArrayRef<sftile::ScheduleAttr> schedules,
                    const ScheduleChoice &choice, StringRef attribute) {
    if (schedules.empty() && choice.schedules.empty()) {
      op->emitOpError() << "expected a row of the schedule table for "
                        << query.op << " " << query.weights
                        << " with N = " << query.n << ", K = " << query.k
                        << " on " << query.target
                        << ", found none; add one to the schedule file";
      return WalkResult::interrupt();
    }
    SmallVector<Attribute> attributes;
    for (sftile::ScheduleAttr schedule : schedules) {
      if (choice.serves(schedule, query.tokens))
        continue;
      explainSchedule(op, query, schedule, attribute);
      attributes.push_back(schedule);
    }
    for (const ChosenSchedule &chosen : choice.schedules) {
      Remark remark = explainSchedule(op, query, chosen.schedule, attribute);
      remark << "; predicted " << llvm::formatv("{0:f2}", chosen.microseconds)
             << " us at " << chosen.atTokens << " tokens";
      if (!chosen.next.empty())
        remark << ", next " << chosen.next << " with "
               << llvm::formatv("{0:f2}", chosen.nextMicroseconds) << " us";
      attributes.push_back(chosen.schedule);
    }
    explainPadding(op, query, attributes);
    if (auto matmul = dyn_cast<MatmulOp>(op);
        matmul && denseForms && (matmul.getTernary() || matmul.isSparse())) {
      SmallVector<Attribute> predicted;
      ModelMachine machine =
          constants->machineOf(*llvm::cantFail(parseTarget(target)), gpu);
      for (Attribute schedule : attributes)
        predicted.push_back(inNanoseconds(predictedTimes(
            cast<sftile::ScheduleAttr>(schedule), query, *constants, machine)));
      op->setAttr(attribute == kSchedulesAttr ? kPredictedAttr
                                              : kDensePredictedAttr,
                  ArrayAttr::get(&getContext(), predicted));
      op->setAttr(
          kPredictedAtAttr,
          DenseI64ArrayAttr::get(&getContext(), predictedTokens(query.tokens)));
    }
    if (!choice.schedules.empty())
      explain(op, "schedule")
          << "times are predicted for " << choice.machine
          << ", by measurements on "
          << (choice.isMeasured ? "it" : choice.measuredOn) << "; calibration "
          << pick.name << ", " << pick.why;
    else if (int64_t most = schedules.back().getMaxTokens();
             most && !query.tokens && query.op == "matmul")
      explain(op, "schedule") << "no row for more than " << most
                              << " tokens: a kernel with single-element "
                                 "copies runs then";
    op->setAttr(attribute, ArrayAttr::get(&getContext(), attributes));
    return WalkResult::advance();
  }

  DenseI64ArrayAttr inNanoseconds(ArrayRef<double> microseconds) {
    SmallVector<int64_t> times;
    for (double time : microseconds)
      times.push_back(std::isfinite(time)
                          ? std::max<int64_t>(1, std::llround(1000 * time))
                          : 0);
    return DenseI64ArrayAttr::get(&getContext(), times);
  }

  /// Names each kernel of which more than an eighth of the copies is padding.
  static void explainPadding(Operation *op, const ScheduleQuery &query,
                             ArrayRef<Attribute> schedules) {
    constexpr double kMuch = 0.125;
    llvm::StringSet<> named;
    for (Attribute attribute : schedules) {
      auto schedule = cast<sftile::ScheduleAttr>(attribute);
      std::optional<MatmulSizes> sizes = sizesOf(schedule);
      if (!sizes || !named.insert(schedule.getName()).second)
        continue;
      double share = paddedShare(*sizes, MatmulWork::of(query));
      if (share > kMuch)
        explain(op, "padding")
            << schedule.getName() << ": "
            << llvm::formatv("{0:f0}%", 100 * share)
            << " of what it copies is padding: N = " << query.n
            << " in tiles of " << schedule.getBlock()[0]
            << " features, K = " << query.k << " in stages of "
            << schedule.getK() << " columns";
    }
  }

  /// Says which tokens get a schedule, and its sizes.
  static Remark explainSchedule(Operation *op, const ScheduleQuery &query,
                                sftile::ScheduleAttr schedule,
                                StringRef attribute) {
    Remark remark = explain(op, "schedule");
    if (attribute == kDenseSchedulesAttr)
      remark << "dense form: ";
    remark << schedule.getName();
    if (query.tokens)
      remark << " for " << *query.tokens << " tokens";
    else if (schedule.getMaxTokens())
      remark << " for up to " << schedule.getMaxTokens() << " tokens";
    else
      remark << " for any number of tokens";
    remark << ": block " << schedule.getBlock()[0] << "x"
           << schedule.getBlock()[1] << ", warp " << schedule.getWarp()[0]
           << "x" << schedule.getWarp()[1];
    if (query.op == "matmul")
      remark << ", " << schedule.getStages() << " stages of K "
             << schedule.getK() << ", split-K " << schedule.getSplitK();
    return remark;
  }

  /// Of the cost model, by their name.
  CalibrationPick pick;
  const Calibration *constants = nullptr;
  /// By what was asked.
  std::map<std::string, ScheduleChoice> choices;
};
} // namespace
