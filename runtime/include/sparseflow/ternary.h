/*===- ternary.h - Ternary weights ---------------------------------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Quantizes weights, packs, checks and unpacks them, and imports them from GGUF
|* files. No GPU is needed.
|*
|* A quantized matrix stands for W[n][k] = sum over planes of scale * number,
|* small whole numbers, in a ternary matrix trits: {-1, 0, 1}. docs/formats
|* describes every layout byte by byte. What is said of trits holds for the
|* numbers of every layout.
|* Trits are one signed byte each, [planes][n][k]; scales are floats,
|* [planes][1] for a tensor, [planes][n] for rows, [planes][groups][n] for
|* groups of columns.
|*
|* Ownership, threads and errors: as in weights.h. `name` arguments name the
|* tensor in error texts and may be null. `threads`: 0 = one a core.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_TERNARY_H
#define SPARSEFLOW_TERNARY_H

#include "sparseflow/weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How trits are packed. The numbers never change; there are no gaps. */
typedef enum sf_ternary_layout {
  SF_TERNARY_CODES = 1,         /**< "tern.v1", for kernels */
  SF_TERNARY_BIT_PLANES = 2,    /**< "ternbp.v1" */
  SF_TERNARY_BASE3 = 3,         /**< "tern3.v1" */
  SF_TERNARY_TWO_FOUR = 4,      /**< "tern24.v1", exactly two of four */
  SF_TERNARY_TWO_FOUR_ZERO = 5, /**< "tern24z.v1", at most two of four */
  SF_QUANTIZED_INT4 = 6,        /**< "int4.v1", -8 to 7, one plane */
  SF_QUANTIZED_INT8 = 7         /**< "int8.v1", -127 to 127, one plane */
} sf_ternary_layout;

/** The name of layout number `layout`, such as "tern.v1"; null if there is
 * none. Static, never freed. */
SF_API const char *sf_ternary_layout_name(int layout);

/** Zero-initialise, then set struct_size = sizeof(sf_ternary_format). */
typedef struct sf_ternary_format {
  size_t struct_size;
  int64_t n;
  int64_t k;
  sf_ternary_layout layout;
  /** 1 or 2. */
  int planes;
  /** What shares a scale: 0 the tensor, 1 a row, or 32, 64, 128 or 256 columns
   *  of a row. */
  int64_t scale_columns;
  /** F16, BF16 or F32. */
  sf_dtype scale_type;
} sf_ternary_format;

/**
 * Bytes of the blob, where its scales begin, and the number of floats in a
 * `scales` buffer (all planes). The pointers may be null.
 * SF_ERROR_INVALID_ARGUMENT: no such format.
 */
SF_API sf_status sf_ternary_size(const sf_ternary_format *format,
                                 size_t *blob_bytes, size_t *scale_offset,
                                 size_t *scale_count);

/**
 * Packs planes * n * k trits and the scales into `blob` (exactly the bytes of
 * sf_ternary_size). SF_ERROR_FORMAT names the first trit that is none, group
 * that is not 2:4, or scale that is not finite or not a number of the scale
 * type.
 */
SF_API sf_status sf_ternary_pack(const int8_t *trits, const float *scales,
                                 const sf_ternary_format *format,
                                 const char *name, int threads, void *blob,
                                 size_t blob_bytes);

/**
 * Unpacks and checks. `trits` and `scales` may be null: then it only checks.
 * SF_ERROR_FORMAT names the first illegal code. A kernel may only be given a
 * blob that passed.
 */
SF_API sf_status sf_ternary_unpack(const void *blob, size_t blob_bytes,
                                   const sf_ternary_format *format,
                                   const char *name, int threads, int8_t *trits,
                                   float *scales);

/*===----------------------------------------------------------------------===*\
|* Ternarisation
\*===----------------------------------------------------------------------===*/

typedef enum sf_ternary_method {
  /** BitNet's rule, for weights that were trained with it. */
  SF_TERNARY_ABSMEAN = 0,
  /** A threshold of 0.7 of the mean magnitude. */
  SF_TERNARY_TWN = 1,
  /** The least squared error; the only one for two planes and 2:4. */
  SF_TERNARY_LLOYD = 2
} sf_ternary_method;

typedef struct sf_ternary_report {
  /** ||W - W'|| / ||W||, and the same weighted by the importance. */
  double relative_error;
  double weighted_relative_error;
  /** -20 log10 of the relative error; infinite if nothing was lost. */
  double snr_db;
  /** Share of trits that are zero, 0 to 1. */
  double zero_share;
  /** Bits of the blob for each weight. */
  double bits_per_weight;
} sf_ternary_report;

/**
 * Makes n * k weights (F16, BF16 or F32) ternary; scales are rounded to the
 * scale type. `importance`: k numbers >= 0, or null for equal columns. `report`
 * may be null. SF_ERROR_FORMAT: a weight or importance that is not finite (the
 * text names the first), or a scale beyond its type.
 */
SF_API sf_status sf_ternarize(const void *weights, sf_dtype dtype,
                              const sf_ternary_format *format,
                              sf_ternary_method method, const float *importance,
                              const char *name, int threads, int8_t *trits,
                              float *scales, sf_ternary_report *report);

/**
 * The same by SF_TERNARY_TWN, which keeps the weights above `threshold` mean
 * magnitudes of what shares their scale: a finite number of at least 0, where
 * the method itself has 0.7.
 */
SF_API sf_status sf_ternarize_threshold(
    const void *weights, sf_dtype dtype, const sf_ternary_format *format,
    double threshold, const float *importance, const char *name, int threads,
    int8_t *trits, float *scales, sf_ternary_report *report);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_TERNARY_H */
