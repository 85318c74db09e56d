//===- RowReader.h - Members of a JSON row ----------------------*- C++ -*-===//
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

/// Reads the members of one object; the first problem is kept.
class RowReader {
public:
  RowReader(const llvm::json::Object &object, std::string where)
      : where(std::move(where)), object(object) {}

  std::string text(StringRef name) {
    expected.push_back(name.str());
    if (std::optional<StringRef> value = object.getString(name))
      return value->str();
    return fail(name, "a string"), "";
  }

  SmallVector<std::string> names(StringRef name) {
    expected.push_back(name.str());
    SmallVector<std::string> values;
    const llvm::json::Array *array = object.getArray(name);
    if (array)
      for (const llvm::json::Value &value : *array)
        if (std::optional<StringRef> text = value.getAsString())
          values.push_back(text->str());
    if (values.empty() || values.size() != array->size())
      fail(name, "a list of target names");
    return values;
  }

  /// The member, or null if there is none; another kind of value is a problem.
  const llvm::json::Object *objectOr(StringRef name) {
    expected.push_back(name.str());
    const llvm::json::Object *value = object.getObject(name);
    if (!value && object.get(name))
      fail(name, "an object");
    return value;
  }

  /// The member if it is an object; it remains to be read.
  const llvm::json::Object *getObject(StringRef name) const {
    return object.getObject(name);
  }

  /// Fields of this name are not read.
  void without(StringRef name) { skipped.push_back(name); }

  /// The members that the fields of `value` describe; those that are not given
  /// keep their value.
  template <typename T>
  void read(T &value) {
    sftile::forEachField(value, [&](const auto &field, auto &member) {
      if (llvm::is_contained(expected, field.name) ||
          llvm::is_contained(skipped, field.name))
        return;
      expected.push_back(field.name.str());
      if (object.get(field.name) || field.required)
        readMember(field, member);
    });
  }

  /// A member that nothing reads is a mistake: a limit that is spelled wrong
  /// would be no limit.
  void finish() {
    SmallVector<StringRef> unknown;
    for (const auto &entry : object)
      if (!llvm::is_contained(expected, StringRef(entry.first)))
        unknown.push_back(entry.first);
    if (unknown.empty() || !problem.empty())
      return;
    llvm::sort(unknown);
    problem = (where + ": unknown field \"" + unknown.front() +
               "\"; expected one of " + llvm::join(expected, ", "))
                  .str();
  }

  void fail(const Twine &field, const Twine &wanted) {
    if (problem.empty())
      problem = (where + ": expected \"" + field + "\" to be " + wanted).str();
  }

  /// Takes over the problem of a reader of an inner object.
  void adopt(const RowReader &inner) {
    if (problem.empty())
      problem = inner.problem;
  }

  std::string where, problem;
  /// Names of the members that were asked for.
  SmallVector<std::string> expected;

private:
  template <typename T>
  void readMember(const sftile::ScheduleField<T> &field, int64_t &member) {
    std::optional<int64_t> value = object.getInteger(field.name);
    if (value && isInRange(field, *value))
      member = *value;
    else
      fail(field.name, describeRange(field));
  }

  template <typename T>
  void readMember(const sftile::ScheduleField<T> &field, bool &member) {
    if (std::optional<bool> value = object.getBoolean(field.name))
      member = *value;
    else
      fail(field.name, "true or false");
  }

  template <typename T>
  void readMember(const sftile::ScheduleField<T> &field,
                  sftile::Extent &member) {
    const llvm::json::Array *array = object.getArray(field.name);
    bool isPair = array && array->size() == 2;
    for (size_t i = 0; isPair && i < 2; ++i) {
      std::optional<int64_t> size = (*array)[i].getAsInteger();
      isPair = size && *size > 0;
      member[i] = size.value_or(0);
    }
    if (!isPair)
      fail(field.name, "[features, tokens], two positive integers");
  }

  const llvm::json::Object &object;
  SmallVector<StringRef> skipped;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_SCHEDULE_ROWREADER_H
