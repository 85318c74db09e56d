//===- ExplainProgram.h - What a call of a program launches -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_EXPLAINPROGRAM_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_EXPLAINPROGRAM_H

#include "SparseFlow/Compiler/Compiler.h"

#include "run/LaunchPlan.h"

namespace mlir::sparseflow::driver {

/// The launches of every function and target of `compiled`, which has a
/// manifest, in their order: kernel, grid, bytes, the model's time, and what
/// was fused or not and why. Sizes of symbols are those of `request`. As text
/// for people, or as a graph in DOT. Call it while the context of the
/// compilation lives.
::sparseflow::tools::Expected<std::string>
explainProgram(const CompileResult &compiled,
               const ::sparseflow::tools::ArgumentRequest &request, bool asDot);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_EXPLAINPROGRAM_H
