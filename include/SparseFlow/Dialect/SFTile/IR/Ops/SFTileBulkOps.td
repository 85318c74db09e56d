//===- SFTileBulkOps.td - Tensor maps and bulk copies -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations for targets whose TMA moves boxes of a tensor: how it is told about
// tensors, and how results leave through it. Included by SFTileOps.td.
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

    TMA asks for a base that is a multiple of 16 bytes, for strides that
    are, and for boxes of at most 256 in each dimension. All extents of the box
    but the first may be values.

    ```mlir
    %map = sftile.tensor_map %x sizes [%k, %tokens] strides [%pitch]
        box [64, 128] swizzle 128 : f16
    ```

    ```mlir
    %rest = sftile.tensor_map %x sizes [%k, %tokens] strides [%pitch]
        box [64, %rows] swizzle 128 : f16
    ```
  }];
  let arguments = (ins SFTile_GlobalPointer:$pointer, Variadic<I64>:$sizes,
                       Variadic<I64>:$strides, Variadic<I64>:$extents,
                       DenseI64ArrayAttr:$box, I64Attr:$swizzle,
                       TypeAttr:$elementType);
  let results = (outs LLVM_PointerInAddressSpace<0>:$map);
  let assemblyFormat = [{
    $pointer `sizes` `[` $sizes `]` `strides` `[` $strides `]`
    `box` custom<DynamicIndexList>($extents, $box)
    `swizzle` $swizzle attr-dict `:` $elementType
  }];
  let hasVerifier = 1;
}

def SFTile_DenseFormOp : SFTile_Op<"dense_form", [Pure]> {
  let summary = "Where the dense form of a packed weight is";
  let description = [{
    Stands in the host program: the address of the row-major elements of the
    weight that `packed`, an argument, points to. Whoever launches has to have
    it beside the packed one; a branch that uses it is not taken elsewhere.

    ```mlir
    %dense = sftile.dense_form %w
    ```
  }];
  let arguments = (ins SFTile_GlobalPointer:$packed);
  let results = (outs SFTile_GlobalPointer:$result);
  let assemblyFormat = "$packed attr-dict";
}

//===----------------------------------------------------------------------===//
// Epilogue staging
//===----------------------------------------------------------------------===//

def SFTile_TmaStoreOp : SFTile_Op<"tma_store"> {
  let summary = "Starts a copy from shared to global memory";
  let description = [{
    Once every warp that shares the tile (`shared`) has come this far, one thread
    starts the copy to (`row`, `col`) of the view, a group of its own, for which
    `wait_group` can wait. Elements outside are left out.

    ```mlir
    sftile.tma_store %box to %out[%row, %col] by (#sftile.tma)
        : !sftile.tile<64x64xf16, swizzled> to !sftile.view<f16, tensor_map>
    ```
  }];
  let arguments = (ins SFTile_TileType:$tile,
                       SFTile_ViewType:$view, I64:$row, I64:$col,
                       SFTile_CopyAtomInterface:$atom);
  let assemblyFormat = [{
    $tile `to` $view `[` $row `,` $col `]` `by` `(` $atom `)` attr-dict
    `:` type($tile) `to` type($view)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Between blocks of a cluster
//===----------------------------------------------------------------------===//

def SFTile_DsmemExchangeOp : SFTile_Op<"dsmem_exchange"> {
  let summary = "Gives fragments to another block and takes that block's";
  let description = [{
    The same warps of two blocks of a cluster execute it, each naming the
    other's rank in the cluster. The results are what the other block has
    `given`. Fragments travel through the memory of `ring` (distributed shared
    memory) from byte `offset` on. The ring must be used up: no position of it is
    filled afterwards. All blocks of the cluster execute it in step, and meet
    before one of offset 0: nobody may still read what it overwrites. Others
    write behind the fragments of earlier ones.

    ```mlir
    %theirs:2 = sftile.dsmem_exchange %wide, %narrow with %partner via %ring at 4096
        : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>,
          !sftile.frag<16x128xf32, #c>, !sftile.frag<16x64xf32, #c>
          -> !sftile.frag<16x128xf32, #c>, !sftile.frag<16x64xf32, #c>
    ```
  }];
  let arguments = (ins Variadic<SFTile_FragType>:$given, Index:$partner,
                       SFTile_RingType:$ring, I64Attr:$offset);
  let results = (outs Variadic<SFTile_FragType>:$taken);
  let assemblyFormat = [{
    $given `with` $partner `via` $ring `at` $offset attr-dict
    `:` type($ring) `,` type($given) `->` type($taken)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes of the ring that it takes, for the warps of its role.
    int64_t getBytes();
  }];
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEBULKOPS
