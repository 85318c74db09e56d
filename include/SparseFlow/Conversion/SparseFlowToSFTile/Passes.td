//===- Passes.td - From tensors to tiles --------------------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES
#define SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES

include "mlir/Pass/PassBase.td"

def SparseFlowSelectSchedule : Pass<"sparseflow-select-schedule"> {
  let summary = "Attaches the schedules of its kernels to every operation";
  let description = [{
    Looks every matmul and elementwise operation up in the schedule table and
    attaches what it finds as `sftile.schedules`: one schedule for each class of
    token numbers that the operation can meet, smallest class first. An
    operation that carries the attribute already keeps it. One that carries
    `sftile.avoid_schedules = ["sm90a.sparse.large"]` gets other rows than
    those: the compiler says so where ptxas spilled registers of such a kernel.

    With `dense-forms`, a matmul with a packed weight gets `sftile.dense_schedules`
    too: those of kernels that read the same weight row-major, from a buffer that
    the caller or the runtime has beside the packed one.

    Before:

    ```mlir
    %y = sparseflow.matmul %x, %w { ... } {storage = ...} : ...
    ```

    After:

    ```mlir
    %y = sparseflow.matmul %x, %w { ... } {storage = ...,
        sftile.schedules = [#sftile.schedule<"sm90.sparse.small", ...>,
                            #sftile.schedule<"sm90.sparse.large", ...>]} : ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "the target whose rows are read">,
    Option<"scheduleFile", "schedule-file", "std::string", "\"\"",
           "a table to read in place of the built-in one">,
    Option<"calibration", "calibration", "std::string", "\"\"",
           "constants of the cost model, whatever the GPU is: a name or a file">,
    Option<"gpu", "gpu", "std::string", "\"\"",
           "the GPU that kernels are for, as its driver calls it; which constants "
           "are taken where none are named">,
    Option<"denseForms", "dense-forms", "bool", "false",
           "schedules for the dense form of packed weights, too">
  ];
  let dependentDialects = ["::mlir::sftile::SFTileDialect"];
}

def ConvertSparseFlowToSFTile
    : Pass<"convert-sparseflow-to-sftile", "::mlir::ModuleOp"> {
  let summary = "Turns functions into kernels and a list of launches";
  let description = [{
    Generates the kernels of every operation into one `gpu.module` and replaces
    each function by its host form: pointers of arguments, results and
    workspace, one size for each symbol, and launches behind guards. An
    operation has a variant for each of its schedules and, behind them, one that
    makes no assumption about alignment; the first whose guards hold is
    launched.

    Before:

    ```mlir
    func.func @f(%x: tensor<?x384xf16>, %w: tensor<...xi8>) -> tensor<?x1536xf16> {
      %y = sparseflow.matmul %x, %w { ... } ...
      return %y : tensor<?x1536xf16>
    }
    ```

    After:

    ```mlir
    gpu.module @kernels {
      gpu.func @f_0_a(...) kernel { ... }
    }
    func.func @f(%x: !llvm.ptr<1>, %w: !llvm.ptr<1>, %y: !llvm.ptr<1>,
                 %workspace: !llvm.ptr<1>, %T: i64) -> i64 {
      scf.if %small { gpu.launch_func @kernels::@f_0_a ... } else { ... }
      return %bytes : i64
    }
    ```
  }];
  let options = [
    Option<"computeCapability", "compute-capability", "unsigned", "80",
           "the target's compute capability, as major * 10 + minor">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::sftile::SFTileDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // SPARSEFLOW_CONVERSION_SPARSEFLOWTOSFTILE_PASSES
