//===- Fibre.cpp - Stacks to run threads on, and switching them -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine/Fibre.h"

#include <cstdlib>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define __asan_unpoison_memory_region(address, size)                           \
  (static_cast<void>(address), static_cast<void>(size))
#endif

using namespace mlir::sparseflow::sim;

// The System V ABI: a callee keeps rbx, rbp and r12 to r15. The floating-point
// control words are the same in all threads and stay as they are.
#if defined(__x86_64__)
asm(R"(
.text
.globl sparseflow_sim_switch
.hidden sparseflow_sim_switch
.type sparseflow_sim_switch,@function
sparseflow_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size sparseflow_sim_switch,.-sparseflow_sim_switch
)");
#else
// Simulator::create refuses other processors, so nothing gets here.
extern "C" void sparseflow_sim_switch(void **, void *) { std::abort(); }
#endif

Stacks::~Stacks() {
  if (memory)
    ::munmap(memory, stride * capacity);
}

bool Stacks::reserve(unsigned count) {
  if (count <= capacity)
    return true;
  if (memory)
    ::munmap(memory, stride * capacity);
  memory = nullptr;
  capacity = 0;
  void *mapped = ::mmap(nullptr, stride * count, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return false;
  memory = static_cast<uint8_t *>(mapped);
  capacity = count;
  for (unsigned i = 0; i < count; ++i)
    if (::mprotect(memory + stride * i, 4096, PROT_NONE) != 0)
      return false;
  return true;
}

void *Stacks::prepare(unsigned index, void (*entry)()) {
  // Frames that were abandoned have left their red zones.
  __asan_unpoison_memory_region(memory + stride * index + 4096, stride - 4096);
  // Threads run the same code, so their frames lie equally deep. Without a
  // stagger all of them would fall into the same sets of the caches.
  size_t stagger = (index * size_t(1088)) % 32768;
  auto *top = reinterpret_cast<uint64_t *>(memory + stride * (index + 1) - 64 -
                                           stagger / 64 * 64);
  *--top = 0; // where a return address would be: keeps the alignment
  *--top = reinterpret_cast<uint64_t>(entry);
  for (int i = 0; i < 6; ++i)
    *--top = 0;
  return top;
}

bool Stacks::contains(unsigned index, uint64_t address) const {
  uint64_t base = reinterpret_cast<uint64_t>(memory) + stride * index;
  return address >= base + 4096 && address < base + stride;
}
