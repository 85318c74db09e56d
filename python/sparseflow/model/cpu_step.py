# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of decoding one text on the CPU: calls that are bound once and repeated.

Each function writes where the next one reads, and new keys and values are written into
the cache itself, so that a step allocates and converts nothing. Of caches of numbers it
copies the pages that the new token falls into, which `append` rounds it into.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple, cast

import numpy as np

from ..cache import PAGE_TOKENS, TernaryCache
from ..cpu import BoundCall, CpuProgram



class _Rounding:
    """The append of a layer whose caches are numbers: on the pages that the new token falls
    into, since pages of a head lie apart, and a function returns what it changes."""

    def __init__(self, append: BoundCall, given: Sequence[TernaryCache],
                 caches: Sequence[TernaryCache]) -> None:
        self.page, self._append = 0, append
        self._pages = [tuple(pages.pages[0] for pages in each)
                       for each in zip(caches, given, cast(Any, append.results))]

    def __call__(self) -> None:
        for held, given, _ in self._pages:
            given[:, 0] = held[:, self.page]
        self._append()
        for held, _, grown in self._pages:
            held[:, self.page] = grown[:, 0]


class CpuStep:
    """The calls of a step of `model` behind the text of `cache`, a cache of one text
    whose arrays stay as long as it has room."""

    def __init__(self, model: Any, program: CpuProgram, cache: Any) -> None:
        geometry = model.geometry
        self._model, self._size = model, cache.size
        self._ids = np.zeros((1, 1), np.int32)
        self._lengths = np.ones(1, np.int32)
        # Where each weight is held, and the one that is bound.
        self._weights: List[Tuple[Dict[str, Any], str, Any]] = []
        self._appends: List[Tuple[BoundCall, List[int]]] = []
        self._blocks: List[BoundCall] = []
        # Of numbers: the length of the text in its last page.
        self._rounds: List[_Rounding] = []
        self._in_page = np.ones(1, np.int32)
        places = {"lengths": self._lengths}
        bound = self._bind(model, program, "embed", ids=self._ids,
                           **(places if geometry.places else {}))
        calls: List[Callable[[], None]] = [bound]
        x = bound.results[0]
        functions = program.functions["block"]["arguments"]
        names = [spec["name"] for spec in functions]
        self._cache_arguments = [names.index("keys"), names.index("values")]
        for layer in range(geometry.layers):
            keys, values = cache.of_layer(layer)
            project = self._bind(model, program, "project", layer, x=x,
                                 **(places if geometry.rotary else {}))
            block = self._bind(model, program, "block", layer, x=x,
                               q=project.results[0], keys=keys, values=values, **places)
            # Results 1 and 2 of `project` are new keys and values.
            if geometry.cached:
                rounding = self._round(model, program, project.results[1:3],
                                       (keys, values))
                self._rounds.append(rounding)
                calls += [project, rounding, block]
            else:
                self._appends.append((project, [keys.ctypes.data, values.ctypes.data]))
                self._blocks.append(block)
                calls += [project, block]
                self._row = keys[0, 0].nbytes
            x = block.results[0]
        bound = self._bind(model, program, "head", x=x)
        self._calls = calls + [bound]
        self._logits = bound.results[0]

    def _bind(self, model: Any, program: CpuProgram, entry: str, layer: int = -1,
              **state: Any) -> BoundCall:
        weights = {}
        for held, name in model.places_of(entry, layer):
            weights[name] = held[name]
            self._weights.append((held, name, held[name]))
        return program.bind(entry, {**state, **weights})

    def _round(self, model: Any, program: CpuProgram, new: Sequence[np.ndarray],
               caches: Sequence[TernaryCache]) -> _Rounding:
        given = [TernaryCache.empty(1, cache.shape[1], PAGE_TOKENS, cache.features, cache.storage,
                                    cache.scale, cache.scale_dtype) for cache in caches]
        append = self._bind(model, program, "append", keys=given[0], values=given[1],
                            k=new[0], v=new[1], lengths=self._in_page)
        return _Rounding(append, given, caches)

    def is_for(self, model: Any, size: int) -> bool:
        """True where the calls are still those of `model`, with the weights that it has
        now, and of a cache with room for `size` tokens."""
        return model is self._model and size == self._size and all(
            held[name] is array for held, name, array in self._weights)

    def run(self, token: int, length: int) -> np.ndarray:
        """Appends `token` as number `length` - 1 of the text; its logits [1, 1, V],
        which the next step overwrites."""
        self._ids[0, 0], self._lengths[0] = token, length
        page = (length - 1) // PAGE_TOKENS
        self._in_page[0] = length - page * PAGE_TOKENS
        for rounding in self._rounds:
            rounding.page = page
        offset = 0 if self._rounds else (length - 1) * self._row
        for project, caches in self._appends:
            project.move_result(1, caches[0] + offset)
            project.move_result(2, caches[1] + offset)
        for block in self._blocks:
            for argument in self._cache_arguments:
                block.resize_argument(argument, 1, length)
        for call in self._calls:
            call()
        return self._logits
