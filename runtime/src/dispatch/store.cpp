//===- store.cpp - Measured times and quarantined kernels -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/store.h"

#include "dispatch/sqlite.h"
#include "weights/crc32c.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sparseflow::rt;

// A file of another version is made anew, as a damaged one is: what it holds
// can be measured again.
static constexpr int64_t storeVersion = 1;
static constexpr const char *schema = R"(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS time(
  gpu TEXT, driver TEXT, bundle TEXT, image TEXT, function TEXT, sizes TEXT,
  step INTEGER, variant INTEGER, microseconds REAL,
  PRIMARY KEY(gpu, driver, bundle, image, function, sizes, step, variant)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS quarantine(
  gpu TEXT, driver TEXT, image TEXT, kernel TEXT, error TEXT, runtime TEXT,
  time INTEGER,
  PRIMARY KEY(gpu, driver, image, kernel)
) WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
)";

std::string sparseflow::rt::contentIdentity(const std::string &bytes) {
  char text[64];
  std::snprintf(text, sizeof(text), "%08x-%zu",
                crc32c(bytes.data(), bytes.size()), bytes.size());
  return text;
}

QuarantinedKernel QuarantinedKernel::now(DeviceKey device, std::string image,
                                         std::string kernel,
                                         std::string error) {
  return {std::move(device), std::move(image),   std::move(kernel),
          std::move(error),  SPARSEFLOW_VERSION, std::time(nullptr)};
}

static std::mutex pathMutex;
static std::optional<std::string> chosenPath;

void DispatchStore::setPath(const char *path) {
  std::lock_guard<std::mutex> lock(pathMutex);
  if (path)
    chosenPath = path;
  else
    chosenPath.reset();
}

static std::string defaultPath() {
  if (const char *named = std::getenv("SPARSEFLOW_DISPATCH_STORE"))
    return named;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  // A relative path would depend on the working directory.
  if (cache && cache[0] == '/')
    return std::string(cache) + "/sparseflow/dispatch.sqlite";
  if (home && home[0] == '/')
    return std::string(home) + "/.cache/sparseflow/dispatch.sqlite";
  return "";
}

DispatchStore DispatchStore::current() {
  std::lock_guard<std::mutex> lock(pathMutex);
  return DispatchStore(chosenPath ? *chosenPath : defaultPath());
}

static std::string sizesText(const std::vector<int64_t> &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

/// Nothing where the text is none of sizesText.
static std::optional<std::vector<int64_t>> parseSizes(const std::string &text) {
  std::vector<int64_t> sizes;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    int64_t size = 0;
    auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0 || (next != end && *next != ','))
      return std::nullopt;
    sizes.push_back(size);
    at = next == end ? next : next + 1;
  }
  return sizes;
}

namespace {
/// Keeps the file at its path, shared among those that have it open, while they
/// do, and exclusive to the one that puts it aside. SQLite finds a journal by
/// its name: who still has the old file open takes that of the new one for its
/// own, and removes it. A lock that cannot be had (a read-only folder) leaves
/// making the file anew to fail by itself.
class PathLock {
public:
  /// `operation`: LOCK_SH or LOCK_EX.
  PathLock(const std::string &path, int operation)
      : descriptor(::open((path + ".lock").c_str(),
                          O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor >= 0)
      (void)::flock(descriptor, operation);
  }
  ~PathLock() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  PathLock(const PathLock &) = delete;

private:
  int descriptor;
};
} // namespace

namespace {
enum class Contents { Ours, Nothing, Unusable };
} // namespace

/// What a file holds; Unusable where it is damaged, of another version or of
/// another program.
static Expected<Contents> inspect(Database &database) {
  auto failed = [&](const Status &status) -> Expected<Contents> {
    if (database.isDamaged())
      return Contents::Unusable;
    return status;
  };
  Statement version(database, "PRAGMA user_version");
  if (!version.step())
    return failed(version.status());
  if (version.integer(0) != 0)
    return version.integer(0) == storeVersion ? Contents::Ours
                                              : Contents::Unusable;
  Statement tables(database, "SELECT count(*) FROM sqlite_master");
  if (!tables.step())
    return failed(tables.status());
  return tables.integer(0) == 0 ? Contents::Nothing : Contents::Unusable;
}

/// A number of the file at `path`; 0 where there is none.
static uint64_t fileNumber(const std::string &path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

static Status unusable(const std::string &path) {
  return formatError("'" + printable(path, 400) +
                     "' is damaged, or of another version or program");
}

/// Puts the file that had `number` aside, unless another process has.
static Status putAside(const std::string &path, uint64_t number) {
  PathLock lock(path, LOCK_EX);
  if (fileNumber(path) != number)
    return Status::success();
  // Its journal would be applied to the new file.
  std::string aside = path + ".unusable";
  std::error_code error;
  std::filesystem::remove(aside + "-journal", error);
  std::filesystem::rename(path + "-journal", aside + "-journal", error);
  std::filesystem::rename(path, aside, error);
  if (error)
    return ioError(unusable(path).text() +
                   ", and cannot be renamed: " + error.message());
  return Status::success();
}

template <typename Body>
Status DispatchStore::use(bool create, Body body) const {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path.empty())
    return create ? unsupported("no store of measured times is in use; name "
                                "one with SPARSEFLOW_DISPATCH_STORE")
                  : Status::success();
  if (!create && !fs::exists(path, error))
    return Status::success();
  fs::path folder = fs::path(path).parent_path();
  if (create && !folder.empty())
    fs::create_directories(folder, error);
  // Once more after an unusable file has been put aside.
  for (bool again : {true, false}) {
    uint64_t number = 0;
    bool damaged = false;
    Status status;
    {
      PathLock lock(path, LOCK_SH);
      number = fileNumber(path);
      Expected<Database> database = Database::open(path);
      if (!database)
        return database.status();
      Expected<Contents> contents = inspect(*database);
      status = contents.status();
      damaged = contents && *contents == Contents::Unusable;
      if (contents && *contents == Contents::Nothing) {
        if (!create)
          return Status::success();
        status = database->execute(schema);
      }
      if (status && !damaged)
        status = body(*database);
      damaged |= !status && database->isDamaged();
    }
    if (!damaged)
      return status;
    if (!again)
      return unusable(path);
    if (Status aside = putAside(path, number); !aside)
      return aside;
    if (!create)
      return Status::success();
  }
  return Status::success();
}

Expected<std::vector<MeasuredTime>>
DispatchStore::times(const FunctionKey &key) const {
  std::vector<MeasuredTime> times;
  Status status = use(/*create=*/false, [&](Database &database) {
    times.clear();
    Statement rows(database,
                   "SELECT sizes, step, variant, microseconds FROM time "
                   "WHERE gpu = ? AND driver = ? AND bundle = ? AND image = ? "
                   "AND function = ?");
    rows.bind(key.device.gpu).bind(key.device.driver).bind(key.bundle);
    rows.bind(key.image).bind(key.function);
    while (rows.step()) {
      std::optional<std::vector<int64_t>> sizes = parseSizes(rows.text(0));
      double microseconds = rows.number(3);
      if (sizes && rows.integer(1) >= 0 && rows.integer(2) >= 0 &&
          std::isfinite(microseconds) && microseconds > 0)
        times.push_back({std::move(*sizes),
                         static_cast<size_t>(rows.integer(1)),
                         static_cast<size_t>(rows.integer(2)), microseconds});
    }
    return rows.status();
  });
  if (!status)
    return status;
  return times;
}

Status DispatchStore::keep(const FunctionKey &key,
                           const std::vector<MeasuredTime> &times) const {
  return use(/*create=*/true, [&](Database &database) {
    if (Status status = database.execute("BEGIN IMMEDIATE"); !status)
      return status;
    {
      Statement insert(database, "INSERT OR REPLACE INTO time "
                                 "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
      for (const MeasuredTime &time : times) {
        insert.bind(key.device.gpu).bind(key.device.driver).bind(key.bundle);
        insert.bind(key.image).bind(key.function).bind(sizesText(time.sizes));
        insert.bind(static_cast<int64_t>(time.step));
        insert.bind(static_cast<int64_t>(time.variant));
        insert.bind(time.microseconds).step();
        if (Status status = insert.status(); !status)
          return status;
        insert.reset();
      }
    }
    return database.execute("COMMIT");
  });
}

Expected<std::vector<QuarantinedKernel>>
DispatchStore::quarantined(const DeviceKey *device) const {
  std::vector<QuarantinedKernel> kernels;
  Status status = use(/*create=*/false, [&](Database &database) {
    kernels.clear();
    Statement rows(database, device
                                 ? "SELECT gpu, driver, image, kernel, error, "
                                   "runtime, time FROM quarantine "
                                   "WHERE gpu = ? AND driver = ?"
                                 : "SELECT gpu, driver, image, kernel, error, "
                                   "runtime, time FROM quarantine");
    if (device)
      rows.bind(device->gpu).bind(device->driver);
    while (rows.step())
      kernels.push_back({{rows.text(0), rows.text(1)},
                         rows.text(2),
                         rows.text(3),
                         rows.text(4),
                         rows.text(5),
                         rows.integer(6)});
    return rows.status();
  });
  if (!status)
    return status;
  return kernels;
}

Status DispatchStore::quarantine(const QuarantinedKernel &kernel) const {
  return use(/*create=*/true, [&](Database &database) {
    Statement insert(database, "INSERT OR REPLACE INTO quarantine "
                               "VALUES(?, ?, ?, ?, ?, ?, ?)");
    insert.bind(kernel.device.gpu).bind(kernel.device.driver);
    insert.bind(kernel.image).bind(kernel.kernel).bind(kernel.error);
    insert.bind(kernel.runtime).bind(kernel.time).step();
    return insert.status();
  });
}

Expected<int64_t> DispatchStore::clear() const {
  int64_t count = 0;
  Status status = use(/*create=*/false, [&](Database &database) {
    {
      Statement counted(database, "SELECT count(*) FROM quarantine");
      count = counted.step() ? counted.integer(0) : 0;
      if (Status status = counted.status(); !status)
        return status;
    }
    return database.execute("DELETE FROM quarantine");
  });
  if (!status)
    return status;
  return count;
}
