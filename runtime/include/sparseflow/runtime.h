/*===- runtime.h - Loading and launching compiled functions ----*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* A bundle (docs/formats/bundle.md) is a directory with a manifest and GPU
|* images. Use it in this order:
|*
|*   sf_context_create(0, &context);             // one a device and process
|*   sf_bundle_load(context, "ffn.bundle", &bundle);
|*   sf_bundle_function(bundle, "ffn", &fn);
|*   sf_function_workspace_size(fn, sizes, 1, &bytes);   // caller allocates
|*   sf_function_launch(fn, args, 3, results, 1, workspace, bytes, stream);
|*
|* All sizes are bytes unless a name says otherwise. Objects made by a function
|* here are destroyed by its counterpart; destroy functions accept null. A
|* bundle keeps its context alive; an sf_function belongs to its bundle.
|* Everything except the destroy functions may be called by many threads at
|* once on the same object.
|*
|* Errors: every function returns a status; sf_last_error() has the text. After
|* a sticky driver error (an illegal address, say) the context is dead and
|* every later call returns SF_ERROR_DEVICE_LOST at once, with the first
|* error's text: only a new process helps. A process forked after
|* sf_context_create must not use the parent's objects and is refused.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_RUNTIME_H
#define SPARSEFLOW_RUNTIME_H

#include "sparseflow/driver.h"
#include "sparseflow/weights.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sf_context sf_context;
typedef struct sf_bundle sf_bundle;
typedef struct sf_function sf_function;
typedef struct sf_graph sf_graph;

/**
 * One argument or result. `dims` are the logical sizes, outermost first, of
 * the shape in the manifest, also for a packed weight; row-major without gaps.
 */
typedef struct sf_tensor {
  /** Device address; may be 0 only when the tensor has no elements. */
  uint64_t data;
  const int64_t *dims;
  int32_t rank;
  /** SF_DTYPE_INVALID: the caller does not say, and it is not compared. */
  sf_dtype dtype;
  /** Readable (writable) bytes at `data`; at least what the shape needs. */
  uint64_t bytes;
} sf_tensor;

/* Contexts ----------------------------------------------------------------*/

/**
 * Initialises the driver and retains the primary context of device `ordinal`
 * (the one the CUDA runtime and frameworks use). Does not make it current.
 */
SF_API sf_status sf_context_create(int ordinal, sf_context **context);
/** Uses the context current on the calling thread; it must outlive this one. */
SF_API sf_status sf_context_adopt_current(sf_context **context);
/** Releases the caller's reference; the last bundle releases the rest. */
SF_API void sf_context_destroy(sf_context *context);

/** For every later launch: refuse pointers that the driver does not know as
 * device memory. Costs one driver call a tensor; for debugging. */
SF_API sf_status sf_context_check_pointers(sf_context *context, int enabled);
/** Compute capability, e.g. 9 and 0. */
SF_API sf_status sf_context_capability(const sf_context *context, int *major,
                                       int *minor);
SF_API sf_status sf_context_device_name(const sf_context *context, char *name,
                                        size_t bytes);
/** The driver's context, for callers that push it themselves. */
SF_API sfcu_context sf_context_native(const sf_context *context);
/**
 * Tells the context about a driver result the caller saw (from synchronising
 * a stream, say), turns it into a status and marks the context dead if it is
 * sticky. `what` names the call in the text. SFCU_SUCCESS gives SF_OK.
 */
SF_API sf_status sf_context_report(sf_context *context, int driver_result,
                                   const char *what);

/* Bundles -----------------------------------------------------------------*/

/** Reads and checks `directory`/manifest.json. Images are read on first use. */
SF_API sf_status sf_bundle_load(sf_context *context, const char *directory,
                                sf_bundle **bundle);
/** No launch of the bundle's functions may be running or be captured in a
 * graph that is still to run. */
SF_API void sf_bundle_destroy(sf_bundle *bundle);
SF_API size_t sf_bundle_function_count(const sf_bundle *bundle);
/** Null beyond the last. */
SF_API const char *sf_bundle_function_name(const sf_bundle *bundle,
                                           size_t index);
/** `name` may be null when the bundle has exactly one function. */
SF_API sf_status sf_bundle_function(sf_bundle *bundle, const char *name,
                                    sf_function **function);

/* Functions ---------------------------------------------------------------*/

/** The symbols (dynamic sizes) of the function, in the order of `sizes`. */
SF_API size_t sf_function_symbol_count(const sf_function *function);
SF_API const char *sf_function_symbol_name(const sf_function *function,
                                           size_t index);
SF_API size_t sf_function_argument_count(const sf_function *function);
SF_API size_t sf_function_result_count(const sf_function *function);
/**
 * The argument that result `index` is after the call, because kernels update it
 * in place (a ternary cache that grows): pass the argument's buffer as the
 * result. -1 for a result with memory of its own, and beyond the last.
 */
SF_API int sf_function_result_updates(const sf_function *function,
                                      size_t index);
/** The target chosen for the context's device, such as "sm_90a". */
SF_API sf_status sf_function_target(const sf_function *function,
                                    const char **target);

/**
 * Loads the function's image now, so that no launch has to. Call it before
 * capturing a graph to keep file reading out of the capture.
 */
SF_API sf_status sf_function_prepare(sf_function *function);

/** Bytes of workspace for these symbol values; 0 is possible. */
SF_API sf_status sf_function_workspace_size(const sf_function *function,
                                            const int64_t *sizes, size_t count,
                                            uint64_t *bytes);

/**
 * Checks everything, then puts the function's kernels on `stream` (null: the
 * default stream). Allocates nothing, waits for nothing and may be captured
 * in a graph. If a check fails nothing is launched. When no result has
 * elements, nothing is launched and SF_OK is returned; a kernel that would
 * write nothing is left out.
 *
 * `workspace` is aligned to 256 bytes and belongs to this launch until the
 * stream has run it. Packed weights are aligned to 256 bytes, other tensors to
 * their element. A result must not overlap an argument, another
 * result or the workspace, but for one that updates an argument in place, which
 * has its address and nothing else of the call; arguments may overlap each
 * other.
 */
SF_API sf_status sf_function_launch(
    sf_function *function, const sf_tensor *arguments, size_t argument_count,
    const sf_tensor *results, size_t result_count, uint64_t workspace,
    uint64_t workspace_bytes, sfcu_stream stream);

/* Graphs ------------------------------------------------------------------*/

/**
 * Captures a call of sf_function_launch, with its checks and rules, into a
 * graph that sf_graph_launch replays with little work on the host. Nothing is
 * launched. The capture is on a stream of its own: other streams and threads
 * are not disturbed, but the calling thread must not be capturing itself.
 *
 * The graph keeps addresses, sizes and the kernels that were chosen, not the
 * sf_tensor arrays. The caller owns arguments, results and workspace, which
 * must stay until the last launch with them has run. The graph keeps its
 * context alive; the bundle must outlive it. The caller destroys the graph.
 */
SF_API sf_status sf_function_graph(sf_function *function,
                                   const sf_tensor *arguments,
                                   size_t argument_count,
                                   const sf_tensor *results,
                                   size_t result_count, uint64_t workspace,
                                   uint64_t workspace_bytes, sf_graph **graph);
/**
 * Makes later launches of the graph those of this call: new addresses, or new
 * sizes. Launches before it are not affected, also if they are still to run.
 * SF_ERROR_UNSUPPORTED where the call takes another number of kernels, or the
 * driver has no cuGraphExecUpdate_v2 (before CUDA 12): make another graph.
 * A call that sf_function_launch refuses leaves the graph as it was; after
 * another error it is only to be destroyed.
 */
SF_API sf_status sf_graph_update(sf_graph *graph, const sf_tensor *arguments,
                                 size_t argument_count,
                                 const sf_tensor *results, size_t result_count,
                                 uint64_t workspace, uint64_t workspace_bytes);
/**
 * Puts the graph on `stream` (null: the default stream); waits for nothing.
 * Launches of one graph run one behind the other, on whatever streams. Many
 * threads may launch and update one graph; they take turns on the host.
 */
SF_API sf_status sf_graph_launch(sf_graph *graph, sfcu_stream stream);
/** No launch of the graph may still be to run. Accepts null. */
SF_API void sf_graph_destroy(sf_graph *graph);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_RUNTIME_H */
