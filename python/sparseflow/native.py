# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libsparseflow_rt.so through ctypes: prototypes and errors of the C interface."""

from __future__ import annotations

import ctypes
import os
import shutil
import threading
from typing import Any, Callable, Optional

from .errors import Error

_SONAME = "libsparseflow_rt.so.0"
_lock = threading.Lock()
_library: Any = None

c_int64_p = ctypes.POINTER(ctypes.c_int64)


class Tensor(ctypes.Structure):
    """sf_tensor."""
    _fields_ = [("data", ctypes.c_uint64), ("dims", c_int64_p),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int),
                ("bytes", ctypes.c_uint64)]


class AttentionOperands(ctypes.Structure):
    """sf_attention_operands."""
    _fields_ = [("arguments", ctypes.POINTER(Tensor)), ("argument_count", ctypes.c_size_t),
                ("results", ctypes.POINTER(Tensor)), ("result_count", ctypes.c_size_t)]


class Call(ctypes.Structure):
    """sf_call."""
    _fields_ = [("arguments", ctypes.POINTER(Tensor)), ("results", ctypes.POINTER(Tensor)),
                ("workspace", ctypes.c_uint64), ("workspace_bytes", ctypes.c_uint64)]


class Section(ctypes.Structure):
    """sf_section."""
    _fields_ = [("name", ctypes.c_char_p), ("layout", ctypes.c_char_p),
                ("kind", ctypes.c_int), ("dtype", ctypes.c_int),
                ("rank", ctypes.c_int), ("dims", ctypes.c_int64 * 8),
                ("offset", ctypes.c_uint64), ("bytes", ctypes.c_uint64),
                ("crc32c", ctypes.c_uint32)]


class PackOptions(ctypes.Structure):
    """sf_pack_options."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("flags", ctypes.c_uint), ("threads", ctypes.c_int)]


class PackReport(ctypes.Structure):
    """sf_pack_report."""
    _fields_ = [("nonzeros", ctypes.c_int64), ("kept_nonzeros", ctypes.c_int64),
                ("energy", ctypes.c_double), ("kept_energy", ctypes.c_double)]


class TernaryFormat(ctypes.Structure):
    """sf_ternary_format."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("n", ctypes.c_int64),
                ("k", ctypes.c_int64), ("layout", ctypes.c_int),
                ("planes", ctypes.c_int), ("scale_columns", ctypes.c_int64),
                ("scale_type", ctypes.c_int)]


class TernaryReport(ctypes.Structure):
    """sf_ternary_report."""
    _fields_ = [("relative_error", ctypes.c_double),
                ("weighted_relative_error", ctypes.c_double),
                ("snr_db", ctypes.c_double), ("zero_share", ctypes.c_double),
                ("bits_per_weight", ctypes.c_double)]


class GgufTensor(ctypes.Structure):
    """sf_gguf_tensor."""
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_uint32),
                ("rank", ctypes.c_int), ("dims", ctypes.c_int64 * 8),
                ("bytes", ctypes.c_uint64), ("is_ternary", ctypes.c_int)]


class CacheFormat(ctypes.Structure):
    """sf_cache_format."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("values", ctypes.c_int),
                ("bits", ctypes.c_int), ("features", ctypes.c_int64),
                ("scale_features", ctypes.c_int64),
                ("scale_type", ctypes.c_int)]


# sf_verdict_callback: of the user's pointer, a buffer of text and its bytes.
Verdict = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

_p, _s, _i, _z = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int,
                  ctypes.c_size_t)
_i64, _u64 = ctypes.c_int64, ctypes.c_uint64
_ref = ctypes.POINTER
# Result and arguments; a result of None is an sf_status, which is checked.
_FUNCTIONS: Any = {
    "sf_last_error": (_s,),
    "sf_pack24_size": (None, _i64, _i64, _ref(_z), _ref(_z)),
    "sf_pack24": (None, _p, _i64, _i64, _i, _ref(PackOptions), _p, _z,
                  _ref(PackReport)),
    "sf_prune24": (None, _p, _i64, _i64, _i, _ref(PackOptions),
                   _ref(PackReport)),
    "sf_validate24": (None, _p, _z, _i64, _i64, _i),
    "sf_unpack24": (None, _p, _z, _i64, _i64, _i, _p, _z),
    "sf_ternary_layout_name": (_s, _i),
    "sf_ternary_size": (None, _ref(TernaryFormat), _ref(_z), _ref(_z), _ref(_z)),
    "sf_ternary_pack": (None, _p, _p, _ref(TernaryFormat), _s, _i, _p, _z),
    "sf_ternary_unpack": (None, _p, _z, _ref(TernaryFormat), _s, _i, _p, _p),
    "sf_ternarize": (None, _p, _i, _ref(TernaryFormat), _i, _p, _s, _i, _p, _p,
                     _ref(TernaryReport)),
    "sf_ternarize_threshold": (None, _p, _i, _ref(TernaryFormat), ctypes.c_double, _p,
                               _s, _i, _p, _p, _ref(TernaryReport)),
    "sf_cache_size": (None, _ref(CacheFormat), _i64, _i64, _ref(_u64), _ref(_u64),
                      _ref(_u64)),
    "sf_cache_pack": (None, _p, _p, _ref(CacheFormat), _i64, _i64, _s, _p, _u64),
    "sf_cache_unpack": (None, _p, _u64, _ref(CacheFormat), _i64, _i64, _s, _p, _p),
    "sf_cache_append": (None, _p, _u64, _ref(CacheFormat), _i64, _i64, _p, _i64,
                        c_int64_p, _i),
    "sf_attention_choose_mode": (None, _p, _ref(_i), _p, _p, _z),
    "sf_attention_launch": (None, _ref(_p), _p, _ref(AttentionOperands), _u64, _u64, _p,
                            _ref(_i)),
    "sf_container_open": (None, _s, _ref(_p)),
    "sf_container_close": ("void", _p),
    "sf_container_count": (_z, _p),
    "sf_container_section": (None, _p, _z, _ref(Section)),
    "sf_container_find": (None, _p, _s, _ref(_z), _ref(Section)),
    "sf_container_read": (None, _p, _z, _i, _p, _z),
    "sf_container_create": (None, _s, _ref(Section), _z, _ref(_p)),
    "sf_container_write": (None, _p, _p, _u64),
    "sf_container_commit": (None, _p),
    "sf_container_writer_close": ("void", _p),
    "sf_gguf_open": (None, _s, ctypes.c_uint, _ref(_p)),
    "sf_gguf_close": ("void", _p),
    "sf_gguf_count": (_z, _p),
    "sf_gguf_describe": (None, _p, _z, _ref(GgufTensor), _ref(TernaryFormat)),
    "sf_gguf_read_ternary": (None, _p, _z, _i, _p, _p),
    "sf_context_create": (None, _i, _ref(_p)),
    "sf_context_adopt_current": (None, _ref(_p)),
    "sf_context_destroy": ("void", _p),
    "sf_context_check_pointers": (None, _p, _i),
    "sf_context_capability": (None, _p, _ref(_i), _ref(_i)),
    "sf_context_device_name": (None, _p, _p, _z),
    "sf_bundle_load": (None, _p, _s, _ref(_p)),
    "sf_bundle_destroy": ("void", _p),
    "sf_bundle_function": (None, _p, _s, _ref(_p)),
    "sf_function_target": (None, _p, _ref(_s)),
    "sf_function_prepare": (None, _p),
    "sf_function_workspace_size": (None, _p, _ref(_i64), _z, _ref(_u64)),
    "sf_function_dense_source": (_i, _p, _z),
    "sf_function_set_dense_weight": (None, _p, _z, _u64, _u64, _u64),
    "sf_function_rebuild_dense_weights": (None, _p, _ref(Tensor), _z, _p),
    "sf_function_dense_bytes": (None, _p, _ref(_u64), _ref(_u64)),
    "sf_function_launch": (None, _p, _ref(Tensor), _z, _ref(Tensor), _z, _u64,
                           _u64, _p),
    "sf_function_check": (None, _p, _ref(Tensor), _z, _ref(Tensor), _z, _u64, _u64, _p,
                          Verdict, _p),
    "sf_function_tune_calls": (None, _p, _ref(Call), _z, _z, _z, _p, _i),
    "sf_function_graph": (None, _p, _ref(Tensor), _z, _ref(Tensor), _z, _u64, _u64,
                          _ref(_p)),
    "sf_graph_update": (None, _p, _ref(Tensor), _z, _ref(Tensor), _z, _u64, _u64),
    "sf_graph_launch": (None, _p, _p),
    "sf_graph_destroy": ("void", _p),
}


def command_path() -> Optional[str]:
    """The sparseflow command: SPARSEFLOW_COMMAND, the one that a wheel carries, or from
    PATH; None where there is none."""
    named = os.environ.get("SPARSEFLOW_COMMAND")
    if named:
        return named
    packaged = os.path.join(os.path.dirname(__file__), "bin", "sparseflow")
    return packaged if os.path.exists(packaged) else shutil.which("sparseflow")


def find_beside_command(name: str) -> Optional[str]:
    """The library `name` in the `lib` folder beside the one of the sparseflow command;
    None where there is none."""
    command = command_path()
    if command:
        root = os.path.dirname(os.path.dirname(os.path.realpath(command)))
        for folder in ("lib", "lib64", "lib/x86_64-linux-gnu"):
            place = os.path.join(root, folder, name)
            if os.path.exists(place):
                return place
    return None


def find_library() -> str:
    """The path of libsparseflow_rt.so that will be loaded.

    SPARSEFLOW_RT names it; else it is looked for beside this package, in the
    `lib` folder beside the one of the `sparseflow` command, and where the system's
    loader looks.
    """
    named = os.environ.get("SPARSEFLOW_RT")
    if named:
        return named
    packaged = os.path.join(os.path.dirname(__file__), _SONAME)
    if os.path.exists(packaged):
        return packaged
    return find_beside_command(_SONAME) or _SONAME


def _checked(library: Any, name: str) -> Callable[..., int]:
    def check(status: int, function: Any, arguments: Any) -> int:
        if status:
            text = library.sf_last_error().decode(errors="replace")
            raise Error(text or f"{name} failed with status {status}", status,
                        "library")
        return status
    return check


def library() -> Any:
    """The loaded library. Thread-safe; calls release Python's lock."""
    global _library
    with _lock:
        if _library is None:
            path = find_library()
            try:
                loaded = ctypes.CDLL(path)
            except OSError as error:
                raise Error(
                    f"cannot load {path}: {error}; set SPARSEFLOW_RT to the path "
                    "of libsparseflow_rt.so, or put the folder of the sparseflow "
                    "command on PATH") from None
            for name, (result, *arguments) in _FUNCTIONS.items():
                function = getattr(loaded, name, None)
                if function is None:
                    raise Error(f"{path} has no function {name}: it is of another "
                                "version than this package; set SPARSEFLOW_RT to the "
                                "library that was built with it")
                function.argtypes = arguments
                if result is None:
                    function.restype = ctypes.c_int
                    function.errcheck = _checked(loaded, name)
                else:
                    function.restype = None if result == "void" else result
            _library = loaded
        return _library
