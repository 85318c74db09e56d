//===- PackTernary.cpp - sparseflow pack --format ternary -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "TernaryReportFile.h"
#include "TernarySource.h"
#include "io/sfpk.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "ternary/pack.h"

#include <cassert>
#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

namespace {

class TernaryPacking {
public:
  explicit TernaryPacking(const PackArguments &arguments)
      : arguments(arguments) {}

  Status plan();
  Status run(const std::function<bool()> &interrupted);
  bool stopped() const { return wasInterrupted; }

private:
  Status readOptions();
  Status packTensor(const TernaryJob &job, std::vector<uint8_t> &data);

  const PackArguments &arguments;
  rt::TernaryFormat wanted;
  rt::TernaryMethod method = rt::TernaryMethod::Lloyd;
  std::unique_ptr<TernarySource> source;
  std::optional<rt::SafetensorsFile> calibration;
  std::vector<TernaryLine> lines;
  ProgressBar progress;
  bool wasInterrupted = false;
};

} // namespace

Status TernaryPacking::readOptions() {
  const TernaryArguments &given = arguments.ternary;
  // The first layout of a format is the one that it has unless told.
  const rt::Storage *first = nullptr;
  std::string layouts;
  for (const rt::Storage *storage : rt::kStorages) {
    if (storage->format != arguments.format)
      continue;
    layouts += (first ? ", " : "") + std::string(storage->layout);
    if (!first)
      first = storage;
  }
  assert(first && "the command line takes formats that have a layout");
  rt::Expected<rt::TernaryStorage> number = rt::storageFromLayout(
      given.layout.empty() ? first->layout : given.layout);
  if (!number)
    return number.status();
  const rt::Storage &storage = rt::storageOf(*number);
  if (storage.format != arguments.format)
    return rt::invalidArgument("--format " + arguments.format +
                               " has the layouts " + layouts +
                               ", found --layout " + given.layout);
  rt::Expected<rt::TernaryMethod> named = rt::methodFromName(given.method);
  if (!named)
    return named.status();
  method = *named;
  if (given.threshold >= 0 && method != rt::TernaryMethod::Twn)
    return rt::invalidArgument("--threshold is that of --method twn, found "
                               "--method " +
                               given.method);
  wanted.storage = storage.number;
  wanted.planes = given.planes;
  wanted.group = given.scale == "tensor" ? rt::kTensorScale
                 : given.scale == "row"  ? rt::kRowScale
                                         : std::stoll(given.scale);
  wanted.scaleType = given.scaleType == "f16"    ? SF_DTYPE_F16
                     : given.scaleType == "bf16" ? SF_DTYPE_BF16
                                                 : SF_DTYPE_F32;
  if (method != rt::TernaryMethod::Lloyd &&
      (storage.isTwoFour() || !storage.isTernary() || wanted.planes == 2))
    return rt::invalidArgument("--method " + given.method +
                               " makes one plane of trits without a pattern; "
                               "two planes, 2:4 and other numbers choose by "
                               "lloyd");
  return wanted.verify();
}

Status TernaryPacking::plan() {
  if (Status status = readOptions(); !status)
    return status;
  rt::Expected<std::unique_ptr<TernarySource>> opened =
      TernarySource::open(arguments, wanted);
  if (!opened)
    return opened.status();
  source = std::move(*opened);
  if (!arguments.ternary.calibration.empty()) {
    rt::Expected<rt::SafetensorsFile> file =
        rt::SafetensorsFile::open(arguments.ternary.calibration);
    if (!file)
      return file.status();
    calibration.emplace(std::move(*file));
  }
  return Status::success();
}

Status TernaryPacking::packTensor(const TernaryJob &job,
                                  std::vector<uint8_t> &data) {
  TernaryLine line;
  line.name = job.name;
  line.source = job.typeName;
  line.method = rt::methodName(method);
  line.format = job.format;
  line.imported = job.isImport();
  rt::ImportedTernary matrix;
  if (line.imported) {
    rt::Expected<rt::ImportedTernary> imported = source->import(job);
    if (!imported)
      return imported.status();
    matrix = std::move(*imported);
    rt::TernaryReport &report = line.report;
    for (int8_t trit : matrix.trits) {
      report.positives += trit > 0;
      report.negatives += trit < 0;
    }
    report.weights = matrix.trits.size();
    report.zeros = report.weights - report.positives - report.negatives;
    report.bitsPerWeight = job.format.bitsPerWeight();
  } else {
    data.resize(job.bytes);
    if (Status status = source->read(job, data.data()); !status)
      return status;
    std::vector<float> importance;
    if (calibration) {
      rt::Expected<std::vector<float>> found =
          readImportance(*calibration, job.name, job.format.k);
      if (!found)
        return found.status();
      importance = std::move(*found);
      line.weighted = true;
    }
    rt::TernarizeOptions options;
    options.name = job.name;
    options.method = method;
    if (arguments.ternary.threshold >= 0)
      options.threshold = arguments.ternary.threshold;
    options.format = job.format;
    options.importance = line.weighted ? importance.data() : nullptr;
    options.threads = arguments.threads;
    matrix.trits.resize(job.format.tritCount());
    matrix.scales.resize(job.format.planes * job.format.scalesPerPlane());
    if (Status status =
            rt::ternarize(data.data(), job.dtype, options, matrix.trits.data(),
                          matrix.scales.data(), &line.report);
        !status)
      return status;
    double most = arguments.ternary.maxError;
    if (most >= 0 && line.report.relativeError() > most)
      return rt::formatError(
          "tensor '" + rt::printable(job.name) + "': the relative error is " +
          std::to_string(line.report.relativeError()) + ", --max-error is " +
          std::to_string(most) +
          "; narrow --include, use smaller groups or --planes 2");
  }
  data.resize(job.format.blobBytes());
  if (Status status =
          rt::packTernary(matrix.trits.data(), matrix.scales.data(), job.format,
                          job.name, arguments.threads, data.data());
      !status)
    return status;
  progress.clear();
  std::printf("%s\n", ternaryText(line).c_str());
  lines.push_back(std::move(line));
  return Status::success();
}

Status TernaryPacking::run(const std::function<bool()> &interrupted) {
  rt::Expected<rt::SfpkWriter> writer =
      rt::SfpkWriter::create(arguments.output, source->sections());
  if (!writer)
    return writer.status();
  for (const std::string &text : source->texts())
    if (Status status = writer->write(text.data(), text.size()); !status)
      return status;
  uint64_t total = 0, done = 0;
  for (const TernaryJob &job : source->jobs())
    total += job.bytes;
  std::vector<uint8_t> data;
  for (const TernaryJob &job : source->jobs()) {
    if (interrupted()) {
      wasInterrupted = true;
      return Status::success();
    }
    progress.show(rt::printable(job.name, 60),
                  total ? double(done) / total : 0);
    Status status;
    if (job.kind != TernaryJob::Carry) {
      status = packTensor(job, data);
    } else {
      data.resize(job.bytes);
      status = source->read(job, data.data());
    }
    if (status)
      status = writer->write(data.data(), data.size());
    if (!status)
      return status;
    done += job.bytes;
  }
  progress.clear();
  uint64_t bytes = 0;
  if (!writer->sections().empty())
    bytes = writer->sections().back().offset + writer->sections().back().bytes;
  if (Status status = writer->commit(); !status)
    return status;
  if (!arguments.ternary.report.empty())
    if (Status status = writeText(arguments.ternary.report,
                                  ternaryJson(arguments.input, lines));
        !status)
      return status;
  for (const std::string &line : source->leftOut())
    std::printf("%s\n", line.c_str());
  std::printf("%s: %zu packed, %zu carried, %s%s\n",
              rt::printable(arguments.output).c_str(), lines.size(),
              source->jobs().size() - lines.size(), sizeText(bytes).c_str(),
              calibration ? "" : "; errors are of weights only");
  return Status::success();
}

int tools::runPackTernary(const PackArguments &arguments,
                          const std::function<bool()> &interrupted) {
  TernaryPacking packing(arguments);
  if (Status status = packing.plan(); !status)
    return failBeforeWork("pack", status);
  if (Status status = packing.run(interrupted); !status)
    return failWith("pack", status);
  return packing.stopped() ? kExitInterrupted : int(ExitOk);
}
