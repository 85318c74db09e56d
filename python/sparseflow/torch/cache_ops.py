# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.sparseflow.cache_attention: new tokens into quantized caches, in place, and
attention on what they hold.

The caches are pages, uint8 [B, key heads, S / 64, bytes of a page]
(docs/formats/quantized-cache.md), which kernels read as they are. On the CPU NumPy
evaluates the same program: the same bits in the pages, sums in float32.
"""

import functools

import numpy as np
import torch

from .. import reference
from ..cache import TernaryCache
from ..errors import Error
from ..forms import CacheAttentionForm, CacheFormat
from . import launch
from .ops import NAMES, library, to_numpy, to_torch

PAGE = 64

library.define("cache_attention(Tensor q, Tensor key, Tensor value, Tensor(a!) keys, "
               "Tensor(b!) values, Tensor before, str cache, float scale, int window, "
               "float softcap)"
               " -> Tensor")


@functools.lru_cache(maxsize=None)
def page_bytes(cache, features):
    """Bytes of a page of keys and of one of values; `features` of each."""
    return tuple(TernaryCache.empty(1, 1, PAGE, d, storage, cache.scale,
                                    cache.scale_dtype).pages.nbytes
                 for d, storage in zip(features, cache.storages))


def _form(q, key, value, keys, values, before, cache, scale, window, softcap):
    """Checks what every kernel begins with."""
    cache = CacheFormat.parse(cache)
    if any(t.dim() != 4 for t in (q, key, value)) or q.dtype not in NAMES or \
            key.dtype != q.dtype or value.dtype != q.dtype:
        raise Error("expected q, key, value [B, H, Q, D] of one type, f16 or bf16, found "
                    f"{list(q.shape)} {q.dtype}, {list(key.shape)} {key.dtype}, "
                    f"{list(value.shape)} {value.dtype}")
    b, heads, queries, d = q.shape
    groups, d_v = value.shape[1], value.shape[3]
    if key.shape != (b, groups, queries, d) or value.shape[:3] != key.shape[:3] or \
            not groups or heads % groups:
        raise Error(f"the sizes of q {list(q.shape)}, key {list(key.shape)} and value "
                    f"{list(value.shape)} do not fit one another")
    for name, pages, size in zip(("keys", "values"), (keys, values),
                                 page_bytes(cache, (d, d_v))):
        if pages.dtype != torch.uint8 or pages.dim() != 4 or \
                pages.shape != (b, groups, keys.shape[2], size) or \
                not pages.is_contiguous():
            raise Error(f"expected the pages of {name}, contiguous uint8 [{b}, {groups}, "
                        f"S / 64, {size}] of '{cache}', found {pages.dtype} "
                        f"{list(pages.shape)}")
    if before.dtype != torch.int32 or before.shape != (b,):
        raise Error(f"expected the positions that are taken, int32 [{b}], found "
                    f"{before.dtype} {list(before.shape)}")
    return CacheAttentionForm(heads, groups, d, d_v, NAMES[q.dtype], cache, scale, window,
                              softcap)


def _result(q, value):
    return q.new_empty((*q.shape[:3], value.shape[3]))


def _cache_attention(kernel):
    def cache_attention(q, key, value, keys, values, before, *options):
        form = _form(q, key, value, keys, values, before, *options)
        out = _result(q, value)
        return kernel(form, q, key, value, keys, values, before, out) if out.numel() else out
    return cache_attention


def _on_cpu(form, q, key, value, keys, values, before, out):
    lengths, queries = before.tolist(), q.shape[2]
    used = -(-max(max(lengths) + queries, 0) // PAGE)
    caches = []
    for pages, tokens, storage in zip((keys, values), (key, value), form.cache.storages):
        scales = (storage, form.cache.scale, form.cache.scale_dtype)
        whole = TernaryCache(pages.numpy(), tokens.shape[3], *scales)
        whole.append(tokens.float().numpy(), lengths, form.cache.method, in_place=True)
        # What is behind the last token takes no time.
        caches.append(TernaryCache(whole.pages[:, :, :used], tokens.shape[3], *scales))
    behind = np.asarray(lengths, np.int32) + np.int32(queries)
    found, = reference.evaluate(form.function(), [to_numpy(q), *caches, behind],
                                {"B": len(lengths), "Q": queries, "S": used * PAGE},
                                np.float32)
    return to_torch(found, form.dtype)


def _on_gpu(form, q, key, value, keys, values, before, out):
    key, value = key.contiguous(), value.contiguous()
    # The symbols as the compiler finds them: B, Q of each of q, key and value, and S.
    sizes = [q.shape[0], q.shape[2], q.shape[2], q.shape[2], keys.shape[2] * PAGE]
    return launch.launch(str(form), form.program, sizes,
                         [q.contiguous(), key, value, keys, values, before.contiguous(),
                          before + q.shape[2]], out, keys, values)


library.impl("cache_attention", _cache_attention(_on_cpu), "CPU")
library.impl("cache_attention", _cache_attention(_on_gpu), "CUDA")
torch.library.register_fake("sparseflow::cache_attention",
                            _cache_attention(lambda *given: given[-1]), lib=library)

cache_attention = torch.ops.sparseflow.cache_attention.default
