//===- SFTilePipelineOps.td - Roles and stages -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles of a kernel, and the stages that they exchange. Included by SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPIPELINEOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPIPELINEOPS

def SFTile_RoleOp : SFTile_Op<"role", [NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "What some warps of the block do";
  let description = [{
    The body is executed by `warps` consecutive warps. Roles take their warps in
    the order in which they stand in the kernel, and together they must account
    for every warp of the block. A ring may be filled and read by one role, or
    filled by one and read by others: a stage is free when all of them have
    released it.

    With `leader` one thread of the first warp executes the body: it starts bulk
    copies, which need no more. `registers` is what each thread may have while
    the role runs; warps come and go with registers by fours, so the number of
    warps is a multiple of four then. The second warp of a role with a leader
    has nothing to do but what stands `beside` the body, which uses no ring.

    ```mlir
    sftile.role "multiply" warps 8 registers 232 {
      %warp = sftile.warp_id
    }
    ```

    ```mlir
    sftile.role "copy" warps 4 leader registers 24 {
    } beside {
      sftile.barrier role
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$warps, UnitAttr:$leader,
                       OptionalAttr<I64Attr>:$registers);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$beside);
  let assemblyFormat = [{
    $name `warps` $warps (`leader` $leader^)? (`registers` $registers^)? $body
    (`beside` $beside^)? attr-dict
  }];
  let hasVerifier = 1;
}

def SFTile_AcquireOp : SFTile_Op<"acquire"> {
  let summary = "Waits until a stage may be filled";
  let description = [{
    The stage is number `position` modulo the length of the ring; positions
    count up from zero and each is acquired, committed, waited for and released
    once. The result is writable memory, one slot for each tile of the ring.

    ```mlir
    %slot = sftile.acquire %ring[%i]
        : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
        -> !sftile.slot<128x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_RingType:$ring, Index:$position);
  let results = (outs Variadic<SFTile_SlotType>:$slots);
  let builders = [
    // With a slot for each tile of the ring.
    OpBuilder<(ins "::mlir::Value":$ring, "::mlir::Value":$position), [{
      ::llvm::SmallVector<::mlir::Type> slots;
      for (TileType tile :
           ::llvm::cast<RingType>(ring.getType()).getTiles())
        slots.push_back(SlotType::get(tile.getContext(), tile.getShape(),
                                      tile.getElementType(), tile.getOrder()));
      build($_builder, $_state, slots, ring, position);
    }]>,
  ];
  let assemblyFormat =
      "$ring `[` $position `]` attr-dict `:` type($ring) `->` type($slots)";
  let hasVerifier = 1;
}

def SFTile_CopyOp : SFTile_Op<"copy"> {
  let summary = "Copies a tile from global memory into a slot";
  let description = [{
    All warps of the role take part. The tile starts at (`row`, `col`) of the
    view. Elements outside a row-major view become zero. For packed views
    `row` and `col` count units, and rows of units past the end repeat the last
    one: they hold valid metadata, and their products are never stored. A
    tensor map may describe packed weights too, for a slot in their order: two
    dimensions inside a unit, then columns and rows of units, none past the end.

    The copy is part of the stage's group: it is complete when `wait` returns
    the stage. `rows_in_bounds` and `cols_in_bounds` promise that no row or no
    column of the tile lies outside, so that nothing is tested.

    A bulk atom makes it one thread's work, in a role with a `leader`. With
    `shared_by` the blocks of the cluster, that many, execute the same copy, and
    each fetches its part of the rows for all.

    `rows` is for the last tile of a tensor map, whose box has that many rows, a
    multiple of 8 and no more than the slot: of each block's part, if blocks
    share the copy. The other rows of the slot keep what they held, which must
    not matter, and no time goes into filling them. 0 rows are no copy, which
    the kernel has to leave out. The value is defined before the slot is
    acquired: the stage then expects that many bytes.

    `piece` i `of` n fills one of n equal parts of the slot's rows, number i, a multiple
    of 8 rows, from a tensor map whose box has as many. The other parts are copied
    too, from other places.

    `read_once` lets the L2 cache give up first what a tensor map's box brings:
    who reads it too does so at about the same time.

    ```mlir
    sftile.copy %x[%token, %k] to %slot by (#sftile.cp_async<16>)
        : !sftile.view<f16, row_major> to !sftile.slot<128x64xf16, swizzled>
    ```

    ```mlir
    sftile.copy %m[%token, %k] to %slot by (#sftile.tma) shared_by 2
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    ```

    ```mlir
    sftile.copy %rest[%token, %k] to %slot rows %rows by (#sftile.tma)
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    ```

    ```mlir
    sftile.copy %page[%row, %k] to %slot by (#sftile.tma) piece 1 of 2
        : !sftile.view<f16, tensor_map> to !sftile.slot<128x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_ViewType:$view, I64:$row, I64:$col,
                       SFTile_SlotType:$slot, Optional<I64>:$rows,
                       SFTile_AtomInterface:$atom, OptionalAttr<I64Attr>:$sharedBy,
                       UnitAttr:$rows_in_bounds, UnitAttr:$cols_in_bounds,
                       OptionalAttr<I64Attr>:$piece, OptionalAttr<I64Attr>:$pieces,
                       UnitAttr:$read_once);
  let builders = [
    // Of a whole slot.
    OpBuilder<(ins "::mlir::Value":$view, "::mlir::Value":$row,
                   "::mlir::Value":$col, "::mlir::Value":$slot,
                   "::mlir::Value":$rows, "AtomInterface":$atom,
                   "::mlir::IntegerAttr":$sharedBy,
                   "::mlir::UnitAttr":$rowsInBounds,
                   "::mlir::UnitAttr":$colsInBounds), [{
      build($_builder, $_state, view, row, col, slot, rows, atom, sharedBy,
            rowsInBounds, colsInBounds, ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr(), ::mlir::UnitAttr());
    }]>];
  let assemblyFormat = [{
    $view `[` $row `,` $col `]` `to` $slot (`rows` $rows^)? `by` `(` $atom `)`
    (`shared_by` $sharedBy^)? (`rows_in_bounds` $rows_in_bounds^)? (`cols_in_bounds` $cols_in_bounds^)?
    (`piece` $piece^ `of` $pieces)? (`read_once` $read_once^)? attr-dict
    `:` type($view) `to` type($slot)
  }];
  let hasVerifier = 1;
}

def SFTile_CommitOp : SFTile_Op<"commit"> {
  let summary = "Ends the filling of a stage";
  let description = [{
    A stage with nothing to copy is committed too: the reading side counts.

    Of a stage that warps fill, `shared_by` blocks of a cluster may each store
    as many rows, those of their rank, and each warp of a block as many of these.
    What a warp has stored is then copied to the same place of the others.

    ```mlir
    sftile.commit %ring[%i] : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    sftile.commit %ring[%i] shared_by 2
        : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    ```
  }];
  let arguments = (ins SFTile_RingType:$ring, Index:$position,
                       OptionalAttr<I64Attr>:$sharedBy);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ring, "::mlir::Value":$position), [{
      build($_builder, $_state, ring, position, ::mlir::IntegerAttr());
    }]>];
  let assemblyFormat = [{
    $ring `[` $position `]` (`shared_by` $sharedBy^)? attr-dict `:` type($ring)
  }];
}

def SFTile_WaitOp : SFTile_Op<"wait"> {
  let summary = "Waits until a stage has been filled";
  let description = [{
    The result is readable memory. When filler and reader are one role, `wait`
    also is the point at which every warp has finished with the previous stage.

    ```mlir
    %tile = sftile.wait %ring[%i]
        : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
        -> !sftile.tile<128x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_RingType:$ring, Index:$position);
  let results = (outs Variadic<SFTile_TileType>:$tiles);
  let assemblyFormat =
      "$ring `[` $position `]` attr-dict `:` type($ring) `->` type($tiles)";
  let hasVerifier = 1;
}

def SFTile_ReleaseOp : SFTile_Op<"release"> {
  let summary = "Gives a stage back to be filled again";
  let description = [{
    ```mlir
    sftile.release %ring[%i] : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    ```
  }];
  let arguments = (ins SFTile_RingType:$ring, Index:$position);
  let assemblyFormat = "$ring `[` $position `]` attr-dict `:` type($ring)";
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEPIPELINEOPS
