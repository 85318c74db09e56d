# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.nn.functional.scaled_dot_product_attention by SparseFlow's kernels."""

import math
import threading

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from .. import bundle_cache
from ..errors import Error
from . import ops
from .emitter import MOST_FEATURES
from .modules import autocast_dtype

# What scores may be multiplied by.
_MOST_SCALE = 1024
_lock = threading.Lock()
_counts = {}


@torch.compiler.assume_constant_result
def _record(reason):
    """Counts a call; of traced code, that it was traced."""
    with _lock:
        _counts[reason] = _counts.get(reason, 0) + 1
    return True


@torch.compiler.assume_constant_result
def _unknown_device(index):
    try:
        bundle_cache.target_of(torch.cuda.get_device_capability(index))
    except Error as error:
        return str(error)
    return ""


def _reason(q, k, v, attn_mask, dropout_p, is_causal, scale, enable_gqa, cpu):
    """Why a call is left to torch; "" where it is not."""
    if attn_mask is not None:
        return "an attention mask"
    if dropout_p:
        return "dropout"
    if any(t.is_nested or t.dim() != 4 for t in (q, k, v)):
        return "other dimensions than [B, H, S, D]"
    if any(t.device != q.device for t in (k, v)) or not (q.is_cuda or cpu and q.is_cpu):
        return "not on one GPU"
    if torch.is_grad_enabled() and any(t.requires_grad for t in (q, k, v)):
        return "a gradient is needed"
    if any(t.dtype not in ops.NAMES or t.dtype != q.dtype for t in (q, k, v)):
        return "not of one type, f16 or bf16"
    if max(q.shape[3], v.shape[3]) > MOST_FEATURES:
        return f"more than {MOST_FEATURES} features a head"
    if q.shape[0] != k.shape[0] or k.shape[:3] != v.shape[:3] or \
            q.shape[1] % k.shape[1] or (q.shape[1] != k.shape[1] and not enable_gqa):
        return "sizes that torch broadcasts or refuses"
    if is_causal and q.shape[2] != k.shape[2]:
        return "causal with fewer or more queries than keys, where torch counts from the first key"
    if not abs(scale) <= _MOST_SCALE:
        return f"a scale beyond {_MOST_SCALE}"
    if k.shape[2] == 0:
        return "no keys"
    return _unknown_device(q.device.index) if q.is_cuda else ""


class attention(TorchFunctionMode):  # pylint: disable=invalid-name
    """Within it, scaled_dot_product_attention runs SparseFlow's attention where it can.

    ```python
    with sparseflow.torch.attention() as override:
        model(x)
    print(override.report)
    ```

    `report`: how often it ran ("sparseflow"), and for each reason why not; of compiled
    code, how often that was traced. Calls from inside of torch's own modules
    (torch.nn.MultiheadAttention) do not pass it. On the CPU torch's own attention is
    left to it, unless `cpu`: then NumPy evaluates what the kernels compute, slowly.
    """

    def __init__(self, cpu=False):
        super().__init__()
        self._cpu, self._before = cpu, dict(_counts)

    @property
    def report(self):
        """{"sparseflow" or a reason: calls} since this was made, of all threads."""
        with _lock:
            calls = {why: n - self._before.get(why, 0) for why, n in _counts.items()}
        return {why: n for why, n in calls.items() if n}

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is not F.scaled_dot_product_attention:
            return func(*args, **kwargs)
        return _call(self._cpu, *args, **kwargs)


def _call(cpu, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
          scale=None, enable_gqa=False):
    q, k, v = query, key, value
    if dtype := autocast_dtype(q.device):
        q, k, v = q.to(dtype), k.to(dtype), v.to(dtype)
    factor = 1 / math.sqrt(q.shape[-1] or 1) if scale is None else scale
    reason = _reason(q, k, v, attn_mask, dropout_p, is_causal, factor, enable_gqa, cpu)
    _record(reason or "sparseflow")
    if reason:
        return F.scaled_dot_product_attention(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale,
            enable_gqa=enable_gqa)
    return ops.attention(q, k, v, is_causal, factor)
