//===- ModePolicy.h - Modes of attention by a policy ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A policy is a JSON file (docs/formats/mode-policy.md): the memory that keys
// and values may take, the error that is allowed, the errors of the modes as
// they were measured, and how fast modes are. A bundle holds a function for
// each mode, NAME.full_precision, NAME.ternary_keys, NAME.int8 and so on, as
// far as they are compiled; the rule of sparseflow/cache.h chooses among them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_MODEPOLICY_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_MODEPOLICY_H

#include "arguments/Arguments.h"
#include "ternary/attention_mode.h"

namespace sparseflow::tools {

/// Puts what the file says into `call`; members that are not there change
/// nothing. "occupancy" is the share of the capacity that is taken.
Status readModePolicy(const std::string &path, sf_attention_case &call);

struct ModeChoice {
  /// The function to run.
  std::string entry;
  rt::ModeDecision decision;
};

/// Chooses the function of `manifest` whose name is `base` ("" if there is one
/// only) and a mode, for the sizes of `request`. Fails where no mode is left.
Expected<ModeChoice> chooseMode(const BundleManifest &manifest,
                                const std::string &base,
                                const std::string &policy,
                                const ArgumentRequest &request);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_MODEPOLICY_H
