//===- SFTileLoadStoreOps.td - Registers and memory -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two operations that move elements between the registers of a warp and
// memory, global or shared. Included by SFTileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILELOADSTOREOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILELOADSTOREOPS

def SFTile_Access : I32EnumAttr<"Access", "where in memory an element of a fragment is", [
    I32EnumAttrCase<"Direct", 0, "direct">,
    I32EnumAttrCase<"Transposed", 1, "transposed">,
    I32EnumAttrCase<"Row", 2, "row">,
    I32EnumAttrCase<"Col", 3, "col">,
    I32EnumAttrCase<"Scalar", 4, "scalar">,
    I32EnumAttrCase<"Registers", 5, "registers">,
    I32EnumAttrCase<"Interleaved", 6, "interleaved">]> {
  let description = [{
    An access begins at (`row`, `col`) of the memory. Element (r, c) of the
    fragment is at

    | access       | row       | column    | for                              |
    |--------------|-----------|-----------|----------------------------------|
    | `direct`     | row + r   | col + c   | the default                      |
    | `transposed` | row + c   | col + r   | features x tokens as tokens x features |
    | `row`        | row       | col + r   | a value for each row of the fragment |
    | `col`        | row + c   | col       | a value for each column          |
    | `scalar`     | row       | col       | one value for all                |
    | `interleaved`| row + r   | col + i(c) | what is read as it was written  |

    With `interleaved` each 16 columns stand in the order 0 1 8 9 2 3 10 11 4 5
    12 13 6 7 14 15, global memory only: of two neighbouring tiles of an
    accumulator a lane has four elements of a row side by side then.

    With `registers` memory is rows of 32 words, and register j of lane l is at
    (row + j, col + l), whatever element it holds: a fragment that another warp
    takes over, in the same lanes.
  }];
  let cppNamespace = "::mlir::sftile";
}

// Positions in a view are i64, those in a tile index.
class SFTile_PositionIn<string memory, string position>
    : TypesMatchWith<"a position in a view is i64, in a tile index", memory,
                     position, "::mlir::sftile::getPositionType($_self)">;

def SFTile_LoadOp : SFTile_Op<"load", [SFTile_PositionIn<"source", "row">,
                                       SFTile_PositionIn<"source", "col">]> {
  let summary = "Loads a fragment from memory";
  let description = [{
    From a tile in shared memory, inside which all of the fragment lies. `atom`
    loads whole matrices; without it every lane loads its elements by itself,
    vectors where they are adjacent. A value for each row (`row`) of f16 or bf16
    may become an f32. Values for columns (`col`) begin at a multiple of 8.

    ```mlir
    %b = sftile.load %tile[%row, %col] by (#sftile.ldmatrix)
        : !sftile.tile<128x64xf16, swizzled> -> !sftile.frag<64x32xf16, #layout_b>
    ```

    ```mlir
    %v = sftile.load transposed %values[%key, %c0] by (#sftile.ldmatrix)
        : !sftile.tile<64x64xf16, swizzled> -> !sftile.frag<16x16xf16, #b>
    ```

    ```mlir
    %scales = sftile.load row %tile[%group, %feature]
        : !sftile.tile<2x128xf16, row_major> -> !sftile.frag<16x1xf32, #rows>
    ```

    ```mlir
    %found = sftile.load registers %sums[%other, %c0]
        : !sftile.tile<16x32xf32, row_major> -> !sftile.frag<4x16xf32, #heads>
    ```

    From a view of global memory, whose rows have a pitch. Elements outside the
    view take the value of some element inside: nothing outside is read, and
    nothing that stands there is ever stored. Along a dimension in which the
    access does not move, the position lies inside. `width` is the most bytes
    that one load may move: pointer, pitch and the number of columns are
    multiples of it. `rows_in_bounds` and `cols_in_bounds` promise that no row or
    no column of the view that is accessed lies outside, so that nothing is
    tested.

    ```mlir
    %q = sftile.load %view[%query, %feature] width 4
        : !sftile.view<f16, row_major> -> !sftile.frag<16x64xf16, #a>
    ```

    ```mlir
    %bias = sftile.load row %b[%zero, %feature] width 16 cols_in_bounds
        : !sftile.view<f16, row_major> -> !sftile.frag<64x16xf16, #vector>
    ```
  }];
  let arguments = (ins
    Arg<AnyTypeOf<[SFTile_TileType, SFTile_ViewType]>, "", [MemRead]>:$source,
    AnyTypeOf<[Index, I64]>:$row, AnyTypeOf<[Index, I64]>:$col,
    DefaultValuedAttr<SFTile_Access, "::mlir::sftile::Access::Direct">:$access,
    OptionalAttr<I64Attr>:$width,
    OptionalAttr<SFTile_MatrixAtomInterface>:$atom,
    UnitAttr:$rows_in_bounds, UnitAttr:$cols_in_bounds);
  let results = (outs SFTile_FragType:$frag);
  let builders = [
    // From a tile.
    OpBuilder<(ins "::mlir::Type":$frag, "::mlir::Value":$tile,
                   "::mlir::Value":$row, "::mlir::Value":$col,
                   "Access":$access,
                   CArg<"MatrixAtomInterface", "{}">:$atom), [{
      build($_builder, $_state, frag, tile, row, col, access,
            ::mlir::IntegerAttr(), atom);
    }]>,
    OpBuilder<(ins "::mlir::Type":$frag, "::mlir::Value":$tile,
                   "::mlir::Value":$row, "::mlir::Value":$col,
                   CArg<"MatrixAtomInterface", "{}">:$atom), [{
      build($_builder, $_state, frag, tile, row, col, Access::Direct, atom);
    }]>,
    // From a view.
    OpBuilder<(ins "::mlir::Type":$frag, "::mlir::Value":$view,
                   "::mlir::Value":$row, "::mlir::Value":$col,
                   "Access":$access, "int64_t":$width,
                   CArg<"bool", "false">:$rowsInBounds,
                   CArg<"bool", "false">:$colsInBounds), [{
      build($_builder, $_state, frag, view, row, col, access,
            $_builder.getI64IntegerAttr(width), MatrixAtomInterface(),
            rowsInBounds, colsInBounds);
    }]>];
  let assemblyFormat = [{
    ($access^)? $source `[` $row `,` $col `]` (`width` $width^)?
    (`rows_in_bounds` $rows_in_bounds^)? (`cols_in_bounds` $cols_in_bounds^)?
    (`by` `(` $atom^ `)`)? attr-dict `:` type($source) `->` type($frag)
  }];
  let hasVerifier = 1;
}

def SFTile_StoreOp : SFTile_Op<"store", [
    SFTile_PositionIn<"destination", "row">,
    SFTile_PositionIn<"destination", "col">]> {
  let summary = "Stores a fragment to memory";
  let description = [{
    The way back of `load`, `direct`, `transposed` or as `registers`. Other lanes
    see what is stored in a tile that `shared` gave behind a barrier with them, and
    TMA when `tma_store` has met it. A slot is of a ring that another role reads:
    `commit` makes what all warps of the filling role have stored visible to it. In
    a tile of a ring that `wait` gave, a role overwrites what all its warps have read,
    and nobody else will: those that read the new bytes wait for another ring.

    ```mlir
    sftile.store transposed %y to %box[%token, %feature] by (#sftile.stmatrix)
        : !sftile.frag<16x16xf16, #c> to !sftile.tile<64x64xf16, swizzled>
    ```

    ```mlir
    sftile.store registers %sum to %sums[%warp, %c0]
        : !sftile.frag<4x16xf32, #heads> to !sftile.tile<16x32xf32, row_major>
    ```

    ```mlir
    sftile.store transposed %numbers to %slot[%key, %c0] by (#sftile.stmatrix)
        : !sftile.frag<8x64xf16, #b> to !sftile.slot<128x64xf16, swizzled>
    ```

    Elements outside a view are left out, and those that several lanes hold are
    stored by one of them.

    ```mlir
    sftile.store transposed %y to %view[%token, %feature] width 16
        : !sftile.frag<64x16xf16, #vector> to !sftile.view<f16, row_major>
    ```
  }];
  let arguments = (ins SFTile_FragType:$frag,
    Arg<AnyTypeOf<[SFTile_TileType, SFTile_SlotType, SFTile_ViewType]>, "",
        [MemWrite]>:$destination,
    AnyTypeOf<[Index, I64]>:$row, AnyTypeOf<[Index, I64]>:$col,
    DefaultValuedAttr<SFTile_Access, "::mlir::sftile::Access::Direct">:$access,
    OptionalAttr<I64Attr>:$width,
    OptionalAttr<SFTile_MatrixAtomInterface>:$atom,
    UnitAttr:$rows_in_bounds, UnitAttr:$cols_in_bounds);
  let builders = [
    // To a tile.
    OpBuilder<(ins "::mlir::Value":$frag, "::mlir::Value":$tile,
                   "::mlir::Value":$row, "::mlir::Value":$col,
                   CArg<"Access", "Access::Direct">:$access,
                   CArg<"MatrixAtomInterface", "{}">:$atom), [{
      build($_builder, $_state, frag, tile, row, col, access,
            ::mlir::IntegerAttr(), atom);
    }]>,
    // To a view.
    OpBuilder<(ins "::mlir::Value":$frag, "::mlir::Value":$view,
                   "::mlir::Value":$row, "::mlir::Value":$col,
                   "Access":$access, "int64_t":$width,
                   CArg<"bool", "false">:$rowsInBounds,
                   CArg<"bool", "false">:$colsInBounds), [{
      build($_builder, $_state, frag, view, row, col, access,
            $_builder.getI64IntegerAttr(width), MatrixAtomInterface(),
            rowsInBounds, colsInBounds);
    }]>];
  let assemblyFormat = [{
    ($access^)? $frag `to` $destination `[` $row `,` $col `]` (`width` $width^)?
    (`rows_in_bounds` $rows_in_bounds^)? (`cols_in_bounds` $cols_in_bounds^)?
    (`by` `(` $atom^ `)`)? attr-dict `:` type($frag) `to` type($destination)
  }];
  let hasVerifier = 1;
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILELOADSTOREOPS
