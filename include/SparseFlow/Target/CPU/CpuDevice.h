//===- CpuDevice.h - Runs tensor functions on the host ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU device compiles a module of functions over linalg ops on tensors with
// LLVM's JIT and runs them on the caller's memory with all cores. It is the
// device of a machine without a GPU and the check of every other device.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_CPU_CPUDEVICE_H
#define SPARSEFLOW_TARGET_CPU_CPUDEVICE_H

#include "SparseFlow/Target/CPU/CpuPipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace mlir::sparseflow {

/// Element types of host memory; an I1 is a byte that holds 0 or 1.
enum class HostType { F16, BF16, F32, F64, I1, I8, I16, I32, I64 };

/// Bytes of an element.
size_t getHostTypeSize(HostType type);
/// "f16", "bf16", ...
llvm::StringRef getHostTypeName(HostType type);
/// The host type of an MLIR element type; nothing where there is none.
std::optional<HostType> getHostType(Type type);

/// A dense row-major array in memory that the caller owns, aligned to its
/// element. `data` may be null where the array is empty.
struct HostBuffer {
  void *data = nullptr;
  HostType dtype = HostType::F32;
  llvm::SmallVector<int64_t, 4> shape;
};

struct CpuOptions {
  /// Threads that work on a call, the caller's included; 0 takes one for each
  /// core that the process may use.
  unsigned threads = 0;
  /// LLVM's name of a CPU to compile for ("x86-64-v3"); empty takes the host
  /// with everything it can do. Code for another CPU must still run here.
  std::string cpu;
  /// Sizes of the generated code; without a value the schedule table's row for
  /// the CPU.
  std::optional<CpuSchedule> schedule;
  /// Keep the text of the LLVM IR, which is megabytes for a model.
  bool keepLLVMIR = false;
};

/// A compiled module. Functions may run from several threads at once; calls
/// then share the cores (one takes the pool, the others run on their own
/// threads). Results do not depend on the number of threads.
class CpuDevice {
public:
  /// Compiles every public function of `module`, which is not changed. Ops of
  /// the sparseflow dialect are lowered first (sparseflow-lower-to-linalg), so
  /// an N:M weight is passed as a dense array whose zeros are skipped.
  /// Arguments and results must be ranked tensors of the host types; every size
  /// of a result is static or the size of an argument. Adds interface
  /// implementations to the context of `module`, so nothing else may use the
  /// context meanwhile. Errors name the op or symbol that cannot be compiled.
  static llvm::Expected<std::unique_ptr<CpuDevice>>
  compile(ModuleOp module, const CpuOptions &options = {});

  ~CpuDevice();
  CpuDevice(const CpuDevice &) = delete;
  CpuDevice &operator=(const CpuDevice &) = delete;

  /// Runs `function` on `args` and writes every element of `results`, one
  /// buffer for each result, which overlap no other buffer. Sizes of dynamic
  /// dimensions come from the buffers; before anything runs, sizes that the
  /// function needs equal are compared, and a mismatch is an error that names
  /// both dimensions (sizes that a reshape multiplies are not compared).
  /// Temporary memory comes from malloc; where that fails the
  /// process ends with a message, as in any allocation by LLVM.
  llvm::Error run(llvm::StringRef function, llvm::ArrayRef<HostBuffer> args,
                  llvm::MutableArrayRef<HostBuffer> results) const;

  /// Names of the functions that `run` takes, in the order of the module.
  llvm::SmallVector<llvm::StringRef> getFunctions() const;
  /// The type of a function as it is called, without encodings; null if there
  /// is none. Belongs to the context of the module.
  FunctionType getFunctionType(llvm::StringRef function) const;
  /// The optimised LLVM IR of the module; empty unless it was kept.
  llvm::StringRef getLLVMIR() const;
  /// The CPU that the code is for and the sizes it was compiled with.
  llvm::StringRef getCpu() const;
  const CpuSchedule &getSchedule() const;
  unsigned getNumThreads() const;

private:
  struct Impl;
  explicit CpuDevice(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_CPU_CPUDEVICE_H
