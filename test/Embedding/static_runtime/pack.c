/*===- pack.c - Packs a weight and reads it back ---------------*- C -*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <sparseflow/status.h>
#include <sparseflow/weights.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, K = 12 };

int main(void) {
  /* 1 and 2 of every four weights, as f16. */
  uint16_t weight[N * K], again[N * K];
  for (int i = 0; i < N * K; ++i)
    weight[i] = i % 4 == 1 ? 0x3c00 : i % 4 == 2 ? 0x4000 : 0;
  size_t bytes = 0;
  if (sf_pack24_size(N, K, &bytes, NULL) != SF_OK)
    return 1;
  void *packed = malloc(bytes);
  if (sf_pack24(weight, N, K, SF_DTYPE_F16, NULL, packed, bytes, NULL) !=
          SF_OK ||
      sf_unpack24(packed, bytes, N, K, 1, again, sizeof(again)) != SF_OK ||
      memcmp(weight, again, sizeof(weight)) != 0) {
    fprintf(stderr, "error: %s\n", sf_last_error());
    return 1;
  }
  free(packed);
  printf("packed %zu bytes\n", bytes);
  return 0;
}
