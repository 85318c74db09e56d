//===- JsonData.h - Reading data files in JSON ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data files of the compiler (schedules, calibrations, tuning spaces) are
// JSON, one ships inside it, and others come by path. They are read strictly:
// a member that nothing reads is a mistake.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_SYSTEM_JSONDATA_H
#define SPARSEFLOW_SYSTEM_JSONDATA_H

#include "SparseFlow/System/Files.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace mlir::sparseflow {

/// Reads the members of one object. The first problem of all readers that share
/// `problem` is kept; after one, values are harmless ones.
class JsonReader {
public:
  /// `where` begins error texts. The object outlives the reader.
  JsonReader(const llvm::json::Object &object, std::string where,
             std::string &problem)
      : object(object), where(std::move(where)), problem(problem) {}

  std::string text(StringRef name) {
    seen.push_back(name);
    if (std::optional<StringRef> value = object.getString(name))
      return value->str();
    return fail(name, "a string"), "";
  }
  double number(StringRef name, bool mayBeZero = false) {
    seen.push_back(name);
    std::optional<double> value = object.getNumber(name);
    if (value && std::isfinite(*value) &&
        (*value > 0 || (mayBeZero && *value == 0)))
      return *value;
    return fail(name,
                mayBeZero ? "a number of at least 0" : "a positive number"),
           1;
  }
  double between(StringRef name, double least, double most) {
    seen.push_back(name);
    std::optional<double> value = object.getNumber(name);
    if (value && *value >= least && *value <= most)
      return *value;
    return fail(name,
                llvm::formatv("a number from {0} to {1}", least, most).str()),
           least;
  }
  /// A member that need not be there.
  int64_t integerOr(StringRef name, int64_t otherwise) {
    seen.push_back(name);
    if (!object.get(name))
      return otherwise;
    std::optional<int64_t> value = object.getInteger(name);
    if (value && *value >= 0)
      return *value;
    return fail(name, "an integer of at least 0"), 0;
  }
  /// Strings, at least one.
  std::vector<std::string> names(StringRef name) {
    std::vector<std::string> values;
    const llvm::json::Array *array = find(name);
    for (size_t i = 0; array && i < array->size(); ++i)
      if (std::optional<StringRef> value = (*array)[i].getAsString())
        values.push_back(value->str());
    if (!array || values.empty() || values.size() != array->size())
      fail(name, "a list of strings");
    return values;
  }
  /// Objects, at least one.
  std::vector<llvm::json::Object> objects(StringRef name) {
    std::vector<llvm::json::Object> values;
    const llvm::json::Array *array = find(name);
    for (size_t i = 0; array && i < array->size(); ++i)
      if (const llvm::json::Object *value = (*array)[i].getAsObject())
        values.push_back(*value);
    if (!array || values.empty() || values.size() != array->size())
      fail(name, "a list of objects");
    return values;
  }
  /// Null, and a problem, where there is none.
  const llvm::json::Array *list(StringRef name) {
    const llvm::json::Array *value = find(name);
    if (!value)
      fail(name, "a list of objects");
    return value;
  }
  const llvm::json::Object *inner(StringRef name) {
    seen.push_back(name);
    const llvm::json::Object *value = object.getObject(name);
    if (!value)
      fail(name, "an object");
    return value;
  }

  void fail(StringRef name, const Twine &expected) {
    if (problem.empty())
      problem = (where + ": expected \"" + name + "\" to be " + expected).str();
  }
  /// A member that nothing has asked for is a problem.
  void finish() {
    for (const auto &entry : object)
      if (problem.empty() && !llvm::is_contained(seen, StringRef(entry.first)))
        problem = (where + ": unknown member \"" + StringRef(entry.first) +
                   "\"; expected " + llvm::join(seen, ", "))
                      .str();
  }

private:
  const llvm::json::Array *find(StringRef name) {
    seen.push_back(name);
    return object.getArray(name);
  }

  const llvm::json::Object &object;
  std::string where;
  std::string &problem;
  SmallVector<StringRef> seen;
};

/// The data of the file at `path`, of at most `maxBytes`; `what` it is begins
/// the text of an error. T::parse(text, origin) reads it.
template <typename T>
llvm::Expected<T> loadData(StringRef path, StringRef what, uint64_t maxBytes) {
  llvm::Expected<std::string> text = readRegularFile(path, maxBytes);
  if (!text)
    return llvm::createStringError(what + ": " +
                                   llvm::toString(text.takeError()));
  return T::parse(*text, path);
}

/// The data that ship inside the compiler.
template <typename T>
T parseBuiltin(StringRef text, StringRef what) {
  llvm::Expected<T> parsed = T::parse(text, what);
  if (!parsed)
    llvm::report_fatal_error(parsed.takeError());
  return std::move(*parsed);
}

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_SYSTEM_JSONDATA_H
