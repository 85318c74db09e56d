//===- MarkSparse.cpp - Declare arguments to be sparse or ternary ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/SparseFlow/Transforms/Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWMARKSPARSE
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// A request to make an argument N:M sparse, ternary or quantized.
struct Mark {
  int64_t n = 0, m = 0;
  /// Set where the weight is to be ternary or quantized.
  TernaryAttr ternary;
  /// Who asks, for messages: "the mark w=2:4".
  std::string origin;

  bool asksLike(const Mark &other) const {
    return n == other.n && m == other.m && ternary == other.ternary;
  }
  /// "2:4", or the encoding.
  std::string text() const {
    if (!ternary)
      return (Twine(n) + ":" + Twine(m)).str();
    std::string result;
    llvm::raw_string_ostream(result) << ternary;
    return result;
  }
};
} // namespace

/// Reads "KEYWORD:STORAGE:SCALE:TYPE[:PLANES]" into `mark`, the keyword of the
/// storage's encoding first.
static LogicalResult parseQuantized(StringRef text, Mark &mark,
                                    Operation *place) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  auto storage = parts.size() < 4 || parts.size() > 5
                     ? std::nullopt
                     : symbolizeTernaryStorage(parts[1]);
  if (!storage)
    return failure();
  int64_t group, planes = 1;
  if (parts[2] == "tensor")
    group = TernaryAttr::kTensorScale;
  else if (parts[2] == "row")
    group = TernaryAttr::kRowScale;
  else if (parts[2].getAsInteger(10, group) || group <= 1)
    return failure();
  Builder b(place->getContext());
  Type scale = parts[3] == "f32"    ? Type(b.getF32Type())
               : parts[3] == "f16"  ? Type(b.getF16Type())
               : parts[3] == "bf16" ? Type(b.getBF16Type())
                                    : Type();
  if (!scale || (parts.size() == 5 && parts[4].getAsInteger(10, planes)))
    return failure();
  mark.ternary = TernaryAttr::getChecked(
      [&] { return place->emitError(mark.origin) << ": "; },
      place->getContext(), *storage, group, scale, planes);
  return success(mark.ternary && mark.ternary.getKeyword() == parts[0]);
}

/// Reads "N:M", "ternary:..." or "quantized:..." into `mark`.
static LogicalResult parsePattern(StringRef text, Mark &mark,
                                  Operation *place) {
  StringRef keyword = text.split(':').first;
  if (keyword == TernaryAttr::getMnemonic() ||
      keyword == TernaryAttr::kQuantized)
    return parseQuantized(text, mark, place);
  auto [n, m] = text.split(':');
  return failure(n.getAsInteger(10, mark.n) || m.getAsInteger(10, mark.m));
}

/// The index of the argument that `argument` names in `function`: by name
/// first, so that an argument named "0" can be marked.
static std::optional<unsigned> findArgument(func::FuncOp function,
                                            StringRef argument) {
  unsigned count = function.getNumArguments();
  for (unsigned i = 0; i < count; ++i) {
    auto name =
        function.getArgAttrOfType<StringAttr>(i, SparseFlowDialect::kNameAttr);
    if (name && name.getValue() == argument)
      return i;
  }
  unsigned index;
  if (argument.getAsInteger(10, index) || index >= count)
    return std::nullopt;
  return index;
}

/// True for a use that gives an encoded tensor a meaning.
static bool carriesEncoding(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (auto matmul = dyn_cast<MatmulOp>(owner))
    return &use == &matmul.getWMutable();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(owner))
    return linalgOp.isDpsInput(&use);
  return isa<tensor::DimOp, UnpackOp>(owner);
}

/// The dimension along which a mark groups: K of the matmuls that the
/// argument is a weight of, or the last one where it is none.
static FailureOr<int64_t> findAxis(func::FuncOp function, unsigned index,
                                   RankedTensorType type,
                                   ArrayRef<WeightUse> uses) {
  if (uses.empty())
    return type.getRank() - 1;
  for (const WeightUse &use : uses.drop_front())
    if (use.k != uses.front().k) {
      InFlightDiagnostic error = function.emitError("cannot mark argument ")
                                 << index
                                 << ": its matmuls sum over different "
                                    "dimensions, and it can be grouped along "
                                    "one only; pass it twice";
      error.attachNote(uses.front().op->getLoc())
          << "this matmul sums over dimension " << uses.front().k;
      error.attachNote(use.op->getLoc())
          << "this matmul sums over dimension " << use.k;
      return error;
    }
  return uses.front().k;
}

static LogicalResult markArgument(func::FuncOp function, unsigned index,
                                  const Mark &mark, ArrayRef<WeightUse> uses) {
  auto error = [&] {
    return function.emitError("cannot mark argument ")
           << index << " as " << mark.text() << ": ";
  };
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
  if (!type)
    return error() << "expected a ranked tensor, found "
                   << function.getArgumentTypes()[index];
  if (mark.ternary && getTernaryEncoding(type) == mark.ternary)
    return success();
  if (NmAttr present = getNmEncoding(type)) {
    if (present.getN() == mark.n && present.getM() == mark.m)
      return success();
    return error() << "that is what " << mark.origin
                   << " says, but its type has the encoding " << present
                   << "; remove one of the two";
  }
  if (type.getEncoding())
    return error() << "it has the encoding " << type.getEncoding()
                   << " already; remove one of the two";
  FailureOr<int64_t> axis = findAxis(function, index, type, uses);
  if (failed(axis))
    return failure();
  bool isLast = *axis == type.getRank() - 1;
  if (mark.ternary && !isLast)
    return error() << "expected a weight [N, K], found one whose matmuls sum "
                      "over dimension "
                   << *axis << "; transpose it in the program";
  Attribute encoding = mark.ternary;
  if (!encoding)
    encoding = NmAttr::getChecked(error, function.getContext(), mark.n, mark.m,
                                  isLast ? -1 : *axis);
  if (!encoding)
    return failure();
  auto encoded = RankedTensorType::getChecked(error, type.getShape(),
                                              type.getElementType(), encoding);
  if (!encoded)
    return failure();

  SmallVector<Type> types(function.getArgumentTypes());
  types[index] = encoded;
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getResultTypes()));
  explain(function, "import")
      << "argument " << index << " is " << encoded << " by request";
  if (function.isExternal())
    return success();

  BlockArgument argument = function.getArgument(index);
  argument.setType(encoded);
  auto needsDense = [](OpOperand &use) { return !carriesEncoding(use); };
  if (llvm::any_of(argument.getUses(), needsDense)) {
    OpBuilder b(function.getContext());
    b.setInsertionPointToStart(&function.front());
    Value dense =
        UnpackOp::create(b, argument.getLoc(), type, argument, StorageAttr());
    argument.replaceUsesWithIf(dense, needsDense);
  }
  return success();
}

namespace {
struct MarkSparse : sparseflow::impl::SparseFlowMarkSparseBase<MarkSparse> {
  using SparseFlowMarkSparseBase::SparseFlowMarkSparseBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(collectAttributes(function)))
        return signalPassFailure();
    for (StringRef text : mark)
      if (failed(collectOption(text)))
        return signalPassFailure();
    for (auto &[function, byArgument] : requests) {
      llvm::MapVector<BlockArgument, SmallVector<WeightUse>> weights;
      if (!function.isExternal())
        weights = findWeights(function);
      for (auto &[index, request] : byArgument) {
        ArrayRef<WeightUse> uses;
        if (!function.isExternal())
          uses = weights[function.getArgument(index)];
        if (failed(markArgument(function, index, request, uses)))
          return signalPassFailure();
      }
    }
    requests.clear();
  }

  LogicalResult add(func::FuncOp function, unsigned index, const Mark &item) {
    auto [known, isNew] = requests[function].try_emplace(index, item);
    const Mark &first = known->second;
    if (isNew || first.asksLike(item))
      return success();
    return function.emitError("cannot mark argument ")
           << index << ": " << first.origin << " says " << first.text()
           << " and " << item.origin << " says " << item.text()
           << "; remove one of the two";
  }

  /// Attributes on arguments, which the encoding replaces.
  LogicalResult collectAttributes(func::FuncOp function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      auto text = function.getArgAttrOfType<StringAttr>(
          i, SparseFlowDialect::kSparseAttr);
      if (!text)
        continue;
      Mark item;
      item.origin =
          ("its attribute '" + SparseFlowDialect::kSparseAttr + "'").str();
      if (failed(parsePattern(text.getValue(), item, function)))
        return function.emitError("expected '")
               << SparseFlowDialect::kSparseAttr << "' of argument " << i
               << " as \"N:M\" or \"ternary:STORAGE:SCALE:TYPE\", found "
               << text;
      if (failed(add(function, i, item)))
        return failure();
      function.removeArgAttr(i, SparseFlowDialect::kSparseAttr);
    }
    return success();
  }

  /// One item of the option, ARG=N:M. A name may hold '=', so the last one
  /// separates.
  LogicalResult collectOption(StringRef text) {
    auto [argument, pattern] = text.rsplit('=');
    Mark item;
    item.origin = ("the mark " + text).str();
    if (argument.empty() || failed(parsePattern(pattern, item, getOperation())))
      return getOperation().emitError()
             << "expected an item of 'mark' as NAME=N:M or INDEX=N:M, or with "
                "ternary:STORAGE:SCALE:TYPE[:PLANES] or quantized:... in place "
                "of N:M, found \""
             << text << "\"";
    bool found = false;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (std::optional<unsigned> index = findArgument(function, argument)) {
        found = true;
        if (failed(add(function, *index, item)))
          return failure();
      }
    if (found)
      return success();
    return getOperation().emitError()
           << "expected 'mark' to name an argument, found \"" << argument
           << "\", which no function has; names are the '"
           << SparseFlowDialect::kNameAttr << "' of arguments";
  }

  llvm::MapVector<func::FuncOp, llvm::MapVector<unsigned, Mark>> requests;
};
} // namespace
