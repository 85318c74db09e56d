//===- Passes.td - Passes on tiles --------------------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES
#define SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SFTileAssignResources
    : Pass<"sftile-assign-resources", "::mlir::ModuleOp"> {
  let summary = "Gives kernels their shared memory, registers and blocks of an SM";
  let description = [{
    Lays out the shared memory of each kernel, records its size on the kernel as
    `sftile.shared_bytes` and asks for as much at every launch. A kernel that
    needs more than a block may have on the target is an error that says how
    much each part takes.

    Where the first role of a kernel says how many registers its threads need,
    the others get what these leave. Where a kernel says what each of its threads
    needs, `sftile.thread_registers`, it becomes `nvvm.minctasm`: the blocks that
    an SM then holds beside their shared memory.

    `sftile-assign-shared-memory` is its name of before, for one version more.

    Before:

    ```mlir
    %ring = sftile.ring : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    %scratch = sftile.shared warps 8 sharers 1 overlaid : !sftile.tile<16x64xf16, swizzled>
    ```

    After:

    ```mlir
    %ring = sftile.ring {offset = 0 : i64} : !sftile.ring<4, [...]>
    %scratch = sftile.shared warps 8 sharers 1 overlaid {offset = 65536 : i64, stride = 2048 : i64} : !sftile.tile<...>
    ```
  }];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "232448",
           "the shared memory that a block may have, in bytes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SFTileMergeKernels : Pass<"sftile-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Makes one kernel of those that are equal";
  let description = [{
    Kernels of a `gpu.module` that differ in name and locations alone become the
    first of them, which carries the other names as `sftile.merged`; launches and
    tensor maps refer to it. Parameters, threads, schedule and every operation
    have to be equal. A remark counts them.

    Before:

    ```mlir
    gpu.module @kernels {
      gpu.func @f_0_a(%n: i64) kernel { gpu.return }
      gpu.func @f_1_a(%n: i64) kernel { gpu.return }
    }
    ...
    gpu.launch_func @kernels::@f_1_a ...
    ```

    After:

    ```mlir
    gpu.module @kernels {
      gpu.func @f_0_a(%n: i64) kernel attributes {sftile.merged = ["f_1_a"]} { gpu.return }
    }
    ...
    gpu.launch_func @kernels::@f_0_a ...
    ```
  }];
}

def SFTileVerifyTarget
    : Pass<"sftile-verify-target", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Refuses atoms that the target lacks";
  let description = [{
    LLVM aborts when it is asked for an instruction that a target does not have.
    This pass finds such an atom first and reports the operation, the
    instruction and the first compute capability that has it.
  }];
  let options = [
    Option<"computeCapability", "compute-capability", "unsigned", "80",
           "the target's compute capability, as major * 10 + minor; 0 if the "
           "target is not known, which is an error">,
    Option<"target", "target", "std::string", "\"\"",
           "the target's name, for messages">
  ];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_TRANSFORMS_PASSES
