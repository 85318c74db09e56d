//===- Handlers.h - Instructions by name ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers are keyed by the name of the LLVM intrinsic without "llvm.nvvm.",
// and those of inline assembly by the opcode. They are written from the PTX
// ISA's description of each instruction and share nothing with the code that
// generates kernels: an error there must not be repeated here.
//
// Operands arrive as a struct in memory, one member for each operand of the
// intrinsic in its order, laid out as C++ lays out the same struct. Results are
// stored the same way.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_HANDLERS_H
#define SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_HANDLERS_H

#include "Simulator/Instructions/InlinePtx.h"

#include <map>

namespace mlir::sparseflow::sim {

class Registry {
public:
  void addThread(std::string name, void (*function)(ThreadCall &)) {
    Handler handler;
    handler.name = name;
    handler.thread = function;
    handlers.emplace(std::move(name), std::move(handler));
  }
  void addWarp(std::string name, void (*function)(WarpCall &),
               bool hasMask = false) {
    Handler handler;
    handler.name = name;
    handler.warp = function;
    handler.hasMask = hasMask;
    handlers.emplace(std::move(name), std::move(handler));
  }
  const Handler *find(const std::string &name) const {
    auto it = handlers.find(name);
    return it == handlers.end() ? nullptr : &it->second;
  }
  const std::map<std::string, Handler> &all() const { return handlers; }

  void addAssembly(std::string opcode, AssemblyHandler handler) {
    assembly.emplace(std::move(opcode), handler);
  }
  /// False when the opcode is unknown.
  bool findAssembly(const std::string &opcode, AssemblyHandler &handler) const {
    auto it = assembly.find(opcode);
    if (it == assembly.end())
      return parseMemory(opcode, handler);
    handler = it->second;
    return true;
  }
  const std::map<std::string, AssemblyHandler> &allAssembly() const {
    return assembly;
  }

  /// All handlers; never changes.
  static const Registry &get();

private:
  /// Loads and stores, whose modifiers combine too freely for a list.
  static bool parseMemory(const std::string &opcode, AssemblyHandler &handler);

  std::map<std::string, Handler> handlers;
  std::map<std::string, AssemblyHandler> assembly;
};

void addBarrierHandlers(Registry &registry);
void addExchangeHandlers(Registry &registry);
void addCopyHandlers(Registry &registry);
void addMatrixHandlers(Registry &registry);
void addMmaHandlers(Registry &registry);
void addMmaInt8Handlers(Registry &registry);
void addMathHandlers(Registry &registry);
void addMbarrierHandlers(Registry &registry);
void addBulkHandlers(Registry &registry);
void addClusterHandlers(Registry &registry);
void addWgmmaHandlers(Registry &registry);
/// Refers to the handlers of intrinsics, so it comes last.
void addAssemblyHandlers(Registry &registry);

/// The special register that an intrinsic "read.ptx.sreg.NAME" reads, or
/// NumSpecialRegisters.
unsigned findSpecialRegister(const std::string &name);

/// What generated code calls for an instruction.
void invokeHandler(const Handler *handler, Thread *thread, void *result,
                   const void *operands, uint32_t site);
/// What generated code calls before a load or a store. `what` holds the size in
/// bytes, from bit 32 the alignment and from bit 56 the AccessKind.
void checkAccess(Thread *thread, uint64_t address, uint64_t what,
                 uint32_t site);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_INSTRUCTIONS_HANDLERS_H
