/*===- dispatch.h - Which kernel runs, and why -----------------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* A step of a function may have several variants that compute the same
|* (docs/formats/bundle.md, "independent"). A launch takes the one that was
|* measured to be the fastest at its sizes, or at the sizes before and behind
|* (docs/formats/dispatch.md), else the first of the compiler's order, which is
|* its prediction; a kernel that failed on this device is not used while another
|* one can be.
|*
|* Times and failures are kept in a file that all processes of a user share
|* (docs/formats/dispatch.md). A file that is damaged or of another version is
|* put aside and made anew, and one that cannot be read or written costs what
|* was learned, never a call.
|*
|* Everything here may be called by many threads at once. Text is UTF-8; JSON is
|* one object without line breaks.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_DISPATCH_H
#define SPARSEFLOW_DISPATCH_H

#include "sparseflow/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Receives a JSON object, valid during the call. Must not throw. */
typedef void (*sf_dispatch_callback)(const char *json, void *user);

/**
 * Measures, for a call with these tensors, every variant of every step whose
 * variants are independent: `replays` (at least 1) replays of a captured graph
 * with 16 launches each, the fastest of which counts. Waits for `stream`, runs
 * on a stream of its own and waits for it; must not be called while this thread
 * captures. Results and workspace are written as by a launch. Later launches of
 * these sizes take the fastest. The times are kept in the store; where that
 * fails they hold for this process, SF_OK is returned and sf_last_error() has
 * the reason. Weights and activations may stay in the L2 cache from one launch
 * to the next, which a program that does other work in between does not see:
 * sf_function_tune_calls takes several weights.
 */
SF_API sf_status sf_function_tune(sf_function *function,
                                  const sf_tensor *arguments,
                                  size_t argument_count,
                                  const sf_tensor *results, size_t result_count,
                                  uint64_t workspace, uint64_t workspace_bytes,
                                  sfcu_stream stream, int replays);

/** The tensors of one call, as sf_function_launch takes them. */
typedef struct sf_call {
  const sf_tensor *arguments;
  const sf_tensor *results;
  uint64_t workspace;
  uint64_t workspace_bytes;
} sf_call;

/**
 * sf_function_tune with `call_count` (at least 1) calls of the same sizes,
 * which take turns: the layers of a model, or copies of one, whose weights are
 * together larger than the L2 cache, so that each is read from memory, as in
 * the model. The calls may share activations, results and workspace. The number
 * of launches in a replay is a multiple of `call_count`. A variant counts where
 * every call may run it. SF_ERROR_INVALID_ARGUMENT: no call, or calls of other
 * sizes.
 */
SF_API sf_status sf_function_tune_calls(sf_function *function,
                                        const sf_call *calls, size_t call_count,
                                        size_t argument_count,
                                        size_t result_count, sfcu_stream stream,
                                        int replays);

/** Judges the results of a launch, which have been computed: writes why they
 * are wrong into `error`, with a NUL, or leaves it empty. Must not throw. */
typedef void (*sf_verdict_callback)(void *user, char *error,
                                    size_t error_bytes);

/**
 * Launches a call as sf_function_launch does, waits for it and asks `verdict`.
 * Where the results are wrong, the call runs again with each other variant of
 * each step whose variants are independent, one step at a time, until they are
 * right. Then the kernels of the variants that were wrong are quarantined with
 * the text, but for those that the right one launches too: no launch on this
 * GPU and driver uses them again while another variant can run. So a caller
 * checks when it loads a function, or every so many calls, and has right
 * results in either case.
 *
 * Every byte of results and workspace is set to 0xFF before each run: what no
 * kernel writes is seen. Runs on `stream`, the context's or one that no other
 * call uses; must not be called while it, or this thread, captures. A call
 * without work asks nobody.
 *
 * SF_ERROR_UNSUPPORTED and nothing is launched where a result updates an
 * argument in place, which a second run would read changed; the same where no
 * variant is right, since then arguments or the verdict may be at fault:
 * nothing is quarantined, and the results are the last that were tried.
 */
SF_API sf_status sf_function_check(sf_function *function,
                                   const sf_tensor *arguments,
                                   size_t argument_count,
                                   const sf_tensor *results,
                                   size_t result_count, uint64_t workspace,
                                   uint64_t workspace_bytes, sfcu_stream stream,
                                   sf_verdict_callback verdict, void *user);

/**
 * From now on `callback` (null: nobody) receives the decision behind each step
 * of each launch, on the thread that launches: which variant ran, why, what
 * else could have, and measured times. Such launches allocate. The environment
 * variable SPARSEFLOW_DISPATCH_LOG names a file ("-": standard error) to which
 * the same objects are appended, one a line, and the summary at exit.
 */
SF_API sf_status sf_dispatch_set_callback(sf_dispatch_callback callback,
                                          void *user);
/**
 * Gives `callback` what the launches so far amount to, of those whose reasons
 * were asked for: calls of steps, the share of them that ran sparse, and of
 * those with measured times the microseconds, the sparse share and what was
 * gained against the dense variants.
 */
SF_API sf_status sf_dispatch_summary(sf_dispatch_callback callback, void *user);

/**
 * The file of times and failures for functions that are loaded later: null for
 * the default (SPARSEFLOW_DISPATCH_STORE, else sparseflow/dispatch.sqlite in
 * XDG_CACHE_HOME or ~/.cache), "" for none.
 */
SF_API sf_status sf_dispatch_set_store(const char *path);
/** Gives `callback` {"store": PATH, "enabled": [FAMILY...], "error": TEXT}
 * first, the last where the store cannot be read, then each quarantined kernel.
 */
SF_API sf_status sf_dispatch_quarantined(sf_dispatch_callback callback,
                                         void *user);
/** Forgets the quarantined kernels, for functions that are loaded later;
 * `count` (may be null) says how many there were. */
SF_API sf_status sf_dispatch_clear(int64_t *count);

/**
 * Allows kernels of an opt-in family in functions that are loaded later. The
 * environment variable SPARSEFLOW_ENABLE does the same for a list of names with
 * commas.
 */
SF_API sf_status sf_dispatch_enable(const char *family);

/* Dense forms -------------------------------------------------------------*/

/** Where a function has the dense form of a packed weight from. */
typedef enum sf_dense_source {
  /** No kernel of the function reads it. */
  SF_DENSE_NONE = 0,
  /** The caller gives it: sf_function_set_dense_weight. */
  SF_DENSE_WEIGHTS = 1,
  /** The runtime unpacks it: sf_function_rebuild_dense_weights. */
  SF_DENSE_REBUILD = 2
} sf_dense_source;

/**
 * What argument `index` was compiled for (sparseflow compile --dense-fallback).
 * Either call works for both; without any of them the dense kernels do not run.
 * SF_DENSE_NONE beyond the last argument.
 */
SF_API sf_dense_source sf_function_dense_source(const sf_function *function,
                                                size_t index);
/**
 * From now on launches of the bundle's functions may read `dense`, row-major in
 * the argument's type, in place of the weight that is packed at `packed`: the
 * same numbers, which is not checked; of a quantized weight with one scale for
 * each row or for all, the trits or whole numbers without it, since kernels
 * take that scale from `packed`. The caller owns the buffer, at a multiple of
 * 16 bytes, and keeps it as long as launches and captured graphs that may read
 * it. It belongs to the address: say `dense` = 0, which forgets the form of
 * either kind, before another weight comes to lie there.
 */
SF_API sf_status sf_function_set_dense_weight(sf_function *function,
                                              size_t index, uint64_t packed,
                                              uint64_t dense,
                                              uint64_t dense_bytes);
/**
 * Unpacks those of `arguments` whose dense form some kernel reads, on the CPU,
 * into device memory that the bundle owns until it is forgotten or destroyed. A
 * second call for the same address fills the same memory anew. Waits for
 * `stream`; no launch of these weights may be running, and the thread may not
 * be capturing. SF_ERROR_FORMAT for a damaged weight, SF_ERROR_UNSUPPORTED for
 * scales of groups whose products the argument's type does not hold; then this
 * and later arguments have no dense form.
 */
SF_API sf_status sf_function_rebuild_dense_weights(sf_function *function,
                                                   const sf_tensor *arguments,
                                                   size_t argument_count,
                                                   sfcu_stream stream);
/** Bytes of the bundle's dense forms: the callers' and its own. Either pointer
 * may be null. */
SF_API sf_status sf_function_dense_bytes(const sf_function *function,
                                         uint64_t *given, uint64_t *owned);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_DISPATCH_H */
