//===- GatedOperandA.cpp - The weights of a gated product -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Operands/OperandA.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

GatedOperandA::GatedOperandA(const MatmulProblem &problem)
    : OperandA(problem, AtomInterface()), own(problem.withoutCompanions()),
      weight(OperandA::create(own)) {}

SmallVector<KernelParameter> GatedOperandA::parameters() const {
  SmallVector<KernelParameter> parameters = weight->parameters();
  llvm::append_range(parameters, weight->parameters());
  return parameters;
}

SmallVector<TileType> GatedOperandA::stageTiles() const {
  SmallVector<TileType> tiles = weight->stageTiles();
  llvm::append_range(tiles, weight->stageTiles());
  return tiles;
}

SmallVector<Value> GatedOperandA::makeViews(KernelBuilder &b,
                                            ValueRange pointers) const {
  size_t first = weight->parameters().size();
  SmallVector<Value> views = weight->makeViews(b, pointers.take_front(first));
  llvm::append_range(views, weight->makeViews(b, pointers.drop_front(first)));
  return views;
}

void GatedOperandA::copyStage(KernelBuilder &b, ArrayRef<Value> views,
                              Value feature, Value step,
                              ArrayRef<Value> slots) const {
  for (size_t number = 0; number < kWeights; ++number)
    weight->copyStage(b, partOf(views, number), feature, step,
                      partOf(slots, number));
}

OperandA::Fragment GatedOperandA::loadFragment(KernelBuilder &b,
                                               ArrayRef<Value> stage, Value row,
                                               int64_t rows, Columns columns,
                                               const Fragment &last) const {
  return weight->loadFragment(b, stage, row, rows, columns, last);
}
