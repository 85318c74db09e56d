//===- predicted.cpp - The form that is predicted to be faster ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/call.h"

using namespace sparseflow::rt;

Expected<size_t> Call::choosePredicted(const LoadedProgram &loaded, size_t s,
                                       size_t packed) const {
  const Step &step = loaded.program->steps[s];
  double time =
      step.variants[packed].dense < 0 ? step.predicted(packed, symbols) : 0;
  if (!time)
    return packed;
  for (size_t v = packed + 1; v < step.variants.size(); ++v) {
    const Variant &variant = step.variants[v];
    if (variant.dense < 0 ||
        loaded.dispatch->state(s, v) != FunctionDispatch::State::Usable ||
        loaded.dispatch->rulesOut(s, v, symbols))
      continue;
    Expected<bool> accepted = accepts(variant);
    if (!accepted)
      return accepted.status();
    if (!*accepted)
      continue;
    double predicted = step.predicted(v, symbols);
    return predicted && predicted < time ? v : packed;
  }
  return packed;
}
