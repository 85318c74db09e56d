# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of layers on a GPU whose results are compared with float64: the first of each form,
or every so many.

Some rows of a result are computed again on the CPU. Where they are wrong the call runs with
the other variants of its kernels, and the wrong ones are quarantined (sf_function_check).
"""

import collections
import os
import threading
import warnings

import numpy as np
import torch

from .. import reference
from ..dtypes import to_float
from ..errors import Error

_lock = threading.Lock()
_calls = collections.Counter()
_rows = 4
_every = 0


def sampled_checks(every=0, rows=4):
    """From now on the first call of each form of layer, and with a number as `every` each
    such call after it, is checked: `rows` rows of its result against float64. `every`:
    "load" for the first call alone, 0 for none.

    A checked call waits for the GPU, and computes its rows with NumPy. Replays of CUDA
    graphs are not calls. The environment variable SPARSEFLOW_CHECK says `every` before the
    first call.
    """
    global _every, _rows
    text = str(every)
    if text != "load" and not text.isdigit():
        raise Error(f"expected \"load\" or a number of calls, found '{every}'")
    if rows < 1:
        raise Error(f"expected at least one row to check, found {rows}")
    with _lock:
        _calls.clear()
        _every, _rows = text if text == "load" else int(text), rows


def due(key):
    """Whether this call is one to check."""
    if not _every:
        return False
    if torch.cuda.is_available() and torch.cuda.is_current_stream_capturing():
        return False
    with _lock:
        number = _calls[key]
        _calls[key] += 1
    return number == 0 or _every != "load" and number % _every == 0


def _bits(tensor):
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(np.uint16)
    return tensor.numpy()


def verdict(form, x, weights, bias, out):
    """Why sampled rows of out [T, N] are wrong, "" where they are right: for x [T, K], with
    `weights` as reference graphs take them."""
    tokens, last = x.shape[0], x.shape[0] - 1
    chosen = sorted({0, last, *(last * i // max(_rows - 1, 1) for i in range(_rows))})[:_rows]
    places = torch.tensor(chosen, device=x.device)
    arrays = [_bits(x[places]), *weights, *([] if bias is None else [_bits(bias)])]
    exact, plain = (reference.evaluate(form.function(), arrays, {"T": len(chosen)}, kind)[0]
                    .astype(np.float64) for kind in (np.float64, np.float32))
    found = to_float(_bits(out[places]), form.dtype, np.float64)
    # Twice what simple code is off, and what tensor cores drop of longer sums.
    size = np.abs(exact).max(initial=0, where=np.isfinite(exact))
    off = np.abs(plain - exact)
    allowed = 2 * off.max(initial=0, where=np.isfinite(off)) + \
        (1 + form.k / 512) * {"f16": 2.0 ** -10, "bf16": 2.0 ** -7}[form.dtype] * size
    same = np.isnan(exact) & np.isnan(found) | (found == exact)
    with np.errstate(invalid="ignore"):
        wrong = ~(same | (np.abs(found - exact) <= allowed) | ~np.isfinite(exact))
    if not wrong.any():
        return ""
    row, column = np.argwhere(wrong)[0]
    return (f"{int(wrong.sum())} of {wrong.size} sampled elements are wrong, the first at "
            f"[{chosen[row]}, {column}] of {tokens} tokens: found {found[row, column]}, expected "
            f"{exact[row, column]} within {allowed:.3g}")


def launch(launcher, form, x, packed, weights, bias, out, workspace, stream):
    """The call, checked. A wrong kernel that another one replaces is a warning."""
    rows, results = x.reshape(-1, form.k), out.view(-1, form.n)
    arguments = [rows, *packed, *([] if bias is None else [bias])]
    found = launcher.function.check(
        arguments, [results], lambda: verdict(form, rows, weights, bias, results),
        workspace, stream)
    if found:
        warnings.warn(f"a kernel of '{form}' was wrong, is quarantined, and another one runs: "
                      f"{found}", RuntimeWarning, stacklevel=3)
    return out


sampled_checks(os.environ.get("SPARSEFLOW_CHECK") or 0)
