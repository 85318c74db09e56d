// A library of the compiler, built inside this project.
#include "SparseFlow/Support/LinearLayout.h"

#include <cstdio>

int main() {
  auto layout = mlir::sftile::vectorLayout(64, 8, 8);
  if (!layout || !layout->isBijective())
    return 1;
  std::printf("each of 32 lanes holds %d elements\n",
              static_cast<int>(layout->numRegisters()));
  return 0;
}
