/*===- attributes.c - IR that MLIR's C API builds -*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <sparseflow-c/Attributes.h>
#include <sparseflow-c/Dialects.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>
#include <stdio.h>

static void print(MlirStringRef text, void *userData) {
  fwrite(text.data, 1, text.length, userData);
}

static MlirStringRef word(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void show(const char *name, MlirAttribute attribute) {
  printf("%s: ", name);
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, print, stdout);
  printf("\n");
}

static void showType(const char *name, MlirType type) {
  printf("%s: ", name);
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, print, stdout);
  printf("\n");
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, stdout);
  printf("\n");
  return mlirLogicalResultSuccess();
}

/* A function that prunes its argument and packs what that gives. */
static int buildProgram(MlirLocation at, MlirType dense, MlirType sparse) {
  MlirAttribute storage = sparseflowStorageAttrGet(at, sparse);
  MlirType blob = sparseflowStorageAttrGetBlobType(storage);
  MlirContext context = mlirLocationGetContext(at);
  MlirModule module = mlirModuleCreateEmpty(at);
  MlirBlock body = mlirModuleGetBody(module);
  MlirOperationState source = mlirOperationStateGet(word("tensor.empty"), at);
  mlirOperationStateAddResults(&source, 1, &dense);
  MlirOperation empty = mlirOperationCreate(&source);
  mlirBlockAppendOwnedOperation(body, empty);
  MlirValue value = mlirOperationGetResult(empty, 0);
  MlirOperationState prune =
      mlirOperationStateGet(word("sparseflow.prune"), at);
  mlirOperationStateAddOperands(&prune, 1, &value);
  mlirOperationStateAddResults(&prune, 1, &sparse);
  MlirOperation pruned = mlirOperationCreate(&prune);
  mlirBlockAppendOwnedOperation(body, pruned);
  value = mlirOperationGetResult(pruned, 0);
  MlirOperationState pack = mlirOperationStateGet(word("sparseflow.pack"), at);
  mlirOperationStateAddOperands(&pack, 1, &value);
  mlirOperationStateAddResults(&pack, 1, &blob);
  MlirNamedAttribute named = mlirNamedAttributeGet(
      mlirIdentifierGet(context, word("storage")), storage);
  mlirOperationStateAddAttributes(&pack, 1, &named);
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&pack));
  MlirOperation whole = mlirModuleGetOperation(module);
  int ok = mlirOperationVerify(whole);
  mlirOperationPrint(whole, print, stdout);
  mlirModuleDestroy(module);
  return ok;
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  sparseflowRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);
  MlirLocation at = mlirLocationFileLineColGet(context, word("c.mlir"), 3, 5);
  MlirType f16 = mlirF16TypeGet(context), f32 = mlirF32TypeGet(context);
  int64_t shape[] = {64, 128};

  MlirAttribute nm = sparseflowNmAttrGet(at, 2, 4, -1);
  show("nm", nm);
  if (!sparseflowAttributeIsANm(nm) || sparseflowAttributeIsATernary(nm) ||
      sparseflowNmAttrGetN(nm) != 2 || sparseflowNmAttrGetM(nm) != 4 ||
      sparseflowNmAttrGetAxis(nm) != -1)
    return 1;
  show("nm of nothing", sparseflowNmAttrGet(at, 4, 2, -1));

  MlirAttribute ternary =
      sparseflowTernaryAttrGet(at, word("codes"), 128, f32, 2);
  show("ternary", ternary);
  MlirStringRef storage = sparseflowTernaryAttrGetStorage(ternary);
  if (!sparseflowAttributeIsATernary(ternary) ||
      !mlirStringRefEqual(storage, word("codes")) ||
      sparseflowTernaryAttrGetGroup(ternary) != 128 ||
      sparseflowTernaryAttrGetPlanes(ternary) != 2 ||
      !mlirTypeEqual(sparseflowTernaryAttrGetScaleType(ternary), f32))
    return 1;
  show("of a row", sparseflowTernaryAttrGet(at, word("two_four"),
                                            SPARSEFLOW_SCALE_OF_ROW, f16, 1));
  show("int4", sparseflowTernaryAttrGet(at, word("int4"), 64, f16, 1));
  show("unknown storage",
       sparseflowTernaryAttrGet(at, word("trits"), 1, f32, 1));
  show("group of 7", sparseflowTernaryAttrGet(at, word("codes"), 7, f32, 1));

  MlirType dense =
      mlirRankedTensorTypeGet(2, shape, f16, mlirAttributeGetNull());
  MlirType sparse = mlirRankedTensorTypeGet(2, shape, f16, nm);
  MlirAttribute packed = sparseflowStorageAttrGet(at, sparse);
  show("storage", packed);
  if (!sparseflowAttributeIsAStorage(packed) ||
      !mlirStringRefEqual(sparseflowStorageAttrGetLayout(packed),
                          word("sf24.v1")))
    return 1;
  show("storage of dense", sparseflowStorageAttrGet(at, dense));
  show("storage of f16", sparseflowStorageAttrGet(at, f16));

  show("broadcast", sparseflowBroadcastAttrGet(context, word("per_token")));
  show("no broadcast", sparseflowBroadcastAttrGet(context, word("per_row")));
  show("layout", sparseflowAttentionLayoutAttrGet(context, word("bshd")));
  show("method", sparseflowTernaryMethodAttrGet(context, word("lloyd")));

  MlirType view = sparseflowViewTypeGet(at, f16, word("row_major"));
  MlirType tile = sparseflowTileTypeGet(at, 2, shape, f16, word("swizzled"));
  MlirType slot = sparseflowSlotTypeGet(at, tile);
  MlirType ring = sparseflowRingTypeGet(at, 4, 1, &tile);
  showType("view", view);
  showType("tile", tile);
  showType("slot", slot);
  showType("ring", ring);
  if (!sparseflowTypeIsAView(view) || !sparseflowTypeIsATile(tile) ||
      !sparseflowTypeIsASlot(slot) || !sparseflowTypeIsARing(ring) ||
      sparseflowTypeIsARing(tile))
    return 1;
  showType("no order", sparseflowTileTypeGet(at, 2, shape, f16, word("any")));
  showType("no tile", sparseflowSlotTypeGet(at, f16));
  showType("no tiles", sparseflowRingTypeGet(at, 4, 1, &f16));

  int ok = buildProgram(at, dense, sparse);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  printf("%s\n", ok ? "verified" : "not valid");
  return !ok;
}
