//===- CompressPlan.cpp - What becomes of each matrix ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompressPlan.h"

#include "io/file.h"

#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Expected;
using rt::Status;
using Json = nlohmann::ordered_json;

namespace {

/// Names that models of Hugging Face and of GGUF give to linear layers.
struct Preset {
  const char *name, *match, *except;
};

} // namespace

static constexpr const char *kNorms = "norm|bias|LayerNorm|ln_";
static constexpr Preset kPresets[] = {
    {"ffn",
     "mlp|ffn|feed_?forward|intermediate|fc[12]|(^|[._])(gate|up|down)_proj|"
     "layer\\.[0-9]+\\.output\\.dense",
     "norm|bias|LayerNorm|ln_|ffn_gate_inp|router"},
    {"attention", "attn|attention|(^|[._])[qkvo]_proj|(^|[._])qkv", kNorms},
};

static const Preset *presetOf(const std::string &name) {
  for (const Preset &preset : kPresets)
    if (name == preset.name)
      return &preset;
  return nullptr;
}

static bool isPresetName(const std::string &name) {
  return name == "all" || presetOf(name);
}

static Expected<NameFilter> presetFilter(const std::string &name) {
  if (const Preset *preset = presetOf(name))
    return NameFilter::create(preset->match, preset->except);
  return NameFilter::create("(" + std::string(kPresets[0].match) + ")|" +
                                kPresets[1].match,
                            kPresets[0].except);
}

/// Parses the names of `rule` and chooses the method where none is given.
static Status resolve(CompressRule &rule) {
  if (rule.isDense())
    return Status::success();
  int64_t scaleColumns = rule.options.format.scaleColumns;
  Expected<rt::compress::Format> format =
      rt::compress::formatFromName(rule.format);
  if (!format)
    return format.status();
  rule.options.format = *format;
  rule.options.format.scaleColumns = scaleColumns;
  bool hasGrid = format->bits || format->planes;
  if (rule.method.empty())
    rule.method = hasGrid ? "gptq" : "refit";
  Expected<rt::compress::Method> method =
      rt::compress::methodFromName(rule.method);
  if (!method)
    return method.status();
  rule.options.method = *method;
  if (*method == rt::compress::Method::Refit && hasGrid)
    return rt::invalidArgument("refit is for N:M alone, found the format " +
                               rule.format + "; for numbers there is gptq");
  if (scaleColumns && !hasGrid)
    return rt::invalidArgument("a scale for " + std::to_string(scaleColumns) +
                               " columns is for integers and trits, found "
                               "the format " +
                               rule.format);
  return Status::success();
}

static Expected<std::string> stringOf(const Json &value,
                                      const std::string &key) {
  if (!value.is_string())
    return rt::formatError("'" + key + "': expected a text, found " +
                           value.type_name());
  return value.get<std::string>();
}

/// A whole number in [least, most].
static Expected<int64_t> numberOf(const Json &value, const std::string &key,
                                  int64_t least, int64_t most) {
  if (!value.is_number_integer() || value < least || value > most)
    return rt::formatError(
        "'" + key + "': expected a whole number from " + std::to_string(least) +
        " to " + std::to_string(most) + ", found " +
        rt::printable(
            value.dump(-1, ' ', false, Json::error_handler_t::replace), 40));
  return value.get<int64_t>();
}

static Expected<CompressRule> ruleFromJson(const Json &json, size_t index,
                                           const CompressArguments &arguments) {
  std::string where = "rule " + std::to_string(index + 1);
  auto failed = [&](const Status &status) {
    return rt::formatError(where + ": " + status.text());
  };
  if (!json.is_object())
    return rt::formatError(where + ": expected an object, found " +
                           json.type_name());
  CompressRule rule;
  rule.options.damping = arguments.damping;
  rule.options.sweeps = arguments.sweeps;
  rule.options.threads = arguments.threads;
  std::string match, except, layers, reason;
  for (const auto &[key, value] : json.items()) {
    Status status;
    std::string *text = key == "match"    ? &match
                        : key == "except" ? &except
                        : key == "layers" ? &layers
                        : key == "format" ? &rule.format
                        : key == "method" ? &rule.method
                        : key == "reason" ? &reason
                                          : nullptr;
    if (text) {
      Expected<std::string> read = stringOf(value, key);
      if (read)
        *text = *read;
      status = read ? status : read.status();
    } else if (key == "scale" || key == "sweeps") {
      bool isScale = key == "scale";
      Expected<int64_t> read =
          numberOf(value, key, isScale, isScale ? int64_t(1) << 20 : 1000);
      if (read && isScale)
        rule.options.format.scaleColumns = *read;
      else if (read)
        rule.options.sweeps = static_cast<int>(*read);
      status = read ? status : read.status();
    } else {
      status = rt::formatError(
          "expected match or layers, format, and perhaps except, method, "
          "scale, sweeps, reason; found the key '" +
          rt::printable(key, 40) + "'");
    }
    if (!status)
      return failed(status);
  }
  if (rule.format.empty() || match.empty() == layers.empty())
    return failed(rt::formatError("expected a format, and either match, a "
                                  "regular expression, or layers"));
  if (!layers.empty() && !isPresetName(layers))
    return failed(rt::formatError("'layers': expected all, attention or ffn, "
                                  "found '" +
                                  rt::printable(layers, 40) + "'"));
  if (!layers.empty() && !except.empty())
    return failed(rt::formatError("'except' belongs to match; with layers, a "
                                  "dense rule before this one leaves some "
                                  "out"));
  rule.title = layers.empty()
                   ? where + ", match '" + rt::printable(match, 80) + "'"
                   : where + ", layers '" + layers + "'";
  Expected<NameFilter> filter =
      layers.empty() ? NameFilter::create(match, except, "", "match", "except")
                     : presetFilter(layers);
  if (!filter)
    return failed(filter.status());
  rule.filter = std::move(*filter);
  if (Status status = resolve(rule); !status)
    return failed(status);
  return rule;
}

Status CompressPlan::readFile(const CompressArguments &arguments) {
  constexpr uint64_t most = 16 << 20;
  Expected<rt::InputFile> file = rt::InputFile::open(arguments.plan);
  if (!file)
    return file.status();
  if (file->size() > most)
    return rt::formatError("expected a plan of at most 16 MB");
  std::string text(file->size(), '\0');
  if (Status status = file->read(0, text.data(), text.size()); !status)
    return status;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    return rt::formatError("expected JSON");
  bool isPlan = json.is_object() && json.contains("format") &&
                json["format"] == "sparseflow-compress-plan" &&
                json.contains("version") && json["version"] == 1 &&
                json.contains("rules") && json["rules"].is_array() &&
                json.size() == 3 + json.contains("about");
  if (!isPlan)
    return rt::formatError(
        "expected an object of three keys: \"format\": "
        "\"sparseflow-compress-plan\", \"version\": 1, and \"rules\", a list; "
        "and perhaps \"about\", for people");
  for (size_t i = 0; i < json["rules"].size(); ++i) {
    Expected<CompressRule> rule = ruleFromJson(json["rules"][i], i, arguments);
    if (!rule)
      return rule.status();
    rules.push_back(std::move(*rule));
  }
  return Status::success();
}

Expected<CompressPlan>
CompressPlan::create(const CompressArguments &arguments) {
  CompressPlan plan;
  if (!arguments.plan.empty()) {
    if (Status status = plan.readFile(arguments); !status)
      return status.withContext("'" + rt::printable(arguments.plan) + "'");
    return plan;
  }
  CompressRule rule;
  bool isPreset = !arguments.layers.empty();
  rule.title = isPreset
                   ? "--layers " + arguments.layers
                   : "--include '" + rt::printable(arguments.include) + "'";
  Expected<NameFilter> filter =
      isPreset ? presetFilter(arguments.layers)
               : NameFilter::create(arguments.include, arguments.exclude);
  if (!filter)
    return filter.status();
  rule.filter = std::move(*filter);
  rule.format = arguments.format;
  rule.method = arguments.method;
  rule.options.format.scaleColumns = arguments.scaleColumns;
  rule.options.damping = arguments.damping;
  rule.options.sweeps = arguments.sweeps;
  rule.options.threads = arguments.threads;
  if (Status status = resolve(rule); !status)
    return status;
  plan.rules.push_back(std::move(rule));
  return plan;
}

static Status checkMatrix(const rt::SafetensorsEntry &tensor,
                          const CompressRule &rule) {
  std::string found;
  if (tensor.dtype != SF_DTYPE_F32 && !rt::isPackable(tensor.dtype))
    found = "its type is " + rt::printable(tensor.dtypeSpelling, 40) +
            "; expected F32, F16 or BF16";
  else if (tensor.shape.size() != 2 || tensor.shape[1] == 0)
    found = "its shape is " + rt::shapeText(tensor.shape) +
            "; expected a matrix with columns";
  if (found.empty())
    return Status::success();
  return rt::formatError("tensor '" + rt::printable(tensor.name) +
                         "': " + rule.title + " selects it, but " + found +
                         ". Narrow the expression");
}

Status CompressPlan::decide(const std::vector<rt::SafetensorsEntry> &tensors,
                            const std::string &file) {
  std::vector<size_t> taken(rules.size()), matched(rules.size());
  chosen.assign(tensors.size(), -1);
  for (size_t t = 0; t < tensors.size(); ++t) {
    int first = -1;
    for (size_t i = 0; i < rules.size(); ++i) {
      Expected<NameFilter::Choice> choice =
          rules[i].filter.choose(tensors[t].name);
      if (!choice)
        return choice.status();
      if (*choice != NameFilter::Take)
        continue;
      ++matched[i];
      if (first < 0)
        first = static_cast<int>(i);
    }
    if (first >= 0)
      ++taken[first];
    if (first < 0 || rules[first].isDense())
      continue;
    if (Status status = checkMatrix(tensors[t], rules[first]); !status)
      return status;
    chosen[t] = first;
  }
  for (size_t i = 0; i < rules.size(); ++i)
    if (!taken[i])
      return rt::formatError(
          matched[i]
              ? rules[i].title + ": rules before it take all of the " +
                    std::to_string(matched[i]) +
                    " tensors that it matches; move it up"
              : "no tensor of '" + rt::printable(file) + "' matches " +
                    rules[i].title + "; sparseflow inspect lists the names");
  return Status::success();
}

const CompressRule *CompressPlan::needsMoments() const {
  for (const CompressRule &rule : rules)
    if (!rule.isDense() &&
        rule.options.method != rt::compress::Method::Magnitude)
      return &rule;
  return nullptr;
}

std::string CompressRule::text() const {
  return format + " by " + method + ", " +
         std::to_string(options.format.scaleColumns) + ", " +
         std::to_string(options.damping) + ", " +
         std::to_string(options.sweeps) + ", " + std::to_string(options.block);
}
