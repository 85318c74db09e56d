//===- RowLayouts.h - Layouts of statistics of rows -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_ROWLAYOUTS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_ROWLAYOUTS_H

#include "SparseFlow/Support/LinearLayout.h"

namespace mlir::sftile {

/// One value for each row of a fragment of `layout`, in every lane that has a
/// part of the row.
LinearLayout getRowLayout(const LinearLayout &layout);

/// One value for each row and each lane that has a part of it: a column for
/// each of these lanes.
LinearLayout getRowPartLayout(const LinearLayout &layout);

/// A row of `columns` elements, `run` neighbours in each lane and neighbouring
/// runs in neighbouring lanes; both powers of two with columns = 32 * run.
LinearLayout getLineLayout(int64_t run);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_ROWLAYOUTS_H
