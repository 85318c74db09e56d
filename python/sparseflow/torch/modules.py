# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of packed weights, in place of torch.nn.Linear."""

import ctypes

import numpy as np
import torch
from torch import nn

from .. import native
from ..errors import Error
from ..forms import TERNARY, TWO_FOUR, Form
from ..packing import pack
from ..ternary import TernaryMatrix, pack_ternary
from . import ops

_ACTIVATION_FORMS = ("i8", "f16")


def dtype_name(dtype):
    """"f16" or "bf16" of a torch type."""
    if dtype not in ops.NAMES:
        raise Error("expected a layer of torch.float16 or torch.bfloat16, found "
                    f"{dtype}; name one of them as dtype")
    return ops.NAMES[dtype]


def packed_bytes(form):
    """How many bytes a matrix of this form has."""
    library, size = native.library(), ctypes.c_size_t()
    if form.weights == TERNARY:
        empty = TernaryMatrix(None, (form.n, form.k), form.dtype, form.layout, form.planes,
                              form.scale, form.scale_dtype)
        library.sf_ternary_size(empty._format(), size, None, None)
    else:
        library.sf_pack24_size(form.n, form.k, size, None)
    return size.value


def _from_blob(matrix, device):
    return torch.from_numpy(matrix.blob).to(device, copy=True)


def _with_scales_of_zero(trits, form):
    """Packed trits, whatever shares a scale."""
    groups = -(-form.k // form.scale) if isinstance(form.scale, int) else 1
    count = form.planes * groups * (1 if form.scale == "tensor" else form.n)
    return TernaryMatrix.pack(trits, np.zeros(count, np.float32), form.dtype, form.layout,
                              form.scale, form.scale_dtype)


def autocast_dtype(device):
    """What autocast computes in on a device; None where it is off."""
    kind = device.type
    if kind in ("cpu", "cuda") and torch.is_autocast_enabled(kind):
        return torch.get_autocast_dtype(kind)
    return None


def compute(x, form, call):
    """Calls an operator in its type, and returns what torch.nn.Linear would: x's type,
    or under autocast the type that autocast computes in."""
    if not x.is_floating_point():
        raise Error(f"expected an x of floats, found {x.dtype}")
    dtype = autocast_dtype(x.device) or x.dtype
    return call(x.to(ops.TORCH[form.dtype])).to(dtype)


class _Packed(nn.Module):
    """What the layers share: a form, a buffer of bytes for each matrix, and the form
    beside them in state dicts, so that bytes of another form are refused."""

    def __init__(self, form, names, device=None):
        super().__init__()
        self.form, self._names = form, tuple(names)
        # What converting lost, by name; of this object, not of the weights.
        self.report = {}
        size = packed_bytes(form)
        for name in names:
            self.register_buffer(name, torch.zeros(size, dtype=torch.uint8, device=device))

    @property
    def in_features(self):
        return self.form.k

    @property
    def out_features(self):
        return self.form.n

    @property
    def dtype(self):
        """What the layer computes in, torch.float16 or torch.bfloat16."""
        return ops.TORCH[self.form.dtype]

    def get_extra_state(self):
        # A tensor, since files of tensors hold nothing else.
        return torch.frombuffer(bytearray(str(self.form).encode()), dtype=torch.uint8)

    def set_extra_state(self, state):
        found = bytes(state.tolist()).decode(errors="replace")
        if found != str(self.form):
            raise Error(f"expected the state of a layer '{self.form}', found one of "
                        f"'{found}'; build the layer with the same arguments")

    def programs(self):
        """(key, function that makes it) of each program that calls launch."""
        return [(str(self.form), self.form.program)]

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, {self.form}"


class PackedLinear(_Packed):
    """y = activation(x w^T + bias) of packed weights, which are not trained.

    `packed`: the bytes, a buffer. `bias`: a parameter without gradient, or None. x may
    be of any float type; it is rounded to the layer's `dtype`, and y to x's. A
    gradient flows through x (and the bias, if it asks for one): the backward pass
    makes the dense weights again, N K elements, for as long as it lasts.
    """

    def __init__(self, form, bias, device=None):
        super().__init__(form, ["packed"], device)
        self.bias = nn.Parameter(
            torch.zeros(form.n, dtype=self.dtype, device=device),
            requires_grad=False) if bias else None

    def forward(self, x):
        def call(x):
            bias = self.bias
            if bias is not None and bias.dtype != x.dtype:
                bias = bias.to(x.dtype)
            return ops.linear(x, self.packed, bias, str(self.form))
        return compute(x, self.form, call)

    def to_dense(self):
        """The weights [N, K] that the bytes stand for."""
        return ops.transposed(self.packed, str(self.form.plain())).t().contiguous()

    def _fill(self, matrix, bias):
        device = self.packed.device
        self.packed = _from_blob(matrix, device)
        if bias is not None:
            with torch.no_grad():
                self.bias.copy_(bias)
        return self


def _source(linear, device):
    """A linear layer's weights and where the converted layer goes."""
    weight = linear.weight.detach()
    if weight.is_meta:
        raise Error("the weights are on the device meta: load them first")
    return weight, device or weight.device


class SparseLinear(PackedLinear):
    """torch.nn.Linear of 2:4 weights: of every four along K, two are kept.

    A new layer's weights are all zero; load_state_dict or from_linear gives it others.
    """

    def __init__(self, in_features, out_features, bias=True, device=None,
                 dtype=torch.float16, activation="none"):
        form = Form("linear", TWO_FOUR, out_features, in_features, dtype_name(dtype),
                    bool(bias), activation or "none")
        super().__init__(form, bias, device)
        if self.packed.device.type != "meta":
            self._fill(pack(torch.zeros(out_features, in_features), form.dtype), None)

    @classmethod
    def from_linear(cls, linear, dtype=None, activation="none", prune=True, name="weight"):
        """Packs the weights of a torch.nn.Linear; without `prune` they must be 2:4.

        `dtype`: that of the weights, or f16 for float32. `report`: kept_energy, of the
        sum of squares.
        """
        weight, device = _source(linear, None)
        return cls.from_dense(weight, linear.bias, dtype, activation, prune, name, device)

    @classmethod
    def from_dense(cls, weight, bias=None, dtype=None, activation="none", prune=True,
                   name="weight", device=None):
        """The same for a matrix [N, K] and a bias [N] or None."""
        dtype = dtype or (weight.dtype if weight.dtype in ops.NAMES else torch.float16)
        matrix = pack(weight.detach().float().cpu().numpy(), dtype_name(dtype), prune, name)
        layer = cls(weight.shape[1], weight.shape[0], bias is not None, "meta", dtype,
                    activation).to_empty(device=device or weight.device)
        layer._fill(matrix, bias)
        energy = matrix.report["energy"]
        layer.report = {"kept_energy": matrix.report["kept_energy"] / energy if energy
                        else 1.0}
        return layer


class TernaryLinear(PackedLinear):
    """torch.nn.Linear of ternary weights, with activations of 8 bits or as they are.

    `layout`: "tern.v1", or "tern24.v1" for exactly two of every four. `scale`: what
    shares one, "tensor", "row" or 32, 64, 128 or 256 columns. `activations`: "i8"
    rounds x to 8 bits with a scale for each token, and sums are exact; "f16" multiplies
    them as they are. A new layer's scales are zero.
    """

    def __init__(self, in_features, out_features, bias=True, device=None,
                 dtype=torch.bfloat16, activation="none", layout="tern.v1", scale="row",
                 scale_dtype="f32", planes=1, activations="i8"):
        if activations not in _ACTIVATION_FORMS:
            raise Error(f"expected activations of {', '.join(_ACTIVATION_FORMS)}, found "
                        f"{activations}")
        form = Form("linear", TERNARY, out_features, in_features, dtype_name(dtype),
                    bool(bias), activation or "none", layout, scale, scale_dtype, planes,
                    activations == "i8")
        super().__init__(form, bias, device)
        if self.packed.device.type != "meta":
            trits = np.zeros((planes, out_features, in_features), np.int8)
            if layout == "tern24.v1":
                trits[..., 0::4] = trits[..., 1::4] = 1
            self._fill(_with_scales_of_zero(trits, form), None)

    @classmethod
    def from_linear(cls, linear, dtype=None, activation="none", method="lloyd",
                    name="weight", **form):
        """Ternarizes the weights of a torch.nn.Linear: `method` "lloyd" (least squared
        error), "twn", or "absmean" for weights that were trained with it. `form`: more
        arguments of TernaryLinear. `report`: relative_error of the weights."""
        weight, device = _source(linear, None)
        return cls.from_dense(weight, linear.bias, dtype, activation, method, name, device,
                              **form)

    @classmethod
    def from_dense(cls, weight, bias=None, dtype=None, activation="none", method="lloyd",
                   name="weight", device=None, **form):
        """The same for a matrix [N, K] and a bias [N] or None."""
        dtype = dtype or (weight.dtype if weight.dtype in ops.NAMES else torch.bfloat16)
        layer = cls(weight.shape[1], weight.shape[0], bias is not None, "meta", dtype,
                    activation, **form)
        f = layer.form
        matrix = pack_ternary(weight.detach().float().cpu().numpy(), f.dtype, f.layout,
                              f.scale, f.scale_dtype, f.planes, method, name=name)
        layer = layer.to_empty(device=device or weight.device)._fill(matrix, bias)
        layer.report = {"relative_error": matrix.report["relative_error"]}
        return layer
