/*===- attention.h - One launch for all modes of attention ---------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A bundle has a function for each mode of an attention, NAME.full_precision,
|* NAME.int8 and so on, as far as they are compiled. Here a caller says what it
|* has in each mode, and one call chooses and launches:
|*
|*   sf_attention_functions(bundle, "step", functions, &call.available);
|*   sf_attention_launch(functions, &call, operands, workspace, bytes, stream,
|*                       &mode);
|*
|* Ownership, threads and errors: as in runtime.h.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_ATTENTION_H
#define SPARSEFLOW_ATTENTION_H

#include "sparseflow/cache.h"
#include "sparseflow/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The functions `name`.MODE of a bundle, by sf_attention_mode; null where it
 * has none. They are the bundle's. `available`, which may be null, gets those
 * bits that sf_attention_case.available has. SF_ERROR_INVALID_ARGUMENT where
 * the bundle has not one of them.
 */
SF_API sf_status sf_attention_functions(
    sf_bundle *bundle, const char *name,
    sf_function *functions[SF_ATTENTION_MODES], uint32_t *available);

/** What the function of a mode takes and gives, as in sf_function_launch: its
 *  own keys and values. All zero: the caller has none in this mode, which is
 *  not chosen then. */
typedef struct sf_attention_operands {
  const sf_tensor *arguments;
  size_t argument_count;
  const sf_tensor *results;
  size_t result_count;
} sf_attention_operands;

/**
 * Chooses as sf_attention_choose_mode does, among the modes of `call` that have
 * a function and operands, and launches that function with them as
 * sf_function_launch does. `mode`, which may be null, is what was chosen; no
 * mode is an error of the choice, and then nothing is launched. A captured
 * graph holds the mode of its capture.
 *
 * `workspace_bytes` are at least those of the mode that is chosen: allocate
 * the most that sf_function_workspace_size says of any.
 */
SF_API sf_status
sf_attention_launch(sf_function *const functions[SF_ATTENTION_MODES],
                    const sf_attention_case *call,
                    const sf_attention_operands operands[SF_ATTENTION_MODES],
                    uint64_t workspace, uint64_t workspace_bytes,
                    sfcu_stream stream, sf_attention_mode *mode);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_ATTENTION_H */
