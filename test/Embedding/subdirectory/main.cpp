// A library of the compiler and one of the runtime, built inside this project.
#include "SparseFlow/Support/LinearLayout.h"
#include "sparseflow/weights.h"

#include <cstdio>

int main() {
  size_t bytes = 0;
  if (sf_pack24_size(64, 64, &bytes, nullptr) != SF_OK)
    return 1;
  mlir::sftile::LinearLayout layout;
  std::printf("a packed matrix of 64 x 64 has %zu bytes\n", bytes);
  return 0;
}
