//===- ScheduleText.h - Fields of schedules as text -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and prints schedules and pipelines, and holds fields to their ranges,
// as ScheduleFields.cpp describes them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SCHEDULETEXT_H
#define SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SCHEDULETEXT_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::sftile {

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

inline ParseResult parseValue(AsmParser &parser, int64_t &value) {
  return parser.parseInteger(value);
}

inline ParseResult parseValue(AsmParser &parser, bool &value) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  value = keyword == "true";
  if (!value && keyword != "false")
    return parser.emitError(loc, "expected true or false, found '")
           << keyword << "'";
  return success();
}

inline ParseResult parseValue(AsmParser &parser, Extent &value) {
  return failure(parser.parseLSquare() || parser.parseInteger(value[0]) ||
                 parser.parseComma() || parser.parseInteger(value[1]) ||
                 parser.parseRSquare());
}

inline void printValue(AsmPrinter &printer, int64_t value) { printer << value; }

inline void printValue(AsmPrinter &printer, bool value) {
  printer << (value ? "true" : "false");
}

inline void printValue(AsmPrinter &printer, const Extent &value) {
  printer << "[" << value[0] << ", " << value[1] << "]";
}

/// Parses `name = value` for fields of `value`, separated by commas, up to and
/// with `>`. In front of the first a comma, if `afterComma`. Another name is
/// `other`'s, which says whether it knows it and fails as parsers do.
template <typename T>
ParseResult parseFields(
    AsmParser &parser, T &value, bool afterComma = false,
    function_ref<OptionalParseResult(StringRef)> other = [](StringRef) {
      return OptionalParseResult();
    }) {
  SmallVector<StringRef> seen;
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc, "expected '") << name << "' once, found it "
                                                 << "again";
    seen.push_back(name);
    OptionalParseResult known = other(name);
    if (known.has_value())
      return *known;
    ParseResult parsed = failure();
    bool found = false;
    forEachField(value, [&](const auto &field, auto &member) {
      if (field.name == name) {
        found = true;
        parsed = parseValue(parser, member);
      }
    });
    if (found)
      return parsed;
    return parser.emitError(loc, "expected one of the fields ")
           << llvm::join(llvm::map_range(T::fields(),
                                         [](const auto &field) {
                                           return field.name.str();
                                         }),
                         ", ")
           << ", found '" << name << "'";
  };
  SMLoc loc = parser.getCurrentLocation();
  if (afterComma && parser.parseComma())
    return failure();
  if (parser.parseCommaSeparatedList(parseOne) || parser.parseGreater())
    return failure();
  for (const ScheduleField<T> &field : T::fields())
    if (field.required && !llvm::is_contained(seen, field.name))
      return parser.emitError(loc, "expected a value for ") << field.name;
  return success();
}

/// Prints the fields that are required or have not their default, each behind
/// `separator`, which is a comma from then on.
template <typename T>
void printFields(AsmPrinter &printer, const T &value, StringRef separator) {
  const T usual{};
  for (const ScheduleField<T> &field : T::fields())
    std::visit(
        [&](auto member) {
          if (!field.required && value.*member == usual.*member)
            return;
          printer << separator << field.name << " = ";
          printValue(printer, value.*member);
          separator = ", ";
        },
        field.member);
}

/// Holds the integers of `value` to their ranges.
template <typename T>
LogicalResult verifyRanges(function_ref<InFlightDiagnostic()> emitError,
                           const T &value) {
  LogicalResult result = success();
  forEachField(value, [&](const auto &field, const auto &member) {
    if constexpr (std::is_same_v<decltype(member), const int64_t &>)
      if (succeeded(result) && !isInRange(field, member))
        result = emitError() << "expected " << field.name << " to be "
                             << describeRange(field) << ", found " << member;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

template <typename PipelineAttr, typename T>
Attribute parsePipeline(AsmParser &parser) {
  T fields;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseFields(parser, fields))
    return {};
  return parser.getChecked<PipelineAttr>(loc, parser.getContext(), fields);
}

template <typename T>
void printPipeline(AsmPrinter &printer, const T &fields) {
  printer << "<";
  printFields(printer, fields, "");
  printer << ">";
}

template <typename PipelineAttr>
auto fieldsOf(Attribute pipeline) {
  auto attr = dyn_cast_or_null<PipelineAttr>(pipeline);
  return attr ? std::optional(attr.getFields()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// `<"name", field = value, ..., pipeline = #...>`.
template <typename ScheduleType, typename T>
Attribute parseSchedule(AsmParser &parser) {
  std::string name;
  T tile;
  Attribute pipeline;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOther = [&](StringRef field) -> OptionalParseResult {
    if (field != "pipeline")
      return std::nullopt;
    return parser.parseAttribute(pipeline);
  };
  if (parser.parseLess() || parser.parseString(&name) ||
      parseFields(parser, tile, /*afterComma=*/true, parseOther))
    return {};
  return parser.getChecked<ScheduleType>(loc, parser.getContext(),
                                         StringRef(name), tile, pipeline);
}

template <typename ScheduleType>
void printSchedule(AsmPrinter &printer, ScheduleType schedule) {
  printer << "<";
  printer.printString(schedule.getName());
  printFields(printer, schedule.getTile(), ", ");
  if (schedule.getPipeline())
    printer << ", pipeline = " << schedule.getPipeline();
  printer << ">";
}

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_DIALECT_SFTILE_IR_SCHEDULETEXT_H
