//===- ExtractCommand.cpp - sparseflow extract ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "commands/ExtractCommand.h"

#include "Options.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/HoistConstants.h"
#include "program/Input.h"

#include "io/safetensors.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
using ::sparseflow::rt::SafetensorsWriter;
using ::sparseflow::rt::Status;

void driver::addExtractOptions(CLI::App &app, ExtractCommandOptions &options) {
  app.add_option("FILE", options.input,
                 "A program on tensors whose weights are constants, in MLIR "
                 "text; - is the standard input")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", options.output,
                 "The program with arguments in place of constants; - is the "
                 "standard output (default)")
      ->type_name("FILE");
  app.add_option("--weights", options.weights,
                 "Where the constants go, under the names of the arguments")
      ->type_name("FILE.safetensors")
      ->required();
  app.footer("Example:\n"
             "  sparseflow extract model.mlir -o mlp.mlir --weights "
             "mlp.safetensors\n"
             "  sparseflow pack mlp.safetensors --format 2:4 -o mlp.sfpk\n"
             "  sparseflow compile mlp.mlir --weights mlp.sfpk --target sm_90 "
             "--emit bundle -o mlp.bundle\n");
}

static sf_dtype dtypeOf(Type type) {
  if (type.isF16())
    return SF_DTYPE_F16;
  return type.isBF16() ? SF_DTYPE_BF16 : SF_DTYPE_F32;
}

static Status writeWeights(const std::string &path,
                           const std::vector<HoistedConstant> &constants) {
  std::vector<SafetensorsWriter::Tensor> tensors;
  for (const HoistedConstant &constant : constants)
    tensors.push_back({constant.name, dtypeOf(constant.type.getElementType()),
                       std::vector<int64_t>(constant.type.getShape().begin(),
                                            constant.type.getShape().end())});
  auto writer = SafetensorsWriter::create(path, std::move(tensors), {});
  if (!writer)
    return writer.status();
  for (size_t index : writer->order()) {
    std::vector<char> bytes = constants[index].bytes();
    if (Status status = writer->write(bytes.data(), bytes.size()); !status)
      return status;
  }
  return writer->commit();
}

int driver::runExtractCommand(const ExtractCommandOptions &options) {
  Program program(/*printRemarks=*/false);
  if (!program.parse(options.input))
    return BadInput;
  ModuleOp module = program.module();
  // What a private function holds belongs to the public ones that call it.
  PassManager passes(module.getContext());
  passes.addPass(createInlinerPass());
  passes.addPass(createSymbolDCEPass());
  if (failed(passes.run(module)))
    return BadInput;
  FailureOr<std::vector<HoistedConstant>> constants = hoistConstants(module);
  if (failed(constants))
    return BadInput;
  if (constants->empty())
    return fail(BadInput, "'" + options.input +
                              "' holds no constant tensors: its weights are "
                              "arguments already");
  if (Status status = writeWeights(options.weights, *constants); !status)
    return fail(Environment, status.text());
  for (const HoistedConstant &constant : *constants) {
    llvm::errs() << constant.name << "  " << constant.type.getElementType()
                 << "  [";
    llvm::interleaveComma(constant.type.getShape(), llvm::errs());
    llvm::errs() << "]"
                 << (constant.isTransposed ? "  transposed to [N, K]" : "")
                 << "\n";
  }
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return writeOutput(options.output.empty() ? "-" : options.output, text);
}
