/*===- gguf.h - Tensors of GGUF files ------------------------------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Lists GGUF files and imports their ternary tensors (docs/formats/gguf.md).
|* An sf_gguf is immutable after open and may be shared by threads; the caller
|* closes it. Errors: as in weights.h.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_GGUF_H
#define SPARSEFLOW_GGUF_H

#include "sparseflow/ternary.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sf_gguf sf_gguf;

/** One tensor. The pointer belongs to the file. */
typedef struct sf_gguf_tensor {
  const char *name;
  /** The number of the type in the file. */
  uint32_t type;
  /** Outermost first: {N, K} of a matrix. */
  int rank;
  int64_t dims[SF_MAX_RANK];
  uint64_t bytes;
  /** 1 if sf_gguf_read_ternary can import it. */
  int is_ternary;
} sf_gguf_tensor;

/**
 * Opens a file and checks everything but the data. `q2_block`: 64 or 128, the
 * block size of Q2_0 tensors if the file does not tell, or 0.
 * SF_ERROR_IO, SF_ERROR_FORMAT, SF_ERROR_UNSUPPORTED: as sf_container_open.
 */
SF_API sf_status sf_gguf_open(const char *path, unsigned q2_block,
                              sf_gguf **file);

/** Closes; null is allowed. No other call may be using the file. */
SF_API void sf_gguf_close(sf_gguf *file);

/** Number of tensors; 0 for null. */
SF_API size_t sf_gguf_count(const sf_gguf *file);

/**
 * Describes tensor `index` (0 <= index < count), and, if it is ternary and
 * `format` is not null, the format of what is imported (layout
 * SF_TERNARY_CODES).
 */
SF_API sf_status sf_gguf_describe(const sf_gguf *file, size_t index,
                                  sf_gguf_tensor *tensor,
                                  sf_ternary_format *format);

/** Reads the bytes of tensor `index` as they are in the file. */
SF_API sf_status sf_gguf_read(const sf_gguf *file, size_t index, void *buffer,
                              size_t buffer_bytes);

/**
 * Imports a ternary tensor: n * k trits and the scales of its format.
 * SF_ERROR_FORMAT names the first illegal code. SF_ERROR_UNSUPPORTED: another
 * type.
 */
SF_API sf_status sf_gguf_read_ternary(const sf_gguf *file, size_t index,
                                      int threads, int8_t *trits,
                                      float *scales);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_GGUF_H */
