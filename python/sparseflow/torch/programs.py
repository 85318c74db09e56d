# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of compiled graphs that run as one program: torch.ops.sparseflow.program."""

import functools
import threading
import time

import numpy as np
import torch
from torch.utils.weak import WeakTensorKeyDictionary

from .. import bundle_cache
from ..bundle import symbol_values
from ..cpu import CpuProgram
from ..errors import Error
from ..forms import TERNARY
from . import launch, ops

_TORCH = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
          "i32": torch.int32, "i64": torch.int64, "i1": torch.bool}
_lock = threading.Lock()
_programs, _dense = {}, WeakTensorKeyDictionary()
_clocks = []
# Of each Shipment that is open.
_shipments = []


class Shipment:
    """While it is open, torch.compile(backend="sparseflow") compiles the programs of the
    graphs that it is given for `targets`, into `folder` (which other machines name in
    SPARSEFLOW_BUNDLES), and calls run without them, as they would uncompiled.

    `paths`: the bundles. The model and what it is called with may be on the CPU, whatever
    the targets are.
    """

    def __init__(self, folder, targets):
        if not targets:
            raise Error("expected targets, such as [\"sm_90a\"], found none")
        self.folder, self.targets, self.paths = folder, list(targets), []

    def __enter__(self):
        _shipments.append(self)
        return self

    def __exit__(self, *ignored):
        _shipments.remove(self)

    def add(self, program):
        for target in self.targets:
            path = bundle_cache.compile_into(self.folder, program, target,
                                             bundle_cache.choice_options())
            if path not in self.paths:
                self.paths.append(path)


def shipping():
    """True while programs are compiled for other machines alone."""
    return bool(_shipments)


class GraphProgram:
    """A part of a graph: the graph itself, for the sizes of results, and its program.

    `graph`: a GraphModule; `emitted`: its Emitted; `sizes`: of each placeholder that is
    no tensor, where its value is found: (index of a tensor, dimension). `updated`: of each
    result that is a tensor written in place, that tensor's index; it is not returned.
    """

    def __init__(self, graph, emitted, sizes, device, updated=None):
        self.graph, self.emitted, self.sizes, self.device = graph, emitted, sizes, device
        self.updated = updated or {}
        self.key = f"{bundle_cache.digest(emitted.program)} {device}"
        self._on_cpu = self._spec = None

    def build(self):
        """Compiles now; Error where the compiler refuses the program."""
        program = self.emitted.program
        if self.device.type == "cuda":
            # Loads it, too.
            launch.launcher(self.key, lambda: program, self.device)
            return
        self._on_cpu = CpuProgram(program.text, program.name)
        self._spec = self._on_cpu.functions["main"]

    def shapes(self, tensors):
        """What the graph returns for these tensors, by running it on fake ones."""
        given, left = [], list(tensors)
        for node in self.graph.graph.nodes:
            if node.op == "placeholder":
                place = self.sizes.get(node.name)
                given.append(left.pop(0) if place is None else
                             tensors[place[0]].shape[place[1]])
        results = self.graph(*given)
        results = results if isinstance(results, (tuple, list)) else [results]
        return [r.new_empty(r.shape) for r in self._returned(results)]

    def _returned(self, results):
        return [r for i, r in enumerate(results) if i not in self.updated]

    def ordered(self, tensors, updated):
        """All tensors in the graph's order, of those that are read and those written."""
        tensors, found = list(tensors), dict(zip(self.updated.values(), updated))
        return [found[i] if i in found else tensors.pop(0)
                for i in range(len(tensors) + len(found))]

    def __call__(self, tensors):
        if any(t.device != self.device for t in tensors):
            raise Error(f"a program for {self.device} was called with tensors on "
                        f"{', '.join(sorted({str(t.device) for t in tensors}))}")
        run = self._gpu if self.device.type == "cuda" else self._cpu
        if not _clocks:
            return run(tensors)
        synchronize(self.device)
        begin = time.perf_counter()
        results = run(tensors)
        synchronize(self.device)
        for clock in _clocks:
            clock.seconds += time.perf_counter() - begin
        return results

    def _cpu(self, tensors):
        arrays = {}
        for index, (tensor, (_, form)) in enumerate(zip(tensors, self.emitted.arguments)):
            name = self._spec["arguments"][index].get("name", str(index))
            arrays[name] = ops.to_numpy(tensor) if form is None else \
                _weights(tensor, form)
        results = self._on_cpu("main", arrays)
        results = results if isinstance(results, tuple) else (results,)
        results = [_tensor(array, spec["dtype"])
                   for array, spec in zip(results, self._spec["results"])]
        for index, place in self.updated.items():
            tensors[place].copy_(results[index])
        return self._returned(results)

    def _gpu(self, tensors):
        tensors = [t if i in self.updated.values() else t.contiguous()
                   for i, t in enumerate(tensors)]
        launcher = launch.launcher(self.key, lambda: self.emitted.program, self.device)
        spec = launcher.function.spec
        values = symbol_values(spec, [None if form else tuple(t.shape) for t, (_, form) in
                                      zip(tensors, self.emitted.arguments)])
        results = [tensors[self.updated[i]] if i in self.updated else
                   torch.empty([values.get(s, s) for s in result["shape"]],
                               dtype=_TORCH[result["dtype"]], device=self.device)
                   for i, result in enumerate(spec["results"])]
        launch.launch(self.key, None, [values[name] for name in spec["symbols"]], tensors,
                      *results)
        return self._returned(results)


def _weights(packed, form):
    """Packed weights as CPU programs take them: ternary ones as they are, 2:4 ones
    dense, made once for each tensor that comes."""
    if form.weights == TERNARY:
        return ops.matrix(packed, form)
    # Inference tensors have no versions, and may have been written to.
    if packed.is_inference():
        return ops.matrix(packed, form).unpack()
    with _lock:
        kept = _dense.get(packed)
    if kept is None or kept[:2] != (packed._version, form):
        kept = (packed._version, form, ops.matrix(packed, form).unpack())
        with _lock:
            _dense[packed] = kept
    return kept[2]


class Clock:
    """The time that programs take while it is started, with the device's waits."""

    def __init__(self):
        self.seconds = 0.0

    def __enter__(self):
        _clocks.append(self)
        return self

    def __exit__(self, *ignored):
        _clocks.remove(self)


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _tensor(array, dtype):
    if dtype == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    if dtype == "i1":
        array = array.astype(bool)
    return torch.from_numpy(array)


def made(program):
    """The key of a program that can be called: this one, built, or one like it."""
    if shipping():
        for shipment in _shipments:
            shipment.add(program.emitted.program)
        return program.key
    with _lock:
        known = program.key in _programs
    if not known:
        program.build()
        with _lock:
            _programs.setdefault(program.key, program)
    return program.key


def _find(key):
    if key not in _programs:
        raise Error(f"no program '{key}' in this process: it is made by torch.compile("
                    "backend=\"sparseflow\"), and cannot be exported")
    return _programs[key]


ops.library.define("program(Tensor[] tensors, str key) -> Tensor[]")
for _device in ("CPU", "CUDA"):
    ops.library.impl("program", lambda tensors, key: _find(key)(tensors), _device)
torch.library.register_fake("sparseflow::program",
                            lambda tensors, key: _find(key).shapes(tensors),
                            lib=ops.library)
program = torch.ops.sparseflow.program.default


@functools.lru_cache(maxsize=None)
def update(count):
    """The operator of programs that write to some of their tensors in place and return
    `count` others: torch makes an operator that writes functional only where the number
    of its results is in its type."""
    name = f"update_{count}"

    def call(run):
        def update(tensors, updated, key):
            found = _find(key)
            results = run(found)(found.ordered(tensors, updated))
            return results[0] if count == 1 else tuple(results) or None
        return update
    returned = "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
    ops.library.define(f"{name}(Tensor[] tensors, Tensor(a!)[] updated, str key) -> "
                       f"{returned}")
    for device in ("CPU", "CUDA"):
        ops.library.impl(name, call(lambda found: found), device)
    torch.library.register_fake(f"sparseflow::{name}", call(lambda found: found.shapes),
                                lib=ops.library)
    return getattr(torch.ops.sparseflow, name).default


def is_call(node):
    """True for a graph's call of a program."""
    return node.target is program or str(node.target).startswith("sparseflow.update_")
