# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which nodes of a traced graph become programs, and the calls in their place."""

import operator

import torch
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.tools_common import legalize_graph
from torch.fx.passes.utils.fuser_utils import fuse_as_graphmodule

from ..errors import Error
from . import places, programs
from .operators import emit, handler_of, is_tensor
from .scalars import Unsupported

# A part without one of these is Inductor's.
_ANCHORS = ("sparseflow::", "aten::_scaled_dot_product_")
# A piece of a deep part has so many of them.
_ANCHORS_A_PIECE = 4


def _name(node):
    return getattr(getattr(node.target, "_schema", None), "name", "")


def _is_anchor(node):
    return _name(node).startswith(_ANCHORS) and node.target is not places.written


class Support(OperatorSupportBase):
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
    held = [n for n in nodes if is_tensor(n)]
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
    nodes = [n for n in part.graph.nodes if n.op == "placeholder"]
    held = [n for n in nodes if is_tensor(n)]
    devices = {n.meta["val"].device for n in held}
    if len(devices) != 1:
        raise Unsupported("tensors on several devices")
    view = _view(part)
    if view is not None:
        raise Unsupported("a view of a tensor that is read elsewhere, too", view)
    device = devices.pop()
    updated = {index: held.index(node.args[0])
               for index, node in enumerate(part.graph.output_node().args[0])
               if node.target is places.written}
    return programs.GraphProgram(part, emit(
        part.graph, device.type == "cpu" and not programs.shipping()), _sizes(part), device,
                                 updated)


def _fed(nodes):
    """The anchors among nodes, and what reads something that one has computed."""
    found = set()
    for node in nodes:
        if _is_anchor(node) or any(n in found for n in node.all_input_nodes):
            found.add(node)
    return found


def _connected(nodes):
    """Without what neither feeds an anchor, or what one feeds, nor is fed by one."""
    kept = _fed(nodes)
    for node in reversed(nodes):
        if any(user in kept for user in node.users):
            kept.add(node)
    return [node for node in nodes if node in kept]


def _live(nodes, fed):
    """Of each node, how many tensors that anchors feed are made by nodes up to it and read
    by nodes behind it."""
    place = {node: index for index, node in enumerate(nodes)}
    ends, live, counts = {}, 0, []
    for index, node in enumerate(nodes):
        last = max((place[u] for u in node.users if u in place), default=index)
        if node in fed and last > index:
            live += 1
            ends[last] = ends.get(last, 0) + 1
        live -= ends.pop(index, 0)
        counts.append(live)
    return counts


def _outline(nodes):
    """What is equal of pieces that may share a program."""
    place = {node: index for index, node in enumerate(nodes)}
    return tuple((str(node.target), str(getattr(node.meta.get("val"), "shape", "")),
                  *(place.get(n, -1) for n in node.all_input_nodes)) for node in nodes)


def _pieces(nodes):
    """Cuts the nodes of a part, in the graph's order, where one tensor passes, if some of
    the pieces are equal: a deep model compiles as fast as a shallow one then.

    What no anchor feeds and several pieces read is left out, with all that it is made of:
    the pieces take it as an input.
    """
    fed, cut, anchors, found = _fed(nodes), [], 0, []
    for node, live in zip(nodes, _live(nodes, fed)):
        cut.append(node)
        anchors += _is_anchor(node)
        # Parts of one node's results stay with it.
        if anchors >= _ANCHORS_A_PIECE and live <= 1 and is_tensor(node):
            found.append(cut)
            cut, anchors = [], 0
    if anchors or not found:
        found.append(cut)
    else:
        found[-1] += cut
    number = {node: index for index, piece in enumerate(found) for node in piece}
    left, wanted = set(), [node for node in nodes if node not in fed and any(
        number.get(user, number[node]) != number[node] for user in node.users)]
    while wanted:
        node = wanted.pop()
        left.add(node)
        wanted += [n for n in node.all_input_nodes if n in number and n not in left]
    found = [[node for node in piece if node not in left] for piece in found]
    return found if len(set(map(_outline, found))) < len(found) else [nodes]


def _is_update(node, piece, copies):
    """True where a `written` is the only reader of an input, and read outside of its piece
    only to be written back to it."""
    cache = node.args[0]
    return copies.get(cache) is node and set(cache.users) == {node} and \
        all(user in piece or user.op == "output" for user in node.users) and \
        cache.meta["val"].is_contiguous()


def _attempt(graph, nodes, copies):
    """(inputs, outputs, GraphProgram) of nodes."""
    for node in nodes:
        if node.target is places.written and not _is_update(node, nodes, copies):
            raise Unsupported("a write to a tensor that is read elsewhere, too", node)
    part, inputs, outputs = fuse_as_graphmodule(graph, nodes, "part",
                                                always_return_tuple=True)
    return inputs, outputs, _emit(part)


def _partition(graph, support, copies):
    """[(nodes, inputs, outputs, GraphProgram)] of the parts that can be emitted, in the
    order of their last nodes; a node that turns out to have no form is left out of the next
    attempt."""
    order = {node: index for index, node in enumerate(graph.graph.nodes)}
    while True:
        before, found = len(support.refused), []
        for partition in CapabilityBasedPartitioner(
                graph, support, allows_single_node_partition=True).propose_partitions():
            nodes = sorted(partition.nodes, key=order.get)
            if not any(map(_is_anchor, nodes)):
                continue
            for piece in _pieces(_connected(nodes)):
                try:
                    found.append((piece, *_attempt(graph, piece, copies)))
                except Unsupported as error:
                    blamed = [n for n in piece if error.node is not None and
                              n.name == error.node.name]
                    support.refused.update(dict.fromkeys(
                        blamed or filter(_is_anchor, piece), str(error)))
        if len(support.refused) == before:
            return sorted(found, key=lambda part: order[part[0][-1]])


def _replace(graph, nodes, inputs, outputs, program, key, new):
    """Puts a call of a program in the place of nodes; `new`: what stands for results."""
    tensors = [new.get(n, n) for n in inputs if is_tensor(n)]
    updated = list(program.updated.values())
    given = [t for i, t in enumerate(tensors) if i not in updated]
    with graph.inserting_before(graph.output_node()):
        index, count = 0, len(outputs) - len(updated)
        call = graph.call_function(programs.update(count), (
            given, [tensors[i] for i in updated], key)) if updated else \
            graph.call_function(programs.program, (given, key))
        for number, output in enumerate(outputs):
            if number in program.updated:
                part = output.args[0]
            elif updated and count == 1:
                part = call
                part.meta = dict(output.meta)
            else:
                part = graph.call_function(operator.getitem, (call, index))
                part.meta = dict(output.meta)
                index += 1
            output.replace_all_uses_with(part, delete_user_cb=lambda user: user not in nodes)
            new[output] = part
    for node in reversed(nodes):
        graph.erase_node(node)


def split(graph, made):
    """Puts programs in place of parts of a traced graph; calls made(nodes, error or "") for
    each. Returns {reason: nodes} of the rest."""
    support, done, new = Support(), set(), {}
    copies = places.detach_copies(graph)
    for nodes, inputs, outputs, program in _partition(graph, support, copies):
        done.update(nodes)
        try:
            key = programs.made(program)
        except Error as error:
            made(nodes, str(error))
            continue
        made(nodes, "")
        _replace(graph.graph, nodes, inputs, outputs, program, key, new)
    left = {}
    for node in graph.graph.nodes:
        if node not in done and node.op == "call_function" and hasattr(node.target, "_schema") \
                and not programs.is_call(node):
            why = support.refused.get(node) or (
                "not beside a packed layer or attention" if handler_of(node) else
                "no form in a program")
            left.setdefault(why, []).append(node)
    places.restore(graph)
    legalize_graph(graph)
    places.attach_copies(graph, list(copies))
    graph.recompile()
    return left
