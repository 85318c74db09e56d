//===- ProfileCommand.cpp - sparseflow profile ----------------------------===//
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
#include "ProfilePage.h"
#include "compress/profile.h"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

#ifndef SPARSEFLOW_HAVE_COMPRESS

int tools::runProfile(const ProfileArguments &, const std::function<bool()> &) {
  std::fputs("sparseflow profile: error: this build has no OpenBLAS; install "
             "libopenblas-dev and build again\n",
             stderr);
  return ExitEnvironment;
}

#else

static std::string percent(double share) {
  if (share < 0)
    return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
  return text;
}

static std::string decibels(const rt::compress::Profile::Grid &grid) {
  if (grid.error == 0)
    return "exact";
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f dB", grid.decibels());
  return text;
}

static void printMap(const ProfiledTensor &tensor) {
  static constexpr char shades[] = " .:-=+*#%@";
  const rt::compress::Profile &profile = tensor.profile;
  std::printf("%s, mean magnitudes:\n", rt::printable(tensor.name).c_str());
  for (int64_t r = 0; r < profile.mapRows; ++r) {
    std::string line;
    for (int64_t c = 0; c < profile.mapColumns; ++c) {
      float cell = profile.map[r * profile.mapColumns + c];
      line += shades[std::min(9, static_cast<int>(std::ceil(9 * cell)))];
    }
    std::printf("  |%s|\n", line.c_str());
  }
}

static void print(const std::vector<ProfiledTensor> &tensors,
                  const FormatFacts &facts, bool maps) {
  Table table;
  std::vector<std::string> heading = {"name", "shape", "zeros"};
  if (!tensors.empty()) {
    for (const auto &pattern : tensors[0].profile.patterns)
      heading.push_back(std::to_string(pattern.keep) + ":" +
                        std::to_string(pattern.group));
    heading.push_back("kept by 2:4");
    for (const auto &grid : tensors[0].profile.grids)
      heading.push_back(grid.format);
    heading.push_back("empty tiles");
    heading.push_back("planes");
    heading.push_back("holds");
  }
  table.row(heading);
  for (const ProfiledTensor &tensor : tensors) {
    const rt::compress::Profile &profile = tensor.profile;
    std::vector<std::string> row = {
        rt::printable(tensor.name, 60), rt::shapeText(tensor.shape),
        percent(profile.weights ? double(profile.zeros) / profile.weights : 0)};
    for (const auto &pattern : profile.patterns)
      row.push_back(percent(pattern.conforming));
    row.push_back(percent(profile.patterns[0].keptEnergy));
    for (const auto &grid : profile.grids)
      row.push_back(decibels(grid));
    row.push_back(std::to_string(profile.emptyTiles) + " of " +
                  std::to_string(profile.tiles));
    row.push_back(std::to_string(profile.emptyPlanes) + " of " +
                  std::to_string(2 * profile.tiles));
    row.push_back(tensor.recommendation.format);
    table.row(row);
  }
  table.print({2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  std::printf("int4 has a scale for 128 columns, int8 and ternary for a row; a "
              "tile is 16 x 64,\nand its planes are its positive and its "
              "negative weights.\n");
  std::vector<std::string> told;
  for (const ProfiledTensor &tensor : tensors) {
    const std::string &reason = tensor.recommendation.reason;
    if (std::find(told.begin(), told.end(), reason) != told.end())
      continue;
    told.push_back(reason);
    std::printf("%s: %s\n", tensor.recommendation.format.c_str(),
                reason.c_str());
  }
  if (!facts.cost("2:4").empty())
    std::printf("measured on %s\n", facts.machine().c_str());
  if (maps)
    for (const ProfiledTensor &tensor : tensors)
      printMap(tensor);
}

/// The file of a folder's dense weights: one that `sparseflow model` made, or a
/// checkpoint's; `input` itself where that is no folder.
static rt::Expected<std::string> weightsFile(const std::string &input) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(input, ignored))
    return input;
  for (const char *name : {"weights.safetensors", "model.safetensors"}) {
    std::string path = input + "/" + name;
    if (std::filesystem::exists(path, ignored))
      return path;
  }
  std::string wanted = "'" + rt::printable(input) +
                       "': expected a folder with weights.safetensors or "
                       "model.safetensors, found ";
  if (std::filesystem::exists(input + "/weights.sfpk", ignored))
    return rt::formatError(wanted + "packed weights; sparseflow model unpack "
                                    "writes a model with dense ones");
  return rt::formatError(wanted + "neither");
}

/// Profiles all matrices that match, one in memory at a time.
static Status profileFile(const ProfileArguments &arguments,
                          const std::function<bool()> &interrupted,
                          std::vector<ProfiledTensor> &tensors, bool &stopped) {
  rt::Expected<std::string> input = weightsFile(arguments.input);
  if (!input)
    return input.status();
  rt::Expected<NameFilter> filter =
      NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  for (const char *magic : {"\x89SFPK", "GGUF"}) {
    rt::Expected<bool> other = beginsWith(*input, magic);
    if (!other)
      return other.status();
    if (*other)
      return rt::formatError(
          "'" + rt::printable(*input) +
          "': expected a .safetensors file, whose numbers are not packed; "
          "sparseflow unpack writes one from a .sfpk file");
  }
  rt::Expected<rt::SafetensorsFile> file = rt::SafetensorsFile::open(*input);
  if (!file)
    return file.status();
  ProgressBar progress;
  uint64_t total = 0, done = 0;
  for (const rt::SafetensorsEntry &entry : file->tensors())
    total += entry.bytes();
  for (const rt::SafetensorsEntry &entry : file->tensors()) {
    if ((stopped = interrupted()))
      return Status::success();
    progress.show(rt::printable(entry.name, 60),
                  total ? double(done) / total : 0);
    done += entry.bytes();
    rt::Expected<NameFilter::Choice> choice = filter->choose(entry.name);
    if (!choice)
      return choice.status();
    bool isMatrix =
        entry.shape.size() == 2 && entry.shape[1] > 0 &&
        (entry.dtype == SF_DTYPE_F32 || rt::isPackable(entry.dtype));
    if (*choice != NameFilter::Take || !isMatrix)
      continue;
    int64_t n = entry.shape[0], k = entry.shape[1];
    ProfiledTensor tensor{entry.name, entry.shape, {}, {}};
    rt::Expected<std::vector<float>> weights =
        readFloats(*file, entry, arguments.threads);
    if (!weights)
      return weights.status();
    if (Status status = rt::compress::profileLayer(
            weights->data(), n, k, arguments.threads, tensor.profile);
        !status)
      return status.withContext("tensor '" + rt::printable(entry.name) + "'");
    tensors.push_back(std::move(tensor));
  }
  if (tensors.empty())
    return rt::formatError(
        "no matrix of F32, F16 or BF16 in '" + rt::printable(arguments.input) +
        "' matches --include '" + rt::printable(arguments.include) +
        "'; sparseflow inspect lists the names");
  return Status::success();
}

int tools::runProfile(const ProfileArguments &arguments,
                      const std::function<bool()> &interrupted) {
  std::vector<ProfiledTensor> tensors;
  bool stopped = false;
  if (Status status = profileFile(arguments, interrupted, tensors, stopped);
      !status)
    return failBeforeWork("profile", status);
  if (stopped)
    return kExitInterrupted;
  FormatFacts facts;
  for (ProfiledTensor &tensor : tensors)
    tensor.recommendation = facts.recommend(tensor.profile);
  print(tensors, facts, arguments.map);
  for (auto [path, text] :
       {std::pair(arguments.json, profileJson(arguments.input, tensors)),
        std::pair(arguments.html, profileHtml(arguments.input, tensors))})
    if (Status status =
            path.empty() ? Status::success() : writeText(path, text);
        !status)
      return failWith("profile", status);
  return ExitOk;
}

#endif // SPARSEFLOW_HAVE_COMPRESS
