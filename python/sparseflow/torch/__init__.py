# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SparseFlow's layers for PyTorch models; docs/pytorch.md shows their use.

Importing it registers the operators torch.ops.sparseflow; programs that were exported
with them need that to be loaded.
"""

from ..errors import Error

try:
    import torch as _torch
except ImportError as _error:
    raise Error("sparseflow.torch needs PyTorch 2.8 or later: pip install torch "
                f"({_error})") from None
if not hasattr(_torch.Tag, "needs_exact_strides"):
    raise Error("sparseflow.torch needs PyTorch 2.8 or later, found "
                f"{_torch.__version__}")

from ..forms import ACTIVATIONS, AttentionForm, CacheAttentionForm, CacheFormat, Form
from . import ops
from .attention import attention
from .backend import CompileReport
from .checks import sampled_checks
from .convert import Decision, Plan, Report, Rule, convert
from .groups import GatedLinear, GatedMLP, MergedLinear, MergedPart
from .modules import PackedLinear, SparseLinear, TernaryLinear
from .prepare import prepare
from .programs import Shipment

__all__ = ["ACTIVATIONS", "AttentionForm", "CacheAttentionForm", "CacheFormat",
           "CompileReport", "Decision", "Form", "GatedLinear", "GatedMLP", "MergedLinear",
           "MergedPart", "PackedLinear", "Plan", "Report", "Rule", "Shipment", "SparseLinear", "TernaryLinear",
           "attention", "convert", "ops", "prepare", "sampled_checks"]
