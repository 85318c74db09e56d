//===- manifest.cpp - Sizes, targets and program selection ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/manifest.h"

#include "io/file.h"

#include <algorithm>

using namespace sparseflow::rt;

size_t sparseflow::rt::dtypeBytes(DType dtype) {
  switch (dtype) {
  case DType::I1:
  case DType::I8:
    return 1;
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::F32:
  case DType::I32:
    return 4;
  case DType::I64:
    return 8;
  }
  return 0;
}

bool sparseflow::rt::isInteger(DType dtype) {
  return dtype != DType::F16 && dtype != DType::BF16 && dtype != DType::F32;
}

const char *sparseflow::rt::dtypeName(DType dtype) {
  switch (dtype) {
  case DType::F16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::I1:
    return "i1";
  case DType::I8:
    return "i8";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  }
  return "?";
}

std::optional<DType> sparseflow::rt::parseDType(const std::string &name) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::I1, DType::I8,
                      DType::I32, DType::I64})
    if (name == dtypeName(dtype))
      return dtype;
  return std::nullopt;
}

std::string
TensorSpec::shapeText(const std::vector<std::string> &symbols) const {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i ? ", " : "";
    text += shape[i].symbol < 0 ? std::to_string(shape[i].constant)
                                : symbols[shape[i].symbol];
  }
  return text + "]";
}

Expected<uint64_t> sparseflow::rt::elementCount(const int64_t *dims,
                                                size_t rank) {
  // A zero anywhere makes an empty tensor, whatever the other sizes multiply
  // to.
  uint64_t count = 1;
  bool overflow = false;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return invalidArgument("size " + std::to_string(dims[i]) +
                             " is negative");
    if (dims[i] == 0)
      return uint64_t(0);
    overflow |= !checkedMul(count, static_cast<uint64_t>(dims[i]), count);
  }
  if (overflow || count > uint64_t(1) << 62)
    return invalidArgument("the number of elements does not fit 62 bits");
  return count;
}

Expected<uint64_t> sparseflow::rt::storageBytes(const TensorSpec &spec,
                                                const int64_t *dims) {
  Expected<uint64_t> elements = elementCount(dims, spec.shape.size());
  if (!elements)
    return elements.status();
  if (spec.isTernary())
    return static_cast<uint64_t>(spec.ternary.blobBytes());
  if (spec.isCache())
    return spec.cache->bytes(dims[0] * dims[1], dims[2]);
  uint64_t bytes = 0;
  if (spec.layout == Layout::RowMajor) {
    if (!checkedMul(*elements, dtypeBytes(spec.dtype), bytes))
      return invalidArgument("the tensor's bytes do not fit 64 bits");
    return bytes;
  }
  // sf24.v1: units of 64 x 64, 4096 bytes of values and 512 of metadata each.
  if (dims[1] % 4 != 0)
    return invalidArgument("a packed 2:4 tensor needs a multiple of 4 columns, "
                           "found " +
                           std::to_string(dims[1]));
  uint64_t rowBlocks = (static_cast<uint64_t>(dims[0]) + 63) / 64;
  uint64_t columnBlocks = (static_cast<uint64_t>(dims[1]) + 63) / 64;
  uint64_t units = 0;
  if (!checkedMul(rowBlocks, columnBlocks, units) ||
      !checkedMul(units, 4096 + 512, bytes))
    return invalidArgument("the packed tensor's bytes do not fit 64 bits");
  return bytes;
}

uint64_t sparseflow::rt::storageAlignment(const TensorSpec &spec) {
  return spec.layout == Layout::RowMajor ? dtypeBytes(spec.dtype) : 256;
}

std::optional<Target> sparseflow::rt::parseTarget(const std::string &text) {
  // sm_<major><minor>[a], the minor version being the last digit.
  if (text.compare(0, 3, "sm_") != 0)
    return std::nullopt;
  Target target;
  target.text = text;
  size_t end = text.size();
  if (text[end - 1] == 'a') {
    target.exact = true;
    --end;
  }
  if (end < 5 || end > 6)
    return std::nullopt;
  int number = 0;
  for (size_t i = 3; i < end; ++i) {
    if (text[i] < '0' || text[i] > '9')
      return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  target.major = number / 10;
  target.minor = number % 10;
  return target;
}

Expected<const Program *> Function::select(int major, int minor) const {
  const Program *best = nullptr;
  for (const Program &program : programs) {
    const Target &target = program.target;
    if (target.major != major || target.minor > minor)
      continue;
    if (target.exact) {
      if (target.minor == minor)
        return &program;
      continue;
    }
    if (!best || target.minor > best->target.minor)
      best = &program;
  }
  if (best)
    return best;
  std::string targets;
  for (const Program &program : programs)
    targets += (targets.empty() ? "" : ", ") + program.target.text;
  std::string device = std::to_string(major) + std::to_string(minor);
  return unsupported("function '" + printable(name) + "' has code for " +
                     (targets.empty() ? "no GPU" : targets) +
                     ", but the device is sm_" + device +
                     "; compile the bundle with --target sm_" + device);
}

double Step::predicted(size_t variant, const int64_t *symbols) const {
  const std::vector<double> &times = variants[variant].predicted;
  if (times.empty())
    return 0;
  Expected<int64_t> tokens = predictedTokens.evaluate(symbols);
  if (!tokens)
    return 0;
  auto place =
      std::lower_bound(predictedAt.begin(), predictedAt.end(), *tokens);
  return place == predictedAt.end() ? times.back()
                                    : times[place - predictedAt.begin()];
}

bool Function::isEmpty(const int64_t *symbolValues) const {
  return std::all_of(
      results.begin(), results.end(), [&](const TensorSpec &result) {
        return std::any_of(
            result.shape.begin(), result.shape.end(),
            [&](const Dim &dim) { return dim.value(symbolValues) == 0; });
      });
}

Expected<bool> Guard::compare(const int64_t *symbols) const {
  Expected<int64_t> a = left.evaluate(symbols);
  if (!a)
    return a.status();
  Expected<int64_t> b = right.evaluate(symbols);
  if (!b)
    return b.status();
  return kind == Kind::LessEqual      ? *a <= *b
         : kind == Kind::GreaterEqual ? *a >= *b
                                      : *a == *b;
}

std::string Guard::text(const int64_t *symbols) const {
  Expected<int64_t> a = left.evaluate(symbols), b = right.evaluate(symbols);
  const char *sign = kind == Kind::LessEqual      ? " <= "
                     : kind == Kind::GreaterEqual ? " >= "
                                                  : " == ";
  return a && b ? std::to_string(*a) + sign + std::to_string(*b) : "";
}

Expected<uint64_t> Function::workspaceBytes(const Program &program,
                                            const int64_t *symbolValues) const {
  Expected<int64_t> bytes = program.workspace.evaluate(symbolValues);
  if (!bytes)
    return bytes.status().withContext("workspace size of '" + printable(name) +
                                      "'");
  if (*bytes < 0)
    return invalidArgument("workspace size of '" + printable(name) +
                           "' is negative (" + std::to_string(*bytes) +
                           ") for these sizes; the manifest is wrong");
  return static_cast<uint64_t>(*bytes);
}

Expected<std::string> sparseflow::rt::readSmallFile(const std::string &path,
                                                    size_t limit) {
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  if (file->size() > limit)
    return formatError("'" + printable(path, 400) + "' has " +
                       std::to_string(file->size()) + " bytes, the limit is " +
                       std::to_string(limit));
  std::string data(static_cast<size_t>(file->size()), '\0');
  if (Status status = file->read(0, &data[0], data.size()); !status)
    return status;
  return data;
}
