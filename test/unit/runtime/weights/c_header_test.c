/* Compiled as C: the public headers must not need C++. */
#include "sparseflow/status.h"
#include "sparseflow/weights.h"

int sparseflow_header_check(void);
int sparseflow_header_check(void) {
  sf_pack_options options = {sizeof(sf_pack_options), "w", SF_PACK_PRUNE, 1};
  return (int)options.flags;
}
