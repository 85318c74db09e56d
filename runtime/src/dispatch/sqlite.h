//===- sqlite.h - A database file through libsqlite3 ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libsqlite3 is opened at run time, like the driver: a program runs without it,
// and then keeps nothing between processes.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_SQLITE_H
#define SPARSEFLOW_RT_DISPATCH_SQLITE_H

#include "common/status.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// Whether the shared library `name` can be used as libsqlite3.
Status checkSqlite(const char *name);

/// One connection, for one thread. Waits up to two seconds for the lock of
/// another process.
class Database {
public:
  /// Opens the file `path`, which is made where it is not there.
  static Expected<Database> open(const std::string &path);
  Database(Database &&other) noexcept;
  Database &operator=(Database &&) = delete;
  ~Database();

  /// Runs statements without results.
  Status execute(const char *text);
  /// An error with the text of the last failing call.
  Status failure() const;
  /// Whether the last failing call found a file that is no database, or a
  /// damaged one.
  bool isDamaged() const;

private:
  friend class Statement;
  Database() = default;
  void *handle = nullptr;
  std::string path;
};

/// A statement with parameters. Text that it returns is valid until the next
/// step.
class Statement {
public:
  Statement(Database &database, const char *text);
  ~Statement();
  Statement(const Statement &) = delete;

  /// The next parameter.
  Statement &bind(const std::string &text);
  Statement &bind(int64_t number);
  Statement &bind(double number);
  /// Whether there is a row; false at the end, and of a failed statement.
  bool step();
  /// Success unless preparing, binding or a step failed.
  Status status() const;
  /// Makes the statement ready for other parameters.
  void reset();

  std::string text(int column) const;
  int64_t integer(int column) const;
  double number(int column) const;

private:
  void note(int result);

  Database &database;
  void *handle = nullptr;
  int next = 1;
  bool failed = false;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_SQLITE_H
