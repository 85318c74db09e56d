# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program means, in NumPy: a manifest's reference graph on arrays."""

from .graph import check_pattern, evaluate

__all__ = ["check_pattern", "evaluate"]
