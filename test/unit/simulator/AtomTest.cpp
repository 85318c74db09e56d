//===- AtomTest.cpp - No atom without a handler and a probe ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator's handlers use nothing of the atoms. This test alone knows
// both: each atom of the sftile dialect needs a line below that says what its
// instruction is called where the simulator sees it, a handler of that name,
// and a probe in test/Simulator/Golden that executes it.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Simulator/Simulator.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

struct Atom {
  const char *mnemonic;
  /// An attribute, what it says its instruction is, and how the name of the
  /// intrinsic (without "llvm.nvvm.") or of the opcode begins. A null name:
  /// LLVM's own loads and stores. Lines of atoms that are not registered are
  /// passed over.
  const char *attribute, *instruction, *name;
};

const Atom atoms[] = {
    {"mma_sync", "#sftile.mma_sync<16, f16>", "mma.sync.aligned.m16n8k16",
     "mma.m16n8k16.row.col.f32.f32"},
    {"mma_sync", "#sftile.mma_sync<16, bf16>", "mma.sync.aligned.m16n8k16",
     "mma.m16n8k16.row.col.bf16"},
    {"mma_sp_sync", "#sftile.mma_sp_sync<16, f16>",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k16",
     "mma.sp.ordered.metadata.m16n8k16.row.col.f32.f32"},
    {"mma_sp_sync", "#sftile.mma_sp_sync<32, f16>",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k32",
     "mma.sp.ordered.metadata.m16n8k32.row.col.f32.f32"},
    {"mma_sp_sync", "#sftile.mma_sp_sync<32, bf16>",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k32",
     "mma.sp.ordered.metadata.m16n8k32.row.col.bf16"},
    {"wgmma", "#sftile.wgmma<f16>", "wgmma.mma_async.sync.aligned",
     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"},
    {"wgmma", "#sftile.wgmma<bf16>", "wgmma.mma_async.sync.aligned",
     "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"},
    {"wgmma", "#sftile.wgmma<f16, sparse>", "wgmma.mma_async.sp.sync.aligned",
     "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16"},
    {"wgmma", "#sftile.wgmma<bf16, sparse>", "wgmma.mma_async.sp.sync.aligned",
     "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16"},
    {"mma_int8_sync", "#sftile.mma_int8_sync<32, i8>",
     "mma.sync.aligned.m16n8k32", "mma.m16n8k32.row.col.u8.s8"},
    {"mma_int8_sync", "#sftile.mma_int8_sync<32, si8>",
     "mma.sync.aligned.m16n8k32", "mma.m16n8k32.row.col.s8"},
    {"wgmma", "#sftile.wgmma<i8>", "wgmma.mma_async.sync.aligned",
     "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8"},
    {"wgmma", "#sftile.wgmma<i8, sparse>", "wgmma.mma_async.sp.sync.aligned",
     "wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.s8.s8"},
    {"cp_async", "#sftile.cp_async<16>", "cp.async.cg.shared.global",
     "cp.async.cg.shared.global.16"},
    {"cp_async", "#sftile.cp_async<8>", "cp.async.ca.shared.global",
     "cp.async.ca.shared.global.8"},
    {"cp_async", "#sftile.cp_async<4>", "cp.async.ca.shared.global",
     "cp.async.ca.shared.global.4"},
    {"bulk", "#sftile.bulk", "cp.async.bulk.shared::cluster.global",
     "cp.async.bulk.shared::cluster.global"},
    {"tma", "#sftile.tma", "cp.async.bulk.tensor",
     "cp.async.bulk.tensor.g2s.tile.2d"},
    {"tma", "#sftile.tma", "cp.async.bulk.tensor",
     "cp.async.bulk.tensor.s2g.tile.2d"},
    {"ld_st", "#sftile.ld_st<2>", "ld.global", nullptr},
    // Exact, and checked for all codes by the kernels that use it; without a
    // recorded probe.
    {"e4m3_cache", "#sftile.e4m3_cache<keys, converts = true>",
     "cvt.rn.f16x2.e4m3x2", nullptr},
    {"ldmatrix", "#sftile.ldmatrix", "ldmatrix.sync.aligned",
     "ldmatrix.sync.aligned.m8n8.x4.b16"},
    {"stmatrix", "#sftile.stmatrix", "stmatrix.sync.aligned",
     "stmatrix.sync.aligned.m8n8.x4.trans.b16"},
};

/// Notes the mnemonics of the attributes that are atoms.
template <typename Attribute>
void noteIfAtom(llvm::StringSet<> &found) {
  if constexpr (std::is_base_of_v<sftile::AtomInterface::Trait<Attribute>,
                                  Attribute>)
    found.insert(Attribute::getMnemonic());
}
template <typename... Attributes>
llvm::StringSet<> mnemonicsOf() {
  llvm::StringSet<> found;
  (noteIfAtom<Attributes>(found), ...);
  return found;
}

llvm::StringSet<> registeredAtoms() {
  return mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.cpp.inc"
      >();
}

std::string probes() {
  std::string text;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           at(SPARSEFLOW_GOLDEN_DIR "/kernels", error),
       end;
       at != end && !error; at.increment(error))
    if (auto buffer = llvm::MemoryBuffer::getFile(at->path()))
      text += (*buffer)->getBuffer();
  return text;
}

TEST(Atoms, HaveALineHere) {
  llvm::StringSet<> registered = registeredAtoms();
  EXPECT_GE(registered.size(), 8u);
  llvm::StringSet<> listed;
  for (const Atom &atom : atoms)
    listed.insert(atom.mnemonic);
  for (const auto &entry : registered)
    EXPECT_TRUE(listed.contains(entry.getKey()))
        << "the atom '" << entry.getKey().str()
        << "' has no line in AtomTest.cpp: write a handler in lib/Simulator "
           "and a probe in test/Simulator/Golden for its instruction first";
}

TEST(Atoms, HaveHandlersAndProbes) {
  MLIRContext context;
  context.loadDialect<sftile::SFTileDialect>();
  std::vector<std::string> handled = sparseflow::sim::handledInstructions();
  std::string kernels = probes();
  llvm::StringSet<> registered = registeredAtoms();
  for (const Atom &atom : atoms) {
    if (!registered.contains(atom.mnemonic))
      continue;
    Attribute attribute = parseAttribute(atom.attribute, &context);
    ASSERT_TRUE(attribute) << atom.attribute;
    auto interface = dyn_cast<sftile::AtomInterface>(attribute);
    ASSERT_TRUE(interface) << atom.attribute;
    EXPECT_EQ(interface.getInstruction(), atom.instruction) << atom.attribute;
    if (!atom.name)
      continue;
    bool has = false;
    for (llvm::StringRef name : handled) {
      name.consume_front("asm:");
      has |= name.starts_with(atom.name);
    }
    EXPECT_TRUE(has) << atom.attribute << " emits '" << atom.name
                     << "', which has no handler in lib/Simulator";
    bool probed = kernels.find(atom.name) != std::string::npos;
    EXPECT_TRUE(probed) << atom.attribute << " emits '" << atom.name
                        << "', which no probe of test/Simulator/Golden "
                           "executes";
  }
}

} // namespace
