//===- reasons.h - Why a variant ran ------------------------------*- C++
//-*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_REASONS_H
#define SPARSEFLOW_RT_DISPATCH_REASONS_H

#include "device/call.h"
#include "sparseflow/dispatch.h"

namespace sparseflow::rt {

/// Whether anybody asked for reasons. Costs a load.
bool reasonsWanted();
/// Opens what SPARSEFLOW_DISPATCH_LOG names, at the first call.
void openReasonsLog();
void setReasonsCallback(sf_dispatch_callback callback, void *user);
/// Tells who asked why `chosen`, a variant for each step, ran. Never fails.
void giveReasons(const Function &function, const Call &call,
                 const LoadedProgram &loaded, const uint8_t *chosen);
/// What sf_dispatch_summary gives.
std::string reasonsSummary();

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_REASONS_H
