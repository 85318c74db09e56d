//===- RowReader.h - The fields of one row of a table -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SCHEDULE_ROWREADER_H
#define SPARSEFLOW_LIB_SCHEDULE_ROWREADER_H

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace mlir::sparseflow {

/// Reads the fields of one row; the first problem is kept.
class RowReader {
public:
  RowReader(const llvm::json::Object &object, std::string where)
      : object(object), where(std::move(where)) {}

  std::string text(StringRef field) {
    if (std::optional<StringRef> value = object.getString(field))
      return value->str();
    return fail(field, "a string"), "";
  }

  int64_t integer(StringRef field, int64_t minimum) {
    std::optional<int64_t> value = object.getInteger(field);
    if (value && *value >= minimum)
      return *value;
    return fail(field, "an integer of at least " + std::to_string(minimum)),
           minimum;
  }

  int64_t integerOr(StringRef field, int64_t minimum, int64_t otherwise) {
    return object.get(field) ? integer(field, minimum) : otherwise;
  }

  SmallVector<int64_t> pair(StringRef field) {
    SmallVector<int64_t> values;
    const llvm::json::Array *array = object.getArray(field);
    if (array)
      for (const llvm::json::Value &value : *array)
        if (std::optional<int64_t> size = value.getAsInteger();
            size && *size > 0)
          values.push_back(*size);
    if (values.size() != 2 || array->size() != 2)
      fail(field, "[features, tokens], two positive integers");
    return values;
  }

  SmallVector<std::string> names(StringRef field) {
    SmallVector<std::string> values;
    const llvm::json::Array *array = object.getArray(field);
    if (array)
      for (const llvm::json::Value &value : *array)
        if (std::optional<StringRef> name = value.getAsString())
          values.push_back(name->str());
    if (values.empty() || values.size() != array->size())
      fail(field, "a list of target names");
    return values;
  }

  bool flag(StringRef field) {
    if (!object.get(field))
      return false;
    if (std::optional<bool> value = object.getBoolean(field))
      return *value;
    return fail(field, "true or false"), false;
  }

  /// A field that nothing reads is a mistake: a limit that is spelled wrong
  /// would be no limit.
  void only(ArrayRef<StringRef> fields) {
    SmallVector<StringRef> unknown;
    for (const auto &entry : object)
      if (!llvm::is_contained(fields, StringRef(entry.first)))
        unknown.push_back(entry.first);
    if (unknown.empty() || !problem.empty())
      return;
    llvm::sort(unknown);
    problem = (where + ": unknown field \"" + unknown.front() +
               "\"; expected one of " + llvm::join(fields, ", "))
                  .str();
  }

  void fail(const Twine &field, const Twine &expected) {
    if (problem.empty())
      problem =
          (where + ": expected \"" + field + "\" to be " + expected).str();
  }

  const llvm::json::Object &object;
  std::string where, problem;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_SCHEDULE_ROWREADER_H
