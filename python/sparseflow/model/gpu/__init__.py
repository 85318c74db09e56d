# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model on a GPU: memory and streams, its program, and a step as a graph."""

from .program import GpuProgram

__all__ = ["GpuProgram"]
