//===- ArgumentFiles.h - One argument from a file ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTFILES_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTFILES_H

#include "arguments/Arguments.h"

namespace sparseflow::tools {

/// Fills `argument` from the file of `source`, converted to the type of `spec`;
/// its shape is the file's and still to be compared. A packed section of a
/// .sfpk file also fills `packed`. Conversions add to `notes`.
Status loadArgument(const ArgumentSource &source, const TensorSpec &spec,
                    int threads, Argument &argument,
                    std::vector<std::string> &notes);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_ARGUMENTFILES_H
