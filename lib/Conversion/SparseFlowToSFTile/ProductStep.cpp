//===- ProductStep.cpp - Products of activations in a launch list ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Launch/LaunchGroup.h"
#include "Launch/ProductLaunch.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Product.h"
#include "SparseFlow/Support/Remarks.h"

using namespace mlir;
using namespace mlir::sparseflow;

LogicalResult mlir::sparseflow::convertProduct(linalg::LinalgOp root,
                                               const StepContext &context) {
  HostProgramBuilder &program = context.program;
  std::string reason;
  ProductChain chain = productChainOf(root);
  std::optional<ActivationProduct> product;
  if (chain.contraction)
    product = matchProduct(chain.contraction, reason);
  if (!product)
    return root->emitOpError("expected a product that tensor cores compute, "
                             "as its form says; ")
           << reason << "; run sparseflow-form-kernels again";
  SmallVector<sftile::ScheduleAttr> schedules = schedulesOf(root);
  if (schedules.empty() || schedules.size() > 2)
    return root->emitOpError("expected one or two schedules of a product, "
                             "found ")
           << schedules.size() << "; run sparseflow-select-schedule first";
  for (sftile::ScheduleAttr schedule : schedules)
    if (schedule.getKWarps() > 1)
      return root->emitOpError("expected k_warps = 1 for a product of two "
                               "activations, found ")
             << schedule.getKWarps() << " in schedule " << schedule.getName();
  FailureOr<SmallVector<Variant>> variants =
      productVariants(root, *product, chain.maps, schedules, context);
  if (failed(variants))
    return failure();
  program.addStep(root.getLoc(), "product", program.constant(1), *variants);
  return success();
}
