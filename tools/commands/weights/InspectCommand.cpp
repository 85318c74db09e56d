//===- InspectCommand.cpp - sparseflow inspect ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "io/gguf.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "ternary/import.h"

#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

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

/// "[4096, 2560], F16 scale for 128 columns".
static std::string ternaryShape(const rt::SfpkSection &section) {
  rt::Expected<rt::TernaryFormat> format = section.ternaryFormat();
  if (!format)
    return rt::shapeText(section.shape); // open() refuses such sections
  return rt::shapeText({format->n, format->k}) +
         (format->planes == 2 ? ", 2 planes, " : ", ") +
         rt::dtypeName(format->scaleType) + " scale for " +
         (format->group == rt::kTensorScale ? "the tensor"
          : format->group == rt::kRowScale
              ? "a row"
              : std::to_string(format->group) + " columns");
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
    std::string shape = rt::shapeText(section.shape);
    if (section.kind == SF_SECTION_TERNARY)
      shape = ternaryShape(section);
    char crc[16];
    std::snprintf(crc, sizeof(crc), "%08x", section.crc);
    table.row({rt::printable(section.name),
               section.isText() ? "text" : section.layout(),
               rt::dtypeName(section.dtype), shape,
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
  std::printf("all checksums, 2:4 metadata and ternary codes are right\n");
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

static Status inspectGguf(const InspectArguments &arguments) {
  rt::Expected<rt::GgufFile> file = rt::GgufFile::open(arguments.input);
  if (!file)
    return file.status();
  Table table;
  table.row({"name", "type", "shape", "bytes"});
  uint64_t bytes = 0;
  for (const rt::GgufTensor &tensor : file->tensors()) {
    std::string type = tensor.typeName();
    if (tensor.type == rt::GgufQ2_0)
      type += tensor.isReadable()
                  ? " (blocks of " + std::to_string(tensor.blockElements) + ")"
                  : " (blocks of 64 or 128)";
    table.row({rt::printable(tensor.name), type, rt::shapeText(tensor.shape),
               std::to_string(tensor.bytes)});
    bytes += tensor.bytes;
  }
  std::printf("%s: GGUF version %u, %zu tensors, %s\n",
              rt::printable(arguments.input).c_str(), file->header().version,
              file->tensors().size(), sizeText(bytes).c_str());
  for (const rt::GgufPair &pair : file->header().metadata)
    std::printf("metadata %s = %s\n", rt::printable(pair.key).c_str(),
                rt::printable(pair.value).c_str());
  table.print({3});
  if (!arguments.verify)
    return Status::success();
  // There are no checksums, but ternary tensors have codes to check.
  size_t checked = 0;
  for (const rt::GgufTensor &tensor : file->tensors()) {
    if (!tensor.isTernary() || !tensor.isReadable())
      continue;
    std::vector<uint8_t> data(tensor.bytes);
    if (Status status = file->read(tensor, data.data()); !status)
      return status;
    rt::Expected<rt::ImportedTernary> matrix =
        rt::importGguf(tensor, data.data(), arguments.threads);
    if (!matrix)
      return matrix.status();
    ++checked;
  }
  std::printf("the codes of %zu ternary tensors are right; GGUF files have no "
              "checksums\n",
              checked);
  return Status::success();
}

/// Told apart by the first bytes; safetensors has no magic, so that any other
/// file is tried as such.
static Status inspectFile(const InspectArguments &arguments,
                          const std::function<bool()> &interrupted,
                          bool &stopped) {
  rt::Expected<bool> sfpk = beginsWith(arguments.input, "\x89SFPK");
  if (!sfpk)
    return sfpk.status();
  if (*sfpk)
    return inspectSfpk(arguments, interrupted, stopped);
  rt::Expected<bool> gguf = beginsWith(arguments.input, "GGUF");
  if (!gguf)
    return gguf.status();
  return *gguf ? inspectGguf(arguments) : inspectSafetensors(arguments);
}

int tools::runInspect(const InspectArguments &arguments,
                      const std::function<bool()> &interrupted) {
  bool stopped = false;
  if (Status status = inspectFile(arguments, interrupted, stopped); !status)
    return failWithInput("inspect", status);
  return stopped ? kExitInterrupted : int(ExitOk);
}
