/* The public headers are plain C; this file only has to compile. */
#include "sparseflow/cache.h"
#include "sparseflow/gguf.h"

sf_status useTernary(const char *path);
sf_status useTernary(const char *path) {
  sf_gguf *file = 0;
  sf_ternary_format format = {0};
  format.struct_size = sizeof(format);
  if (sf_ternary_size(&format, 0, 0, 0))
    return SF_ERROR_INVALID_ARGUMENT;
  return sf_gguf_open(path, 0, &file);
}

sf_status useCache(const sf_attention_case *call);
sf_status useCache(const sf_attention_case *call) {
  sf_attention_mode mode;
  sf_cache_format format = {0};
  format.struct_size = sizeof(format);
  format.scale_features = SF_CACHE_TOKEN_SCALE;
  if (sf_cache_size(&format, 1, 64, 0, 0, 0))
    return SF_ERROR_INVALID_ARGUMENT;
  return sf_attention_choose_mode(call, &mode, 0, 0, 0);
}
