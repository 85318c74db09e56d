//===- TernarySource.cpp - Where ternary weights come from ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TernarySource.h"

#include "Common.h"
#include "weights/convert.h"

#include <cmath>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Expected;
using rt::Status;

static constexpr char kScaleSuffix[] = "_scale";

static Status namedError(const std::string &name, const std::string &text) {
  return rt::formatError("tensor '" + rt::printable(name) + "': " + text);
}

Expected<std::unique_ptr<TernarySource>>
TernarySource::open(const PackArguments &arguments,
                    const rt::TernaryFormat &wanted) {
  Expected<bool> isGguf = beginsWith(arguments.input, "GGUF");
  if (!isGguf)
    return isGguf.status();
  Expected<bool> isSfpk = beginsWith(arguments.input, "\x89SFPK");
  if (!isSfpk)
    return isSfpk.status();
  std::unique_ptr<TernarySource> source(new TernarySource(arguments));
  Status status;
  if (*isGguf) {
    Expected<rt::GgufFile> file =
        rt::GgufFile::open(arguments.input, arguments.ternary.q2Block);
    if (!file)
      return file.status();
    source->gguf = std::make_unique<rt::GgufFile>(std::move(*file));
    status = source->planGguf(wanted);
  } else if (*isSfpk) {
    Expected<rt::SfpkFile> file = rt::SfpkFile::open(arguments.input);
    if (!file)
      return file.status();
    source->sfpk = std::make_unique<rt::SfpkFile>(std::move(*file));
    status = source->planSfpk(wanted);
  } else {
    Expected<rt::SafetensorsFile> file =
        rt::SafetensorsFile::open(arguments.input);
    if (!file)
      return file.status();
    source->safetensors =
        std::make_unique<rt::SafetensorsFile>(std::move(*file));
    status = source->planSafetensors(wanted);
  }
  if (!status)
    return status;
  for (const TernaryJob &job : source->jobList)
    if (job.kind != TernaryJob::Carry)
      return Expected<std::unique_ptr<TernarySource>>(std::move(source));
  return rt::formatError("no tensor of '" + rt::printable(arguments.input) +
                         "' matches --include '" +
                         rt::printable(arguments.include) +
                         "'; sparseflow inspect lists the names");
}

void TernarySource::addText(const std::string &key, const std::string &value) {
  rt::SfpkSection text;
  text.name = key;
  text.kind = SF_SECTION_TEXT;
  text.dtype = SF_DTYPE_U8;
  text.shape = {int64_t(value.size())};
  sectionList.push_back(std::move(text));
  textList.push_back(value);
}

/// A tensor with elements: carried, or made ternary.
Status TernarySource::addDense(TernaryJob job,
                               const std::vector<int64_t> &shape,
                               const rt::TernaryFormat &wanted, bool included) {
  if (!included) {
    rt::SfpkSection section;
    section.name = job.name;
    section.dtype = job.dtype;
    section.shape = shape;
    sectionList.push_back(std::move(section));
    jobList.push_back(std::move(job));
    return Status::success();
  }
  if (job.dtype != SF_DTYPE_F32 && !rt::isPackable(job.dtype))
    return namedError(job.name, "--include selects it, but its type is " +
                                    rt::printable(job.typeName, 40) +
                                    "; expected F32, F16 or BF16. Narrow "
                                    "--include");
  if (shape.size() != 2)
    return namedError(job.name, "--include selects it, but its shape is " +
                                    rt::shapeText(shape) +
                                    "; expected a matrix. Narrow --include");
  job.kind = TernaryJob::Ternarize;
  job.format = wanted;
  job.format.n = shape[0];
  job.format.k = shape[1];
  if (Status status = job.format.verify(); !status)
    return namedError(job.name, status.text());
  sf_dtype stands = job.dtype;
  if (!arguments.dtype.empty())
    stands = arguments.dtype == "f16" ? SF_DTYPE_F16 : SF_DTYPE_BF16;
  sectionList.push_back(
      rt::SfpkSection::ofTernary(job.name, job.format, stands));
  jobList.push_back(std::move(job));
  return Status::success();
}

/// A packed weight of a BitNet checkpoint.
Status TernarySource::addBitnet(TernaryJob job,
                                const rt::SafetensorsEntry &tensor,
                                const rt::TernaryFormat &wanted) {
  if (tensor.dtype != SF_DTYPE_U8 || tensor.shape.size() != 2)
    return namedError(job.name,
                      "--import bitnet expects a matrix of type U8, found " +
                          rt::printable(tensor.dtypeSpelling, 40) + " " +
                          rt::shapeText(tensor.shape) + ". Narrow --include");
  const rt::SafetensorsEntry *scale =
      safetensors->find(job.name + kScaleSuffix);
  int64_t count = 1;
  if (scale)
    for (int64_t size : scale->shape)
      count = size == 1 ? count : 0;
  if (!scale || count != 1 ||
      (scale->dtype != SF_DTYPE_F32 && !rt::isPackable(scale->dtype)))
    return namedError(job.name, "expected its scale in '" +
                                    rt::printable(job.name) + kScaleSuffix +
                                    "', one number of type F32, F16 or BF16");
  job.kind = TernaryJob::Bitnet;
  job.scaleIndex = scale - safetensors->tensors().data();
  job.format = wanted;
  job.format.n = 4 * tensor.shape[0];
  job.format.k = tensor.shape[1];
  job.format.planes = 1;
  job.format.group = rt::kTensorScale;
  job.format.scaleType = SF_DTYPE_F32;
  if (Status status = job.format.verify(); !status)
    return namedError(job.name, status.text());
  sectionList.push_back(rt::SfpkSection::ofTernary(
      job.name, job.format,
      arguments.dtype == "f16" ? SF_DTYPE_F16 : SF_DTYPE_BF16));
  jobList.push_back(std::move(job));
  return Status::success();
}

Status TernarySource::planSafetensors(const rt::TernaryFormat &wanted) {
  Expected<NameFilter> filter =
      NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  bool bitnet = arguments.ternary.import == "bitnet";
  for (const auto &[key, value] : safetensors->header().metadata)
    addText(key, value);
  for (size_t i = 0; i < safetensors->tensors().size(); ++i) {
    const rt::SafetensorsEntry &tensor = safetensors->tensors()[i];
    Expected<NameFilter::Choice> choice = filter->choose(tensor.name);
    if (!choice)
      return choice.status();
    if (*choice == NameFilter::LeaveOut)
      continue;
    // The scale of an imported weight is inside the weight.
    size_t stem = tensor.name.size() -
                  std::min(tensor.name.size(), sizeof(kScaleSuffix) - 1);
    if (bitnet && tensor.name.substr(stem) == kScaleSuffix) {
      const rt::SafetensorsEntry *weight =
          safetensors->find(tensor.name.substr(0, stem));
      Expected<NameFilter::Choice> owner =
          filter->choose(weight ? weight->name : std::string());
      if (weight && owner && *owner == NameFilter::Take)
        continue;
    }
    TernaryJob job;
    job.name = tensor.name;
    job.typeName = tensor.dtypeSpelling;
    job.dtype = tensor.dtype;
    job.bytes = tensor.bytes();
    job.index = i;
    bool included = *choice == NameFilter::Take;
    if (tensor.dtype == SF_DTYPE_INVALID)
      return namedError(tensor.name,
                        "its type '" + rt::printable(tensor.dtypeSpelling, 40) +
                            "' is unknown; leave it out with --exclude");
    if (Status status =
            included && bitnet
                ? addBitnet(std::move(job), tensor, wanted)
                : addDense(std::move(job), tensor.shape, wanted, included);
        !status)
      return status;
  }
  return Status::success();
}

/// Tensors may be right only for activations that are rotated. They are packed
/// as they are, so that whoever multiplies with them has to know.
static void noteRotation(const std::string &path,
                         const rt::GgufHeader &header) {
  for (const rt::GgufPair &pair : header.metadata)
    if (pair.key.rfind("prism.hadamard", 0) == 0) {
      std::fprintf(stderr,
                   "sparseflow pack: note: %s: '%s' says that activations are "
                   "rotated before they are multiplied with its tensors, which "
                   "are packed as they are: a program that reads them has to "
                   "rotate (sparseflow.hadamard); 'sparseflow model import' "
                   "undoes the rotation\n",
                   rt::printable(path).c_str(),
                   rt::printable(pair.key).c_str());
      return;
    }
}

Status TernarySource::planGguf(const rt::TernaryFormat &wanted) {
  if (!arguments.ternary.import.empty())
    return rt::invalidArgument("--import " + arguments.ternary.import +
                               " is for safetensors files; GGUF files say "
                               "themselves what they hold");
  Expected<NameFilter> filter =
      NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  noteRotation(arguments.input, gguf->header());
  for (const rt::GgufPair &pair : gguf->header().metadata)
    if (!pair.key.empty() && pair.key.find('\0') == std::string::npos)
      addText(pair.key, pair.value);
  for (size_t i = 0; i < gguf->tensors().size(); ++i) {
    const rt::GgufTensor &tensor = gguf->tensors()[i];
    Expected<NameFilter::Choice> choice = filter->choose(tensor.name);
    if (!choice)
      return choice.status();
    if (*choice == NameFilter::LeaveOut)
      continue;
    TernaryJob job;
    job.name = tensor.name;
    job.typeName = tensor.typeName();
    job.dtype = tensor.dtype();
    job.bytes = tensor.bytes;
    job.index = i;
    bool included = *choice == NameFilter::Take;
    if (job.dtype != SF_DTYPE_INVALID) {
      if (Status status =
              addDense(std::move(job), tensor.shape, wanted, included);
          !status)
        return status;
      continue;
    }
    if (!included) {
      leftOutList.push_back("left out '" + rt::printable(tensor.name) + "', " +
                            tensor.typeName() + " " +
                            rt::shapeText(tensor.shape) +
                            ": --include does not name it, and only dense "
                            "types are carried");
      continue;
    }
    if (!tensor.isTernary() || !tensor.isReadable() || tensor.shape.size() != 2)
      return namedError(
          tensor.name,
          "it is of type " + tensor.typeName() + " " +
              rt::shapeText(tensor.shape) + "; " +
              (!tensor.isTernary() ? "only ternary block types are imported, "
                                     "leave it out with --exclude"
               : !tensor.isReadable()
                   ? "the file does not tell the size of its blocks, give "
                     "--q2-block"
                   : "expected a matrix, leave it out with --exclude"));
    job.kind = TernaryJob::Gguf;
    job.format = wanted;
    job.format.n = tensor.shape[0];
    job.format.k = tensor.shape[1];
    job.format.planes = 1;
    job.format.group = tensor.blockElements;
    job.format.scaleType = SF_DTYPE_F16;
    if (Status status = job.format.verify(); !status)
      return namedError(job.name, status.text());
    sectionList.push_back(rt::SfpkSection::ofTernary(
        job.name, job.format,
        arguments.dtype == "bf16" ? SF_DTYPE_BF16 : SF_DTYPE_F16));
    jobList.push_back(std::move(job));
  }
  return Status::success();
}

/// What is packed already is carried, so that a file gets several formats by
/// one call for each.
Status TernarySource::planSfpk(const rt::TernaryFormat &wanted) {
  if (!arguments.ternary.import.empty())
    return rt::invalidArgument("--import " + arguments.ternary.import +
                               " is for safetensors files, found a .sfpk file");
  Expected<NameFilter> filter =
      NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  for (size_t i = 0; i < sfpk->sections().size(); ++i) {
    const rt::SfpkSection &section = sfpk->sections()[i];
    if (section.isText()) {
      std::string value(section.bytes, '\0');
      if (Status status = sfpk->read(section, value.data()); !status)
        return status;
      addText(section.name, value);
      continue;
    }
    Expected<NameFilter::Choice> choice = filter->choose(section.name);
    if (!choice)
      return choice.status();
    if (*choice == NameFilter::LeaveOut)
      continue;
    TernaryJob job;
    job.name = section.name;
    job.dtype = section.dtype;
    job.typeName = rt::dtypeName(section.dtype);
    job.bytes = section.bytes;
    job.index = i;
    bool included = *choice == NameFilter::Take;
    if (section.kind == SF_SECTION_DENSE) {
      if (Status status =
              addDense(std::move(job), section.shape, wanted, included);
          !status)
        return status;
      continue;
    }
    if (included)
      return namedError(section.name,
                        "--include selects it, but it is packed as " +
                            std::string(section.layout()) +
                            "; expected a dense matrix. Narrow --include");
    sectionList.push_back(section);
    jobList.push_back(std::move(job));
  }
  return Status::success();
}

Status TernarySource::read(const TernaryJob &job, void *buffer) const {
  if (sfpk)
    return sfpk->read(sfpk->sections()[job.index], buffer, arguments.threads);
  return gguf ? gguf->read(gguf->tensors()[job.index], buffer)
              : safetensors->read(safetensors->tensors()[job.index], buffer);
}

Expected<rt::ImportedTernary>
TernarySource::import(const TernaryJob &job) const {
  std::vector<uint8_t> data(job.bytes);
  if (Status status = read(job, data.data()); !status)
    return status;
  if (job.kind == TernaryJob::Gguf)
    return rt::importGguf(gguf->tensors()[job.index], data.data(),
                          arguments.threads);
  const rt::SafetensorsEntry &entry = safetensors->tensors()[job.scaleIndex];
  uint8_t bytes[4] = {};
  if (Status status = safetensors->read(entry, bytes); !status)
    return status;
  float scale;
  if (entry.dtype == SF_DTYPE_F32) {
    std::memcpy(&scale, bytes, sizeof(scale));
  } else {
    uint16_t half;
    std::memcpy(&half, bytes, sizeof(half));
    scale = entry.dtype == SF_DTYPE_F16 ? rt::halfToFloat(half)
                                        : rt::bfloatToFloat(half);
  }
  Expected<rt::BitnetScale> meaning =
      rt::bitnetScaleFromClass(arguments.ternary.linearClass);
  if (!meaning)
    return meaning.status();
  return rt::importBitnet(data.data(), job.format.n / 4, job.format.k, scale,
                          *meaning, job.name, arguments.threads);
}

Expected<std::vector<float>>
tools::readImportance(const rt::SafetensorsFile &file, const std::string &name,
                      int64_t k) {
  static constexpr char suffix[] = ".weight";
  const rt::SafetensorsEntry *entry = file.find(name);
  size_t stem = name.size() - std::min(name.size(), sizeof(suffix) - 1);
  if (!entry && name.substr(stem) == suffix)
    entry = file.find(name.substr(0, stem));
  if (!entry)
    return namedError(name, "the calibration file has no tensor of this name");
  if (entry->shape.empty() || entry->shape.back() != k ||
      (entry->dtype != SF_DTYPE_F32 && !rt::isPackable(entry->dtype)))
    return namedError(name, "the calibration is " +
                                rt::printable(entry->dtypeSpelling, 40) + " " +
                                rt::shapeText(entry->shape) +
                                ", expected F32, F16 or BF16 with " +
                                std::to_string(k) + " columns");
  Expected<std::vector<float>> read = readFloats(file, *entry, 0);
  if (!read)
    return read.status().withContext("calibration");
  std::vector<float> values = std::move(*read);
  int64_t count = values.size();
  if (entry->shape.size() == 1)
    return values;
  std::vector<float> squares(k);
  for (int64_t col = 0; col < k; ++col) {
    double sum = 0;
    for (int64_t i = col; i < count; i += k)
      sum += double(values[i]) * values[i];
    squares[col] = count == 0 ? 0 : float(sum * double(k) / double(count));
  }
  return squares;
}
