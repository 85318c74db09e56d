//===- attention_launch.cpp - One launch for all modes of attention -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/bundle.h"
#include "sparseflow/attention.h"
#include "ternary/attention_mode.h"

using namespace sparseflow;
using namespace sparseflow::rt;

extern "C" sf_status
sf_attention_functions(sf_bundle *bundle, const char *name,
                       sf_function *functions[SF_ATTENTION_MODES],
                       uint32_t *available) {
  return guard([&]() -> Status {
    if (!bundle || !name || !functions)
      return isNull("sf_attention_functions", !bundle ? "bundle"
                                              : !name ? "name"
                                                      : "functions");
    uint32_t found = 0;
    std::string names, known;
    for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
      functions[mode] = nullptr;
      std::string wanted = std::string(name) + "." +
                           modeName(static_cast<sf_attention_mode>(mode));
      for (const Function &function : bundle->bundle->contents().functions)
        if (function.name == wanted) {
          auto loaded = bundle->bundle->find(wanted);
          if (!loaded)
            return loaded.status();
          functions[mode] = reinterpret_cast<sf_function *>(*loaded);
          found |= 1u << mode;
        }
      names += (mode ? ", " : "") + printable(wanted);
    }
    if (available)
      *available = found;
    if (found)
      return Status::success();
    for (const Function &function : bundle->bundle->contents().functions)
      known += (known.empty() ? "" : ", ") + printable(function.name);
    return invalidArgument("expected one of the functions " + names +
                           " in the bundle, a mode of attention each, found " +
                           known);
  });
}

extern "C" sf_status
sf_attention_launch(sf_function *const functions[SF_ATTENTION_MODES],
                    const sf_attention_case *call,
                    const sf_attention_operands operands[SF_ATTENTION_MODES],
                    uint64_t workspace, uint64_t workspaceBytes,
                    sfcu_stream stream, sf_attention_mode *mode) {
  return guard([&]() -> Status {
    if (!functions || !call || !operands)
      return isNull("sf_attention_launch", !functions ? "functions"
                                           : !call    ? "call"
                                                      : "operands");
    if (Status status = checkCase(*call); !status)
      return status;
    sf_attention_case given = *call;
    for (int one = 0; one < SF_ATTENTION_MODES; ++one)
      if (!functions[one] || !operands[one].arguments)
        given.available &= ~(1u << one);
    Expected<ModeDecision> decision = decideMode(given);
    if (!decision)
      return decision.status();
    if (!decision->mode)
      return decision->refusal();
    if (mode)
      *mode = *decision->mode;
    const sf_attention_operands &taken = operands[*decision->mode];
    return reinterpret_cast<LoadedFunction *>(functions[*decision->mode])
        ->launch(taken.arguments, taken.argument_count, taken.results,
                 taken.result_count, workspace, workspaceBytes, stream);
  });
}
