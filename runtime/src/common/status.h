//===- status.h - Errors inside the runtime ---------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime reports errors by value. A function that can fail returns a
// Status, or an Expected<T> when it also returns something:
//
//   Expected<File> file = openFile(path);
//   if (!file)
//     return file.status();
//   use(*file);
//
// An extern "C" function ends with `return guard([&]() -> Status {...});`,
// which turns exceptions (bad_alloc from a container) into codes and stores the
// text for sf_last_error().
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMMON_STATUS_H
#define SPARSEFLOW_RT_COMMON_STATUS_H

#include "sparseflow/status.h"

#include <cassert>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace sparseflow::rt {

/// A status code with its text. Success carries no text and costs no heap.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(sf_status code, std::string text)
      : errorCode(code), errorText(std::move(text)) {}

  static Status success() { return {}; }
  bool ok() const { return errorCode == SF_OK; }
  explicit operator bool() const { return ok(); }
  sf_status code() const { return errorCode; }
  const std::string &text() const { return errorText; }

  /// The same error with `context: ` before its text; success stays success.
  Status withContext(const std::string &context) const {
    return ok() ? *this : Status(errorCode, context + ": " + errorText);
  }

private:
  sf_status errorCode = SF_OK;
  std::string errorText;
};

/// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Expected {
public:
  Expected(T value) : held(std::move(value)) {}
  Expected(Status status) : error(std::move(status)) {
    assert(!error.ok() && "an Expected without a value needs an error");
  }

  bool ok() const { return held.has_value(); }
  explicit operator bool() const { return ok(); }
  T &operator*() { return *held; }
  const T &operator*() const { return *held; }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }
  const Status &status() const { return error; }

private:
  std::optional<T> held;
  Status error;
};

// Shorthands for the codes that readers and checks return.
inline Status invalidArgument(std::string text) {
  return {SF_ERROR_INVALID_ARGUMENT, std::move(text)};
}
// Of a C function: a parameter that has to be given is null.
inline Status isNull(const char *function, const char *parameter) {
  return invalidArgument(std::string(function) + ": '" + parameter +
                         "' is null");
}
inline Status formatError(std::string text) {
  return {SF_ERROR_FORMAT, std::move(text)};
}
inline Status ioError(std::string text) {
  return {SF_ERROR_IO, std::move(text)};
}
inline Status unsupported(std::string text) {
  return {SF_ERROR_UNSUPPORTED, std::move(text)};
}

/// Stores the text of a failed status for sf_last_error() on this thread and
/// returns its code. Never throws.
sf_status publish(const Status &status) noexcept;
/// The same for code that cannot build a Status (no memory left for a string).
sf_status publish(sf_status code, const char *text) noexcept;

/// Runs the body of a C ABI function: no exception leaves it.
template <typename Body>
sf_status guard(Body &&body) noexcept {
  try {
    return publish(body());
  } catch (const std::bad_alloc &) {
    return publish(SF_ERROR_OUT_OF_MEMORY,
                   "host memory is exhausted; free some or use a smaller "
                   "problem");
  } catch (const std::exception &e) {
    return publish(SF_ERROR_INTERNAL, e.what());
  } catch (...) {
    return publish(SF_ERROR_INTERNAL, "unknown exception inside the runtime");
  }
}

/// `text` with control characters and bytes that are not valid UTF-8 escaped
/// as \xNN, cut to `limit` bytes with "..." appended. Text that comes from a
/// file passes through here before it reaches a terminal.
std::string printable(const std::string &text, size_t limit = 200);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_COMMON_STATUS_H
