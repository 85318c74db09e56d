//===- HostTarget.cpp - What the CPU can do -------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Device/HostTarget.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir::sparseflow;

namespace {
/// A class of hosts and how its code is cut.
struct ScheduleRow {
  llvm::Triple::ArchType arch;
  /// LLVM features that the row needs, comma separated, each with its sign.
  const char *features;
  CpuSchedule schedule;
  /// What LLVM's name of the CPU must begin with.
  const char *cpu = "";
};
} // namespace

static CpuSchedule makeSchedule(int64_t lanes, int64_t tileRows,
                                int64_t tileVectors, int64_t blockRows,
                                int64_t blockColumns, int64_t blockDepth,
                                bool nativeHalf, const char *int8Dot,
                                int64_t prefetchBytes = 0,
                                int64_t lookupTokens = 0) {
  CpuSchedule schedule;
  schedule.lanes = lanes;
  schedule.tileRows = tileRows;
  schedule.tileVectors = tileVectors;
  schedule.blockRows = blockRows;
  schedule.blockColumns = blockColumns;
  schedule.blockDepth = blockDepth;
  schedule.nativeHalf = nativeHalf;
  schedule.int8Dot = int8Dot;
  schedule.prefetchBytes = prefetchBytes;
  schedule.lookupTokens = lookupTokens;
  return schedule;
}

/// The schedule table: the first row whose features a target has is taken. The
/// tile fills the register file: 32 registers hold 8 x 3 sums, 16 hold 4 x 3.
/// Features do not say how fast an instruction is: Zen 4 looks up 32 words in
/// the time of 64 multiply-adds of bytes and does both at once; Intel's cores
/// need two operations for it and multiply twice as much.
static llvm::ArrayRef<ScheduleRow> getScheduleTable() {
  using llvm::Triple;
  static const ScheduleRow table[] = {
      {Triple::x86_64, "+avx512f,+avx512bw,+avx512vl,+avx512vnni,+f16c,+fma",
       makeSchedule(16, 8, 3, 64, 192, 384, true, "avx512vnni", 4096, 16),
       "znver4"},
      {Triple::x86_64, "+avx512f,+avx512bw,+avx512vl,+avx512vnni,+f16c,+fma",
       makeSchedule(16, 8, 3, 64, 192, 384, true, "avx512vnni", 4096)},
      {Triple::x86_64, "+avx512f,+avx512bw,+avx512vl,+f16c,+fma",
       makeSchedule(16, 8, 3, 64, 192, 384, true, "avx2", 4096)},
      {Triple::x86_64, "+avx2,+f16c,+fma",
       makeSchedule(8, 4, 3, 64, 192, 384, true, "avx2", 4096)},
      {Triple::x86_64, "",
       makeSchedule(4, 4, 2, 64, 96, 384, false, "portable")},
      {Triple::aarch64, "+neon",
       makeSchedule(4, 8, 2, 64, 96, 384, true, "portable")},
  };
  return table;
}

CpuSchedule cpu::selectSchedule(const llvm::TargetMachine &machine) {
  for (const ScheduleRow &row : getScheduleTable())
    if (machine.getTargetTriple().getArch() == row.arch &&
        machine.getTargetCPU().starts_with(row.cpu) &&
        machine.getMCSubtargetInfo()->checkFeatures(row.features))
      return row.schedule;
  return makeSchedule(4, 4, 2, 64, 96, 384, false, "portable");
}

static void initializeNativeTarget() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

llvm::Expected<llvm::orc::JITTargetMachineBuilder>
cpu::describeTarget(llvm::StringRef cpu) {
  initializeNativeTarget();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  if (!cpu.empty()) {
    llvm::orc::JITTargetMachineBuilder named(host->getTargetTriple());
    named.setCPU(cpu.str());
    std::string error;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(named.getTargetTriple(), error);
    if (!target)
      return llvm::createStringError(error);
    std::unique_ptr<llvm::MCSubtargetInfo> info(
        target->createMCSubtargetInfo(named.getTargetTriple(), "", ""));
    if (!info->isCPUStringValid(cpu))
      return llvm::createStringError(
          "expected the name of a CPU that LLVM knows for " +
          named.getTargetTriple().str() + ", found '" + cpu +
          "'; leave it empty for this machine");
    host = std::move(named);
  }
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  return host;
}

CpuSchedule CpuSchedule::forHost() {
  auto target = cpu::describeTarget("");
  if (!target) {
    llvm::consumeError(target.takeError());
    return {};
  }
  auto machine = target->createTargetMachine();
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return {};
  }
  return cpu::selectSchedule(**machine);
}
