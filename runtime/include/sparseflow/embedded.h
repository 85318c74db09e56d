/*===- embedded.h - Bundles inside object files ----------------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* What the objects of `sparseflow compile --emit obj` are made of and call.
|* Programs use the functions that the header beside such an object declares
|* (docs/c-abi.md); they have no need of this file.
|*
|* The structures and signatures are frozen: objects made by one version run
|* with every later library of the same major version.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_EMBEDDED_H
#define SPARSEFLOW_EMBEDDED_H

#include "sparseflow/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A GPU image under the name by which the manifest calls it. */
typedef struct sf_embedded_image {
  const char *name;
  const void *data;
  uint64_t bytes;
} sf_embedded_image;

/** A bundle in memory that is constant for the life of the process. */
typedef struct sf_embedded_bundle {
  /** 1. */
  uint32_t version;
  uint32_t image_count;
  /** What error texts call it. */
  const char *name;
  /** The text of a manifest.json (docs/formats/bundle.md). */
  const char *manifest;
  uint64_t manifest_bytes;
  const sf_embedded_image *images;
} sf_embedded_bundle;

/**
 * Reads the manifest and loads the image of every function, so that no call
 * has to. Nothing is copied that the driver does not copy: `embedded` must
 * outlive the bundle. Destroy with sf_bundle_destroy.
 * SF_ERROR_UNSUPPORTED: a version this library does not know, or no image for
 * the device; SF_ERROR_FORMAT: a damaged object.
 */
SF_API sf_status sf_embedded_load(sf_context *context,
                                  const sf_embedded_bundle *embedded,
                                  sf_bundle **bundle);

/**
 * sf_function_launch for function number `function` of the manifest, with only
 * what varies: the addresses of arguments, then results, and the symbols'
 * values. Shapes and element types are the manifest's; each buffer is taken to
 * have the bytes that its shape needs. `embedded` says whose function is meant;
 * a bundle loaded from another object is refused.
 */
SF_API sf_status sf_embedded_call(sf_bundle *bundle,
                                  const sf_embedded_bundle *embedded,
                                  uint64_t function, const uint64_t *addresses,
                                  uint64_t address_count, const int64_t *sizes,
                                  uint64_t size_count, uint64_t workspace,
                                  uint64_t workspace_bytes, sfcu_stream stream);

/** sf_function_workspace_size for function number `function`. */
SF_API sf_status sf_embedded_workspace_size(const sf_bundle *bundle,
                                            const sf_embedded_bundle *embedded,
                                            uint64_t function,
                                            const int64_t *sizes,
                                            uint64_t size_count,
                                            uint64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_EMBEDDED_H */
