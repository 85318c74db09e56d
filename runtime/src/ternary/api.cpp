//===- api.cpp - C ABI of quantized weights and GGUF files ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/gguf.h"

#include "common/buffer.h"
#include "ternary/import.h"
#include "ternary/pack.h"
#include "ternary/ternarize.h"

#include <algorithm>

using namespace sparseflow::rt;

struct sf_gguf {
  GgufFile file;
};

static Expected<TernaryFormat> readFormat(const sf_ternary_format *format) {
  if (!format)
    return invalidArgument("format is null");
  if (format->struct_size != sizeof(*format))
    return invalidArgument("sf_ternary_format.struct_size: expected "
                           "sizeof(sf_ternary_format) = " +
                           std::to_string(sizeof(*format)) + ", found " +
                           std::to_string(format->struct_size));
  TernaryFormat result{format->n,
                       format->k,
                       TernaryStorage(int(format->layout)),
                       format->planes,
                       format->scale_columns,
                       format->scale_type};
  if (Status status = result.verify(); !status)
    return status;
  return result;
}

static Status checkBlob(const void *blob, size_t bytes,
                        const TernaryFormat &format) {
  if (bytes != uint64_t(format.blobBytes()))
    return invalidArgument("blob: expected " +
                           std::to_string(format.blobBytes()) +
                           " bytes, found " + std::to_string(bytes));
  if (!blob)
    return invalidArgument("blob is null");
  return Status::success();
}

static Status checkPointers(const void *trits, const void *scales,
                            const TernaryFormat &format) {
  if ((!trits && format.tritCount() != 0) ||
      (!scales && format.scalesPerPlane() != 0))
    return invalidArgument("trits or scales is null");
  return Status::success();
}

extern "C" const char *sf_ternary_layout_name(int layout) {
  const Storage *storage = findStorage(TernaryStorage(layout));
  return storage ? storage->layout : nullptr;
}

extern "C" sf_status sf_ternary_size(const sf_ternary_format *format,
                                     size_t *blobBytes, size_t *scaleOffset,
                                     size_t *scaleCount) {
  return guard([&]() -> Status {
    Expected<TernaryFormat> given = readFormat(format);
    if (!given)
      return given.status();
    if (blobBytes)
      *blobBytes = given->blobBytes();
    if (scaleOffset)
      *scaleOffset = given->scaleOffset();
    if (scaleCount)
      *scaleCount = given->planes * given->scalesPerPlane();
    return Status::success();
  });
}

extern "C" sf_status sf_ternary_pack(const int8_t *trits, const float *scales,
                                     const sf_ternary_format *format,
                                     const char *name, int threads, void *blob,
                                     size_t blobBytes) {
  return guard([&]() -> Status {
    Expected<TernaryFormat> given = readFormat(format);
    if (!given)
      return given.status();
    if (Status status = checkPointers(trits, scales, *given); !status)
      return status;
    if (Status status = checkBlob(blob, blobBytes, *given); !status)
      return status;
    return packTernary(trits, scales, *given, name ? name : "", threads,
                       static_cast<uint8_t *>(blob));
  });
}

extern "C" sf_status sf_ternary_unpack(const void *blob, size_t blobBytes,
                                       const sf_ternary_format *format,
                                       const char *name, int threads,
                                       int8_t *trits, float *scales) {
  return guard([&]() -> Status {
    Expected<TernaryFormat> given = readFormat(format);
    if (!given)
      return given.status();
    if (Status status = checkBlob(blob, blobBytes, *given); !status)
      return status;
    return unpackTernary(static_cast<const uint8_t *>(blob), *given,
                         name ? name : "", threads, trits, scales);
  });
}

/// Ternarizes by `options`, whose method and threshold are set, from C's
/// arguments.
static Status ternarizeFrom(TernarizeOptions &options, const void *weights,
                            sf_dtype dtype, const sf_ternary_format *format,
                            const float *importance, const char *name,
                            int threads, int8_t *trits, float *scales,
                            sf_ternary_report *report) {
  Expected<TernaryFormat> given = readFormat(format);
  if (!given)
    return given.status();
  if (Status status = checkPointers(trits, scales, *given); !status)
    return status;
  if (!weights && given->n != 0 && given->k != 0)
    return invalidArgument("weights is null");
  options.name = name ? name : "";
  options.format = *given;
  options.importance = importance;
  options.threads = threads;
  TernaryReport made;
  if (Status status = ternarize(weights, dtype, options, trits, scales,
                                report ? &made : nullptr);
      !status)
    return status;
  if (report)
    *report = {made.relativeError(), made.weightedRelativeError(), made.snr(),
               made.zeroShare(), made.bitsPerWeight};
  return Status::success();
}

extern "C" sf_status sf_ternarize(const void *weights, sf_dtype dtype,
                                  const sf_ternary_format *format,
                                  sf_ternary_method method,
                                  const float *importance, const char *name,
                                  int threads, int8_t *trits, float *scales,
                                  sf_ternary_report *report) {
  return guard([&]() -> Status {
    // Compared as a number: a value outside the enumeration is undefined.
    int number = int(method);
    if (number < SF_TERNARY_ABSMEAN || number > SF_TERNARY_LLOYD)
      return invalidArgument("expected a method from 0 to 2, found " +
                             std::to_string(number));
    TernarizeOptions options;
    options.method = TernaryMethod(number);
    return ternarizeFrom(options, weights, dtype, format, importance, name,
                         threads, trits, scales, report);
  });
}

extern "C" sf_status sf_ternarize_threshold(
    const void *weights, sf_dtype dtype, const sf_ternary_format *format,
    double threshold, const float *importance, const char *name, int threads,
    int8_t *trits, float *scales, sf_ternary_report *report) {
  return guard([&]() -> Status {
    TernarizeOptions options;
    options.method = TernaryMethod::Twn;
    options.threshold = threshold;
    return ternarizeFrom(options, weights, dtype, format, importance, name,
                         threads, trits, scales, report);
  });
}

//===----------------------------------------------------------------------===//
// GGUF
//===----------------------------------------------------------------------===//

extern "C" sf_status sf_gguf_open(const char *path, unsigned q2Block,
                                  sf_gguf **file) {
  return guard([&]() -> Status {
    if (!path || !file)
      return invalidArgument("path or file is null");
    *file = nullptr;
    Expected<GgufFile> opened = GgufFile::open(path, q2Block);
    if (!opened)
      return opened.status();
    *file = new sf_gguf{std::move(*opened)};
    return Status::success();
  });
}

extern "C" void sf_gguf_close(sf_gguf *file) { delete file; }

extern "C" size_t sf_gguf_count(const sf_gguf *file) {
  return file ? file->file.tensors().size() : 0;
}

static Expected<const GgufTensor *> tensorAt(const sf_gguf *file,
                                             size_t index) {
  if (!file)
    return invalidArgument("file is null");
  if (index >= file->file.tensors().size())
    return invalidArgument("expected a tensor index below " +
                           std::to_string(file->file.tensors().size()) +
                           ", found " + std::to_string(index));
  return &file->file.tensors()[index];
}

static bool isImportable(const GgufTensor &tensor) {
  return tensor.isTernary() && tensor.isReadable() && tensor.shape.size() == 2;
}

extern "C" sf_status sf_gguf_describe(const sf_gguf *file, size_t index,
                                      sf_gguf_tensor *tensor,
                                      sf_ternary_format *format) {
  return guard([&]() -> Status {
    if (!tensor)
      return invalidArgument("tensor is null");
    Expected<const GgufTensor *> found = tensorAt(file, index);
    if (!found)
      return found.status();
    const GgufTensor &from = **found;
    *tensor = {};
    tensor->name = from.name.c_str();
    tensor->type = from.type;
    tensor->rank = from.shape.size();
    std::copy(from.shape.begin(), from.shape.end(), tensor->dims);
    tensor->bytes = from.bytes;
    tensor->is_ternary = isImportable(from);
    if (format && tensor->is_ternary)
      *format = {sizeof(*format),
                 from.shape[0],
                 from.shape[1],
                 SF_TERNARY_CODES,
                 1,
                 int64_t(from.blockElements),
                 SF_DTYPE_F16};
    return Status::success();
  });
}

extern "C" sf_status sf_gguf_read(const sf_gguf *file, size_t index,
                                  void *buffer, size_t bufferBytes) {
  return guard([&]() -> Status {
    Expected<const GgufTensor *> found = tensorAt(file, index);
    if (!found)
      return found.status();
    if (Status status =
            checkBuffer("buffer", buffer, (*found)->bytes, bufferBytes);
        !status)
      return status;
    return file->file.read(**found, buffer);
  });
}

extern "C" sf_status sf_gguf_read_ternary(const sf_gguf *file, size_t index,
                                          int threads, int8_t *trits,
                                          float *scales) {
  return guard([&]() -> Status {
    Expected<const GgufTensor *> found = tensorAt(file, index);
    if (!found)
      return found.status();
    std::vector<uint8_t> data((*found)->isReadable() ? (*found)->bytes : 0);
    if (Status status = file->file.read(**found, data.data()); !status)
      return status;
    Expected<ImportedTernary> matrix =
        importGguf(**found, data.data(), threads);
    if (!matrix)
      return matrix.status();
    if (Status status = checkPointers(trits, scales, matrix->format); !status)
      return status;
    std::copy(matrix->trits.begin(), matrix->trits.end(), trits);
    std::copy(matrix->scales.begin(), matrix->scales.end(), scales);
    return Status::success();
  });
}
