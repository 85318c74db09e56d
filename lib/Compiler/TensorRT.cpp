//===- TensorRT.cpp - Kernels as ahead-of-time plug-ins -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT launches a plug-in's kernel itself: with the addresses of the
// inputs, then numbers of 32 bits that are computed from sizes, then the
// addresses of the outputs, and nothing else. Our kernels take addresses inside
// of tensors, and numbers of 64 bits, in another order. Each parameter is read
// once and whole, so that the entry's list is written anew, and the reads with
// it:
//
//   .entry f(.param .u64 f_param_0,     .entry f(.param .u64 f_in_0,
//            .param .u64 f_param_1,              .param .u64 f_in_1,
//            .param .u64 f_param_2,              .param .u32 f_extra_0,
//            .param .u64 f_param_3)              .param .u64 f_out_0)
//   ld.param.b64 %rd1, [f_param_1];     ld.param.b64 %rd1, [f_in_1];
//                                       add.s64 %rd1, %rd1, 589824;
//   ld.param.b64 %rd2, [f_param_3];     ld.param.s32 %rd2, [f_extra_0];
//
//===----------------------------------------------------------------------===//

#include "TensorRT.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;
using Json = llvm::json::Value;

namespace {

/// One kernel of a plug-in.
class Kernel {
public:
  Kernel(const Object &launch, size_t inputs, size_t outputs)
      : launch(launch), name(*launch.getString("kernel")), inputs(inputs),
        outputs(outputs) {}

  /// Says what every parameter is in TensorRT's terms, or why that cannot be
  /// said.
  std::string bind();
  /// The text of the entry, from its name to the end of its body.
  std::string rewrite(StringRef entry) const;
  Object describe(const Array *guards) const;
  StringRef entryName() const { return name; }

private:
  std::string bindParameter(const Object &argument);

  struct Parameter {
    /// "in_0", "out_0", "extra_0", or "" for a number that is known.
    std::string from;
    int64_t add = 0;
  };
  const Object &launch;
  std::string name;
  size_t inputs, outputs;
  std::vector<Parameter> parameters;
  Array extra;
};

std::string Kernel::bindParameter(const Object &argument) {
  for (auto [key, prefix] : {std::pair("arg", "in"), {"result", "out"}}) {
    std::optional<int64_t> index = argument.getInteger(key);
    if (!index)
      continue;
    int64_t offset = 0;
    if (const Json *given = argument.get("offset")) {
      if (!given->getAsInteger())
        return "an address depends on sizes";
      offset = *given->getAsInteger();
    }
    parameters.push_back({(Twine(prefix) + "_" + Twine(*index)).str(), offset});
    return "";
  }
  const Json *number = argument.get("i64");
  if (!number)
    return argument.get("tensor_map")
               ? "it copies with tensor maps (TMA)"
               : "it needs a workspace, or a dense form of a weight";
  if (std::optional<int64_t> known = number->getAsInteger()) {
    parameters.push_back({"", *known});
    return "";
  }
  auto place = static_cast<size_t>(llvm::find(extra, *number) - extra.begin());
  if (place == extra.size())
    extra.push_back(*number);
  parameters.push_back({"extra_" + std::to_string(place), 0});
  return "";
}

std::string Kernel::bind() {
  if (launch.getInteger("cluster").value_or(1) > 1)
    return "it is launched in clusters";
  for (const Json &argument : *launch.getArray("args"))
    if (std::string reason = bindParameter(*argument.getAsObject());
        !reason.empty())
      return reason;
  return "";
}

std::string Kernel::rewrite(StringRef entry) const {
  std::string text = name + "(";
  StringRef separator = "\n";
  auto declare = [&](StringRef type, StringRef kind, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      text += llvm::formatv("{0}\t.param .{1} {2}_{3}_{4}", separator, type,
                            name, kind, i);
      separator = ",\n";
    }
  };
  declare("u64 .ptr .global .align 1", "in", inputs);
  declare("u32", "extra", extra.size());
  declare("u64 .ptr .global .align 1", "out", outputs);
  StringRef body = entry.drop_front(entry.find(')'));
  llvm::Regex read("ld\\.param\\.[a-z]([0-9]+)[ \t]+(%[a-z]+[0-9]+), \\[" +
                   name + "_param_([0-9]+)\\];");
  SmallVector<StringRef> match;
  text += "\n";
  while (read.match(body, &match)) {
    size_t at = match[0].data() - body.data();
    text += body.take_front(at);
    size_t index = 0;
    match[3].getAsInteger(10, index);
    const Parameter &parameter = parameters[index];
    StringRef bits = match[1], reg = match[2];
    if (parameter.from.empty()) {
      text += llvm::formatv("mov.b{0} {1}, {2};", bits, reg, parameter.add);
    } else {
      // A number of 32 bits is extended by its sign in a register of 64.
      bool isNumber = StringRef(parameter.from).starts_with("extra");
      text +=
          llvm::formatv("ld.param.{0} \t{1}, [{2}_{3}];",
                        isNumber ? "s32" : "b64", reg, name, parameter.from);
      if (parameter.add)
        text +=
            llvm::formatv("\n\tadd.s64 \t{0}, {0}, {1};", reg, parameter.add);
    }
    body = body.drop_front(at + match[0].size());
  }
  return text + body.str();
}

Object Kernel::describe(const Array *guards) const {
  Array kept;
  // TensorRT's tensors are aligned.
  for (const Json &guard : *guards)
    if (!guard.getAsObject()->get("aligned"))
      kept.push_back(guard);
  return Object{{"kernel", name},
                {"guards", std::move(kept)},
                {"grid", *launch.get("grid")},
                {"threads", *launch.get("threads")},
                {"shared_bytes", launch.getInteger("shared_bytes").value_or(0)},
                {"extra_args", Array(extra)}};
}

/// Where each symbol is read: the first input that has it, and the dimension.
Object whereSymbolsAre(const Object &function) {
  Object found;
  int64_t input = 0;
  for (const Json &argument : *function.getArray("arguments")) {
    int64_t dim = 0;
    for (const Json &size : *argument.getAsObject()->getArray("shape")) {
      if (std::optional<StringRef> symbol = size.getAsString())
        found.try_emplace(*symbol, Array{input, dim});
      ++dim;
    }
    ++input;
  }
  return found;
}

} // namespace

/// The one step of a function, or an error.
static llvm::Expected<const Object *> onlyStep(const Object &function) {
  const Array *programs = function.getArray("programs");
  const Object *program =
      programs && !programs->empty() ? (*programs)[0].getAsObject() : nullptr;
  size_t steps = program ? program->getArray("steps")->size() : 0;
  if (steps == 1)
    return (*program->getArray("steps"))[0].getAsObject();
  return llvm::createStringError(
      "function '" + *function.getString("name") +
      "' is no TensorRT plug-in: one launch computes such a one, found " +
      Twine(steps) + " steps; give each its function");
}

llvm::Expected<std::string>
mlir::sparseflow::describePlugins(StringRef manifest, StringRef ptx) {
  llvm::Expected<Json> parsed = llvm::json::parse(manifest);
  if (!parsed)
    return parsed.takeError();
  Array plugins;
  for (const Json &value : *parsed->getAsObject()->getArray("functions")) {
    const Object &function = *value.getAsObject();
    llvm::Expected<const Object *> step = onlyStep(function);
    if (!step)
      return step.takeError();
    const Array &arguments = *function.getArray("arguments");
    const Array &results = *function.getArray("results");
    Array kernels;
    std::string text = ptx.str(), reason;
    for (const Json &entry : *(*step)->getArray("variants")) {
      const Object &variant = *entry.getAsObject();
      const Array &launches = *variant.getArray("launches");
      if (launches.size() != 1 || variant.get("family")) {
        reason = "it takes several launches";
        continue;
      }
      Kernel kernel(*launches[0].getAsObject(), arguments.size(),
                    results.size());
      std::string why = kernel.bind();
      if (!why.empty()) {
        reason = why;
        continue;
      }
      size_t begin = text.find(".entry " + kernel.entryName().str() + "(") + 7;
      size_t end = text.find("\n}", begin);
      text = text.substr(0, begin) +
             kernel.rewrite(StringRef(text).slice(begin, end)) +
             text.substr(end);
      kernels.push_back(kernel.describe(variant.getArray("guards")));
    }
    if (kernels.empty())
      return llvm::createStringError(
          "function '" + *function.getString("name") +
          "' is no TensorRT plug-in: of each of its kernels this holds: " +
          reason + "; compile for sm_80, whose kernels need nothing of that");
    const Array &programs = *function.getArray("programs");
    plugins.push_back(
        Object{{"name", *function.getString("name")},
               {"target", *programs[0].getAsObject()->getString("target")},
               {"inputs", Array(arguments)},
               {"outputs", Array(results)},
               {"symbols", whereSymbolsAre(function)},
               {"kernels", std::move(kernels)},
               {"ptx", std::move(text)}});
  }
  return llvm::formatv("{0:2}\n", Json(Object{{"format", "sparseflow-tensorrt"},
                                              {"version", 1},
                                              {"plugins", std::move(plugins)}}))
      .str();
}
