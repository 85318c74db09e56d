/*===- compile.c - The C API: blobs, errors, eight threads at once -*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <sparseflow-c/Compiler.h>

#include <pthread.h>
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

static char *readFile(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  char *text = malloc(1 << 20);
  *bytes = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static SparseFlowCompileOptions makeOptions(const char *emit) {
  SparseFlowCompileOptions options = {0};
  options.structSize = sizeof(options);
  options.emit = emit;
  options.targets = "sm_80,sm_90";
  options.name = "layer.mlir";
  return options;
}

static const char *module;
static size_t moduleBytes;

/* Counts what arrives, and keeps the last error's place. */
typedef struct Log {
  int remarks, errors;
  char place[64];
} Log;

static void onDiagnostic(SparseFlowSeverity severity, const char *location,
                         const char *text, void *userData) {
  Log *log = userData;
  CHECK(text[0] != '\0');
  log->remarks += severity == SPARSEFLOW_REMARK;
  if (severity == SPARSEFLOW_ERROR) {
    ++log->errors;
    snprintf(log->place, sizeof(log->place), "%s", location);
  }
}

static int always(void *userData) {
  ++*(int *)userData;
  return 1;
}

static void testBlobs(void) {
  Log log = {0};
  SparseFlowCompileOptions options = makeOptions("ptx");
  options.diagnostic = onDiagnostic;
  options.userData = &log;
  SparseFlowOutput *output = NULL;
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
  CHECK(sparseflowOutputCount(output) == 2);
  CHECK(strcmp(sparseflowOutputName(output, 0), "layer.sm_80.ptx") == 0);
  CHECK(strcmp(sparseflowOutputName(output, 1), "layer.sm_90.ptx") == 0);
  size_t bytes = 0;
  const char *ptx = sparseflowOutputData(output, 1, &bytes);
  CHECK(strlen(ptx) == bytes && strstr(ptx, ".target sm_90"));
  CHECK(!sparseflowOutputName(output, 2));
  CHECK(!sparseflowOutputData(output, 2, &bytes));
  CHECK(log.remarks > 0 && log.errors == 0);
  sparseflowOutputDestroy(output);
  sparseflowOutputDestroy(NULL);
  CHECK(sparseflowOutputCount(NULL) == 0);

  options = makeOptions("manifest");
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
  CHECK(strstr(sparseflowOutputData(output, 0, NULL), "sparseflow-bundle"));
  sparseflowOutputDestroy(output);

  /* What a pipeline prints is a module again. */
  SparseFlowOutput *second = NULL;
  CHECK(sparseflowRunPipeline(
            module, moduleBytes,
            "builtin.module(sparseflow-import,sparseflow-tensor)", NULL,
            &output) == 0);
  const char *text = sparseflowOutputData(output, 0, &bytes);
  CHECK(strstr(text, "#sparseflow.storage"));
  CHECK(sparseflowRunPipeline(text, bytes, "builtin.module(cse)", NULL,
                              &second) == 0);
  sparseflowOutputDestroy(output);
  sparseflowOutputDestroy(second);
}

static void testMachineCode(void) {
  SparseFlowOutput *output = NULL;
  SparseFlowCompileOptions options = makeOptions("bundle");
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
  const char *names[] = {"manifest.json", "layer.sm_80.cubin",
                         "layer.sm_80.ptx", "layer.sm_90.cubin",
                         "layer.sm_90.ptx"};
  CHECK(sparseflowOutputCount(output) == 5);
  for (size_t i = 0; i < 5; ++i)
    CHECK(strcmp(sparseflowOutputName(output, i), names[i]) == 0);
  CHECK(memcmp(sparseflowOutputData(output, 1, NULL), "\177ELF", 4) == 0);
  sparseflowOutputDestroy(output);

  options = makeOptions("obj");
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
  CHECK(strcmp(sparseflowOutputName(output, 0), "layer.o") == 0);
  CHECK(strcmp(sparseflowOutputName(output, 1), "layer.h") == 0);
  CHECK(strstr(sparseflowOutputData(output, 1, NULL), "layer_init("));
  sparseflowOutputDestroy(output);
}

static void testErrors(void) {
  Log log = {0};
  SparseFlowOutput *output = NULL;
  SparseFlowCompileOptions options = makeOptions("ptx");
  options.diagnostic = onDiagnostic;
  options.userData = &log;
  const char *bad = "func.func @f(%x: tensor<4xf16>) {";
  CHECK(sparseflowCompile(bad, strlen(bad), &options, &output) != 0);
  CHECK(!output && log.errors == 1);
  CHECK(strncmp(log.place, "layer.mlir:1:", 13) == 0);
  CHECK(strstr(sparseflowLastError(), "layer.mlir:1:"));
  CHECK(strstr(sparseflowLastError(), "'layer.mlir' is not a module"));

  options = makeOptions("spirv");
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) != 0);
  CHECK(strstr(sparseflowLastError(),
               "unknown kind of output 'spirv': expected one of mlir, "));
  options = makeOptions("ptx");
  options.targets = "sm_11";
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) != 0);
  CHECK(strstr(sparseflowLastError(), "unknown target 'sm_11'"));
  options = makeOptions("ptx");
  options.sparse = "none=2:4";
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) != 0);
  CHECK(strstr(sparseflowLastError(), "none"));
  options.structSize = 3;
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) != 0);
  CHECK(strstr(
      sparseflowLastError(),
      "structSize is 3: expected sizeof(SparseFlowCompileOptions), at most"));
  CHECK(sparseflowCompile(NULL, 0, NULL, &output) != 0);
  CHECK(strstr(sparseflowLastError(), "null"));

  int asked = 0;
  options = makeOptions("ptx");
  options.cancelled = always;
  options.userData = &asked;
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) != 0);
  CHECK(asked > 0 &&
        strstr(sparseflowLastError(), "compilation was cancelled"));

  CHECK(sparseflowRunPipeline(module, moduleBytes, "builtin.module(no-pass)",
                              NULL, &output) != 0);
  CHECK(strstr(sparseflowLastError(), "no-pass"));
  CHECK(sparseflowRunPipeline(module, moduleBytes, "func.func(cse)", NULL,
                              &output) != 0);
  CHECK(strstr(sparseflowLastError(), "expected builtin.module(...)"));
  /* A pass that fails and does not say why. */
  const char *folds = "func.func @f(%x: i32) -> i32 {"
                      "  %c = arith.constant 0 : i32"
                      "  %y = arith.addi %x, %c : i32"
                      "  return %y : i32"
                      "}";
  CHECK(sparseflowRunPipeline(folds, strlen(folds),
                              "builtin.module(canonicalize{max-iterations=1 "
                              "test-convergence=true})",
                              NULL, &output) != 0);
  CHECK(strstr(sparseflowLastError(),
               "the pipeline failed, without a reason: expected passes that "
               "succeed or report an error"));
}

/* Every thread compiles the same program; odd ones a wrong one in between. */
static void *work(void *argument) {
  const char *expected = argument;
  for (int i = 0; i < 2; ++i) {
    SparseFlowOutput *output = NULL;
    SparseFlowCompileOptions options = makeOptions("ptx");
    options.targets = "sm_80";
    CHECK(sparseflowCompile("module {", 8, &options, &output) != 0);
    CHECK(strstr(sparseflowLastError(), "layer.mlir:1:7"));
    CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
    CHECK(strcmp(sparseflowOutputData(output, 0, NULL), expected) == 0);
    sparseflowOutputDestroy(output);
    CHECK(sparseflowRunPipeline(module, moduleBytes,
                                "builtin.module(sparseflow-import)", NULL,
                                &output) == 0);
    sparseflowOutputDestroy(output);
  }
  return NULL;
}

static void testThreads(void) {
  SparseFlowOutput *output = NULL;
  SparseFlowCompileOptions options = makeOptions("ptx");
  options.targets = "sm_80";
  CHECK(sparseflowCompile(module, moduleBytes, &options, &output) == 0);
  void *expected = (void *)sparseflowOutputData(output, 0, NULL);
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, expected) == 0);
  for (int i = 0; i < 8; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  sparseflowOutputDestroy(output);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  module = readFile(argv[1], &moduleBytes);
  CHECK(strncmp(sparseflowVersion(), "sparseflow ", 11) == 0);
  if (strcmp(argv[2], "machine-code") == 0) {
    testMachineCode();
  } else {
    testThreads();
    testBlobs();
    testErrors();
  }
  free((char *)module);
  printf("%s ok\n", argv[2]);
  return 0;
}
