//===- TokenBoxes.h - Boxes along the tokens of a tensor --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of a tensor's two maps serves a tile of tokens: that of whole tiles, or
// that of the last one, whose box has no more rows than there are. The choice
// is one of addresses, once a tile, and costs the loop over its stages nothing.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_SUPPORT_TOKENBOXES_H
#define SPARSEFLOW_LIB_KERNELS_SUPPORT_TOKENBOXES_H

#include "Kernels/Support/KernelBuilder.h"

namespace mlir::sparseflow {

class TokenBoxes {
public:
  /// `map` has `tiles`; `whole` and `last` are the kernel's parameters.
  TokenBoxes(const TensorMap &map, Value whole, Value last)
      : map(map), whole(whole), last(last) {}

  /// What the copy of a tile takes: the view, and its rows (i64).
  struct Box {
    Value view, rows;
  };
  /// The box of the tile that begins at `token` (i64), a multiple of a tile's
  /// tokens below their number.
  Box at(KernelBuilder &b, Value token) const;

private:
  TensorMap map;
  Value whole, last;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_SUPPORT_TOKENBOXES_H
