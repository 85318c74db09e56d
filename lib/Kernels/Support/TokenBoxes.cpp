//===- TokenBoxes.cpp - Boxes along the tokens of a tensor ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/TokenBoxes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

TokenBoxes::Box TokenBoxes::at(KernelBuilder &b, Value token) const {
  Value isLast =
      arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::ugt,
                            b.add(token, map.tiles->tokens), b.count());
  Value rows = map.tiles->rowsOfLast(b.builder, b.loc, b.count());
  auto select = [&](Value a, Value other) -> Value {
    return arith::SelectOp::create(b.builder, b.loc, isLast, a, other);
  };
  return {b.mappedView(select(last, whole), map.elementType),
          select(rows, b.i64(map.box.back()))};
}
