# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators torch sees: torch.ops.sparseflow.linear, gated, transposed, attention.

Each has a kernel for GPUs, which launches a bundle; one for the CPU, which evaluates
the same program's reference graph with NumPy, in float32 and rounded where the
program rounds (right, and no faster than NumPy); a fake one for tracing; and a
derivative by activations, biases, queries, keys and values. Weights are bytes and have
no derivative.
"""

import numpy as np
import torch

from .. import reference
from ..dtypes import NUMPY, aligned_bytes, as_dtype
from ..errors import Error
from ..forms import TERNARY, AttentionForm, Form
from ..packing import PackedMatrix
from ..ternary import TernaryMatrix
from . import checks, launch

TORCH = {"f16": torch.float16, "bf16": torch.bfloat16}
NAMES = {dtype: name for name, dtype in TORCH.items()}

library = torch.library.Library("sparseflow", "DEF")
library.define("linear(Tensor x, Tensor packed, Tensor? bias, str form) -> Tensor")
library.define("gated(Tensor x, Tensor gate, Tensor up, str form) -> Tensor")
library.define("transposed(Tensor packed, str form) -> Tensor")
# Where q lies decides where the result does: compilers pass strides on as traced.
library.define("attention(Tensor q, Tensor k, Tensor v, bool causal, float scale)"
                " -> Tensor", tags=(torch.Tag.needs_exact_strides,))


# NumPy and torch: torch has no unsigned 16 bits to speak of, NumPy no bf16.
def to_numpy(tensor):
    """A CPU tensor's memory as NumPy holds it; bf16 as its bits."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(np.uint16)
    return tensor.numpy()


def to_torch(array, dtype):
    """An array of computed values as a tensor of `dtype`, "f16" or "bf16"."""
    held = as_dtype(array, dtype).astype(NUMPY[dtype])
    if dtype == "bf16":
        return torch.from_numpy(held.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(held)


def matrix(packed, form):
    """The PackedMatrix or TernaryMatrix of a CPU tensor of bytes."""
    blob = to_numpy(packed)
    if blob.ctypes.data % 256:
        aligned = aligned_bytes(blob.nbytes)
        aligned[:] = blob
        blob = aligned
    if form.weights == TERNARY:
        return TernaryMatrix(blob, (form.n, form.k), form.dtype, form.layout,
                             form.planes, form.scale, form.scale_dtype)
    return PackedMatrix(blob, (form.n, form.k), form.dtype)


def _weights(packed, form):
    found = matrix(packed, form)
    return found if form.weights == TERNARY else found.unpack()


# Checks that every kernel, also a fake one, begins with.
def _check(x, form, packed, bias=None):
    if x.shape[-1:] != (form.k,) or x.dtype != TORCH[form.dtype]:
        raise Error(f"expected x [..., {form.k}] of {TORCH[form.dtype]}, found "
                    f"{list(x.shape)} of {x.dtype}")
    if (bias is not None) != form.bias:
        raise Error(f"the form '{form}' and the bias do not fit one another")
    if bias is not None and (bias.shape != (form.n,) or bias.dtype != x.dtype):
        raise Error(f"expected a bias [{form.n}] of {x.dtype}, found "
                    f"{list(bias.shape)} of {bias.dtype}")
    for tensor in (*packed, *([] if bias is None else [bias])):
        if tensor.device != x.device:
            raise Error(f"x is on {x.device} and the weights or bias are on "
                        f"{tensor.device}; move one with .to()")
    for tensor in packed:
        if tensor.dtype != torch.uint8 or tensor.dim() != 1:
            raise Error("expected the bytes of packed weights, uint8 [bytes], found "
                        f"{tensor.dtype} {list(tensor.shape)}")


def _result(x, form):
    return x.new_empty((*x.shape[:-1], form.n))


def _on_cpu(function, arrays, sizes, shape):
    dtype = function["results"][0]["dtype"]
    array, = reference.evaluate(function, arrays, sizes, np.float32)
    return to_torch(array, dtype).reshape(shape)


def _matmul_cpu(form, x, weights, bias):
    shape = (*x.shape[:-1], form.n)
    if x.numel() == 0:
        return x.new_empty(shape)
    rows = to_numpy(x.reshape(-1, form.k))
    arrays = [rows, *(_weights(w, form) for w in weights),
              *([] if bias is None else [to_numpy(bias)])]
    return _on_cpu(form.function(), arrays, {"T": len(rows)}, shape)


def _matmul_gpu(text, form, x, weights, bias):
    out = _result(x, form)
    if x.numel() == 0:
        return out
    x = x.contiguous()
    bias = None if bias is None else bias.contiguous()
    if checks.due(text):
        function = launch.launcher(text, form.program, x.device)
        size = function.workspace_size([x.numel() // form.k])
        workspace = torch.empty(size, dtype=torch.uint8, device=x.device)
        return checks.launch(function, form, x, weights,
                             [_weights(w.cpu(), form) for w in weights], bias, out,
                             (workspace.data_ptr(), size), torch.cuda.current_stream(x.device))
    arguments = [x, *weights, *([] if bias is None else [bias])]
    return launch.launch(text, form.program, [x.numel() // form.k], arguments, out)


def _linear(kernel):
    def linear(x, packed, bias, form):
        parsed = Form.parse(form)
        _check(x, parsed, [packed], bias)
        return kernel(form, parsed, x, [packed], bias)
    return linear


def _gated(kernel):
    def gated(x, gate, up, form):
        parsed = Form.parse(form)
        _check(x, parsed, [gate, up])
        return kernel(form, parsed, x, [gate, up], None)
    return gated


def _transposed_cpu(packed, form):
    form = Form.parse(form)
    weights = _weights(packed, form)
    if form.weights == TERNARY:
        return to_torch(weights.values().T, form.dtype)
    if form.dtype == "bf16":
        weights = weights.view(np.int16)
    return torch.from_numpy(weights).view(TORCH[form.dtype]).t().contiguous()


# Rows of the identity that are multiplied at once: 16 MiB of f16 for K = 8192.
_IDENTITY_ROWS = 1024


def _transposed_gpu(packed, form):
    # The weights as the kernels see them: row k of the identity times w^T is column k
    # of w, exactly, since every other term of the sum is 0. (Activations of 8 bits: 1 is
    # 127 of scale 1/127.)
    form = Form.parse(form).plain()
    text, dtype = str(form), TORCH[form.dtype]
    out = torch.empty((form.k, form.n), dtype=dtype, device=packed.device)
    for begin in range(0, form.k, _IDENTITY_ROWS):
        rows = min(_IDENTITY_ROWS, form.k - begin)
        x = torch.zeros((rows, form.k), dtype=dtype, device=packed.device)
        x[:, begin:begin + rows].fill_diagonal_(1)
        launch.launch(text, form.program, [rows], [x, packed], out[begin:begin + rows])
    return out


def _swapped(q):
    """True where q [B, H, S, D] lies in memory as [B, S, H, D], as results then do."""
    return not q.is_contiguous() and q.transpose(1, 2).is_contiguous()


def _attention_form(q, k, v, causal, scale):
    if any(t.dim() != 4 for t in (q, k, v)) or q.dtype not in NAMES or \
            k.dtype != q.dtype or v.dtype != q.dtype:
        raise Error("expected q, k, v [B, H, S, D] of one type, f16 or bf16, found "
                    f"{list(q.shape)} {q.dtype}, {list(k.shape)} {k.dtype}, "
                    f"{list(v.shape)} {v.dtype}")
    if k.shape[:3] != v.shape[:3] or q.shape[0] != k.shape[0] or \
            q.shape[3] != k.shape[3] or q.shape[1] % k.shape[1]:
        raise Error(f"the sizes of q {list(q.shape)}, k {list(k.shape)} and v "
                    f"{list(v.shape)} do not fit one another")
    return AttentionForm(q.shape[1], k.shape[1], q.shape[3], v.shape[3], NAMES[q.dtype],
                         causal, scale, "bshd" if _swapped(q) else "bhsd")


def _attention_result(q, v):
    b, h, s, _ = q.shape
    if _swapped(q):
        return q.new_empty((b, s, h, v.shape[3])).transpose(1, 2)
    return q.new_empty((b, h, s, v.shape[3]))


def _attention(kernel):
    def attention(q, k, v, causal, scale):
        form = _attention_form(q, k, v, causal, scale)
        out = _attention_result(q, v)
        if out.numel() == 0:
            return out
        # In the order of memory; only what lies otherwise is copied.
        swap = (lambda t: t.transpose(1, 2)) if form.layout == "bshd" else lambda t: t
        kernel(form, [swap(t).contiguous() for t in (q, k, v)], swap(out),
               [q.shape[0], q.shape[2], k.shape[2]])
        return out
    return attention


def _attention_cpu(form, given, out, sizes):
    arrays = [to_numpy(t) for t in given]
    out.copy_(_on_cpu(form.function(), arrays, dict(zip("BQS", sizes)), out.shape))


def _attention_gpu(form, given, out, sizes):
    launch.launch(form, form.program, sizes, given, out)


library.impl("linear", _linear(lambda text, *rest: _matmul_cpu(*rest)), "CPU")
library.impl("linear", _linear(_matmul_gpu), "CUDA")
library.impl("gated", _gated(lambda text, *rest: _matmul_cpu(*rest)), "CPU")
library.impl("gated", _gated(_matmul_gpu), "CUDA")
library.impl("transposed", _transposed_cpu, "CPU")
library.impl("transposed", _transposed_gpu, "CUDA")
library.impl("attention", _attention(_attention_cpu), "CPU")
library.impl("attention", _attention(_attention_gpu), "CUDA")


def _fake(text, form, x, weights, bias):
    return _result(x, form)


torch.library.register_fake("sparseflow::linear", _linear(_fake), lib=library)
torch.library.register_fake("sparseflow::gated", _gated(_fake), lib=library)


@torch.library.register_fake("sparseflow::transposed", lib=library)
def _transposed_fake(packed, form):
    form = Form.parse(form)
    return packed.new_empty((form.k, form.n), dtype=TORCH[form.dtype])


@torch.library.register_fake("sparseflow::attention", lib=library)
def _attention_fake(q, k, v, causal, scale):
    _attention_form(q, k, v, causal, scale)
    return _attention_result(q, v)


linear = torch.ops.sparseflow.linear.default
gated = torch.ops.sparseflow.gated.default
transposed = torch.ops.sparseflow.transposed.default
attention = torch.ops.sparseflow.attention.default
_aten = torch.ops.aten

# The derivative of each activation: of (gradient, z).
_BACKWARD = {
    "none": lambda g, z: g,
    "relu": lambda g, z: g * (z > 0),
    "squared_relu": lambda g, z: g * 2 * torch.relu(z),
    "gelu": lambda g, z: _aten.gelu_backward(g, z),
    "gelu_tanh": lambda g, z: _aten.gelu_backward(g, z, approximate="tanh"),
    "silu": lambda g, z: _aten.silu_backward(g, z),
    "sigmoid": lambda g, z: _aten.sigmoid_backward(g, torch.sigmoid(z)),
    "tanh": lambda g, z: _aten.tanh_backward(g, torch.tanh(z)),
}
_FORWARD = {
    "none": lambda z: z, "relu": torch.relu, "sigmoid": torch.sigmoid,
    "squared_relu": lambda z: torch.relu(z).square(), "tanh": torch.tanh,
    "gelu": torch.nn.functional.gelu, "silu": torch.nn.functional.silu,
    "gelu_tanh": lambda z: torch.nn.functional.gelu(z, approximate="tanh"),
}


def _linear_context(ctx, inputs, output):
    x, packed, bias, form = inputs
    ctx.form = form
    ctx.save_for_backward(x, packed, bias)


def _linear_backward(ctx, grad):
    x, packed, bias = ctx.saved_tensors
    form = Form.parse(ctx.form)
    if form.activation != "none":
        # What enters the activation is computed again, and not kept.
        z = linear(x, packed, None, str(form.plain()))
        grad = _BACKWARD[form.activation](grad, z if bias is None else z + bias)
    grad_x = grad_bias = None
    if ctx.needs_input_grad[0]:
        grad_x = grad @ transposed(packed, str(form.plain())).t()
    if bias is not None and ctx.needs_input_grad[2]:
        grad_bias = grad.reshape(-1, form.n).sum(0)
    return grad_x, None, grad_bias, None


def _gated_context(ctx, inputs, output):
    x, gate, up, form = inputs
    ctx.form = form
    ctx.save_for_backward(x, gate, up)


def _gated_backward(ctx, grad):
    x, gate, up = ctx.saved_tensors
    form = Form.parse(ctx.form)
    plain = str(form.plain())
    z, u = linear(x, gate, None, plain), linear(x, up, None, plain)
    grad_up = grad * _FORWARD[form.activation](z)
    grad_gate = _BACKWARD[form.activation](grad * u, z)
    return (grad_gate @ transposed(gate, plain).t() + grad_up @ transposed(up, plain).t(),
            None, None, None)


def _attention_context(ctx, inputs, output):
    raise Error("attention has no backward here: call it under torch.no_grad(), or "
                "leave sparseflow.torch.attention() for training")


torch.library.register_autograd("sparseflow::linear", _linear_backward,
                                setup_context=_linear_context, lib=library)
torch.library.register_autograd("sparseflow::gated", _gated_backward,
                                setup_context=_gated_context, lib=library)
torch.library.register_autograd("sparseflow::attention", lambda ctx, grad: (None,) * 5,
                                setup_context=_attention_context, lib=library)
