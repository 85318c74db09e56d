# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SparseFlow from Python: pack weights, compile programs, run bundles.

Needs NumPy, libsparseflow_rt.so for weights and GPUs, and the `sparseflow` command
for compiling; neither LLVM nor a compiler is loaded into the process, but by a
CpuProgram, which stays compiled. Importing the package loads nothing: a missing part is
an error where it is first needed.
"""

from .arrays import bf16_to_float32, float32_to_bf16
from .bundle import Bundle
from .bundle_cache import use_calibration
from .cache import ModeDecision, TernaryCache, choose_mode
from .calibration import Moments, Targets
from .cli import (Compiled, Remark, compile, compress_file, find_command, pack_file,
                  run)
from .cpu import CpuProgram
from .cuda.attention_modes import AttentionModes
from .cuda.function import Context, Function, Graph
from .errors import Error
from .frontend import Program, from_onnx, from_torch
from .moved import install as _install_old_names
from .native import find_library
from .packing import (Container, ContainerWriter, PackedMatrix, pack, prune, unpack,
                      write_sfpk)
from .safetensors import save_safetensors
from .ternary import (TernaryMatrix, Ternarized, pack_ternary, ternarize,
                      unpack_ternary)

_install_old_names()

__version__ = "0.2.0"
__all__ = [
    "AttentionModes", "Bundle", "Compiled", "Container", "ContainerWriter", "Context",
    "CpuProgram", "Error",
    "Function", "Graph",
    "ModeDecision", "Moments", "PackedMatrix", "Program", "Remark", "Targets", "Ternarized",
    "TernaryCache", "TernaryMatrix", "bf16_to_float32", "choose_mode", "compile",
    "compress_file", "find_command", "find_library",
    "float32_to_bf16", "from_onnx", "from_torch", "pack", "pack_file", "pack_ternary",
    "prune", "run",
    "save_safetensors", "ternarize", "unpack", "unpack_ternary",
    "use_calibration", "write_sfpk",
]
