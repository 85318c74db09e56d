/*===- dialects.c - Beside MLIR's own C API -*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <sparseflow-c/Dialects.h>

#include <mlir-c/IR.h>
#include <mlir-c/Pass.h>
#include <stdio.h>

static void print(MlirStringRef text, void *userData) {
  fwrite(text.data, 1, text.length, userData);
}

static const char *source =
    "func.func @f(%x: tensor<?x8xf16>,"
    "             %w: tensor<16x8xf16, #sparseflow.nm<2:4>>)"
    "    -> tensor<?x16xf32> {\n"
    "  %y = sparseflow.matmul %x, %w {\n"
    "  ^bb0(%acc: f32):\n"
    "    sparseflow.yield %acc : f32\n"
    "  } : tensor<?x8xf16>, tensor<16x8xf16, #sparseflow.nm<2:4>>"
    "    -> tensor<?x16xf32>\n"
    "  return %y : tensor<?x16xf32>\n"
    "}\n";

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  sparseflowRegisterDialects(registry);
  sparseflowRegisterPasses();
  sparseflowRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  /* A handle loads one dialect; sparseflowRegisterDialects is for all. */
  MlirDialectHandle handles[] = {mlirGetDialectHandle__sparseflow__(),
                                 mlirGetDialectHandle__sftile__()};
  for (int i = 0; i < 2; ++i) {
    MlirStringRef name = mlirDialectHandleGetNamespace(handles[i]);
    printf("dialect %.*s\n", (int)name.length, name.data);
    if (mlirDialectIsNull(mlirDialectHandleLoadDialect(handles[i], context)))
      return 1;
  }
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  if (mlirModuleIsNull(module))
    return 1;
  MlirPassManager manager = mlirPassManagerCreate(context);
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(
          mlirPassManagerGetAsOpPassManager(manager),
          mlirStringRefCreateFromCString(
              "builtin.module(sparseflow-import,sparseflow-tensor)"),
          print, stderr)) ||
      mlirLogicalResultIsFailure(
          mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))))
    return 1;
  mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
