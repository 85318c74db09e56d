//===- HoistConstants.cpp - Weights out of the program --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/HoistConstants.h"

#include "Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::sparseflow;

static int64_t elementBytes(ShapedType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// The bytes of `value`, of which a splat has those of one element.
static ArrayRef<char> rawBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  AsmResourceBlob *blob =
      cast<DenseResourceElementsAttr>(value).getRawHandle().getBlob();
  return blob ? blob->getData() : ArrayRef<char>();
}

std::vector<char> HoistedConstant::bytes() const {
  ArrayRef<char> raw = rawBytes(value);
  int64_t size = elementBytes(type), count = type.getNumElements();
  std::vector<char> result;
  result.reserve(size * count);
  auto append = [&](int64_t index) {
    const char *from = raw.data() + (value.isSplat() ? 0 : index * size);
    result.insert(result.end(), from, from + size);
  };
  if (!isTransposed) {
    for (int64_t i = 0; i < count; ++i)
      append(i);
    return result;
  }
  int64_t n = type.getDimSize(0), k = type.getDimSize(1);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < k; ++j)
      append(j * n + i);
  return result;
}

/// True for a constant that has to be passed from outside.
static bool isWeight(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto value = dyn_cast<ElementsAttr>(op.getValue());
  if (!type || !value || type.getEncoding() || type.getNumElements() < 2 ||
      !isa<Float16Type, BFloat16Type, Float32Type>(type.getElementType()) ||
      !isa<DenseElementsAttr, DenseResourceElementsAttr>(value))
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  bool isZero =
      dense && dense.isSplat() && dense.getSplatValue<APFloat>().isZero();
  return !isZero || llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return !user || !user.isDpsInit(&use);
  });
}

/// Data that are elided, or cut short by hand, cannot be written to a file.
static LogicalResult checkData(arith::ConstantOp op) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource)
    return success();
  int64_t expected =
      resource.getType().getNumElements() * elementBytes(resource.getType());
  int64_t found = rawBytes(resource).size();
  if (found == expected)
    return success();
  return op.emitOpError("expected ")
         << expected << " bytes of data for " << resource.getType()
         << ", found " << found << " in the resource '"
         << resource.getRawHandle().getKey()
         << "'; print the module without eliding large constants";
}

/// What a resource is called, as far as a command line takes it.
static std::string nameOf(ElementsAttr value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return "";
  std::string name = resource.getRawHandle().getKey().str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '.')
      c = '_';
  return name;
}

namespace {
class Hoisting {
public:
  LogicalResult run(func::FuncOp function);
  std::vector<HoistedConstant> constants;
  /// Names that are taken: those of arguments.
  llvm::StringSet<> names;

private:
  std::string newName(ElementsAttr value);
  void orient(func::FuncOp function, unsigned index, HoistedConstant &constant,
              ArrayRef<WeightUse> uses);
};
} // namespace

std::string Hoisting::newName(ElementsAttr value) {
  std::string name = nameOf(value);
  if (!name.empty() && names.insert(name).second)
    return name;
  std::string stem = name.empty() ? "constant" : name + "_";
  for (unsigned i = 0;; ++i)
    if (std::string numbered = stem + std::to_string(i);
        names.insert(numbered).second)
      return numbered;
}

/// A weight [K, N] becomes [N, K], as matmuls read it, and the program sees
/// its transpose.
void Hoisting::orient(func::FuncOp function, unsigned index,
                      HoistedConstant &constant, ArrayRef<WeightUse> uses) {
  bool isKN = constant.type.getRank() == 2 && !uses.empty() &&
              llvm::all_of(uses, [](const WeightUse &use) {
                return use.k == 0 && use.n == 1;
              });
  if (!isKN)
    return;
  constant.isTransposed = true;
  BlockArgument argument = function.getArgument(index);
  RankedTensorType original = constant.type;
  constant.type =
      RankedTensorType::get({original.getDimSize(1), original.getDimSize(0)},
                            original.getElementType());
  argument.setType(constant.type);
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  Location loc = argument.getLoc();
  Value empty = tensor::EmptyOp::create(b, loc, original.getShape(),
                                        original.getElementType());
  auto transpose = linalg::TransposeOp::create(b, loc, argument, empty,
                                               ArrayRef<int64_t>{1, 0});
  argument.replaceAllUsesExcept(transpose->getResult(0), transpose);
}

LogicalResult Hoisting::run(func::FuncOp function) {
  SmallVector<arith::ConstantOp> ops;
  function.walk([&](arith::ConstantOp op) {
    if (isWeight(op))
      ops.push_back(op);
  });
  unsigned first = function.getNumArguments();
  SmallVector<HoistedConstant> hoisted;
  DenseMap<Attribute, unsigned> indexOf;
  for (arith::ConstantOp op : ops) {
    if (failed(checkData(op)))
      return failure();
    auto value = cast<ElementsAttr>(op.getValue());
    auto [known, isNew] = indexOf.try_emplace(
        value, first + static_cast<unsigned>(hoisted.size()));
    if (isNew) {
      hoisted.push_back(
          {"", cast<RankedTensorType>(op.getType()), value, false});
      if (failed(function.insertArgument(known->second, op.getType(), {},
                                         op.getLoc())))
        return failure();
    }
    op.replaceAllUsesWith(Value(function.getArgument(known->second)));
    op.erase();
  }
  auto weights = findWeights(function);
  for (auto [i, constant] : llvm::enumerate(hoisted)) {
    unsigned index = first + i;
    orient(function, index, constant,
           weights.lookup(function.getArgument(index)));
    // What another function holds as well is one tensor of the file.
    const HoistedConstant &one = constant;
    auto same = llvm::find_if(constants, [&](const HoistedConstant &other) {
      return other.value == one.value && other.type == one.type &&
             other.isTransposed == one.isTransposed;
    });
    bool isShared = same != constants.end();
    constant.name = isShared ? same->name : newName(constant.value);
    function.setArgAttr(index, SparseFlowDialect::kNameAttr,
                        StringAttr::get(function.getContext(), constant.name));
    function.setArgAttr(index, SparseFlowDialect::kConstantAttr,
                        UnitAttr::get(function.getContext()));
    if (!isShared)
      constants.push_back(constant);
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

FailureOr<std::vector<HoistedConstant>>
mlir::sparseflow::hoistConstants(ModuleOp module) {
  Hoisting hoisting;
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto name = function.getArgAttrOfType<StringAttr>(
              i, SparseFlowDialect::kNameAttr))
        hoisting.names.insert(name.getValue());
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  }
  for (func::FuncOp function : functions)
    if (failed(hoisting.run(function)))
      return failure();
  return std::move(hoisting.constants);
}
