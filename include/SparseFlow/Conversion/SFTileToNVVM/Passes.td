//===- Passes.td - From tiles to instructions ---------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES
#define SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertSFTileToNVVM
    : Pass<"convert-sftile-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turns tiles into registers, addresses and instructions";
  let description = [{
    Views become a pointer and bounds, shared tiles pointers, fragments one SSA
    value for each 32-bit register of a lane. Every operation becomes integer
    arithmetic plus what its atom emits. Roles become branches on the warp
    number, or nothing if the kernel has one role.

    Before:

    ```mlir
    %a = sftile.load %tile[%row, %c0] by (#sftile.ldmatrix)
        : !sftile.tile<128x64xf16, swizzled> -> !sftile.frag<16x16xf16, #layout>
    ```

    After (addresses left out):

    ```mlir
    %0 = nvvm.ldmatrix %address {num = 4 : i32, ...}
        : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def SFTileTensorMapParameters
    : Pass<"sftile-tensor-map-parameters", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Passes tensor maps by value";
  let description = [{
    Runs when kernels are functions of the llvm dialect. `sftile.tensor_maps`
    names the parameters that are tensor maps: pointers so far, they become
    constant copies of 128 bytes in the parameters of the launch.

    ```mlir
    llvm.func @kernel(%map: !llvm.ptr) attributes {nvvm.kernel,
        sftile.tensor_maps = array<i64: 0>}
    // becomes
    llvm.func @kernel(%map: !llvm.ptr {llvm.align = 64 : i64,
        llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // SPARSEFLOW_CONVERSION_SFTILETONVVM_PASSES
