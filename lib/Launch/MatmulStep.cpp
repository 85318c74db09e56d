//===- MatmulStep.cpp - A matmul becomes kernels and a step ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/MatmulStep.h"
#include "Kernels/Matmul/MatmulLimits.h"
#include "Kernels/Matmul/ScheduleFit.h"
#include "Kernels/Matmul/StreamK/StreamKSum.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "Launch/ArgmaxGroup.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SFTile/Transforms/SharedMemory.h"
#include "SparseFlow/Support/Remarks.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

SmallVector<sftile::ScheduleAttr> MatmulStep::schedules() const {
  auto schedules =
      schedulesOf(op, dense ? kDenseSchedulesAttr : kSchedulesAttr);
  if (!computed.rows)
    llvm::erase_if(schedules, computesRows);
  return schedules;
}

LogicalResult MatmulStep::checkPinned() {
  SmallVector<sftile::ScheduleAttr> given = schedulesOf(op),
                                    schedules = this->schedules();
  if (op.getTernary() && llvm::any_of(given, computesRows))
    return op.emitOpError("expected dense or 2:4 weights where blocks compute "
                          "the rows of one token, found ")
           << op.getTernary() << "; pin a streamed schedule that "
           << "holds_activations, or one without";
  if (!dense && !given.empty() && llvm::all_of(schedules, computesRows))
    return op.emitOpError("expected a schedule without holds_activations "
                          "beside one by which blocks compute the rows of one "
                          "token; pin one");
  if (schedules.empty())
    return op.emitOpError("expected sftile.schedules; run "
                          "sparseflow-select-schedule first");
  reduceSchedule = op->getAttrOfType<sftile::ScheduleAttr>(kReduceScheduleAttr);
  if (linalg::LinalgOp argmax =
          argmaxOf(op, [&](Operation *apart, const std::string &why) {
            if (!dense)
              explain(apart, "argmax")
                  << "the results of the matmul are stored: " << why;
          }))
    maxima = {argmax.getBlock(), comparedBy(argmax)};
  for (sftile::ScheduleAttr schedule : schedules) {
    bool partialSums = schedule.getSplitK() > 1 &&
                       !schedule.getProducerWarps() && !schedule.isStreamed();
    bool divides = schedule.getStreamK();
    if ((partialSums || divides) && !reduceSchedule)
      return op.emitOpError("expected ")
             << kReduceScheduleAttr << " beside a schedule that "
             << (partialSums ? "splits K" : "divides the last wave")
             << "; run sparseflow-select-schedule, or pin one";
    if (dense && schedule.isStreamed())
      return op.emitOpError(
                 "expected a multistage or warp_specialized pipeline "
                 "for the dense form of the weight, found schedule ")
             << schedule.getName();
    if (weights != WeightKind::Dense && !schedule.isStreamed() &&
        schedule.getBlock()[0] % 64)
      return op.emitOpError("expected a schedule whose block has a multiple of "
                            "64 features, the unit of packed weights, found ")
             << schedule.getBlock()[0] << " in " << schedule.getName();
    if (!dense && failed(verifySchedule(op, schedule)))
      return failure();
  }
  return success();
}

LogicalResult MatmulStep::prepare() {
  if ((op.isSparse() || ternary) && !op.getStorage())
    return op.emitOpError("expected a packed weight; run "
                          "sparseflow-materialize-storage first");
  x = program.bufferOf(op.getX());
  w = dense ? program.denseFormOf(op.getW()) : program.bufferOf(op.getW());
  y = program.bufferOf(op.getResult());
  rows = program.rowsOf(op.getResult());
  body = {&op.getEpilogue().front(), op.getYieldedValue()};
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList()))
    operandTypes.push_back(
        {getElementTypeOrSelf(operand.getType()), broadcast});
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    FailureOr<Value> pointer = program.placeOf(
        op, operand, "epilogue operand #" + std::to_string(index));
    if (failed(pointer))
      return failure();
    operandPointers.push_back(*pointer);
  }
  if (!x || !w)
    return op.emitOpError("expected x and w to be arguments or computed "
                          "tensors; pass constants as arguments");
  if (ternary)
    weights = WeightKind::Quantized;
  else if (op.isSparse() && !dense)
    weights = WeightKind::TwoFour;
  if (weights == WeightKind::TwoFour)
    metadata = program.advance(w, op.getStorage()->getMetadataOffset());
  if (TernaryAttr quantized = op.getTernary()) {
    inLoop = loopScales(op);
    Value scales = program.advance(program.bufferOf(op.getW()),
                                   quantized.getScaleOffset(n, k));
    if (!inLoop) {
      // A dense form has no such scales, either.
      scaled = scaleFirst(op, quantized);
      body = scaled.body();
      operandTypes.insert(operandTypes.begin(),
                          {quantized.getScaleType(), scaled.broadcast});
      operandPointers.insert(operandPointers.begin(), scales);
    } else if (dense) {
      inLoop.reset();
    } else {
      loopScalesPointer = scales;
    }
  }
  if (ternary && readsTokenSums(op)) {
    operandTypes.insert(
        operandTypes.begin(),
        {IntegerType::get(op.getContext(), 32), Broadcast::PerToken});
    operandPointers.insert(operandPointers.begin(),
                           context.sums.lookup(op.getX()));
  }
  if (auto quantize = op.getX().getDefiningOp<QuantizeOp>()) {
    given = program.bufferOf(quantize.getX());
    givenScales = program.bufferOf(quantize->getResult(1));
    givenType = getElementTypeOrSelf(quantize.getX().getType());
    if (Operation *root = rowsOfMatmuls(quantize)) {
      FailureOr<CollectedRows> collected = collectRows(root, program);
      if (failed(collected))
        return failure();
      computed = std::move(*collected);
    }
  } else if (Operation *root = rowsComputedBy(op)) {
    FailureOr<CollectedRows> collected = collectRows(root, program);
    if (failed(collected))
      return failure();
    computed = std::move(*collected);
  }
  return checkPinned();
}

MatmulProblem MatmulStep::problemOf(sftile::ScheduleAttr schedule,
                                    StringRef suffix, bool aligned) {
  // What a kernel has quantized or copied has whole chunks, wherever it lies.
  bool copied = aligned && padsRows(schedule);
  int64_t copyWidth = integer || copied ? 16
                      : aligned         ? widthFor(k, elementType)
                                        : 2;
  auto copy = copyWidth >= 4
                  ? sftile::CopyAtomInterface(
                        sftile::CpAsyncAttr::get(op.getContext(), copyWidth))
                  : sftile::CopyAtomInterface(
                        sftile::LdStAttr::get(op.getContext(), 2));
  auto widthOf = [&](Type type, int64_t cols) {
    return aligned ? widthFor(cols, type) : type.getIntOrFloatBitWidth() / 8;
  };
  MatmulProblem problem{context.prefix + "_" + suffix.str(),
                        op.getLoc(),
                        n,
                        k,
                        elementType,
                        resultType,
                        weights,
                        inLoop,
                        schedule,
                        copy,
                        widthOf(resultType, n),
                        {},
                        body,
                        context.computeCapability};
  if (ternary)
    problem.codec = codecOf(ternary);
  if (computes(schedule))
    problem.computedRows = computed.rows;
  if (quantizes(schedule)) {
    problem.heldType = givenType;
    for (auto [index, pointer] : llvm::enumerate(operandPointers))
      if (pointer == givenScales)
        problem.tokenScales.push_back(index);
  }
  problem.constantWeight = program.isConstant(op.getW());
  for (auto [type, broadcast] : operandTypes) {
    bool vectors =
        broadcast == Broadcast::Full || broadcast == Broadcast::PerFeature;
    problem.operands.push_back(
        {type, broadcast, widthOf(type, vectors ? n : 1)});
  }
  problem.maxima = maxima;
  if (copied) {
    problem.paddedPitch = paddedPitch();
    problem.constantWeight &= weights != WeightKind::Dense;
  }
  return problem;
}

sftile::ScheduleAttr MatmulStep::dividing(const MatmulProblem &problem) {
  sftile::ScheduleAttr schedule = problem.schedule;
  if (!schedule.getStreamK())
    return schedule;
  StringRef why = StreamK::whyNot(problem);
  if (why.empty())
    return schedule;
  explain(op, "schedule") << schedule.getName()
                          << " divides no tiles along K: " << why;
  return StreamK::without(schedule);
}

MatmulProblem MatmulStep::problemFor(sftile::ScheduleAttr schedule,
                                     StringRef suffix, bool aligned) {
  MatmulProblem problem = problemOf(schedule, suffix, aligned);
  problem.schedule = schedule = dividing(problem);
  problem.schedule = withRoomForEpilogueLoad(problem);
  if (problem.schedule != schedule)
    explain(op, "schedule")
        << schedule.getName() << " with " << problem.schedule.getStages()
        << " stages: the memory of another holds epilogue operands, which TMA "
           "fetches beside the mainloop";
  return problem;
}

Launch MatmulStep::launchOf(const Generated &generated, OpBuilder &builder,
                            ArrayRef<Value> pointers, Value rows,
                            ArrayRef<Value> numbers) {
  const MatmulGenerator &generator = *generated.generator;
  Location loc = generator.problem.loc;
  Value grid = generator.gridSize(builder, loc, rows);
  SmallVector<Value> sizes(numbers);
  sizes.push_back(rows);
  return {generated.kernel, grid,
          launchArguments(builder, loc, generator.parameters(), pointers, rows),
          sizes, generator.composition.pdl};
}

/// A schedule whose kernel takes less shared memory: a stage less or, of the
/// two that a ring has at least, stages of half the columns. Null if there is
/// none.
static sftile::ScheduleAttr smallerStages(sftile::ScheduleAttr schedule) {
  constexpr int64_t least = 2, leastColumns = 64;
  if (schedule.getStages() > least)
    return schedule.withStages(schedule.getStages() - 1);
  std::optional<sftile::MultistageFields> fields = schedule.getMultistage();
  if (!fields || fields->k % (2 * leastColumns * fields->kWarps))
    return {};
  fields->k /= 2;
  MLIRContext *context = schedule.getContext();
  return sftile::ScheduleAttr::get(
      context, schedule.getName(), schedule.getTile(),
      sftile::MultistageAttr::get(context, *fields));
}

MatmulStep::Generated MatmulStep::generate(
    sftile::ScheduleAttr schedule,
    function_ref<MatmulProblem(sftile::ScheduleAttr)> problemOf) {
  int64_t most = SMLimits::ofComputeCapability(context.computeCapability)
                     .sharedBytesPerBlock;
  while (true) {
    std::shared_ptr<MatmulGenerator> generator =
        MatmulGenerator::create(problemOf(schedule));
    gpu::GPUFuncOp main = generator->generate(context.kernels);
    // What the epilogue keeps in shared memory depends on its operands, and
    // what a stage takes on the bits of a weight, which a row does not know. A
    // row whose stages alone are too large is wrong, and stays for the error.
    sftile::SharedLayout layout = sftile::SharedLayout::of(main);
    int64_t bytes = layout.bytes;
    bool ownFault =
        weights != WeightKind::Quantized && layout.ringBytes() > most;
    sftile::ScheduleAttr larger = generator->problem.schedule;
    sftile::ScheduleAttr smaller = smallerStages(larger);
    if (!smaller || bytes <= most || ownFault)
      return {generator, main};
    main.erase();
    schedule = smaller;
    auto text = [](sftile::ScheduleAttr schedule) {
      return std::to_string(schedule.getStages()) + " stages of K " +
             std::to_string(schedule.getK());
    };
    explain(op, "schedule")
        << schedule.getName() << " with " << text(smaller) << ": with "
        << text(larger) << " and what the epilogue holds a block needs "
        << bytes << " bytes of shared memory, of " << most
        << " that it may have";
  }
}

void MatmulStep::requireWidths(Variant &variant, const MatmulProblem &problem,
                               std::optional<int64_t> except,
                               bool stored) const {
  if (weights == WeightKind::Dense)
    require(variant, w, readWidth(problem), elementType);
  if (stored)
    require(variant, y, problem.storeWidth, resultType);
  for (auto [index, operand] : llvm::enumerate(problem.operands))
    if (except != int64_t(index))
      require(variant, operandPointers[index], operand.width,
              operand.elementType);
}

Variant MatmulStep::guardsOf(const MatmulProblem &problem,
                             sftile::ScheduleAttr schedule, bool aligned,
                             bool bounded) const {
  Variant variant;
  bool streamed = schedule.isStreamed();
  variant.maxRows =
      bounded || streamed || computes(schedule) ? schedule.getMaxTokens() : 0;
  // Packed weights are read 16 bytes at a time in every variant.
  if (weights != WeightKind::Dense)
    variant.alignments.push_back({w, 16});
  if (streamed || aligned)
    requireRead(variant, schedule, readWidth(problem));
  // Streamed kernels access results and operands one by one.
  if (aligned && !streamed)
    requireWidths(variant, problem, /*except=*/{}, /*stored=*/true);
  return variant;
}

Variant MatmulStep::alone(sftile::ScheduleAttr schedule, StringRef suffix,
                          bool aligned, bool bounded, int64_t scratchRows) {
  Generated generated = generate(schedule, [&](sftile::ScheduleAttr fitting) {
    return problemFor(fitting, suffix, aligned);
  });
  std::shared_ptr<MatmulGenerator> kernel = generated.generator;
  const MatmulProblem &problem = kernel->problem;
  Variant variant = guardsOf(problem, schedule, aligned, bounded);
  if (schedule.isStreamed() && schedule.getSplitK() == 1 &&
      !schedule.getHeld() && !computes(schedule))
    variant.blockBytes = sftile::SharedLayout::of(generated.kernel).bytes;
  SmallVector<Value> inputs = readBy(schedule);
  inputs.push_back(w);
  CopiedRows copied = copiedRows(problem, scratchRows);
  for (auto [pointer, copy] : llvm::zip(inputs, copied.pointers))
    pointer = copy;
  if (metadata)
    inputs.push_back(metadata);
  if (loopScalesPointer)
    inputs.push_back(loopScalesPointer);
  SmallVector<Value> numbers(numbersOf(schedule));
  if (kernel->composition.storage == Storage::PartialSums) {
    variant.launches =
        launchReduced(generated, inputs, copied, scratchRows, numbers);
  } else {
    llvm::append_range(inputs, operandPointers);
    inputs.push_back(y);
    if (problem.schedule.getStreamK())
      variant.launches = launchDivided(generated, inputs, copied);
    else
      variant.launches = [=, rows = rows](OpBuilder &builder) {
        return SmallVector<Launch>{
            launchOf(generated, builder, inputs, rows, numbers)};
      };
  }
  if (copied)
    variant.launches = behindCopies(problem, copied, variant.launches);
  return variant;
}

/// Split-K takes a second kernel, which adds the parts in order and applies the
/// epilogue.
Launches MatmulStep::launchReduced(const Generated &generated,
                                   SmallVector<Value> pointers,
                                   const CopiedRows &copied, int64_t mostRows,
                                   SmallVector<Value> numbers) {
  const MatmulProblem &problem = generated.generator->problem;
  ElementwiseKernel reduce{problem.name + "_reduce",
                           op.getLoc(),
                           n,
                           resultType,
                           reduceSchedule,
                           problem.storeWidth,
                           problem.schedule.getSplitK(),
                           problem.operands,
                           problem.body,
                           problem.accumulatorType(),
                           generated.generator->composition.pdl};
  gpu::GPUFuncOp second = reduce.generate(context.kernels);
  Value partialSums =
      scratchBehind(copied, bytesOfRows(mostRows, n * 4 * reduce.partialSums));
  pointers.push_back(partialSums);
  SmallVector<Value> reduced = {partialSums};
  llvm::append_range(reduced, operandPointers);
  reduced.push_back(y);
  return [=, rows = rows](OpBuilder &builder) {
    Launch first = launchOf(generated, builder, pointers, rows, numbers);
    return SmallVector<Launch>{
        first,
        {second, reduce.gridSize(builder, reduce.loc, rows), reduced,
         /*sizes=*/{}, reduce.programmatic}};
  };
}

Launches MatmulStep::launchDivided(const Generated &generated,
                                   SmallVector<Value> pointers,
                                   const CopiedRows &copied) {
  const MatmulProblem &problem = generated.generator->problem;
  StreamKSum sum{problem, reduceSchedule, generated.generator->composition.pdl};
  gpu::GPUFuncOp second = sum.generate(context.kernels);
  SmallVector<Value> summed = {
      scratchBehind(copied, program.constant(StreamK(problem).bytes()))};
  pointers.push_back(summed.front());
  llvm::append_range(summed, operandPointers);
  summed.push_back(y);
  return [=, rows = rows](OpBuilder &builder) {
    return SmallVector<Launch>{
        launchOf(generated, builder, pointers, rows),
        {second, sum.gridSize(builder, op.getLoc(), rows), summed,
         /*sizes=*/{}, sum.programmatic}};
  };
}

/// a to z, then aa and so on: what names take.
static std::string letters(size_t number) {
  constexpr size_t kLetters = 26;
  std::string last(1, char('a' + number % kLetters));
  return number < kLetters ? last : letters(number / kLetters - 1) + last;
}

void MatmulStep::appendVariants(SmallVectorImpl<Variant> &variants,
                                SharedLaunch *launch) {
  SmallVector<sftile::ScheduleAttr> schedules = this->schedules();
  // By what they share, of a launch of several matmuls and of one's own.
  DenseMap<Attribute, size_t> kernels[2];
  for (auto [index, schedule] : llvm::enumerate(schedules)) {
    bool last = index + 1 == schedules.size();
    std::string suffix = (dense ? "dense_" : "") + letters(index);
    // Intervals of tokens that a kernel serves need not be neighbours.
    bool served = launch && launch->serves(schedule);
    if (auto same = kernels[served].find(sharedKernelOf(schedule));
        same != kernels[served].end()) {
      variants.push_back(variants[same->second]);
      variants.back().maxRows = last ? 0 : schedule.getMaxTokens();
      continue;
    }
    int64_t mostRows = mostRowsOf(schedules, schedule);
    if (served)
      variants.push_back(launch->variantOf(op, schedule, suffix, mostRows));
    else
      variants.push_back(
          alone(schedule, suffix, /*aligned=*/true, !last, mostRows));
    if (Attribute shared = sharedKernelOf(schedule))
      kernels[served][shared] = variants.size() - 1;
  }
  // Of each interval its own.
  auto predicted = op->getAttrOfType<ArrayAttr>(dense ? kDensePredictedAttr
                                                      : kPredictedAttr);
  if (predicted && predicted.size() == schedules.size() && !launch)
    for (auto [variant, times] :
         llvm::zip(MutableArrayRef(variants).take_back(schedules.size()),
                   predicted.getAsRange<DenseI64ArrayAttr>())) {
      variant.predicted = times;
      variant.predictedAt =
          op->getAttrOfType<DenseI64ArrayAttr>(kPredictedAtAttr);
    }
}

LogicalResult MatmulStep::append(SharedLaunch *launch) {
  SmallVector<sftile::ScheduleAttr> schedules = this->schedules();
  SmallVector<Variant> variants;
  appendVariants(variants, launch);
  if (!launch)
    spreadBlocks(variants);
  // Behind them, for pointers of any alignment.
  auto unaligned =
      op->getAttrOfType<sftile::ScheduleAttr>(kUnalignedScheduleAttr);
  sftile::ScheduleAttr fallback = unaligned ? unaligned : schedules.back();
  if (fallback.getProducerWarps())
    return op.emitOpError("expected ")
           << kUnalignedScheduleAttr << " without producer_warps beside "
           << schedules.back().getName() << ", whose bulk copies need rows and "
           << "pointers that are multiples of 16 bytes; pin one";
  variants.push_back(alone(fallback, "any", /*aligned=*/false,
                           /*bounded=*/false,
                           /*scratchRows=*/0));
  explain(op, "copy") << "rows of " << k << " elements allow copies of "
                      << widthFor(k, elementType) << " bytes and rows of " << n
                      << " stores of " << widthFor(n, resultType)
                      << " where pointers are aligned so; otherwise a kernel "
                         "with single-element copies runs";
  if (!launch && !schedulesOf(op, kDenseSchedulesAttr).empty()) {
    MatmulStep form(op, context, /*dense=*/true);
    if (failed(form.prepare()))
      return failure();
    size_t before = variants.size();
    form.appendVariants(variants);
    explain(op, "dense")
        << "the dense form of the weight serves " << variants.size() - before
        << " variants more, where the program that launches has it beside the "
           "packed one";
  }
  program.addStep(op.getLoc(), "matmul", rows, variants);
  // Matmuls of a group decide together, and a step before this one counts on
  // kernels that quantize or compute their activations and does nothing. Every
  // other variant is right wherever its guards hold, and has its workspace.
  bool decided = llvm::any_of(schedules, [&](sftile::ScheduleAttr schedule) {
    return quantizes(schedule) || computes(schedule);
  });
  if (Operation *step = program.lastStep();
      !launch && !decided && isa<scf::IfOp>(step))
    step->setAttr("sparseflow.independent", UnitAttr::get(op.getContext()));
  return success();
}

FailureOr<SmallVector<Variant>>
mlir::sparseflow::guardsOfComputedRows(ArrayRef<MatmulOp> readers,
                                       const StepContext &context) {
  SmallVector<Variant> guards;
  for (MatmulOp reader : readers) {
    MatmulStep step(reader, context);
    if (failed(step.prepare()))
      return failure();
    sftile::ScheduleAttr schedule = step.schedules().front();
    // A launch that several share asks for no more than each by itself.
    guards.push_back(step.guardsOf(
        step.problemFor(schedule, /*suffix=*/"", /*aligned=*/true), schedule,
        /*aligned=*/true, /*bounded=*/true));
  }
  return guards;
}
