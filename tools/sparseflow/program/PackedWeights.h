//===- PackedWeights.h - What a packed file says about arguments *- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_PACKEDWEIGHTS_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_PACKEDWEIGHTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::sparseflow::driver {

/// Reads the table of the .sfpk file at `path`. Every function argument whose
/// name is a packed matrix of the file, and which has no encoding yet, is added
/// to `sparse` as NAME=2:4, and every one that is ternary there as
/// NAME=ternary:.... Every tensor of the file, packed or dense, that is
/// named like an argument must fit it, since a bundle's runs take it. `bytes`,
/// when given, receives the whole file. Returns an exit code after printing
/// errors; no match at all is one.
int usePackedWeights(const std::string &path, ModuleOp module,
                     std::vector<std::string> &sparse, std::string *bytes);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_PACKEDWEIGHTS_H
