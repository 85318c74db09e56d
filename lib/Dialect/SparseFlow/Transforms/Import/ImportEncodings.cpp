//===- ImportEncodings.cpp - structured[n, m] becomes #sparseflow.nm ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWIMPORTENCODINGS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;
using sparse_tensor::SparseTensorEncodingAttr;

namespace {
/// n, m and the grouped dimension of an upstream encoding.
struct Structure {
  int64_t n, m;
  unsigned axis;
};
} // namespace

/// Reads an encoding whose levels are the dimensions, in any order, all dense
/// but one: that one is split into `d floordiv m : dense, d mod m :
/// structured[n, m]`. Anything else, such as CSR, is no N:M encoding. The order
/// of levels is a matter of storage, which #sparseflow.nm leaves open.
static std::optional<Structure> matchStructured(SparseTensorEncodingAttr enc) {
  AffineMap map = enc.getDimToLvl();
  ArrayRef<sparse_tensor::LevelType> levels = enc.getLvlTypes();
  if (!map || map.getNumResults() != map.getNumDims() + 1 ||
      !enc.getDimSlices().empty())
    return std::nullopt;
  std::optional<Structure> result;
  for (unsigned i = 0, e = levels.size(); i < e; ++i) {
    AffineExpr expr = map.getResult(i);
    if (!sparse_tensor::isDenseLT(levels[i]))
      return std::nullopt;
    if (isa<AffineDimExpr>(expr))
      continue;
    auto split = dyn_cast<AffineBinaryOpExpr>(expr);
    if (result || !split || split.getKind() != AffineExprKind::FloorDiv ||
        i + 1 == e || !sparse_tensor::isNOutOfMLT(levels[i + 1]))
      return std::nullopt;
    auto dim = dyn_cast<AffineDimExpr>(split.getLHS());
    int64_t m = sparse_tensor::getM(levels[i + 1]);
    if (!dim || expr != dim.floorDiv(m) || map.getResult(i + 1) != dim % m)
      return std::nullopt;
    result = Structure{static_cast<int64_t>(sparse_tensor::getN(levels[i + 1])),
                       m, dim.getPosition()};
    ++i;
  }
  return result;
}

/// A conversion between dense and N:M keeps the non-zeros: pruning a tensor
/// that has the pattern, or forgetting that it has it.
static void replaceConversions(ModuleOp module) {
  module.walk([](sparse_tensor::ConvertOp op) {
    Type source = op.getSource().getType(), dest = op.getDest().getType();
    OpBuilder b(op);
    Value replacement;
    if (getNmEncoding(dest) && source == dropEncoding(dest))
      replacement = PruneOp::create(b, op.getLoc(), dest, op.getSource());
    else if (getNmEncoding(source) && dest == dropEncoding(source))
      replacement =
          UnpackOp::create(b, op.getLoc(), dest, op.getSource(), StorageAttr());
    else
      return;
    op.getResult().replaceAllUsesWith(replacement);
    op.erase();
  });
}

namespace {
struct ImportEncodings
    : sparseflow::impl::SparseFlowImportEncodingsBase<ImportEncodings> {
  void runOnOperation() override {
    Operation *current = getOperation();
    bool hasError = false;
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
      auto upstream =
          dyn_cast_or_null<SparseTensorEncodingAttr>(type.getEncoding());
      if (!upstream)
        return std::nullopt;
      std::optional<Structure> structure = matchStructured(upstream);
      if (!structure) {
        explain(current, "import")
            << "left " << type
            << " alone: only dense levels and one structured[n, m] level "
               "are an N:M encoding";
        return type;
      }
      auto error = [&] { return current->emitError("cannot import: "); };
      bool isLast = structure->axis + 1 == type.getRank();
      auto encoding = NmAttr::getChecked(
          error, &getContext(), structure->n, structure->m,
          isLast ? int64_t{-1} : static_cast<int64_t>(structure->axis));
      auto result =
          encoding
              ? RankedTensorType::getChecked(error, type.getShape(),
                                             type.getElementType(), encoding)
              : RankedTensorType();
      if (!result) {
        hasError = true;
        return type;
      }
      return result;
    });
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      current = op;
      replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                                 /*replaceLocs=*/false, /*replaceTypes=*/true);
    });
    if (hasError)
      return signalPassFailure();
    replaceConversions(getOperation());
  }
};
} // namespace
