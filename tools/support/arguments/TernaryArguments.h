//===- TernaryArguments.h - Ternary weights for a run -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TERNARYARGUMENTS_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TERNARYARGUMENTS_H

#include "arguments/Arguments.h"

namespace sparseflow::tools {

/// Fills `argument` with a seeded weight of the format that `spec` (isTernary)
/// states, the same on every machine: the blob, and its values in F32. About
/// four in ten trits are zero; scales are near 1 / sqrt(K).
Status generateTernary(const TensorSpec &spec, uint64_t stream, int threads,
                       Argument &argument);

/// Fills `dense` from `packed`, which has the bytes of the format of `spec`
/// (isTernary), and checks them. `name` is for error texts.
Status unpackTernary(const TensorSpec &spec, const std::string &name,
                     int threads, Argument &argument);

/// Reads the ternary section `name` of the .sfpk file `path`, which has to be
/// of exactly the format of `spec`, checks its blob and fills `argument`.
Status loadTernary(const std::string &path, const std::string &name,
                   const TensorSpec &spec, int threads, Argument &argument);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_TERNARYARGUMENTS_H
