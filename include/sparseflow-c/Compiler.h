/*===- Compiler.h - The compiler as a C library ----------------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* From the text of a module to blobs, without a type of MLIR:
|*
|*   SparseFlowCompileOptions options = {sizeof(options)};
|*   options.emit = "bundle";
|*   options.targets = "sm_80,sm_90a";
|*   SparseFlowOutput *output;
|*   if (sparseflowCompile(text, bytes, &options, &output))
|*     puts(sparseflowLastError());
|*   ... sparseflowOutputData(output, i, &size) ...
|*   sparseflowOutputDestroy(output);
|*
|* Functions return 0 for success. Any number of threads may call them at once;
|* each call has its own MLIR context and works on the caller's thread. Modules
|* are trusted: MLIR's parser does not withstand hostile text.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_C_COMPILER_H
#define SPARSEFLOW_C_COMPILER_H

#include <stddef.h>

#if defined(__GNUC__)
#define SPARSEFLOW_C_EXPORT __attribute__((visibility("default")))
#else
#define SPARSEFLOW_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SparseFlowSeverity {
  SPARSEFLOW_NOTE = 0,
  SPARSEFLOW_REMARK = 1,
  SPARSEFLOW_WARNING = 2,
  SPARSEFLOW_ERROR = 3
} SparseFlowSeverity;

/**
 * Receives diagnostics during a call, on its thread. `location`, such as
 * "ffn.mlir:7:3" or "", and `text` are valid during the callback only.
 */
typedef void (*SparseFlowDiagnosticCallback)(SparseFlowSeverity severity,
                                             const char *location,
                                             const char *text, void *userData);

/** Zero-initialise, then set structSize = sizeof(SparseFlowCompileOptions). */
typedef struct SparseFlowCompileOptions {
  size_t structSize;
  /** What to make, as for `sparseflow compile --emit`: "mlir", "ptx", "cubin",
   *  "bundle", "obj", ... Null: "bundle". */
  const char *emit;
  /** "sm_80,sm_90". Null is allowed for "mlir" only. */
  const char *targets;
  /** Arguments to mark as N:M sparse, "w1=2:4,w2=2:4"; may be null. */
  const char *sparse;
  /** What diagnostics call the module, and the name of an object
   * (docs/c-abi.md) without folder and extension. Null: "module". */
  const char *name;
  /** The path of a table of schedules; null: the built-in one. */
  const char *scheduleFile;
  /** The path of ptxas; null: it is looked for (docs/cli.md). */
  const char *ptxas;
  /** Spills and advisories of ptxas are remarks instead of errors. */
  int allowSlowCode;
  /** May be null: errors are in sparseflowLastError in any case. */
  SparseFlowDiagnosticCallback diagnostic;
  /** Asked between steps; another value than 0 ends the call with an error.
   *  May be null. */
  int (*cancelled)(void *userData);
  /** Passed to the callbacks. */
  void *userData;
} SparseFlowCompileOptions;

/** What a call made: named blobs. Constant, so threads may share it. */
typedef struct SparseFlowOutput SparseFlowOutput;

/**
 * Compiles the text of a module (`bytes` without a NUL). On success the caller
 * owns *output; on failure it is null and sparseflowLastError has the text.
 *
 * The blobs: of "bundle" the files of a bundle, manifest.json first; of "obj"
 * NAME.o and NAME.h; of kinds for one target (ptx, cubin, ...) one for each
 * target; of all others one.
 */
SPARSEFLOW_C_EXPORT int
sparseflowCompile(const char *module, size_t bytes,
                  const SparseFlowCompileOptions *options,
                  SparseFlowOutput **output);

/**
 * Runs a pipeline such as
 * "builtin.module(sparseflow-import,sparseflow-tensor,canonicalize)" over the
 * text of a module; the one blob is the printed result. All passes of MLIR and
 * SparseFlow are known. Of `options`, which may be null, only name, diagnostic
 * and userData count.
 */
SPARSEFLOW_C_EXPORT int
sparseflowRunPipeline(const char *module, size_t bytes, const char *pipeline,
                      const SparseFlowCompileOptions *options,
                      SparseFlowOutput **output);

/** Number of blobs; 0 for null. */
SPARSEFLOW_C_EXPORT size_t
sparseflowOutputCount(const SparseFlowOutput *output);
/** A plain file name, "ffn.sm_80.cubin"; null beyond the last. Belongs to the
 *  output, like the data. */
SPARSEFLOW_C_EXPORT const char *
sparseflowOutputName(const SparseFlowOutput *output, size_t index);
/** The bytes, with a NUL behind them that `bytes` does not count; null beyond
 *  the last. `bytes` may be null. */
SPARSEFLOW_C_EXPORT const void *
sparseflowOutputData(const SparseFlowOutput *output, size_t index,
                     size_t *bytes);
/** Frees an output with all of its blobs; null is allowed. */
SPARSEFLOW_C_EXPORT void sparseflowOutputDestroy(SparseFlowOutput *output);

/** The errors of the last failed call on this thread, a line each; "" if there
 *  was none. Valid until the next failing call on this thread; never null. */
SPARSEFLOW_C_EXPORT const char *sparseflowLastError(void);

/** "sparseflow 0.2.0". */
SPARSEFLOW_C_EXPORT const char *sparseflowVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_C_COMPILER_H */
