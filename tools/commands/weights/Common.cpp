//===- Common.cpp - What the weight commands share ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "WeightCommands.h"
#include "io/file.h"
#include "run/Result.h"
#include "weights/convert.h"

#include <algorithm>
#include <cstdio>
#include <regex>

using namespace sparseflow;
using namespace sparseflow::tools;

int tools::failWith(const char *command, const rt::Status &status) {
  std::fprintf(stderr, "sparseflow %s: error: %s\n", command,
               status.text().c_str());
  switch (status.code()) {
  case SF_ERROR_IO:
  case SF_ERROR_OUT_OF_MEMORY:
  case SF_ERROR_INTERNAL:
    return ExitEnvironment;
  default:
    return ExitBadInput;
  }
}

std::string tools::sizeText(uint64_t bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = bytes;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  char text[32];
  std::snprintf(text, sizeof(text),
                unit == 0 || value >= 99.5 ? "%.0f %s" : "%.1f %s", value,
                units[unit]);
  return text;
}

int tools::failWithInput(const char *command, const rt::Status &status) {
  int code = failWith(command, status);
  return status.code() == SF_ERROR_IO ? int(ExitBadInput) : code;
}

int tools::failBeforeWork(const char *command, const rt::Status &status) {
  int code = failWithInput(command, status);
  return status.code() == SF_ERROR_INVALID_ARGUMENT ? int(ExitUsage) : code;
}

rt::Expected<std::vector<float>>
tools::readFloats(const rt::SafetensorsFile &file,
                  const rt::SafetensorsEntry &tensor, int threads) {
  std::vector<uint8_t> data(tensor.bytes());
  if (rt::Status status = file.read(tensor, data.data()); !status)
    return status;
  std::vector<float> values(data.size() / (rt::dtypeBits(tensor.dtype) / 8));
  rt::ConvertOptions converting;
  converting.name = tensor.name;
  converting.threads = threads;
  if (rt::Status status = rt::convert(data.data(), tensor.dtype, values.data(),
                                      SF_DTYPE_F32, values.size(), converting);
      !status)
    return status;
  return values;
}

rt::Expected<bool> tools::beginsWith(const std::string &path,
                                     const std::string &bytes) {
  rt::Expected<rt::InputFile> file = rt::InputFile::open(path);
  if (!file)
    return file.status();
  std::string start(bytes.size(), '\0');
  if (file->size() < start.size())
    return false;
  if (rt::Status status = file->read(0, start.data(), start.size()); !status)
    return status;
  return start == bytes;
}

/// std::regex recurses once a character; longer names could exhaust the stack.
static constexpr size_t kMaxMatchedName = 4096;

static rt::Expected<std::regex> compileRegex(const char *option,
                                             const std::string &text) {
  try {
    return std::regex(text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error &error) {
    return rt::invalidArgument(
        std::string(option) + " '" + rt::printable(text) +
        "' is not a regular expression: " + error.what());
  }
}

struct NameFilter::Expressions {
  std::regex include, exclude, transpose;
  bool excludes = false, isTransposing = false;
};

rt::Expected<NameFilter> NameFilter::create(const std::string &includeText,
                                            const std::string &excludeText,
                                            const std::string &transposeText,
                                            const char *includeTitle,
                                            const char *excludeTitle) {
  rt::Expected<std::regex> include = compileRegex(includeTitle, includeText);
  if (!include)
    return include.status();
  rt::Expected<std::regex> exclude = compileRegex(excludeTitle, excludeText);
  if (!exclude)
    return exclude.status();
  rt::Expected<std::regex> transpose =
      compileRegex("--transpose", transposeText);
  if (!transpose)
    return transpose.status();
  NameFilter filter;
  filter.expressions = std::make_shared<Expressions>(Expressions{
      std::move(*include), std::move(*exclude), std::move(*transpose),
      !excludeText.empty(), !transposeText.empty()});
  return filter;
}

bool NameFilter::transposes(const std::string &name) const {
  return expressions->isTransposing &&
         std::regex_search(name, expressions->transpose);
}

rt::Expected<NameFilter::Choice>
NameFilter::choose(const std::string &name) const {
  if (name.size() > kMaxMatchedName)
    return rt::formatError(
        "tensor '" + rt::printable(name) + "': its name has more than " +
        std::to_string(kMaxMatchedName) + " bytes; rename it");
  if (expressions->excludes && std::regex_search(name, expressions->exclude))
    return LeaveOut;
  return std::regex_search(name, expressions->include) ? Take : Carry;
}

/// Characters, not bytes: continuation bytes of UTF-8 take no column.
static size_t displayWidth(const std::string &text) {
  return std::count_if(text.begin(), text.end(),
                       [](unsigned char c) { return (c & 0xc0) != 0x80; });
}

void Table::print(const std::vector<size_t> &right) const {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], displayWidth(row[i]));
    }
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - displayWidth(row[i]), ' ');
      bool toRight = std::find(right.begin(), right.end(), i) != right.end();
      line += (i ? "  " : "") + (toRight ? space + row[i] : row[i] + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}
