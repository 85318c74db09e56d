//===- ToolsTest.cpp - Programs and files that are not there --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/System/Files.h"
#include "SparseFlow/System/Subprocess.h"
#include "SparseFlow/Target/NVPTX/Assembler.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir::sparseflow;

namespace {

void expectSays(llvm::Error error, const std::string &part) {
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n  gave: " << text;
}

/// A variable of the environment, as it was before when the test is over.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *found = std::getenv(name))
      before = found;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() {
    before ? ::setenv(name, before->c_str(), 1) : ::unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

struct Tools : testing::Test {
  Tools() : folder(llvm::cantFail(PrivateTempDir::create("tools-test"))) {}

  /// A machine whose programs all lie in the folder.
  struct Bare {
    explicit Bare(const std::string &folder) : path("PATH", folder.c_str()) {}
    Variable path, home{"CUDA_HOME", nullptr}, other{"CUDA_PATH", nullptr},
        root{"CUDA_ROOT", nullptr}, named{"SPARSEFLOW_PTXAS", nullptr};
  };

  std::string script(const std::string &name, const std::string &text) {
    std::string path = folder.file(name);
    llvm::cantFail(writeFileAtomically(path, "#!/bin/sh\n" + text));
    EXPECT_EQ(::chmod(path.c_str(), 0700), 0);
    return path;
  }

  PrivateTempDir folder;
};

} // namespace

static const char kAnswers[] =
    "[ \"$1\" = --version ] && { echo 'release 13.0, V13.0'; exit 0; }\n";

TEST_F(Tools, PtxasIsNotThere) {
  Bare machine(folder.path());
  auto found = findPtxas("", "/nowhere/bin");
  ASSERT_FALSE(bool(found));
  expectSays(found.takeError(),
             "ptxas was not found (searched " + folder.file("ptxas") +
                 ", /nowhere/bin/ptxas): install the CUDA toolkit or the "
                 "Python package nvidia-cuda-nvcc, then set SPARSEFLOW_PTXAS "
                 "or pass --ptxas; --emit ptx needs no ptxas");
  script("ptxas", kAnswers);
  found = findPtxas("", "/nowhere/bin");
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(*found, folder.file("ptxas"));
}

TEST_F(Tools, FatbinaryIsNotThere) {
  Bare machine(folder.path());
  AssembleOptions options;
  options.toolkit = "/nowhere/bin";
  auto linked = linkFatbin({}, options);
  ASSERT_FALSE(bool(linked));
  expectSays(linked.takeError(),
             "fatbinary was not found (searched " + folder.file("fatbinary") +
                 ", /nowhere/bin/fatbinary): install the CUDA toolkit, or use "
                 "--emit bundle, which needs none");
}

TEST_F(Tools, PtxasIsCancelled) {
  AssembleOptions options;
  options.ptxasPath =
      script("ptxas", kAnswers + std::string("exec sleep 60\n"));
  auto always = [] { return true; };
  options.cancelled = always;
  auto made = assemble("", *llvm::cantFail(parseTarget("sm_90")), options);
  ASSERT_FALSE(bool(made));
  expectSays(made.takeError(), "ptxas was cancelled");
}

TEST_F(Tools, ChipsWithoutTargets) {
  for (auto [major, minor] : {std::pair(7, 5), std::pair(99, 0)}) {
    auto found = targetForDevice(major, minor);
    ASSERT_FALSE(bool(found));
    expectSays(found.takeError(),
               "no target serves compute capability " + std::to_string(major) +
                   "." + std::to_string(minor) +
                   ": expected 8.x, 9.x, 10.x or 12.x; run on the CPU instead "
                   "(--device cpu)");
  }
  auto found = targetForDevice(8, 7);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ((*found)->name, "sm_86");
}

TEST_F(Tools, FilesAreBounded) {
  std::string path = folder.file("long");
  llvm::cantFail(writeFileAtomically(path, "12345"));
  auto read = readRegularFile(path, 5);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(*read, "12345");
  read = readRegularFile(path, 4);
  ASSERT_FALSE(bool(read));
  expectSays(read.takeError(), "cannot read '" + path +
                                   "': it has 5 bytes, at most 4 are accepted");
}

// The root of the file system is nobody's output.
TEST_F(Tools, DirectoriesHaveNames) {
  for (const char *path : {"", "/", "//"})
    expectSays(writeDirectoryAtomically(path, {}, "marker"),
               "cannot write a directory to '" + std::string(path) +
                   "': expected the name of a directory to make");
}

TEST_F(Tools, NoFileLeftForAPipe) {
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // The lowest that is free, and no more.
  int free = ::open("/dev/null", O_RDONLY);
  ASSERT_GE(free, 0);
  ::close(free);
  struct rlimit none = {static_cast<rlim_t>(free), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  auto result = runSubprocess("/bin/true", {});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(bool(result));
  expectSays(result.takeError(), "cannot create a pipe: Too many open files; "
                                 "raise the limit (ulimit -n) or end programs");
}
