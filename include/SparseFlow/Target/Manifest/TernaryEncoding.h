//===- TernaryEncoding.h - Ternary weights in a manifest --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_MANIFEST_TERNARYENCODING_H
#define SPARSEFLOW_TARGET_MANIFEST_TERNARYENCODING_H

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "llvm/Support/JSON.h"

namespace mlir::sparseflow {

/// The member "encoding" of an argument with the encoding `attribute`, as
/// docs/formats/bundle.md describes it.
inline llvm::json::Object describeTernary(TernaryAttr attribute) {
  llvm::json::Value scale = attribute.getGroup();
  if (attribute.getGroup() == TernaryAttr::kTensorScale)
    scale = "tensor";
  else if (attribute.getGroup() == TernaryAttr::kRowScale)
    scale = "row";
  else if (attribute.getGroup() == TernaryAttr::kHeadScale)
    scale = "head";
  else if (attribute.getGroup() == TernaryAttr::kTokenScale)
    scale = "token";
  else if (attribute.isTokenScaled())
    scale = "token x " + std::to_string(attribute.getScaleFeatures(0));
  std::string type;
  llvm::raw_string_ostream(type) << attribute.getScaleType();
  return llvm::json::Object{
      {"kind", attribute.getKeyword()},
      {"storage", stringifyTernaryStorage(attribute.getStorage())},
      {"scale", std::move(scale)},
      {"scale_dtype", std::move(type)},
      {"planes", attribute.getPlanes()}};
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_MANIFEST_TERNARYENCODING_H
