//===- SimDevice.h - Running a program on the simulator ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SPARSEFLOW_SIMDEVICE_H
#define SPARSEFLOW_TOOLS_SPARSEFLOW_SIMDEVICE_H

#include "Options.h"
#include "program/Input.h"

#include "run/Run.h"

namespace mlir::sparseflow::driver {

/// Compiles the program for options.build.target (default sm_80) as `--emit
/// bundle` does, and carries out its launches on the simulator
/// (SparseFlow/Simulator/Simulator.h): the LLVM IR that the NVPTX back end is
/// given, thread by thread, in this process. Repetition r runs with schedule
/// seed options.sim.schedule + r.
///
/// Prints what is found and returns an exit code: CheckFailed for a finding as
/// for a wrong result. A kernel that crashes, or exceeds the time limit, ends
/// the process with CheckFailed and a message.
int runOnSimulator(Program &program, const RunCommandOptions &options,
                   const ::sparseflow::tools::ArgumentRequest &request,
                   ::sparseflow::tools::RunOptions run);

/// Does the same in a child process, `program` being this executable: simulated
/// code is host code, and what it destroys is not this process. Returns the
/// child's exit code.
int runSimulatorApart(const RunCommandOptions &options,
                      const std::string &program);

} // namespace mlir::sparseflow::driver

#endif // SPARSEFLOW_TOOLS_SPARSEFLOW_SIMDEVICE_H
