# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that hold the same numbers, each in memory of its own."""

from __future__ import annotations

from typing import Any


class Replica:
    """Memory of its own that holds what `source` holds."""

    def __init__(self, source: Any) -> None:
        self.source, self.shape = source, source.shape
