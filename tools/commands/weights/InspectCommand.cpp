//===- InspectCommand.cpp - sparseflow inspect ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "Progress.h"
#include "Result.h"
#include "io/safetensors.h"
#include "io/sfpk.h"

#include <cstdio>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

/// True if the file begins like a container; any other file is tried as
/// safetensors, which has no magic bytes.
static rt::Expected<bool> looksLikeSfpk(const std::string &path) {
  rt::Expected<rt::InputFile> file = rt::InputFile::open(path);
  if (!file)
    return file.status();
  char start[5] = {};
  if (file->size() < sizeof(start))
    return false;
  if (Status status = file->read(0, start, sizeof(start)); !status)
    return status;
  return std::memcmp(start, "\x89SFPK", sizeof(start)) == 0;
}

static Status verify(const rt::SfpkFile &file,
                     const InspectArguments &arguments,
                     const std::function<bool()> &interrupted, bool &stopped) {
  ProgressBar progress;
  uint64_t total = 0, done = 0;
  for (const rt::SfpkSection &section : file.sections())
    total += section.bytes;
  std::vector<uint8_t> data;
  for (const rt::SfpkSection &section : file.sections()) {
    if ((stopped = interrupted()))
      return Status::success();
    progress.show(rt::printable(section.name, 60),
                  total ? double(done) / total : 0);
    data.resize(section.bytes);
    if (Status status = file.read(section, data.data(), arguments.threads);
        !status)
      return status;
    done += section.bytes;
  }
  return Status::success();
}

static Status inspectSfpk(const InspectArguments &arguments,
                          const std::function<bool()> &interrupted,
                          bool &stopped) {
  rt::Expected<rt::SfpkFile> file = rt::SfpkFile::open(arguments.input);
  if (!file)
    return file.status();
  Table table;
  table.row({"name", "layout", "type", "shape", "bytes", "offset", "crc32c"});
  uint64_t bytes = 0;
  for (const rt::SfpkSection &section : file->sections()) {
    char crc[16];
    std::snprintf(crc, sizeof(crc), "%08x", section.crc);
    table.row({rt::printable(section.name),
               section.isText() ? "text" : section.layout(),
               rt::dtypeName(section.dtype), rt::shapeText(section.shape),
               std::to_string(section.bytes), std::to_string(section.offset),
               crc});
    bytes += section.bytes;
  }
  std::printf("%s: .sfpk version %u, %zu sections, %s\n",
              rt::printable(arguments.input).c_str(), rt::kSfpkVersion,
              file->sections().size(), sizeText(bytes).c_str());
  table.print({4, 5});
  if (!arguments.verify)
    return Status::success();
  if (Status status = verify(*file, arguments, interrupted, stopped);
      !status || stopped)
    return status;
  std::printf("all checksums and all 2:4 metadata are right\n");
  return Status::success();
}

static Status inspectSafetensors(const InspectArguments &arguments) {
  rt::Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(arguments.input);
  if (!file)
    return file.status();
  Table table;
  table.row({"name", "type", "shape", "bytes"});
  uint64_t bytes = 0;
  for (const rt::SafetensorsEntry &tensor : file->tensors()) {
    table.row({rt::printable(tensor.name),
               tensor.dtype == SF_DTYPE_INVALID
                   ? rt::printable(tensor.dtypeSpelling, 40) + " (unknown)"
                   : rt::dtypeName(tensor.dtype),
               rt::shapeText(tensor.shape), std::to_string(tensor.bytes())});
    bytes += tensor.bytes();
  }
  std::printf("%s: safetensors, %zu tensors, %s\n",
              rt::printable(arguments.input).c_str(), file->tensors().size(),
              sizeText(bytes).c_str());
  for (const auto &[key, value] : file->header().metadata)
    std::printf("metadata %s = %s\n", rt::printable(key).c_str(),
                rt::printable(value).c_str());
  table.print({3});
  if (arguments.verify)
    std::printf("safetensors files have no checksums: the header is right, "
                "the data cannot be checked\n");
  return Status::success();
}

int tools::runInspect(const InspectArguments &arguments,
                      const std::function<bool()> &interrupted) {
  bool stopped = false;
  rt::Expected<bool> sfpk = looksLikeSfpk(arguments.input);
  Status status = !sfpk   ? sfpk.status()
                  : *sfpk ? inspectSfpk(arguments, interrupted, stopped)
                          : inspectSafetensors(arguments);
  if (!status)
    return failWithInput("inspect", status);
  return stopped ? kExitInterrupted : int(ExitOk);
}
