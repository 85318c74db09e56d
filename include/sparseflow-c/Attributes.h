/*===- Attributes.h - Attributes and types for MLIR's C API ----*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The attributes of the sparseflow dialect and the types of sftile that need no
|* other attribute, for programs that build IR with MLIR's C API. The dialect
has
|* to be loaded. A tensor with sparse weights is a ranked tensor with an
encoding:
|*
|*   MlirAttribute nm = sparseflowNmAttrGet(location, 2, 4, -1);
|*   mlirRankedTensorTypeGet(2, shape, mlirF16TypeGet(context), nm);
|*
|* A constructor with a location checks what it is given: where that is no such
|* attribute or type, it reports an error there and returns null. Words are
those
|* of the printed form; an unknown word gives null. Getters expect what their
|* `IsA` accepts. Strings belong to the context.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_C_ATTRIBUTES_H
#define SPARSEFLOW_C_ATTRIBUTES_H

#include "mlir-c/IR.h"
#include "sparseflow-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/** #sparseflow.nm<n:m>, n of m adjacent elements along `axis`; -1: the last
 *  dimension. */
SPARSEFLOW_C_EXPORT MlirAttribute sparseflowNmAttrGet(MlirLocation location,
                                                      int64_t n, int64_t m,
                                                      int64_t axis);
SPARSEFLOW_C_EXPORT bool sparseflowAttributeIsANm(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT int64_t sparseflowNmAttrGetN(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT int64_t sparseflowNmAttrGetM(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT int64_t sparseflowNmAttrGetAxis(MlirAttribute attribute);

/** What shares a scale of quantized weights: a number of adjacent columns, or
 *  one of these. */
enum {
  SPARSEFLOW_SCALE_OF_TENSOR = 0,
  SPARSEFLOW_SCALE_OF_ROW = 1,
  SPARSEFLOW_SCALE_OF_HEAD = -1,
  SPARSEFLOW_SCALE_OF_TOKEN = -2
};

/** #sparseflow.ternary<storage, scale = group : scaleType, planes = planes>, or
 *  #sparseflow.quantized; `storage` is "codes", "two_four", "int4", ... */
SPARSEFLOW_C_EXPORT MlirAttribute
sparseflowTernaryAttrGet(MlirLocation location, MlirStringRef storage,
                         int64_t group, MlirType scaleType, int64_t planes);
SPARSEFLOW_C_EXPORT bool sparseflowAttributeIsATernary(MlirAttribute attribute);
/** "codes", "two_four", ... */
SPARSEFLOW_C_EXPORT MlirStringRef
sparseflowTernaryAttrGetStorage(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT int64_t
sparseflowTernaryAttrGetGroup(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT MlirType
sparseflowTernaryAttrGetScaleType(MlirAttribute attribute);
SPARSEFLOW_C_EXPORT int64_t
sparseflowTernaryAttrGetPlanes(MlirAttribute attribute);

/** #sparseflow.storage<...>: what holds a weight of the encoded tensor type
 *  `weight`, packed. */
SPARSEFLOW_C_EXPORT MlirAttribute
sparseflowStorageAttrGet(MlirLocation location, MlirType weight);
SPARSEFLOW_C_EXPORT bool sparseflowAttributeIsAStorage(MlirAttribute attribute);
/** "sf24.v1", "tern.v1", ... */
SPARSEFLOW_C_EXPORT MlirStringRef
sparseflowStorageAttrGetLayout(MlirAttribute attribute);
/** tensor<BYTESxi8>, the type of the packed weight. */
SPARSEFLOW_C_EXPORT MlirType
sparseflowStorageAttrGetBlobType(MlirAttribute attribute);

/** #sparseflow.broadcast<word>: "per_feature", "per_token", "full", "scalar".
 */
SPARSEFLOW_C_EXPORT MlirAttribute
sparseflowBroadcastAttrGet(MlirContext context, MlirStringRef word);
/** #sparseflow.attention_layout<word>: "bhsd", "bshd". */
SPARSEFLOW_C_EXPORT MlirAttribute
sparseflowAttentionLayoutAttrGet(MlirContext context, MlirStringRef word);
/** #sparseflow.ternary_method<word>: "absmean", "twn", "lloyd". */
SPARSEFLOW_C_EXPORT MlirAttribute
sparseflowTernaryMethodAttrGet(MlirContext context, MlirStringRef word);

/** !sftile.view<element, order>; `order` is "row_major", "swizzled", ... */
SPARSEFLOW_C_EXPORT MlirType sparseflowViewTypeGet(MlirLocation location,
                                                   MlirType element,
                                                   MlirStringRef order);
/** !sftile.tile<rows x columns x element, order>. */
SPARSEFLOW_C_EXPORT MlirType sparseflowTileTypeGet(MlirLocation location,
                                                   intptr_t rank,
                                                   const int64_t *shape,
                                                   MlirType element,
                                                   MlirStringRef order);
/** !sftile.slot of the same memory as the tile `tile`. */
SPARSEFLOW_C_EXPORT MlirType sparseflowSlotTypeGet(MlirLocation location,
                                                   MlirType tile);
/** !sftile.ring<stages, [tiles]>. */
SPARSEFLOW_C_EXPORT MlirType sparseflowRingTypeGet(MlirLocation location,
                                                   int64_t stages,
                                                   intptr_t tileCount,
                                                   const MlirType *tiles);
SPARSEFLOW_C_EXPORT bool sparseflowTypeIsAView(MlirType type);
SPARSEFLOW_C_EXPORT bool sparseflowTypeIsATile(MlirType type);
SPARSEFLOW_C_EXPORT bool sparseflowTypeIsASlot(MlirType type);
SPARSEFLOW_C_EXPORT bool sparseflowTypeIsARing(MlirType type);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_C_ATTRIBUTES_H */
