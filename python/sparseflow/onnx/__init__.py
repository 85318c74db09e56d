# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models with packed weights: convert files, and run them in ONNX Runtime.

    from sparseflow import onnx
    onnx.convert("model.onnx", "sparse.onnx")
    session = onnxruntime.InferenceSession("sparse.onnx", onnx.session_options("sparse.onnx"))
"""

from .convert import Decision, Report, convert
from .session import library_path, session_options

__all__ = ["Decision", "Report", "convert", "library_path", "session_options"]
