//===- MessagesTest.cpp - What the simulator refuses ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include <sys/mman.h>

using namespace mlir::sparseflow::sim;

namespace {

void expectSays(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n  gave: " << text;
}

/// A kernel with this inline assembly, whose operand $0 is a number.
std::string refusalOf(const std::string &assembly,
                      const std::string &call = "\"r\"(i32 1)") {
  return TestKernel("define ptx_kernel void @k() {\n"
                    "  call void asm sideeffect \"" +
                    assembly + "\", " + call + "\n  ret void\n}\n")
      .refusal();
}

TEST(Messages, InlinePtx) {
  struct Case {
    const char *assembly, *message;
  };
  for (const Case &test : std::initializer_list<Case>{
           {"mov.u32", "operands"},
           {"mov.u32 ", "'mov.u32' with"},
           {".reg .u32 r; mov.u32 r,", "the text ends within an instruction"},
           {"mov.u32 ${0:x}, 1;", "a modifier of an operand, at ':x}, 1;'"},
           {"mov.u32 $7, 1;", "there is no operand $7"},
           {"mov.u32 $0, 1q;", "expected a number, found '1q;'"},
           {"mov.u32 $0, *;", "expected a register or a number, found '*;'"},
           {"mov.u32 $0, %frob;",
            "the register '%frob', which the simulator does not know"},
           {"mov.u32 $0, s;", "the register 's', which is not declared"},
           {"mov.u32 [$0;", "expected ']', found ';'"},
           {"mov.u32 {$0;", "expected '}', found ';'"},
           {"@$0;", "expected an instruction after a guard"},
           {"bra;", "expected a label after 'bra'"},
           {"mov.u32 $0, 1 2;", "expected ';' after 'mov.u32', found '2;'"},
           {"*;", "'*;', which is no statement"},
           {".reg r;", "expected a type after .reg"},
           {".reg .u32 ;", "expected a name after .reg"},
           {".reg .u32 r", "expected ';' after .reg"},
           {"bra away;", "a branch to 'away', which is no label"},
           {".reg .u32 r<3000>;", "more than 2000 registers and numbers"},
           {"frob.u32 $0;", "the simulator does not know 'frob.u32'"},
       })
    expectSays(refusalOf(test.assembly), test.message);
  expectSays(refusalOf("mov.u32 $0, 1;", "\"*m\"(ptr elementtype(i32) null)"),
             "operands in memory and labels are not supported");
  expectSays(refusalOf("mov.b128 $0, $0;", "\"q\"(i128 1)"),
             "operands of more than 8 bytes are not supported");
}

TEST(Messages, Launches) {
  TestKernel kernel("define ptx_kernel void @k() \"nvvm.maxntid\"=\"64\" {\n"
                    "  ret void\n}\n");
  expectSays(kernel.refusal({1, 70000, 1}),
             "expected a grid of 1 to 2147483647 x 65535 x 65535 blocks, found "
             "1 x 70000 x 1");
  expectSays(kernel.refusal({}, {2048, 1, 1}),
             "expected 1 to 1024 threads in a block, found 2048");
  expectSays(kernel.refusal({}, {128, 1, 1}),
             "expected at most 64 threads in a block, for which the kernel was "
             "compiled, found 128");
  expectSays(TestKernel("define ptx_kernel void @k() "
                        "\"nvvm.cluster_dim\"=\"64\" {\n  ret void\n}\n")
                 .refusal({64, 1, 1}),
             "expected clusters of at most");
  SimulatorOptions options;
  options.sharedLimit = 1 << 20;
  expectSays(
      TestKernel("@shared = external addrspace(3) global [0 x i8]\n"
                 "define ptx_kernel void @k() {\n"
                 "  store i8 0, ptr addrspace(3) @shared\n"
                 "  ret void\n}\n",
                 options)
          .refusal({}, {}, 256 << 10),
      "expected shared memory that fits the simulator's window of 262144 "
      "bytes, found 26");
}

TEST(Messages, Modules) {
  // Where a thread's shared memory lies is known when it runs, not before.
  expectSays(TestKernel("@shared = internal addrspace(3) global i32 poison\n"
                        "@table = internal constant [1 x ptr addrspace(3)] "
                        "[ptr addrspace(3) @shared]\n"
                        "define ptx_kernel void @k() {\n"
                        "  %p = load volatile ptr addrspace(3), ptr @table\n"
                        "  ret void\n}\n")
                 .refusal(),
             "the address of the shared variable 'shared' is stored in a "
             "constant, which the simulator cannot follow; compute it in the "
             "kernel");
  // Tokens of convergence need attributes that hold for GPUs alone.
  expectSays(TestKernel("declare token @llvm.experimental.convergence.entry()\n"
                        "define ptx_kernel void @k() convergent {\n"
                        "  %t = call token "
                        "@llvm.experimental.convergence.entry()\n"
                        "  ret void\n}\n")
                 .refusal(),
             "the simulator made invalid code of kernel 'k': Entry intrinsic "
             "can occur only in a convergent function");
  // A remainder is a call of the C library on this machine.
  expectSays(TestKernel("define ptx_kernel void @k(float %x) {\n"
                        "  %y = frem float %x, 3.0\n"
                        "  %p = alloca float\n"
                        "  store volatile float %y, ptr %p\n"
                        "  ret void\n}\n")
                 .value(1)
                 .refusal(),
             "kernel 'k' does not link, for it calls more than the simulator "
             "offers: Symbols not found: [ fmodf ]");
}

// Pointers to shared memory have 32 bits: it lies between 1 and 4 GiB.
TEST(Messages, NoMemoryForSharedMemory) {
  constexpr uint64_t bytes = 1 << 20, end = uint64_t(4) << 30;
  std::vector<void *> taken;
  for (uint64_t at = uint64_t(1) << 30; at < end; at += bytes) {
    void *place = ::mmap(reinterpret_cast<void *>(at), bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE |
                             MAP_NORESERVE,
                         -1, 0);
    if (place != MAP_FAILED)
      taken.push_back(place);
  }
  std::string refusal =
      TestKernel("define ptx_kernel void @k() {\n  ret void\n}\n").refusal();
  for (void *place : taken)
    ::munmap(place, bytes);
  expectSays(refusal, "the simulator found no free memory between 1 and 4 GiB "
                      "for shared memory");
}

TEST(Messages, OtherMachines) {
  llvm::LLVMContext context;
  llvm::Module module("kernels", context);
  auto made = Simulator::create(module);
#if defined(__x86_64__)
  EXPECT_TRUE(bool(made)) << llvm::toString(made.takeError());
#else
  ASSERT_FALSE(bool(made));
  expectSays(llvm::toString(made.takeError()),
             "the simulator switches between threads on x86-64 only; run with "
             "--device cpu here");
#endif
}

} // namespace
