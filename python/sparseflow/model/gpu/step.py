# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A decode step of a model on a GPU as one graph: tokens in, the next tokens out."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np

from ...errors import Error
from ..sampling import Sampler, checked
from .driver import Buffer, Graph

if TYPE_CHECKING:
    from ..model import Cache, Model

# Tokens that are on their way to the host.
_SLOTS = 2
_DTYPES = {"float32": "f32", "int32": "i32", "int64": "i64"}


class DecodeStep:
    """Graphs of one step of `cache`'s texts, at the size that the cache now has.

    A step reads the tokens [B, 1] that the step before it has chosen, from the
    device's memory, and writes the next ones, as `sampler` says, the likeliest without
    one; lengths grow there too. So a step is launched before the host has seen the
    tokens of the one before it. Two graphs take turns, each of which writes what the
    other one reads.
    """

    def __init__(self, model: "Model", cache: "Cache", tokens: Any,
                 sampler: Optional[Sampler] = None) -> None:
        gpu = model.gpu
        self._model, self._cache, self._gpu = model, cache, gpu
        driver, batch = gpu.driver, cache.batch
        ids = np.ascontiguousarray(tokens, np.int32).reshape(batch, 1)
        self._state: List[Tuple[Buffer, Buffer]] = []
        for _ in range(_SLOTS):
            self._state.append((Buffer(driver, [batch, 1], "i32"),
                                Buffer(driver, [batch], "i32")))
        driver.upload(self._state[0][0].data, ids)
        # What a step reads are the lengths with its own token.
        driver.upload(self._state[0][1].data, cache.lengths + np.int32(1))
        self._sampling = {
            name: gpu.given(name, _DTYPES[values.dtype.name], values)
            for name, values in (sampler or Sampler()).arguments(cache.texts).items()}
        self._turn = 0
        self._events: List[ctypes.c_void_p] = []
        # Once without a graph: weights are uploaded, and memory is there to hand out.
        self._run(*self._state[0])
        # What the graphs use and others may replace.
        self._size, self._held = cache.size, (gpu.workspace, cache.arrays())
        self._graphs = [self._captured(turn) for turn in range(_SLOTS)]

    def _run(self, ids: Any, lengths: Any, into: Optional[Tuple[Buffer, Buffer]] = None
             ) -> Tuple[Any, Any]:
        logits = self._model.logits(ids, lengths, self._cache)
        chosen: Tuple[Any, Any] = self._model.run_entry(
            "next", call=functools.partial(self._gpu, into=into), logits=logits,
            lengths=lengths, **self._sampling)
        return chosen

    def _captured(self, turn: int) -> Graph:
        driver = self._gpu.driver
        with driver.capture() as graph:
            self._run(*self._state[turn], into=self._state[1 - turn])
        return graph

    def restart(self) -> None:
        """Goes on at the lengths that the cache says now."""
        self._gpu.driver.upload(self._state[self._turn][1].data,
                                self._cache.lengths + np.int32(1))

    def launch(self) -> None:
        """Puts a step on the stream; the cache's lengths with it."""
        if self._cache.size != self._size:
            raise Error(f"expected the cache of {self._size} tokens that the step was made "
                        f"for, found one of {self._cache.size}; make a step of it")
        if int(self._cache.lengths.max()) >= self._size:
            raise Error(f"expected a cache with room for a step, found {self._size} tokens "
                        "of a text; reserve more and make the step again")
        self._graphs[self._turn].launch()
        self._turn = 1 - self._turn
        self._cache.lengths = self._cache.lengths + np.int32(1)
        self._events.append(self._gpu.driver.event())

    def tokens(self) -> np.ndarray:
        """What the oldest step has chosen whose tokens have not been read, int32 [B];
        waits for it, and not for one behind it. At most two may be on their way."""
        return checked(self._read())

    def _read(self) -> np.ndarray:
        """Tokens, whatever they are."""
        behind = len(self._events) - 1
        if not 0 <= behind < _SLOTS:
            raise Error(f"expected 1 or {_SLOTS} steps whose tokens have not been read, "
                        f"found {len(self._events)}")
        source = self._state[(self._turn + behind) % _SLOTS][0]
        result = np.empty((self._cache.batch, 1), np.int32)
        self._gpu.driver.download(result, source.data, self._events.pop(0))
        return result[:, 0]

    def milliseconds(self, steps: int) -> float:
        """The time of a step, of `steps` in a row that the device runs back to back."""
        driver = self._gpu.driver
        driver.wait()
        begin = driver.event()
        for _ in range(steps):
            self.launch()
            if len(self._events) == _SLOTS:
                self._read()
        result = driver.elapsed(begin, driver.event()) / steps
        self._read()
        return result


class PromptGraph:
    """A prompt of texts of equal length, from its tokens to the logits of the last
    ones, as one graph over a cache of its own."""

    def __init__(self, model: "Model", tokens: np.ndarray) -> None:
        self._gpu = model.gpu
        driver = self._gpu.driver
        batch, count = tokens.shape
        self._cache = model.cache(batch)
        lengths = self._cache.reserve(count)
        self._ids = Buffer(driver, tokens.shape, "i32")
        self._lengths = Buffer(driver, [batch], "i32")
        driver.upload(self._ids.data, np.ascontiguousarray(tokens, np.int32))
        driver.upload(self._lengths.data, lengths)
        model.logits(self._ids, self._lengths, self._cache)
        # What the graph uses and others may replace.
        self._held = (self._gpu.workspace, self._cache.arrays())
        with driver.capture() as self._graph:
            self._result = model.logits(self._ids, self._lengths, self._cache)

    def milliseconds(self, times: int) -> float:
        """The time of a prompt, of `times` in a row."""
        driver = self._gpu.driver
        driver.wait()
        begin = driver.event()
        for _ in range(times):
            self._graph.launch()
        return driver.elapsed(begin, driver.event()) / times

    def logits(self) -> np.ndarray:
        """Of the last tokens, float32 [B, 1, V]; waits for them."""
        return self._gpu.host(self._result)
