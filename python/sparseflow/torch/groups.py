# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of one input that share a launch: q, k, v; gate and up."""

import torch
from torch import fx, nn

from . import ops
from .modules import _Packed, autocast_dtype, compute


class _Shared:
    """The parts of the last product that nobody has asked for yet.

    One attribute, replaced whole: a reader in another thread sees all of it or
    another one, which is for another x.
    """

    def __init__(self):
        self.last = None

    def __deepcopy__(self, memo):
        return _Shared()

    def __reduce__(self):
        return _Shared, ()


def _identity(x):
    """What has to be the same for a part to be the answer of a later call."""
    # Traced code has no versions; nor have inference tensors.
    version = None if torch.compiler.is_compiling() or x.is_inference() else x._version
    return (version, torch.is_grad_enabled(), autocast_dtype(x.device))


class MergedLinear(nn.Module):
    """The first of several linear layers of one x, which computes all of them.

    It takes the place of the first layer, `MergedPart`s those of the others. Whichever
    is called first with an x launches once, for the concatenated features, and keeps
    the other parts until they are asked for with the same tensor. An x that is not
    the same tensor, or was changed in place meanwhile (which eager mode notices),
    costs a launch, and nothing else.
    """

    def __init__(self, linear, sizes):
        super().__init__()
        self.linear, self.sizes, self._shared = linear, list(sizes), _Shared()

    def part(self, index, x):
        """Part `index` of the product of x."""
        last, identity = self._shared.last, _identity(x)
        if last is not None and last[0] is x and last[1] == identity and \
                last[2][index] is not None:
            parts = last[2]
        else:
            parts = self.linear(x).split(self.sizes, -1)
        others = tuple(None if i == index else p for i, p in enumerate(parts))
        self._shared.last = (x, identity, others) \
            if any(p is not None for p in others) else None
        return parts[index]

    def forward(self, x):
        return self.part(0, x)

    def extra_repr(self):
        return f"parts={self.sizes}"


class MergedPart(nn.Module):
    """One of the other layers of a MergedLinear, which holds its weights."""

    def __init__(self, merged, index):
        super().__init__()
        # In a list: the weights belong to one module.
        self._merged, self.index = [merged], index

    @property
    def in_features(self):
        return self._merged[0].linear.in_features

    @property
    def out_features(self):
        return self._merged[0].sizes[self.index]

    def forward(self, x):
        return self._merged[0].part(self.index, x)

    def extra_repr(self):
        return f"out_features={self.out_features}, part {self.index} of a merged layer"


class GatedLinear(_Packed):
    """activation(x gate^T) * (x up^T), one launch for few tokens and two for many."""

    def __init__(self, gate, up, activation):
        """`gate`, `up`: layers of PackedLinear without bias, of one form."""
        form = gate.form.__class__(**{**vars(gate.form), "op": "gated",
                                      "activation": activation})
        super().__init__(form, ["gate", "up"], "meta")
        self.gate, self.up = gate.packed, up.packed

    def forward(self, x):
        return compute(x, self.form,
                       lambda x: ops.gated(x, self.gate, self.up, str(self.form)))


class GatedMLP(nn.Module):
    """down(activation(gate(x)) * up(x)), as feed-forward blocks of many models are."""

    def __init__(self, gate_up, down):
        super().__init__()
        self.gate_up, self.down = gate_up, down

    def forward(self, x):
        return self.down(self.gate_up(x))


class _Leaves(fx.Tracer):
    """Every module is one node."""

    def is_leaf_module(self, module, name):
        return True


def gated_parts(module, activation_of):
    """The names (gate, up, down) of a module's children, and the activation, if its
    forward is down(activation(gate(x)) * up(x)) and nothing else; or why it is not.

    `activation_of`: node to the activation's name, or None where it is none.
    """
    try:
        nodes = list(_Leaves().trace(module).nodes)
    except Exception as error:  # pylint: disable=broad-except
        # Code that cannot be traced fails in its own way.
        return None, f"its forward cannot be traced ({type(error).__name__}: {error})"
    shape = "its forward is not down(activation(gate(x)) * up(x)) alone"
    inputs = [n for n in nodes if n.op == "placeholder" and n.users]
    down = nodes[-1].args[0]
    if len(inputs) != 1 or not isinstance(down, fx.Node) or down.op != "call_module" or \
            down.kwargs or len(down.args) != 1:
        return None, shape
    x, product = inputs[0], down.args[0]
    if not isinstance(product, fx.Node) or len(product.all_input_nodes) != 2 or \
            product.op not in ("call_function", "call_method") or product.kwargs or \
            getattr(product.target, "__name__", product.target) != "mul":
        return None, shape
    for acted, up in (product.args, product.args[::-1]):
        activation = activation_of(acted)
        if activation is None or up.op != "call_module" or up.args != (x,) or up.kwargs:
            continue
        gate = acted.args[0]
        # placeholders, gate, activation, up, mul, down, output: nothing else.
        if gate.op == "call_module" and gate.args == (x,) and not gate.kwargs and \
                sum(n.op != "placeholder" for n in nodes) == 6 and gate is not up and \
                all(len(n.users) == 1 for n in (gate, acted, up, product, down)):
            return (gate.target, up.target, down.target, activation), ""
    return None, shape
