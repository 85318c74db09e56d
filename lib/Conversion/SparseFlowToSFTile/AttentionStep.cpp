//===- AttentionStep.cpp - Attention in a launch list ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Attention/AttentionLimits.h"
#include "Kernels/Attention/AttentionParameters.h"
#include "Launch/AttentionLaunch.h"
#include "Launch/LaunchGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <vector>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class Step {
public:
  Step(AttentionOp op, const StepContext &context)
      : op(op), context(context), program(context.program), loc(op.getLoc()),
        kernels(context.kernels), launch(op, program), shape(launch.shape) {}

  LogicalResult run();

private:
  /// What kernels of `schedule` are; names begin with the step's, and `suffix`.
  AttentionKernel kernelOf(const AttentionLaunch &from,
                           sftile::AttentionScheduleAttr schedule,
                           StringRef suffix, bool aligned,
                           bool oneEntry = false);
  /// `guards` with the launches of `kernel`.
  Variant makeVariant(const AttentionLaunch &from,
                      const AttentionKernel &kernel, Variant guards);
  /// The variants of a row of the table; none where the sizes that are known
  /// are others than it is for.
  void addRow(SmallVectorImpl<Variant> &variants, const AttentionLaunch &from,
              sftile::AttentionScheduleAttr schedule, StringRef suffix,
              bool bounded);
  /// A variant for whole tiles behind one that divides keys among blocks, which
  /// is for more than one split: its workspace has no room for one. Where it is
  /// known which, only that.
  void addSplits(SmallVectorImpl<Variant> &variants,
                 const AttentionLaunch &from, const AttentionKernel &kernel,
                 Variant guards, bool bounded);
  void explainTaken(sftile::AttentionScheduleAttr schedule);

  AttentionOp op;
  const StepContext &context;
  HostProgramBuilder &program;
  Location loc;
  AttentionKernels kernels;
  AttentionLaunch launch;
  std::optional<AttentionLaunch> dequantized;
  const AttentionShape &shape;
  /// Kernels that are generated, and what launches them.
  struct Made {
    const AttentionLaunch *from;
    AttentionKernel kernel;
    Launches launches;
  };
  std::vector<Made> made;
};

} // namespace

AttentionKernel Step::kernelOf(const AttentionLaunch &from,
                               sftile::AttentionScheduleAttr schedule,
                               StringRef suffix, bool aligned, bool oneEntry) {
  AttentionKernel kernel = attentionKernel(context.prefix + "_" + suffix.str(),
                                           loc, from.shape, schedule, aligned);
  kernel.programmatic = kernel.isWarpSpecialized() ||
                        (context.programmatic() &&
                         (!from.shape.keyPlanes || from.shape.isQuantized()) &&
                         (kernel.partial() || kernel.planned()));
  kernel.oneEntry = oneEntry;
  // ptxas unrolls a loop over two stages, and spills where these are copied
  // element by element: its kernel is one for any number of keys.
  if (int64_t &keys = kernel.shape.sizes[kKeys];
      !aligned && !from.shape.keyPlanes && keys == 2 * schedule.getKeys())
    keys = ShapedType::kDynamic;
  kernel.convertsFloats = context.computeCapability >= 89;
  return kernel;
}

void Step::addRow(SmallVectorImpl<Variant> &variants,
                  const AttentionLaunch &from,
                  sftile::AttentionScheduleAttr schedule, StringRef suffix,
                  bool bounded) {
  AttentionKernel kernel = kernelOf(from, schedule, suffix, /*aligned=*/true);
  Variant guards = from.guardsOf(kernel, bounded);
  auto isFalse = [](Value condition) {
    return getConstantIntValue(condition) == 0;
  };
  if (llvm::any_of(guards.conditions, isFalse)) {
    explain(op, "schedule") << schedule.getName()
                            << " has no kernel: it is for other sizes than "
                               "these";
    return;
  }
  if (llvm::any_of(variants, [&](const Variant &earlier) {
        return earlier.takesAllOf(guards);
      }))
    return explainTaken(schedule);
  // The tiles of one entry are equally long: nothing has to be found out
  // about lengths before keys are copied.
  int64_t batch = shape.sizes[kBatch];
  if (kernel.streamsKeys() && !schedule.getMinBlocks() &&
      (ShapedType::isDynamic(batch) || batch == 1)) {
    AttentionKernel one = kernelOf(from, schedule, suffix.str() + "_one",
                                   /*aligned=*/true, /*oneEntry=*/true);
    variants.push_back(makeVariant(from, one, from.guardsOf(one, bounded)));
    if (batch == 1) // There are no others.
      return;
  }
  if (kernel.needsSeveralSplits())
    addSplits(variants, from, kernel, guards, bounded);
  else if (from.shape.isQuantized() && kernel.programmatic &&
           !from.shape.varlen)
    from.addEarly(variants, kernel, makeVariant(from, kernel, guards));
  else
    variants.push_back(makeVariant(from, kernel, guards));
}

void Step::addSplits(SmallVectorImpl<Variant> &variants,
                     const AttentionLaunch &from, const AttentionKernel &kernel,
                     Variant guards, bool bounded) {
  Value splits = kernel.splitCount(program.builder, loc, from.batch(),
                                   from.queries(), from.keys());
  std::optional<int64_t> known = getConstantIntValue(splits);
  std::optional<Variant> one;
  if (!known || *known == 1) {
    sftile::AttentionTileFields tile = kernel.schedule.getTile();
    tile.splitBlocks = tile.splitMinKeys = 0;
    AttentionKernel whole = kernel;
    whole.name += "_whole";
    whole.schedule = sftile::AttentionScheduleAttr::get(
        op.getContext(), kernel.schedule.getName(), tile,
        kernel.schedule.getPipeline());
    one = makeVariant(from, whole, from.guardsOf(whole, bounded));
  }
  if (!known || *known > 1) {
    Variant several = makeVariant(from, kernel, guards);
    if (!known)
      several.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::uge, splits, program.constant(2)));
    variants.push_back(several);
  }
  if (one)
    variants.push_back(*one);
}

Variant Step::makeVariant(const AttentionLaunch &from,
                          const AttentionKernel &kernel, Variant guards) {
  if (int64_t heads = kernel.headsOfTile(); heads > 1)
    explain(op, "schedule")
        << kernel.schedule.getName() << ": the tiles of a plan have "
        << kernel.queriesOfTile() << " queries of each of " << heads
        << " heads that share a key head";
  // Rows that differ in their limits alone share a kernel.
  for (const Made &one : made)
    if (one.from == &from && one.kernel.isSameCode(kernel)) {
      if (StringRef other = one.kernel.schedule.getName();
          other != kernel.schedule.getName())
        explain(op, "schedule")
            << kernel.schedule.getName() << " shares the kernel of " << other;
      guards.launches = one.launches;
      return guards;
    }
  guards.launches = from.launchesOf(kernel, kernels);
  made.push_back({&from, kernel, guards.launches});
  return guards;
}

void Step::explainTaken(sftile::AttentionScheduleAttr schedule) {
  explain(op, "schedule") << schedule.getName()
                          << " has no kernel: one in front of it takes every "
                             "call that it would";
}

LogicalResult Step::run() {
  auto schedules = schedulesOf<sftile::AttentionScheduleAttr>(op);
  if (schedules.empty())
    return op.emitOpError("expected sftile.schedules of "
                          "#sftile.attention_schedule; run "
                          "sparseflow-select-schedule first");
  if (failed(launch.bind()) || failed(verifyFeatures(op)))
    return failure();
  std::optional<int64_t> known = getConstantIntValue(launch.queries());
  if (schedules.back().getPacked() &&
      (!known || *known > schedules.back().getMaxQueries()))
    return op.emitOpError("expected a last schedule for any number of queries, "
                          "found ")
           << schedules.back() << ", which packs the heads of few queries";
  SmallVector<sftile::AttentionScheduleAttr> all(schedules);
  if (auto unaligned = op->getAttrOfType<sftile::AttentionScheduleAttr>(
          kUnalignedScheduleAttr))
    all.push_back(unaligned);
  if (failed(verifySchedules(op, shape, all)))
    return failure();
  SmallVector<Variant> variants;
  bool hasFront = whyNotDequantizedInFront(op).empty();
  for (auto [index, schedule] : llvm::enumerate(schedules)) {
    bool last = index + 1 == schedules.size();
    std::string suffix(1, char('a' + index));
    bool isDequantized = hasFront && AttentionLaunch::isBehindFront(schedule);
    if (isDequantized && !dequantized) {
      if (llvm::any_of(variants, [](const Variant &earlier) {
            return earlier.takesAligned();
          })) {
        explainTaken(schedule);
        continue;
      }
      dequantized.emplace(launch.dequantized(context.prefix + "_dequantize",
                                             launch.fewestInFront(schedules),
                                             context.programmatic(), kernels));
    }
    addRow(variants, isDequantized ? *dequantized : launch, schedule, suffix,
           /*bounded=*/isDequantized || !last);
  }
  // Behind them, for pointers of any alignment.
  auto unaligned =
      op->getAttrOfType<sftile::AttentionScheduleAttr>(kUnalignedScheduleAttr);
  sftile::AttentionScheduleAttr fallback =
      unaligned ? unaligned : schedules.back();
  if (fallback.getProducerWarps())
    return op.emitOpError("expected ")
           << kUnalignedScheduleAttr << " without producer warps beside "
           << schedules.back().getName() << ", whose tensor maps need pointers "
           << "that are multiples of 16 bytes; pin one";
  AttentionKernel any = kernelOf(launch, fallback, "any", /*aligned=*/false);
  variants.push_back(
      makeVariant(launch, any, launch.guardsOf(any, /*bounded=*/false)));
  launch.explainCopies(schedules);
  program.addStep(loc, "attention", launch.queries(), variants);
  return success();
}

LogicalResult mlir::sparseflow::convertAttention(AttentionOp op,
                                                 const StepContext &context) {
  return Step(op, context).run();
}
