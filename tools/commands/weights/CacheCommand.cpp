//===- CacheCommand.cpp - sparseflow cache --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What keys and values take in each mode of attention, by length, and which
// mode a policy chooses.
//
//===----------------------------------------------------------------------===//

#include "CacheCommand.h"

#include "Common.h"
#include "arguments/ModePolicy.h"
#include "run/Result.h"

#include <cstdio>

#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::Expected;
using rt::Status;
using Json = nlohmann::ordered_json;

static sf_cache_format formatOf(const CacheArguments &arguments) {
  sf_cache_format format = {};
  format.struct_size = sizeof(format);
  if (arguments.scale == "head")
    format.scale_features = SF_CACHE_HEAD_SCALE;
  else if (arguments.scale == "token")
    format.scale_features = SF_CACHE_TOKEN_SCALE;
  else
    format.scale_features = std::stoll(arguments.scale);
  format.scale_type = arguments.scaleType == "f16"    ? SF_DTYPE_F16
                      : arguments.scaleType == "bf16" ? SF_DTYPE_BF16
                                                      : SF_DTYPE_F32;
  return format;
}

/// The case of one length, with all modes compiled.
static Expected<sf_attention_case> caseOf(const CacheArguments &arguments,
                                          int64_t length) {
  sf_attention_case call = {};
  call.struct_size = sizeof(call);
  call.layers = arguments.layers;
  call.batch = arguments.batch;
  call.query_heads = arguments.heads;
  call.key_heads = arguments.keyHeads;
  call.features = arguments.features;
  call.value_features =
      arguments.valueFeatures ? arguments.valueFeatures : arguments.features;
  call.capacity = length;
  call.taken = static_cast<double>(length);
  call.queries = arguments.queries;
  call.keys = call.values = formatOf(arguments);
  // Numbers have a scale for each token, whatever planes share.
  call.quantized_keys = call.keys;
  call.quantized_keys.scale_features = SF_CACHE_TOKEN_SCALE;
  call.quantized_values = call.quantized_keys;
  call.available = (1u << SF_ATTENTION_MODES) - 1;
  for (double &error : call.error)
    error = -1;
  if (!arguments.policy.empty())
    if (Status status = readModePolicy(arguments.policy, call); !status)
      return status;
  return call;
}

static Status run(const CacheArguments &arguments) {
  Json lengths = Json::array();
  Table table;
  std::vector<std::string> heading = {"positions"};
  for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode)
    heading.push_back(rt::modeName(static_cast<sf_attention_mode>(mode)));
  if (!arguments.policy.empty())
    heading.push_back("chosen");
  table.row(heading);
  std::string remarks;
  for (int64_t length : arguments.lengths) {
    Expected<sf_attention_case> call = caseOf(arguments, length);
    if (!call)
      return call.status();
    Expected<rt::ModeDecision> decision = rt::decideMode(*call);
    if (!decision)
      return decision.status();
    auto bytes = [&](int mode) {
      return static_cast<double>(decision->estimates[mode].bytes);
    };
    std::vector<std::string> row = {std::to_string(length)};
    for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
      char less[32] = "";
      if (mode != SF_ATTENTION_FULL_PRECISION)
        std::snprintf(less, sizeof(less), " (1/%.2f)", bytes(0) / bytes(mode));
      row.push_back(sizeText(decision->estimates[mode].bytes) + less);
    }
    Json record = Json::parse(decision->json());
    if (arguments.policy.empty()) {
      // Nothing was asked, so nothing was decided.
      record.erase("mode");
      for (Json &mode : record["modes"])
        mode = {{"mode", mode["mode"]}, {"bytes", mode["bytes"]}};
    } else {
      row.push_back(decision->mode ? rt::modeName(*decision->mode) : "none");
      remarks += "remark: " + std::to_string(length) +
                 " positions: " + decision->text() + "\n";
    }
    Json entry = {{"positions", length}};
    entry.update(record);
    lengths.push_back(std::move(entry));
    table.row(row);
  }
  if (!arguments.json) {
    table.print({0, 1, 2, 3, 4, 5, 6});
    std::fputs(remarks.c_str(), stdout);
    return Status::success();
  }
  Json document = {{"format", "sparseflow-cache-report"},
                   {"version", 1},
                   {"layers", arguments.layers},
                   {"batch", arguments.batch},
                   {"heads", arguments.heads},
                   {"key_heads", arguments.keyHeads},
                   {"features", arguments.features},
                   {"scale", arguments.scale},
                   {"scale_dtype", arguments.scaleType},
                   {"lengths", std::move(lengths)}};
  std::printf("%s\n", document.dump(2).c_str());
  return Status::success();
}

int tools::runCache(const CacheArguments &arguments) {
  if (Status status = run(arguments); !status)
    return failWithInput("cache", status);
  return ExitOk;
}
