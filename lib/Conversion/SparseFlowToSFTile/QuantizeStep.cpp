//===- QuantizeStep.cpp - Activations to 8 bits in a launch list ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some numbers of tokens are quantized by the matmuls that read them: few, or,
// where a row is short, any. Of others one kernel quantizes what it reads, or
// what it computes: a norm, a rotation, or both.
//
//===----------------------------------------------------------------------===//

#include "QuantizeStep.h"
#include "Kernels/Matmul/TernaryScales.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "Kernels/Rotation/TokenQuantizer.h"
#include "Kernels/Support/KernelBuilder.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "Matmul/LaunchGroup.h"
#include "RotationStep.h"
#include "SparseFlow/Support/Remarks.h"
#include "TensorStep.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Up to so many tokens each should be quantized soon; more keep every
// SM busy several times over.
static constexpr int64_t kFewTokens = 512;
// Of more than so many short ones each has a warp, fewer a block.
static constexpr int64_t kBlockTokens = 2560;
// Pieces of a row in the registers of a thread whose block computes the row
// beside its first weights.
static constexpr int64_t kHeldPieces = 2;

//===----------------------------------------------------------------------===//
// What is computed with a quantization
//===----------------------------------------------------------------------===//

namespace {
/// Ops in front of a quantization, whose elements it gets in registers.
struct Producers {
  Operation *rows = nullptr; // the root of a kernel of rows
  HadamardOp rotation;
};
} // namespace

static int64_t lastDim(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getRank() ? type.getShape().back() : 0;
}

/// What computes the rows of `tensor`, under reshapes that keep them.
static Operation *producerOf(Value tensor) {
  Value source = skipReshapes(tensor);
  return lastDim(source) == lastDim(tensor) ? source.getDefiningOp() : nullptr;
}

/// How threads share a token of `producers` that is quantized.
static TokenShape tokenOf(const Producers &producers, QuantizeOp quantize,
                          bool natural) {
  TokenShape token{lastDim(quantize.getX()),
                   /*block=*/0,
                   /*scale=*/1,
                   getElementTypeOrSelf(quantize.getX().getType()),
                   natural,
                   /*isPower=*/!!producers.rows};
  if (HadamardOp rotation = producers.rotation) {
    token.block = static_cast<int64_t>(rotation.getBlock());
    token.scale = rotation.getScale();
  }
  return token;
}

/// Ops that give a tensor another shape or type and move nothing.
static bool isReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op);
}

/// Whether nothing but `reader` reads `tensor`, by any of its shapes.
static bool isReadBy(Value tensor, Operation *reader) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (user == reader)
      return true;
    bool isShape = user->getNumResults() == 1 &&
                   isa<RankedTensorType>(user->getResult(0).getType()) &&
                   skipReshapes(user->getResult(0)) == skipReshapes(tensor);
    return isa<tensor::DimOp>(user) ||
           (isShape && isReadBy(user->getResult(0), reader));
  });
}

/// Why `op`, which computes what `reader` reads, is not computed by the kernel
/// of `quantize`, or an empty string. `rotation` is between them, or null.
static std::string whyApart(Operation *op, Operation *reader,
                            HadamardOp rotation, QuantizeOp quantize) {
  StringRef what = isa<HadamardOp>(op) ? "rotated activations" : "rows";
  if (op->getNumResults() != 1 || !isReadBy(op->getResult(0), reader))
    return ("something else reads the " + what + ", too").str();
  // What is launched in between might write where inputs lie.
  for (Operation *next = op->getNextNode(); next != quantize;
       next = next->getNextNode())
    if (!next ||
        !(next == reader || isInlined(next) || isReshape(next) ||
          isa<arith::ConstantOp, tensor::DimOp, tensor::EmptyOp>(next)))
      return "something else is computed in between";
  Producers producers{isa<HadamardOp>(op) ? nullptr : op, rotation};
  if (producers.rows) {
    auto root = cast<linalg::LinalgOp>(op);
    if (root.getNumReductionLoops() || rowLoops(op).size() != 1)
      return "a row is more than the last dimension";
    if (lastDim(quantize.getX()) % TokenShape::kVector)
      return "rows of " + std::to_string(lastDim(quantize.getX())) +
             " elements are no multiple of " +
             std::to_string(TokenShape::kVector);
  }
  if (!tokenOf(producers, quantize, /*natural=*/true).rounds())
    return "rows of " + std::to_string(lastDim(quantize.getX())) +
           " elements do not fit in the registers of a block of threads";
  return "";
}

static bool isEmpty(Value tensor) {
  return llvm::is_contained(cast<RankedTensorType>(tensor.getType()).getShape(),
                            0);
}

namespace {
/// Numbers of tokens up to `most` (0: any) and above the interval before.
struct Interval {
  int64_t most;
  /// Whether all matmuls quantize their activations themselves.
  bool held;
};
} // namespace

/// The schedule that serves `tokens` (0: more than any schedule's limit), null
/// if that is the one for unaligned operands.
static sftile::ScheduleAttr scheduleFor(Operation *matmul, int64_t tokens) {
  for (sftile::ScheduleAttr schedule : schedulesOf(matmul))
    if (!schedule.getMaxTokens() ||
        (tokens && tokens <= schedule.getMaxTokens()))
      return schedule;
  return {};
}

/// All numbers of tokens, neighbours being different.
static SmallVector<Interval> intervalsOf(QuantizeOp op) {
  SmallVector<int64_t> ends;
  for (Operation *user : op->getResult(0).getUsers())
    for (sftile::ScheduleAttr schedule : schedulesOf(user))
      if (int64_t most = schedule.getMaxTokens())
        ends.push_back(most);
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  ends.push_back(0);
  SmallVector<Interval> intervals;
  for (int64_t most : ends) {
    bool held = !op->getResult(0).use_empty() &&
                llvm::all_of(op->getResult(0).getUsers(), [&](Operation *user) {
                  sftile::ScheduleAttr schedule = scheduleFor(user, most);
                  return schedule && schedule.getHeld();
                });
    if (!intervals.empty() && intervals.back().held == held)
      intervals.back().most = most;
    else
      intervals.push_back({most, held});
  }
  return intervals;
}

/// A schedule by which a matmul quantizes what it reads although the kernel of
/// `op` runs, because another matmul does not; or null. It needs activations
/// that are in memory.
static sftile::ScheduleAttr heldBeside(QuantizeOp op) {
  SmallVector<Interval> intervals = intervalsOf(op);
  for (Operation *user : op->getResult(0).getUsers()) {
    int64_t from = 1;
    for (sftile::ScheduleAttr schedule : schedulesOf(user)) {
      int64_t most =
          schedule.getMaxTokens() ? schedule.getMaxTokens() : INT64_MAX;
      int64_t first = 1;
      for (Interval interval : intervals) {
        int64_t last = interval.most ? interval.most : INT64_MAX;
        if (schedule.getHeld() && !interval.held && first <= most &&
            from <= last)
          return schedule;
        first = last == INT64_MAX ? last : last + 1;
      }
      from = most == INT64_MAX ? most : std::max(from, most + 1);
    }
  }
  return {};
}

/// Whether the kernel of `op` may quantize what it computes.
static bool mayQuantize(Operation *op) {
  return isa<HadamardOp>(op) || kernelFormOf(op) == KernelForm::Rows;
}

/// What the kernel of `op` computes, too. `onApart` is told of what it might,
/// but does not.
static Producers producersOf(
    QuantizeOp op,
    function_ref<void(Operation *, const std::string &)> onApart =
        [](Operation *, const std::string &) {}) {
  Producers producers;
  if (isEmpty(op.getX()))
    return producers;
  Operation *reader = op, *producer = producerOf(op.getX());
  if (sftile::ScheduleAttr beside = heldBeside(op)) {
    if (producer && mayQuantize(producer))
      onApart(producer, ("a matmul quantizes them by schedule " +
                         beside.getName() + ", where another does not")
                            .str());
    return producers;
  }
  if (auto rotation = dyn_cast_or_null<HadamardOp>(producer)) {
    std::string reason = whyApart(rotation, op, rotation, op);
    if (!reason.empty()) {
      onApart(rotation, reason);
      return producers;
    }
    producers.rotation = rotation;
    reader = rotation;
    producer = producerOf(rotation.getX());
  }
  if (!producer || kernelFormOf(producer) != KernelForm::Rows)
    return producers;
  std::string reason = whyApart(producer, reader, producers.rotation, op);
  if (reason.empty())
    producers.rows = producer;
  else
    onApart(producer, reason);
  return producers;
}

bool mlir::sparseflow::isHoldable(MatmulOp op) {
  auto quantize = op.getX().getDefiningOp<QuantizeOp>();
  if (!quantize || !op.getX().hasOneUse())
    return false;
  Operation *producer = producerOf(quantize.getX());
  return !producer || !mayQuantize(producer);
}

/// The quantization that may compute `op`, which has one reader.
static QuantizeOp nextQuantization(Operation *op) {
  if (op->getNumResults() != 1)
    return {};
  for (Operation *user : op->getResult(0).getUsers()) {
    if (auto quantize = dyn_cast<QuantizeOp>(user))
      return quantize;
    if (isReshape(user) || isa<HadamardOp>(user))
      if (QuantizeOp quantize = nextQuantization(user))
        return quantize;
  }
  return {};
}

bool mlir::sparseflow::isQuantizedWith(Operation *op) {
  if (!mayQuantize(op))
    return false;
  QuantizeOp quantize = nextQuantization(op);
  if (!quantize)
    return false;
  Producers producers = producersOf(quantize);
  return op == producers.rows || op == producers.rotation;
}

/// Why matmuls that quantize do not compute `producers`, or an empty string.
static std::string whyNotByMatmuls(QuantizeOp op, const Producers &producers) {
  if (!producers.rows || producers.rotation)
    return "rotated activations are stored";
  for (Interval interval : intervalsOf(op))
    if (interval.held && interval.most != 1)
      return "a block would compute those of more than one token";
  for (Operation *user : op->getResult(0).getUsers())
    for (sftile::ScheduleAttr schedule : schedulesOf(user)) {
      if (!schedule.getHeld())
        continue;
      int64_t threads = schedule.getNumWarps() * 32;
      if (!llvm::isPowerOf2_64(threads))
        return "reductions take a power of two of warps";
      if (lastDim(op.getX()) > kHeldPieces * TokenShape::kVector * threads)
        return "rows of " + std::to_string(lastDim(op.getX())) +
               " elements take too many registers of " +
               std::to_string(threads) + " threads";
    }
  return "";
}

Operation *mlir::sparseflow::rowsOfMatmuls(QuantizeOp op) {
  if (llvm::none_of(intervalsOf(op), [](Interval i) { return i.held; }))
    return nullptr;
  Producers producers = producersOf(op);
  return whyNotByMatmuls(op, producers).empty() ? producers.rows : nullptr;
}

//===----------------------------------------------------------------------===//
// Its kernels
//===----------------------------------------------------------------------===//

namespace {
class QuantizeConverter {
public:
  QuantizeConverter(QuantizeOp op, const QuantizeContext &context)
      : op(op), context(context), program(context.program),
        programmatic(context.computeCapability >= 90) {}

  LogicalResult convert();

private:
  FailureOr<SmallVector<Variant>> heldVariants();
  /// What matmuls ask of pointers that quantize any number of tokens.
  SmallVector<Alignment> alignmentsOfMatmuls();
  /// Of other tokens; the last one has no guards.
  FailureOr<SmallVector<Variant>> quantizingVariants();
  FailureOr<SmallVector<Variant>> producedVariants();
  void addAlone(SmallVector<Variant> &variants);
  std::string describe();

  QuantizeOp op;
  const QuantizeContext &context;
  HostProgramBuilder &program;
  bool programmatic, natural = false;
  Producers producers;
  SmallVector<Interval> intervals;
  Value rows;
  SmallVector<Value, 3> results; // values, scales, sums
};
} // namespace

LogicalResult QuantizeConverter::convert() {
  if (!program.bufferOf(op.getX()))
    return op.emitOpError("expected x to be an argument or a computed tensor");
  Value values = op->getResult(0), scales = op->getResult(1);
  if (program.bufferOf(values) || program.bufferOf(scales))
    return op.emitOpError("expected no result that the function returns: their "
                          "order on a GPU is private; return matmuls of them");
  for (Operation *user : values.getUsers())
    if (!isa<MatmulOp>(user))
      return user->emitOpError("expected a matmul to read quantized "
                               "activations, whose order on a GPU is private");
  FailureOr<bool> order = naturalOrder(op);
  if (failed(order))
    return failure();
  natural = *order;
  rows = program.rowsOf(values);
  results = {program.reserve(rows, quantizedPitch(lastDim(op.getX()), natural)),
             program.reserve(rows, 4), program.reserve(rows, 4)};
  program.bind(values, results[0]);
  program.bind(scales, results[1]);
  context.sums[values] = results[2];

  producers = producersOf(op, [](Operation *apart, const std::string &reason) {
    explain(apart, isa<HadamardOp>(apart) ? "rotation" : "quantize")
        << "by a kernel of its own: " << reason;
  });
  intervals = intervalsOf(op);
  bool anyHeld = llvm::any_of(intervals, [](Interval i) { return i.held; });
  FailureOr<SmallVector<Variant>> held = SmallVector<Variant>();
  if (anyHeld)
    held = heldVariants();
  FailureOr<SmallVector<Variant>> quantizing = quantizingVariants();
  if (failed(held) || failed(quantizing))
    return failure();
  // Kernels serve several intervals. Behind them stands what has no guards:
  // matmuls that cannot quantize such pointers do not, whatever the tokens.
  SmallVector<Variant> variants;
  SmallVector<Alignment> alignments = alignmentsOfMatmuls();
  int64_t before = 0;
  for (Interval interval : intervals) {
    for (Variant variant : interval.held ? *held : *quantizing) {
      if (variant.maxRows && variant.maxRows <= before)
        continue;
      if (interval.held)
        llvm::append_range(variant.alignments, alignments);
      if (interval.most &&
          (!variant.maxRows || interval.most < variant.maxRows))
        variant.maxRows = interval.most;
      variants.push_back(std::move(variant));
    }
    before = interval.most;
  }
  if (intervals.back().held)
    variants.push_back(quantizing->back());
  program.addStep(op.getLoc(), "quantize", rows, variants);
  return success();
}

SmallVector<Alignment> QuantizeConverter::alignmentsOfMatmuls() {
  SmallVector<Alignment> alignments;
  for (Operation *user : op->getResult(0).getUsers()) {
    // Streamed kernels access results and operands one by one.
    if (llvm::none_of(schedulesOf(user), [](sftile::ScheduleAttr schedule) {
          return schedule.getHeld() && schedule.getProducerWarps();
        }))
      continue;
    SmallVector<Value> tensors(cast<MatmulOp>(user).getEpilogueOperands());
    tensors.push_back(user->getResult(0));
    for (Value tensor : tensors)
      if (Value pointer = program.bufferOf(tensor);
          pointer && !pointer.getDefiningOp<LLVM::GEPOp>())
        alignments.push_back({pointer, 16});
  }
  return alignments;
}

FailureOr<SmallVector<Variant>> QuantizeConverter::quantizingVariants() {
  if (producers.rows || producers.rotation) {
    explain(producers.rotation ? producers.rotation : producers.rows,
            producers.rotation ? "rotation" : "quantize")
        << describe();
    return producedVariants();
  }
  SmallVector<Variant> variants;
  addAlone(variants);
  return variants;
}

/// "rotated and quantized by one kernel, 64 threads a token, ...".
std::string QuantizeConverter::describe() {
  TokenShape token = tokenOf(producers, op, natural);
  std::string text = producers.rows ? "computed" : "";
  if (producers.rotation)
    text += producers.rows ? ", rotated" : "rotated";
  text += " and quantized by one kernel, " + std::to_string(token.threads()) +
          " threads a token, of which ";
  if (producers.rotation)
    text += std::to_string(token.shape().threads) +
            " have a block of elements in registers";
  else
    text += "each has " +
            std::to_string(token.rounds() * token.shape().elements) +
            " elements in registers";
  std::string reason = whyNotByMatmuls(op, producers);
  int64_t before = 0;
  bool anyHeld = false;
  for (auto [most, held] : intervals) {
    if (held) {
      text += "; ";
      if (before)
        text += "from " + std::to_string(before + 1) + " on ";
      if (most)
        text += "up to " + std::to_string(most) +
                (most == 1 ? " token " : " tokens ");
      text += producers.rotation && !producers.rows ? "rotated" : "computed";
      text += reason.empty() ? " and quantized by the matmul, in each block"
                             : " alone, and quantized by the matmul";
    }
    before = most;
    anyHeld |= held;
  }
  return anyHeld && !reason.empty() ? text + ": " + reason : text;
}

/// One after the other: what each variant of `first` and of `second` asks for.
static SmallVector<Variant> inTurn(SmallVector<Variant> first,
                                   SmallVector<Variant> second) {
  SmallVector<Variant> variants;
  for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    const Variant &a = first[std::min(i, first.size() - 1)];
    const Variant &b = second[std::min(i, second.size() - 1)];
    Variant both = a;
    llvm::append_range(both.alignments, b.alignments);
    llvm::append_range(both.conditions, b.conditions);
    both.launches = [a = a.launches, b = b.launches](OpBuilder &builder) {
      SmallVector<Launch> launches = a(builder);
      llvm::append_range(launches, b(builder));
      return launches;
    };
    variants.push_back(std::move(both));
  }
  return variants;
}

/// What is computed for tokens that matmuls quantize.
FailureOr<SmallVector<Variant>> QuantizeConverter::heldVariants() {
  SmallVector<Variant> variants;
  if (Operation *rows = rowsOfMatmuls(op)) {
    FailureOr<CollectedRows> collected = collectRows(rows, program);
    if (failed(collected))
      return failure();
    variants.emplace_back();
    collected->require(variants.back());
    variants.back().nothing = true;
    return variants;
  }
  if (producers.rows) {
    FailureOr<SmallVector<Variant>> alone =
        rowsVariants(producers.rows, program, context.kernelBuilder,
                     context.prefix, programmatic);
    if (failed(alone))
      return failure();
    variants = std::move(*alone);
  }
  if (producers.rotation) {
    FailureOr<SmallVector<Variant>> alone =
        rotationVariants(producers.rotation, program, context.kernelBuilder,
                         context.prefix, context.computeCapability);
    if (failed(alone))
      return failure();
    variants = variants.empty() ? std::move(*alone)
                                : inTurn(std::move(variants), *alone);
  }
  if (!variants.empty())
    return variants;
  Variant variant;
  Value x = program.bufferOf(op.getX());
  variant.require(x, 16);
  variant.nothing = true;
  variants.push_back(std::move(variant));
  return variants;
}

FailureOr<SmallVector<Variant>> QuantizeConverter::producedVariants() {
  if (!producers.rows)
    return rotatedQuantizeVariants(producers.rotation, program,
                                   context.kernelBuilder, context.prefix,
                                   context.computeCapability, results, natural);
  Value signs = producers.rotation ? producers.rotation.getSigns() : Value();
  if (signs && !program.bufferOf(signs))
    return producers.rotation.emitOpError(
        "expected x and the signs to be arguments or computed tensors; pass "
        "constants as arguments");
  return quantizedRowsVariants(producers.rows, tokenOf(producers, op, natural),
                               signs, results, program, context.kernelBuilder,
                               context.prefix, programmatic);
}

/// Kernels that read activations and quantize them.
void QuantizeConverter::addAlone(SmallVector<Variant> &variants) {
  Value x = program.bufferOf(op.getX());
  auto type = cast<RankedTensorType>(op.getX().getType());
  int64_t k = lastDim(op.getX());
  struct Form {
    StringRef name;
    bool aligned, manyTokens, warpTokens;
  };
  bool isShort = QuantizeKernel::fitsWarp(k, natural);
  for (auto [name, aligned, manyTokens, warpTokens] :
       {Form{"_quantize", true, false, false},
        Form{"_quantize_many", true, true, false},
        Form{"_quantize_short", true, true, true},
        Form{"_quantize_any", false, false, false}}) {
    if ((aligned && widthFor(k, type.getElementType()) < 16) ||
        (warpTokens && !isShort))
      continue;
    QuantizeKernel kernel{context.prefix + name.str(),
                          op.getLoc(),
                          k,
                          type.getElementType(),
                          aligned,
                          programmatic,
                          natural,
                          manyTokens,
                          warpTokens};
    gpu::GPUFuncOp function = kernel.generate(context.kernelBuilder);
    Variant variant;
    if (aligned && !manyTokens)
      variant.maxRows = kFewTokens;
    else if (manyTokens && !warpTokens && isShort)
      variant.maxRows = kBlockTokens;
    if (aligned)
      variant.require(x, 16);
    SmallVector<Value> pointers = {x};
    pointers.append(results.begin(), results.end());
    variant.launches = [=, rows = rows](OpBuilder &builder) {
      return SmallVector<Launch>{{function, kernel.gridSize(builder, rows),
                                  pointers, /*sizes=*/{}, kernel.programmatic}};
    };
    bool guarded = !variant.alignments.empty() || variant.maxRows;
    variants.push_back(std::move(variant));
    if (aligned && !guarded)
      break;
  }
}

LogicalResult
mlir::sparseflow::convertQuantize(QuantizeOp op,
                                  const QuantizeContext &context) {
  return QuantizeConverter(op, context).convert();
}
