//===- file_test.cpp - Files are replaced atomically or not at all --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/file.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sparseflow::rt;
using namespace sparseflow::test;

TEST(InputFile, ReadsRegularFilesAndNothingElse) {
  TempDir dir;
  writeFile(dir.path("data"), "0123456789");
  Expected<InputFile> file = InputFile::open(dir.path("data"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_EQ(file->size(), 10u);
  char buffer[4];
  ASSERT_TRUE(file->read(3, buffer, 4));
  EXPECT_EQ(std::string(buffer, 4), "3456");

  EXPECT_EQ(InputFile::open(dir.path("none")).status().code(), SF_ERROR_IO);
  EXPECT_NE(InputFile::open(dir.path()).status().text().find("a directory"),
            std::string::npos);
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  // Nobody writes: a blocking open would hang here.
  EXPECT_NE(InputFile::open(dir.path("pipe")).status().text().find("a pipe"),
            std::string::npos);
  EXPECT_EQ(InputFile::open("/dev/zero").status().code(), SF_ERROR_IO);
}

TEST(InputFile, AFileThatShrinksIsAnErrorNotASignal) {
  TempDir dir;
  writeFile(dir.path("data"), std::string(100000, 'x'));
  Expected<InputFile> file = InputFile::open(dir.path("data"));
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(::truncate(dir.path("data").c_str(), 50000), 0);
  std::vector<char> buffer(100000);
  Status status = file->read(0, buffer.data(), buffer.size());
  EXPECT_EQ(status.code(), SF_ERROR_IO);
  EXPECT_NE(status.text().find("ends at byte 50000"), std::string::npos)
      << status.text();
}

TEST(OutputFile, AppearsOnCommitOnly) {
  TempDir dir;
  Expected<OutputFile> file = OutputFile::create(dir.path("out"));
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_TRUE(file->write("abc", 3));
  ASSERT_TRUE(file->padTo(5));
  ASSERT_TRUE(file->rewrite(1, "B", 1));
  EXPECT_EQ(file->position(), 5u);
  EXPECT_FALSE(std::filesystem::exists(dir.path("out")));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(readFile(dir.path("out")), std::string("aBc\0\0", 5));
  EXPECT_EQ(dir.names(), std::vector<std::string>{"out"});
}

TEST(OutputFile, WithoutCommitNothingChanges) {
  TempDir dir;
  writeFile(dir.path("out"), "old");
  {
    Expected<OutputFile> file = OutputFile::create(dir.path("out"));
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("new", 3));
  }
  EXPECT_EQ(readFile(dir.path("out")), "old");
  EXPECT_EQ(dir.names(), std::vector<std::string>{"out"});
}

TEST(OutputFile, KilledInMidWriteLeavesTheOldFile) {
  TempDir dir;
  writeFile(dir.path("out"), "old");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Expected<OutputFile> file = OutputFile::create(dir.path("out"));
    if (!file || !file->write("new", 3) || ::write(ready[1], "x", 1) != 1)
      ::_exit(1);
    ::pause();
    ::_exit(1);
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int state;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFSIGNALED(state));
  ::close(ready[0]);
  ::close(ready[1]);
  EXPECT_EQ(readFile(dir.path("out")), "old");
}

TEST(OutputFile, AFullDiskIsAnErrorAndTheOldFileSurvives) {
  // A file-size limit gives the same failed write as a full disk or a quota.
  TempDir dir;
  writeFile(dir.path("out"), "old");
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 2;
    {
      Expected<OutputFile> file = OutputFile::create(dir.path("out"));
      std::vector<char> data(1 << 20);
      Status status =
          file ? file->write(data.data(), data.size()) : file.status();
      if (status.code() == SF_ERROR_IO &&
          status.text().find("cannot write") != std::string::npos)
        code = 0;
    }
    ::_exit(code);
  }
  int state;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  ASSERT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_EQ(readFile(dir.path("out")), "old");
  EXPECT_EQ(dir.names(), std::vector<std::string>{"out"});
}

TEST(OutputFile, RefusesPathsThatCannotBeReplaced) {
  TempDir dir;
  EXPECT_EQ(OutputFile::create(dir.path("none/out")).status().code(),
            SF_ERROR_IO);
  EXPECT_EQ(OutputFile::create(dir.path()).status().code(), SF_ERROR_IO);
  EXPECT_EQ(OutputFile::create("/dev/null").status().code(), SF_ERROR_IO);
  EXPECT_EQ(OutputFile::create("").status().code(), SF_ERROR_IO);
}

TEST(OutputFile, KeepsLinksAndPermissions) {
  TempDir dir;
  writeFile(dir.path("real"), "old");
  ASSERT_EQ(::chmod(dir.path("real").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("real", dir.path("link").c_str()), 0);
  Expected<OutputFile> file = OutputFile::create(dir.path("link"));
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->write("new", 3));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path("link")));
  EXPECT_EQ(readFile(dir.path("real")), "new");
  struct stat info;
  ASSERT_EQ(::stat(dir.path("real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(OutputFile, ANameAsLongAsTheSystemAllows) {
  TempDir dir;
  std::string name(255, 'n');
  Expected<OutputFile> file = OutputFile::create(dir.path(name));
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(dir.names(), std::vector<std::string>{name});
}

TEST(Printable, EscapesWhatCouldReachATerminal) {
  EXPECT_EQ(printable("plain \u00e9"), "plain \u00e9");
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("\x7f\xff"), "\\x7f\\xff");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b"); // C1 control sequence
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // surrogate
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");          // overlong
  EXPECT_EQ(printable(std::string(10, 'a'), 4), "aaaa...");
}
