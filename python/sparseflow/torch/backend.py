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
import operator
import time

import torch
from torch._dynamo.backends.registry import register_backend
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.tools_common import legalize_graph
from torch.fx.passes.utils.fuser_utils import fuse_as_graphmodule, topo_sort

from ..errors import Error
from . import programs
from .operators import emit, handler_of
from .scalars import Unsupported

# A part without one of these is Inductor's.
_ANCHORS = ("sparseflow::", "aten::_scaled_dot_product_")
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
        for _ in range(2):
            graph = make_fx(torch.func.functionalize(graph))(*given)
            if not _writes(graph):
                break
    return graph


def _writes(graph):
    """True where an operator of a traced graph writes to a tensor that it is given."""
    return any(getattr(node.target, "_schema", None) and node.target._schema.is_mutable
               for node in graph.graph.nodes if node.op == "call_function")


def _name(node):
    return getattr(getattr(node.target, "_schema", None), "name", "")


def _is_anchor(node):
    return _name(node).startswith(_ANCHORS)


class _Support(OperatorSupportBase):
    """Which nodes may be in a program; `refused` those of which that was found out."""

    def __init__(self):
        self.refused = {}

    def is_node_supported(self, submodules, node):
        if node.op != "call_function" or node in self.refused:
            return False
        value = node.meta.get("val")
        if isinstance(value, (torch.SymInt, int)):
            return True
        if node.target is operator.getitem:
            return self.is_node_supported(submodules, node.args[0])
        return handler_of(node) is not None


def _sizes(graph):
    """Where the sizes among a part's inputs are found: in the shapes of the tensors."""
    tensors, found = {}, {}
    nodes = [n for n in graph.graph.nodes if n.op == "placeholder"]
    held = [n for n in nodes if isinstance(n.meta["val"], torch.Tensor)]
    for index, node in enumerate(held):
        for dimension, value in enumerate(node.meta["val"].shape):
            tensors.setdefault(str(value), (index, dimension))
    for node in nodes:
        if node not in held:
            if str(node.meta["val"]) not in tensors:
                raise Unsupported(f"a size {node.meta['val']} of none of its tensors")
            found[node.name] = tensors[str(node.meta["val"])]
    return found


def _source(node):
    """The node that owns the memory of a node's result."""
    while node.op == "call_function":
        schema = getattr(node.target, "_schema", None)
        if node.target is not operator.getitem and \
                not (schema and any(r.alias_info for r in schema.returns)):
            break
        node = node.all_input_nodes[0]
    return node


def _view(graph):
    """A result that shares memory with an input or another result, or None: results of
    programs are tensors of their own."""
    results = graph.graph.output_node().args[0]
    sources = [_source(node) for node in results]
    return next((node for node, source in zip(results, sources) if source is not node and
                 (source.op == "placeholder" or sources.count(source) > 1)), None)


def _emit(part):
    """The GraphProgram of a part, not built; Unsupported where there is none."""
    values = [n.meta["val"] for n in part.graph.nodes if n.op == "placeholder"]
    devices = {v.device for v in values if isinstance(v, torch.Tensor)}
    if len(devices) != 1:
        raise Unsupported("tensors on several devices")
    view = _view(part)
    if view is not None:
        raise Unsupported("a view of a tensor that is read elsewhere, too", view)
    device = devices.pop()
    return programs.GraphProgram(part, emit(part.graph, device.type == "cpu"), _sizes(part),
                                 device)


def _partition(graph, support):
    """[(nodes, inputs, outputs, GraphProgram)] of the parts that can be emitted; a node
    that turns out to have no form is left out of the next attempt."""
    while True:
        before, found = len(support.refused), []
        for partition in CapabilityBasedPartitioner(
                graph, support, allows_single_node_partition=True).propose_partitions():
            nodes = topo_sort(list(partition.nodes))
            anchors = [n for n in nodes if _is_anchor(n)]
            if not anchors:
                continue
            part, inputs, outputs = fuse_as_graphmodule(graph, nodes, "part",
                                                        always_return_tuple=True)
            try:
                found.append((nodes, inputs, outputs, _emit(part)))
            except Unsupported as error:
                blamed = [n for n in nodes if error.node is not None and
                          n.name == error.node.name]
                support.refused.update(dict.fromkeys(blamed or anchors, str(error)))
        if len(support.refused) == before:
            return found


def _replace(graph, nodes, inputs, outputs, key):
    """Puts a call of a program in the place of nodes."""
    tensors = [n for n in inputs if isinstance(n.meta["val"], torch.Tensor)]
    with graph.graph.inserting_before(graph.graph.output_node()):
        call = graph.graph.call_function(programs.program, (tensors, key))
        for index, output in enumerate(outputs):
            part = graph.graph.call_function(operator.getitem, (call, index))
            part.meta = dict(output.meta)
            output.replace_all_uses_with(part, delete_user_cb=lambda user: user not in nodes)
    for node in reversed(nodes):
        graph.graph.erase_node(node)


def _split(graph):
    """Puts programs in place of parts of a traced graph; returns its Parts."""
    support, parts, done = _Support(), [], set()
    for nodes, inputs, outputs, program in _partition(graph, support):
        done.update(nodes)
        count = _count(nodes)
        try:
            key = programs.made(program)
        except Error as error:
            parts.append(Part(count, str(error)))
            continue
        _replace(graph, nodes, inputs, outputs, key)
        parts.append(Part(count))
    left = {}
    for node in graph.graph.nodes:
        if node not in done and node.op == "call_function" and hasattr(node.target, "_schema") \
                and node.target is not programs.program:
            why = support.refused.get(node) or (
                "not beside a packed layer or attention" if handler_of(node) else
                "no form in a program")
            left.setdefault(why, []).append(node)
    parts += [Part(_count(nodes), why) for why, nodes in left.items()]
    legalize_graph(graph)
    graph.recompile()
    return parts


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
    if _writes(traced):
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
        graph = traced
        parts = _split(graph)
    compiled = compile_fx(graph, inputs, config_patches=patches or None)
    # Not before: torch.compile may give a graph up here, and begin again.
    for report in _reports:
        report.graphs.append(parts)
    return compiled
