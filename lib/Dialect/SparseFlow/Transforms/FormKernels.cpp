//===- FormKernels.cpp - Which tensor ops are one kernel ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a function from its end. An op whose result something else than a
// kernel of tensor ops reads is the root of a kernel. Any other is computed
// where it is read, by all kernels that read it, unless that would compute or
// read more than storing it does; then it is a root, too.
//
// For that the pass follows which dimensions of a root the indices of each
// inlined value depend on (`Masks`): a reduction is computed inside a kernel of
// rows where its indices are those of the row, all of them and nothing else.
//
//===----------------------------------------------------------------------===//

#include "Import/SizeAlgebra.h"
#include "Views.h"

#include "SparseFlow/Dialect/SparseFlow/IR/PagePool.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Product.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWFORMKERNELS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// For each dimension of a value the dimensions of a root's result that its
/// index depends on, one bit each.
using Masks = SmallVector<uint64_t>;

/// An index that differs inside a row: that of a reduction.
constexpr uint64_t kVarying = uint64_t(1) << 63;
/// Scalar ops that a kernel may be made of.
constexpr int64_t kMaxBodyOps = 400;

struct Info {
  bool isRoot = false;
  /// Something that is no kernel of tensor ops reads it from memory.
  bool needsBuffer = false;
  /// It is read at indices that are data, or on one side of a condition.
  bool isGathered = false, isBranched = false;
  /// The kernels that read it, by which indices.
  llvm::MapVector<Operation *, Masks> readers;
  /// Of a root: how many of the last dimensions of its result are a row; -1
  /// where it has no reductions.
  int64_t rowDims = -1;
  int64_t bodyOps = 0;
  /// Of a contraction that tensor cores compute; else why they do not.
  std::optional<ActivationProduct> product;
  std::string noProduct;
};

class KernelFormer {
public:
  explicit KernelFormer(func::FuncOp function) : function(function) {}

  void run() {
    for (Operation &op : llvm::reverse(function.front().without_terminator()))
      if (isTensorOp(&op))
        place(&op);
    for (Operation &op : function.front().without_terminator())
      record(&op);
  }

private:
  static bool isView(Operation *op) {
    return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
               tensor::ReshapeOp>(op);
  }
  static bool isTensorOp(Operation *op) {
    return isView(op) || isDenseAppend(op) ||
           isa<linalg::LinalgOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
               tensor::ConcatOp, tensor::PadOp>(op);
  }
  static bool isDenseAppend(Operation *op) {
    auto append = dyn_cast<CacheAppendOp>(op);
    return append && append.isDense();
  }
  static bool isReduction(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalgOp.getNumReductionLoops();
  }

  void place(Operation *op);
  void collectUses(Operation *op, Info &own);
  void addUse(OpOperand &use, Info &own);
  std::string whyRoot(Operation *op, Info &own);
  std::string whyNotInRow(Operation *op, Info &own, Operation *root);
  std::optional<int64_t> rowDimsFor(Operation *op, Operation *root,
                                    const Masks &masks);
  Masks operandMasks(OpOperand &operand, const Masks &result);
  static Masks identityMasks(Value result);
  static bool isFree(Operation *op);
  static bool isConversion(Operation *op);
  static bool isExpensive(Operation *op);
  static bool reusesInputs(Operation *op);
  static KernelForm formOf(Operation *op, const Info &own);
  void record(Operation *op);

  func::FuncOp function;
  llvm::DenseMap<Operation *, Info> infos;
  llvm::DenseMap<Operation *, std::string> reasons;
};

} // namespace

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static uint64_t unionOf(ArrayRef<uint64_t> masks) {
  uint64_t all = 0;
  for (uint64_t mask : masks)
    all |= mask;
  return all;
}

Masks KernelFormer::identityMasks(Value result) {
  Masks masks;
  for (int64_t dim = 0; dim < typeOf(result).getRank(); ++dim)
    masks.push_back(uint64_t(1) << std::min<int64_t>(dim, 62));
  return masks;
}

/// The dimensions that the indices of an operand depend on, where those of the
/// result of its owner depend on `result`.
Masks KernelFormer::operandMasks(OpOperand &operand, const Masks &result) {
  Operation *op = operand.getOwner();
  auto type = typeOf(operand.get());
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    Masks loops(linalgOp.getNumLoops(), kVarying);
    AffineMap to =
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
    for (auto [expr, mask] : llvm::zip(to.getResults(), result))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops[dim.getPosition()] = mask;
    Masks masks;
    for (AffineExpr expr :
         linalgOp.getMatchingIndexingMap(&operand).getResults()) {
      uint64_t mask = 0;
      expr.walk([&](AffineExpr part) {
        if (auto dim = dyn_cast<AffineDimExpr>(part))
          mask |= loops[dim.getPosition()];
      });
      masks.push_back(mask);
    }
    return masks;
  }
  // New tokens stand anywhere in a cache; a text's length, where the text does.
  if (auto append = dyn_cast<CacheAppendOp>(op)) {
    if (&operand == &append.getLengthsMutable())
      return {result.front()};
    if (append.getPages() && operand.get() == append.getPages())
      return {result.front(), result[append.getSequenceDim()]};
    return result;
  }
  Masks masks(type.getRank(), 0);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [number, dims] :
         llvm::enumerate(collapse.getReassociationIndices()))
      for (int64_t dim : dims)
        masks[dim] = type.getDimSize(dim) == 1 ? 0 : result[number];
    return masks;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (auto [number, dims] :
         llvm::enumerate(expand.getReassociationIndices()))
      for (int64_t dim : dims)
        if (expand.getResultType().getDimSize(dim) != 1)
          masks[number] |= result[dim];
    return masks;
  }
  if (isa<tensor::ReshapeOp>(op)) {
    // Unit dimensions aside the same shape has the same indices.
    auto large = [](ArrayRef<int64_t> shape) {
      return llvm::filter_to_vector(
          llvm::seq<int64_t>(0, shape.size()),
          [&](int64_t dim) { return shape[dim] != 1; });
    };
    SmallVector<int64_t> from = large(type.getShape()),
                         to = large(typeOf(op->getResult(0)).getShape());
    bool isSame = from.size() == to.size();
    for (auto [a, b] : llvm::zip(from, to))
      isSame &= type.getDimSize(a) == typeOf(op->getResult(0)).getDimSize(b);
    if (!isSame)
      return Masks(type.getRank(), unionOf(result));
    for (auto [a, b] : llvm::zip(from, to))
      masks[a] = result[b];
    return masks;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    size_t next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!dropped.test(dim))
        masks[dim] = result[next++];
    return masks;
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op);
      slice && &operand == &slice.getSourceMutable()) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    size_t next = 0;
    for (auto [dim, mask] : llvm::enumerate(result))
      if (!dropped.test(dim))
        masks[next++] = mask;
    return masks;
  }
  return result;
}

void KernelFormer::addUse(OpOperand &use, Info &own) {
  Operation *user = use.getOwner();
  if (isa<tensor::DimOp>(user))
    return;
  Operation *outer = function.front().findAncestorOpInBlock(*user);
  // An element at indices that a body computes.
  if (outer != user) {
    own.isGathered = true;
    Info &info = infos[outer];
    uint64_t all = kVarying;
    auto add = [&](Operation *root) {
      Masks &masks = own.readers[root];
      masks.assign(typeOf(use.get()).getRank(), all);
    };
    if (info.isRoot)
      add(outer);
    else
      for (auto &[root, masks] : info.readers)
        add(root);
    return;
  }
  if (!isTensorOp(user)) {
    own.needsBuffer |= readsWhatGrows(use.get().getDefiningOp()) ||
                       !isReadInPool(use.get().getDefiningOp());
    return;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
  if (linalgOp && !linalgOp.payloadUsesValueFromOperand(&use))
    return;
  const Info &info = infos[user];
  if (isView(user))
    own.needsBuffer |= info.needsBuffer;
  own.isBranched |=
      info.isBranched ||
      isa<tensor::ConcatOp, tensor::PadOp, tensor::InsertSliceOp>(user);
  own.isGathered |= isView(user) && info.isGathered;
  auto add = [&](Operation *root, const Masks &result) {
    Masks masks = operandMasks(use, result);
    auto [entry, isNew] = own.readers.insert({root, masks});
    if (!isNew)
      for (auto [all, mask] : llvm::zip(entry->second, masks))
        all |= mask;
  };
  if (info.isRoot) {
    add(user, identityMasks(user->getResult(0)));
    return;
  }
  for (const auto &[root, masks] : info.readers)
    add(root, masks);
}

void KernelFormer::collectUses(Operation *op, Info &own) {
  for (OpResult result : op->getResults())
    for (OpOperand &use : result.getUses())
      addUse(use, own);
}

/// Inputs are read more than once by the op itself: storing them pays.
/// Whether the elements of `input` that the reduction `op` reads are not one
/// for all of what it folds.
static bool isFolded(linalg::LinalgOp op, OpOperand *input) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  AffineMap map = op.getMatchingIndexingMap(input);
  return llvm::any_of(reduced,
                      [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

bool KernelFormer::reusesInputs(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.getNumReductionLoops() ||
      linalgOp.getNumDpsInputs() < 2)
    return false;
  SmallVector<unsigned> parallel;
  linalgOp.getParallelDims(parallel);
  // Each of two inputs misses a loop of the result.
  int64_t missing = 0;
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    missing +=
        isFolded(linalgOp, input) && llvm::any_of(parallel, [&](unsigned loop) {
          return !map.isFunctionOfDim(loop);
        });
  }
  return missing >= 2;
}

bool KernelFormer::isExpensive(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  return llvm::any_of(linalgOp.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isa<math::MathDialect>(inner.getDialect()) ||
                               isa<arith::DivFOp, arith::RemFOp>(inner);
                      });
}

/// Reading what it is made of costs no more than reading its result.
bool KernelFormer::isFree(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return true;
  if (isReduction(op) || isExpensive(op))
    return false;
  AffineMap to = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  int64_t bits = 0, resultBits = 0;
  auto widthOf = [](Value tensor) -> int64_t {
    Type type = getElementTypeOrSelf(tensor.getType());
    return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  };
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    // Of a transpose every reader would read across rows.
    bool isAcross = map.getNumResults() && to.getNumResults() &&
                    map.getResults().back() != to.getResults().back() &&
                    map.getNumResults() == to.getNumResults();
    if (isAcross)
      return false;
    if (map.getNumResults() == to.getNumResults())
      bits += widthOf(input->get());
  }
  for (Value init : linalgOp.getDpsInits())
    resultBits += widthOf(init);
  bool hasGather = llvm::any_of(
      linalgOp.getBlock()->without_terminator(),
      [](Operation &inner) { return isa<tensor::ExtractOp>(inner); });
  return bits <= resultBits && !hasGather;
}

/// Moves or converts the elements of one tensor, or fills.
bool KernelFormer::isConversion(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return true;
  return isFree(op) && linalgOp.getNumDpsInputs() <= 1 &&
         llvm::all_of(linalgOp.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isa<arith::ExtFOp, arith::TruncFOp>(inner);
                      });
}

/// How many last dimensions of the result of `root` are a row of a reduction
/// whose indices depend on `masks`.
std::optional<int64_t> KernelFormer::rowDimsFor(Operation *op, Operation *root,
                                                const Masks &masks) {
  uint64_t all = unionOf(masks);
  auto type = typeOf(root->getResult(0));
  int64_t rank = type.getRank();
  if ((all & kVarying) || rank > 62)
    return std::nullopt;
  int64_t split = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (all & (uint64_t(1) << dim))
      split = dim + 1;
  // A reduction for every row, and none for several.
  for (int64_t dim = 0; dim < split; ++dim)
    if (!(all & (uint64_t(1) << dim)) && type.getDimSize(dim) != 1)
      return std::nullopt;
  if (isReduction(root))
    return llvm::all_of(type.getShape().drop_front(split),
                        [](int64_t size) { return size == 1; })
               ? std::optional<int64_t>(0)
               : std::nullopt;
  // What is no row has a kernel of its own, in which threads do not wait.
  bool isRow = llvm::any_of(type.getShape().drop_front(split),
                            [](int64_t size) { return size != 1; });
  return isRow ? std::optional<int64_t>(rank - split) : std::nullopt;
}

/// Elements that a reduction sums, or of the last `rowDims` dimensions of a
/// result.
static Size rowLengthOf(SizeAlgebra &sizes, linalg::LinalgOp op,
                        int64_t rowDims) {
  Size length;
  Value result = op->getResult(0);
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  if (!op.getNumReductionLoops()) {
    for (int64_t dim = rank - rowDims; dim < rank; ++dim)
      length = sizes.multiply(length, sizes.getDim(result, dim));
    return length;
  }
  llvm::SmallDenseSet<unsigned> seen;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (loop &&
          op.getIteratorTypesArray()[loop.getPosition()] ==
              utils::IteratorType::reduction &&
          seen.insert(loop.getPosition()).second)
        length = sizes.multiply(length, sizes.getDim(operand.get(), dim));
    }
  return length;
}

/// Why the reduction `op` is not computed inside the kernel of `root`.
std::string KernelFormer::whyNotInRow(Operation *op, Info &own,
                                      Operation *root) {
  if (reusesInputs(op))
    return "it is a contraction";
  if (own.isGathered || own.isBranched)
    return "its reader reads it at indices that are data, or on a condition";
  auto linalgRoot = dyn_cast<linalg::LinalgOp>(root);
  if (!linalgRoot ||
      !linalgRoot.getMatchingIndexingMap(linalgRoot.getDpsInitOperand(0))
           .isProjectedPermutation(/*allowZeroInResults=*/true))
    return "its reader is no linalg op";
  if (root->hasAttr(kInPlaceAttr))
    return "its reader updates an argument, element by element";
  if (isReduction(root) &&
      (reusesInputs(root) || formOf(root, infos[root]) != KernelForm::Rows))
    return "its reader reduces columns";
  std::optional<int64_t> rowDims =
      rowDimsFor(op, root, own.readers.front().second);
  Info &info = infos[root];
  if (!rowDims || (info.rowDims >= 0 && info.rowDims != *rowDims))
    return "its results are no rows of what reads them";
  // The parts of a row that threads hold are those of the root.
  SizeAlgebra sizes;
  if (rowLengthOf(sizes, cast<linalg::LinalgOp>(op), *rowDims) !=
      rowLengthOf(sizes, linalgRoot, *rowDims))
    return "its rows are longer or shorter than those of what reads it";
  if (!isReduction(root))
    info.rowDims = *rowDims;
  return "";
}

/// Why `op` has a kernel of its own; empty where it is inlined.
std::string KernelFormer::whyRoot(Operation *op, Info &own) {
  if (isDenseAppend(op))
    return "it writes into a cache";
  if (getUpdateOfSlice(op))
    return "it writes a slice into an argument";
  if (readsWhatGrows(op))
    return "it reads a cache that grows behind it";
  if (own.needsBuffer)
    return "an op that is no kernel of tensor ops, or the caller, reads it";
  if (op->getNumResults() > 1 && !isReduction(op))
    return "it has several results";
  if (own.readers.size() > 1 && !isFree(op))
    return std::to_string(own.readers.size()) +
           " kernels read it, and reading it from memory costs less than "
           "computing it again";
  if (roundsProduct(op))
    return "it rounds a product, which is stored so";
  for (auto &[root, masks] : own.readers) {
    Info &info = infos[root];
    // What is neither is a view, or what sums begin with.
    if (info.product && info.product->reads(op))
      return "a product on tensor cores reads it";
    if (!info.product && reusesInputs(root) && !isConversion(op))
      return "a contraction reads it several times";
    if (info.bodyOps > kMaxBodyOps)
      return "the kernel that reads it has " + std::to_string(info.bodyOps) +
             " scalar ops already";
  }
  if (isReduction(op))
    return whyNotInRow(op, own, own.readers.front().first);
  if (own.isGathered && !isFree(op))
    return "it is read at indices that are data";
  if (!isExpensive(op))
    return "";
  // Computed again for other elements of the root than its own, except where
  // it is one value for a vector of them.
  for (auto &[root, masks] : own.readers) {
    uint64_t all = unionOf(masks);
    if (isReduction(root) || (all & kVarying))
      continue;
    auto type = typeOf(root->getResult(0));
    int64_t last = type.getRank() - 1;
    while (last > 0 && type.getDimSize(last) == 1)
      --last;
    bool isAdjacent = last >= 0 && (all & (uint64_t(1) << last));
    for (int64_t dim = 0; isAdjacent && dim < last; ++dim)
      if (type.getDimSize(dim) != 1 && !(all & (uint64_t(1) << dim)))
        return "its reader would compute its functions once for every "
               "repetition of its elements";
  }
  return "";
}

void KernelFormer::place(Operation *op) {
  Info own;
  collectUses(op, own);
  if (isView(op) || (own.readers.empty() && !own.needsBuffer)) {
    infos[op] = std::move(own);
    return;
  }
  std::string why = whyRoot(op, own);
  own.isRoot = !why.empty();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      own.isRoot && linalgOp && reusesInputs(op)) {
    own.product = matchProduct(linalgOp, own.noProduct);
    Operation *reader =
        own.readers.size() == 1 ? own.readers.front().first : nullptr;
    if (own.product && reader && productChainOf(reader).contraction == op) {
      infos[reader].product = std::exchange(own.product, std::nullopt);
      own.isRoot = false;
    }
  }
  int64_t ops = 1;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    ops = int64_t(linalgOp.getBlock()->getOperations().size());
  if (own.isRoot)
    own.bodyOps = ops;
  else
    for (auto &[root, masks] : own.readers)
      infos[root].bodyOps += ops;
  reasons[op] = why;
  infos[op] = std::move(own);
}

KernelForm KernelFormer::formOf(Operation *op, const Info &own) {
  if (own.product)
    return KernelForm::Product;
  if (!isReduction(op))
    return own.rowDims >= 0 ? KernelForm::Rows : KernelForm::Map;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (linalgOp.getNumParallelLoops() == 0 || linalgOp.getNumDpsInputs() == 0)
    return KernelForm::Rows;
  // Lanes run over what is adjacent in all inputs, or in the result.
  SmallVector<utils::IteratorType> iterators = linalgOp.getIteratorTypesArray();
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    if (!isFolded(linalgOp, input))
      continue;
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!dim || iterators[dim.getPosition()] == utils::IteratorType::parallel)
      return KernelForm::Columns;
  }
  return KernelForm::Rows;
}

void KernelFormer::record(Operation *op) {
  auto found = infos.find(op);
  if (found == infos.end() || isView(op))
    return;
  Builder builder(op->getContext());
  const Info &own = found->second;
  if (!own.isRoot) {
    op->setAttr(kInlinedAttr, builder.getUnitAttr());
    if (!own.readers.empty())
      explain(op, "kernel")
          << "computed inside "
          << (own.readers.size() == 1 ? std::string("the kernel that reads it")
                                      : std::to_string(own.readers.size()) +
                                            " kernels that read it");
    return;
  }
  KernelForm form = formOf(op, own);
  op->setAttr(kKernelAttr, builder.getStringAttr(stringifyKernelForm(form)));
  if (own.rowDims >= 0)
    op->setAttr(kRowDimsAttr, builder.getI64IntegerAttr(own.rowDims));
  explain(op, "kernel") << "a kernel of its own (" << stringifyKernelForm(form)
                        << "): " << reasons[op];
  if (own.product)
    explain(op, "kernel") << "a product of two activations, on tensor cores";
  else if (reusesInputs(op))
    explain(op, "kernel")
        << "a contraction without tensor cores, whose kernel is "
           "correct and not fast: "
        << own.noProduct;
}

namespace {
struct FormKernels : sparseflow::impl::SparseFlowFormKernelsBase<FormKernels> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal() && function.getBody().hasOneBlock())
      KernelFormer(function).run();
  }
};
} // namespace
