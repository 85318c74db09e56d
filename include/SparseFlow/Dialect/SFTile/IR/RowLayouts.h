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

/// A row of 128 columns, of which a lane holds those that stand in four
/// neighbouring places of memory with the access `interleaved`.
LinearLayout getInterleavedLineLayout();

/// Up to four rows of 16 columns: lane 4 g + c has columns g and g + 8 of row
/// c. The even columns of an accumulator of 16 rows, transposed, and the odd
/// ones.
LinearLayout getJoinedLayout();

/// Up to four rows of 32 columns: the lanes 4 n + c with n / 2 = r have columns
/// 8 f + 2 c and the next one of row r, for every f.
LinearLayout getPairedLayout();

/// 8x8 matrices, two neighbouring columns in each lane, as `ldmatrix` and
/// `stmatrix` move them and operands of 16-bit MMAs are made of them.
bool isMatrixLayout(const LinearLayout &layout);

} // namespace mlir::sftile

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_ROWLAYOUTS_H
