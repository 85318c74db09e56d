//===- RotateCommand.cpp - sparseflow rotate ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCommands.h"

#include "Common.h"
#include "io/safetensors.h"
#include "run/Progress.h"
#include "run/Result.h"
#include "weights/convert.h"

#ifdef SPARSEFLOW_HAVE_COMPRESS
#include "compress/rotation.h"
#endif

#include <algorithm>
#include <cstdio>
#include <regex>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Expected;
using rt::Status;

#ifndef SPARSEFLOW_HAVE_COMPRESS

int tools::runRotate(const RotateArguments &, const std::function<bool()> &) {
  std::fputs("sparseflow rotate: error: this build has no OpenBLAS; install "
             "libopenblas-dev and build again\n",
             stderr);
  return ExitEnvironment;
}

#else

namespace {

/// What tensors of a llama do, by the names of Hugging Face and of GGUF.
struct Role {
  enum Kind {
    Norm,      ///< becomes ones
    Embedding, ///< [words, stream]
    Reads,     ///< [n, stream], behind a norm
    Value,     ///< reads, and writes the values of heads
    Output,    ///< [stream, k] from the values of heads
    Writes     ///< [stream, k]
  };
  Kind kind;
  const char *match;
  /// Of Reads and Value: the norm before it, as a replacement of the match.
  const char *norm;
};

class Rotating {
public:
  explicit Rotating(const RotateArguments &arguments) : arguments(arguments) {}

  Status plan();
  Status run(const std::function<bool()> &interrupted);
  bool stopped() const { return wasInterrupted; }

private:
  Status rotate(const rt::SafetensorsEntry &tensor, const Role &role,
                std::vector<float> &values) const;

  const RotateArguments &arguments;
  std::optional<rt::SafetensorsFile> input;
  /// By tensor.
  std::vector<const Role *> roles;
  std::vector<std::string> norms;
  std::optional<rt::compress::Rotation> stream;
  bool wasInterrupted = false;
};

} // namespace

static constexpr Role kRoles[] = {
    {Role::Norm,
     R"(^(.*layers\.\d+\.)(input|post_attention)_layernorm\.weight$)", ""},
    {Role::Norm, R"(^(.*\.)?norm\.weight$)", ""},
    {Role::Embedding, R"(^(.*\.)?embed_tokens\.weight$)", ""},
    {Role::Reads, R"(^(.*layers\.\d+\.)self_attn\.[qk]_proj\.weight$)",
     "$1input_layernorm.weight"},
    {Role::Value, R"(^(.*layers\.\d+\.)self_attn\.v_proj\.weight$)",
     "$1input_layernorm.weight"},
    {Role::Output, R"(^(.*layers\.\d+\.)self_attn\.o_proj\.weight$)", ""},
    {Role::Reads, R"(^(.*layers\.\d+\.)mlp\.(gate|up)_proj\.weight$)",
     "$1post_attention_layernorm.weight"},
    {Role::Writes, R"(^(.*layers\.\d+\.)mlp\.down_proj\.weight$)", ""},
    {Role::Reads, R"(^lm_head\.weight$)", "model.norm.weight"},
    {Role::Norm, R"(^blk\.\d+\.(attn|ffn)_norm\.weight$|^output_norm\.weight$)",
     ""},
    {Role::Embedding, R"(^token_embd\.weight$)", ""},
    {Role::Reads, R"(^(blk\.\d+\.)attn_[qk]\.weight$)", "$1attn_norm.weight"},
    {Role::Value, R"(^(blk\.\d+\.)attn_v\.weight$)", "$1attn_norm.weight"},
    {Role::Output, R"(^(blk\.\d+\.)attn_output\.weight$)", ""},
    {Role::Reads, R"(^(blk\.\d+\.)ffn_(gate|up)\.weight$)",
     "$1ffn_norm.weight"},
    {Role::Writes, R"(^(blk\.\d+\.)ffn_down\.weight$)", ""},
    {Role::Reads, R"(^output\.weight$)", "output_norm.weight"},
};

static Status named(const rt::SafetensorsEntry &tensor,
                    const std::string &text) {
  return rt::formatError("tensor '" + rt::printable(tensor.name) +
                         "': " + text);
}

Status Rotating::plan() {
  Expected<rt::SafetensorsFile> file =
      rt::SafetensorsFile::open(arguments.input);
  if (!file)
    return file.status();
  input.emplace(std::move(*file));
  std::vector<std::regex> expressions;
  for (const Role &role : kRoles)
    expressions.emplace_back(role.match);
  int64_t size = 0;
  bool hasHead = false;
  for (const rt::SafetensorsEntry &tensor : input->tensors()) {
    const Role *found = nullptr;
    std::string norm;
    for (size_t i = 0; i < expressions.size() && !found; ++i)
      // std::regex recurses once a character: no name of a llama is long.
      if (tensor.name.size() < 256 &&
          std::regex_match(tensor.name, expressions[i])) {
        found = &kRoles[i];
        norm = std::regex_replace(tensor.name, expressions[i], found->norm);
      }
    if (!found)
      return named(tensor,
                   "expected the tensors of a llama without biases, by the "
                   "names of Hugging Face or GGUF; what this one does to the "
                   "residual stream is not known");
    bool isVector = found->kind == Role::Norm;
    if ((tensor.dtype != SF_DTYPE_F32 && !rt::isPackable(tensor.dtype)) ||
        tensor.shape.size() != (isVector ? 1 : 2))
      return named(tensor, std::string("expected a ") +
                               (isVector ? "vector" : "matrix") +
                               " of F32, F16 or BF16, found " +
                               rt::shapeText(tensor.shape) + " in " +
                               rt::printable(tensor.dtypeSpelling, 40));
    if (!norm.empty() && !input->find(norm))
      return named(tensor, "expected the norm before it, '" +
                               rt::printable(norm) + "', found none");
    if (found->kind == Role::Embedding)
      size = tensor.shape[1];
    hasHead |=
        tensor.name == "lm_head.weight" || tensor.name == "output.weight";
    roles.push_back(found);
    norms.push_back(norm);
  }
  if (!size || !hasHead)
    return rt::formatError(
        "expected an embedding and a head, lm_head.weight or output.weight, "
        "found " +
        std::string(size ? "no head: the final norm is folded into it alone, "
                           "so that a tied embedding has to be stored twice"
                         : "no embedding"));
  for (size_t i = 0; i < roles.size(); ++i) {
    const rt::SafetensorsEntry &tensor = input->tensors()[i];
    bool writes =
        roles[i]->kind == Role::Output || roles[i]->kind == Role::Writes;
    bool isNorm = roles[i]->kind == Role::Norm;
    int64_t found = tensor.shape[writes || isNorm ? 0 : 1];
    int64_t heads = roles[i]->kind == Role::Value    ? tensor.shape[0]
                    : roles[i]->kind == Role::Output ? tensor.shape[1]
                                                     : 0;
    if (found != size)
      return named(tensor, "expected " + std::to_string(size) +
                               " numbers of the residual stream, found " +
                               rt::shapeText(tensor.shape));
    if (arguments.headSize && heads % arguments.headSize)
      return named(tensor, "expected heads of " +
                               std::to_string(arguments.headSize) +
                               " values, found " + rt::shapeText(tensor.shape));
  }
  Expected<rt::compress::Rotation> rotation =
      rt::compress::Rotation::create(size, arguments.seed);
  if (!rotation)
    return rotation.status();
  stream.emplace(std::move(*rotation));
  return Status::success();
}

Status Rotating::rotate(const rt::SafetensorsEntry &tensor, const Role &role,
                        std::vector<float> &values) const {
  if (role.kind == Role::Norm) {
    std::fill(values.begin(), values.end(), 1.0f);
    return Status::success();
  }
  int64_t n = tensor.shape[0], k = tensor.shape[1];
  bool hasHeads = role.kind == Role::Value || role.kind == Role::Output;
  std::optional<rt::compress::Rotation> heads;
  if (hasHeads && arguments.headSize) {
    Expected<rt::compress::Rotation> created =
        rt::compress::Rotation::create(role.kind == Role::Value ? n : k,
                                       arguments.seed + 1, arguments.headSize);
    if (!created)
      return created.status();
    heads.emplace(std::move(*created));
  }
  size_t index = &tensor - input->tensors().data();
  if (!norms[index].empty()) {
    Expected<std::vector<float>> norm =
        readFloats(*input, *input->find(norms[index]), arguments.threads);
    if (!norm)
      return norm.status();
    rt::compress::foldNorm(values.data(), n, k, norm->data());
  }
  if (role.kind == Role::Output || role.kind == Role::Writes)
    stream->rotateOutputs(values.data(), k);
  else
    stream->rotateInputs(values.data(), n);
  if (heads && role.kind == Role::Value)
    heads->rotateOutputs(values.data(), k);
  else if (heads)
    heads->rotateInputs(values.data(), n);
  return Status::success();
}

Status Rotating::run(const std::function<bool()> &interrupted) {
  std::vector<rt::SafetensorsWriter::Tensor> tensors;
  for (const rt::SafetensorsEntry &tensor : input->tensors())
    tensors.push_back({tensor.name, tensor.dtype, tensor.shape});
  Expected<rt::SafetensorsWriter> writer = rt::SafetensorsWriter::create(
      arguments.output, std::move(tensors), input->header().metadata);
  if (!writer)
    return writer.status();
  ProgressBar progress;
  size_t done = 0;
  for (size_t index : writer->order()) {
    if ((wasInterrupted = interrupted()))
      return Status::success();
    const rt::SafetensorsEntry &tensor = input->tensors()[index];
    progress.show(rt::printable(tensor.name, 60),
                  double(done++) / input->tensors().size());
    Expected<std::vector<float>> values =
        readFloats(*input, tensor, arguments.threads);
    if (!values)
      return values.status();
    if (Status status = rotate(tensor, *roles[index], *values); !status)
      return status;
    std::vector<uint8_t> data(tensor.bytes());
    rt::ConvertOptions options;
    options.name = tensor.name;
    options.threads = arguments.threads;
    Status status = rt::convert(values->data(), SF_DTYPE_F32, data.data(),
                                tensor.dtype, values->size(), options);
    if (status)
      status = writer->write(data.data(), data.size());
    if (!status)
      return status;
  }
  progress.clear();
  if (Status status = writer->commit(); !status)
    return status;
  std::printf(
      "%s: %zu tensors, the stream of %lld rotated in blocks of %lld%s\n",
      rt::printable(arguments.output).c_str(), done,
      static_cast<long long>(stream->size()),
      static_cast<long long>(stream->order()),
      arguments.headSize ? ", values by heads"
                         : "; values are not, for which --head-size");
  return Status::success();
}

int tools::runRotate(const RotateArguments &arguments,
                     const std::function<bool()> &interrupted) {
  Rotating rotating(arguments);
  if (Status status = rotating.plan(); !status)
    return failWithInput("rotate", status);
  if (Status status = rotating.run(interrupted); !status)
    return failWith("rotate", status);
  return rotating.stopped() ? kExitInterrupted : int(ExitOk);
}

#endif // SPARSEFLOW_HAVE_COMPRESS
