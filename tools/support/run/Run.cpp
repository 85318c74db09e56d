//===- Run.cpp - Running a function on some device and checking it --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Run.h"

#include "arguments/Random.h"
#include "reference/ReferenceShapes.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;

// `count` of `total` rows, sorted: the two ends and seeded others.
static std::vector<int64_t> chooseRows(int64_t total, int64_t count,
                                       uint64_t seed) {
  std::vector<int64_t> rows;
  if (total == 0)
    return rows;
  rows = {0};
  if (count > 1 && total > 1)
    rows.push_back(total - 1);
  std::vector<int64_t> others(static_cast<size_t>(total));
  for (int64_t i = 0; i < total; ++i)
    others[i] = i;
  uint64_t stream = streamSeed(seed, 0x726f7773);
  // The front of a shuffle of the rows between the ends.
  for (int64_t i = 1;
       i + 1 < total && static_cast<int64_t>(rows.size()) < count; ++i) {
    auto rest = static_cast<uint64_t>(total - 1 - i);
    uint64_t pick = mixBits(stream + static_cast<uint64_t>(i)) % rest;
    std::swap(others[i], others[i + static_cast<int64_t>(pick)]);
    rows.push_back(others[i]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

static std::vector<int64_t> indexOf(uint64_t flat,
                                    const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = static_cast<int64_t>(flat % static_cast<uint64_t>(shape[d]));
    flat /= static_cast<uint64_t>(shape[d]);
  }
  return index;
}

/// The elements of `rows` of a tensor, or of all rows where none is named.
template <typename Scalar>
static std::vector<Scalar> takeRows(const HostTensor &tensor,
                                    const std::vector<int64_t> &rows) {
  std::vector<Scalar> all(tensor.count());
  widen(tensor, all.data());
  if (rows.empty())
    return all;
  int64_t width = lastSize(tensor.shape);
  std::vector<Scalar> taken(rows.size() * static_cast<size_t>(width));
  for (size_t i = 0; i < rows.size(); ++i)
    std::copy_n(&all[rows[i] * width], width, &taken[i * width]);
  return taken;
}

namespace {
/// What the elements of a result may be.
struct Range {
  std::vector<double> low, high;
};
} // namespace

/// What becomes of each result in the exact computation when sums of matmuls
/// and what is quantized are off by what a tensor core may lose of a sum, each
/// of the two apart.
static Expected<std::vector<Range>>
rangesOfSums(ReferenceCall call, int64_t longestK,
             const std::vector<ReferenceResult<double>> &exact) {
  std::vector<Range> ranges;
  for (const ReferenceResult<double> &result : exact)
    ranges.push_back({result.data, result.data});
  const double lost = tensorCoreError(longestK);
  for (Nudge nudge :
       {Nudge{lost, 0}, Nudge{-lost, 0}, Nudge{0, lost}, Nudge{0, -lost}}) {
    call.nudge = nudge;
    auto nudged = evaluateExactly(call);
    if (!nudged)
      return nudged.status();
    for (size_t r = 0; r < exact.size(); ++r)
      for (size_t i = 0; i < exact[r].data.size(); ++i) {
        double value = (*nudged)[r].data[i];
        ranges[r].low[i] = std::fmin(ranges[r].low[i], value);
        ranges[r].high[i] = std::fmax(ranges[r].high[i], value);
      }
  }
  return ranges;
}

Expected<CheckReport> sparseflow::tools::checkResults(
    const ArgumentSet &arguments, const Reference &reference,
    const std::vector<HostTensor> &results, const CheckOptions &options) {
  auto start = std::chrono::steady_clock::now();
  auto progress = [&](const char *what, double done) {
    if (options.progress)
      options.progress(what, done);
  };
  ReferenceCall call = arguments.referenceCall(reference, options.threads);
  CheckReport check;
  if (options.sampleRows > 0) {
    Expected<int64_t> tokens =
        tokenCount(*arguments.function, reference, arguments.symbols);
    if (!tokens)
      return tokens.status();
    if (options.sampleRows < *tokens) {
      call.rows = chooseRows(*tokens, options.sampleRows, options.seed);
      check.checkedRows = static_cast<int64_t>(call.rows.size());
      check.rows = *tokens;
    }
  }
  Expected<WorkEstimate> work =
      estimateWork(*arguments.function, reference, arguments.symbols);
  if (!work)
    return work.status();
  call.progress = [&](double done) {
    progress("reference in double", 0.6 * done);
  };
  auto exact = evaluateExactly(call);
  if (!exact)
    return exact.status();
  call.progress = [&](double done) {
    progress("reference in float", 0.6 + 0.3 * done);
  };
  auto plain = evaluatePlainly(call);
  if (!plain)
    return plain.status();
  progress("comparing", 0.9);
  bool hasSums = std::any_of(reference.steps.begin(), reference.steps.end(),
                             [](const ReferenceStep &step) {
                               return step.isQuantize || step.isMatmul;
                             });
  std::vector<Range> ranges;
  for (size_t r = 0; r < results.size(); ++r) {
    const HostTensor &result = results[r];
    const std::vector<double> &truth = (*exact)[r].data;
    bool isInteger = rt::isInteger(result.dtype);
    std::vector<float> found;
    std::vector<double> integers;
    if (isInteger)
      integers = takeRows<double>(result, call.rows);
    else
      found = takeRows<float>(result, call.rows);
    size_t count = isInteger ? integers.size() : found.size();
    assert(count == truth.size() && "inferShapes compared the shapes");
    CompareInput input;
    input.found = found.data();
    input.exact = truth.data();
    input.plain = (*plain)[r].data.data();
    input.count = count;
    input.dtype = result.dtype;
    input.longestK = work->longestK;
    Expected<SharedErrors> errors =
        sharedErrors(*arguments.function, reference, arguments.symbols, r);
    if (!errors)
      return errors.status();
    input.errors = *errors;
    if ((*exact)[r].rounding.size() == count)
      input.rounding = (*exact)[r].rounding.data();
    ResultCheck one;
    one.report = isInteger ? compareIntegers(integers.data(), input.exact,
                                             input.plain, count)
                           : compare(input);
    if (!isInteger && !one.report.ok() && hasSums) {
      if (ranges.empty()) {
        auto ofSums = rangesOfSums(call, work->longestK, *exact);
        if (!ofSums)
          return ofSums.status();
        ranges = std::move(*ofSums);
      }
      input.low = ranges[r].low.data();
      input.high = ranges[r].high.data();
      one.report = compare(input);
    }
    if (input.count) {
      uint64_t flat = one.report.worst;
      if (!call.rows.empty()) {
        auto width = static_cast<uint64_t>(lastSize(result.shape));
        flat = static_cast<uint64_t>(call.rows[flat / width]) * width +
               flat % width;
      }
      one.worstIndex = indexOf(flat, result.shape);
    }
    check.results.push_back(std::move(one));
  }
  progress("comparing", 1);
  check.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return check;
}

// The first element in which two tensors differ, or -1.
static int64_t firstDifference(const HostTensor &a, const HostTensor &b) {
  size_t bytes = a.data.size(), element = rt::dtypeBytes(a.dtype);
  if (bytes == 0 || std::memcmp(a.data.data(), b.data.data(), bytes) == 0)
    return -1;
  size_t i = 0;
  while (a.data.data()[i] == b.data.data()[i])
    ++i;
  return static_cast<int64_t>(i / element);
}

Expected<RunReport> sparseflow::tools::runAndCheck(const ArgumentSet &arguments,
                                                   const Reference *reference,
                                                   const DeviceRun &device,
                                                   const RunOptions &options) {
  if (options.check && !reference)
    return rt::invalidArgument(
        "'" + rt::printable(arguments.function->name) +
        "' cannot be checked: the manifest has no reference for it; compile "
        "a program of tensors, or do not check");
  RunReport report;
  report.empty = arguments.empty();
  for (int launch = 0; launch < std::max(1, options.repeat); ++launch) {
    std::vector<HostTensor> results = arguments.allocateResults();
    if (Status status = device(arguments, results); !status)
      return status;
    ++report.launches;
    if (options.checking.progress && options.repeat > 1)
      options.checking.progress("launching", (launch + 1.0) / options.repeat);
    if (launch == 0) {
      report.results = std::move(results);
      continue;
    }
    for (size_t r = 0; r < results.size() && report.differingLaunch < 0; ++r) {
      int64_t element = firstDifference(report.results[r], results[r]);
      if (element < 0)
        continue;
      report.differingLaunch = launch;
      report.differingResult = r;
      report.differingElement = static_cast<size_t>(element);
    }
    if (report.differingLaunch >= 0)
      break;
  }
  if (!options.check || report.empty)
    return report;
  Expected<CheckReport> check =
      checkResults(arguments, *reference, report.results, options.checking);
  if (!check)
    return check.status();
  report.check = std::move(*check);
  return report;
}
