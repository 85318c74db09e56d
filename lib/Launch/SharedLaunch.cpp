//===- SharedLaunch.cpp - One launch for several matmuls ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Mainloop/DequantizedMma.h"
#include "Kernels/Matmul/ScheduleFit.h"
#include "Launch/MatmulStep.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Schedule/ScheduleTable.h"
#include "SparseFlow/Support/Remarks.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Registers of a lane that the accumulators of both weights may take: those of
// few tokens, of whose time launches are much.
static constexpr int64_t kAccumulatorRegisters = 32;

// Bytes of the widest copy.
static constexpr int64_t kWholeCopy = 16;

SharedLaunch::SharedLaunch(LaunchGroup ofOp, const StepContext &context)
    : group(std::move(ofOp)) {
  steps.reserve(group.members.size());
  for (MatmulOp member : group.members)
    steps.emplace_back(member, context);
}

FailureOr<std::unique_ptr<SharedLaunch>>
SharedLaunch::of(MatmulOp op, const StepContext &context) {
  std::optional<LaunchGroup> group = launchGroupOf(op);
  if (!group)
    return std::unique_ptr<SharedLaunch>();
  std::unique_ptr<SharedLaunch> launch(new SharedLaunch(*group, context));
  for (MatmulStep &step : launch->steps)
    if (failed(step.prepare()))
      return failure();
  launch->chooseSchedules(group->first() == op);
  if (launch->schedules.empty())
    return std::unique_ptr<SharedLaunch>();
  if (group->first() != op)
    return launch;
  int64_t most = 0;
  for (sftile::ScheduleAttr schedule : launch->schedules)
    most = schedule.getMaxTokens();
  Remark remark = explain(op, "launch");
  remark << "one launch computes " << int64_t(group->members.size())
         << " matmuls of the same activations";
  if (group->gatedOperand)
    remark << ", the first of which gates the second and is not stored";
  if (most)
    remark << ", up to " << most << " tokens";
  return launch;
}

/// The same of consumer warpgroups.
StringRef SharedLaunch::whyConsumersApart(sftile::ScheduleAttr schedule) {
  if (StringRef why = whyWarpgroupsApart(schedule); !why.empty())
    return why;
  MatmulProblem problem = problemFor(schedule, /*suffix=*/"");
  if (problem.weights == WeightKind::Quantized &&
      DequantizedMma::stagesWithRoom(problem) < 2)
    return "accumulators and dequantized rows of both weights take too many "
           "registers";
  if (!withRoomForBothWeights(problem))
    return "a block has no room for enough stages of both weights";
  return "";
}

/// The same of quantized weights.
StringRef SharedLaunch::whyQuantizedApart(sftile::ScheduleAttr schedule) {
  if (schedule.isStreamed())
    return group.gatedOperand && schedule.getWarp()[0] % 32
               ? "a warp has rows of one weight"
               : "";
  if (!group.gatedOperand)
    return "streamed kernels compute several matmuls that do not gate each "
           "other";
  if (!schedule.getProducerWarps())
    return "streamed kernels and warpgroups multiply by two quantized weights";
  if (!steps.front().integer)
    return "warpgroups multiply activations of 16 bits by one quantized weight";
  return whyConsumersApart(schedule);
}

/// Why no kernel with `schedule` computes all matmuls; "" where one does.
StringRef SharedLaunch::whyApart(sftile::ScheduleAttr schedule) {
  if (steps.front().weights == WeightKind::Quantized)
    return whyQuantizedApart(schedule);
  if (steps.front().weights == WeightKind::Dense &&
      steps.front().padsRows(schedule))
    return "a kernel in front copies the rows of one weight";
  if (schedule.getProducerWarps())
    return whyConsumersApart(schedule);
  if (schedule.getWarpgroup())
    return "mma.sync alone multiplies by two weights";
  if (schedule.getSplitK() > 1)
    return "a second kernel adds the partial sums of split-K";
  if (!schedule.getMaxTokens() ||
      schedule.getMaxTokens() > schedule.getBlock()[1])
    return "tokens of several tiles read weights more than once";
  if (GatedOperandA::kWeights * schedule.getWarp()[0] * schedule.getWarp()[1] >
      kAccumulatorRegisters * 32)
    return "accumulators of both weights take too many registers";
  MatmulProblem problem = problemFor(schedule, /*suffix=*/"");
  // Their addresses would take too many registers.
  if (problem.weights == WeightKind::Dense &&
      problem.copy.getBytes() < kWholeCopy)
    return "rows of weights allow narrow copies only";
  if (!withRoomForBothWeights(problem))
    return "a block has no room for enough stages of both weights";
  return "";
}

/// Whether `a` and `b` differ in their stages at most: operands of one of the
/// epilogues may take the memory of some.
static bool areAlike(sftile::ScheduleAttr a, sftile::ScheduleAttr b) {
  return a.withStages(1) == b.withStages(1);
}

bool SharedLaunch::serves(sftile::ScheduleAttr schedule) const {
  return llvm::any_of(schedules, [&](sftile::ScheduleAttr own) {
    return areAlike(own, schedule);
  });
}

void SharedLaunch::chooseSchedules(bool isFirst) {
  bool explains = isFirst && group.gatedOperand;
  for (MatmulOp member : group.members) {
    if (member.getTernary() || !member->hasAttr(kDenseSchedulesAttr))
      continue;
    if (explains)
      explain(group.first(), "launch")
          << "this matmul and the one that it gates have a launch each: "
             "variants of dense forms are chosen matmul by matmul";
    return;
  }
  // Those that serve the same tokens of all: where lists begin to differ, so do
  // the intervals behind.
  SmallVector<sftile::ScheduleAttr> common = steps.front().schedules();
  for (MatmulStep &step : llvm::drop_begin(steps)) {
    size_t alike = 0;
    for (auto [own, its] : llvm::zip(common, step.schedules())) {
      if (!areAlike(own, its))
        break;
      ++alike;
    }
    common.truncate(alike);
  }
  StringRef reason;
  sftile::ScheduleAttr apart;
  for (sftile::ScheduleAttr schedule : common)
    if (StringRef why = whyApart(schedule); why.empty()) {
      schedules.push_back(schedule);
    } else if (!apart) {
      apart = schedule;
      reason = why;
    }
  if (apart && explains)
    explain(group.first(), "launch")
        << "this matmul and the one that it gates have a launch each by "
        << apart.getName() << ": " << reason;
}

std::optional<int64_t> SharedLaunch::gatedOperand() const {
  if (!group.gatedOperand)
    return std::nullopt;
  // Operands of the op stand behind those that scales and sums are.
  const MatmulStep &second = steps.back();
  return *group.gatedOperand + second.operandPointers.size() -
         MatmulOp(second.op).getEpilogueOperands().size();
}

MatmulProblem SharedLaunch::problemFor(sftile::ScheduleAttr schedule,
                                       StringRef suffix) {
  MatmulProblem problem =
      steps.front().problemOf(schedule, suffix, /*aligned=*/true);
  problem.gatedOperand = gatedOperand();
  for (MatmulStep &other : llvm::drop_begin(steps)) {
    MatmulProblem its = other.problemOf(schedule, suffix, /*aligned=*/true);
    problem.constantWeight &= its.constantWeight;
    problem.companions.push_back({its.n, its.resultType, its.storeWidth,
                                  its.operands, its.body, its.tokenScales});
  }
  return problem;
}

Variant SharedLaunch::guardsOf(sftile::ScheduleAttr schedule) {
  Variant variant;
  variant.maxRows = schedule.getMaxTokens();
  MatmulStep &first = steps.front();
  for (const MatmulStep &step : steps)
    if (step.weights != WeightKind::Dense)
      variant.alignments.push_back({step.w, 16});
  if (schedule.isStreamed()) {
    first.requireRead(variant, schedule,
                      first.padsRows(schedule)
                          ? first.readWidth(problemFor(schedule, ""))
                          : kWholeCopy);
    return variant;
  }
  for (auto [number, step] : llvm::enumerate(steps)) {
    MatmulProblem problem =
        step.problemOf(schedule, /*suffix=*/"", /*aligned=*/true);
    if (!number)
      first.requireRead(variant, schedule, first.readWidth(problem));
    step.requireWidths(variant, problem, number ? gatedOperand() : std::nullopt,
                       isStored(number));
  }
  return variant;
}

Variant SharedLaunch::launchOf(sftile::ScheduleAttr schedule, StringRef suffix,
                               int64_t scratchRows) {
  MatmulStep &first = steps.front();
  MatmulStep::Generated generated = first.generate(
      schedule.isStreamed() ? schedule
                            : withRoomForBothWeights(problemFor(schedule, "")),
      [&](sftile::ScheduleAttr fitting) {
        return problemFor(fitting, suffix);
      });
  SmallVector<Value> pointers = first.readBy(schedule);
  const MatmulProblem &problem = generated.generator->problem;
  MatmulStep::CopiedRows copied = first.copiedRows(problem, scratchRows);
  if (copied)
    pointers.front() = copied.pointers.front();
  for (const MatmulStep &step : steps) {
    pointers.push_back(step.w);
    if (step.metadata)
      pointers.push_back(step.metadata);
  }
  for (auto [number, step] : llvm::enumerate(steps)) {
    std::optional<int64_t> gate = number ? gatedOperand() : std::nullopt;
    for (auto [index, pointer] : llvm::enumerate(step.operandPointers))
      if (gate != int64_t(index))
        pointers.push_back(pointer);
    if (isStored(number))
      pointers.push_back(step.y);
  }
  Variant variant = guardsOf(schedule);
  for (MatmulOp member : group.members)
    variant.computes.push_back(member);
  Value rows = first.rows;
  SmallVector<Value> numbers(first.numbersOf(schedule));
  variant.launches = [=](OpBuilder &builder) {
    return SmallVector<Launch>{
        MatmulStep::launchOf(generated, builder, pointers, rows, numbers)};
  };
  if (copied)
    variant.launches = first.behindCopies(problem, copied, variant.launches);
  return variant;
}

Variant SharedLaunch::variantOf(MatmulOp op, sftile::ScheduleAttr schedule,
                                StringRef suffix, int64_t scratchRows) {
  if (op == group.first())
    return launchOf(schedule, suffix, scratchRows);
  Variant variant = guardsOf(schedule);
  variant.nothing = true;
  return variant;
}
