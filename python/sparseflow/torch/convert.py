# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces the linear layers of a model, by a plan, and reports each decision."""

import dataclasses
import re
from typing import Any, Optional

import torch
from torch import nn

from ..errors import Error
from ..forms import TERNARY, TWO_FOUR
from .activations import of_module, of_node
from .groups import GatedLinear, GatedMLP, MergedLinear, MergedPart, gated_parts
from .modules import PackedLinear, SparseLinear, TernaryLinear

_LAYERS = {TWO_FOUR: SparseLinear, TERNARY: TernaryLinear}
# These read the weights of their layers themselves.
_READERS = (nn.MultiheadAttention, nn.TransformerEncoderLayer)


@dataclasses.dataclass
class Rule:
    """Layers and what becomes of them.

    `where`: a regular expression that is found in the layer's name (a name alone is
    one), a class, or a function of (name, module). `to`: "2:4", "ternary", or None to
    leave them. `options`: more arguments of SparseLinear.from_dense or
    TernaryLinear.from_dense, such as dtype, prune, activations, layout, scale.
    """
    where: Any
    to: Optional[str]
    options: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        if self.to is not None and self.to not in _LAYERS:
            raise Error(f"expected a rule to {', '.join(_LAYERS)} or None, found {self.to}")

    def matches(self, name, module):
        if isinstance(self.where, str):
            return re.search(self.where, name) is not None
        if isinstance(self.where, type):
            return isinstance(module, self.where)
        return bool(self.where(name, module))


@dataclasses.dataclass
class Plan:
    """`rules`: the first that matches a layer counts. `merge`: names of children of one
    module that are called with the same tensor, and share a launch. `gate`: names (gate,
    up, down) of children of a module which computes down(activation(gate(x)) * up(x));
    that is read from its code, and such modules become one of two launches. `fuse`:
    activations that follow a layer in a torch.nn.Sequential."""
    rules: list
    merge: tuple = (("q_proj", "k_proj", "v_proj"),)
    gate: tuple = (("gate_proj", "up_proj", "down_proj"),)
    fuse: bool = True

    @classmethod
    def of(cls, plan):
        """A Plan; of "2:4" or "ternary" for every layer, or of {where: to}."""
        if isinstance(plan, Plan):
            return plan
        if isinstance(plan, str):
            plan = {"": plan}
        return cls([Rule(where, to) for where, to in plan.items()])

    def rule(self, name, module):
        return next((r for r in self.rules if r.matches(name, module)), None)


@dataclasses.dataclass
class Decision:
    """What became of a layer: `to` is "2:4", "ternary" or "" where it was left; `why`
    says what was fused or merged, or why not; `lost` the report of packing."""
    name: str
    shape: tuple
    to: str
    why: str = ""
    lost: dict = dataclasses.field(default_factory=dict)

    def __str__(self):
        figures = ", ".join(f"{k} {v:.3f}" for k, v in self.lost.items())
        about = "; ".join(filter(None, (figures, self.why)))
        return (f"{self.name} {list(self.shape)}: {self.to or 'left'}"
                f"{' (' + about + ')' if about else ''}")


@dataclasses.dataclass
class Report:
    """Of each linear layer, in the model's order. `share`: of all their weights, how
    many were converted."""
    decisions: list

    @property
    def share(self):
        def weights(decisions):
            return sum(d.shape[0] * d.shape[1] for d in decisions)
        return weights(d for d in self.decisions if d.to) / max(weights(self.decisions), 1)

    def __str__(self):
        done = sum(bool(d.to) for d in self.decisions)
        return "\n".join([*map(str, self.decisions),
                          f"{done} of {len(self.decisions)} linear layers, "
                          f"{100 * self.share:.1f} % of their weights"])


def _hooked(module):
    return bool(module._forward_hooks or module._forward_pre_hooks)


def convert(model, plan):
    """Converts a model's linear layers in place, and returns a Report.

    `plan`: "2:4" or "ternary" for all layers, {where: "2:4", "ternary" or None}, or a
    Plan. What cannot be converted stays as it is, and the report says why; a layer
    whose weights cannot be packed (values that f16 does not hold, no 2:4 without
    prune) is an Error, and the model is as it was.
    """
    if isinstance(model, nn.Linear):
        raise Error("the model is a linear layer itself, which has no place to be replaced "
                    "in: use SparseLinear.from_linear or TernaryLinear.from_linear")
    return _Conversion(model, Plan.of(plan)).run()


class _Conversion:
    """Decides and packs first; changes the model when nothing can fail any more."""

    def __init__(self, model, plan):
        self.model, self.plan = model, plan
        self.modules = dict(model.named_modules())
        self.places = [m for _, m in model.named_modules(remove_duplicate=False)]
        self.decisions, self.made = {}, {}
        self.changes = []

    def run(self):
        for name, module in self.modules.items():
            if isinstance(module, nn.Linear):
                self.decisions[name] = self._decide(name, module)
        for name, module in self.modules.items():
            for names in self.plan.gate:
                self._gate(name, module, names)
            for names in self.plan.merge:
                self._merge(name, module, names)
        for name, decision in self.decisions.items():
            if decision.to and name not in self.made:
                self._single(name)
        for change in self.changes:
            change()
        return Report(list(self.decisions.values()))

    def _decide(self, name, module):
        rule = self.plan.rule(name, module)
        shape = (module.out_features, module.in_features)
        if rule is None or rule.to is None:
            return Decision(name, shape, "", "no rule names it" if rule is None else
                            "a rule leaves it")
        why = self._obstacle(name, module, rule)
        return Decision(name, shape, "", why) if why else Decision(name, shape, rule.to)

    def _obstacle(self, name, module, rule):
        if hasattr(module, "parametrizations"):
            return "it has parametrizations; remove them first"
        if type(module) is not nn.Linear:
            return f"a {type(module).__name__}, of which only torch.nn.Linear itself is known"
        reader = next((type(m).__name__ for m in self._parents(name)
                       if isinstance(m, _READERS)), None)
        if reader:
            return f"{reader} reads the weights itself"
        if _hooked(module):
            return "it has hooks; remove them first"
        if module.weight.is_meta:
            return "its weights are on the device meta; load them first"
        if rule.to == TWO_FOUR and module.in_features % 4:
            return f"2:4 needs a multiple of 4 in features, found {module.in_features}"
        if not module.weight.numel():
            return "it has no weights"
        owners = [n for n, m in self.modules.items() if m is not module and any(
            p is module.weight for p in m.parameters(recurse=False))]
        if owners:
            return f"its weights are those of {owners[0]} too"
        return ""

    def _parents(self, name):
        parts = name.split(".")[:-1]
        return [self.modules[".".join(parts[:i])] for i in range(len(parts) + 1)]

    def _pack(self, name, activation="none", weight=None, bias=None):
        module = self.modules[name]
        rule = self.plan.rule(name, module)
        weight = module.weight if weight is None else weight
        bias = module.bias if bias is None else bias
        return _LAYERS[rule.to].from_dense(weight, bias, activation=activation, name=name,
                                           **rule.options)

    def _replace(self, name, module):
        """Puts a module in a place, and wherever else the model has the same one."""
        old = self.modules[name]

        def change():
            for parent in self.modules.values():
                for child, found in list(parent._modules.items()):
                    if found is old:
                        setattr(parent, child, module.train(old.training))
        self.changes.append(change)

    def _note(self, name, layer, why=""):
        self.made[name] = layer
        decision = self.decisions[name]
        decision.lost = layer.report
        decision.why = "; ".join(filter(None, (decision.why, why)))

    def _single(self, name):
        activation, why = "none", ""
        parent = self._parents(name)[-1]
        if self.plan.fuse and type(parent) is nn.Sequential:
            activation, why = self._following(parent, name)
        layer = self._pack(name, activation)
        self._note(name, layer, why)
        self._replace(name, layer)

    def _following(self, parent, name):
        """The activation behind a layer of a Sequential, which is taken out of it."""
        children = list(parent._modules.items())
        place = [child for child, _ in children].index(name.rpartition(".")[2])
        if place + 1 == len(children) or self._used_elsewhere(self.modules[name]):
            return "none", ""
        child, module = children[place + 1]
        found = of_module(module)
        if found is None or _hooked(module):
            return "none", ""
        self.changes.append(lambda: setattr(parent, child, nn.Identity()))
        return found, f"{found} fused"

    def _used_elsewhere(self, module):
        return sum(m is module for m in self.places) > 1

    def _ready(self, parent, names, what):
        """The children's qualified names, if all are to be converted alike."""
        prefix = f"{parent}." if parent else ""
        full = [prefix + n for n in names]
        if any(n not in self.decisions for n in full) or \
                any(n in self.made or not self.decisions[n].to or
                    self._used_elsewhere(self.modules[n]) for n in full):
            return None
        modules = [self.modules[n] for n in full]
        alike = {(m.in_features, m.weight.dtype, m.weight.device, m.bias is None)
                 for m in modules}
        rules = [self.plan.rule(n, m) for n, m in zip(full, modules)]
        if len(alike) > 1 or any(r.to != rules[0].to or r.options != rules[0].options
                                 for r in rules):
            self.decisions[full[0]].why = (
                f"not {what}: {', '.join(names)} differ in features, type, device, bias or "
                "rule")
            return None
        return full

    def _merge(self, name, parent, names):
        full = self._ready(name, names, "merged")
        if not full:
            return
        modules = [self.modules[n] for n in full]
        if self.plan.rule(full[0], modules[0]).options.get("scale") == "tensor":
            self.decisions[full[0]].why = "not merged: a scale for each tensor"
            return
        weight = torch.cat([m.weight.detach() for m in modules])
        bias = None if modules[0].bias is None else torch.cat([m.bias.detach()
                                                               for m in modules])
        layer = self._pack(full[0], weight=weight, bias=bias)
        merged = MergedLinear(layer, [m.out_features for m in modules])
        for index, n in enumerate(full):
            self._note(n, layer, f"merged: {', '.join(names)}")
            self._replace(n, merged if index == 0 else MergedPart(merged, index))

    def _gate(self, name, parent, names):
        gate, up, down = names
        if not name or not all(isinstance(getattr(parent, n, None), nn.Linear)
                               for n in names) or _hooked(parent):
            return
        full = self._ready(name, (gate, up), "gated")
        if not full:
            return
        found, why = gated_parts(parent, lambda node: of_node(node, parent))
        if found is None or found[:3] != names:
            self.decisions[full[0]].why = f"not gated: {why or 'other names'}"
            return
        if self.modules[full[0]].bias is not None:
            self.decisions[full[0]].why = "not gated: gate and up have a bias"
            return
        layers = [self._pack(n) for n in full]
        fused = GatedLinear(*layers, found[3])
        for n, layer in zip(full, layers):
            self._note(n, layer, f"gated: {found[3]}({gate}) * {up}")
        last = f"{name}.{down}"
        rest = self.modules[last]
        if self.decisions[last].to:
            rest = self._pack(last)
            self._note(last, rest)
        self._replace(name, GatedMLP(fused, rest))
