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
#include "CompressParts.h"
#include "CompressPlan.h"
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

/// What is known of a layer's inputs and outputs.
struct Statistics {
  std::vector<float> moments, targets;
};

class Compression {
public:
  explicit Compression(const CompressArguments &arguments)
      : arguments(arguments) {}

  /// Reads the names and decides about every tensor.
  Status plan();
  Status run(const std::function<bool()> &interrupted);
  bool stopped() const { return wasInterrupted; }

private:
  Status readMoments(const rt::SafetensorsEntry &tensor, Statistics &statistics,
                     rt::compress::Moments &result) const;
  /// Compresses `data`, the tensor's bytes, in place, or takes the result of an
  /// earlier run; prints its line.
  Status compressTensor(const rt::SafetensorsEntry &tensor,
                        const CompressRule &rule, std::vector<uint8_t> &data);
  void printLine(const Json &line, bool isPart);
  Status writeReport() const;

  const CompressArguments &arguments;
  std::optional<CompressPlan> rules;
  std::optional<rt::SafetensorsFile> input, moments, targets;
  std::optional<CompressParts> parts;
  Json lines = Json::array();
  ProgressBar progress;
  bool wasInterrupted = false;
};

} // namespace

static Status named(const rt::SafetensorsEntry &tensor, const Status &status) {
  return status.withContext("tensor '" + rt::printable(tensor.name) + "'");
}

Status Compression::plan() {
  rt::Expected<CompressPlan> created = CompressPlan::create(arguments);
  if (!created)
    return created.status();
  rules.emplace(std::move(*created));
  const CompressRule *rule = rules->needsMoments();
  if (rule && arguments.moments.empty())
    return rt::invalidArgument(
        "the method " + rule->method +
        " judges weights by their inputs: expected --moments FILE; without "
        "calibration there is the method magnitude");
  rt::Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(arguments.input);
  if (!file)
    return file.status();
  input.emplace(std::move(*file));
  for (auto [path, opened] : {std::pair(&arguments.moments, &moments),
                              std::pair(&arguments.targets, &targets)}) {
    if (path->empty())
      continue;
    rt::Expected<rt::SafetensorsFile> file = rt::SafetensorsFile::open(*path);
    if (!file)
      return file.status();
    opened->emplace(std::move(*file));
  }
  for (const rt::SafetensorsEntry &tensor : input->tensors())
    if (tensor.dtype == SF_DTYPE_INVALID)
      return named(tensor,
                   rt::formatError("its type '" +
                                   rt::printable(tensor.dtypeSpelling, 40) +
                                   "' is unknown, so it cannot be carried; "
                                   "take it out of the file"));
  return rules->decide(input->tensors(), arguments.input);
}

/// Reads the tensor of `name` from `file`, which may have one of two shapes.
static Status readNumbers(const rt::SafetensorsFile &file,
                          const std::string &title, const std::string &name,
                          const std::vector<int64_t> &shape,
                          const std::vector<int64_t> &other,
                          std::vector<float> &values) {
  std::string wanted = title + ": expected " + rt::shapeText(shape);
  if (other != shape)
    wanted += " or " + rt::shapeText(other);
  wanted += " in F32";
  const rt::SafetensorsEntry *entry = file.find(name);
  if (!entry)
    return rt::formatError(wanted + " under the same name, found none");
  if (entry->dtype != SF_DTYPE_F32 ||
      (entry->shape != shape && entry->shape != other))
    return rt::formatError(wanted + ", found " + rt::shapeText(entry->shape) +
                           " in " + rt::printable(entry->dtypeSpelling, 40));
  values.resize(entry->bytes() / sizeof(float));
  return file.read(*entry, values.data());
}

Status Compression::readMoments(const rt::SafetensorsEntry &tensor,
                                Statistics &statistics,
                                rt::compress::Moments &result) const {
  int64_t n = tensor.shape[0], k = tensor.shape[1];
  if (moments) {
    if (Status status = readNumbers(
            *moments,
            "the moments in '" + rt::printable(arguments.moments) + "'",
            tensor.name, {k, k}, {k}, statistics.moments);
        !status)
      return status;
    bool whole = statistics.moments.size() == size_t(k) * k;
    (whole ? result.products : result.diagonal) = statistics.moments.data();
  }
  if (targets) {
    if (Status status = readNumbers(
            *targets,
            "the targets in '" + rt::printable(arguments.targets) + "'",
            tensor.name, {n, k}, {n, k}, statistics.targets);
        !status)
      return status;
    result.targets = statistics.targets.data();
  }
  return Status::success();
}

Status Compression::compressTensor(const rt::SafetensorsEntry &tensor,
                                   const CompressRule &rule,
                                   std::vector<uint8_t> &data) {
  int64_t n = tensor.shape[0], k = tensor.shape[1];
  Statistics statistics;
  rt::compress::Moments judged;
  if (Status status = readMoments(tensor, statistics, judged); !status)
    return status;
  std::string key;
  if (parts) {
    key = CompressParts::key(tensor.name, data,
                             {&statistics.moments, &statistics.targets},
                             rule.text());
    std::string text;
    if (parts->find(key, data, text)) {
      lines.push_back(Json::parse(text));
      printLine(lines.back(), true);
      return Status::success();
    }
  }
  std::vector<float> weights(n * k);
  rt::ConvertOptions converting;
  converting.threads = arguments.threads;
  if (Status status = rt::convert(data.data(), tensor.dtype, weights.data(),
                                  SF_DTYPE_F32, n * k, converting);
      !status)
    return status;
  rt::compress::Report report;
  if (Status status = rt::compress::compressLayer(weights.data(), n, k, judged,
                                                  rule.options, report);
      !status)
    return status;
  if (Status status = rt::convert(weights.data(), SF_DTYPE_F32, data.data(),
                                  tensor.dtype, n * k, converting);
      !status)
    return status;
  double zeros = report.weights ? double(report.zeros) / report.weights : 0;
  lines.push_back({{"name", tensor.name},
                   {"shape", tensor.shape},
                   {"weights", rule.format},
                   {"method", rule.method},
                   {"scale_columns", rule.options.format.scaleColumns},
                   {"output_error", report.outputError},
                   {"zeros", zeros},
                   {"damping", report.damping},
                   {"damping_raised", report.damping > rule.options.damping}});
  printLine(lines.back(), false);
  return parts ? parts->save(key, data, lines.back().dump())
               : Status::success();
}

void Compression::printLine(const Json &line, bool isPart) {
  progress.clear();
  std::printf(
      "%s: %lld x %lld, %s by %s: output error %.4f, zeros %.1f %%",
      rt::printable(line["name"].get<std::string>()).c_str(),
      line["shape"][0].get<long long>(), line["shape"][1].get<long long>(),
      line["weights"].get<std::string>().c_str(),
      line["method"].get<std::string>().c_str(),
      line["output_error"].get<double>(), 100 * line["zeros"].get<double>());
  if (line["damping_raised"].get<bool>())
    std::printf(", damping raised to %g: its moments are singular",
                line["damping"].get<double>());
  std::printf(isPart ? ", finished before\n" : "\n");
}

Status Compression::writeReport() const {
  Json report = {{"format", "sparseflow-compress-report"},
                 {"version", 2},
                 {"input", arguments.input},
                 {"tensors", lines}};
  std::string text =
      report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return writeText(arguments.report, text);
}

Status Compression::run(const std::function<bool()> &interrupted) {
  if (!arguments.resume.empty()) {
    rt::Expected<CompressParts> opened = CompressParts::open(arguments.resume);
    if (!opened)
      return opened.status();
    parts.emplace(std::move(*opened));
  }
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
    if (const CompressRule *rule = rules->ruleOf(index); status && rule)
      if (status = compressTensor(tensor, *rule, data); !status)
        status = named(tensor, status);
    if (status)
      status = writer->write(data.data(), data.size());
    if (!status)
      return status;
    done += tensor.bytes();
  }
  progress.clear();
  if (Status status = writer->commit(); !status)
    return status;
  if (!arguments.report.empty())
    if (Status status = writeReport(); !status)
      return status;
  if (parts)
    parts->remove();
  return Status::success();
}

int tools::runCompress(const CompressArguments &arguments,
                       const std::function<bool()> &interrupted) {
  Compression compression(arguments);
  if (Status status = compression.plan(); !status)
    return failBeforeWork("compress", status);
  if (Status status = compression.run(interrupted); !status)
    return failWith("compress", status);
  return compression.stopped() ? kExitInterrupted : int(ExitOk);
}

#endif // SPARSEFLOW_HAVE_COMPRESS
