//===- LaunchPlan.h - What a call would launch, without a GPU ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_LAUNCHPLAN_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_LAUNCHPLAN_H

#include "arguments/Arguments.h"

namespace sparseflow::tools {

/// The launches of `program` for these sizes as text for people, a line each
/// with its arguments below it. Addresses count as multiples of 256 bytes, as
/// the tools allocate. Errors: an expression that cannot be evaluated, a tensor
/// map that the hardware does not take, no variant that fits.
Expected<std::string> describeLaunches(const Function &function,
                                       const rt::Program &program,
                                       const std::vector<int64_t> &symbols);

/// The variant of `step` that is launched for these sizes; addresses as above.
Expected<const rt::Variant *>
chooseVariant(const rt::Step &step, const std::vector<int64_t> &symbols);

/// The sizes of a function's symbols: those of `sizes`, by name, and
/// `defaultSize` for the others. An error: a name that it has not.
Expected<std::vector<int64_t>>
symbolSizes(const Function &function,
            const std::vector<std::pair<std::string, int64_t>> &sizes,
            int64_t defaultSize);

/// Reads a bundle and describes the launches of `entry` ("": the only function)
/// for `target` ("": every one); a symbol without a size is `defaultSize`.
Expected<std::string> planBundle(const std::string &bundle,
                                 const std::string &entry,
                                 const std::string &target,
                                 const ArgumentRequest &request);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_LAUNCHPLAN_H
