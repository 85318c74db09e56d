# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values of texts that are being continued."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from ..cache import PAGE_TOKENS, TernaryCache
from ..dtypes import NUMPY
from ..errors import Error
from .cpu_step import CpuStep
from .geometry import Geometry
from .gpu import GpuProgram

# The first size of a cache; it doubles from there.
_FIRST_KEYS = 256


def empty_cache(g: Geometry, part: str, batch: int, size: int) -> TernaryCache:
    """The cache of a layer whose keys and values are numbers: `part` is "key" or
    "value", and `size` a multiple of 64."""
    return TernaryCache.empty(batch, g.kv_heads, size, g.head_dim, f"{part}_{g.cache}",
                              g.cache_scale, "f16")


def token_bytes(g: Geometry) -> int:
    """Bytes of a token's keys and values in a layer."""
    if not g.cached:
        return 4 * g.kv_heads * g.head_dim
    return sum(empty_cache(g, part, 1, PAGE_TOKENS).pages.nbytes // PAGE_TOKENS
               for part in ("key", "value"))


def room_for(g: Geometry, need: int, size: int = 0) -> int:
    """Tokens that there is room for where a text has `need` and there was room for `size`:
    that doubles, from 256, and ends at the model's positions; of numbers it is whole
    pages."""
    if need > size:
        size = max(size, min(_FIRST_KEYS, g.positions))
        while size < need:
            size = min(2 * size, g.positions)
    return -(-size // PAGE_TOKENS) * PAGE_TOKENS if g.cached else size


class Cache:
    """Keys and values of B texts, whose lengths may differ.

    `lengths`: int32 [B]. `texts`, int32 [B]: which of those that it began with each one is;
    `ended`, bool [B]: which are not continued any further. Keys and values of a layer are
    [B, S, G, D], or, as numbers, a TernaryCache, on a GPU its pages [B, G, S / 64, bytes]; S
    doubles as texts grow, so that attention reads what there is. With `gpu` they are its arrays.
    """

    def __init__(self, geometry: Geometry, batch: int,
                 gpu: Optional[GpuProgram] = None) -> None:
        if batch < 1:
            raise Error(f"expected a batch of 1 or more, found {batch}")
        self.geometry, self.batch, self._gpu = geometry, batch, gpu
        self.lengths = np.zeros(batch, np.int32)
        self.texts = np.arange(batch, dtype=np.int32)
        self.ended = np.zeros(batch, bool)
        # Tokens of a text that there is room for.
        self.size = 0
        self._keys: List[Any] = []
        self._values: List[Any] = []
        # The bound calls of a step, on the CPU.
        self.step: Optional[CpuStep] = None

    def reserve(self, count: int) -> np.ndarray:
        """Makes room for `count` more tokens of each text; the lengths with them."""
        held = np.asarray(self.lengths)
        if held.shape != (self.batch,) or held.dtype.kind not in "iu" or held.min() < 0:
            raise Error(f"expected the lengths of {self.batch} texts, whole numbers of 0 or "
                        f"more, found {held.tolist()}")
        need, limit = int(held.max()) + count, self.geometry.positions
        if need > limit:
            raise Error(f"expected at most {limit} tokens, the model's positions, found "
                        f"{need}")
        if need > self.size:
            self.make_room(room_for(self.geometry, need, self.size))
        return held.astype(np.int32) + np.int32(count)

    def make_room(self, size: int) -> None:
        """Makes room for `size` tokens of each text, more than there is now; of numbers
        for whole pages."""
        if self.geometry.cached:
            size = -(-size // PAGE_TOKENS) * PAGE_TOKENS
        self._keys, self._values = (
            self._grow(arrays, part, size)
            for arrays, part in ((self._keys, "key"), (self._values, "value")))
        self.size = size

    def _grow(self, arrays: List[Any], part: str, size: int) -> List[Any]:
        g = self.geometry
        # What no text has reached is 0: attention leaves it out, but reads it.
        if g.cached:
            if self._gpu:
                page = empty_cache(g, part, 1, PAGE_TOKENS).pages.shape[3]
                return self._gpu.grow(arrays, g.layers, [
                    self.batch, g.kv_heads, size // PAGE_TOKENS, page], "u8", 2)
            caches = [empty_cache(g, part, self.batch, size) for _ in range(g.layers)]
            for old, new in zip(arrays, caches):
                new.pages[:, :, :old.pages.shape[2]] = old.pages
            return caches
        if self._gpu:
            return self._gpu.grow(arrays, g.layers, [self.batch, size, g.kv_heads,
                                                     g.head_dim], g.dtype, 1)
        grown = [np.zeros((self.batch, size, g.kv_heads, g.head_dim), NUMPY[g.dtype])
                 for _ in range(g.layers)]
        for old, new in zip(arrays, grown):
            new[:, :old.shape[1]] = old
        return grown

    def half_ended(self) -> bool:
        """Whether half of the texts have ended, and not all."""
        return bool(self.batch <= 2 * self.ended.sum() < 2 * self.batch)

    def leave_ended(self) -> np.ndarray:
        """Leaves the texts out that have ended, where these are half of all: which stay,
        int64, by their places before. A step takes the time of a batch and not of what is
        made of it, and a batch that halves has its graphs made anew only seldom."""
        if not self.half_ended():
            return np.arange(self.batch)
        rows = np.flatnonzero(~self.ended)
        self._keys, self._values = (self._rows(arrays, rows)
                                    for arrays in (self._keys, self._values))
        self.lengths, self.texts = np.asarray(self.lengths)[rows], self.texts[rows]
        self.batch, self.ended, self.step = len(rows), self.ended[rows], None
        return rows

    def _rows(self, arrays: List[Any], rows: np.ndarray) -> List[Any]:
        """The `rows` of keys or values of all layers."""
        if self._gpu:
            return [self._gpu.rows(array, rows) for array in arrays]
        if self.geometry.cached:
            return [self._with(cache, cache.pages[rows]) for cache in arrays]
        return [array[rows] for array in arrays]

    def arrays(self) -> List[Any]:
        """Keys and values of all layers."""
        return [*self._keys, *self._values]

    def of_layer(self, layer: int) -> Tuple[Any, Any]:
        """Keys and values of a layer."""
        return self._keys[layer], self._values[layer]

    def write(self, layer: int, keys: Any, values: Any, run: Callable[..., Any]) -> Any:
        """Puts new keys and values [B, T, G, D] behind those of a layer; what attention
        reads: all of it, or of one text what it has reached, where that lies in one piece.
        `run` calls functions of the program: what rounds new tokens to numbers is one."""
        if self.geometry.cached:
            return self._write_numbers(layer, keys, values, run)
        for index, first in enumerate(self.lengths):
            place = slice(int(first), int(first) + keys.shape[1])
            self._keys[layer][index, place] = keys[index]
            self._values[layer][index, place] = values[index]
        used = int(self.lengths[0]) + keys.shape[1] if self.batch == 1 else self.size
        return self._keys[layer][:, :used], self._values[layer][:, :used]

    def _write_numbers(self, layer: int, keys: Any, values: Any, run: Callable[..., Any]
                       ) -> Tuple[TernaryCache, TernaryCache]:
        """Only pages that new tokens reach go through the program."""
        tokens, pages = keys.shape[1], self.size // PAGE_TOKENS
        count = min(pages, -(-(tokens - 1) // PAGE_TOKENS) + 1)
        first = [min(int(length) // PAGE_TOKENS, pages - count) for length in self.lengths]
        held = self._keys[layer], self._values[layer]
        parts = [self._with(cache, np.stack([
            cache.pages[text, :, page:page + count] for text, page in enumerate(first)]))
            for cache in held]
        before = self.lengths - PAGE_TOKENS * np.array(first, np.int32)
        grown = run("append", keys=parts[0], values=parts[1], k=keys, v=values,
                    lengths=before + np.int32(tokens))
        for cache, part, new in zip(held, parts, grown):
            if not isinstance(new, TernaryCache):
                # The simulator's command gives what the numbers stand for.
                new = part.append(np.stack([
                    new[text, :, place:place + tokens]
                    for text, place in enumerate(before)]), before)
            for text, page in enumerate(first):
                cache.pages[text, :, page:page + count] = new.pages[text]
        return held

    @staticmethod
    def _with(cache: TernaryCache, pages: np.ndarray) -> TernaryCache:
        """A cache of the same kind with other pages."""
        return TernaryCache(pages, cache.features, cache.storage, cache.scale,
                            cache.scale_dtype)
