# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPUs: functions of bundles that are launched, and the arrays that they take."""

from .attention_modes import AttentionModes
from .function import Context, Function, Graph

__all__ = ["AttentionModes", "Context", "Function", "Graph"]
