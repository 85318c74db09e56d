//===- safetensors_header.cpp - Parses safetensors headers ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/safetensors.h"

#include "common/utf8.h"

#include <algorithm>
#include <unordered_set>

#include <nlohmann/json.hpp>

using namespace sparseflow::rt;
using Json = nlohmann::json;

namespace {

/// Receives the JSON events. A SAX parser, because a tree would silently keep
/// one of two equal keys, and because its depth would be the file's choice.
/// Every event is checked against the one grammar that is allowed:
///   { "__metadata__": { key: text, ... },
///     name: { "dtype": text, "shape": [n, ...], "data_offsets": [a, b] }, ...
///     }
class HeaderParser : public nlohmann::json_sax<Json> {
public:
  SafetensorsHeader header;
  std::string error;

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a truth value"); }
  bool number_integer(number_integer_t value) override {
    return unexpected("the negative number " + std::to_string(value));
  }
  bool number_float(number_float_t, const string_t &text) override {
    return unexpected("the number " + printable(text, 40));
  }
  bool binary(binary_t &) override { return unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place == Place::Shape) {
      if (value > uint64_t(INT64_MAX))
        return fail("size " + std::to_string(value) + " is beyond 63 bits");
      // A shape that long is an attack on us, not a tensor.
      if (entry.shape.size() >= 64)
        return fail("more than 64 dimensions");
      entry.shape.push_back(value);
      return true;
    }
    if (place == Place::Offsets) {
      if (offsets++ >= 2)
        return fail("data_offsets needs exactly 2 numbers");
      (offsets == 1 ? entry.begin : entry.end) = value;
      return true;
    }
    return unexpected("the number " + std::to_string(value));
  }

  bool string(string_t &value) override {
    if (place == Place::MetadataValue) {
      header.metadata.back().second = value;
      place = Place::Metadata;
      return true;
    }
    if (place == Place::DType) {
      entry.dtypeSpelling = value;
      entry.dtype = dtypeFromName(value);
      place = Place::Tensor;
      return true;
    }
    return unexpected("the text '" + printable(value, 40) + "'");
  }

  bool start_object(std::size_t) override {
    switch (place) {
    case Place::Start:
      place = Place::Top;
      return true;
    case Place::MetadataStart:
      place = Place::Metadata;
      return true;
    case Place::TensorStart:
      place = Place::Tensor;
      return true;
    default:
      return unexpected("an object");
    }
  }

  bool key(string_t &value) override {
    switch (place) {
    case Place::Top:
      if (!names.insert(value).second)
        return fail("the key '" + printable(value) + "' appears twice");
      if (value == "__metadata__") {
        place = Place::MetadataStart;
        return true;
      }
      entry = SafetensorsEntry();
      entry.name = value;
      seen = 0;
      place = Place::TensorStart;
      return true;
    case Place::Metadata:
      if (!metadataKeys.insert(value).second)
        return fail("the metadata key '" + printable(value) +
                    "' appears twice");
      header.metadata.emplace_back(value, "");
      place = Place::MetadataValue;
      return true;
    case Place::Tensor:
      if (value == "dtype")
        return field(1, value, Place::DType);
      if (value == "shape")
        return field(2, value, Place::ShapeStart);
      if (value == "data_offsets")
        return field(4, value, Place::OffsetsStart);
      return fail("unknown key '" + printable(value) +
                  "'; expected dtype, shape and data_offsets");
    default:
      return unexpected("a key");
    }
  }

  bool end_object() override {
    switch (place) {
    case Place::Tensor:
      if (seen != 7)
        return fail("expected dtype, shape and data_offsets, found only some");
      header.tensors.push_back(std::move(entry));
      entry = SafetensorsEntry();
      place = Place::Top;
      return true;
    case Place::Metadata:
      place = Place::Top;
      return true;
    case Place::Top:
      place = Place::End;
      return true;
    default:
      return unexpected("the end of an object");
    }
  }

  bool start_array(std::size_t) override {
    if (place == Place::ShapeStart) {
      place = Place::Shape;
      return true;
    }
    if (place == Place::OffsetsStart) {
      place = Place::Offsets;
      offsets = 0;
      return true;
    }
    return unexpected("an array");
  }

  bool end_array() override {
    if (place == Place::Offsets && offsets != 2)
      return fail("data_offsets needs exactly 2 numbers");
    place = Place::Tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const Json::exception &e) override {
    // The library's text quotes the input; escape and shorten it.
    error = "header byte " + std::to_string(position) +
            ": not valid JSON: " + printable(e.what(), 160);
    return false;
  }

private:
  /// Where the next event lies in the grammar.
  enum class Place {
    Start,
    Top,
    MetadataStart,
    Metadata,
    MetadataValue,
    TensorStart,
    Tensor,
    DType,
    ShapeStart,
    Shape,
    OffsetsStart,
    Offsets,
    End
  };

  bool field(unsigned bit, const std::string &name, Place next) {
    if (seen & bit)
      return fail("the key '" + name + "' appears twice");
    seen |= bit;
    place = next;
    return true;
  }
  bool fail(const std::string &text) {
    error = where() + text;
    return false;
  }
  bool unexpected(const std::string &what) {
    // Where a name is due, JSON has nothing else: it does not come to these.
    static const char *const expected[] = {"an object",
                                           "a key",
                                           "an object of texts",
                                           "a key",
                                           "a text",
                                           "an object",
                                           "a key",
                                           "a text for dtype",
                                           "an array for shape",
                                           "a whole number >= 0",
                                           "an array for data_offsets",
                                           "a whole number >= 0",
                                           "the end"};
    error = where() + "expected " + expected[int(place)] + ", found " + what;
    return false;
  }
  std::string where() const {
    if (place >= Place::TensorStart && place < Place::End)
      return "tensor '" + printable(entry.name) + "': ";
    return place >= Place::MetadataStart && place < Place::End
               ? "__metadata__: "
               : "";
  }

  Place place = Place::Start;
  SafetensorsEntry entry;
  unsigned seen = 0, offsets = 0;
  std::unordered_set<std::string> names, metadataKeys;
};

} // namespace

/// Checks one tensor by itself.
static Status checkEntry(const SafetensorsEntry &entry, uint64_t dataBytes) {
  std::string tensor = "tensor '" + printable(entry.name) + "': ";
  std::string range = "data_offsets [" + std::to_string(entry.begin) + ", " +
                      std::to_string(entry.end) + "]";
  if (entry.begin > entry.end)
    return formatError(tensor + range + " end before they begin");
  if (entry.end > dataBytes)
    return formatError(tensor + range + " reach beyond the " +
                       std::to_string(dataBytes) +
                       " bytes of data; the file is truncated or corrupt");
  if (entry.dtype == SF_DTYPE_INVALID)
    return Status::success();
  Expected<uint64_t> bytes = tensorBytes(entry.shape, entry.dtype);
  if (!bytes)
    return formatError(tensor + bytes.status().text());
  if (*bytes != entry.bytes())
    return formatError(tensor + "shape " + shapeText(entry.shape) + " of " +
                       dtypeName(entry.dtype) + " needs " +
                       std::to_string(*bytes) + " bytes, but " + range +
                       " hold " + std::to_string(entry.bytes()));
  return Status::success();
}

Expected<SafetensorsHeader>
sparseflow::rt::parseSafetensorsHeader(const std::string &json,
                                       uint64_t dataBytes) {
  if (json.empty() || json[0] != '{')
    return formatError("expected the header to begin with '{'");
  HeaderParser parser;
  // strict: nothing but white space may follow (writers pad with spaces).
  if (!Json::sax_parse(json, &parser, Json::input_format_t::json, true))
    return formatError(parser.error);

  std::vector<SafetensorsEntry> &tensors = parser.header.tensors;
  for (const SafetensorsEntry &entry : tensors)
    if (Status status = checkEntry(entry, dataBytes); !status)
      return status;
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
                     return a.begin != b.begin ? a.begin < b.begin
                                               : a.end < b.end;
                   });
  // Together they have to tile the data area. An empty tensor may therefore
  // lie at any boundary between two others, and nowhere else.
  uint64_t position = 0;
  const SafetensorsEntry *previous = nullptr;
  for (const SafetensorsEntry &entry : tensors) {
    if (entry.begin != position)
      return formatError(
          "tensor '" + printable(entry.name) + "' begins at data byte " +
          std::to_string(entry.begin) + ", " +
          (entry.begin < position ? "inside" : "leaving a gap behind") +
          (previous ? " tensor '" + printable(previous->name) + "'"
                    : " the start") +
          ", expected " + std::to_string(position));
    position = entry.end;
    previous = &entry;
  }
  if (position != dataBytes)
    return formatError("the tensors end at data byte " +
                       std::to_string(position) + ", but the file has " +
                       std::to_string(dataBytes) + " bytes of data");
  return std::move(parser.header);
}
