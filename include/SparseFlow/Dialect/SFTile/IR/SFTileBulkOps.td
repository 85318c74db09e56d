//===- SFTileBulkOps.td - Tensor maps and bulk copies -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations for machines whose TMA moves boxes of a tensor: how the
// engine is told about tensors, and how results leave through it. Included by
// SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBULKOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBULKOPS

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

def SFTile_TensorMapOp : SFTile_Op<"tensor_map", [AttrSizedOperandSegments]> {
  let summary = "Describes a tensor in global memory to TMA";
  let description = [{
    Stands in the host program; the result is passed to a kernel, by value.
    `sizes` and `box` count elements, the fastest dimension first, `strides`
    bytes from one index of each further dimension to the next. A copy moves a
    box; with `swizzle` bytes other than 0 its rows are that long, and their
    16-byte chunks are exchanged as in a `swizzled` tile.

    The machine asks for a base that is a multiple of 16 bytes, for strides that
    are, and for boxes of at most 256 in each dimension.

    ```mlir
    %map = sftile.tensor_map %x sizes [%k, %tokens] strides [%pitch]
        box [64, 128] swizzle 128 : f16
    ```
  }];
  let arguments = (ins SFTile_GlobalPointer:$pointer, Variadic<I64>:$sizes,
                       Variadic<I64>:$strides, DenseI64ArrayAttr:$box,
                       I64Attr:$swizzle, TypeAttr:$elementType);
  let results = (outs LLVM_PointerInAddressSpace<0>:$map);
  let assemblyFormat = [{
    $pointer `sizes` `[` $sizes `]` `strides` `[` $strides `]` `box` $box
    `swizzle` $swizzle attr-dict `:` $elementType
  }];
  let hasVerifier = 1;
}

def SFTile_MappedViewOp : SFTile_Op<"mapped_view", [Pure]> {
  let summary = "A matrix that a tensor map describes";
  let description = [{
    The parameter of a kernel as a view. Bounds and pitch are in the map; only
    copies by a tensor atom can move it. Of a tensor with more than two
    dimensions it is the matrix at the indices `at`, the third dimension's
    first: boxes end where the matrix ends, and not in the next one.

    ```mlir
    %x = sftile.mapped_view %map : !sftile.view<f16, tensor_map>
    %k = sftile.mapped_view %map at [%head, %batch] : !sftile.view<f16, tensor_map>
    ```
  }];
  let arguments = (ins LLVM_PointerInAddressSpace<0>:$map, Variadic<I64>:$at);
  let results = (outs SFTile_ViewType:$view);
  let builders = [OpBuilder<(ins "::mlir::Type":$view, "::mlir::Value":$map), [{
    build($_builder, $_state, view, map, ::mlir::ValueRange());
  }]>];
  let assemblyFormat = [{
    $map (`at` `[` $at^ `]`)? attr-dict `:` type($view)
  }];
  let hasVerifier = 1;
}

def SFTile_GridDependencyOp : SFTile_Op<"grid_dependency"> {
  let summary = "Waits for the kernels before this one";
  let description = [{
    Before it a kernel must not touch global memory: launched programmatically,
    it may run while its predecessors still do. It also lets the next kernel
    come that far.

    ```mlir
    sftile.grid_dependency
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Results that leave through shared memory
//===----------------------------------------------------------------------===//

def SFTile_OutboxOp : SFTile_Op<"outbox"> {
  let summary = "A tile in shared memory from which results leave";
  let description = [{
    Each group of `sharers` consecutive warps of the role, `warps` in all, has
    one of its own. It is filled by `put`, leaves by `send`, and may be filled
    again after `reclaim`. `offset`, in bytes, is filled in by
    `sftile-assign-shared-memory`.

    ```mlir
    %box = sftile.outbox warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
    ```
  }];
  let arguments = (ins I64Attr:$warps, I64Attr:$sharers,
                       OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<SFTile_TileType, "", [MemAlloc]>:$tile);
  let assemblyFormat =
      "`warps` $warps `sharers` $sharers attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def SFTile_ReclaimOp : SFTile_Op<"reclaim"> {
  let summary = "Waits until an outbox may be filled again";
  let description = [{
    All but the last `leaving` boxes that the sharers have sent have been read,
    and every sharer has come this far.

    ```mlir
    sftile.reclaim %box leaving 1 by (#sftile.tma)
        : !sftile.tile<64x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_TileType:$tile,
                       DefaultValuedAttr<I64Attr, "0">:$leaving,
                       SFTile_TensorStoreAtomInterface:$atom);
  let assemblyFormat = [{
    $tile (`leaving` $leaving^)? `by` `(` $atom `)` attr-dict `:` type($tile)
  }];
}

def SFTile_PutOp : SFTile_Op<"put"> {
  let summary = "Writes a fragment into an outbox";
  let description = [{
    Transposed: element (r, c) of the fragment goes to (`row` + c, `col` + r).

    ```mlir
    sftile.put %y to %box[%token, %feature] by (#sftile.stmatrix)
        : !sftile.frag<16x16xf16, #c> to !sftile.tile<64x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_FragType:$frag,
                       SFTile_TileType:$tile, Index:$row,
                       Index:$col,
                       OptionalAttr<SFTile_MatrixStoreAtomInterface>:$atom);
  let assemblyFormat = [{
    $frag `to` $tile `[` $row `,` $col `]` (`by` `(` $atom^ `)`)? attr-dict
    `:` type($frag) `to` type($tile)
  }];
  let hasVerifier = 1;
}

def SFTile_SendOp : SFTile_Op<"send"> {
  let summary = "Starts the way of an outbox to global memory";
  let description = [{
    Once every sharer has come this far, one thread starts the copy to (`row`,
    `col`) of the view. Elements outside are left out.

    ```mlir
    sftile.send %box to %out[%row, %col] by (#sftile.tma)
        : !sftile.tile<64x64xf16, swizzled> to !sftile.view<f16, tensor_map>
    ```
  }];
  let arguments = (ins SFTile_TileType:$tile,
                       SFTile_ViewType:$view, I64:$row, I64:$col,
                       SFTile_TensorStoreAtomInterface:$atom);
  let assemblyFormat = [{
    $tile `to` $view `[` $row `,` $col `]` `by` `(` $atom `)` attr-dict
    `:` type($tile) `to` type($view)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Operands that arrive through shared memory
//===----------------------------------------------------------------------===//

def SFTile_TakeOp : SFTile_Op<"take"> {
  let summary = "Reads a fragment from a tile in which it lies transposed";
  let description = [{
    The reverse of `put`: element (r, c) of the fragment is at (`row` + c,
    `col` + r).

    ```mlir
    %r = sftile.take %tile[%token, %feature] by (#sftile.ldmatrix)
        : !sftile.tile<32x64xf16, swizzled> -> !sftile.frag<16x16xf16, #c>
    ```
  }];
  let arguments = (ins Arg<SFTile_TileType, "", [MemRead]>:$tile, Index:$row,
                       Index:$col,
                       OptionalAttr<SFTile_MatrixLoadAtomInterface>:$atom);
  let results = (outs SFTile_FragType:$frag);
  let assemblyFormat = [{
    $tile `[` $row `,` $col `]` (`by` `(` $atom^ `)`)? attr-dict
    `:` type($tile) `->` type($frag)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Between blocks of a cluster
//===----------------------------------------------------------------------===//

def SFTile_ExchangeOp : SFTile_Op<"exchange", [
    TypesMatchWith<"the fragments have one type", "mine", "theirs", "$_self">]> {
  let summary = "Gives a fragment to another block and takes its one";
  let description = [{
    The same warps of two blocks of a cluster execute it, each naming the
    other's number in the cluster. The fragments travel through the memory of
    `ring`, which must be used up: no position of it is filled afterwards. All
    blocks of the cluster execute their exchanges in step.

    ```mlir
    %theirs = sftile.exchange %mine with %partner via %ring
        : !sftile.frag<16x128xf32, #c>,
          !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    ```
  }];
  let arguments = (ins SFTile_FragType:$mine, Index:$partner,
                       SFTile_RingType:$ring);
  let results = (outs SFTile_FragType:$theirs);
  let assemblyFormat = [{
    $mine `with` $partner `via` $ring attr-dict `:` type($mine) `,` type($ring)
  }];
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBULKOPS
