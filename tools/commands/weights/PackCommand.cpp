//===- PackCommand.cpp - sparseflow pack ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "weights/convert.h"
#include "weights/pack24.h"

#include <algorithm>
#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

namespace {

/// One tensor of the input and what becomes of it.
struct Job {
  const rt::SafetensorsEntry *tensor;
  bool pack;
  sf_dtype dtype;
  /// The input is [K, N], the output [N, K].
  bool transpose;
};

class Packing {
public:
  explicit Packing(const PackArguments &arguments) : arguments(arguments) {}

  /// Opens the input and decides about every tensor.
  Status plan();
  Status run(const std::function<bool()> &interrupted);
  bool stopped() const { return wasInterrupted; }

private:
  Status planTensor(const rt::SafetensorsEntry &tensor, bool included,
                    bool transpose);
  rt::Expected<sf_dtype> packedType(const rt::SafetensorsEntry &tensor,
                                    bool transpose) const;
  /// Reads, converts, prunes and packs; prints the tensor's line.
  Status packTensor(const Job &job, std::vector<uint8_t> &blob);
  void summarize(uint64_t outputBytes) const;

  const PackArguments &arguments;
  std::optional<rt::SafetensorsFile> input;
  std::vector<Job> jobs;
  std::vector<rt::SfpkSection> sections;
  ProgressBar progress;
  bool wasInterrupted = false;
  double energy = 0, keptEnergy = 0;
  size_t packed = 0;
};

} // namespace

static Status namedError(const rt::SafetensorsEntry &tensor,
                         const std::string &text) {
  return rt::formatError("tensor '" + rt::printable(tensor.name) +
                         "': " + text);
}

/// [K, N] elements of 16 bits as [N, K].
static void transposeMatrix(std::vector<uint16_t> &matrix, size_t k, size_t n) {
  std::vector<uint16_t> result(matrix.size());
  constexpr size_t block = 32;
  for (size_t i = 0; i < k; i += block)
    for (size_t j = 0; j < n; j += block)
      for (size_t a = i; a < std::min(k, i + block); ++a)
        for (size_t b = j; b < std::min(n, j + block); ++b)
          result[b * k + a] = matrix[a * n + b];
  matrix = std::move(result);
}

rt::Expected<sf_dtype> Packing::packedType(const rt::SafetensorsEntry &tensor,
                                           bool transpose) const {
  if (tensor.dtype != SF_DTYPE_F32 && !rt::isPackable(tensor.dtype))
    return namedError(tensor, "--include selects it, but its type is " +
                                  rt::printable(tensor.dtypeSpelling, 40) +
                                  "; expected F32, F16 or BF16. Narrow "
                                  "--include");
  if (tensor.shape.size() != 2)
    return namedError(tensor, "--include selects it, but its shape is " +
                                  rt::shapeText(tensor.shape) +
                                  "; expected a matrix. Narrow --include");
  if (tensor.shape[transpose ? 0 : 1] % 4 != 0)
    return namedError(tensor, "--include selects it, but its shape is " +
                                  rt::shapeText(tensor.shape) +
                                  "; expected a number of " +
                                  (transpose ? "rows" : "columns") +
                                  " that is a multiple of 4. Narrow --include");
  if (arguments.dtype == "f16")
    return SF_DTYPE_F16;
  if (arguments.dtype == "bf16")
    return SF_DTYPE_BF16;
  return tensor.dtype == SF_DTYPE_F32 ? SF_DTYPE_F16 : tensor.dtype;
}

Status Packing::planTensor(const rt::SafetensorsEntry &tensor, bool included,
                           bool transpose) {
  rt::SfpkSection section;
  section.name = tensor.name;
  section.shape = tensor.shape;
  section.dtype = tensor.dtype;
  if (included) {
    rt::Expected<sf_dtype> dtype = packedType(tensor, transpose);
    if (!dtype)
      return dtype.status();
    if (transpose)
      section.shape = {tensor.shape[1], tensor.shape[0]};
    section.kind = SF_SECTION_PACKED24;
    section.dtype = *dtype;
    ++packed;
  } else if (tensor.dtype == SF_DTYPE_INVALID) {
    return namedError(tensor, "its type '" +
                                  rt::printable(tensor.dtypeSpelling, 40) +
                                  "' is unknown; leave it out with --exclude");
  }
  jobs.push_back({&tensor, included, section.dtype, included && transpose});
  sections.push_back(std::move(section));
  return Status::success();
}

Status Packing::plan() {
  rt::Expected<NameFilter> filter = NameFilter::create(
      arguments.include, arguments.exclude, arguments.transpose);
  if (!filter)
    return filter.status();
  rt::Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(arguments.input);
  if (!file)
    return file.status();
  input.emplace(std::move(*file));

  for (const auto &[key, value] : input->header().metadata) {
    rt::SfpkSection text;
    text.name = key;
    text.kind = SF_SECTION_TEXT;
    text.dtype = SF_DTYPE_U8;
    text.shape = {int64_t(value.size())};
    sections.push_back(std::move(text));
  }
  for (const rt::SafetensorsEntry &tensor : input->tensors()) {
    rt::Expected<NameFilter::Choice> choice = filter->choose(tensor.name);
    if (!choice)
      return choice.status();
    if (*choice == NameFilter::LeaveOut)
      continue;
    if (Status status = planTensor(tensor, *choice == NameFilter::Take,
                                   filter->transposes(tensor.name));
        !status)
      return status;
  }
  if (packed == 0)
    return rt::formatError("no tensor of '" + rt::printable(arguments.input) +
                           "' matches --include '" +
                           rt::printable(arguments.include) +
                           "'; sparseflow inspect lists the names");
  return Status::success();
}

Status Packing::packTensor(const Job &job, std::vector<uint8_t> &blob) {
  const rt::SafetensorsEntry &tensor = *job.tensor;
  size_t n = job.transpose ? 1 : 0;
  rt::Expected<rt::Layout24> layout =
      rt::Layout24::create(tensor.shape[n], tensor.shape[1 - n]);
  if (!layout)
    return layout.status();
  std::vector<uint16_t> dense(layout->n * layout->k);
  if (tensor.dtype == job.dtype) {
    if (Status status = input->read(tensor, dense.data()); !status)
      return status;
  } else {
    std::vector<uint8_t> source(tensor.bytes());
    if (Status status = input->read(tensor, source.data()); !status)
      return status;
    rt::ConvertOptions converting;
    converting.name = tensor.name;
    converting.allowNonFinite = arguments.allowNonFinite;
    converting.threads = arguments.threads;
    if (Status status = rt::convert(source.data(), tensor.dtype, dense.data(),
                                    job.dtype, dense.size(), converting);
        !status)
      return status;
  }

  if (job.transpose)
    transposeMatrix(dense, layout->k, layout->n);
  rt::PackOptions options;
  options.name = tensor.name;
  options.prune = arguments.prune;
  options.allowNonFinite = arguments.allowNonFinite;
  options.measureEnergy = true;
  options.threads = arguments.threads;
  rt::PackReport report;
  blob.resize(layout->blobBytes());
  if (Status status = rt::pack24(dense.data(), *layout, job.dtype, options,
                                 blob.data(), &report);
      !status)
    return status;
  energy += report.energy;
  keptEnergy += report.keptEnergy;
  progress.clear();
  std::printf(
      "%s: %lld x %lld%s, %s -> %s 2:4, %s -> %s, kept energy %.2f "
      "%%, non-zeros %lld -> %lld\n",
      rt::printable(tensor.name).c_str(), static_cast<long long>(layout->n),
      static_cast<long long>(layout->k), job.transpose ? " (transposed)" : "",
      rt::dtypeName(tensor.dtype), rt::dtypeName(job.dtype),
      sizeText(tensor.bytes()).c_str(), sizeText(blob.size()).c_str(),
      100 * report.keptShare(), static_cast<long long>(report.nonZeros),
      static_cast<long long>(report.keptNonZeros));
  return Status::success();
}

void Packing::summarize(uint64_t outputBytes) const {
  std::printf("%s: %zu packed, %zu carried, %s; kept energy %.2f %% of the "
              "packed tensors\n",
              rt::printable(arguments.output).c_str(), packed,
              jobs.size() - packed, sizeText(outputBytes).c_str(),
              energy == 0 ? 100 : 100 * keptEnergy / energy);
}

Status Packing::run(const std::function<bool()> &interrupted) {
  rt::Expected<rt::SfpkWriter> writer =
      rt::SfpkWriter::create(arguments.output, std::move(sections));
  if (!writer)
    return writer.status();
  for (const auto &[key, value] : input->header().metadata)
    if (Status status = writer->write(value.data(), value.size()); !status)
      return status;

  uint64_t total = 0, done = 0;
  for (const Job &job : jobs)
    total += job.tensor->bytes();
  std::vector<uint8_t> data;
  for (const Job &job : jobs) {
    if (interrupted()) {
      wasInterrupted = true;
      return Status::success();
    }
    progress.show(rt::printable(job.tensor->name, 60),
                  total ? double(done) / total : 0);
    Status status;
    if (job.pack) {
      status = packTensor(job, data);
    } else {
      data.resize(job.tensor->bytes());
      status = input->read(*job.tensor, data.data());
    }
    if (status)
      status = writer->write(data.data(), data.size());
    if (!status)
      return status;
    done += job.tensor->bytes();
  }
  progress.clear();
  uint64_t bytes = 0;
  if (!writer->sections().empty())
    bytes = writer->sections().back().offset + writer->sections().back().bytes;
  if (Status status = writer->commit(); !status)
    return status;
  summarize(bytes);
  return Status::success();
}

int tools::runPack(const PackArguments &arguments,
                   const std::function<bool()> &interrupted) {
  if (arguments.format != "2:4" && !arguments.transpose.empty()) {
    failWith("pack",
             rt::invalidArgument("--transpose is for --format 2:4, found " +
                                 arguments.format));
    return int(ExitUsage);
  }
  if (arguments.format != "2:4")
    return runPackTernary(arguments, interrupted);
  Packing packing(arguments);
  if (Status status = packing.plan(); !status)
    return failBeforeWork("pack", status);
  if (Status status = packing.run(interrupted); !status)
    return failWith("pack", status);
  return packing.stopped() ? kExitInterrupted : int(ExitOk);
}
