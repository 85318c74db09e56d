# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which device a command takes where none is named."""

from __future__ import annotations

import os
import sys
from typing import Optional, Tuple

from ...bundle import Bundle
from ...cuda import Context
from ...errors import Error


def _short(error: Error) -> str:
    """What is wrong, without causes and advice, which are about launches alone."""
    return str(error).split("; ")[0].split(" (")[0]


def gpu_context() -> Tuple[Optional[Context], str]:
    """The GPU, and its name; or None, and why there is none."""
    try:
        context = Context()
        return context, context.name
    except Error as error:
        return None, _short(error)


def choose_device(folder: str) -> Tuple[str, str]:
    """The device on which the model in `folder` is run, cuda or cpu, and why: a GPU where
    there is one that the model has kernels for."""
    context, why = gpu_context()
    if context is None:
        return "cpu", why
    path = os.path.join(folder, "program.bundle")
    if not os.path.exists(path):
        return "cpu", f"there is a GPU, {why}, and the model has no kernels for it; " \
            f"`sparseflow model compile {folder}` makes them"
    try:
        # Any function: all have code for the same targets.
        return "cuda", f"{why}, kernels for {Bundle(path).on_gpu(context, 'embed').target}"
    except Error as error:
        return "cpu", f"{_short(error)}; `sparseflow model compile {folder}` makes some for it"


def remark(text: str) -> None:
    """A line about what was decided for the user."""
    print(f"remark: {text}", file=sys.stderr, flush=True)
