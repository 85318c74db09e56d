# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules by the names that they had before this version: they go with version 0.3."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Dict, Optional

_PACKAGE = __name__.rpartition(".")[0]
_FOLDERS = {"model.families": ("bert", "family", "gpt2", "llama"),
            "model.compression": ("compressor", "forms", "layer", "plan", "planner",
                                  "report_page", "rotator", "stages", "stream"),
            "model.gpu": ("driver", "step")}


def names() -> Dict[str, str]:
    """The new name of each module by its old one."""
    found = {"attention": "reference.attention", "device_arrays": "cuda.device_arrays"}
    for folder, modules in _FOLDERS.items():
        found.update({f"model.{name}": f"{folder}.{name}" for name in modules})
    return {f"{_PACKAGE}.{old}": f"{_PACKAGE}.{new}" for old, new in found.items()}


class _Moved(MetaPathFinder, Loader):
    """Imports the module of the new name, and says which that is."""

    def __init__(self) -> None:
        self.names = names()

    def find_spec(self, fullname: str, path: Any = None,
                  target: Optional[ModuleType] = None) -> Optional[ModuleSpec]:
        return ModuleSpec(fullname, self) if fullname in self.names else None

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        warnings.warn(f"{old} is {self.names[old]} now; the old name goes with version "
                      "0.3", DeprecationWarning, stacklevel=2)
        # One module under both names: what one changes, the other has.
        sys.modules[old] = importlib.import_module(self.names[old])


def install() -> None:
    sys.meta_path.append(_Moved())
