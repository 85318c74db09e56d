//===- QuantizeStep.cpp - Activations to 8 bits in a launch list ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/RotationStep.h"
#include "Conversion/SparseFlowToSFTile/TensorStep.h"
#include "Kernels/Matmul/TernaryScales.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "Kernels/Support/KernelBuilder.h"
#include "Launch/LaunchGroup.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Up to so many tokens each should be quantized soon; more keep every
// SM busy several times over.
static constexpr int64_t kFewTokens = 512;
// Of more than so many short ones each has a warp, fewer a block.
static constexpr int64_t kBlockTokens = 2560;

namespace {
class QuantizeConverter {
public:
  QuantizeConverter(QuantizeOp op, const StepContext &context)
      : op(op), context(context), program(context.program),
        programmatic(context.programmatic()) {}

  LogicalResult convert();

private:
  FailureOr<SmallVector<Variant>> heldVariants();
  /// What matmuls ask of pointers that quantize any number of tokens.
  SmallVector<Alignment> alignmentsOfMatmuls();
  /// Of other tokens; the last one has no guards.
  FailureOr<SmallVector<Variant>> quantizingVariants();
  FailureOr<SmallVector<Variant>> producedVariants();
  struct Form {
    StringRef name;
    bool aligned, manyTokens, warpTokens;
  };
  void addAlone(SmallVector<Variant> &variants);
  /// Adds the variants of a form; whether those of others may be needed.
  bool addForm(const Form &form, bool isShort, SmallVector<Variant> &variants);
  std::string describe();

  QuantizeOp op;
  const StepContext &context;
  HostProgramBuilder &program;
  bool programmatic, natural = false;
  QuantizeProducers producers;
  SmallVector<TokenInterval> intervals;
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
  bool anyHeld =
      llvm::any_of(intervals, [](TokenInterval i) { return i.held; });
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
  for (TokenInterval interval : intervals) {
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
  if (producers.rows && whyNotByMatmuls(op, producers).empty()) {
    FailureOr<CollectedRows> collected = collectRows(producers.rows, program);
    if (failed(collected))
      return failure();
    variants.emplace_back();
    collected->require(variants.back());
    variants.back().nothing = true;
    return variants;
  }
  if (producers.rows) {
    FailureOr<SmallVector<Variant>> alone =
        rowsVariants(producers.rows, context);
    if (failed(alone))
      return failure();
    variants = std::move(*alone);
  }
  if (producers.rotation) {
    FailureOr<SmallVector<Variant>> alone =
        rotationVariants(producers.rotation, context);
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
    return rotatedQuantizeVariants(producers.rotation, context, results,
                                   natural);
  Value signs = producers.rotation ? producers.rotation.getSigns() : Value();
  if (signs && !program.bufferOf(signs))
    return producers.rotation.emitOpError(
        "expected x and the signs to be arguments or computed tensors; pass "
        "constants as arguments");
  return quantizedRowsVariants(producers.rows, tokenOf(producers, op, natural),
                               signs, results, context);
}

/// Kernels that read activations and quantize them.
void QuantizeConverter::addAlone(SmallVector<Variant> &variants) {
  int64_t k = lastDim(op.getX());
  bool isShort = QuantizeKernel::fitsWarp(k, natural);
  for (Form form : {Form{"_quantize", true, false, false},
                    Form{"_quantize_many", true, true, false},
                    Form{"_quantize_short", true, true, true},
                    Form{"_quantize_any", false, false, false}}) {
    if ((form.aligned && widthFor(k, getElementTypeOrSelf(op.getX())) < 16) ||
        (form.warpTokens && !isShort))
      continue;
    if (!addForm(form, isShort, variants))
      break;
  }
}

bool QuantizeConverter::addForm(const Form &form, bool isShort,
                                SmallVector<Variant> &variants) {
  bool sums = llvm::any_of(op->getResult(0).getUsers(), [](Operation *user) {
    return readsTokenSums(cast<MatmulOp>(user));
  });
  QuantizeKernel kernel{context.prefix + form.name.str(),
                        op.getLoc(),
                        lastDim(op.getX()),
                        getElementTypeOrSelf(op.getX()),
                        form.aligned,
                        programmatic,
                        natural,
                        sums,
                        form.manyTokens,
                        form.warpTokens};
  gpu::GPUFuncOp function = kernel.generate(context.kernels);
  Variant variant;
  if (form.aligned && !form.manyTokens)
    variant.maxRows = kFewTokens;
  else if (form.manyTokens && !form.warpTokens && isShort)
    variant.maxRows = kBlockTokens;
  if (form.aligned)
    variant.require(program.bufferOf(op.getX()), 16);
  SmallVector<Value> pointers = {program.bufferOf(op.getX())};
  pointers.append(results.begin(), results.end());
  for (auto limit : kernel.limits(context.computeCapability, variant.maxRows)) {
    variant.maxRows = limit.tokens;
    variant.launches = [=, rows = rows](OpBuilder &builder) {
      return SmallVector<Launch>{{function, kernel.gridSize(builder, rows),
                                  pointers, /*sizes=*/{}, kernel.programmatic,
                                  limit.sharedBytes}};
    };
    variants.push_back(variant);
  }
  return !form.aligned || variant.isGuarded();
}

LogicalResult mlir::sparseflow::convertQuantize(QuantizeOp op,
                                                const StepContext &context) {
  return QuantizeConverter(op, context).convert();
}
