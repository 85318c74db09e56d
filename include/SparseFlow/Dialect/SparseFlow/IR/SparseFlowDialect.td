//===- SparseFlowDialect.td - The sparseflow dialect -------*- tablegen -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWDIALECT_TD
#define SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWDIALECT_TD

include "mlir/IR/DialectBase.td"

def SparseFlow_Dialect : Dialect {
  let name = "sparseflow";
  let cppNamespace = "::mlir::sparseflow";
  let summary = "What to compute: matmuls whose weights are N:M sparse";
  let description = [{
    The upper of SparseFlow's two levels. Values are tensors, nothing here says
    how a kernel runs. Sparsity is a property of a tensor's *type* (its
    encoding), so a dense and a 2:4 weight share one op:

    ```mlir
    %y = sparseflow.matmul %x, %w {
    ^bb0(%acc: f32):
      %0 = arith.truncf %acc : f32 to f16
      sparseflow.yield %0 : f16
    } : tensor<?x384xf16>, tensor<1536x384xf16, #sparseflow.nm<2:4>>
        -> tensor<?x1536xf16>
    ```

    Encodings live until `sparseflow-materialize-storage`, which turns every
    encoded tensor into the bytes of its packed layout; below that pass a type
    with an encoding is an error.

    The dialect reads discardable attributes of function arguments:
    `sparseflow.name` (a string: the name that tools and manifests use),
    `sparseflow.sparse` ("2:4": the argument is to be marked so, for front ends
    that cannot print an encoding) and `sparseflow.constant` (no value: no kernel
    writes the argument while one that reads it may be under way, as weights
    that were loaded once; a kernel may read it before kernels that were
    launched before have ended). `sparseflow-materialize-storage` writes the
    function's original signature.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  // One encoding has two spellings (SparseFlowAttributes.cpp).
  let useDefaultAttributePrinterParser = 0;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes of functions and their arguments.
    static constexpr ::llvm::StringLiteral kNameAttr = "sparseflow.name";
    static constexpr ::llvm::StringLiteral kSparseAttr = "sparseflow.sparse";
    static constexpr ::llvm::StringLiteral kConstantAttr =
        "sparseflow.constant";
    static constexpr ::llvm::StringLiteral kSymbolsAttr = "sparseflow.symbols";
    static constexpr ::llvm::StringLiteral kArgumentTypesAttr =
        "sparseflow.argument_types";
    static constexpr ::llvm::StringLiteral kArgumentNamesAttr =
        "sparseflow.argument_names";
    static constexpr ::llvm::StringLiteral kArgumentShapesAttr =
        "sparseflow.argument_shapes";
    static constexpr ::llvm::StringLiteral kResultTypesAttr =
        "sparseflow.result_types";
    static constexpr ::llvm::StringLiteral kResultShapesAttr =
        "sparseflow.result_shapes";

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

    /// Registers the attributes of this dialect (generated list).
    void registerAttributes();
  }];
}

#endif // SPARSEFLOW_DIALECT_SPARSEFLOW_IR_SPARSEFLOWDIALECT_TD
