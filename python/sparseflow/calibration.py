# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers read: the second moments by which `sparseflow compress` judges weights."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import numpy as np

from .arrays import Array, Path, bf16_to_float32, host_array
from .errors import Error, checked_methods
from .safetensors import save_safetensors


@checked_methods
class Moments:
    """The mean of x x^T of the inputs of layers, by the name of their weights.

    A matrix of k x k float32 numbers is held for each input that was seen; weights
    that read the same input (query, key and value) share one. Not thread-safe.
    """

    def __init__(self) -> None:
        # Name of a weight to the running mean [k, k] and the number of inputs.
        self._sums: Dict[str, Tuple[Any, int]] = {}

    def add(self, names: Sequence[str], inputs: Array) -> None:
        """Counts `inputs`, [..., k], for the weights `names`, which all read them.

        Arrays of NumPy, or torch tensors, whose moments stay on their device.
        """
        if isinstance(names, str):
            names = [names]
        samples, transposed = _rows(inputs)
        if not len(samples):
            return
        product = transposed @ samples
        for name in names:
            mean, count = self._sums.get(name, (None, 0))
            total = count + len(samples)
            if mean is None:
                mean = product / total
            elif mean.shape != product.shape:
                raise Error(f"inputs of '{name}': expected {mean.shape[0]} columns as "
                            f"before, found {product.shape[0]}")
            else:
                mean = mean * (count / total) + product / total
            self._sums[name] = mean, total

    @contextlib.contextmanager
    def watch(self, model: Any, include: str = "") -> Iterator["Moments"]:
        """Counts, inside `with`, what the linear layers of a torch module read.

        A layer is one with a `weight` of rank 2 and `in_features`; its weight is named
        as in the state dict. `include`: only names that contain a match.
        """
        handles: List[Any] = []
        pattern = re.compile(include)
        try:
            for path, module in model.named_modules():
                name = f"{path}.weight" if path else "weight"
                weight = getattr(module, "weight", None)
                if (hasattr(module, "in_features") and getattr(weight, "ndim", 0) == 2
                        and pattern.search(name)):
                    handles.append(module.register_forward_pre_hook(
                        lambda _, inputs, name=name: self.add([name], inputs[0])))
            if not handles:
                raise Error(f"no linear layer of the model matches '{include}'")
            yield self
        finally:
            for handle in handles:
                handle.remove()

    def names(self) -> List[str]:
        return list(self._sums)

    def count(self, name: str) -> int:
        """How many inputs of the weight were seen; 0 for one that is not known."""
        return self._sums.get(name, (None, 0))[1]

    def matrix(self, name: str) -> np.ndarray:
        """The mean of x x^T, float32 [k, k]."""
        if name not in self._sums:
            raise Error(f"no inputs of '{name}' were seen")
        return _host(self._sums[name][0])

    def save(self, path: Path) -> None:
        """Writes the file that `sparseflow compress --moments` takes."""
        if not self._sums:
            raise Error("no inputs were seen: there is nothing to save")
        save_safetensors(path, {name: self.matrix(name) for name in self._sums})


@checked_methods
class Targets:
    """The mean of y x^T, with y what a layer should give for the input x.

    Where x comes from a model whose earlier layers are compressed already and y from
    the dense one, `compress_file(..., targets=...)` chooses weights that make up for
    what those layers lost. A matrix of n x k float32 numbers is held for each weight.
    Not thread-safe.
    """

    def __init__(self) -> None:
        self._sums: Dict[str, Tuple[Any, int]] = {}

    def add(self, name: str, inputs: Array, outputs: Array) -> None:
        """Counts `inputs`, [..., k], and the `outputs`, [..., n], wished for them.

        `outputs` may hold more than the layer's own: with what a residual stream
        lacks added to them, the layer puts that right, too.
        """
        samples, _ = _rows(inputs)
        wished, transposed = _rows(outputs)
        if len(samples) != len(wished):
            raise Error(f"targets of '{name}': expected as many outputs as inputs, "
                        f"{len(samples)}, found {len(wished)}")
        if not len(samples):
            return
        product = transposed @ samples
        mean, count = self._sums.get(name, (product * 0, 0))
        if mean.shape != product.shape:
            raise Error(f"targets of '{name}': expected {tuple(mean.shape)} outputs and "
                        f"inputs as before, found {tuple(product.shape)}")
        total = count + len(samples)
        self._sums[name] = mean * (count / total) + product / total, total

    def matrix(self, name: str) -> np.ndarray:
        """The mean of y x^T, float32 [n, k]."""
        if name not in self._sums:
            raise Error(f"no targets of '{name}' were seen")
        return _host(self._sums[name][0])

    def save(self, path: Path) -> None:
        """Writes the file that `sparseflow compress --targets` takes."""
        if not self._sums:
            raise Error("no targets were seen: there is nothing to save")
        save_safetensors(path, {name: self.matrix(name) for name in self._sums})


def _rows(inputs: Array) -> Tuple[Any, Any]:
    """[samples, k] in float32, and its transpose."""
    if hasattr(inputs, "detach"):
        samples = inputs.detach().reshape(-1, inputs.shape[-1]).float()
        return samples, samples.t()
    array, is_bf16 = host_array(inputs, "inputs")
    array = bf16_to_float32(array) if is_bf16 else array.astype(np.float32)
    if array.ndim == 0:
        raise Error("expected inputs of shape [..., k], found a number")
    samples = array.reshape(-1, array.shape[-1])
    return samples, samples.T


def _host(mean: Any) -> np.ndarray:
    array, _ = host_array(mean, "moments")
    return np.ascontiguousarray(array, np.float32)
