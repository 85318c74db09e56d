//===- attention_mode.h - Which operands are to be ternary ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule of sparseflow/cache.h: accuracy first, then memory, then time. How
// fast a mode is are numbers of a table, not of the rule. Every function may
// run concurrently.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_TERNARY_ATTENTION_MODE_H
#define SPARSEFLOW_RT_TERNARY_ATTENTION_MODE_H

#include "common/status.h"
#include "sparseflow/cache.h"
#include "ternary/cache.h"

#include <optional>
#include <string>

namespace sparseflow::rt {

/// The format that a caller's struct says, checked.
Expected<CacheFormat> readCacheFormat(const sf_cache_format *format);

/// "full_precision", "ternary_keys", "ternary_keys_values", "int8", "int4",
/// "e4m3".
const char *modeName(sf_attention_mode mode);
std::optional<sf_attention_mode> parseMode(const std::string &name);

struct ModeDecision {
  sf_mode_estimate estimates[SF_ATTENTION_MODES] = {};
  /// Nothing where no mode is left.
  std::optional<sf_attention_mode> mode;
  /// Why each mode was taken or not, a sentence without a full stop.
  std::string reasons[SF_ATTENTION_MODES];

  /// One line that says what was decided and why.
  std::string text() const;
  /// The error of a decision without a mode.
  Status refusal() const;
  /// The same as a JSON object: "mode" (null where there is none), and under
  /// "modes" each with its estimates and its reason.
  std::string json() const;
};

/// Checks the size of a caller's struct.
Status checkCase(const sf_attention_case &call);

/// Fails where a size is negative or does not fit; never for want of a mode.
Expected<ModeDecision> decideMode(const sf_attention_case &call);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_TERNARY_ATTENTION_MODE_H
