//===- UnpackCommand.cpp - sparseflow unpack ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "io/safetensors.h"
#include "io/sfpk.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "ternary/pack.h"
#include "weights/convert.h"
#include "weights/pack24.h"

#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Status;

/// Reads the texts, which become the metadata of the output.
static Status
readTexts(const rt::SfpkFile &file,
          std::vector<std::pair<std::string, std::string>> &metadata) {
  for (const rt::SfpkSection &section : file.sections()) {
    if (!section.isText())
      continue;
    std::string value(section.bytes, '\0');
    if (Status status = file.read(section, value.data()); !status)
      return status;
    metadata.emplace_back(section.name, std::move(value));
  }
  return Status::success();
}

/// The dense matrix that a ternary section stands for.
static Status readTernary(const rt::SfpkFile &file,
                          const rt::SfpkSection &section, int threads,
                          std::vector<uint8_t> &data) {
  rt::Expected<rt::TernaryFormat> format = section.ternaryFormat();
  if (!format)
    return format.status();
  std::vector<uint8_t> blob(section.bytes);
  if (Status status = file.read(section, blob.data(), threads); !status)
    return status;
  std::vector<int8_t> trits(format->tritCount());
  std::vector<float> scales(format->planes * format->scalesPerPlane());
  if (Status status = rt::unpackTernary(blob.data(), *format, section.name,
                                        threads, trits.data(), scales.data());
      !status)
    return status;
  std::vector<float> dense(format->n * format->k);
  rt::expandTernary(trits.data(), scales.data(), *format, threads,
                    dense.data());
  data.resize(dense.size() * (section.dtype == SF_DTYPE_F32 ? 4 : 2));
  rt::ConvertOptions converting;
  converting.name = section.name;
  converting.threads = threads;
  return rt::convert(dense.data(), SF_DTYPE_F32, data.data(), section.dtype,
                     dense.size(), converting);
}

/// The dense bytes of a section.
static Status readDense(const rt::SfpkFile &file,
                        const rt::SfpkSection &section, int threads,
                        std::vector<uint8_t> &data) {
  if (section.kind == SF_SECTION_TERNARY)
    return readTernary(file, section, threads, data);
  if (section.kind != SF_SECTION_PACKED24) {
    data.resize(section.bytes);
    return file.read(section, data.data(), threads);
  }
  rt::Expected<rt::Layout24> layout =
      rt::Layout24::create(section.shape[0], section.shape[1]);
  if (!layout)
    return layout.status();
  std::vector<uint8_t> blob(section.bytes);
  if (Status status = file.read(section, blob.data(), threads); !status)
    return status;
  data.resize(layout->denseBytes());
  return rt::unpack24(blob.data(), *layout, threads,
                      reinterpret_cast<uint16_t *>(data.data()), section.name);
}

static Status unpackFile(const rt::SfpkFile &file,
                         const UnpackArguments &arguments,
                         const std::function<bool()> &interrupted,
                         bool &stopped) {
  std::vector<std::pair<std::string, std::string>> metadata;
  if (Status status = readTexts(file, metadata); !status)
    return status;

  std::vector<const rt::SfpkSection *> sections;
  std::vector<rt::SafetensorsWriter::Tensor> tensors;
  size_t packed = 0;
  uint64_t total = 0, done = 0;
  for (const rt::SfpkSection &section : file.sections()) {
    if (section.isText())
      continue;
    sections.push_back(&section);
    std::vector<int64_t> shape = section.shape;
    if (section.kind == SF_SECTION_TERNARY)
      shape.resize(2);
    tensors.push_back({section.name, section.dtype, std::move(shape)});
    packed += section.kind != SF_SECTION_DENSE;
    total += section.bytes;
  }
  rt::Expected<rt::SafetensorsWriter> writer = rt::SafetensorsWriter::create(
      arguments.output, std::move(tensors), metadata);
  if (!writer)
    return writer.status();
  ProgressBar progress;
  std::vector<uint8_t> data;
  for (size_t index : writer->order()) {
    if ((stopped = interrupted()))
      return Status::success();
    const rt::SfpkSection &section = *sections[index];
    progress.show(rt::printable(section.name, 60),
                  total ? double(done) / total : 0);
    if (Status status = readDense(file, section, arguments.threads, data);
        !status)
      return status;
    if (Status status = writer->write(data.data(), data.size()); !status)
      return status;
    done += section.bytes;
  }
  progress.clear();
  if (Status status = writer->commit(); !status)
    return status;
  std::printf("%s: %zu unpacked, %zu carried\n",
              rt::printable(arguments.output).c_str(), packed,
              sections.size() - packed);
  return Status::success();
}

int tools::runUnpack(const UnpackArguments &arguments,
                     const std::function<bool()> &interrupted) {
  rt::Expected<rt::SfpkFile> file = rt::SfpkFile::open(arguments.input);
  if (!file)
    return failWithInput("unpack", file.status());
  bool stopped = false;
  if (Status status = unpackFile(*file, arguments, interrupted, stopped);
      !status)
    return failWith("unpack", status);
  return stopped ? kExitInterrupted : int(ExitOk);
}
