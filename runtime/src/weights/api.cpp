//===- api.cpp - C ABI of packing and conversion --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/weights.h"

#include "common/buffer.h"
#include "weights/convert.h"
#include "weights/pack24.h"

using namespace sparseflow::rt;

/// The caller's options with defaults; fails on a struct from another version
/// and on unknown flags.
static Status readOptions(const sf_pack_options *options,
                          sf_pack_options &result) {
  result = {sizeof(result), nullptr, 0, 0};
  if (!options)
    return Status::success();
  if (options->struct_size != sizeof(result))
    return invalidArgument(
        "sf_pack_options.struct_size: expected sizeof(sf_pack_options) = " +
        std::to_string(sizeof(result)) + ", found " +
        std::to_string(options->struct_size));
  constexpr unsigned known = SF_PACK_PRUNE | SF_PACK_ALLOW_NON_FINITE;
  if (options->flags & ~known)
    return invalidArgument("sf_pack_options.flags: unknown bits in " +
                           std::to_string(options->flags));
  result = *options;
  return Status::success();
}

static PackOptions packOptions(const sf_pack_options &options,
                               const sf_pack_report *report) {
  PackOptions result;
  result.name = options.name ? options.name : "";
  result.prune = options.flags & SF_PACK_PRUNE;
  result.allowNonFinite = options.flags & SF_PACK_ALLOW_NON_FINITE;
  result.measureEnergy = report != nullptr;
  result.threads = options.threads;
  return result;
}

static void storeReport(const PackReport &from, sf_pack_report *to) {
  if (to)
    *to = {from.nonZeros, from.keptNonZeros, from.energy, from.keptEnergy};
}

/// Matrices of 16-bit elements have to be aligned to them.
static Status checkMatrix(const void *dense, const Layout24 &layout) {
  if (!dense && layout.denseBytes() != 0)
    return invalidArgument("dense is null");
  if (reinterpret_cast<uintptr_t>(dense) % 2 != 0)
    return invalidArgument("dense: expected an address that is a multiple of "
                           "2, the element size");
  return Status::success();
}

/// What `work` says of the layout of a matrix of n x k, where there is one.
template <typename Work>
static sf_status withLayout(int64_t n, int64_t k, const Work &work) {
  return guard([&]() -> Status {
    Expected<Layout24> layout = Layout24::create(n, k);
    return layout ? work(*layout) : layout.status();
  });
}

extern "C" sf_status sf_pack24_size(int64_t n, int64_t k, size_t *blobBytes,
                                    size_t *metadataOffset) {
  return withLayout(n, k, [&](const Layout24 &layout) -> Status {
    if (blobBytes)
      *blobBytes = layout.blobBytes();
    if (metadataOffset)
      *metadataOffset = layout.valuesBytes();
    return Status::success();
  });
}

extern "C" sf_status sf_pack24(const void *dense, int64_t n, int64_t k,
                               sf_dtype dtype, const sf_pack_options *options,
                               void *blob, size_t blobBytes,
                               sf_pack_report *report) {
  return withLayout(n, k, [&](const Layout24 &layout) -> Status {
    sf_pack_options given;
    if (Status status = readOptions(options, given); !status)
      return status;
    if (Status status = checkMatrix(dense, layout); !status)
      return status;
    if (Status status =
            checkBuffer("blob", blob, layout.blobBytes(), blobBytes);
        !status)
      return status;
    PackReport result;
    Status status = pack24(static_cast<const uint16_t *>(dense), layout, dtype,
                           packOptions(given, report),
                           static_cast<uint8_t *>(blob), &result);
    storeReport(result, report);
    return status;
  });
}

extern "C" sf_status sf_prune24(void *dense, int64_t n, int64_t k,
                                sf_dtype dtype, const sf_pack_options *options,
                                sf_pack_report *report) {
  return withLayout(n, k, [&](const Layout24 &layout) -> Status {
    sf_pack_options given;
    if (Status status = readOptions(options, given); !status)
      return status;
    if (Status status = checkMatrix(dense, layout); !status)
      return status;
    PackReport result;
    Status status = prune24(static_cast<uint16_t *>(dense), layout, dtype,
                            packOptions(given, report), &result);
    storeReport(result, report);
    return status;
  });
}

extern "C" sf_status sf_validate24(const void *blob, size_t blobBytes,
                                   int64_t n, int64_t k, int threads) {
  return withLayout(n, k, [&](const Layout24 &layout) -> Status {
    if (Status status =
            checkBuffer("blob", blob, layout.blobBytes(), blobBytes);
        !status)
      return status;
    return validate24(static_cast<const uint8_t *>(blob), layout, threads);
  });
}

extern "C" sf_status sf_unpack24(const void *blob, size_t blobBytes, int64_t n,
                                 int64_t k, int threads, void *dense,
                                 size_t denseBytes) {
  return withLayout(n, k, [&](const Layout24 &layout) -> Status {
    if (Status status =
            checkBuffer("blob", blob, layout.blobBytes(), blobBytes);
        !status)
      return status;
    if (Status status =
            checkBuffer("dense", dense, layout.denseBytes(), denseBytes);
        !status)
      return status;
    if (Status status = checkMatrix(dense, layout); !status)
      return status;
    return unpack24(static_cast<const uint8_t *>(blob), layout, threads,
                    static_cast<uint16_t *>(dense));
  });
}

extern "C" sf_status sf_convert(const void *source, sf_dtype sourceType,
                                void *result, sf_dtype resultType,
                                int64_t count, const sf_pack_options *options,
                                int64_t *overflows) {
  return guard([&]() -> Status {
    sf_pack_options given;
    if (Status status = readOptions(options, given); !status)
      return status;
    if (count > 0 && (!source || !result))
      return invalidArgument("source or result is null");
    ConvertOptions converting;
    converting.name = given.name ? given.name : "";
    converting.allowNonFinite = given.flags & SF_PACK_ALLOW_NON_FINITE;
    converting.threads = given.threads;
    return convert(source, sourceType, result, resultType, count, converting,
                   overflows);
  });
}
