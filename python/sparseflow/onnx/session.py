# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions of ONNX Runtime that can call bundles."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from .. import native
from ..errors import Error, checked

_NAME = "libsparseflow_onnxruntime.so"


@checked
def library_path() -> str:
    """The library of operators: what SPARSEFLOW_ONNXRUNTIME names, or the one beside this
    package, or in the `lib` folder beside the one of the sparseflow command."""
    named = os.environ.get("SPARSEFLOW_ONNXRUNTIME")
    packaged = os.path.join(os.path.dirname(os.path.dirname(__file__)), _NAME)
    found = named or (packaged if os.path.exists(packaged) else
                      native.find_beside_command(_NAME))
    if not found:
        raise Error(f"{_NAME} is not there: put the folder of the sparseflow command on "
                    "PATH, or name the library in SPARSEFLOW_ONNXRUNTIME")
    return found


@checked
def session_options(model: Optional[Union[str, "os.PathLike[str]"]] = None,
                    bundles: Optional[Union[str, "os.PathLike[str]"]] = None,
                    device: str = "auto", options: Any = None) -> Any:
    """onnxruntime.SessionOptions (`options`, or new ones) with the operators.

    `bundles`: the folder that convert made; unless told, the path of the `model` with
    .bundles behind it. `device`: "cpu", "gpu", "gpu:NUMBER", or "auto", the GPU where one
    answers.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise Error(f"ONNX Runtime is not there: {error}; install the Python package "
                    "onnxruntime") from None
    if bundles is None:
        if model is None:
            raise Error("expected the path of a model, or of its folder of bundles")
        bundles = f"{os.fspath(model)}.bundles"
    options = options if options is not None else onnxruntime.SessionOptions()
    options.add_session_config_entry("sparseflow.bundles", os.fspath(bundles))
    options.add_session_config_entry("sparseflow.device", device)
    options.register_custom_ops_library(library_path())
    return options
