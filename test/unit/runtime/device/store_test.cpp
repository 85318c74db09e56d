//===- store_test.cpp - The file of times and failures --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/sqlite.h"
#include "dispatch/store.h"
#include "dispatch_fixture.h"

#include <csignal>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sparseflow;
using namespace sparseflow::test;

namespace {

const rt::FunctionKey key = {{"GPU", "13.0"}, "b-1", "i-1", "f"};

class StoreTest : public ::testing::Test {
protected:
  void SetUp() override {
    char pattern[] = "/tmp/sparseflow-store-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    folder = pattern;
    path = folder + "/dispatch.sqlite";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Runs `body` in a process of its own, which ends with what it returns.
  template <typename Body>
  pid_t inProcess(Body body) {
    pid_t child = fork();
    if (child == 0)
      _exit(body());
    return child;
  }
  static int exitOf(pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string contents() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void overwrite(const std::string &text) const {
    std::ofstream(path, std::ios::binary) << text;
  }
  size_t countOf(const rt::DispatchStore &store) const {
    auto times = store.times(key);
    EXPECT_TRUE(times) << times.status().text();
    return times ? times->size() : 0;
  }

  std::string folder, path;
};

std::vector<rt::MeasuredTime> someTimes(int64_t tokens) {
  return {{{tokens, 7}, 0, 1, 12.5}, {{tokens, 7}, 3, 0, 0.25}};
}

} // namespace

TEST_F(StoreTest, GivesBackWhatItKeeps) {
  rt::DispatchStore store(folder + "/a/b/dispatch.sqlite");
  EXPECT_EQ(countOf(store), 0u);
  // Reading makes no file.
  EXPECT_FALSE(std::filesystem::exists(folder + "/a"));
  ASSERT_TRUE(store.keep(key, someTimes(64)));
  ASSERT_TRUE(store.keep(key, {{{64, 7}, 0, 1, 13.5}}));
  auto times = store.times(key);
  ASSERT_TRUE(times);
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ((*times)[0].sizes, (std::vector<int64_t>{64, 7}));
  EXPECT_EQ((*times)[0].variant, 1u);
  EXPECT_EQ((*times)[0].microseconds, 13.5);
  EXPECT_EQ((*times)[1].step, 3u);
  EXPECT_EQ((*times)[1].microseconds, 0.25);
  for (rt::FunctionKey other :
       {rt::FunctionKey{{"GPU2", "13.0"}, "b-1", "i-1", "f"},
        rt::FunctionKey{{"GPU", "13.1"}, "b-1", "i-1", "f"},
        rt::FunctionKey{{"GPU", "13.0"}, "b-2", "i-1", "f"},
        rt::FunctionKey{{"GPU", "13.0"}, "b-1", "i-2", "f"},
        rt::FunctionKey{{"GPU", "13.0"}, "b-1", "i-1", "g"}})
    EXPECT_TRUE(store.times(other)->empty());
}

TEST_F(StoreTest, NamesAreOnlyText) {
  rt::DispatchStore store(path);
  rt::FunctionKey odd = key;
  odd.function = "f'); DROP TABLE time; --";
  ASSERT_TRUE(store.keep(odd, {{{}, 0, 0, 1.0}}));
  EXPECT_EQ(store.times(odd)->size(), 1u);
  EXPECT_TRUE(store.times(odd)->at(0).sizes.empty());
  EXPECT_EQ(countOf(store), 0u);
}

TEST_F(StoreTest, IgnoresRecordsThatMakeNoSense) {
  rt::DispatchStore store(path);
  ASSERT_TRUE(store.keep(key, someTimes(1)));
  auto database = rt::Database::open(path);
  ASSERT_TRUE(database);
  for (const char *values :
       {"'x', 0, 0, 1.0", "'-1', 0, 0, 1.0", "'1', -1, 0, 1.0",
        "'1', 0, -1, 1.0", "'1', 0, 2, -1.0", "'1', 0, 3, 9e999",
        "'1', 0, 4, NULL", "'1,', 0, 0, 0.0", "'', 0, 0, 0.0"})
    ASSERT_TRUE(database->execute((std::string("INSERT INTO time VALUES('GPU',"
                                               "'13.0','b-1','i-1','f',") +
                                   values + ")")
                                      .c_str()))
        << values;
  EXPECT_EQ(countOf(store), 2u);
}

TEST_F(StoreTest, AnUnusableFileIsPutAside) {
  rt::DispatchStore store(path);
  ASSERT_TRUE(store.keep(key, someTimes(1)));
  std::string good = contents();
  auto newer = [&] {
    overwrite(good);
    auto database = rt::Database::open(path);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute("PRAGMA user_version = 2"));
  };
  auto foreign = [&] {
    std::filesystem::remove(path);
    auto database = rt::Database::open(path);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute("CREATE TABLE somebody(elses INTEGER)"));
  };
  const std::function<void()> ways[] = {
      newer, foreign, [&] { overwrite("no database at all, but some text"); },
      [&] { overwrite(good.substr(0, good.size() / 2)); },
      [&] { overwrite(good.substr(0, 4096) + std::string(8192, 'x')); }};
  for (size_t way = 0; way < std::size(ways); ++way) {
    ways[way]();
    EXPECT_EQ(countOf(store), 0u) << way;
    ways[way]();
    EXPECT_TRUE(store.keep(key, someTimes(2))) << way;
    EXPECT_EQ(countOf(store), 2u) << way;
    EXPECT_TRUE(std::filesystem::exists(path + ".unusable")) << way;
    ways[way]();
    EXPECT_TRUE(store.quarantine(
        rt::QuarantinedKernel::now(key.device, "i-1", "k", "failed")))
        << way;
    EXPECT_EQ(store.quarantined()->size(), 1u) << way;
  }
}

TEST_F(StoreTest, AnEmptyFileIsFilled) {
  rt::DispatchStore store(path);
  overwrite("");
  EXPECT_EQ(countOf(store), 0u);
  ASSERT_TRUE(store.keep(key, someTimes(1)));
  EXPECT_EQ(countOf(store), 2u);
  EXPECT_FALSE(std::filesystem::exists(path + ".unusable"));
}

// Whatever bytes are wrong: an answer or an error, and a store afterwards.
TEST_F(StoreTest, DamageAnywhereIsSurvived) {
  rt::DispatchStore store(path);
  std::vector<rt::MeasuredTime> many;
  for (int64_t tokens = 1; tokens <= 100; ++tokens)
    many.push_back(someTimes(tokens)[0]);
  ASSERT_TRUE(store.keep(key, many));
  std::string good = contents();
  // Every page of 4096 bytes: its header, its cells and between.
  for (size_t at = 0; at < good.size(); at += 1000) {
    std::string bad = good;
    for (size_t i = at; i < std::min(at + 16, bad.size()); ++i)
      bad[i] = static_cast<char>(~bad[i]);
    overwrite(bad);
    (void)store.times(key);
    if (!store.keep(key, someTimes(1)))
      std::filesystem::remove(path);
    EXPECT_TRUE(store.keep(key, someTimes(1))) << at;
  }
}

TEST_F(StoreTest, ProcessesShareIt) {
  std::vector<pid_t> children;
  for (int64_t process = 0; process < 4; ++process)
    children.push_back(inProcess([&] {
      rt::DispatchStore store(path);
      for (int64_t i = 0; i < 10; ++i)
        if (!store.keep(key, someTimes(100 * process + i)) || !store.times(key))
          return 1;
      return 0;
    }));
  for (pid_t child : children)
    EXPECT_EQ(exitOf(child), 0);
  EXPECT_EQ(countOf(rt::DispatchStore(path)), 80u);
}

TEST_F(StoreTest, ProcessesMakeAnUnusableFileAnewTogether) {
  overwrite("no database at all, but some text");
  std::vector<pid_t> children;
  for (int64_t process = 0; process < 4; ++process)
    children.push_back(inProcess([&] {
      return rt::DispatchStore(path).keep(key, someTimes(process)) ? 0 : 1;
    }));
  for (pid_t child : children)
    EXPECT_EQ(exitOf(child), 0);
  // A process that read the old file puts only that one aside.
  EXPECT_EQ(countOf(rt::DispatchStore(path)), 8u);
}

TEST_F(StoreTest, AProcessThatIsKilledLeavesAStore) {
  for (int round = 0; round < 5; ++round) {
    pid_t child = inProcess([&] {
      rt::DispatchStore store(path);
      for (int64_t i = 0;; ++i)
        (void)store.keep(key, someTimes(i % 50));
      return 0;
    });
    usleep(20000);
    kill(child, SIGKILL);
    exitOf(child);
    rt::DispatchStore store(path);
    EXPECT_TRUE(store.times(key));
    EXPECT_TRUE(store.keep(key, someTimes(1)));
    EXPECT_FALSE(std::filesystem::exists(path + ".unusable"));
  }
}

TEST_F(StoreTest, AFullDiskIsAnError) {
  // No file may grow beyond so many bytes.
  for (rlim_t limit : {0, 1000, 4096, 9000, 13000, 20000}) {
    std::filesystem::remove(path);
    pid_t child = inProcess([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      rlimit most = {limit, limit};
      if (setrlimit(RLIMIT_FSIZE, &most))
        return 2;
      rt::DispatchStore store(path);
      std::vector<rt::MeasuredTime> many;
      for (int64_t tokens = 0; tokens < 1000; ++tokens)
        many.push_back(someTimes(tokens)[0]);
      rt::Status status = store.keep(key, many);
      // What is there is whole.
      auto times = store.times(key);
      return !status && !status.text().empty() && times && times->empty() ? 0
                                                                          : 1;
    });
    EXPECT_EQ(exitOf(child), 0) << limit;
    rt::DispatchStore store(path);
    EXPECT_TRUE(store.keep(key, someTimes(1))) << limit;
    EXPECT_EQ(countOf(store), 2u) << limit;
  }
}

TEST_F(StoreTest, WithoutAFileNothingIsKept) {
  rt::DispatchStore store("");
  EXPECT_EQ(countOf(store), 0u);
  rt::Status status = store.keep(key, someTimes(1));
  EXPECT_FALSE(status);
  EXPECT_EQ(status.text(), "no store of measured times is in use; name one "
                           "with SPARSEFLOW_DISPATCH_STORE");
  EXPECT_EQ(*store.clear(), 0);
}

TEST_F(StoreTest, AFileThatCannotBePutAsideIsAnError) {
  overwrite("no database at all, but some text");
  std::filesystem::create_directories(path + ".unusable/full");
  rt::DispatchStore store(path);
  rt::Status status = store.keep(key, someTimes(1));
  EXPECT_NE(status.text().find("' is damaged, or of another version or program"
                               ", and cannot be renamed: "),
            std::string::npos)
      << status.text();
}

TEST_F(StoreTest, TheLibraryMayBeMissing) {
  EXPECT_TRUE(rt::checkSqlite("libsqlite3.so.0"));
  for (const char *name : {"/none/libsqlite3.so", "libc.so.6"}) {
    rt::Status status = rt::checkSqlite(name);
    EXPECT_EQ(status.code(), SF_ERROR_UNSUPPORTED);
    EXPECT_NE(status.text().find("libsqlite3 cannot be used: "),
              std::string::npos);
    EXPECT_NE(status.text().find("; install it to keep measured times"),
              std::string::npos);
  }
}

TEST_F(StoreTest, AFolderIsNoFile) {
  std::filesystem::create_directory(path);
  rt::DispatchStore store(path);
  EXPECT_FALSE(store.times(key));
  EXPECT_FALSE(store.keep(key, someTimes(1)));
}

TEST_F(StoreTest, TheDefaultIsInTheCacheFolder) {
  sf_dispatch_set_store(nullptr);
  const char *home = getenv("HOME");
  std::string kept = home ? home : "";
  unsetenv("SPARSEFLOW_DISPATCH_STORE");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/of", 1);
  EXPECT_EQ(rt::DispatchStore::current().file(),
            "/home/of/.cache/sparseflow/dispatch.sqlite");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(rt::DispatchStore::current().file(),
            "/home/of/.cache/sparseflow/dispatch.sqlite");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(rt::DispatchStore::current().file(),
            "/cache/sparseflow/dispatch.sqlite");
  setenv("SPARSEFLOW_DISPATCH_STORE", "/some/file", 1);
  EXPECT_EQ(rt::DispatchStore::current().file(), "/some/file");
  unsetenv("SPARSEFLOW_DISPATCH_STORE");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", kept.c_str(), 1);
  sf_dispatch_set_store("");
}

// What a store cannot do is no call's business.
TEST_F(DispatchTest, ADamagedStoreStopsNoLaunch) {
  addKernels();
  std::filesystem::create_directories(directory + "/cache");
  std::ofstream(store) << "no database at all, but some text";
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(ran(10), "small");
  ASSERT_EQ(tune(10), SF_OK);
  restart();
  EXPECT_EQ(ran(10), "general");
}

TEST_F(DispatchTest, WithoutAStoreTimesHoldForTheProcess) {
  addKernels();
  // Below a file there is no folder.
  std::ofstream(directory + "/cache") << "";
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(tune(10), SF_OK);
  expectError({"dispatch.sqlite"});
  EXPECT_EQ(ran(10), "general");
  restart();
  EXPECT_EQ(ran(10), "small");
  FakeDriver::get().failCall("launch_kernel", 1,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(ran(10), "wide finish");
  EXPECT_EQ(ran(10), "wide finish");
  std::vector<std::string> about = quarantined();
  ASSERT_EQ(about.size(), 1u);
}
