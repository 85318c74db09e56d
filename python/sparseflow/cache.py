# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ternary keys and values of attention: pages of docs/formats/ternary-cache.md."""

import ctypes

import numpy as np

from . import native
from .dtypes import NUMBERS
from .errors import Error

KINDS = {"key_planes": 0, "value_planes": 1}
_SCALES = {"head": -1, "token": -2}
_METHODS = {"absmean": 0, "twn": 1}
_PAGE = 64


class TernaryCache:
    """A cache [B, G, S, D] of trits with scales, S a multiple of 64.

    `pages` (uint8, [B, G, S / 64, bytes of a page]), `features` (D), `storage`
    ("key_planes" or "value_planes"), `scale` ("head", "token", or 32, 64, 128 or
    256 features) and `scale_dtype`.
    """

    def __init__(self, pages, features, storage, scale, scale_dtype):
        self.features, self.storage = int(features), storage
        self.scale, self.scale_dtype = scale, scale_dtype
        self.pages = np.ascontiguousarray(pages, np.uint8)
        expected = self._size(1, _PAGE)[1]
        if self.pages.ndim != 4 or self.pages.shape[3] != expected:
            raise Error(f"expected pages [B, G, S / 64, {expected}] of uint8, found "
                        f"{list(self.pages.shape)}")

    @classmethod
    def pack(cls, trits, scales, storage, scale="token", scale_dtype="f32"):
        """Packs trits (int8, [B, G, S, D]) and scales (float32: [B, G] for a head,
        [B, G, S] for tokens, [B, G, groups] for groups of features)."""
        trits = np.ascontiguousarray(trits, np.int8)
        if trits.ndim != 4 or trits.shape[2] % _PAGE:
            raise Error("expected trits [B, G, S, D] with S a multiple of 64, found "
                        f"{list(trits.shape)}")
        b, g, s, d = trits.shape
        pages = cls.empty(b, g, s, d, storage, scale, scale_dtype)
        count = pages._size(b * g, s)[2]
        scales = np.ascontiguousarray(scales, np.float32)
        if scales.size != count:
            raise Error(f"expected {count} scales, found {list(scales.shape)}")
        native.library().sf_cache_pack(
            trits.ctypes.data, scales.ctypes.data, pages._format(), b * g, s, None,
            pages.pages.ctypes.data, pages.pages.nbytes)
        return pages

    @classmethod
    def empty(cls, batch, heads, positions, features, storage, scale="token",
              scale_dtype="f32"):
        """A cache that nothing was written to: all of its elements are 0."""
        if positions % _PAGE:
            raise Error(f"expected a multiple of 64 positions, found {positions}")
        form = _format(features, storage, scale, scale_dtype)
        page = ctypes.c_uint64()
        native.library().sf_cache_size(form, 1, _PAGE, None, page, None)
        return cls(np.zeros((batch, heads, positions // _PAGE, page.value), np.uint8),
                   features, storage, scale, scale_dtype)

    @property
    def shape(self):
        batch, heads, pages, _ = self.pages.shape
        return (batch, heads, pages * _PAGE, self.features)

    def __str__(self):
        return (f"{self.storage} of {self.features} features, scale: {self.scale} in "
                f"{self.scale_dtype}")

    def _format(self):
        return _format(self.features, self.storage, self.scale, self.scale_dtype)

    def _size(self, heads, tokens):
        total, page, scales = (ctypes.c_uint64() for _ in range(3))
        native.library().sf_cache_size(self._format(), heads, tokens, total, page,
                                       scales)
        return total.value, page.value, scales.value

    def unpack(self):
        """Trits (int8, [B, G, S, D]) and scales (float32, as `pack` takes them);
        checks the pages."""
        b, g, s, d = self.shape
        trits = np.empty((b, g, s, d), np.int8)
        scales = np.empty(self._size(b * g, s)[2], np.float32)
        native.library().sf_cache_unpack(
            self.pages.ctypes.data, self.pages.nbytes, self._format(), b * g, s, None,
            trits.ctypes.data, scales.ctypes.data)
        return trits, scales.reshape((b, g) if self.scale == "head" else (b, g, -1))

    def values(self, scalar=np.float32):
        """The cache as `scalar`, float32 or float64, without rounding."""
        trits, scales = self.unpack()
        if self.scale == "head":
            scales = scales[:, :, None, None]
        elif self.scale == "token":
            scales = scales[:, :, :, None]
        else:
            scales = np.repeat(scales, self.scale, axis=2)[:, :, None, :self.features]
        return scales.astype(scalar) * trits

    def append(self, tokens, lengths, method="absmean"):
        """A copy with tokens [B, G, T, D] as its positions from lengths [B] on, by
        the rule of sparseflow.cache_append; those outside of it are dropped."""
        b, g, s, d = self.shape
        tokens = np.ascontiguousarray(tokens, np.float32)
        if tokens.ndim != 4 or tokens.shape[:2] != (b, g) or tokens.shape[3] != d:
            raise Error(f"expected tokens [{b}, {g}, T, {d}], found "
                        f"{list(tokens.shape)}")
        grown = TernaryCache(self.pages.copy(), d, self.storage, self.scale,
                             self.scale_dtype)
        for entry, head in np.ndindex(b, g):
            first = int(lengths[entry])
            kept = np.ascontiguousarray(
                tokens[entry, head, max(0, -first):max(0, s - first)])
            if not len(kept):
                continue
            pages = grown.pages[entry, head]
            native.library().sf_cache_append(
                pages.ctypes.data, pages.nbytes, self._format(), 1, s,
                kept.ctypes.data, len(kept), ctypes.c_int64(max(first, 0)),
                _METHODS[method])
        return grown

    def check(self, spec, what):
        """Raises Error unless the cache is what a manifest's argument expects."""
        encoding = spec["encoding"]
        expected = (spec["shape"][3], encoding["storage"], encoding["scale"],
                    encoding["scale_dtype"])
        if (self.features, self.storage, self.scale, self.scale_dtype) != expected:
            raise Error(f"{what}: expected a ternary cache, {expected[1]} of "
                        f"{expected[0]} features, scale: {expected[2]} in "
                        f"{expected[3]}, found {self}")


def _format(features, storage, scale, scale_dtype):
    if storage not in KINDS:
        raise Error(f"expected key_planes or value_planes, found {storage}")
    return native.CacheFormat(
        ctypes.sizeof(native.CacheFormat), KINDS[storage], int(features),
        _SCALES.get(scale, scale), NUMBERS[scale_dtype])
