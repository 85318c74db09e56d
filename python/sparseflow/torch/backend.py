# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(model, backend="sparseflow"): whole parts of a graph as programs.

The graph that torch.compile hands over is traced to aten operators. Its largest parts
whose every operator has a form in a program, and that hold a packed layer or attention,
are compiled by SparseFlow and called as torch.ops.sparseflow.program; the rest, with
these calls, goes to Inductor.
"""

import dataclasses
import time

import torch
from torch._dynamo.backends.registry import register_backend
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import make_fx

from . import places, programs
from .parts import split

_reports = []


@dataclasses.dataclass
class Part:
    """A part of a graph: its operators, by name, with counts; `why` it is Inductor's, or
    "" for a program."""
    operators: dict
    why: str = ""

    def __str__(self):
        what = ", ".join(f"{name} {count}" for name, count in sorted(self.operators.items()))
        return f"  {'left, ' + self.why if self.why else 'program'}: {what}"


class CompileReport:
    """What torch.compile(backend="sparseflow") did within it, and why.

    `graphs`: of each compiled graph, its Parts. `share`: of the time of the last
    `measure`, how much ran in programs; None before.
    """

    def __init__(self):
        self.graphs, self.share = [], None

    def __enter__(self):
        _reports.append(self)
        return self

    def __exit__(self, *ignored):
        _reports.remove(self)

    def measure(self, call, *arguments, **named):
        """Runs a call (a second one, so that nothing is compiled) and keeps the share of
        its time that programs took. Around programs the device is waited for."""
        call(*arguments, **named)
        device = torch.device("cuda", torch.cuda.current_device()) \
            if torch.cuda.is_available() else torch.device("cpu")
        programs.synchronize(device)
        with programs.Clock() as clock:
            begin = time.perf_counter()
            result = call(*arguments, **named)
            programs.synchronize(device)
            self.share = clock.seconds / (time.perf_counter() - begin)
        return result

    def __str__(self):
        lines = []
        for number, parts in enumerate(self.graphs):
            lines += [f"graph {number}:", *map(str, parts)]
        if self.share is not None:
            lines.append(f"{100 * self.share:.1f} % of the time in programs")
        return "\n".join(lines)


def _count(nodes):
    found = {}
    for node in nodes:
        if node.op == "call_function" and hasattr(node.target, "_schema"):
            name = str(node.target).removesuffix(".default")
            found[name] = found.get(name, 0) + 1
    return found


def _traced(graph, inputs):
    """The graph's aten operators, on the fake tensors that it was made with."""
    nodes = [n for n in graph.graph.nodes if n.op == "placeholder"]
    given = [n.meta.get("example_value", i) for n, i in zip(nodes, inputs)]
    # Their own mode: the compiler's context has another one for back ends.
    mode = next(g.fake_mode for g in given if isinstance(g, FakeTensor))
    with torch.no_grad(), mode:
        # Tensors that are made and then filled are no writes to what the caller sees.
        # The second time sees writes within what was one operator the first time.
        call = places.Keeper(graph).run
        for _ in range(2):
            call = make_fx(torch.func.functionalize(call))(*given)
            if not places.writes(call):
                break
    places.find(call)
    return call


def _split(graph):
    """Puts programs in place of parts of a traced graph; returns its Parts."""
    parts = []
    left = split(graph, lambda nodes, why: parts.append(Part(_count(nodes), why)))
    return parts + [Part(_count(nodes), why) for why, nodes in left.items()]


def _obstacle(graph, inputs):
    """Why a whole graph is Inductor's, or ""."""
    if torch.is_grad_enabled() and any(isinstance(i, torch.Tensor) and i.requires_grad
                                       for i in inputs):
        return "a gradient is needed"
    if any(node.op == "get_attr" for node in graph.graph.nodes):
        return "modules or tensors within the graph"
    if not any(isinstance(i, torch.Tensor) for i in inputs):
        return "no tensors among its inputs"
    return ""


def _hindrance(traced):
    """Why all of a traced graph is Inductor's, or ""."""
    if places.writes(traced):
        return "it writes to tensors in place"
    if any(isinstance(n.meta.get("val"), torch.SymFloat) for n in traced.graph.nodes):
        return ("a float that may change between calls (without dynamic=True, or with "
                "torch._dynamo.config.specialize_float, it is a constant)")
    return ""


@register_backend(name="sparseflow")
def backend(graph, inputs, mode=None, options=None):
    """The function that torch.compile calls; `mode` and `options` are Inductor's."""
    # Here, since importing Inductor takes a second.
    from torch._inductor import list_mode_options
    from torch._inductor.compile_fx import compile_fx
    patches = {**(list_mode_options(mode) if mode else {}), **(options or {})}
    why, traced = _obstacle(graph, inputs), None
    if not why:
        try:
            traced = _traced(graph, inputs)
            why = _hindrance(traced)
        except Exception as error:  # pylint: disable=broad-except
            # What Inductor may know and this tracer does not.
            why = f"it cannot be traced ({type(error).__name__}: {error})"
    if why:
        nodes = [n for n in graph.graph.nodes if n.op.startswith("call")]
        parts = [Part({"operations": len(nodes)}, why)]
    else:
        parts = _split(traced)
    if programs.shipping():
        compiled = graph.forward
    else:
        compiled = compile_fx(graph if why else traced, inputs, config_patches=patches or None)
    # Not before: torch.compile may give a graph up here, and begin again.
    for report in _reports:
        report.graphs.append(parts)
    return compiled
