//===- SparseFlowAttributes.td - Encodings and storage -----*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTRIBUTES_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTRIBUTES_TD

include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

class SparseFlow_Attr<string name, string attrMnemonic,
                      list<Trait> traits = []>
    : AttrDef<SparseFlow_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

include "SparseFlow/Dialect/SparseFlow/IR/SparseFlowTernary.td"

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

def SparseFlow_NmAttr
    : SparseFlow_Attr<"Nm", "nm", [
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>
      ]> {
  let summary = "N:M structured sparsity of a tensor";
  let description = [{
    A tensor encoding: in every group of `m` consecutive elements along `axis`,
    at most `n` are non-zero. Groups start at multiples of `m`. The tensor keeps
    its logical shape; how the non-zeros are stored is a separate decision
    (`#sparseflow.storage`).

    `axis` names the grouped dimension. Left out, it is the last one, which is K
    for a weight `[N, K]`; the last dimension must be left out, so that equal
    sparsity is an equal type.

    Any 1 <= N < M verifies. Only 2:4 along K has a packed layout today.

    ```mlir
    tensor<4096x4096xf16, #sparseflow.nm<2:4>>
    tensor<64x4096xf16, #sparseflow.nm<1:8, axis = 0>>
    ```
  }];
  let parameters = (ins
    "int64_t":$n,
    "int64_t":$m,
    DefaultValuedParameter<"int64_t", "-1",
        "the grouped dimension; -1 is the last one">:$axis);
  let assemblyFormat = "`<` $n `` `:` `` $m (`,` `axis` `=` $axis^)? `>`";
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "int64_t":$n, "int64_t":$m), [{
      return $_get($_ctxt, n, m, -1);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The grouped dimension of a tensor of `rank` dimensions.
    int64_t getAxisOf(int64_t rank) const {
      return getAxis() < 0 ? rank - 1 : getAxis();
    }
    /// True where the grouped dimension is the last one, K of a weight [N, K].
    bool isAlongLastAxis() const { return getAxis() < 0; }
    /// True for the pattern that sparse tensor cores multiply.
    bool isTwoOfFour() const { return getN() == 2 && getM() == 4; }
  }];
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

def SparseFlow_StorageAttr : SparseFlow_Attr<"Storage", "storage"> {
  let summary = "What the bytes of a packed weight hold";
  let description = [{
    Names the packed layout of a 1-D `i8` tensor and the logical tensor inside.
    The layout `sf24.v1` holds a 2:4 weight `[N, K]` of 16-bit elements, K a
    multiple of 4, as units of 64 x 64: 4096 bytes of values a unit, then
    512 bytes of metadata a unit. The layouts of ternary weights come with their
    encoding, which says what scales they have.

    ```mlir
    #sparseflow.storage<"sf24.v1", 1536x384xf16>
    #sparseflow.storage<"tern.v1", 1536x384xf16,
                        <codes, scale = row : f32>>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the packed layout">:$layout,
    ArrayRefParameter<"int64_t", "logical shape">:$shape,
    "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::sparseflow::TernaryAttr",
        "the encoding of a ternary weight">:$ternary);
  let assemblyFormat = [{
    `<` $layout `,` custom<LogicalTensor>($shape, $elementType)
    (`,` $ternary^)? `>`
  }];
  // The attribute has no type of its own; saying so lets a ':' follow it in an
  // op's format.
  let valueType = NoneType;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The packed layout of 2:4 weights.
    static constexpr ::llvm::StringLiteral kSf24V1 = "sf24.v1";
    /// Rows (output features) and columns (input features) of the weight.
    int64_t getRows() const { return getShape()[0]; }
    int64_t getColumns() const { return getShape()[1]; }
    /// Bytes of the packed tensor; always fits (the verifier checks).
    int64_t getSizeInBytes() const;
    /// Byte offset of the metadata section of "sf24.v1".
    int64_t getMetadataOffset() const;
    /// tensor<BYTESxi8>.
    ::mlir::RankedTensorType getBlobType() const;
    /// The layout that holds `type`, or a failure with a diagnostic through
    /// `emitError` when no layout does.
    static ::mlir::FailureOr<StorageAttr>
    getFor(::mlir::RankedTensorType type,
           ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError);
  }];
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

def SparseFlow_Broadcast : I32EnumAttr<"Broadcast",
    "how an epilogue operand meets the result [..., T, N]", [
      I32EnumAttrCase<"PerFeature", 0, "per_feature">,
      I32EnumAttrCase<"PerToken", 1, "per_token">,
      I32EnumAttrCase<"Full", 2, "full">,
      I32EnumAttrCase<"Scalar", 3, "scalar">
    ]> {
  let cppNamespace = "::mlir::sparseflow";
  let genSpecializedAttr = 0;
}

def SparseFlow_BroadcastAttr
    : EnumAttr<SparseFlow_Dialect, SparseFlow_Broadcast, "broadcast"> {
  let description = [{
    `per_feature` is a tensor [N], `per_token` [..., T], `full` the shape of the
    result and `scalar` a tensor of rank 0.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def SparseFlow_BroadcastArrayAttr
    : TypedArrayAttrBase<SparseFlow_BroadcastAttr,
                         "one broadcast for each epilogue operand">;

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWATTRIBUTES_TD
