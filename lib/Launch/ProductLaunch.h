//===- ProductLaunch.h - Launches of products -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_LAUNCH_PRODUCTLAUNCH_H
#define SPARSEFLOW_LIB_LAUNCH_PRODUCTLAUNCH_H

#include "Launch/StepContext.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Product.h"

namespace mlir::sparseflow {

/// The ways to launch `product`, whose result `root` has behind the elementwise
/// ops `maps`: with wide accesses by the first of `schedules`, and for any
/// pointers and strides by the last. A failure if sizes are not known, which is
/// reported.
FailureOr<SmallVector<Variant>>
productVariants(linalg::LinalgOp root, const ActivationProduct &product,
                ArrayRef<linalg::LinalgOp> maps,
                ArrayRef<sftile::ScheduleAttr> schedules,
                const StepContext &context);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_LAUNCH_PRODUCTLAUNCH_H
