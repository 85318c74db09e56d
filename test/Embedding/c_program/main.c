/*===- main.c - A C program that runs examples/layer.mlir ------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|*   sparseflow compile layer.mlir --target sm_90 --emit obj,header -o layer.o
|*   cc main.c layer.o -lsparseflow_rt -lm -o layer
|*
|* One packed weight serves every number of tokens. Each number runs twice: as
|* a plain call, and as a captured graph that is launched three times and must
|* give the same bits. `--check` compares with double precision (a driver whose
|* kernels do nothing would fail that).
|*
\*===----------------------------------------------------------------------===*/

#include "layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 384, N = 1536 };

static const sf_driver_table *driver;

static void fail(const char *what, const char *text) {
  fprintf(stderr, "error: %s: %s\n", what, text);
  exit(1);
}

#define SF(call)                                                               \
  do {                                                                         \
    if ((call) != SF_OK)                                                       \
      fail(#call, sf_last_error());                                            \
  } while (0)

#define CU(call)                                                               \
  do {                                                                         \
    int result = (call);                                                       \
    const char *name = "unknown";                                              \
    if (result != SFCU_SUCCESS) {                                              \
      driver->get_error_name(result, &name);                                   \
      fail(#call, name);                                                       \
    }                                                                          \
  } while (0)

static void *allocate(size_t bytes) {
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    fail("allocating", "host memory is exhausted");
  return memory;
}

/* `count` values in [-1, 1) that depend on `seed` only, as f16. */
static void *randomHalves(size_t count, uint32_t seed) {
  float *values = allocate(count * sizeof(float));
  void *halves = allocate(count * 2);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)(seed >> 8) / (float)(1 << 23) - 1.0f;
  }
  SF(sf_convert(values, SF_DTYPE_F32, halves, SF_DTYPE_F16, (int64_t)count,
                NULL, NULL));
  free(values);
  return halves;
}

static float *floats(const void *halves, size_t count) {
  float *values = allocate(count * sizeof(float));
  SF(sf_convert(halves, SF_DTYPE_F16, values, SF_DTYPE_F32, (int64_t)count,
                NULL, NULL));
  return values;
}

static void *toDevice(const void *data, size_t bytes) {
  sfcu_deviceptr pointer = 0;
  CU(driver->mem_alloc(&pointer, bytes));
  if (data)
    CU(driver->memcpy_htod(pointer, data, bytes));
  return (void *)(uintptr_t)pointer;
}

static void freeDevice(void *pointer) {
  CU(driver->mem_free((sfcu_deviceptr)(uintptr_t)pointer));
}

static void *toHost(const void *device, size_t bytes) {
  void *data = allocate(bytes);
  CU(driver->memcpy_dtoh(data, (sfcu_deviceptr)(uintptr_t)device, bytes));
  return data;
}

/* Compares relu(x w^T + b) in double precision with `y`, for every `step`-th
   token. An f16 result may be off by half a unit in its last place, and by the
   rounding of K additions in f32. */
static void check(const void *x, const void *w, const void *b, const void *y,
                  int64_t tokens, int64_t step) {
  float *xs = floats(x, (size_t)tokens * K), *ws = floats(w, (size_t)N * K);
  float *bs = floats(b, N), *ys = floats(y, (size_t)tokens * N);
  double worst = 0;
  int64_t checked = 0;
  for (int64_t t = 0; t < tokens; t += step)
    for (int n = 0; n < N; ++n, ++checked) {
      double sum = bs[n], magnitude = fabs(bs[n]);
      for (int k = 0; k < K; ++k) {
        double product = (double)xs[t * K + k] * ws[n * K + k];
        sum += product;
        magnitude += fabs(product);
      }
      double expected = sum > 0 ? sum : 0;
      double bound = ldexp(fabs(expected), -11) + ldexp(1, -25) +
                     K * ldexp(magnitude, -24);
      double error = fabs(ys[t * N + n] - expected);
      if (!(error <= bound)) {
        fprintf(stderr, "T=%lld: y[%lld][%d] is %g, expected %g within %g\n",
                (long long)tokens, (long long)t, n, (double)ys[t * N + n],
                expected, bound);
        exit(1);
      }
      worst = error / bound > worst ? error / bound : worst;
    }
  printf("T=%lld: %lld elements ok, worst error %.2f of the bound\n",
         (long long)tokens, (long long)checked, worst);
  free(xs);
  free(ws);
  free(bs);
  free(ys);
}

int main(int argc, char **argv) {
  int checking = argc > 1 && strcmp(argv[1], "--check") == 0;
  sf_context *context = NULL;
  layer_program *program = NULL;
  SF(sf_context_create(0, &context));
  SF(layer_init(context, &program));
  SF(sf_get_driver_table(&driver));
  CU(driver->ctx_push_current(sf_context_native(context)));

  /* Weights: pruned to 2:4 and packed once. */
  void *w = randomHalves((size_t)N * K, 1), *b = randomHalves(N, 2);
  size_t packedBytes = 0;
  SF(sf_prune24(w, N, K, SF_DTYPE_F16, NULL, NULL));
  SF(sf_pack24_size(N, K, &packedBytes, NULL));
  void *packed = allocate(packedBytes);
  SF(sf_pack24(w, N, K, SF_DTYPE_F16, NULL, packed, packedBytes, NULL));
  void *deviceW = toDevice(packed, packedBytes);
  void *deviceB = toDevice(b, N * 2);

  sfcu_stream stream = NULL;
  CU(driver->stream_create(&stream, SFCU_STREAM_NON_BLOCKING));
  const int64_t counts[] = {1, 77, 4096};
  for (int i = 0; i < 3; ++i) {
    int64_t T = counts[i];
    size_t bytes = 0, yBytes = (size_t)T * N * 2;
    SF(layer_workspace_size(program, T, &bytes));
    void *x = randomHalves((size_t)T * K, 3);
    void *deviceX = toDevice(x, (size_t)T * K * 2);
    void *deviceY = toDevice(NULL, yBytes);
    void *workspace = bytes ? toDevice(NULL, bytes) : NULL;
    SF(layer(program, deviceX, deviceW, deviceB, deviceY, T, workspace, bytes,
             stream));
    CU(driver->stream_synchronize(stream));
    void *y = toHost(deviceY, yBytes);
    if (checking)
      check(x, w, b, y, T, T > 100 ? 64 : 1);

    sfcu_graph graph = NULL;
    sfcu_graph_exec exec = NULL;
    CU(driver->stream_begin_capture(stream,
                                    SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    SF(layer(program, deviceX, deviceW, deviceB, deviceY, T, workspace, bytes,
             stream));
    CU(driver->stream_end_capture(stream, &graph));
    CU(driver->graph_instantiate(&exec, graph, 0));
    for (int run = 0; run < 3; ++run) {
      if (checking)
        CU(driver->memset_d8_async((sfcu_deviceptr)(uintptr_t)deviceY, 0xff,
                                   yBytes, stream));
      CU(driver->graph_launch(exec, stream));
      CU(driver->stream_synchronize(stream));
      void *again = toHost(deviceY, yBytes);
      if (memcmp(y, again, yBytes) != 0)
        fail("graph", "another result than the plain call");
      free(again);
    }
    printf("T=%lld: the graph gives the same bits\n", (long long)T);
    CU(driver->graph_exec_destroy(exec));
    CU(driver->graph_destroy(graph));
    freeDevice(deviceX);
    freeDevice(deviceY);
    if (workspace)
      freeDevice(workspace);
    free(x);
    free(y);
  }

  /* Mistakes are refused before anything is launched. */
  if (layer(program, NULL, deviceW, deviceB, deviceB, 1, NULL, 0, stream) !=
      SF_ERROR_INVALID_ARGUMENT)
    fail("layer", "took a null argument");
  printf("refused: %s\n", sf_last_error());

  CU(driver->stream_destroy(stream));
  freeDevice(deviceW);
  freeDevice(deviceB);
  free(packed);
  free(w);
  free(b);
  sfcu_context popped = NULL;
  driver->ctx_pop_current(&popped);
  layer_release(program);
  sf_context_destroy(context);
  printf("done\n");
  return 0;
}
