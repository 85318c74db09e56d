//===- SFTileSyncOps.td - Meeting others -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How threads, blocks of a cluster and kernels wait for one another. Included by
// SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESYNCOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESYNCOPS

def SFTile_SharedPointer : LLVM_PointerInAddressSpace<3>;
def SFTile_ClusterPointer : LLVM_PointerInAddressSpace<7>;

def SFTile_BarrierScope : I32EnumAttr<"BarrierScope", "which threads meet", [
    I32EnumAttrCase<"Warp", 0, "warp">,
    I32EnumAttrCase<"Threads", 1, "threads">,
    I32EnumAttrCase<"Cluster", 2, "cluster">,
    I32EnumAttrCase<"Role", 3, "role">]> {
  let cppNamespace = "::mlir::sftile";
}

def SFTile_BarrierOp : SFTile_Op<"barrier"> {
  let summary = "Waits for the warp, warps of the block, the role or the cluster";
  let description = [{
    Shared memory that one of them wrote before it all of them see behind it.
    `threads` meet at the block's barrier `number`, from 1 to 15, of which each
    group of warps has its own; `gpu.barrier`, which is number 0, is for all
    threads of the block. Blocks of a cluster meet before they read each other's
    shared memory, and again before they end. Behind the barrier of a `role`,
    whose number only the lowering knows, also the asynchronous MMAs and copies
    that its warps start see what any of them wrote. What stands beside a role's
    body is a role of one warp there.

    ```mlir
    sftile.barrier warp
    sftile.barrier threads(%number of 64)
    sftile.barrier cluster
    sftile.barrier role
    ```
  }];
  let arguments = (ins SFTile_BarrierScope:$scope, Optional<I32>:$number,
                       OptionalAttr<I64Attr>:$threads);
  let builders = [OpBuilder<(ins "BarrierScope":$scope), [{
    build($_builder, $_state, scope, ::mlir::Value(), ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "$scope (`(` $number^ `of` $threads `)`)? attr-dict";
  let hasVerifier = 1;
}

def SFTile_GriddepAction
    : I32EnumAttr<"GriddepAction", "what a kernel does about others", [
    I32EnumAttrCase<"Wait", 0, "wait">,
    I32EnumAttrCase<"LaunchDependents", 1, "launch_dependents">]> {
  let cppNamespace = "::mlir::sftile";
}

def SFTile_GriddepOp : SFTile_Op<"griddep"> {
  let summary = "Programmatic dependent launch: waits for kernels, or starts them";
  let description = [{
    `wait`: until the kernels before this one have ended and their writes are
    seen. Before it a kernel must not touch global memory that one of them
    writes. `launch_dependents`: once all blocks have executed it, or ended, the
    next kernel may start; its own wait is still for the end of this one.

    ```mlir
    sftile.griddep launch_dependents
    sftile.griddep wait
    ```
  }];
  let arguments = (ins SFTile_GriddepAction:$action);
  let assemblyFormat = "$action attr-dict";
}

def SFTile_AddressOp : SFTile_Op<"address", [Pure, InferTypeOpAdaptor]> {
  let summary = "Where shared memory of this or another block lies";
  let description = [{
    Where a tile begins, for threads that write elements to it which are no
    fragment: `sftile.barrier role` shows them to asynchronous MMAs. With `rank`,
    where that block of the cluster has what `memory` is here (DSMEM).

    ```mlir
    %place = sftile.address %tile : !sftile.tile<384x128xi8, swizzled>
    %theirs = sftile.address %shared of %rank : !llvm.ptr<3>
    ```
  }];
  let arguments = (ins AnyTypeOf<[SFTile_TileType, SFTile_SlotType,
                                  SFTile_SharedPointer]>:$memory,
                       Optional<I32>:$rank);
  let results = (outs AnyTypeOf<[SFTile_SharedPointer,
                                 SFTile_ClusterPointer]>:$pointer);
  let assemblyFormat = "$memory (`of` $rank^)? attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILESYNCOPS
