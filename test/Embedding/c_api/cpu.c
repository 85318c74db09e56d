/*===- cpu.c - The C API: a program that stays compiled for the CPU -*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <sparseflow-c/Cpu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__,     \
              #condition, sparseflowLastError());                              \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static const char *text =
    "#t = affine_map<(t, n) -> (t, n)>\n"
    "#n = affine_map<(t, n) -> (n)>\n"
    "func.func @add(%x: tensor<?x3xf32> {sparseflow.name = \"x\"},\n"
    "               %b: tensor<3xf32>) -> tensor<?x3xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %t = tensor.dim %x, %c0 : tensor<?x3xf32>\n"
    "  %e = tensor.empty(%t) : tensor<?x3xf32>\n"
    "  %y = linalg.generic {indexing_maps = [#t, #n, #t],\n"
    "      iterator_types = [\"parallel\", \"parallel\"]}\n"
    "      ins(%x, %b : tensor<?x3xf32>, tensor<3xf32>)\n"
    "      outs(%e : tensor<?x3xf32>) {\n"
    "  ^bb0(%v: f32, %w: f32, %o: f32):\n"
    "    %s = arith.addf %v, %w : f32\n"
    "    linalg.yield %s : f32\n"
    "  } -> tensor<?x3xf32>\n"
    "  return %y : tensor<?x3xf32>\n"
    "}\n";

int main(void) {
  SparseFlowCpuProgram *program = NULL;
  CHECK(sparseflowCpuCompile("func.func @f(", 13, NULL, 1, &program) != 0);
  CHECK(!program && sparseflowLastError()[0]);
  SparseFlowCompileOptions options = {0};
  options.structSize = sizeof(options);
  options.name = "add.mlir";
  CHECK(sparseflowCpuCompile(text, strlen(text), &options, 2, &program) == 0);
  CHECK(strstr(sparseflowCpuManifest(program), "\"name\": \"x\""));

  /* Twice, with other numbers of rows. */
  for (int64_t rows = 2; rows <= 5; rows += 3) {
    float x[15], b[3] = {0.5f, -1.0f, 8.0f}, y[15];
    for (int i = 0; i < 15; ++i)
      x[i] = (float)(i * i) - 3.0f;
    int64_t xs[] = {rows, 3}, bs[] = {3};
    SparseFlowCpuTensor in[] = {{x, xs, 2, 3}, {b, bs, 1, 3}};
    SparseFlowCpuTensor out = {y, xs, 2, 3};
    CHECK(sparseflowCpuRun(program, "add", in, 2, &out, 1) == 0);
    for (int64_t i = 0; i < 3 * rows; ++i)
      CHECK(y[i] == x[i] + b[i % 3]);

    /* What does not fit is refused before anything is written. */
    CHECK(sparseflowCpuRun(program, "sub", in, 2, &out, 1) != 0);
    CHECK(strstr(sparseflowLastError(), "'sub'"));
    in[1].dtype = 1;
    CHECK(sparseflowCpuRun(program, "add", in, 2, &out, 1) != 0);
    CHECK(strstr(sparseflowLastError(), "expected elements of f32, found f16"));
    in[1].dtype = 99;
    CHECK(sparseflowCpuRun(program, "add", in, 2, &out, 1) != 0);
    CHECK(strstr(sparseflowLastError(), "found type 99"));
  }
  sparseflowCpuDestroy(program);
  sparseflowCpuDestroy(NULL);
  printf("cpu ok\n");
  return 0;
}
