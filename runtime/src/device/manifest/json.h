//===- json.h - JSON from a file that nobody vouches for --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Include this from .cpp files only: the JSON library is an implementation
// detail. A reader function works on a JsonCursor, whose accessors throw a
// JsonError that names the place; the function's outermost level catches it and
// returns its Status, so no exception crosses an interface.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_MANIFEST_JSON_H
#define SPARSEFLOW_RT_DEVICE_MANIFEST_JSON_H

#include "common/status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace sparseflow::rt {

struct JsonError {
  Status status;
};

/// Parses `text`: at most 64 levels, no duplicate member, valid UTF-8, nothing
/// after the value. Throws JsonError.
inline nlohmann::json parseJson(const std::string &text) {
  constexpr int maxDepth = 64;
  std::vector<std::set<std::string>> keys;
  auto callback = [&](int depth, nlohmann::json::parse_event_t event,
                      nlohmann::json &value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth > maxDepth)
        throw JsonError{formatError("JSON nests deeper than " +
                                    std::to_string(maxDepth) + " levels")};
    }
    if (event == Event::object_start)
      keys.emplace_back();
    else if (event == Event::object_end)
      keys.pop_back();
    else if (event == Event::key &&
             !keys.back().insert(value.get_ref<const std::string &>()).second)
      throw JsonError{formatError(
          "JSON member '" + printable(value.get_ref<const std::string &>()) +
          "' appears twice")};
    return true;
  };
  try {
    return nlohmann::json::parse(text, callback);
  } catch (const nlohmann::json::exception &e) {
    throw JsonError{formatError("not valid JSON: " + printable(e.what(), 300))};
  }
}

/// A value inside a document with its path for messages. Valid while the
/// document lives.
class JsonCursor {
public:
  JsonCursor(const nlohmann::json &value, std::string path)
      : value(&value), path(std::move(path)) {}

  [[noreturn]] void fail(const std::string &text) const {
    throw JsonError{formatError(path + ": " + text)};
  }
  [[noreturn]] void expected(const std::string &what) const {
    fail("expected " + what + ", found " + describe());
  }

  bool isObject() const { return value->is_object(); }
  bool isNull() const { return value->is_null(); }
  bool isArray() const { return value->is_array(); }
  bool isString() const { return value->is_string(); }
  bool isNumber() const { return value->is_number(); }
  bool isInteger() const { return value->is_number_integer(); }

  bool has(const char *key) const {
    return value->is_object() && value->contains(key);
  }
  JsonCursor member(const char *key) const {
    if (!value->is_object())
      expected("an object");
    auto it = value->find(key);
    if (it == value->end())
      fail(std::string("member '") + key + "' is missing");
    return {*it, path + "." + key};
  }
  /// Elements of an array of at most `limit`.
  size_t size(size_t limit) const {
    if (!value->is_array())
      expected("an array");
    if (value->size() > limit)
      fail("has " + std::to_string(value->size()) + " elements, the limit is " +
           std::to_string(limit));
    return value->size();
  }
  JsonCursor element(size_t index) const {
    return {(*value)[index], path + "[" + std::to_string(index) + "]"};
  }
  size_t memberCount() const { return value->size(); }

  int64_t integer(int64_t low, int64_t high) const {
    bool inRange = value->is_number_integer();
    if (value->is_number_unsigned() &&
        value->get<uint64_t>() >
            static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      inRange = false;
    int64_t result = inRange ? value->get<int64_t>() : 0;
    if (!inRange || result < low || result > high)
      expected("an integer from " + std::to_string(low) + " to " +
               std::to_string(high));
    return result;
  }
  bool boolean() const {
    if (!value->is_boolean())
      expected("true or false");
    return value->get<bool>();
  }
  double number() const {
    if (!value->is_number())
      expected("a number");
    return value->get<double>();
  }
  /// The value as JSON.
  std::string text() const { return value->dump(); }
  const std::string &string(size_t minLength, size_t maxLength) const {
    if (!value->is_string())
      expected("a string");
    const std::string &text = value->get_ref<const std::string &>();
    if (text.size() < minLength || text.size() > maxLength)
      fail("the string has " + std::to_string(text.size()) +
           " bytes, expected " + std::to_string(minLength) + " to " +
           std::to_string(maxLength));
    return text;
  }

private:
  std::string describe() const {
    if (value->is_string())
      return "'" + printable(value->get_ref<const std::string &>(), 60) + "'";
    if (value->is_number() || value->is_boolean())
      return value->dump();
    return value->type_name();
  }

  const nlohmann::json *value;
  std::string path;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_MANIFEST_JSON_H
