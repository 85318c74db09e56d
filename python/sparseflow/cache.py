# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized keys and values of attention: pages of docs/formats/ternary-cache.md and
quantized-cache.md, and how they are to be held by a policy, mode-policy.md."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import native
from .arrays import Array, Path, host_array, is_whole
from .dtypes import NUMBERS, as_dtype
from .errors import Error, checked, checked_methods

# Of a storage: whether it holds values, and the bits of an element as
# sf_cache_format has them.
KINDS = {"key_planes": (0, 2), "value_planes": (1, 2), "key_int8": (0, 8),
         "value_int8": (1, 8), "key_int4": (0, 4), "value_int4": (1, 4),
         "key_e4m3": (0, -8), "value_e4m3": (1, -8)}
_SCALES: Dict[Any, int] = {"head": -1, "token": -2, "token x 32": -32,
                           "token x 64": -64, "token x 128": -128}
_METHODS = {"absmean": 0, "twn": 1}
# Tokens of a page of every cache.
PAGE_TOKENS = 64
# The numbers of f8E4M3FN by their bits.
_E4M3 = np.array([(-1 if code & 128 else 1) * (
    np.nan if code & 127 == 127 else
    np.ldexp(8 + code % 8, (code >> 3 & 15) - 10) if code & 120 else
    np.ldexp(code % 8, -9)) for code in range(256)])


@checked_methods
class TernaryCache:
    """A cache [B, G, S, D] of trits, or of numbers of 8 or 4 bits, integers or floats
    (f8E4M3FN), with scales, S a multiple of 64.

    `pages` (uint8, [B, G, S / 64, bytes of a page]), `features` (D), `storage`
    ("key_planes" or "value_planes"; "key_int8", "value_int8", "key_int4",
    "value_int4", "key_e4m3" or "value_e4m3"), `scale` (of trits "head", "token", or 32, 64, 128 or 256 features;
    of numbers "token", or "token x 32", "token x 64" or "token x 128") and
    `scale_dtype`. With a page table it is [P, G, page, D].
    """

    def __init__(self, pages: Array, features: int, storage: str,
                 scale: Union[str, int], scale_dtype: str) -> None:
        self.features, self.storage = int(features), storage
        self.scale, self.scale_dtype = scale, scale_dtype
        given, _ = host_array(pages, "TernaryCache")
        if given.dtype != np.uint8:
            raise Error(f"expected pages of uint8, found {given.dtype}")
        self.pages = np.ascontiguousarray(given)
        expected = self._size(1, PAGE_TOKENS)[1]
        if self.pages.ndim != 4 or self.pages.shape[3] != expected:
            raise Error(f"expected pages [B, G, S / 64, {expected}] of uint8, found "
                        f"{list(self.pages.shape)}")

    @classmethod
    def pack(cls, trits: Array, scales: Array, storage: str,
             scale: Union[str, int] = "token", scale_dtype: str = "f32") -> TernaryCache:
        """Packs trits or numbers (int8, [B, G, S, D]; of floats uint8, their bits) and scales (float32: [B, G] for a
        head, [B, G, S] for tokens, [B, G, groups] for groups of features, [B, G, S,
        groups] for groups of a token's)."""
        given, _ = host_array(trits, "TernaryCache")
        if storage.endswith("e4m3"):
            if given.dtype != np.uint8:
                raise Error(f"expected the bits of floats, uint8, found {given.dtype}")
            given = given.view(np.int8)
        trits = np.ascontiguousarray(given, np.int8)
        if (trits != given).any():
            raise Error("expected trits, -1, 0 or 1, or whole numbers, found "
                        f"{given[trits != given][0]}")
        if trits.ndim != 4 or trits.shape[2] % PAGE_TOKENS:
            raise Error("expected trits [B, G, S, D] with S a multiple of 64, found "
                        f"{list(trits.shape)}")
        b, g, s, d = trits.shape
        pages = cls.empty(b, g, s, d, storage, scale, scale_dtype)
        count = pages._size(b * g, s)[2]
        scales = as_dtype(scales, "f32", "scales")
        if scales.size != count:
            raise Error(f"expected {count} scales, found {list(scales.shape)}")
        native.library().sf_cache_pack(
            trits.ctypes.data, scales.ctypes.data, pages._format(), b * g, s, None,
            pages.pages.ctypes.data, pages.pages.nbytes)
        return pages

    @classmethod
    def empty(cls, batch: int, heads: int, positions: int, features: int, storage: str,
              scale: Union[str, int] = "token",
              scale_dtype: str = "f32") -> TernaryCache:
        """A cache that nothing was written to: all of its elements are 0."""
        if positions % PAGE_TOKENS:
            raise Error(f"expected a multiple of 64 positions, found {positions}")
        form = _format(features, storage, scale, scale_dtype)
        page = ctypes.c_uint64()
        native.library().sf_cache_size(form, 1, PAGE_TOKENS, None, page, None)
        return cls(np.zeros((batch, heads, positions // PAGE_TOKENS, page.value), np.uint8),
                   features, storage, scale, scale_dtype)

    @property
    def shape(self) -> Tuple[int, int, int, int]:
        """[B, G, S, D]: batch, heads, positions, features."""
        batch, heads, pages, _ = self.pages.shape
        return (batch, heads, pages * PAGE_TOKENS, self.features)

    def __str__(self) -> str:
        return (f"{self.storage} of {self.features} features, scale: {self.scale} in "
                f"{self.scale_dtype}")

    def _format(self) -> native.CacheFormat:
        return _format(self.features, self.storage, self.scale, self.scale_dtype)

    def _size(self, heads: int, tokens: int) -> Tuple[int, int, int]:
        total, page, scales = (ctypes.c_uint64() for _ in range(3))
        native.library().sf_cache_size(self._format(), heads, tokens, total, page,
                                       scales)
        return total.value, page.value, scales.value

    def unpack(self) -> Tuple[np.ndarray, np.ndarray]:
        """Trits or numbers (int8, [B, G, S, D]; of floats uint8, their bits) and scales
        (float32, as `pack` takes them); checks the pages."""
        b, g, s, d = self.shape
        trits = np.empty((b, g, s, d), np.int8)
        scales = np.empty(self._size(b * g, s)[2], np.float32)
        native.library().sf_cache_unpack(
            self.pages.ctypes.data, self.pages.nbytes, self._format(), b * g, s, None,
            trits.ctypes.data, scales.ctypes.data)
        # Counted by a page, since a cache without pages has groups too.
        groups = self._size(1, PAGE_TOKENS)[2]
        shape = {"head": (b, g), "token": (b, g, s)}.get(
            self.scale, (b, g, s, groups // PAGE_TOKENS)
            if isinstance(self.scale, str) else (b, g, groups))
        if self.storage.endswith("e4m3"):
            trits = trits.view(np.uint8)
        return trits, scales.reshape(shape)

    def values(self, scalar: Any = np.float32) -> np.ndarray:
        """The cache as `scalar`, float32 or float64, without rounding."""
        trits, scales = self.unpack()
        if self.scale == "head":
            scales = scales[:, :, None, None]
        elif self.scale == "token":
            scales = scales[:, :, :, None]
        elif isinstance(self.scale, str):
            scales = np.repeat(scales, int(self.scale.split()[-1]),
                               axis=3)[..., :self.features]
        else:
            scales = np.repeat(scales, self.scale, axis=2)[:, :, None, :self.features]
        if self.storage.endswith("e4m3"):
            trits = _E4M3[trits].astype(scalar)
        return scales.astype(scalar) * trits

    def append(self, tokens: Array, lengths: Sequence[int],
               method: str = "absmean", table: Optional[Array] = None,
               in_place: bool = False) -> TernaryCache:
        """A copy with tokens [B, G, T, D] as its positions from lengths [B] on, by
        the rule of sparseflow.cache_append; those outside of it are dropped. `method`
        is of trits. With `table` [B, C], the cache has pages, and position j of entry b
        is row j % page of page table[b, j // page]. `in_place`: the cache itself, whose
        other positions are neither read nor copied."""
        if method not in _METHODS:
            raise Error(f"expected a method of {', '.join(_METHODS)}, found {method}")
        if in_place and not self.pages.flags.writeable:
            raise Error("the pages cannot be written: append without in_place, or make "
                        "the cache of a copy of them")
        grown = self if in_place else TernaryCache(
            self.pages.copy(), self.features, self.storage, self.scale, self.scale_dtype)
        entries = self.shape[0] if table is None else len(np.asarray(table))
        g, d = self.shape[1], self.features
        tokens = as_dtype(tokens, "f32", "tokens")
        if tokens.ndim != 4 or tokens.shape[:2] != (entries, g) or tokens.shape[3] != d:
            raise Error(f"expected tokens [{entries}, {g}, T, {d}], found "
                        f"{list(tokens.shape)}")
        if table is not None:
            grown._append_to_pages(tokens, lengths, np.asarray(table), method)
            return grown
        for entry in range(entries):
            grown._append_to_entry(entry, tokens[entry], int(lengths[entry]), method)
        return grown

    def _append_to_entry(self, entry: int, tokens: np.ndarray, first: int,
                         method: str) -> None:
        """Writes [G, T, D] into a batch entry from position `first` on."""
        s, pages = self.shape[2], self.pages[entry]
        kept = np.ascontiguousarray(tokens[:, max(0, -first):max(0, s - first)])
        heads, count = kept.shape[:2]
        if kept.size:
            native.library().sf_cache_append(
                pages.ctypes.data, pages.nbytes, self._format(), heads, s,
                kept.ctypes.data, count,
                (ctypes.c_int64 * heads)(*[max(first, 0)] * heads), _METHODS[method])

    def _append_to_pages(self, tokens: np.ndarray, lengths: Sequence[int],
                         table: np.ndarray, method: str) -> None:
        count, _, page, _ = self.shape
        # All places first, so that an error leaves the cache as it was.
        places = [(b, t, position % page, page_number(table, b, position, page, count))
                  for b, t in np.ndindex(len(table), tokens.shape[2])
                  for position in [int(lengths[b]) + t]
                  if 0 <= position < table.shape[1] * page]
        for b, t, row, number in places:
            self._append_to_entry(number, tokens[b, :, t:t + 1], row, method)

    def check(self, spec: Mapping[str, Any], what: str) -> None:
        """Raises Error unless the cache is what a manifest's argument expects."""
        encoding = spec["encoding"]
        expected = (spec["shape"][3], encoding["storage"], encoding["scale"],
                    encoding["scale_dtype"])
        if (self.features, self.storage, self.scale, self.scale_dtype) != expected:
            kind = "ternary" if expected[1].endswith("planes") else "quantized"
            raise Error(f"{what}: expected a {kind} cache, {expected[1]} of "
                        f"{expected[0]} features, scale: {expected[2]} in "
                        f"{expected[3]}, found {self}")


def page_number(table: np.ndarray, entry: int, position: int, page: int,
                count: int) -> int:
    """Which of `count` pages of `page` keys a table [B, C] names for `position` of batch
    entry `entry`. Raises Error where there is no such page."""
    number = int(table[entry, position // page])
    if not 0 <= number < count:
        raise Error(f"the page table: expected numbers from 0 to {count - 1} for "
                    f"position {position} of batch entry {entry}, found {number}")
    return number


def _format(features: int, storage: str, scale: Union[str, int],
            scale_dtype: str) -> native.CacheFormat:
    if storage not in KINDS:
        raise Error(f"expected {', '.join(list(KINDS)[:-1])} or {list(KINDS)[-1]}, found "
                    f"{storage}")
    if scale_dtype not in NUMBERS or not is_whole(_SCALES.get(scale, scale)):
        raise Error("expected a scale \"head\", \"token\", \"token x 64\" or a number of "
                    f"features, of f16, bf16 or f32, found {scale} of {scale_dtype}")
    return native.CacheFormat(
        ctypes.sizeof(native.CacheFormat), *KINDS[storage], int(features),
        _SCALES.get(scale, scale),
        NUMBERS[scale_dtype])


# In the order of sf_attention_mode.
MODES = ("full_precision", "ternary_keys", "ternary_keys_values", "int8", "int4", "e4m3")


class _Speed(ctypes.Structure):
    """sf_mode_speed."""
    _fields_ = [("gigabytes_per_second", ctypes.c_double),
                ("fixed_microseconds", ctypes.c_double)]


class ModeCase(ctypes.Structure):
    """sf_attention_case."""
    _fields_ = [("struct_size", ctypes.c_size_t),
                *[(name, ctypes.c_int64) for name in
                  ("layers", "batch", "query_heads", "key_heads", "features",
                   "value_features", "capacity")],
                ("taken", ctypes.c_double), ("queries", ctypes.c_int64),
                *[(name, native.CacheFormat) for name in
                  ("keys", "values", "quantized_keys", "quantized_values")],
                ("memory_budget", ctypes.c_uint64), ("max_error", ctypes.c_double),
                ("error", ctypes.c_double * len(MODES)),
                ("available", ctypes.c_uint32), ("speed", _Speed * len(MODES))]


class ModeDecision(NamedTuple):
    """What `choose_mode` chose. A program's function for it is NAME.MODE."""
    mode: str
    """One of `sparseflow.cache.MODES`."""
    reason: str
    """Why, a sentence without a full stop."""
    modes: Dict[str, Dict[str, Any]]
    """Of each mode: "bytes" of all layers, "bytes_read" by a call of one layer,
    "microseconds" of that, "compiled", "accurate", "fits" and "reason"."""


@checked
def choose_mode(policy: Union[Path, Mapping[str, Any]], *, query_heads: int,
                key_heads: int, features: int, capacity: int, batch: int = 1,
                queries: int = 1, value_features: Optional[int] = None,
                modes: Sequence[str] = MODES, scale: Union[str, int] = "token",
                number_scale: str = "token", scale_dtype: str = "f16") -> ModeDecision:
    """Which of `modes` a policy takes for a call of attention: of those whose measured
    error is within its bound, and whose keys and values fit its memory, the fastest; or,
    where one key head meets more than 16 rows of queries, the one of most bits.

    `policy`: a file of docs/formats/mode-policy.md, or what it holds. `capacity`: positions
    that a batch entry has room for, `queries`: those of one call. `scale`: of trits,
    `number_scale`: of int8, int4 and e4m3, all as TernaryCache takes them, of `scale_dtype`.
    Raises Error where no mode is left: the bound is never given up for the budget.
    """
    call = mode_case(policy, query_heads, key_heads, features, capacity, batch, queries,
                 value_features, modes, scale, number_scale, scale_dtype)
    chosen, text = ctypes.c_int(), ctypes.create_string_buffer(1 << 14)
    native.library().sf_attention_choose_mode(
        ctypes.byref(call), chosen, None, text, len(text))
    found = {one.pop("mode"): one for one in json.loads(text.value)["modes"]}
    mode = MODES[chosen.value]
    return ModeDecision(mode, found[mode]["reason"], found)


def mode_case(policy: Union[Path, Mapping[str, Any]], query_heads: int, key_heads: int,
          features: int, capacity: int, batch: int = 1, queries: int = 1,
          value_features: Optional[int] = None, modes: Sequence[str] = MODES,
          scale: Union[str, int] = "token", number_scale: str = "token",
          scale_dtype: str = "f16") -> ModeCase:
    """A call of attention, as choose_mode describes it."""
    if not isinstance(policy, Mapping):
        try:
            with open(policy, encoding="utf-8") as file:
                policy = json.load(file)
        except (OSError, ValueError) as error:
            raise Error(f"'{os.fspath(policy)}' is no policy: {error}") from None
    call = ModeCase(struct_size=ctypes.sizeof(ModeCase), batch=batch, query_heads=query_heads,
                 key_heads=key_heads, features=features, capacity=capacity,
                 queries=queries, value_features=value_features or features)
    call.keys = call.values = _format(features, "key_planes", scale, scale_dtype)
    call.quantized_keys = call.quantized_values = _format(features, "key_int8",
                                                          number_scale, scale_dtype)
    for mode in modes:
        call.available |= 1 << _number(mode)
    _read(policy, call)
    return call


def _number(mode: str) -> int:
    if mode not in MODES:
        raise Error(f"expected a mode, {', '.join(MODES[:-1])} or {MODES[-1]}, found {mode}")
    return MODES.index(mode)


def _read(policy: Mapping[str, Any], call: ModeCase) -> None:
    if not isinstance(policy, Mapping) or \
            (policy.get("format"), policy.get("version")) != ("sparseflow-mode-policy", 1):
        raise Error("expected a policy of format sparseflow-mode-policy, version 1, and "
                    f"found {policy if not isinstance(policy, Mapping) else dict(policy)}")
    try:
        call.max_error = float(policy["max_error"])
        call.memory_budget = int(policy.get("memory_budget", 0))
        call.layers = int(policy.get("layers", 1))
        call.taken = float(policy.get("occupancy", 1)) * call.capacity
        call.error[:] = [-1.0] * len(MODES)
        for mode, error in policy.get("errors", {}).items():
            call.error[_number(mode)] = float(error)
        for mode, speed in policy.get("speeds", {}).items():
            call.speed[_number(mode)] = _Speed(float(speed["gigabytes_per_second"]),
                                               float(speed["fixed_microseconds"]))
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise Error(f"a policy that cannot be read: {type(problem).__name__}: {problem}; "
                    "docs/formats/mode-policy.md says what it holds") from None
