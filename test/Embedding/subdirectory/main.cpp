//===- main.cpp - A library of the compiler inside a project --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Support/LinearLayout.h"

#include <cstdio>

int main() {
  auto layout = mlir::sftile::vectorLayout(64, 8, 8);
  if (!layout || !layout->isBijective())
    return 1;
  std::printf("each of 32 lanes holds %d elements\n",
              static_cast<int>(layout->numRegisters()));
  return 0;
}
