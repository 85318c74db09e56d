//===- CpuPipeline.h - Linalg on tensors to LLVM for the CPU ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline turns a module of functions over linalg ops on tensors into a
// module of the LLVM dialect that the CPU device compiles. Its sizes come from
// a CpuSchedule, one row of data per class of host; no pass holds its own.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_CPU_CPUPIPELINE_H
#define SPARSEFLOW_TARGET_CPU_CPUPIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
namespace sparseflow {

/// What the generated code assumes of the host and how it cuts the work.
/// Sizes are counts of elements unless they say otherwise.
struct CpuSchedule {
  /// f32 elements of a vector register: a power of two.
  int64_t lanes = 8;
  /// The kernel's tile of the product: tileRows x (tileVectors * lanes) sums in
  /// registers. tileVectors * (tileRows + 1) + 1 registers are in use.
  int64_t tileRows = 4;
  int64_t tileVectors = 3;
  /// One task multiplies blockRows x blockColumns, blockDepth values of k at a
  /// time, so that its panels (4 bytes * blockDepth * (blockRows +
  /// blockColumns)) stay in a core's second-level cache.
  int64_t blockRows = 64;
  int64_t blockColumns = 192;
  int64_t blockDepth = 384;
  /// Rows of a product up to which its weight is read in place, not packed.
  int64_t directRows = 32;
  /// How far ahead of what it reads such a product asks for memory: a page,
  /// where the hardware's prefetchers stop at its end. 0: not at all.
  int64_t prefetchBytes = 0;
  /// Elements worth handing to another thread.
  int64_t elementwiseUnit = 8192;
  /// The host converts f16 <-> f32 in hardware.
  bool nativeHalf = false;
  /// int8 MMAs: "portable", "avx2" or "avx512vnni".
  std::string int8Dot = "portable";
  /// Tokens from which matmuls with packed trits take sums from tables as
  /// well, where int8Dot is "avx512vnni"; 0: never.
  int64_t lookupTokens = 0;

  /// The row of the schedule table for this machine.
  static CpuSchedule forHost();
};

/// Options of the pipeline `sparseflow-cpu`; the same numbers as CpuSchedule.
struct CpuPipelineOptions : PassPipelineOptions<CpuPipelineOptions> {
  CpuPipelineOptions() = default;
  explicit CpuPipelineOptions(const CpuSchedule &schedule);
  CpuSchedule getSchedule() const;

  Option<int64_t> lanes{*this, "lanes",
                        llvm::cl::desc("f32 elements of a vector register"),
                        llvm::cl::init(CpuSchedule().lanes)};
  Option<int64_t> tileRows{*this, "tile-rows",
                           llvm::cl::desc("rows of the kernel's tile"),
                           llvm::cl::init(CpuSchedule().tileRows)};
  Option<int64_t> tileVectors{
      *this, "tile-vectors",
      llvm::cl::desc("vector registers of a row of the kernel's tile"),
      llvm::cl::init(CpuSchedule().tileVectors)};
  Option<int64_t> blockRows{*this, "block-rows",
                            llvm::cl::desc("rows of one task"),
                            llvm::cl::init(CpuSchedule().blockRows)};
  Option<int64_t> blockColumns{*this, "block-columns",
                               llvm::cl::desc("columns of one task"),
                               llvm::cl::init(CpuSchedule().blockColumns)};
  Option<int64_t> blockDepth{*this, "block-depth",
                             llvm::cl::desc("k values summed per visit"),
                             llvm::cl::init(CpuSchedule().blockDepth)};
  Option<int64_t> directRows{
      *this, "direct-rows",
      llvm::cl::desc("rows up to which a weight is read in place"),
      llvm::cl::init(CpuSchedule().directRows)};
  Option<int64_t> prefetchBytes{
      *this, "prefetch-bytes",
      llvm::cl::desc("how far ahead weights are asked for; 0: not at all"),
      llvm::cl::init(CpuSchedule().prefetchBytes)};
  Option<int64_t> elementwiseUnit{
      *this, "elementwise-unit",
      llvm::cl::desc("elements worth handing to another thread"),
      llvm::cl::init(CpuSchedule().elementwiseUnit)};
  Option<std::string> int8Dot{
      *this, "int8-dot",
      llvm::cl::desc("int8 MMAs: portable, avx2 or avx512vnni"),
      llvm::cl::init(CpuSchedule().int8Dot)};
  Option<int64_t> lookupTokens{
      *this, "lookup-tokens",
      llvm::cl::desc("tokens from which sums of trits come from tables; 0: "
                     "never"),
      llvm::cl::init(CpuSchedule().lookupTokens)};
  Option<bool> nativeHalf{
      *this, "native-half",
      llvm::cl::desc("the host converts f16 <-> f32 in hardware"),
      llvm::cl::init(CpuSchedule().nativeHalf)};
};

/// Adds the passes that lower a module of linalg on tensors to the LLVM dialect
/// (see docs in Passes.td for each step). Every public function gets an entry
/// point `sparseflow_cpu_entry_NAME`.
void buildCpuPipeline(OpPassManager &pm, const CpuPipelineOptions &options);

/// Registers the pipeline `sparseflow-cpu` and its passes with the global pass
/// registry, for tools that read pipelines as text. Call once.
void registerCpuPipeline();

/// Adds the dialects and the interface implementations that the pipeline needs
/// to `registry`. Idempotent.
void registerCpuDialects(DialectRegistry &registry);

} // namespace sparseflow
} // namespace mlir

#endif // SPARSEFLOW_TARGET_CPU_CPUPIPELINE_H
