// What an embedder writes: the functions that the host part declares. These run
// the kernels of a region on the simulator, by the command line tool, with
// arguments and results in .npy files; one on a GPU calls the region's C function
// (docs/c-abi.md) with the same pointers and sizes.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A memref of two dimensions, as MLIR's C interface passes it.
typedef struct {
  uint16_t *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} Matrix;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void path_of(char path[4096], const char *name) {
  snprintf(path, 4096, "%s/%s.npy", getenv("WORK"), name);
}

static void write_matrix(const Matrix *matrix, const char *name) {
  char path[4096], header[128];
  path_of(path, name);
  FILE *file = fopen(path, "wb");
  if (!file)
    fail(path);
  // 10 bytes, then a dictionary that ends at a multiple of 64 bytes.
  memset(header, ' ', sizeof(header));
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  int length = snprintf(header + 10, 117,
                        "{'descr': '<f2', 'fortran_order': False, 'shape': "
                        "(%" PRId64 ", %" PRId64 "), }",
                        matrix->sizes[0], matrix->sizes[1]);
  header[10 + length] = ' ';
  header[127] = '\n';
  fwrite(header, 1, sizeof(header), file);
  for (int64_t row = 0; row < matrix->sizes[0]; ++row)
    for (int64_t column = 0; column < matrix->sizes[1]; ++column)
      fwrite(matrix->aligned + matrix->offset + row * matrix->strides[0] +
                 column * matrix->strides[1],
             2, 1, file);
  if (fclose(file))
    fail(path);
}

static Matrix read_matrix(const char *name, int64_t rows, int64_t columns) {
  char path[4096];
  path_of(path, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    fail(path);
  unsigned char start[10];
  size_t count = (size_t)(rows * columns);
  // The caller frees it.
  Matrix matrix = {malloc(count * 2), 0, 0, {rows, columns}, {columns, 1}};
  matrix.aligned = matrix.allocated;
  if (fread(start, 1, 10, file) != 10 ||
      fseek(file, start[8] | start[9] << 8, SEEK_CUR) ||
      fread(matrix.aligned, 2, count, file) != count || fgetc(file) != EOF)
    fail(path);
  fclose(file);
  return matrix;
}

static Matrix launch(const char *region, const Matrix *x, const Matrix *w) {
  char command[16384], result[256];
  write_matrix(x, "x");
  write_matrix(w, "w");
  snprintf(command, sizeof(command),
           "sparseflow run %s --entry %s --device sim --target sm_80 --races "
           "--check --arg 0=%s/x.npy --arg 1=%s/w.npy -o %s/%s.npy >&2",
           getenv("DEVICE"), region, getenv("WORK"), getenv("WORK"),
           getenv("WORK"), region);
  if (system(command))
    fail(region);
  snprintf(result, sizeof(result), "%s", region);
  return read_matrix(result, x->sizes[0], w->sizes[0]);
}

void _mlir_ciface_model_region0(Matrix *y, const Matrix *x, const Matrix *w) {
  *y = launch("model_region0", x, w);
}

void _mlir_ciface_model_region1(Matrix *y, const Matrix *x, const Matrix *w) {
  *y = launch("model_region1", x, w);
}
