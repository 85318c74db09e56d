//===- ModelCommand.cpp - Models, by the Python package -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "commands/ModelCommand.h"

#include "Options.h"
#include "SparseFlow/System/Subprocess.h"
#include "device/ChildProcess.h"

#include <CLI/CLI.hpp>

#include <cstdlib>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

void driver::addModelOptions(CLI::App &app) {
  // Everything behind `model import` is the package's to read.
  app.prefix_command();
  app.footer(
      "Commands of the Python package, which needs Python 3.9 and NumPy:\n"
      "  sparseflow model import DIR|FILE.gguf -o M [--dtype f16|bf16] "
      "[--quantized]\n"
      "  sparseflow model compile M --target sm_90\n"
      "  sparseflow model rotate M -o M1\n"
      "  sparseflow model plan M --budget perplexity=+5% --calibrate FILE -o "
      "P\n"
      "  sparseflow model compress M --plan P --calibrate FILE -o M2\n"
      "  sparseflow model unpack M2 -o M3\n"
      "  sparseflow model import --help\n\n"
      "SPARSEFLOW_PYTHON names the interpreter (default: python3 on PATH).");
}

/// Says what is missing instead of a traceback.
static const char *kStart =
    "import sys\n"
    "try:\n"
    "    from sparseflow.model.__main__ import main\n"
    "except ImportError as error:\n"
    "    print(f'sparseflow: error: {sys.executable} cannot import what "
    "`sparseflow model` needs: {error}; install NumPy and the package "
    "(python/README.md), or name another interpreter in SPARSEFLOW_PYTHON', "
    "file=sys.stderr)\n"
    "    sys.exit(3)\n"
    "sys.exit(main(sys.argv[1:]))\n";

int driver::runModelCommand(const std::vector<std::string> &arguments,
                            const std::string &program) {
  const char *named = std::getenv("SPARSEFLOW_PYTHON");
  std::string searched;
  std::string python = named ? named : findExecutable("python3", {}, searched);
  if (python.empty())
    return fail(Environment,
                "`sparseflow model` needs python3, which is not on PATH: "
                "install it, or name an interpreter in SPARSEFLOW_PYTHON");
  // The package calls the command that it was called by.
  ::setenv("SPARSEFLOW_COMMAND", program.c_str(), /*overwrite=*/0);
  std::vector<std::string> command{"-c", kStart};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return runChild(python, command, /*inheritInput=*/false, [&](int signal) {
    return fail(Environment,
                python + " ended with signal " + llvm::Twine(signal));
  });
}
