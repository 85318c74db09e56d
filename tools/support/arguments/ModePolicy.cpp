//===- ModePolicy.cpp - Modes of attention by a policy --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/ModePolicy.h"

#include "device/manifest/json.h"

#include <algorithm>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::JsonCursor;

// A policy is a page of text.
constexpr size_t maxPolicyBytes = size_t(1) << 20;

static double positive(const JsonCursor &json) {
  double value = json.number();
  if (!(value >= 0))
    json.expected("a number of 0 or more");
  return value;
}

static void readPolicy(const JsonCursor &json, sf_attention_case &call) {
  JsonCursor format = json.member("format");
  if (format.string(0, 64) != "sparseflow-mode-policy")
    format.expected("'sparseflow-mode-policy'");
  json.member("version").integer(1, 1);
  if (json.has("layers"))
    call.layers = json.member("layers").integer(1, 1 << 20);
  if (json.has("memory_budget"))
    call.memory_budget = static_cast<uint64_t>(
        json.member("memory_budget").integer(1, int64_t(1) << 62));
  call.max_error = positive(json.member("max_error"));
  if (json.has("occupancy")) {
    JsonCursor share = json.member("occupancy");
    double value = positive(share);
    if (value > 1)
      share.expected("a share of 0 to 1");
    call.taken = value * static_cast<double>(call.capacity);
  }
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
    const char *name = rt::modeName(static_cast<sf_attention_mode>(mode));
    if (json.has("errors") && json.member("errors").has(name))
      call.error[mode] = positive(json.member("errors").member(name));
    if (!json.has("speeds") || !json.member("speeds").has(name))
      continue;
    JsonCursor speed = json.member("speeds").member(name);
    call.speed[mode].gigabytes_per_second =
        positive(speed.member("gigabytes_per_second"));
    call.speed[mode].fixed_microseconds =
        positive(speed.member("fixed_microseconds"));
  }
}

Status sparseflow::tools::readModePolicy(const std::string &path,
                                         sf_attention_case &call) {
  Expected<std::string> text = rt::readSmallFile(path, maxPolicyBytes);
  if (!text)
    return text.status();
  try {
    nlohmann::json document = rt::parseJson(*text);
    readPolicy(JsonCursor(document, "policy"), call);
  } catch (const rt::JsonError &e) {
    return e.status.withContext("'" + rt::printable(path) + "'");
  }
  return Status::success();
}

namespace {

/// The functions of one name and the modes that they are of.
struct Variants {
  std::string base;
  const Function *functions[SF_ATTENTION_MODES] = {};
  const AttentionStep *steps[SF_ATTENTION_MODES] = {};
};

} // namespace

static Expected<Variants> findVariants(const BundleManifest &manifest,
                                       const std::string &base) {
  Variants found;
  found.base = base;
  std::string names;
  for (size_t i = 0; i < manifest.manifest.functions.size(); ++i) {
    const Function &function = manifest.manifest.functions[i];
    size_t dot = function.name.rfind('.');
    names += (i ? ", " : "") + rt::printable(function.name);
    if (dot == std::string::npos)
      continue;
    std::optional<sf_attention_mode> mode =
        rt::parseMode(function.name.substr(dot + 1));
    std::string stem = function.name.substr(0, dot);
    if (!mode || (!base.empty() && stem != base))
      continue;
    if (!found.base.empty() && stem != found.base)
      return rt::invalidArgument("modes of '" + rt::printable(found.base) +
                                 "' and of '" + rt::printable(stem) +
                                 "': name one of them with --entry");
    found.base = stem;
    const std::optional<Reference> &reference = manifest.references[i];
    for (size_t s = 0; reference && s < reference->steps.size(); ++s)
      if (reference->steps[s].attention && !found.steps[*mode])
        found.steps[*mode] = &*reference->steps[s].attention;
    if (!found.steps[*mode])
      return rt::invalidArgument("'" + rt::printable(function.name) +
                                 "' has no attention in its reference, so "
                                 "there are no modes to choose from");
    found.functions[*mode] = &function;
  }
  for (const Function *function : found.functions)
    if (function)
      return found;
  std::string expected = base.empty() ? "NAME" : rt::printable(base);
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode)
    expected += (mode == 0                        ? "."
                 : mode + 1 == SF_ATTENTION_MODES ? " or ."
                                                  : ", .") +
                std::string(rt::modeName(static_cast<sf_attention_mode>(mode)));
  return rt::invalidArgument("expected functions named " + expected +
                             ", a mode of attention each, found " + names);
}

/// What q, and the keys and values that attention reads, are declared as:
/// arguments, or a cache that grew out of one.
static const TensorSpec *specOf(const Function &function, int value,
                                const Reference &reference) {
  for (const ReferenceStep &step : reference.steps)
    if (step.append && step.out == value)
      value = step.append->cache;
  return value < static_cast<int>(function.arguments.size())
             ? &function.arguments[value]
             : nullptr;
}

static void setFormat(const TensorSpec &spec, sf_cache_format &format) {
  format.struct_size = sizeof(format);
  format.scale_features = spec.cache->scope;
  format.scale_type = spec.cache->scaleType;
}

Expected<ModeChoice> sparseflow::tools::chooseMode(
    const BundleManifest &manifest, const std::string &base,
    const std::string &policy, const ArgumentRequest &request) {
  Expected<Variants> variants = findVariants(manifest, base);
  if (!variants)
    return variants.status();
  sf_attention_case call = {};
  call.struct_size = sizeof(call);
  call.layers = 1;
  for (sf_cache_format *format : {&call.keys, &call.values}) {
    format->struct_size = sizeof(*format);
    format->scale_features = SF_CACHE_TOKEN_SCALE;
    format->scale_type = SF_DTYPE_F32;
  }
  std::fill_n(call.error, int(SF_ATTENTION_MODES), -1.0);
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
    const Function *function = variants->functions[mode];
    if (!function)
      continue;
    call.available |= 1u << mode;
    size_t index =
        static_cast<size_t>(function - manifest.manifest.functions.data());
    const Reference &reference = *manifest.references[index];
    const AttentionStep &step = *variants->steps[mode];
    const TensorSpec *specs[3];
    int values[3] = {step.q, step.k, step.v};
    for (int i = 0; i < 3; ++i)
      if (!(specs[i] = specOf(*function, values[i], reference)))
        return rt::invalidArgument(
            "'" + rt::printable(function->name) +
            "': expected attention on arguments of the "
            "function, found a computed value, whose memory "
            "no policy knows; name the function with "
            "--entry alone");
    std::vector<int64_t> symbols(function->symbols.size(), request.defaultSize);
    for (const auto &[name, size] : request.sizes) {
      auto found =
          std::find(function->symbols.begin(), function->symbols.end(), name);
      if (found != function->symbols.end())
        symbols[found - function->symbols.begin()] = size;
    }
    auto size = [&](int spec, size_t dim) {
      return specs[spec]->shape[dim].value(symbols.data());
    };
    size_t head = step.bshd ? 2 : 1, sequence = step.bshd ? 1 : 2;
    call.batch = size(0, 0);
    call.query_heads = size(0, head);
    call.queries = size(0, sequence);
    call.key_heads = size(1, head);
    call.capacity = size(1, sequence);
    call.features = size(1, 3);
    call.value_features = size(2, 3);
    if (specs[1]->isCache())
      setFormat(*specs[1],
                specs[1]->cache->isTernary() ? call.keys : call.quantized_keys);
    if (specs[2]->isCache())
      setFormat(*specs[2], specs[2]->cache->isTernary()
                               ? call.values
                               : call.quantized_values);
  }
  call.taken = static_cast<double>(call.capacity);
  if (Status status = readModePolicy(policy, call); !status)
    return status;
  Expected<rt::ModeDecision> decision = rt::decideMode(call);
  if (!decision)
    return decision.status();
  if (!decision->mode)
    return decision->refusal();
  ModeChoice choice;
  choice.entry = variants->base + "." + rt::modeName(*decision->mode);
  choice.decision = std::move(*decision);
  return choice;
}
