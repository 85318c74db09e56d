# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values of Hugging Face models in caches of 8, 4 or 2 bits.

```python
from sparseflow.torch import hf_cache

model.set_attn_implementation("sparseflow")
model.generate(ids, past_key_values=hf_cache.PackedCache(keys="int8", values="int4"))
```

Importing this module registers the attention "sparseflow" with transformers. It rounds new
keys and values into the cache and reads them there as they are; of any other cache, or
none, it is torch's attention within sparseflow.torch.attention().
"""

import functools
import math

import torch

from ..errors import Error
from ..forms import CacheFormat
from . import cache_ops
from .attention import attention

try:
    from transformers import AttentionInterface
    from transformers.cache_utils import Cache, CacheLayerMixin
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.masking_utils import AttentionMaskInterface, sdpa_mask
except ImportError as _error:
    raise Error("sparseflow.torch.hf_cache needs transformers 5.23 or later: pip install "
                f"transformers ({_error})") from None
if not hasattr(CacheLayerMixin, "get_max_length"):
    import transformers as _transformers
    raise Error("sparseflow.torch.hf_cache needs transformers 5.23 or later, found "
                f"{_transformers.__version__}")

NAME = "sparseflow"
# What a model may ask of its attention that is not computed on caches of few bits.
_REFUSED = ("s_aux", "position_bias", "alibi", "head_mask", "block_mask", "cache")


class Mask:
    """What the model's mask is, found once for all of its layers.

    `dense`: bool [B, 1, Q, K], for torch's attention; `padding`: positions at the left
    of each batch entry that are padding; `window`: keys that a query sees, 0 for all;
    `problem`: why it is neither causal nor a causal window, or "".
    """

    def __init__(self, dense, padding, window, problem):
        self.dense, self.padding, self.window, self.problem = dense, padding, window, problem


def _make_mask(batch_size, q_length, kv_length, q_offset=0, kv_offset=0, attention_mask=None,
               local_size=None, device="cpu", **more):
    # Attention in both directions has no mask without padding, which would read as causal.
    more["allow_is_bidirectional_skip"] = False
    dense = sdpa_mask(batch_size=batch_size, q_length=q_length, kv_length=kv_length,
                      q_offset=q_offset, kv_offset=kv_offset, attention_mask=attention_mask,
                      local_size=local_size, device=device, **more)
    if dense is None:
        return None
    padding = torch.zeros(batch_size, dtype=torch.long, device=device)
    if attention_mask is not None:
        padding = kv_length - attention_mask[:, :kv_length].bool().sum(1)
    query = torch.arange(q_length, device=device)[:, None] + q_offset
    key = torch.arange(kv_length, device=device)
    expected = (key <= query) & (key >= padding[:, None, None, None])
    if local_size is not None:
        expected &= query - key < local_size
    fits = kv_offset == 0 and torch.equal(dense, expected.expand_as(dense))
    return Mask(dense, padding.tolist(), local_size or 0, "" if fits else
                "a mask that is not causal, with padding at the left alone")


class _Unread(torch.Tensor):
    """The keys or values of a step, on their way to the attention that writes them into
    the cache. Another attention must not take them for all keys: any use is an error."""

    _NAMES = {"__get__", "size", "dim", "stride", "numel", "__len__", "is_contiguous",
              "is_floating_point", "element_size", "get_device"}
    _FIELDS = {"shape", "dtype", "device", "ndim", "is_cuda", "is_cpu", "requires_grad",
               "layout", "is_nested", "is_meta"}

    @classmethod
    def of(cls, tensor, step):
        made = torch.Tensor._make_subclass(cls, tensor.detach())
        made.step = step
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        field = getattr(getattr(func, "__self__", None), "__name__", "")
        if name == "__get__" and field in cls._FIELDS or \
                name in cls._NAMES - {"__get__"}:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        raise Error(f"'{name}' of the keys or values that a PackedCache holds: they are "
                    "read by the attention \"sparseflow\" alone; call model."
                    "set_attn_implementation(\"sparseflow\") before the model, or give it "
                    "another cache")

    def __repr__(self):
        return f"<{list(self.shape)} on its way into a PackedCache>"


class _Step:
    """Keys and values of one call of `update`."""

    def __init__(self, layer, key, value):
        self.layer, self.key, self.value = layer, key, value
        self.position = layer.length


class PackedLayer(CacheLayerMixin):
    """A layer of a PackedCache. `keys`, `values`: pages, uint8 [B, heads, S / 64, bytes],
    S of them room; `length`: positions that a batch entry has, its padding among them,
    which is not stored."""

    is_sliding = False
    is_croppable = True
    is_compileable = False

    def __init__(self, form, capacity):
        super().__init__()
        self.form, self.capacity = form, capacity
        self.length, self.padding, self._shift = 0, None, None

    def __repr__(self):
        return f"PackedLayer({self.form}, {self.length} positions)"

    def lazy_initialization(self, key_states, value_states):
        self.device = key_states.device
        batch, heads = key_states.shape[:2]
        self._features = key_states.shape[3], value_states.shape[3]
        sizes = cache_ops.page_bytes(self.form, self._features)
        self.keys, self.values = (torch.zeros((batch, heads, 0, size), dtype=torch.uint8,
                                              device=self.device) for size in sizes)
        self._set_padding([0] * batch)
        self.is_initialized = True

    def _set_padding(self, padding):
        self.padding = list(padding)
        self._shift = torch.tensor(self.padding, dtype=torch.int32, device=self.device)

    def update(self, key_states, value_states, *args, **kwargs):
        """Handles of the new tokens, which the attention writes into the cache."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        found = (*key_states.shape[:2], key_states.shape[3], value_states.shape[3])
        if found != (*self.keys.shape[:2], *self._features):
            raise Error(f"expected keys [{self.keys.shape[0]}, {self.keys.shape[1]}, Q, "
                        f"{self._features[0]}] as the cache holds, found "
                        f"{list(key_states.shape)}; reset the cache, or make another")
        step = _Step(self, key_states, value_states)
        return _Unread.of(key_states, step), _Unread.of(value_states, step)

    def _reserve(self, positions):
        """Room for so many positions: twice as much as there was, so that a token is
        copied a constant number of times on the mean."""
        pages, room = -(-positions // cache_ops.PAGE), self.keys.shape[2]
        if pages <= room:
            return
        pages = max(pages, 2 * room, -(-self.capacity // cache_ops.PAGE))
        for name in ("keys", "values"):
            old = getattr(self, name)
            new = old.new_zeros((*old.shape[:2], pages, old.shape[3]))
            new[:, :, :room] = old
            setattr(self, name, new)

    def attend(self, step, query, mask, scale, softcap):
        """Writes the step's tokens into the cache; [B, Q, heads, features] of the queries."""
        if step.position != self.length or not self.is_initialized:
            raise Error("keys and values of a PackedCache were read twice, or the cache "
                        "changed since: each layer's attention reads its own, once, and layers "
                        "that share keys need another cache")
        queries = query.shape[2]
        padding = mask.padding if mask else [0] * query.shape[0]
        # A prompt that comes in parts may begin with parts that are padding as a whole.
        seen = [min(p, self.length) for p in padding]
        if seen != [min(p, self.length) for p in self.padding]:
            raise Error(f"the cache holds {self.length} positions of each sequence, "
                        f"{self.padding} of them padding, and the mask says {padding}: "
                        "give the attention mask of all positions to each call")
        if padding != self.padding:
            self._set_padding(padding)
        self._reserve(self.length + queries)
        dtype = torch.bfloat16 if query.dtype == torch.bfloat16 else torch.float16
        out = cache_ops.cache_attention(
            query.to(dtype), step.key.to(dtype), step.value.to(dtype), self.keys,
            self.values, self.length - self._shift, str(self.form), scale,
            mask.window if mask else 0, softcap)
        self.length += queries
        return out.to(query.dtype).transpose(1, 2).contiguous()

    def get_mask_sizes(self, query_length):
        return self.length + query_length, 0

    def get_seq_length(self):
        return self.length

    def get_max_length(self):
        return -1

    def reset(self):
        self.keys = self.values = None
        self.length, self.is_initialized = 0, False

    def crop(self, tokens_to_remove):
        """Forgets the last positions; a number from 0 down, as transformers has it."""
        if tokens_to_remove > 0:
            raise Error(f"expected crop(-n) to remove n positions, found {tokens_to_remove}")
        self.length = max(0, self.length + tokens_to_remove)

    def _select(self, indices):
        if self.is_initialized:
            self.keys, self.values = (t.index_select(0, indices.to(t.device))
                                      for t in (self.keys, self.values))
            self._set_padding([self.padding[i] for i in indices.tolist()])

    def reorder_cache(self, beam_idx):
        self._select(beam_idx)

    def batch_repeat_interleave(self, repeats):
        if self.is_initialized:
            self._select(torch.arange(len(self.padding)).repeat_interleave(repeats))

    def batch_select_indices(self, indices):
        if self.is_initialized:
            self._select(torch.arange(len(self.padding))[indices.cpu()])

    def offload(self):
        raise Error("a PackedCache is not offloaded: its tokens are written by the "
                    "attention, behind update")

    prefetch = offload


class PackedCache(Cache):
    """A cache of keys and values of a Hugging Face model, of few bits.

    `keys`, `values`: "int8", "int4" or "e4m3", or both "ternary"; `scale`: for each "token", or of
    numbers "token x 32", "token x 64", "token x 128" features; of `scale_dtype`.
    `method`: of trits, "absmean" or "twn".
    `capacity`: positions that there is room for at first; it grows by doubling. Give
    it to a model as `past_key_values` whose attention is "sparseflow".

    Batches, padding at the left, sliding windows, beam search, crop and prompts in parts
    work; other masks and kinds of attention are an Error. Under torch.no_grad() only.
    """

    def __init__(self, keys="int8", values="int8", scale="token", scale_dtype="f16",
                 capacity=256, method="absmean"):
        self.form = CacheFormat(keys, values, scale, scale_dtype, method)
        super().__init__(layer_class_to_replicate=functools.partial(
            PackedLayer, self.form, capacity))

    @property
    def nbytes(self):
        """Bytes of the pages of all layers, those that are not taken yet among them."""
        return sum(layer.keys.nbytes + layer.values.nbytes for layer in self.layers
                   if layer.is_initialized)


def attention_forward(module, query, key, value, attention_mask, dropout=0.0, scaling=None,
                      is_causal=None, **more):
    """The attention that transformers calls: ([B, Q, heads, features], None)."""
    if not isinstance(key, _Unread):
        mask = attention_mask.dense if isinstance(attention_mask, Mask) else attention_mask
        with attention():
            return sdpa_attention_forward(module, query, key, value, mask, dropout=dropout,
                                          scaling=scaling, is_causal=is_causal, **more)
    problems = [name for name in _REFUSED if more.get(name) is not None]
    if is_causal is None:
        is_causal = getattr(module, "is_causal", True)
    if not is_causal:
        problems.append("attention that is not causal")
    if dropout:
        problems.append("dropout")
    if more.get("output_attentions"):
        problems.append("output_attentions")
    if isinstance(attention_mask, Mask):
        problems += [attention_mask.problem] if attention_mask.problem else []
    elif attention_mask is not None:
        problems.append("a mask of the caller's own")
    step = key.step
    if torch.is_grad_enabled() and any(t.requires_grad for t in (query, step.key, step.value)):
        problems.append("a gradient, which torch.no_grad() leaves out")
    if problems:
        raise Error(f"attention on a PackedCache does not know {', '.join(problems)}; give "
                    "the model another cache for that, such as transformers' DynamicCache")
    scale = 1 / math.sqrt(query.shape[3]) if scaling is None else scaling
    softcap = more.get("softcap") or 0.0
    return step.layer.attend(step, query, attention_mask, scale, softcap), None


AttentionInterface.register(NAME, attention_forward)
AttentionMaskInterface.register(NAME, _make_mask)
