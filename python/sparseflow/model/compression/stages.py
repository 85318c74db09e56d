# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the matrices of a layer read in a compressed model, and what they should give.

A layer is compressed in four stages, each of which reads what those before it now give.
Where the outputs of the dense model are known, queries, keys, values, gate and up come
near the outputs that they have there; the two matrices that add to the residual stream
near what brings it back to the dense model's.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ...calibration import Moments
from .layer import as_float
from ..model import Model
from .stream import Stream

STAGES = (("attn_q.weight", "attn_k.weight", "attn_v.weight"), ("attn_output.weight",),
          ("ffn_gate.weight", "ffn_up.weight"), ("ffn_down.weight",))
# Inputs by column below which targets are not used: they would fit the text, not the
# model. Of a random model fewer than some 10 do harm, of SmolLM2 these help.
_INPUTS_BY_COLUMN = 10


class _Mean:
    """The mean of y x^T over what was added."""

    def __init__(self) -> None:
        self.sum: Optional[np.ndarray] = None
        self.count = 0

    def add(self, y: np.ndarray, x: np.ndarray) -> None:
        y, x = y.reshape(-1, y.shape[-1]), x.reshape(-1, x.shape[-1])
        product = y.T @ x
        self.sum = product if self.sum is None else self.sum + product
        self.count += len(x)

    def value(self) -> np.ndarray:
        assert self.sum is not None
        return self.sum / np.float32(self.count)


class _Dense(NamedTuple):
    """A part of the texts in a layer of the dense model, [texts, window, hidden]: what
    its matrices read, and the residual stream behind attention and behind the layer, in an
    encoder before the norms there."""
    read: np.ndarray
    middle: np.ndarray
    read_up: np.ndarray
    out: np.ndarray


def _plus(x: np.ndarray, y: np.ndarray, weights: Dict[str, np.ndarray], name: str
          ) -> np.ndarray:
    """x + y W^T + bias in float32."""
    result = as_float(x) + as_float(y) @ as_float(weights[f"{name}.weight"]).T
    bias = weights.get(f"{name}.bias")
    return result if bias is None else result + bias


class LayerStages:
    """One layer of `stream`. `dense`: the stream of the dense model at the same layer,
    which moves on to the next; None: each matrix keeps to its own outputs.

    To be made before weights of the layer are replaced.
    """

    def __init__(self, stream: Stream, dense: Optional[Stream]) -> None:
        self.stream, self.dense = stream, dense
        self.model: Model = stream.model
        self.weights = dict(self.model.layer_weights(stream.layer))
        self.parts: List[_Dense] = []
        self.encoder = self.model.geometry.encoder
        outputs: List[np.ndarray] = []
        if dense is None:
            return
        for x in dense.parts():
            read, flat, read_up, down, out = dense.probe(x)
            self.parts.append(_Dense(
                read, _plus(x, flat, self.weights, "attn_output"), read_up,
                _plus(read_up, down, self.weights, "ffn_down") if self.encoder else out))
            outputs.append(out)
        dense.advance(np.concatenate(outputs))

    def statistics(self, stage: int, names: Sequence[str], prefix: str
                   ) -> Tuple[Moments, Dict[str, np.ndarray]]:
        """Moments and targets of `names`, matrices of a stage without `prefix`, by their
        whole names; no targets without the dense model, or of too few inputs."""
        moments, cross, sums = Moments(), _Mean(), {name: _Mean() for name in names}
        columns = self.weights[names[0]].shape[1]
        aims = self.dense is not None and \
            self.stream.windows.size >= _INPUTS_BY_COLUMN * columns
        for index, (x, reads) in enumerate(self._reads(stage)):
            inputs = as_float(reads[stage])
            moments.add([prefix + name for name in names], inputs)
            if not aims:
                continue
            part = self.parts[index]
            if stage in (0, 2):
                # The output of the dense layer is W times what it reads there.
                cross.add(as_float(part.read if stage == 0 else part.read_up), inputs)
                continue
            name = names[0]
            if stage == 1:
                lacks = part.middle - as_float(x)
            else:
                # What is added to: in an encoder, what the norm behind attention gives.
                lacks = as_float(part.out) - (
                    as_float(reads[2]) if self.encoder else
                    _plus(x, reads[1], self._now(), "attn_output"))
            bias = self.weights.get(name.replace(".weight", ".bias"))
            sums[name].add(lacks if bias is None else lacks - bias, inputs)
        if not aims:
            return moments, {}
        return moments, {
            prefix + name: np.ascontiguousarray(
                as_float(self.weights[name]) @ cross.value() if stage in (0, 2)
                else sums[name].value()) for name in names}

    def _now(self) -> Dict[str, np.ndarray]:
        return self.model.layer_weights(self.stream.layer)

    def _reads(self, stage: int) -> Iterator[Tuple[np.ndarray, List[np.ndarray]]]:
        """By part of the texts: the stream, and what each stage's matrices read, up to
        this stage at least."""
        for x in self.stream.parts():
            yield x, list(self.stream.probe(x, attention_only=stage == 0)[:4])
