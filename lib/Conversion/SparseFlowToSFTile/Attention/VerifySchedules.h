//===- VerifySchedules.h - Schedules that attention can have -*- C++ -* ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_VERIFYSCHEDULES_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_VERIFYSCHEDULES_H

#include "Conversion/SparseFlowToSFTile/Attention/AttentionStep.h"
#include "Kernels/Attention/AttentionKernel.h"

namespace mlir::sparseflow {

/// Checks that there are kernels of `schedules` for `op`, whose shape is
/// `shape`: those that the table has are, pinned ones need not be.
LogicalResult
verifySchedules(AttentionOp op, const AttentionShape &shape,
                ArrayRef<sftile::AttentionScheduleAttr> schedules);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_ATTENTION_VERIFYSCHEDULES_H
