/*===- Cpu.h - The CPU device as a C library -------------------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A program that is compiled once and called often, in this process and on the
|* caller's memory:
|*
|*   SparseFlowCpuProgram *program;
|*   if (sparseflowCpuCompile(text, bytes, NULL, 0, &program))
|*     puts(sparseflowLastError());
|*   sparseflowCpuRun(program, "layer", arguments, 3, &result, 1);
|*   sparseflowCpuDestroy(program);
|*
|* Functions return 0 for success; else sparseflowLastError has the text.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_C_CPU_H
#define SPARSEFLOW_C_CPU_H

#include "sparseflow-c/Compiler.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A compiled program. Any number of threads may run it at once. */
typedef struct SparseFlowCpuProgram SparseFlowCpuProgram;

/** A dense row-major array that the caller owns, aligned to its elements. */
typedef struct SparseFlowCpuTensor {
  /** May be null where the array has no elements. */
  void *data;
  /** `rank` sizes. */
  const int64_t *sizes;
  int32_t rank;
  /** The number of sf_dtype (sparseflow/weights.h); a boolean is a byte. */
  int32_t dtype;
} SparseFlowCpuTensor;

/**
 * Compiles the public functions of a module's text (`bytes` without a NUL) for
 * this machine. Of `options`, which may be null, only sparse, name, diagnostic
 * and userData count. `threads` work on a call, the caller's included; 0 takes
 * one for each core. On success the caller owns *program, on failure it is
 * null.
 *
 * A 2:4 argument is called with the dense array of its values, a ternary one
 * with the bytes of its layout.
 */
SPARSEFLOW_C_EXPORT int
sparseflowCpuCompile(const char *module, size_t bytes,
                     const SparseFlowCompileOptions *options, unsigned threads,
                     SparseFlowCpuProgram **program);

/** The functions as a manifest describes them (docs/formats/bundle.md), in JSON
 *  with a NUL behind it: names, types and shapes of arguments and results.
 * Belongs to the program. */
SPARSEFLOW_C_EXPORT const char *
sparseflowCpuManifest(const SparseFlowCpuProgram *program);

/**
 * Runs `function` and writes every element of `results`, which overlap no other
 * array of the call. Element types, sizes and alignment are checked before
 * anything runs.
 */
SPARSEFLOW_C_EXPORT int
sparseflowCpuRun(const SparseFlowCpuProgram *program, const char *function,
                 const SparseFlowCpuTensor *arguments, size_t argumentCount,
                 const SparseFlowCpuTensor *results, size_t resultCount);

/** Frees a program that no call uses; null is allowed. */
SPARSEFLOW_C_EXPORT void sparseflowCpuDestroy(SparseFlowCpuProgram *program);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_C_CPU_H */
