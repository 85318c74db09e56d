//===- Signature.cpp - Which sizes of a function are the same -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/Signature.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Equivalence classes of dimensions. A class is one static size or unknown.
class Dimensions {
public:
  using Id = unsigned;

  Id create(int64_t size) {
    classes.push_back({static_cast<Id>(classes.size()), size});
    return classes.size() - 1;
  }

  Id find(Id id) {
    while (classes[id].parent != id)
      id = classes[id].parent = classes[classes[id].parent].parent;
    return id;
  }

  int64_t getSize(Id id) { return classes[find(id)].size; }

  /// The lower id stays the root, so classes keep the order of the arguments.
  LogicalResult unify(Id a, Id b) {
    a = find(a);
    b = find(b);
    if (a == b)
      return success();
    if (b < a)
      std::swap(a, b);
    int64_t &size = classes[a].size, other = classes[b].size;
    if (ShapedType::isStatic(size) && ShapedType::isStatic(other) &&
        size != other)
      return failure();
    if (ShapedType::isDynamic(size))
      size = other;
    classes[b].parent = a;
    return success();
  }

private:
  struct Class {
    Id parent;
    int64_t size;
  };
  SmallVector<Class> classes;
};

class SignatureInference {
public:
  explicit SignatureInference(func::FuncOp function) : function(function) {}
  FailureOr<FunctionSignature> run();

private:
  using Ids = SmallVector<Dimensions::Id>;

  void addValue(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    Ids &list = ids[value];
    for (int64_t size : type.getShape())
      list.push_back(dimensions.create(size));
    order.push_back(value);
  }

  /// The dimensions of `value`; none where it is no ranked tensor.
  ArrayRef<Dimensions::Id> get(Value value) {
    auto known = ids.find(value);
    return known == ids.end() ? ArrayRef<Dimensions::Id>() : known->second;
  }

  LogicalResult unify(Operation *op, ArrayRef<Dimensions::Id> a,
                      ArrayRef<Dimensions::Id> b) {
    for (auto [x, y] : llvm::zip(a, b))
      if (failed(dimensions.unify(x, y)))
        return op->emitOpError("expected equal sizes, found ")
               << dimensions.getSize(x) << " and " << dimensions.getSize(y)
               << "; the shapes of its operands contradict each other";
    return success();
  }

  LogicalResult visit(Operation *op);
  LogicalResult visitMatmul(MatmulOp op);
  LogicalResult visitAttention(AttentionOp op);
  LogicalResult visitAppend(CacheAppendOp op);
  LogicalResult visitLinalg(linalg::LinalgOp op);
  LogicalResult visitSizes(Operation *op, ArrayRef<OpFoldResult> sizes,
                           ArrayRef<Dimensions::Id> list);
  LogicalResult visitConcat(tensor::ConcatOp op);
  LogicalResult visitPad(tensor::PadOp op);
  LogicalResult visitReshape(Operation *op, Value longer, Value shorter,
                             ArrayRef<ReassociationIndices> groups);
  LogicalResult collectNames(FunctionSignature &signature);
  SymbolicShape getShape(ArrayRef<Dimensions::Id> list) {
    SymbolicShape shape;
    for (Dimensions::Id id : list) {
      Dimensions::Id root = dimensions.find(id);
      shape.push_back({dimensions.getSize(root), symbolOf.lookup(root)});
    }
    return shape;
  }

  func::FuncOp function;
  Dimensions dimensions;
  llvm::DenseMap<Value, Ids> ids;
  SmallVector<Value> order;
  llvm::DenseMap<Dimensions::Id, std::string> symbolOf;
};
} // namespace

LogicalResult SignatureInference::visitMatmul(MatmulOp op) {
  ArrayRef<Dimensions::Id> y = get(op.getResult()), x = get(op.getX());
  if (failed(unify(op, y.drop_back(), x.drop_back())))
    return failure();
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList())) {
    ArrayRef<Dimensions::Id> part;
    switch (broadcast) {
    case Broadcast::PerFeature:
      part = y.take_back(1);
      break;
    case Broadcast::PerToken:
      part = y.drop_back(1);
      break;
    case Broadcast::Full:
      part = y;
      break;
    case Broadcast::Scalar:
      break;
    }
    if (failed(unify(op, part, get(operand))))
      return failure();
  }
  return success();
}

/// Every operand dimension that is a loop has the size of that loop.
LogicalResult SignatureInference::visitLinalg(linalg::LinalgOp op) {
  SmallVector<std::optional<Dimensions::Id>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [id, expr] : llvm::zip(get(operand.get()), map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      std::optional<Dimensions::Id> &first = loops[loop.getPosition()];
      if (!first)
        first = id;
      else if (failed(unify(op, *first, id)))
        return failure();
    }
  }
  for (auto [init, result] : llvm::zip(op.getDpsInits(), op->getResults()))
    if (failed(unify(op, get(init), get(result))))
      return failure();
  return success();
}

LogicalResult SignatureInference::visitAttention(AttentionOp op) {
  ArrayRef<Dimensions::Id> q = get(op.getQ()), k = get(op.getK());
  unsigned head = op.getHeadDim(), sequence = op.getSequenceDim();
  auto same = [&](ArrayRef<Dimensions::Id> a, ArrayRef<Dimensions::Id> b) {
    return unify(op, a, b);
  };
  Value pages = op.getPages();
  // Of packed queries lengths count the sequences.
  ArrayRef<Dimensions::Id> entries =
      (op.hasOwnCaches() ? get(op.getLengths()) : q).take_front();
  if (failed(same(entries, (pages ? get(pages) : k).take_front())) ||
      failed(same(q.drop_back(), get(op.getResult()).drop_back())) ||
      failed(same(k.drop_back(), get(op.getV()).drop_back())))
    return failure();
  if (!op.getValueFeatures() &&
      failed(same(get(op.getV()).take_back(), get(op.getResult()).take_back())))
    return failure();
  if (op.getLengths() && failed(same(entries, get(op.getLengths()))))
    return failure();
  if (op.getCuSeqlensK() &&
      failed(same(get(op.getCuSeqlensQ()), get(op.getCuSeqlensK()))))
    return failure();
  if (op.getLse() &&
      failed(same({q[0], q[head], q[sequence]}, get(op.getLse()))))
    return failure();
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands())) {
    Ids sizes;
    for (char letter : op.getScoreDims(index))
      sizes.push_back(letter == 'b'   ? q[0]
                      : letter == 'h' ? q[head]
                      : letter == 'q' ? q[sequence]
                      : pages         ? dimensions.create(op.getKeyCount())
                                      : k[sequence]);
    if (failed(same(sizes, get(operand))))
      return failure();
  }
  return success();
}

LogicalResult SignatureInference::visitAppend(CacheAppendOp op) {
  ArrayRef<Dimensions::Id> cache = get(op.getCache());
  ArrayRef<Dimensions::Id> tokens = get(op.getTokens());
  // Pages belong to all batch entries; a row of the table is one's.
  ArrayRef<Dimensions::Id> entries =
      op.getPages() ? get(op.getPages()).take_front() : cache.take_front();
  for (unsigned dim = 1; dim < cache.size(); ++dim)
    if (dim != op.getSequenceDim() &&
        failed(unify(op, cache[dim], tokens[dim])))
      return failure();
  return failure(failed(unify(op, cache, get(op.getResult()))) ||
                 failed(unify(op, entries, tokens.take_front())) ||
                 failed(unify(op, entries, get(op.getLengths()))));
}

/// A size that was read from a tensor is that tensor's, for `list`, the
/// dimensions that have `sizes`.
LogicalResult SignatureInference::visitSizes(Operation *op,
                                             ArrayRef<OpFoldResult> sizes,
                                             ArrayRef<Dimensions::Id> list) {
  for (auto [id, size] : llvm::zip(list, sizes)) {
    auto value = dyn_cast<Value>(size);
    auto dim = value ? value.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
    std::optional<int64_t> index =
        dim ? dim.getConstantIndex() : std::optional<int64_t>();
    ArrayRef<Dimensions::Id> source;
    if (index)
      source = get(dim.getSource());
    if (index && *index >= 0 && *index < static_cast<int64_t>(source.size()) &&
        failed(unify(op, id, source[*index])))
      return failure();
  }
  return success();
}

/// What is concatenated differs in one dimension, which is no symbol where it
/// is dynamic.
LogicalResult SignatureInference::visitConcat(tensor::ConcatOp op) {
  ArrayRef<Dimensions::Id> result = get(op.getResult());
  for (Value input : op.getInputs())
    for (auto [i, id] : llvm::enumerate(get(input)))
      if (i != op.getDim() && failed(unify(op, result[i], id)))
        return failure();
  return success();
}

LogicalResult SignatureInference::visitPad(tensor::PadOp op) {
  ArrayRef<Dimensions::Id> from = get(op.getSource()), to = get(op.getResult());
  for (auto [i, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad()))
    if (isConstantIntValue(low, 0) && isConstantIntValue(high, 0) &&
        failed(unify(op, from[i], to[i])))
      return failure();
  return success();
}

/// A dimension that only unit dimensions were folded into, or taken from, is
/// the same size on both sides.
LogicalResult
SignatureInference::visitReshape(Operation *op, Value longer, Value shorter,
                                 ArrayRef<ReassociationIndices> groups) {
  for (auto [id, group] : llvm::zip(get(shorter), groups)) {
    SmallVector<Dimensions::Id> parts;
    for (int64_t dim : group)
      if (Dimensions::Id part = get(longer)[dim]; dimensions.getSize(part) != 1)
        parts.push_back(part);
    if (parts.size() == 1 && failed(unify(op, id, parts.front())))
      return failure();
  }
  return success();
}

LogicalResult SignatureInference::visit(Operation *op) {
  for (Value result : op->getResults())
    addValue(result);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return visitMatmul(matmul);
  if (auto attention = dyn_cast<AttentionOp>(op))
    return visitAttention(attention);
  if (auto append = dyn_cast<CacheAppendOp>(op))
    return visitAppend(append);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return visitReshape(op, collapse.getSrc(), collapse.getResult(),
                        collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return failure(failed(visitReshape(op, expand.getResult(), expand.getSrc(),
                                       expand.getReassociationIndices())) ||
                   failed(visitSizes(op, expand.getMixedOutputShape(),
                                     get(expand.getResult()))));
  if (auto quantize = dyn_cast<QuantizeOp>(op)) {
    ArrayRef<Dimensions::Id> x = get(quantize.getX());
    return failure(failed(unify(op, x, get(quantize.getQuantized()))) ||
                   failed(unify(op, x.drop_back(), get(quantize.getScale()))));
  }
  if (auto rotation = dyn_cast<HadamardOp>(op))
    return unify(op, get(rotation.getX()), get(rotation.getResult()));
  if (auto sample = dyn_cast<SampleOp>(op)) {
    ArrayRef<Dimensions::Id> rows = get(sample.getLogits()).drop_back();
    for (Value each : op->getOperands().drop_front())
      if (failed(unify(op, rows, get(each))))
        return failure();
    return unify(op, rows, get(sample.getIds()));
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return visitSizes(op, empty.getMixedSizes(), get(empty.getResult()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(i))
        sizes.push_back(size);
    return visitSizes(op, sizes, get(slice.getResult()));
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return unify(op, get(insert.getDest()), get(insert.getResult()));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return visitConcat(concat);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return visitPad(pad);
  // What an append on the CPU is: pages that a loop changes.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, result] : llvm::zip(loop.getInitArgs(), loop.getResults()))
      if (failed(unify(op, get(init), get(result))))
        return failure();
    return success();
  }
  // Packed bytes have sizes of their own.
  auto unpack = dyn_cast<UnpackOp>(op);
  if (isa<tensor::CastOp>(op) || (unpack && !unpack.getStorageAttr()))
    return unify(op, get(op->getOperand(0)), get(op->getResult(0)));
  return success();
}

LogicalResult SignatureInference::collectNames(FunctionSignature &signature) {
  llvm::StringMap<unsigned> seen;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    auto attribute =
        function.getArgAttrOfType<StringAttr>(i, SparseFlowDialect::kNameAttr);
    std::string name =
        attribute ? attribute.getValue().str() : "arg" + std::to_string(i);
    auto [entry, isNew] = seen.try_emplace(name, i);
    if (!isNew)
      return function.emitOpError("expected argument names to be unique, "
                                  "found arguments ")
             << entry->second << " and " << i << " named \"" << name
             << "\"; change '" << SparseFlowDialect::kNameAttr << "'";
    signature.argumentNames.push_back(std::move(name));
  }
  return success();
}

FailureOr<FunctionSignature> SignatureInference::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a body of one block, found ")
           << function.getBody().getBlocks().size()
           << "; control flow cannot be compiled";
  FunctionSignature signature;
  if (failed(collectNames(signature)))
    return failure();

  for (BlockArgument argument : function.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      return function.emitOpError("expected argument ")
             << argument.getArgNumber() << " to be a ranked tensor, found "
             << argument.getType()
             << "; pass a scalar as a tensor of rank 0, such as tensor<f32>";
    addValue(argument);
  }
  for (Operation &op : function.front().without_terminator())
    if (failed(visit(&op)))
      return failure();

  for (BlockArgument argument : function.getArguments())
    for (Dimensions::Id id : get(argument)) {
      Dimensions::Id root = dimensions.find(id);
      if (ShapedType::isStatic(dimensions.getSize(root)) ||
          symbolOf.contains(root))
        continue;
      unsigned count = signature.symbols.size();
      std::string symbol = count == 0 ? "T" : "T" + std::to_string(count);
      symbolOf[root] = symbol;
      signature.symbols.push_back(symbol);
    }

  for (BlockArgument argument : function.getArguments())
    signature.argumentShapes.push_back(getShape(get(argument)));
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      return terminator->emitOpError("expected result ")
             << operand.getOperandNumber() << " to be a ranked tensor, found "
             << operand.get().getType();
    SymbolicShape shape = getShape(get(operand.get()));
    for (auto [i, dim] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(dim.size) && dim.symbol.empty()) {
        InFlightDiagnostic error =
            terminator->emitOpError("expected dimension ")
            << i << " of result " << operand.getOperandNumber()
            << " to be a size of an argument, found a size that no "
               "argument determines";
        if (Operation *origin = operand.get().getDefiningOp())
          error.attachNote(origin->getLoc())
              << "the result comes from '" << origin->getName()
              << "'; sizes are followed through sparseflow.matmul, "
                 "sparseflow.attention, linalg ops, tensor.cast, slices, unit "
                 "dimensions";
        return error;
      }
    signature.resultShapes.push_back(std::move(shape));
    signature.resultUpdates.push_back(getUpdatedArgument(operand.get()));
  }
  for (Value value : order)
    signature.shapes[value] = getShape(get(value));
  return signature;
}

FailureOr<FunctionSignature>
mlir::sparseflow::inferSignature(func::FuncOp function) {
  return SignatureInference(function).run();
}

void mlir::sparseflow::recordSignature(func::FuncOp function,
                                       const FunctionSignature &signature) {
  Builder b(function.getContext());
  auto strings = [&](ArrayRef<std::string> list) {
    return b.getArrayAttr(llvm::map_to_vector(
        list, [&](StringRef s) -> Attribute { return b.getStringAttr(s); }));
  };
  auto shapes = [&](ArrayRef<SymbolicShape> list) {
    SmallVector<Attribute> result;
    for (const SymbolicShape &shape : list)
      result.push_back(b.getArrayAttr(
          llvm::map_to_vector(shape, [&](const SymbolicDim &dim) -> Attribute {
            if (dim.symbol.empty())
              return b.getI64IntegerAttr(dim.size);
            return b.getStringAttr(dim.symbol);
          })));
    return b.getArrayAttr(result);
  };
  using D = SparseFlowDialect;
  function->setAttr(D::kSymbolsAttr, strings(signature.symbols));
  function->setAttr(D::kArgumentNamesAttr, strings(signature.argumentNames));
  function->setAttr(D::kArgumentShapesAttr, shapes(signature.argumentShapes));
  function->setAttr(D::kArgumentTypesAttr,
                    b.getTypeArrayAttr(function.getArgumentTypes()));
  function->setAttr(D::kResultShapesAttr, shapes(signature.resultShapes));
  function->setAttr(D::kResultTypesAttr,
                    b.getTypeArrayAttr(function.getResultTypes()));
  if (llvm::any_of(signature.resultUpdates, [](int64_t i) { return i >= 0; }))
    function->setAttr(kResultUpdatesAttr,
                      b.getDenseI64ArrayAttr(signature.resultUpdates));
}

//===----------------------------------------------------------------------===//
// Updates in place
//===----------------------------------------------------------------------===//

int64_t mlir::sparseflow::getUpdatedArgument(Value value) {
  Operation *op = value.getDefiningOp();
  auto number =
      op ? op->getAttrOfType<IntegerAttr>(kInPlaceAttr) : IntegerAttr();
  if (number)
    return number.getInt();
  auto append = dyn_cast_or_null<CacheAppendOp>(op);
  auto cache =
      append ? dyn_cast<BlockArgument>(append.getCache()) : BlockArgument();
  return cache ? static_cast<int64_t>(cache.getArgNumber()) : -1;
}

/// Checks that `op`, which updates `argument` in place, is the last reader of
/// it and of its updates before, and that callers see it.
static LogicalResult verifyUpdate(Operation *op, BlockArgument argument) {
  SmallVector<Operation *> readers(argument.getUsers());
  for (Operation *before = &op->getBlock()->front(); before != op;
       before = before->getNextNode())
    if (auto number = before->getAttrOfType<IntegerAttr>(kInPlaceAttr);
        number && number.getInt() == int64_t(argument.getArgNumber()))
      llvm::append_range(readers, before->getUsers());
  for (size_t at = 0; at < readers.size(); ++at) {
    Operation *reader = readers[at];
    // Who reads another shape reads the argument.
    bool isShape = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                       tensor::CastOp, tensor::ReshapeOp>(reader);
    // An integer that elements decide is read by the kernel that uses it.
    bool isNumber = reader->getNumResults() == 1 &&
                    reader->getBlock() == op->getBlock() &&
                    isFromData(reader->getResult(0));
    if (reader != op && (isShape || isNumber))
      llvm::append_range(readers, reader->getUsers());
    if (isNumber)
      continue;
    // What a body reads, its op reads.
    Operation *outer = op->getBlock()->findAncestorOpInBlock(*reader);
    bool isLater = reader != op && !isa<tensor::DimOp>(reader) &&
                   (isa<func::ReturnOp>(reader) || op->isBeforeInBlock(outer));
    if (isLater)
      return reader->emitOpError("reads argument ")
             << argument.getArgNumber() << " behind the " << op->getName()
             << " that updates it in place; read the result of the update";
  }
  // The next one of several slices is checked in turn.
  if (llvm::any_of(op->getUsers(), [&](Operation *user) {
        tensor::InsertSliceOp next = getUpdateOfSlice(user);
        return next && next.getDest() == op->getResult(0);
      }))
    return success();
  int64_t returns = llvm::count_if(
      op->getUsers(), [](Operation *o) { return isa<func::ReturnOp>(o); });
  if (returns != 1)
    return op->emitOpError("expected the function to return the cache once, so "
                           "that its callers see that argument ")
           << argument.getArgNumber() << " is updated, found " << returns
           << " returns of it";
  return success();
}

LogicalResult mlir::sparseflow::verifyUpdates(func::FuncOp function) {
  bool hasError = false;
  for (Operation &op : function.front()) {
    if (auto number = op.getAttrOfType<IntegerAttr>(kInPlaceAttr)) {
      hasError |=
          failed(verifyUpdate(&op, function.getArgument(number.getInt())));
      continue;
    }
    auto append = dyn_cast<CacheAppendOp>(op);
    if (!append)
      continue;
    auto cache = dyn_cast<BlockArgument>(append.getCache());
    if (!cache)
      hasError |= failed(
          append.emitOpError("expected a cache that is an argument of the "
                             "function, which is updated in place; found the "
                             "result of ")
          << append.getCache().getDefiningOp()->getName()
          << "; append all tokens at once");
    else
      hasError |= failed(verifyUpdate(append, cache));
  }
  return failure(hasError);
}
