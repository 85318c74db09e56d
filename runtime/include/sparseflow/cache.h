/*===- cache.h - Ternary keys and values of attention --------------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Packs, checks, unpacks and grows caches of keys and values as trits or as
|* numbers of 4 or 8 bits with scales, on the host, and says what they take and
|* which mode of attention fits a budget. No GPU is needed.
|* docs/formats/ternary-cache.md and quantized-cache.md describe the layouts
byte
|* by byte.
|*
|* A cache is [heads][tokens][features]; `heads` counts batch entries times key
|* heads, `tokens` is what there is room for, a multiple of 64. Trits and
numbers
|* are one signed byte each; scales are floats: [heads] for a head,
|* [heads][tokens] for tokens, [heads][groups] for groups of features,
|* [heads][tokens][groups] for groups of a token's.
|*
|* Ownership, threads and errors: as in weights.h. Functions may run at the same
|* time on different caches.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_CACHE_H
#define SPARSEFLOW_CACHE_H

#include "sparseflow/ternary.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Values of sf_cache_format.scale_features that are no number of features. */
enum { SF_CACHE_HEAD_SCALE = -1, SF_CACHE_TOKEN_SCALE = -2 };
/** A value of sf_cache_format.bits that is no number of bits: floats of 8 bits,
 *  f8E4M3FN. */
enum { SF_CACHE_E4M3 = -8 };

/** Zero-initialise, then set struct_size = sizeof(sf_cache_format). */
typedef struct sf_cache_format {
  size_t struct_size;
  /** 0: keys ("ternk.v1"), 1: values ("ternv.v1"). */
  int values;
  /** Bits of an element: 0 or 2 for trits, 8 or 4 for numbers in two's
   *  complement ("int8k.v1", "int8v.v1", "int4k.v1", "int4v.v1"), or
   *  SF_CACHE_E4M3 ("e4m3k.v1", "e4m3v.v1"), whose elements are given and
   *  returned as their bits. */
  int bits;
  int64_t features;
  /** What shares a scale: SF_CACHE_HEAD_SCALE, SF_CACHE_TOKEN_SCALE, or 32, 64,
   *  128 or 256 features; of numbers -32, -64 or -128, too: so many features of
   *  a token. */
  int64_t scale_features;
  /** F16, BF16 or F32. */
  sf_dtype scale_type;
} sf_cache_format;

/**
 * Bytes of a cache, bytes of one of its pages, and floats of a `scales` buffer.
 * The pointers may be null. SF_ERROR_INVALID_ARGUMENT: no such format, or
 * tokens that are no multiple of 64.
 */
SF_API sf_status sf_cache_size(const sf_cache_format *format, int64_t heads,
                               int64_t tokens, uint64_t *bytes,
                               uint64_t *page_bytes, uint64_t *scale_count);

/**
 * Writes every byte of a cache of exactly the bytes of sf_cache_size; what is
 * not taken yet has elements of 0. SF_ERROR_FORMAT names the first trit that is
 * none, number that the bits do not hold, or scale that is not finite.
 */
SF_API sf_status sf_cache_pack(const int8_t *trits, const float *scales,
                               const sf_cache_format *format, int64_t heads,
                               int64_t tokens, const char *name, void *cache,
                               uint64_t bytes);

/**
 * Unpacks and checks. `trits` and `scales` may be null: then it only checks.
 * SF_ERROR_FORMAT names the first bits that are no trit.
 */
SF_API sf_status sf_cache_unpack(const void *cache, uint64_t bytes,
                                 const sf_cache_format *format, int64_t heads,
                                 int64_t tokens, const char *name,
                                 int8_t *trits, float *scales);

/**
 * Makes `count` vectors a head, [heads][count][features], ternary by the rule
 * of sparseflow.cache_append (SF_TERNARY_ABSMEAN or SF_TERNARY_TWN), or rounds
 * them to numbers, whatever the method is, and writes them as tokens from
 * `first`[head] on: the bits that a compiled append writes.
 * SF_ERROR_INVALID_ARGUMENT, and nothing is written, where one of them has no
 * place in the cache; a compiled append drops it.
 */
SF_API sf_status sf_cache_append(void *cache, uint64_t bytes,
                                 const sf_cache_format *format, int64_t heads,
                                 int64_t tokens, const float *vectors,
                                 int64_t count, const int64_t *first,
                                 sf_ternary_method method);

/*===----------------------------------------------------------------------===*\
|* Modes
\*===----------------------------------------------------------------------===*/

/** How keys and values are held: two bytes an element, trits, or numbers of 8
 *  or 4 bits, or floats of 8 (f8E4M3FN), for both. The numbers never change. */
typedef enum sf_attention_mode {
  SF_ATTENTION_FULL_PRECISION = 0,
  SF_ATTENTION_TERNARY_KEYS = 1,
  SF_ATTENTION_TERNARY_KEYS_VALUES = 2,
  SF_ATTENTION_INT8 = 3,
  SF_ATTENTION_INT4 = 4,
  SF_ATTENTION_E4M3 = 5
} sf_attention_mode;
enum { SF_ATTENTION_MODES = 6 };

/** How fast a mode is: microseconds = fixed + bytes read / (1000 *
 *  gigabytes_per_second). */
typedef struct sf_mode_speed {
  double gigabytes_per_second;
  double fixed_microseconds;
} sf_mode_speed;

/** A call of attention, or the layers of a model that are to be alike.
 *  Zero-initialise, then set struct_size = sizeof(sf_attention_case). */
typedef struct sf_attention_case {
  size_t struct_size;
  int64_t layers, batch, query_heads, key_heads;
  /** Of keys, and of values. */
  int64_t features, value_features;
  /** Positions of a batch entry that there is room for, and how many of them
   *  are taken, on the mean: what is read. Their quotient is the occupancy. */
  int64_t capacity;
  double taken;
  /** Queries of a batch entry in a call. */
  int64_t queries;
  /** Formats of ternary keys and values; `features`, `values` and `bits` are
   *  ignored. */
  sf_cache_format keys, values;
  /** The same of int8, int4 and e4m3 ones. Where struct_size is 0: a scale of
   *  F32 for each token. */
  sf_cache_format quantized_keys, quantized_values;
  /** Bytes that the keys and values of all layers may take; 0: any number. */
  uint64_t memory_budget;
  /** The largest relative error of results that is allowed, and that of each
   *  mode, measured on data like the call's; negative: not measured. */
  double max_error;
  double error[SF_ATTENTION_MODES];
  /** Bit m: mode m is compiled. */
  uint32_t available;
  /** All zero: what bench/gpu measured on an H200 (docs/benchmarks.md). */
  sf_mode_speed speed[SF_ATTENTION_MODES];
} sf_attention_case;

typedef struct sf_mode_estimate {
  /** Keys and values of all layers, and what one call reads of one layer. */
  uint64_t bytes, bytes_read;
  /** One layer of one call, where queries are few. */
  double microseconds;
  int is_compiled, is_accurate, fits;
} sf_mode_estimate;

/**
 * Chooses among the modes that are compiled and within the error allowed the
 * fastest of those that fit the budget. A mode whose error was not measured is
 * never chosen; full precision has none. SF_ERROR_UNSUPPORTED where no mode is
 * left: the bound is never given up for the budget. `estimates` and `json`, a
 * record of the decision with its reasons (cut at json_bytes, with a NUL), may
 * be null; both are filled in that case too.
 */
SF_API sf_status sf_attention_choose_mode(const sf_attention_case *call,
                                          sf_attention_mode *mode,
                                          sf_mode_estimate *estimates,
                                          char *json, size_t json_bytes);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_CACHE_H */
