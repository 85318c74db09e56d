//===- format.cpp - Names of methods and formats --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/projections/projection.h"

#include <charconv>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

Projection::~Projection() = default;

Expected<Method>
sparseflow::rt::compress::methodFromName(const std::string &name) {
  if (name == "magnitude")
    return Method::Magnitude;
  if (name == "wanda")
    return Method::Wanda;
  if (name == "sparsegpt" || name == "gptq")
    return Method::Feedback;
  if (name == "refit")
    return Method::Refit;
  return invalidArgument("expected the method magnitude, wanda, sparsegpt, "
                         "gptq or refit, found '" +
                         printable(name, 40) + "'");
}

/// Reads a number that fills all of [begin, end).
static bool readNumber(const char *begin, const char *end, int &number) {
  auto [stop, error] = std::from_chars(begin, end, number);
  return error == std::errc() && stop == end && begin != end;
}

/// Adds one part of a name; false where it is none, or a second of its kind.
static bool addPart(const std::string &part, Format &format) {
  const char *begin = part.data(), *end = begin + part.size();
  bool hasGrid = format.bits || format.planes;
  if (part == "ternary" || part == "ternary2") {
    format.planes = part == "ternary" ? 1 : 2;
    return !hasGrid;
  }
  if (part.rfind("int", 0) == 0)
    return !hasGrid && readNumber(begin + 3, end, format.bits) &&
           format.bits >= 2 && format.bits <= 8;
  size_t colon = part.find(':');
  return colon != std::string::npos && format.group == 0 &&
         readNumber(begin, begin + colon, format.keep) &&
         readNumber(begin + colon + 1, end, format.group) && format.keep > 0 &&
         format.keep <= format.group && format.group <= 16;
}

Expected<Format>
sparseflow::rt::compress::formatFromName(const std::string &name) {
  Format format;
  size_t begin = 0;
  while (true) {
    size_t end = std::min(name.find('+', begin), name.size());
    if (!addPart(name.substr(begin, end - begin), format))
      return invalidArgument(
          "expected a format: N:M with M at most 16, int2 to int8, ternary, "
          "ternary2, or an N:M and one of the others joined by '+'; found '" +
          printable(name, 40) + "'");
    if (end == name.size())
      return format;
    begin = end + 1;
  }
}

std::vector<std::unique_ptr<Projection>>
sparseflow::rt::compress::createProjections(const Format &format,
                                            const ColumnStatistics &statistics,
                                            int64_t k, int64_t rows) {
  std::vector<std::unique_ptr<Projection>> projections;
  if (format.group)
    projections.push_back(createPattern(format, statistics, rows));
  if (format.bits)
    projections.push_back(createIntegerGrid(format, k, rows));
  if (format.planes)
    projections.push_back(createTernaryGrid(format, k, rows));
  return projections;
}
