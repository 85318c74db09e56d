/*===- weights.h - Packed weights and their files ------------------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Prunes, packs, checks and unpacks 2:4 sparse matrices on the CPU, and reads
|* .sfpk files. No GPU is needed.
|*
|* Matrices: W is row-major [n][k] without gaps; n = out features, k = in
|* features, a multiple of 4; elements are f16 or bf16 (2 bytes). Groups are 4
|* adjacent columns. Sizes are in elements unless a name says bytes.
|* Blobs: the layout "sf24.v1" (docs/formats/packed-2-4.md). On the CPU a blob
|* may lie at any address; kernels need a base aligned to 256 bytes.
|*
|* Ownership: the caller owns every buffer; a function keeps no pointer after it
|* returns. Only an sf_container owns anything: close it.
|* Threads: every function may run on many threads at once on different
|* outputs. An sf_container is immutable after open and may be shared.
|* `threads` arguments: how many threads one call may use, 0 = one a core. The
|* result does not depend on it.
|* Errors: the status code, and sf_last_error() for the detail. After an error
|* the contents of output buffers are unspecified.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_WEIGHTS_H
#define SPARSEFLOW_WEIGHTS_H

#include "sparseflow/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element types. The numbers are those in .sfpk files and never change. */
typedef enum sf_dtype {
  SF_DTYPE_INVALID = 0,
  SF_DTYPE_F16 = 1,
  SF_DTYPE_BF16 = 2,
  SF_DTYPE_F32 = 3,
  SF_DTYPE_F64 = 4,
  SF_DTYPE_I8 = 5,
  SF_DTYPE_U8 = 6,
  SF_DTYPE_I16 = 7,
  SF_DTYPE_U16 = 8,
  SF_DTYPE_I32 = 9,
  SF_DTYPE_U32 = 10,
  SF_DTYPE_I64 = 11,
  SF_DTYPE_U64 = 12,
  SF_DTYPE_BOOL = 13,
  SF_DTYPE_F8_E4M3 = 14,
  SF_DTYPE_F8_E5M2 = 15,
  SF_DTYPE_F8_E8M0 = 16,
  SF_DTYPE_F6_E2M3 = 17,
  SF_DTYPE_F6_E3M2 = 18,
  SF_DTYPE_F4 = 19,
  SF_DTYPE_C64 = 20
} sf_dtype;

/*===----------------------------------------------------------------------===*\
|* Packing
\*===----------------------------------------------------------------------===*/

/** Bits of sf_pack_options.flags. */
enum {
  /** Keep the two largest magnitudes of each group (ties: the lower column)
   *  instead of refusing a group with more than two non-zeros. */
  SF_PACK_PRUNE = 1,
  /** Accept NaN and infinity, which are refused otherwise. */
  SF_PACK_ALLOW_NON_FINITE = 2
};

/** Zero-initialise, then set struct_size = sizeof(sf_pack_options). */
typedef struct sf_pack_options {
  size_t struct_size;
  /** Tensor name for error texts; may be null. */
  const char *name;
  unsigned flags;
  int threads;
} sf_pack_options;

typedef struct sf_pack_report {
  /** Non-zero elements of the input and of the result. */
  int64_t nonzeros;
  int64_t kept_nonzeros;
  /** Sums of squares of the input and of the result. */
  double energy;
  double kept_energy;
} sf_pack_report;

/**
 * Bytes of the blob of an n x k matrix. Also where its metadata starts, if
 * `metadata_offset` is not null (bytes from the base).
 * SF_ERROR_INVALID_ARGUMENT: negative size, k not a multiple of 4, overflow.
 */
SF_API sf_status sf_pack24_size(int64_t n, int64_t k, size_t *blob_bytes,
                                size_t *metadata_offset);

/**
 * Packs `dense` (n*k elements) into `blob`; blob_bytes must be exactly
 * sf_pack24_size. `options` may be null (no flags). `report` may be null; with
 * a report the input is read twice. SF_ERROR_FORMAT: NaN or infinity, or a
 * group with more than two non-zeros and no SF_PACK_PRUNE; the text names the
 * first place.
 */
SF_API sf_status sf_pack24(const void *dense, int64_t n, int64_t k,
                           sf_dtype dtype, const sf_pack_options *options,
                           void *blob, size_t blob_bytes,
                           sf_pack_report *report);

/**
 * Prunes `dense` in place to 2:4 by magnitude. SF_PACK_PRUNE is implied.
 * `options` and `report` may be null.
 */
SF_API sf_status sf_prune24(void *dense, int64_t n, int64_t k, sf_dtype dtype,
                            const sf_pack_options *options,
                            sf_pack_report *report);

/**
 * Checks a blob: sizes, index pairs, canonical padding. A kernel may only be
 * given a blob that passed: invalid metadata traps on the device and takes the
 * whole context with it. SF_ERROR_FORMAT names the first violation.
 */
SF_API sf_status sf_validate24(const void *blob, size_t blob_bytes, int64_t n,
                               int64_t k, int threads);

/**
 * Unpacks into `dense` (n*k elements; dense_bytes must be n*k*2), validating on
 * the way.
 */
SF_API sf_status sf_unpack24(const void *blob, size_t blob_bytes, int64_t n,
                             int64_t k, int threads, void *dense,
                             size_t dense_bytes);

/*===----------------------------------------------------------------------===*\
|* Conversion
\*===----------------------------------------------------------------------===*/

/**
 * Converts `count` elements between f32, f16 and bf16, rounding to nearest,
 * ties to even. `source` and `result` must not overlap. `options` may be null;
 * its SF_PACK_ALLOW_NON_FINITE lets NaN and infinity of the source through.
 * `overflows`, if not null, receives how many finite elements exceed the range
 * of the result type.
 * SF_ERROR_FORMAT: an overflow, NaN or infinity; the text has the first index
 * and the count. SF_ERROR_UNSUPPORTED: other types.
 */
SF_API sf_status sf_convert(const void *source, sf_dtype source_type,
                            void *result, sf_dtype result_type, int64_t count,
                            const sf_pack_options *options, int64_t *overflows);

/*===----------------------------------------------------------------------===*\
|* .sfpk containers (docs/formats/sfpk.md)
\*===----------------------------------------------------------------------===*/

typedef struct sf_container sf_container;

enum { SF_MAX_RANK = 8 };

/** What a section holds. */
typedef enum sf_section_kind {
  /** A tensor, row-major, layout "dense". */
  SF_SECTION_DENSE = 1,
  /** A packed matrix: rank 2, dims = {n, k}, layout "sf24.v1". */
  SF_SECTION_PACKED24 = 2,
  /** A text: the name is a key, the data its UTF-8 value. */
  SF_SECTION_TEXT = 3,
  /** A ternary or other quantized matrix: rank 5, dims = {n, k, planes, scope
   * of a scale, type of scales}, layout "tern.v1" and others
   * (docs/formats/ternary.md). The scope is 0 for the tensor, 1 for a row, or
   * the columns of a group; the type is an sf_dtype. dtype is that of the dense
   * matrix it stands for. */
  SF_SECTION_TERNARY = 4
} sf_section_kind;

/** One section. The pointers belong to the container. */
typedef struct sf_section {
  const char *name;
  const char *layout;
  sf_section_kind kind;
  sf_dtype dtype;
  int rank;
  int64_t dims[SF_MAX_RANK];
  /** Position of the data in the file, a multiple of 256, and its size. */
  uint64_t offset;
  uint64_t bytes;
  uint32_t crc32c;
} sf_section;

/**
 * Opens a file and checks its header completely (size, checksum, every field).
 * Section data are read, and checked, by sf_container_read. On success the
 * caller owns *container and closes it.
 * SF_ERROR_IO: cannot be opened or read. SF_ERROR_FORMAT: not a valid
 * container. SF_ERROR_UNSUPPORTED: written by a newer version.
 */
SF_API sf_status sf_container_open(const char *path, sf_container **container);

/** Closes; null is allowed. No other call may be using the container. */
SF_API void sf_container_close(sf_container *container);

/** Number of sections; 0 for null. */
SF_API size_t sf_container_count(const sf_container *container);

/** Describes section `index` (0 <= index < count). */
SF_API sf_status sf_container_section(const sf_container *container,
                                      size_t index, sf_section *section);

/**
 * Finds the tensor (dense or packed) called `name`; texts are not searched.
 * `index` and `section` may be null. SF_ERROR_INVALID_ARGUMENT: no such tensor.
 */
SF_API sf_status sf_container_find(const sf_container *container,
                                   const char *name, size_t *index,
                                   sf_section *section);

/**
 * Reads the data of section `index` into `buffer`; buffer_bytes must be the
 * section's size. Verifies the checksum and, for packed matrices, the same as
 * sf_validate24 (`threads` is used for that).
 */
SF_API sf_status sf_container_read(const sf_container *container, size_t index,
                                   int threads, void *buffer,
                                   size_t buffer_bytes);

/** A container that is being written. Not thread-safe. */
typedef struct sf_container_writer sf_container_writer;

/**
 * Begins the file `path` of `count` sections, of which name, kind, dtype, rank
 * and dims are read (as sf_section has them), and the layout of ternary ones.
 * Nothing is at `path`, or what was there stays, until sf_container_commit. On
 * success the caller owns *writer and closes it.
 * SF_ERROR_FORMAT, SF_ERROR_INVALID_ARGUMENT: a name, type, shape or layout
 * that no section has. SF_ERROR_IO: no file can be made there.
 */
SF_API sf_status sf_container_create(const char *path,
                                     const sf_section *sections, size_t count,
                                     sf_container_writer **writer);

/**
 * Writes the next section, in their order, so that one has to be in memory at a
 * time; `bytes` must be its size. What sf_container_read checks of packed
 * matrices is checked there, not here.
 */
SF_API sf_status sf_container_write(sf_container_writer *writer,
                                    const void *data, uint64_t bytes);

/**
 * Puts the file at its path; nothing can be written afterwards.
 * SF_ERROR_INVALID_ARGUMENT: sections are missing.
 */
SF_API sf_status sf_container_commit(sf_container_writer *writer);

/** Closes; null is allowed. Without a commit nothing is left of the file. */
SF_API void sf_container_writer_close(sf_container_writer *writer);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_WEIGHTS_H */
