//===- CompressCommand.cpp - sparseflow compress --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "weights/convert.h"

#ifdef SPARSEFLOW_HAVE_COMPRESS
#include "compress/compress.h"
#endif

#include <nlohmann/json.hpp>

#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

#ifndef SPARSEFLOW_HAVE_COMPRESS

int tools::runCompress(const CompressArguments &,
                       const std::function<bool()> &) {
  std::fputs("sparseflow compress: error: this build has no OpenBLAS; install "
             "libopenblas-dev and build again\n",
             stderr);
  return ExitEnvironment;
}

#else

using Json = nlohmann::ordered_json;

namespace {

class Compression {
public:
  explicit Compression(const CompressArguments &arguments)
      : arguments(arguments) {}

  /// Reads the names and decides about every tensor.
  Status plan();
  Status run(const std::function<bool()> &interrupted);
  bool stopped() const { return wasInterrupted; }

private:
  Status checkMatrix(const rt::SafetensorsEntry &tensor) const;
  Status readMoments(const rt::SafetensorsEntry &tensor,
                     std::vector<float> &values,
                     rt::compress::Moments &moments) const;
  /// Compresses `data`, the tensor's bytes, in place; prints its line.
  Status compressTensor(const rt::SafetensorsEntry &tensor,
                        std::vector<uint8_t> &data);
  Status writeReport() const;

  const CompressArguments &arguments;
  rt::compress::Options options;
  std::optional<rt::SafetensorsFile> input, moments;
  /// In the order of the input; whether each is compressed.
  std::vector<bool> chosen;
  Json lines = Json::array();
  ProgressBar progress;
  bool wasInterrupted = false;
};

} // namespace

static Status named(const rt::SafetensorsEntry &tensor, const Status &status) {
  return status.withContext("tensor '" + rt::printable(tensor.name) + "'");
}

Status Compression::checkMatrix(const rt::SafetensorsEntry &tensor) const {
  if (tensor.dtype != SF_DTYPE_F32 && !rt::isPackable(tensor.dtype))
    return named(tensor,
                 rt::formatError("--include selects it, but its type is " +
                                 rt::printable(tensor.dtypeSpelling, 40) +
                                 "; expected F32, F16 or BF16. Narrow "
                                 "--include"));
  if (tensor.shape.size() != 2 || tensor.shape[1] == 0)
    return named(tensor,
                 rt::formatError("--include selects it, but its shape is " +
                                 rt::shapeText(tensor.shape) +
                                 "; expected a matrix with columns. Narrow "
                                 "--include"));
  return Status::success();
}

Status Compression::plan() {
  rt::Expected<rt::compress::Format> format =
      rt::compress::formatFromName(arguments.format);
  if (!format)
    return format.status();
  options.format = *format;
  options.format.scaleColumns = arguments.scaleColumns;
  rt::Expected<rt::compress::Method> method =
      rt::compress::methodFromName(arguments.method);
  if (!method)
    return method.status();
  options.method = *method;
  options.damping = arguments.damping;
  options.threads = arguments.threads;
  if (options.method != rt::compress::Method::Magnitude &&
      arguments.moments.empty())
    return rt::invalidArgument(
        "--method " + arguments.method +
        " judges weights by their inputs: expected --moments FILE; without "
        "calibration there is --method magnitude");

  rt::Expected<NameFilter> filter =
      NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  rt::Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(arguments.input);
  if (!file)
    return file.status();
  input.emplace(std::move(*file));
  if (!arguments.moments.empty()) {
    rt::Expected<rt::SafetensorsFile> opened =
        rt::SafetensorsFile::open(arguments.moments);
    if (!opened)
      return opened.status();
    moments.emplace(std::move(*opened));
  }

  bool any = false;
  for (const rt::SafetensorsEntry &tensor : input->tensors()) {
    rt::Expected<NameFilter::Choice> choice = filter->choose(tensor.name);
    if (!choice)
      return choice.status();
    bool take = *choice == NameFilter::Take;
    if (take)
      if (Status status = checkMatrix(tensor); !status)
        return status;
    if (tensor.dtype == SF_DTYPE_INVALID)
      return named(tensor,
                   rt::formatError("its type '" +
                                   rt::printable(tensor.dtypeSpelling, 40) +
                                   "' is unknown, so it cannot be carried"));
    chosen.push_back(take);
    any |= take;
  }
  if (!any)
    return rt::formatError("no tensor of '" + rt::printable(arguments.input) +
                           "' matches --include '" +
                           rt::printable(arguments.include) +
                           "'; sparseflow inspect lists the names");
  return Status::success();
}

Status Compression::readMoments(const rt::SafetensorsEntry &tensor,
                                std::vector<float> &values,
                                rt::compress::Moments &result) const {
  if (!moments)
    return Status::success();
  const rt::SafetensorsEntry *entry = moments->find(tensor.name);
  int64_t k = tensor.shape[1];
  std::string wanted = "expected [" + std::to_string(k) + ", " +
                       std::to_string(k) + "] or [" + std::to_string(k) +
                       "] in F32";
  std::string where =
      "the moments in '" + rt::printable(arguments.moments) + "': ";
  if (!entry)
    return rt::formatError(where + wanted + " under the same name, found none");
  bool whole = entry->shape == std::vector<int64_t>{k, k};
  if (entry->dtype != SF_DTYPE_F32 ||
      (!whole && entry->shape != std::vector<int64_t>{k}))
    return rt::formatError(where + wanted + ", found " +
                           rt::shapeText(entry->shape) + " in " +
                           rt::printable(entry->dtypeSpelling, 40));
  values.resize(whole ? k * k : k);
  if (Status status = moments->read(*entry, values.data()); !status)
    return status;
  (whole ? result.products : result.diagonal) = values.data();
  return Status::success();
}

Status Compression::compressTensor(const rt::SafetensorsEntry &tensor,
                                   std::vector<uint8_t> &data) {
  int64_t n = tensor.shape[0], k = tensor.shape[1];
  std::vector<float> weights(n * k), values;
  rt::compress::Moments judged;
  if (Status status = readMoments(tensor, values, judged); !status)
    return named(tensor, status);
  rt::ConvertOptions converting;
  converting.threads = arguments.threads;
  if (Status status = rt::convert(data.data(), tensor.dtype, weights.data(),
                                  SF_DTYPE_F32, n * k, converting);
      !status)
    return named(tensor, status);
  rt::compress::Report report;
  if (Status status = rt::compress::compressLayer(weights.data(), n, k, judged,
                                                  options, report);
      !status)
    return named(tensor, status);
  if (Status status = rt::convert(weights.data(), SF_DTYPE_F32, data.data(),
                                  tensor.dtype, n * k, converting);
      !status)
    return named(tensor, status);

  double zeros = report.weights ? double(report.zeros) / report.weights : 0;
  lines.push_back({{"name", tensor.name},
                   {"shape", tensor.shape},
                   {"output_error", report.outputError},
                   {"zeros", zeros},
                   {"damping", report.damping}});
  progress.clear();
  std::printf("%s: %lld x %lld, %s by %s: output error %.4f, zeros %.1f %%",
              rt::printable(tensor.name).c_str(), static_cast<long long>(n),
              static_cast<long long>(k), arguments.format.c_str(),
              arguments.method.c_str(), report.outputError, 100 * zeros);
  if (report.damping > arguments.damping)
    std::printf(", damping raised to %g: its moments are singular",
                report.damping);
  std::printf("\n");
  return Status::success();
}

Status Compression::writeReport() const {
  Json report = {{"format", "sparseflow-compress-report"},
                 {"version", 1},
                 {"input", arguments.input},
                 {"weights", arguments.format},
                 {"method", arguments.method},
                 {"scale_columns", arguments.scaleColumns},
                 {"tensors", lines}};
  std::string text =
      report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  rt::Expected<rt::OutputFile> file = rt::OutputFile::create(arguments.report);
  if (!file)
    return file.status();
  if (Status status = file->write(text.data(), text.size()); !status)
    return status;
  return file->commit();
}

Status Compression::run(const std::function<bool()> &interrupted) {
  std::vector<rt::SafetensorsWriter::Tensor> tensors;
  uint64_t total = 0, done = 0;
  for (const rt::SafetensorsEntry &tensor : input->tensors()) {
    tensors.push_back({tensor.name, tensor.dtype, tensor.shape});
    total += tensor.bytes();
  }
  rt::Expected<rt::SafetensorsWriter> writer = rt::SafetensorsWriter::create(
      arguments.output, std::move(tensors), input->header().metadata);
  if (!writer)
    return writer.status();
  std::vector<uint8_t> data;
  for (size_t index : writer->order()) {
    if ((wasInterrupted = interrupted()))
      return Status::success();
    const rt::SafetensorsEntry &tensor = input->tensors()[index];
    progress.show(rt::printable(tensor.name, 60),
                  total ? double(done) / total : 0);
    data.resize(tensor.bytes());
    Status status = input->read(tensor, data.data());
    if (status && chosen[index])
      status = compressTensor(tensor, data);
    if (status)
      status = writer->write(data.data(), data.size());
    if (!status)
      return status;
    done += tensor.bytes();
  }
  progress.clear();
  if (Status status = writer->commit(); !status)
    return status;
  return arguments.report.empty() ? Status::success() : writeReport();
}

int tools::runCompress(const CompressArguments &arguments,
                       const std::function<bool()> &interrupted) {
  Compression compression(arguments);
  if (Status status = compression.plan(); !status) {
    bool usage = status.code() == SF_ERROR_INVALID_ARGUMENT;
    int code = failWithInput("compress", status);
    return usage ? int(ExitUsage) : code;
  }
  if (Status status = compression.run(interrupted); !status)
    return failWith("compress", status);
  return compression.stopped() ? kExitInterrupted : int(ExitOk);
}

#endif // SPARSEFLOW_HAVE_COMPRESS
