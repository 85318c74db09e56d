//===- sqlite.cpp - A database file through libsqlite3 --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/sqlite.h"

#include <dlfcn.h>

using namespace sparseflow::rt;

namespace {
// Of sqlite3.h, whose numbers and signatures never change.
constexpr int resultOk = 0, resultRow = 100, resultDone = 101;
constexpr int resultCorrupt = 11, resultNotADatabase = 26;
constexpr int openReadWrite = 2, openCreate = 4, openNoMutex = 0x8000;
constexpr int lockWaitMilliseconds = 2000;

struct Library {
  int (*open)(const char *, void **, int, const char *) = nullptr;
  int (*close)(void *) = nullptr;
  int (*busyTimeout)(void *, int) = nullptr;
  int (*exec)(void *, const char *, void *, void *, char **) = nullptr;
  int (*errorCode)(void *) = nullptr;
  const char *(*errorText)(void *) = nullptr;
  int (*prepare)(void *, const char *, int, void **, const char **) = nullptr;
  int (*bindText)(void *, int, const char *, int, void (*)(void *)) = nullptr;
  int (*bindInteger)(void *, int, int64_t) = nullptr;
  int (*bindNumber)(void *, int, double) = nullptr;
  int (*step)(void *) = nullptr;
  int (*reset)(void *) = nullptr;
  int (*finalize)(void *) = nullptr;
  const unsigned char *(*columnText)(void *, int) = nullptr;
  int (*columnBytes)(void *, int) = nullptr;
  int64_t (*columnInteger)(void *, int) = nullptr;
  double (*columnNumber)(void *, int) = nullptr;
  /// Why there is none; "" where there is.
  std::string missing;
};
} // namespace

static Library openLibrary(const char *name) {
  Library library;
  void *file = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!file) {
    const char *text = dlerror();
    library.missing = text ? text : name;
    return library;
  }
  auto find = [&](auto &function, const char *name) {
    void *symbol = dlsym(file, name);
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
    if (!symbol)
      library.missing = std::string("there is no ") + name;
  };
  find(library.open, "sqlite3_open_v2");
  find(library.close, "sqlite3_close_v2");
  find(library.busyTimeout, "sqlite3_busy_timeout");
  find(library.exec, "sqlite3_exec");
  find(library.errorCode, "sqlite3_errcode");
  find(library.errorText, "sqlite3_errmsg");
  find(library.prepare, "sqlite3_prepare_v2");
  find(library.bindText, "sqlite3_bind_text");
  find(library.bindInteger, "sqlite3_bind_int64");
  find(library.bindNumber, "sqlite3_bind_double");
  find(library.step, "sqlite3_step");
  find(library.reset, "sqlite3_reset");
  find(library.finalize, "sqlite3_finalize");
  find(library.columnText, "sqlite3_column_text");
  find(library.columnBytes, "sqlite3_column_bytes");
  find(library.columnInteger, "sqlite3_column_int64");
  find(library.columnNumber, "sqlite3_column_double");
  return library;
}

/// Opened at the first call and never closed.
static const Library &sqlite() {
  static const Library library = openLibrary("libsqlite3.so.0");
  return library;
}

static Status statusOf(const Library &library) {
  return library.missing.empty()
             ? Status::success()
             : unsupported("libsqlite3 cannot be used: " + library.missing +
                           "; install it to keep measured times");
}

Status sparseflow::rt::checkSqlite(const char *name) {
  return statusOf(openLibrary(name));
}

Expected<Database> Database::open(const std::string &path) {
  const Library &library = sqlite();
  if (Status status = statusOf(library); !status)
    return status;
  Database database;
  database.path = path;
  if (library.open(path.c_str(), &database.handle,
                   openReadWrite | openCreate | openNoMutex,
                   nullptr) != resultOk)
    return database.failure();
  library.busyTimeout(database.handle, lockWaitMilliseconds);
  return database;
}

Database::Database(Database &&other) noexcept
    : handle(std::exchange(other.handle, nullptr)),
      path(std::move(other.path)) {}

Database::~Database() {
  if (handle)
    sqlite().close(handle);
}

Status Database::failure() const {
  return ioError("'" + printable(path, 400) + "': " +
                 (handle ? printable(sqlite().errorText(handle))
                         : std::string("no memory for a database")));
}

bool Database::isDamaged() const {
  // The low byte is the kind of an extended code.
  int code = handle ? sqlite().errorCode(handle) & 0xff : resultOk;
  return code == resultCorrupt || code == resultNotADatabase;
}

Status Database::execute(const char *text) {
  return sqlite().exec(handle, text, nullptr, nullptr, nullptr) == resultOk
             ? Status::success()
             : failure();
}

Statement::Statement(Database &database, const char *text)
    : database(database) {
  note(sqlite().prepare(database.handle, text, -1, &handle, nullptr));
}

Statement::~Statement() { sqlite().finalize(handle); }

void Statement::note(int result) { failed |= result != resultOk; }

Statement &Statement::bind(const std::string &text) {
  // The library makes a copy for this destructor, SQLITE_TRANSIENT.
  auto transient = reinterpret_cast<void (*)(void *)>(intptr_t(-1));
  note(sqlite().bindText(handle, next++, text.data(),
                         static_cast<int>(text.size()), transient));
  return *this;
}

Statement &Statement::bind(int64_t number) {
  note(sqlite().bindInteger(handle, next++, number));
  return *this;
}

Statement &Statement::bind(double number) {
  note(sqlite().bindNumber(handle, next++, number));
  return *this;
}

bool Statement::step() {
  if (failed)
    return false;
  int result = sqlite().step(handle);
  failed = result != resultRow && result != resultDone;
  return result == resultRow;
}

Status Statement::status() const {
  return failed ? database.failure() : Status::success();
}

void Statement::reset() {
  note(sqlite().reset(handle));
  next = 1;
}

std::string Statement::text(int column) const {
  const unsigned char *bytes = sqlite().columnText(handle, column);
  int count = sqlite().columnBytes(handle, column);
  return bytes ? std::string(reinterpret_cast<const char *>(bytes),
                             static_cast<size_t>(count))
               : std::string();
}

int64_t Statement::integer(int column) const {
  return sqlite().columnInteger(handle, column);
}

double Statement::number(int column) const {
  return sqlite().columnNumber(handle, column);
}
