//===- KernelOps.cpp - The op behind each kernel --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelOps.h"

#include "SparseFlow/Conversion/SparseFlowToSFTile/KernelNames.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

// The number of tokens that a kernel for any number is judged at.
static constexpr int64_t kManyTokens = 4096;

std::string mlir::sparseflow::locationText(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

static std::string elementName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(type);
  return text;
}

static int64_t elementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Rows of `type` when all but the last dimension are folded; 0 if one of them
/// is dynamic.
static int64_t staticRows(RankedTensorType type) {
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back())
    rows = ShapedType::isDynamic(size) ? 0 : rows * size;
  return rows;
}

/// What `value` is called in the source: its argument's name, or "a computed
/// value".
static std::string nameOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return "";
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto name = function
                  ? function.getArgAttrOfType<StringAttr>(
                        argument.getArgNumber(), SparseFlowDialect::kNameAttr)
                  : StringAttr();
  return name ? name.getValue().str() : std::to_string(argument.getArgNumber());
}

/// Why the weight of `op` is multiplied densely, and what would change it.
static std::string whyDense(MatmulOp op) {
  auto type = cast<RankedTensorType>(op.getW().getType());
  if (NmAttr encoding = getNmEncoding(type)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << encoding << " has no packed layout; only 2:4 has one";
    return text;
  }
  if (TernaryAttr quantized = op.getTernary())
    return ("the weight is " + quantized.getKeyword()).str();
  std::string name = nameOf(op.getW());
  // A weight [K, N] that a kernel transposes is one once it is marked.
  auto copy = op.getW().getDefiningOp<linalg::GenericOp>();
  if (copy && copy.getNumDpsInputs() == 1)
    name = nameOf(copy.getInputs()[0]);
  if (name.empty())
    return "the weight is computed by the program; only an argument can be "
           "packed";
  return "argument '" + name + "' is not marked; --sparse " + name +
         "=2:4 marks it";
}

/// Bytes of an operand for one launch: a constant part and one per token.
static void addOperand(KernelOp &op, Type type, Broadcast broadcast) {
  int64_t bytes = elementBytes(type);
  switch (broadcast) {
  case Broadcast::PerFeature:
    op.fixedBytes += op.n * bytes;
    break;
  case Broadcast::PerToken:
    op.bytesPerToken += bytes;
    break;
  case Broadcast::Full:
    op.bytesPerToken += op.n * bytes;
    break;
  case Broadcast::Scalar:
    op.fixedBytes += bytes;
    break;
  }
}

static KernelOp describe(MatmulOp matmul) {
  KernelOp op;
  op.kind = "matmul";
  op.location = locationText(matmul.getLoc());
  op.n = matmul.getN();
  op.k = matmul.getK();
  NmAttr encoding = matmul.getEncoding();
  op.isSparse = encoding && encoding.isTwoOfFour();
  if (!op.isSparse)
    op.notSparse = whyDense(matmul);
  op.element = elementName(matmul.getWeightElementType());
  op.result = elementName(matmul.getResultType());
  op.staticTokens = staticRows(matmul.getResultType());
  op.bytesPerToken = op.k * elementBytes(matmul.getXType()) +
                     op.n * elementBytes(matmul.getResultType());
  int64_t units = llvm::divideCeil(op.n, 64) * llvm::divideCeil(op.k, 64);
  op.fixedBytes = op.isSparse ? units * 4608 : op.n * op.k * 2;
  if (TernaryAttr ternary = matmul.getTernary())
    op.fixedBytes = ternary.getSizeInBytes(op.n, op.k);
  for (auto [operand, broadcast] :
       llvm::zip(matmul.getEpilogueOperands(), matmul.getBroadcastList()))
    addOperand(op, operand.getType(), broadcast);
  op.epilogueOps =
      llvm::range_size(matmul.getEpilogue().front().without_terminator());
  return op;
}

/// A token is a query of one batch entry. Where a causal mask hides half of the
/// keys, half of them count.
static KernelOp describe(AttentionOp attention) {
  auto sizeOr = [](RankedTensorType type, unsigned dim, int64_t other) {
    return type.isDynamicDim(dim) ? other : type.getDimSize(dim);
  };
  RankedTensorType q = attention.getQType(), k = attention.getKType();
  unsigned sequence = attention.getSequenceDim();
  KernelOp op;
  op.kind = "attention";
  op.location = locationText(attention.getLoc());
  op.n = attention.getQueryHeads() * attention.getDv();
  op.k = attention.getD();
  op.valueFeatures = attention.getDv();
  op.hasDynamicKeys = ShapedType::isDynamic(attention.getKeyCount());
  op.keys = op.hasDynamicKeys ? kManyTokens : attention.getKeyCount();
  op.element = elementName(q);
  op.result = elementName(attention.getResultType());
  if (!q.isDynamicDim(0) && !q.isDynamicDim(sequence))
    op.staticTokens = q.getDimSize(0) * q.getDimSize(sequence);
  op.bytesPerToken = attention.getQueryHeads() * op.k * elementBytes(q) +
                     op.n * elementBytes(attention.getResultType());
  // Of one head, full or in pages.
  auto headBytes = [&](RankedTensorType type) {
    TernaryAttr ternary = getTernaryEncoding(type);
    int64_t features = type.getDimSize(3);
    return ternary ? llvm::divideCeil(op.keys, TernaryAttr::kPageTokens) *
                         ternary.getPageBytes(features)
                   : op.keys * features * elementBytes(type);
  };
  // A cache that holds both is read once.
  RankedTensorType v = attention.getVType();
  int64_t valueBytes = attention.sharesKeys() ? 0
                       : attention.getValueFeatures()
                           ? headBytes(v) / v.getDimSize(3) * attention.getDv()
                           : headBytes(v);
  // Of pages, those that a row of the table names for each batch entry.
  op.fixedBytes = sizeOr(attention.getPages() ? q : k, 0, 1) *
                  attention.getKeyHeads() * (headBytes(k) + valueBytes);
  if (attention.getCausal())
    op.keys = (op.keys + 1) / 2;
  if (attention.hasScore())
    op.epilogueOps =
        llvm::range_size(attention.getScore().front().without_terminator());
  return op;
}

/// A token is one of a batch entry.
static KernelOp describe(CacheAppendOp append) {
  auto type = cast<RankedTensorType>(append.getTokens().getType());
  TernaryAttr encoding = getTernaryEncoding(append.getCache().getType());
  KernelOp op;
  op.kind = "cache_append";
  op.location = locationText(append.getLoc());
  op.n = type.getDimSize(1) * type.getDimSize(3);
  op.element = elementName(type);
  op.result = encoding.getLayout().str();
  if (!type.isDynamicDim(0) && !type.isDynamicDim(2))
    op.staticTokens = type.getDimSize(0) * type.getDimSize(2);
  op.bytesPerToken = op.n * elementBytes(type) +
                     type.getDimSize(1) *
                         encoding.getPageBytes(type.getDimSize(3)) /
                         TernaryAttr::kPageTokens;
  return op;
}

/// Tensors in memory that `op` reads, itself or by the ops that it inlines.
static void collectInputs(Operation *op, llvm::SetVector<Value> &inputs) {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!isa<RankedTensorType>(operand.getType()) ||
        isa_and_nonnull<tensor::EmptyOp, arith::ConstantOp>(source))
      continue;
    source = skipReshapes(operand).getDefiningOp();
    if (source && isInlined(source))
      collectInputs(source, inputs);
    else
      inputs.insert(operand);
  }
}

/// The root of a kernel of tensor ops.
static KernelOp describeRoot(Operation *root) {
  KernelOp op;
  KernelForm form = *kernelFormOf(root);
  op.kind =
      form == KernelForm::Map ? "elementwise" : stringifyKernelForm(form).str();
  op.location = locationText(root->getLoc());
  auto type = cast<RankedTensorType>(root->getResult(0).getType());
  op.n = type.getRank() && !type.isDynamicDim(type.getRank() - 1)
             ? type.getShape().back()
             : 1;
  op.element = op.result = elementName(type);
  op.staticTokens = type.getRank() ? staticRows(type) : 1;
  op.bytesPerToken = op.n * elementBytes(type);
  llvm::SetVector<Value> inputs;
  collectInputs(root, inputs);
  for (Value input : inputs) {
    auto from = cast<RankedTensorType>(input.getType());
    bool isFull = from.getRank() >= type.getRank() && from.getRank() > 1;
    bool isRow = from.getRank() == 1 && from.getShape().back() == op.n;
    addOperand(op, from,
               isFull                ? Broadcast::Full
               : isRow               ? Broadcast::PerFeature
               : from.getRank() == 0 ? Broadcast::Scalar
                                     : Broadcast::PerToken);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(root))
    op.epilogueOps =
        llvm::range_size(linalgOp.getBlock()->without_terminator());
  return op;
}

namespace {
/// While it lives, the tensor ops of a module say which of them are kernels.
class FormedKernels {
public:
  explicit FormedKernels(ModuleOp module)
      : module(module), remarks(module->getAttr(kRemarks)) {
    module->setAttr(kRemarks, BoolAttr::get(module.getContext(), false));
    PassManager manager(module.getContext(), ModuleOp::getOperationName());
    manager.addNestedPass<func::FuncOp>(createSparseFlowFormKernels());
    // A failure is that of the pipeline, which says it.
    (void)manager.run(module);
  }
  ~FormedKernels() {
    if (remarks)
      module->setAttr(kRemarks, remarks);
    else
      module->removeAttr(kRemarks);
    module.walk([](Operation *op) {
      for (StringRef name : {kKernelAttr, kInlinedAttr, kRowDimsAttr})
        op->removeAttr(name);
    });
  }

private:
  static constexpr StringLiteral kRemarks = "sparseflow.remarks";
  ModuleOp module;
  Attribute remarks;
};
} // namespace

/// Calls `visit` for every op that becomes kernels, with what their names begin
/// with.
static void
forEachOp(ModuleOp module,
          llvm::function_ref<void(const std::string &, Operation *)> visit) {
  llvm::StringSet<> prefixes;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    int64_t index = 0;
    std::string names = kernelPrefix(function.getName(), prefixes);
    for (Operation &op : function.front())
      if (isa<MatmulOp, AttentionOp, CacheAppendOp, QuantizeOp, HadamardOp,
              SampleOp>(op) ||
          kernelFormOf(&op))
        visit((names + "_" + Twine(index++) + "_").str(), &op);
  }
}

std::map<std::string, KernelOp> mlir::sparseflow::describeOps(ModuleOp module) {
  std::map<std::string, KernelOp> ops;
  FormedKernels formed(module);
  forEachOp(module, [&](const std::string &prefix, Operation *op) {
    if (kernelFormOf(op)) {
      ops[prefix] = describeRoot(op);
      return;
    }
    TypeSwitch<Operation *>(op).Case<MatmulOp, AttentionOp, CacheAppendOp>(
        [&](auto typed) { ops[prefix] = describe(typed); });
    // Quantizations and rotations have numbers of their own, and no row.
  });
  return ops;
}

/// Whether the name of a kernel, FUNCTION_INDEX_SUFFIX, begins with `prefix`,
/// and no prefix before was as long: of functions f and f_0 the longer name is
/// meant.
static bool isMeant(StringRef kernel, StringRef prefix, size_t &longest) {
  if (!kernel.starts_with(prefix) || prefix.size() <= longest)
    return false;
  longest = prefix.size();
  return true;
}

SmallVector<Operation *>
mlir::sparseflow::findOps(ModuleOp module, ArrayRef<std::string> kernels) {
  SmallVector<Operation *> found(kernels.size());
  SmallVector<size_t> longest(kernels.size());
  FormedKernels formed(module);
  forEachOp(module, [&](const std::string &prefix, Operation *op) {
    for (auto [index, kernel] : llvm::enumerate(kernels))
      if (isMeant(kernel, prefix, longest[index]))
        found[index] = op;
  });
  return found;
}

/// What any kernel of `op` does for `tokens` tokens.
static KernelWork workOf(const KernelOp &op, int64_t tokens) {
  KernelWork work;
  work.tokens = tokens;
  work.n = op.n;
  work.isSparse = op.isSparse;
  work.elementOps = op.epilogueOps;
  work.memoryBytes = static_cast<double>(op.fixedBytes) +
                     static_cast<double>(op.bytesPerToken * tokens);
  return work;
}

static KernelWork workOf(const KernelOp &op,
                         sftile::AttentionScheduleAttr attention,
                         int64_t tokens) {
  KernelWork work = workOf(op, tokens);
  // Two matmuls over the keys, of D and of D_v features.
  work.k = op.keys * (op.k + op.valueFeatures) / op.valueFeatures;
  work.block[0] = work.warp[0] = op.valueFeatures;
  work.block[1] = attention.getQueries();
  work.warp[1] = attention.getWarp();
  work.tokensInRegisters = true;
  // As many blocks as are wanted share the keys. Where heads share their
  // rows, keys are read once for all of them.
  int64_t tiles =
      op.n / op.valueFeatures * llvm::divideCeil(tokens, work.block[1]);
  if (attention.getSplit() > tiles)
    work.splitK = llvm::divideCeil(attention.getSplit(), tiles);
  return work;
}

static KernelWork workOf(const KernelOp &op, sftile::ScheduleAttr schedule,
                         int64_t tokens) {
  KernelWork work = workOf(op, tokens);
  for (int i : {0, 1}) {
    work.block[i] = schedule.getBlock()[i];
    work.warp[i] = schedule.getWarp()[i];
  }
  if (op.kind != "matmul")
    return work;
  work.k = op.k;
  work.splitK = schedule.getSplitK();
  // Partial sums of a split K go through memory, in f32.
  if (work.splitK > 1)
    work.memoryBytes += static_cast<double>(work.splitK * op.n * 4 * tokens);
  work.warpgroup = schedule.getWarpgroup() ? 4 : 1;
  return work;
}

void mlir::sparseflow::describeKernelWork(
    KernelReport &kernel, Attribute attribute, const TargetInfo &target,
    const std::map<std::string, KernelOp> &ops) {
  auto schedule = dyn_cast_or_null<sftile::ScheduleAttr>(attribute);
  auto attention = dyn_cast_or_null<sftile::AttentionScheduleAttr>(attribute);
  if (!schedule && !attention)
    return;
  kernel.scheduleRow =
      (schedule ? schedule.getName() : attention.getName()).str();
  StringRef name = kernel.name;
  size_t longest = 0;
  for (const auto &[prefix, op] : ops)
    if (isMeant(name, prefix, longest))
      kernel.op = op;
  if (!kernel.op)
    return;
  StringRef suffix = name.drop_front(name.rfind('_') + 1);
  if (name.drop_front(longest).starts_with("dense_")) {
    kernel.op->isSparse = false;
    kernel.op->notSparse = "it reads the dense form of a packed weight "
                           "(--dense-fallback)";
  }
  const KernelOp &op = *kernel.op;
  bool isReduce = suffix == "reduce" || suffix == "merge";
  kernel.role = isReduce ? "reduce" : op.kind;
  kernel.anyAlignment = suffix == "any" || name.ends_with("any_reduce") ||
                        name.ends_with("any_merge");
  int64_t maxTokens =
      schedule ? schedule.getMaxTokens() : attention.getMaxQueries();
  kernel.maxTokens = kernel.anyAlignment ? 0 : maxTokens;
  kernel.tokens = op.staticTokens        ? op.staticTokens
                  : kernel.maxTokens > 0 ? kernel.maxTokens
                                         : kManyTokens;
  // How many parts a reduction adds stands with the kernel that makes them.
  const TargetPeaks *peaks = findPeaks(target.name);
  if (!peaks || isReduce)
    return;
  // No formula here says how often the heads of a packed cache share keys.
  if (attention && attention.getPacked())
    return;
  auto predictAt = [op, schedule, attention, peaks](int64_t tokens) {
    return predict(*peaks, attention ? workOf(op, attention, tokens)
                                     : workOf(op, schedule, tokens));
  };
  kernel.prediction = predictAt(kernel.tokens);
  if (!op.hasDynamicKeys)
    kernel.predictAt = predictAt;
}
