//===- ArgumentFiles.cpp - One argument from a file -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/ArgumentFiles.h"

#include "arguments/Npy.h"
#include "arguments/TernaryArguments.h"
#include "io/safetensors.h"
#include "weights/dtype.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::printable;

namespace {
struct CloseContainer {
  void operator()(sf_container *container) const {
    sf_container_close(container);
  }
};
using ContainerOwner = std::unique_ptr<sf_container, CloseContainer>;
} // namespace

static Status lastError(sf_status code) { return {code, sf_last_error()}; }

// Takes `data` as it is, or rounded when it is f32 and the argument is not.
static Status adopt(Buffer data, sf_dtype dtype, std::vector<int64_t> shape,
                    const TensorSpec &spec, int threads, Argument &argument,
                    std::vector<std::string> &notes) {
  argument.dense.dtype = spec.dtype;
  if (dtype == static_cast<sf_dtype>(spec.dtype)) {
    const uint8_t *bytes = data.data();
    if (spec.dtype == DType::I1 && bytes &&
        std::any_of(bytes, bytes + data.size(),
                    [](uint8_t byte) { return byte > 1; }))
      return rt::formatError("'" + printable(argument.origin) +
                             "': expected 0 or 1 in every byte of a boolean");
    argument.dense.shape = std::move(shape);
    argument.dense.data = std::move(data);
    return Status::success();
  }
  if (dtype != SF_DTYPE_F32 || rt::isInteger(spec.dtype))
    return rt::invalidArgument("'" + printable(argument.origin) + "' holds " +
                               rt::dtypeName(dtype) + " elements, expected " +
                               rt::dtypeName(spec.dtype) +
                               (rt::isInteger(spec.dtype) ? "" : " or f32"));
  argument.dense = HostTensor::allocate(spec.dtype, std::move(shape));
  sf_pack_options options = {};
  options.struct_size = sizeof(options);
  options.name = argument.origin.c_str();
  options.threads = threads;
  sf_status code = sf_convert(data.data(), dtype, argument.dense.data.data(),
                              static_cast<sf_dtype>(spec.dtype),
                              static_cast<int64_t>(argument.dense.count()),
                              &options, nullptr);
  if (code != SF_OK)
    return lastError(code);
  notes.push_back("'" + printable(argument.origin) + "' was rounded from f32 " +
                  "to " + rt::dtypeName(spec.dtype));
  return Status::success();
}

static Status loadNpy(const ArgumentSource &source, const TensorSpec &spec,
                      int threads, Argument &argument,
                      std::vector<std::string> &notes) {
  Expected<NpyArray> array = readNpy(source.path);
  if (!array)
    return array.status();
  sf_dtype dtype = SF_DTYPE_INVALID;
  switch (array->type) {
  case NpyType::F16:
    dtype = SF_DTYPE_F16;
    break;
  case NpyType::F32:
    dtype = SF_DTYPE_F32;
    break;
  case NpyType::U16:
    // How bf16 travels in this format.
    dtype = spec.dtype == DType::BF16 ? SF_DTYPE_BF16 : SF_DTYPE_U16;
    break;
  case NpyType::Bool:
    dtype = SF_DTYPE_BOOL;
    break;
  case NpyType::I8:
    dtype = SF_DTYPE_I8;
    break;
  case NpyType::I32:
    dtype = SF_DTYPE_I32;
    break;
  case NpyType::I64:
    dtype = SF_DTYPE_I64;
    break;
  }
  return adopt(std::move(array->data), dtype, std::move(array->shape), spec,
               threads, argument, notes);
}

static Status loadSafetensors(const ArgumentSource &source,
                              const TensorSpec &spec, int threads,
                              Argument &argument,
                              std::vector<std::string> &notes) {
  Expected<rt::SafetensorsFile> file = rt::SafetensorsFile::open(source.path);
  if (!file)
    return file.status();
  const rt::SafetensorsEntry *entry = file->find(source.tensor);
  if (!entry)
    return rt::invalidArgument("'" + printable(source.path, 400) +
                               "' has no tensor '" + printable(source.tensor) +
                               "'; list them with sparseflow inspect");
  Buffer data(entry->bytes());
  if (Status status = file->read(*entry, data.data()); !status)
    return status;
  return adopt(std::move(data), entry->dtype, entry->shape, spec, threads,
               argument, notes);
}

static Status loadSfpk(const ArgumentSource &source, const TensorSpec &spec,
                       int threads, Argument &argument,
                       std::vector<std::string> &notes) {
  sf_container *opened = nullptr;
  if (sf_status code = sf_container_open(source.path.c_str(), &opened))
    return lastError(code);
  ContainerOwner container(opened);
  size_t index = 0;
  sf_section section;
  if (sf_status code = sf_container_find(container.get(), source.tensor.c_str(),
                                         &index, &section))
    return lastError(code);
  Buffer data(section.bytes);
  if (sf_status code = sf_container_read(container.get(), index, threads,
                                         data.data(), data.size()))
    return lastError(code);
  std::vector<int64_t> shape(section.dims, section.dims + section.rank);
  if (section.kind == SF_SECTION_TERNARY)
    return rt::invalidArgument(
        "'" + printable(argument.origin) + "' is ternary (" + section.layout +
        "), expected " + rt::dtypeName(spec.dtype) +
        " elements; compile for this file (--weights), or unpack it");
  if (section.kind != SF_SECTION_PACKED24)
    return adopt(std::move(data), section.dtype, std::move(shape), spec,
                 threads, argument, notes);
  if (section.dtype != static_cast<sf_dtype>(spec.dtype))
    return rt::invalidArgument("'" + printable(argument.origin) +
                               "' is packed " + rt::dtypeName(section.dtype) +
                               ", expected " + rt::dtypeName(spec.dtype) +
                               "; pack it again with --dtype " +
                               rt::dtypeName(spec.dtype));
  argument.dense = HostTensor::allocate(spec.dtype, std::move(shape));
  if (sf_status code = sf_unpack24(
          data.data(), data.size(), section.dims[0], section.dims[1], threads,
          argument.dense.data.data(), argument.dense.data.size()))
    return lastError(code);
  if (spec.layout == rt::Layout::Sf24V1)
    argument.packed = std::move(data);
  return Status::success();
}

Status sparseflow::tools::loadArgument(const ArgumentSource &source,
                                       const TensorSpec &spec, int threads,
                                       Argument &argument,
                                       std::vector<std::string> &notes) {
  argument.origin = source.path;
  if (!source.tensor.empty())
    argument.origin += ":" + source.tensor;
  if (spec.isTernary()) {
    if (source.kind == ArgumentSource::Kind::Sfpk)
      return loadTernary(source.path, source.tensor, spec, threads, argument);
    return rt::invalidArgument(
        "'" + printable(argument.origin) +
        "' is dense, expected a ternary "
        "weight; make one with sparseflow pack --format ternary and give it as "
        "FILE.sfpk:TENSOR");
  }
  switch (source.kind) {
  case ArgumentSource::Kind::Npy:
    return loadNpy(source, spec, threads, argument, notes);
  case ArgumentSource::Kind::Safetensors:
    return loadSafetensors(source, spec, threads, argument, notes);
  case ArgumentSource::Kind::Sfpk:
    return loadSfpk(source, spec, threads, argument, notes);
  case ArgumentSource::Kind::Random:
    break;
  }
  assert(false && "a random argument has no file");
  return Status::success();
}
