# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which activations of torch, as modules or calls, the epilogues know."""

import torch
from torch import fx, nn
from torch.nn import functional as F

_MODULES = {nn.ReLU: "relu", nn.SiLU: "silu", nn.Sigmoid: "sigmoid", nn.Tanh: "tanh"}
_CALLS = {F.relu: "relu", torch.relu: "relu", F.silu: "silu", torch.sigmoid: "sigmoid",
          F.sigmoid: "sigmoid", torch.tanh: "tanh", F.tanh: "tanh"}
_TRANSFORMERS = {"SiLUActivation": "silu", "GELUActivation": "gelu",
                 "GELUTanh": "gelu_tanh", "PytorchGELUTanh": "gelu_tanh",
                 "NewGELUActivation": "gelu_tanh", "FastGELUActivation": "gelu_tanh",
                 "ReLUSquaredActivation": "squared_relu"}
_GELUS = {"none": "gelu", "tanh": "gelu_tanh"}


def of_module(module):
    """The name of the activation that a module is, or None."""
    kind = type(module)
    if kind is nn.GELU:
        return _GELUS.get(module.approximate)
    if kind in _MODULES:
        return _MODULES[kind]
    # Modules of transformers that do no more than call one.
    if not kind.__module__.startswith("transformers.activations") or \
            list(module.parameters()):
        return None
    return _TRANSFORMERS.get(kind.__name__)


def of_node(node, root):
    """The name of the activation that a node of a traced `root` is, or None."""
    if not isinstance(node, fx.Node) or len(node.all_input_nodes) != 1:
        return None
    if node.op == "call_module" and len(node.args) == 1 and not node.kwargs:
        return of_module(root.get_submodule(node.target))
    if node.op != "call_function":
        return None
    if node.target is F.gelu and len(node.args) == 1:
        return _GELUS.get(node.kwargs.get("approximate", "none"))
    if len(node.args) == 1 and not (set(node.kwargs) - {"inplace"}):
        return _CALLS.get(node.target)
    return None
