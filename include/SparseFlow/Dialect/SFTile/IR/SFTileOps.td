//===- SFTileOps.td - Operations on tiles -*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEOPS
#define SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEOPS

include "SparseFlow/Dialect/SFTile/IR/SFTileTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Atoms stand in parentheses: behind a bare attribute the parser would take the
// ':' of the operation's types for the type of the attribute.
class SFTile_Op<string mnemonic, list<Trait> traits = []>
    : Op<SFTile_Dialect, mnemonic, traits>;

def SFTile_GlobalPointer : LLVM_PointerInAddressSpace<1>;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

def SFTile_ViewOp : SFTile_Op<"view", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the pointer is one to what the view shows", "view",
                   "pointer", "::mlir::sftile::getViewPointerType($_self)">]> {
  let summary = "A matrix in global memory";
  let description = [{
    Binds a pointer to bounds: `rows` x `cols` elements, `pitch` elements from a
    row to the next. Packed orders have no pitch: their units follow one another
    row by row.

    In `grouped_rows` order every `group` rows are `pitch` elements apart, and
    groups `group_pitch`: row r begins at element
    r / group * group_pitch + r % group * pitch.

    A tensor map, a parameter of the kernel, has bounds and pitch in it; only
    copies by a tensor atom can move such a view. Of a tensor with more than two
    dimensions it is the matrix at the indices `at`, the third dimension's
    first: boxes end where the matrix ends, and not in the next one.

    ```mlir
    %x = sftile.view %pointer[%tokens, %k] pitch %k
        : !sftile.view<f16, row_major>
    %w = sftile.view %values[%unit_rows, %unit_cols] : !sftile.view<f16, values24>
    ```

    The query heads of a key head, four of %heads, for each query:

    ```mlir
    %q = sftile.view %pointer[%rows, %k] pitch %k groups of 4 every %all_heads
        : !sftile.view<f16, grouped_rows>
    ```

    ```mlir
    %x = sftile.view %map : !sftile.view<f16, tensor_map>
    %k = sftile.view %map at [%head, %batch] : !sftile.view<f16, tensor_map>
    ```
  }];
  let arguments = (ins AnyTypeOf<[SFTile_GlobalPointer,
                                  LLVM_PointerInAddressSpace<0>]>:$pointer,
                       Optional<I64>:$rows, Optional<I64>:$cols,
                       Optional<I64>:$pitch, OptionalAttr<I64Attr>:$group,
                       Optional<I64>:$group_pitch, Variadic<I64>:$at);
  let results = (outs SFTile_ViewType:$view);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$view, "::mlir::Value":$pointer,
                   "::mlir::Value":$rows, "::mlir::Value":$cols,
                   "::mlir::Value":$pitch), [{
      build($_builder, $_state, view, pointer, rows, cols, pitch,
            ::mlir::IntegerAttr(), ::mlir::Value(), ::mlir::ValueRange());
    }]>,
    OpBuilder<(ins "::mlir::Type":$view, "::mlir::Value":$map,
                   CArg<"::mlir::ValueRange", "{}">:$at), [{
      build($_builder, $_state, view, map, ::mlir::Value(), ::mlir::Value(),
            ::mlir::Value(), ::mlir::IntegerAttr(), ::mlir::Value(), at);
    }]>];
  let assemblyFormat = [{
    $pointer (`[` $rows^ `,` $cols `]`)? (`pitch` $pitch^)?
    (`groups` `of` $group^ `every` $group_pitch)?
    (`at` `[` $at^ `]`)? attr-dict `:` type($view)
  }];
  let hasVerifier = 1;
}

def SFTile_RingOp : SFTile_Op<"ring"> {
  let summary = "Makes a ring of stages in shared memory";
  let description = [{
    `offset`, in bytes from the start of the block's shared memory, is filled in
    by `sftile-assign-resources`, and so is `barriers`, the place of two
    barriers a stage if one role fills the ring and another reads it.

    ```mlir
    %ring = sftile.ring : !sftile.ring<4, [!sftile.tile<128x64xf16, swizzled>]>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$barriers);
  let results = (outs Res<SFTile_RingType, "", [MemAlloc]>:$ring);
  let assemblyFormat = "attr-dict `:` type($ring)";
}

def SFTile_SharedOp : SFTile_Op<"shared"> {
  let summary = "Shared memory that is no ring";
  let description = [{
    A tile for each group of `sharers` consecutive warps of the role, which has
    `warps`: a staging buffer of results, or, of one warp, the memory through
    which it changes the layout of its fragments. Tiles of a role that are
    `overlaid` lie in one place: what one holds is lost when another is written.

    Or `bytes` bytes of the block, for a kernel that addresses its shared memory
    itself: the pointer is a multiple of 1024.

    `offset`, and `stride` from the tile of one group to the next, both in bytes,
    are filled in by `sftile-assign-resources`.

    ```mlir
    %box = sftile.shared warps 8 sharers 4 : !sftile.tile<64x64xf16, swizzled>
    %scratch = sftile.shared warps 8 sharers 1 overlaid
        : !sftile.tile<16x64xf16, swizzled>
    %place = sftile.shared bytes 65536 : !llvm.ptr<3>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$bytes,
                       OptionalAttr<I64Attr>:$warps,
                       OptionalAttr<I64Attr>:$sharers, UnitAttr:$overlaid,
                       OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$stride);
  let results = (outs Res<AnyTypeOf<[SFTile_TileType,
                                     LLVM_PointerInAddressSpace<3>]>,
                          "", [MemAlloc]>:$memory);
  let builders = [
    OpBuilder<(ins "TileType":$tile, "int64_t":$warps, "int64_t":$sharers,
                   CArg<"bool", "false">:$overlaid), [{
      build($_builder, $_state, tile, ::mlir::IntegerAttr(),
            $_builder.getI64IntegerAttr(warps),
            $_builder.getI64IntegerAttr(sharers), overlaid,
            ::mlir::IntegerAttr(), ::mlir::IntegerAttr());
    }]>,
    OpBuilder<(ins "int64_t":$bytes), [{
      build($_builder, $_state,
            ::mlir::LLVM::LLVMPointerType::get($_builder.getContext(), 3),
            $_builder.getI64IntegerAttr(bytes), ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr(), false, ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr());
    }]>];
  let assemblyFormat = [{
    (`bytes` $bytes^)? (`warps` $warps^ `sharers` $sharers)?
    (`overlaid` $overlaid^)? attr-dict `:` type($memory)
  }];
  let hasVerifier = 1;
}

def SFTile_WarpIdOp : SFTile_Op<"warp_id", [Pure]> {
  let summary = "The number of this warp in its role";
  let description = [{
    The same for all lanes of a warp, and known to be so by later passes.

    ```mlir
    %warp = sftile.warp_id
    ```
  }];
  let results = (outs Index:$warp);
  let assemblyFormat = "attr-dict";
}

include "SparseFlow/Dialect/SFTile/IR/Ops/SFTilePipelineOps.td"

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

// Packed weights, or keys and values of a cache.
def SFTile_AnyCodec
    : AnyAttrOf<[SFTile_CodecInterface, SFTile_CacheCodecInterface],
                "codec of packed weights or of a cache">;

def SFTile_DecodeOp : SFTile_Op<"decode", [Pure, AttrSizedOperandSegments]> {
  let summary = "Dequantizes packed weights, keys or values in registers";
  let description = [{
    The codec says what the bits of `codes`, words of a packed encoding, mean, and
    what operands of an MMA they become.

    Of weights, `codes` are what the lanes of a warp have of 16 rows and a unit of columns, or
    of several times 16 rows: words of a `ternary` tile, four for each lane. The
    result is operand A of an MMA, the unit's columns from `col` on, 16 of f16 and
    bf16 and 32 of bytes. The codec says what a word means, which types there are
    and which order bytes have.

    Elements are the weights, exactly; those of i8 may be off by what the codec
    calls its bias. With `shifted`, for less work, elements of si8 are -64 times
    the weights, and those of i8 64 times what they are without.

    ```mlir
    %a = sftile.decode %codes[16] by (#sftile.tern_v1)
        : !sftile.frag<4x128xi32, #codes> -> !sftile.frag<64x16xf16, #a>
    ```

    Of 2:4 sparse weights, whose words lie in pieces of a `metadata24` tile,
    `codes` are those of 16 rows, and the result are the nonzeros from `col` on:
    32 signed bytes, or 16 of f16 or bf16, whose words `load_nonzeros` gives.

    With `scales`, one for each of 16 rows, weights of f16 or bf16 are their
    products with those, rounded once; exact where a weight is -1, 0 or 1 and a
    scale is a number of their type.

    ```mlir
    %a = sftile.decode %codes[16] times %s by (#sftile.tern_v1)
        : !sftile.frag<1x128xi32, #codes>, !sftile.frag<16x1xf32, #rows>
        -> !sftile.frag<16x16xf16, #a16>
    ```

    Of a cache, `codes` are words of a page of keys or values, and the result is
    operand A or B with what the words have from feature or token `col` of K on.
    Where `flip`, sign bits of a pair of elements, has a bit their sign is the
    other one.

    ```mlir
    %k = sftile.decode %words[16] by (#sftile.int_cache<8, keys>)
        : !sftile.frag<32x4xi32, #words> -> !sftile.frag<16x16xf16, #a>
    ```

    ```mlir
    %all = sftile.decode %word[0] flip %signs by (#sftile.tern_cache)
        : !sftile.frag<32x1xi32, #word> -> !sftile.frag<8x64xf16, #b>
    ```
  }];
  let arguments = (ins SFTile_FragType:$codes, I64Attr:$col, UnitAttr:$shifted,
                       Optional<SFTile_FragType>:$scales, Optional<I32>:$flip,
                       SFTile_AnyCodec:$codec);
  let results = (outs SFTile_FragType:$weights);
  let builders = [
    // Of weights.
    OpBuilder<(ins "::mlir::Type":$weights, "::mlir::Value":$codes,
                   "int64_t":$col, "bool":$shifted, "::mlir::Value":$scales,
                   "CodecInterface":$codec), [{
      build($_builder, $_state, weights, codes, col, shifted, scales,
            ::mlir::Value(), codec);
    }]>,
    // Of a cache.
    OpBuilder<(ins "::mlir::Type":$operand, "::mlir::Value":$words,
                   "int64_t":$col, "CacheCodecInterface":$codec,
                   CArg<"::mlir::Value", "{}">:$flip), [{
      build($_builder, $_state, operand, words, col, /*shifted=*/false,
            ::mlir::Value(), flip, codec);
    }]>];
  let assemblyFormat = [{
    $codes `[` $col `]` (`shifted` $shifted^)? (`times` $scales^)?
    (`flip` $flip^)? `by` `(` $codec `)` attr-dict `:` type($codes)
    (`,` type($scales)^)? `->` type($weights)
  }];
  let hasVerifier = 1;
}

def SFTile_LoadNonzerosOp : SFTile_Op<"load_nonzeros"> {
  let summary = "Words of nonzeros, as MMAs of 16 bits want them";
  let description = [{
    The tile has the words of 2:4 sparse weights, nonzeros in the order of int8
    MMAs. A lane of an MMA of 16 bits has nonzeros 2 q, 2 q + 1, 2 q + 8 and
    2 q + 9 of 16, not four adjacent ones, and with
    `metadata` 16 columns of two rows, not 32 of one. It loads the words of the
    two lanes that have them, and each word of the result has a half of either:
    of codes the bytes alternating, of metadata the lower row below.

    ```mlir
    %m = sftile.load_nonzeros metadata %tile[%unit, %group]
        : !sftile.tile<16x256xi32, metadata24> -> !sftile.frag<4x32xi32, #words>
    %v = sftile.load_nonzeros %tile[%unit, %piece]
        : !sftile.tile<16x256xi32, metadata24> -> !sftile.frag<4x32xi32, #words>
    ```
  }];
  let arguments = (ins Arg<SFTile_TileType, "", [MemRead]>:$tile, Index:$row,
                       Index:$col, UnitAttr:$metadata);
  let results = (outs SFTile_FragType:$frag);
  let assemblyFormat = [{
    (`metadata` $metadata^)? $tile `[` $row `,` $col `]` attr-dict
    `:` type($tile) `->` type($frag)
  }];
  let hasVerifier = 1;
}

def SFTile_MmaOp : SFTile_Op<"mma", [Pure,
    TypesMatchWith<"result and accumulator have one type", "acc", "result",
                   "$_self">]> {
  let summary = "An MMA of a warp";
  let description = [{
    result = a * transpose(b) + acc, over fragments that are grids of the atom's
    tiles. For a sparse atom `a` holds the nonzeros, half as many columns
    as `b`, and `metadata` one word for each lane and instruction row;
    `selector` says which of the MMAs that share the metadata this is.

    ```mlir
    %d = sftile.mma %a, %b, %c by (#sftile.mma_sync<16, f16>)
        : !sftile.frag<64x16xf16, #a>, !sftile.frag<64x16xf16, #b>,
          !sftile.frag<64x64xf32, #c>
    %e = sftile.mma %w, %x, %c metadata %m[0] by (#sftile.mma_sp_sync<32, f16>)
        : !sftile.frag<64x16xf16, #w>, !sftile.frag<64x32xf16, #x>,
          !sftile.frag<64x64xf32, #c>, !sftile.frag<4x32xi32, #m>
    ```
  }];
  let arguments = (ins SFTile_FragType:$a, SFTile_FragType:$b,
                       SFTile_FragType:$acc, Optional<SFTile_FragType>:$metadata,
                       OptionalAttr<I64Attr>:$selector,
                       SFTile_MmaAtomInterface:$atom);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`metadata` $metadata^ `[` $selector `]`)? `by` `(` $atom `)`
    attr-dict `:` type($a) `,` type($b) `,` type($acc) (`,` type($metadata)^)?
  }];
  let hasVerifier = 1;
}

def SFTile_SliceOp : SFTile_Op<"slice", [Pure]> {
  let summary = "A part of a fragment";
  let description = [{
    Element (r, c) of the result is element (`row` + r, `col` + c) of the source,
    or, with `strides` [s, t], (`row` + s r, `col` + t c). The lanes that have an
    element of the one have it of the other, so this is a choice of registers that
    costs nothing: whole instruction tiles, or rows or columns of words that lie in
    registers of their own.

    ```mlir
    %part = sftile.slice %acc[0, 16] : !sftile.frag<64x64xf32, #accumulator>
        -> !sftile.frag<64x16xf32, #accumulator>
    ```

    ```mlir
    %low = sftile.slice %acc[0, 1] strides [1, 2]
        : !sftile.frag<16x8xi32, #c> -> !sftile.frag<16x4xi32, #column>
    ```
  }];
  let arguments = (ins SFTile_FragType:$source, I64Attr:$row, I64Attr:$col,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides);
  let results = (outs SFTile_FragType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
                                 "int64_t":$row, "int64_t":$col), [{
    build($_builder, $_state, result, source, row, col,
          ::llvm::ArrayRef<int64_t>({1, 1}));
  }]>];
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` (`strides` $strides^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// For each register of the result the number of the source's; nothing if a
    /// lane has not what it should have.
    std::optional<::llvm::SmallVector<int64_t>> getSourceRegisters();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SFTile_ConcatOp : SFTile_Op<"concat", [Pure, SameTypeOperands]> {
  let summary = "Fragments side by side";
  let description = [{
    The columns of the parts in their order, all rows of one instruction tile: a
    list of registers that costs nothing.

    ```mlir
    %all = sftile.concat %a, %b : !sftile.frag<16x64xf32, #accumulator>,
        !sftile.frag<16x64xf32, #accumulator>
        -> !sftile.frag<16x128xf32, #accumulator>
    ```
  }];
  let arguments = (ins Variadic<SFTile_FragType>:$parts);
  let results = (outs SFTile_FragType:$result);
  let assemblyFormat =
      "$parts attr-dict `:` type($parts) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SFTile_MapOp : SFTile_Op<"map", [Pure, SingleBlock]> {
  let summary = "Scalar arithmetic on every element of fragments";
  let description = [{
    The inputs have one shape and one layout; element types may differ. The
    region sees one element of each.

    ```mlir
    %y = sftile.map %acc, %bias : !sftile.frag<64x16xf32, #c>, !sftile.frag<64x16xf16, #c>
        -> !sftile.frag<64x16xf16, #c> {
    ^bb0(%a: f32, %b: f16):
      %0 = arith.extf %b : f16 to f32
      %1 = arith.addf %a, %0 : f32
      %2 = arith.truncf %1 : f32 to f16
      sftile.yield %2 : f16
    }
    ```
  }];
  let arguments = (ins Variadic<SFTile_FragType>:$inputs);
  let results = (outs SFTile_FragType:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs `:` type($inputs) `->` type($result) $body attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def SFTile_YieldOp : SFTile_Op<"yield", [Terminator, Pure, ReturnLike,
    ParentOneOf<["MapOp", "RoleOp"]>]> {
  let summary = "Ends a region: the element that a map computes, or a role";
  let arguments = (ins Optional<AnyType>:$value);
  let builders = [OpBuilder<(ins)>];
  let assemblyFormat = "attr-dict ($value^ `:` type($value))?";
}

def SFTile_ConvertLayoutOp : SFTile_Op<"convert_layout"> {
  let summary = "Gives a fragment another layout";
  let description = [{
    Where no element moves to another register or lane, this costs nothing: two
    neighbouring accumulator tiles of an MMA hold their elements where the next
    MMA wants those of its operand A.

    ```mlir
    %a = sftile.convert_layout %p : !sftile.frag<16x64xf16, #accumulator>
        to !sftile.frag<16x64xf16, #a>
    ```

    Otherwise elements travel through `scratch`, memory of this warp. In it the
    columns of the fragment are rows of the tile, so that what is contiguous in
    registers of the vector layout is contiguous in memory too. `atom` names the
    matrix store or load that does one half of the way, where one does.

    ```mlir
    %v = sftile.convert_layout %y via %scratch by (#sftile.stmatrix)
        : !sftile.frag<64x16xf16, #accumulator> to !sftile.frag<64x16xf16, #vector>,
          !sftile.tile<16x64xf16, swizzled>
    ```
  }];
  let arguments = (ins SFTile_FragType:$source,
    Arg<Optional<SFTile_TileType>, "", [MemRead, MemWrite]>:$scratch,
    OptionalAttr<SFTile_AtomInterface>:$atom);
  let results = (outs SFTile_FragType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type,
                                 "::mlir::Value":$source), [{
    build($_builder, $_state, type, source, ::mlir::Value(), AtomInterface());
  }]>];
  let assemblyFormat = [{
    $source (`via` $scratch^)? (`by` `(` $atom^ `)`)? attr-dict
    `:` type($source) `to` type($result) (`,` type($scratch)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileLoadStoreOps.td"
include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileAttentionOps.td"
include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileBulkOps.td"
include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileWarpgroupOps.td"
include "SparseFlow/Dialect/SFTile/IR/Ops/SFTileSyncOps.td"

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_SFTILEOPS
