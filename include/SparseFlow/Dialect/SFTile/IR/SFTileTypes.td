//===- SFTileTypes.td - Tiles with a place and an owner -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETYPES
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETYPES

include "SparseFlow/Dialect/SFTile/IR/SFTileAttrs.td"
include "SparseFlow/Dialect/SFTile/IR/SFTileSchedules.td"

class SFTile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<SFTile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def SFTile_ViewType : SFTile_Type<"View", "view"> {
  let summary = "A matrix in global memory with its bounds";
  let description = [{
    A base pointer, the number of rows and columns, and the distance between
    rows. What lies outside the bounds is never read or written: a copy fills
    with zeros, a store leaves out. Packed orders count their rows and columns
    in units, of 64 x 64 weights or, if ternary, 64 x 128.
  }];
  let parameters = (ins "::mlir::Type":$elementType,
                        "::mlir::sftile::Order":$order);
  let assemblyFormat = "`<` $elementType `,` $order `>`";
  let genVerifyDecl = 1;
}

class SFTile_SharedTile<string name, string mnemonic>
    : SFTile_Type<name, mnemonic> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "::mlir::sftile::Order":$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def SFTile_TileType : SFTile_SharedTile<"Tile", "tile"> {
  let summary = "A tile in shared memory that may be read";
  let description = [{
    `!sftile.tile<128x64xf16, swizzled>`. For `values24` the shape counts
    nonzeros (64x32 for a unit), for `metadata24` and `ternary` words (4x32 and
    4x128 for a unit).
  }];
  let extraClassDeclaration = [{
    /// Bytes that the tile takes in shared memory.
    int64_t getBytes() const;
    /// Bytes of a row, for the orders that have rows.
    int64_t getPitch() const;
    /// For packed orders: rows and columns of the tile that one unit makes, and
    /// its bytes, which are adjacent.
    struct Unit {
      int64_t rows, cols, bytes;
    };
    Unit getUnit() const;
  }];
}

def SFTile_SlotType : SFTile_SharedTile<"Slot", "slot"> {
  let summary = "A tile in shared memory that is being filled";
  let description = [{
    The same memory as a `tile`, between `acquire` and `commit`: it can be
    written by `copy` and cannot be read.
  }];
  let extraClassDeclaration = [{
    /// The type of the same memory once it may be read.
    TileType getTile() const;
  }];
}

def SFTile_RingType : SFTile_Type<"Ring", "ring"> {
  let summary = "Stages in shared memory, filled and read in turn";
  let description = [{
    Each stage holds one of every tile in the list.

    ```mlir
    !sftile.ring<4, [!sftile.tile<128x32xf16, values24>,
                     !sftile.tile<8x32xi32, metadata24>,
                     !sftile.tile<128x64xf16, swizzled>]>
    ```
  }];
  let parameters = (ins "int64_t":$stages,
                        ArrayRefParameter<"::mlir::sftile::TileType">:$tiles);
  let assemblyFormat = "`<` $stages `,` `[` $tiles `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one stage: each tile at a multiple of 128 bytes, or of 1024 if
    /// it is swizzled.
    int64_t getStageBytes() const;
    /// The offset of tile `index` in its stage, in bytes.
    int64_t getTileOffset(unsigned index) const;
  }];
}

def SFTile_FragType : SFTile_Type<"Frag", "frag"> {
  let summary = "A tile in the registers of a warp";
  let description = [{
    A grid of instruction tiles, each distributed as `layout` says. Elements of
    16 bits are held in pairs, so register bit 0 of their layout must step to a
    neighbouring element; bytes are held by fours, so that bits 0 and 1 step along
    a row. Elements of i1, which only registers hold, are the results of comparisons.

    ```mlir
    !sftile.frag<64x64xf32, #accumulator>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "::mlir::sftile::LayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Instruction tiles along the rows and along the columns.
    int64_t getTileRows() const;
    int64_t getTileCols() const;
    /// Elements that each lane holds.
    int64_t getElementsPerLane() const;
    /// Registers of 32 bits that each lane holds.
    int64_t getRegistersPerLane() const;
    /// The element number `index` of lane 0, as a position in the fragment.
    /// Tiles are counted row by row, registers inside a tile fastest.
    Coord getPosition(int64_t index) const;
  }];
}

def SFTile_PendingType : SFTile_Type<"Pending", "pending"> {
  let summary = "A fragment that is still being computed";
  let description = [{
    The result of an asynchronous MMA. Nothing can read it; `wait_group` waits
    for it and gives the fragment back.
  }];
  let parameters = (ins "::mlir::sftile::FragType":$frag);
  let assemblyFormat = "`<` $frag `>`";
}

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILETYPES
