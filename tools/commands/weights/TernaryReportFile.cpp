//===- TernaryReportFile.cpp - What pack tells about ternary --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TernaryReportFile.h"

#include "Common.h"

#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::tools;
using Json = nlohmann::ordered_json;

static std::string number(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string tools::ternaryText(const TernaryLine &line) {
  const rt::TernaryReport &report = line.report;
  std::string text = rt::printable(line.name) + ": " + line.format.text() +
                     ", from " + line.source;
  if (!line.imported) {
    text += " by " + line.method + ": error " +
            number("%.4f", report.relativeError()) + ", SNR " +
            number("%.1f dB", report.snr());
    if (line.weighted)
      text +=
          ", weighted error " + number("%.4f", report.weightedRelativeError());
  }
  return text + ", zeros " + number("%.1f %%", 100 * report.zeroShare()) +
         ", " + number("%.3f", report.bitsPerWeight) + " bits a weight, " +
         sizeText(line.format.blobBytes());
}

/// JSON has no infinity.
static Json jsonNumber(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string tools::ternaryJson(const std::string &input,
                               const std::vector<TernaryLine> &lines) {
  Json tensors = Json::array();
  double energy = 0, error = 0, bytes = 0, weights = 0;
  for (const TernaryLine &line : lines) {
    const rt::TernaryReport &report = line.report;
    const rt::TernaryFormat &format = line.format;
    Json scope = "tensor";
    if (format.group == rt::kRowScale)
      scope = "row";
    else if (format.group != rt::kTensorScale)
      scope = format.group;
    Json tensor = {{"name", line.name},
                   {"shape", {format.n, format.k}},
                   {"source", line.source},
                   {"method", line.imported ? Json() : Json(line.method)},
                   {"layout", rt::layoutName(format.storage)},
                   {"planes", format.planes},
                   {"scale", scope},
                   {"scale_type", rt::dtypeName(format.scaleType)},
                   {"bytes", format.blobBytes()},
                   {"bits_per_weight", report.bitsPerWeight},
                   {"zeros", report.zeroShare()},
                   {"positives", report.positives},
                   {"negatives", report.negatives}};
    if (!line.imported) {
      tensor["relative_error"] = report.relativeError();
      tensor["snr_db"] = jsonNumber(report.snr());
      if (line.weighted)
        tensor["weighted_relative_error"] = report.weightedRelativeError();
      energy += report.energy;
      error += report.error;
    }
    bytes += double(format.blobBytes());
    weights += double(report.weights);
    tensors.push_back(std::move(tensor));
  }
  Json result = {{"format", "sparseflow-ternary-report"},
                 {"version", 1},
                 {"input", input},
                 {"tensors", std::move(tensors)},
                 {"bits_per_weight", weights == 0 ? 0 : 8 * bytes / weights},
                 {"relative_error",
                  energy == 0 ? Json() : Json(std::sqrt(error / energy))}};
  // Names come from files and need not be UTF-8.
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
