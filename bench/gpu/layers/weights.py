"""Weights and activations of the sweep on a GPU: packed by the runtime, and their values
in float64 for the check."""

import numpy as np

from layers import cases


def torch_type(torch, name):
    return {"f16": torch.float16, "bf16": torch.bfloat16}[name]


def _two_of_four(torch, shape, generator):
    """A mask that keeps two of every four adjacent columns, and no more."""
    n, k = shape
    order = torch.rand((n, k // 4, 4), device="cuda", generator=generator)
    return order.argsort(-1).lt(2).reshape(n, k)


class Weights:
    """The weight of one program: `blob` (as a launch takes it, uint8 where it is packed)
    and `values` (float64, [N, K])."""

    def __init__(self, torch, sf, program, seed):
        kind = program.described
        generator = torch.Generator("cuda").manual_seed(seed)
        make = (self._dense if kind.dense else
                self._ternary if kind.storage else self._sparse)
        make(torch, sf, kind, (program.n, program.k), generator)

    def _dense(self, torch, _sf, kind, shape, generator):
        self.blob = torch.randn(shape, device="cuda", generator=generator).to(
            torch_type(torch, kind.type))
        self.values = self.blob.double()

    def _sparse(self, torch, sf, kind, shape, generator):
        dense = torch.randn(shape, device="cuda", generator=generator)
        dense *= _two_of_four(torch, shape, generator)
        dense = dense.to(torch_type(torch, kind.type))
        packed = sf.pack(dense.float().cpu().numpy(), kind.type, prune=False)
        self.blob = torch.from_numpy(packed.blob).cuda()
        self.values = dense.double()

    def _ternary(self, torch, sf, kind, shape, generator):
        n, k = shape
        trits = torch.randint(-1, 2, (kind.planes, n, k), device="cuda",
                              dtype=torch.int8, generator=generator)
        if kind.storage == "two_four":
            signs = torch.randint(0, 2, (n, k), device="cuda", dtype=torch.int8,
                                  generator=generator) * 2 - 1
            trits[0] = signs * _two_of_four(torch, shape, generator)
        groups = -(-k // kind.columns) if kind.columns else 1
        # 11 bits, so that trit times scale is exact in f16.
        scales = torch.randint(512, 1024, (kind.planes, groups, n), device="cuda",
                               generator=generator).float() * 2.0 ** -15
        if kind.planes > 1:
            scales[1] *= 0.25
        layout = {"codes": "tern.v1", "two_four": "tern24.v1"}[kind.storage]
        matrix = sf.TernaryMatrix.pack(
            trits.cpu().numpy(),
            (scales if kind.columns else scales[:, 0]).cpu().numpy(),
            dtype=kind.type, layout=layout, scale=kind.columns or "row")
        self.blob = torch.from_numpy(matrix.blob).cuda()
        self.values = torch.zeros(shape, dtype=torch.float64, device="cuda")
        for plane in range(kind.planes):
            spread = scales[plane].t().repeat_interleave(kind.columns or k, 1)[:, :k]
            self.values += trits[plane].double() * spread.double()


def quantized(torch, x):
    """The values that 8-bit activations stand for, by the rule of sparseflow.quantize."""
    largest = x.float().abs().amax(-1, keepdim=True).clamp_min(1e-5)
    # By tensors: torch multiplies by the reciprocal where a side is a number.
    top = torch.full_like(largest, 127)
    values = (x.float() * torch.div(top, largest)).round().clamp(-127, 127)
    return values.double() * torch.div(largest, top).double()


class Expected:
    """What a program computes for any number of tokens: rows do not depend on each other,
    so one product in float64 serves all."""

    def __init__(self, torch, program, weights, x):
        kind = program.described
        self.torch = torch
        self.plain_type = torch_type(torch, kind.type)
        read = quantized(torch, x) if kind.int8 else x.double()
        self.exact = read @ weights.values.t()
        # What plain arithmetic of this type makes of it: the dequantized operands.
        plain = (x @ weights.values.t().to(self.plain_type)).double()
        reference = x.double() @ weights.values.to(self.plain_type).double().t()
        self.plain_error = self._relative(plain, reference)
        self.plain_worst = ((plain - reference).abs().amax() /
                            reference.abs().amax()).item()

    @staticmethod
    def _relative(found, exact):
        return ((found - exact).norm() / exact.norm()).item()

    def check(self, y):
        """(right, relative error): at most twice that of plain arithmetic and a floor."""
        exact = self.exact[:y.shape[0]]
        found = y.double()
        relative = self._relative(found, exact)
        worst = ((found - exact).abs().amax() / self.exact.abs().amax()).item()
        floor = 2e-4 if self.plain_type == self.torch.float16 else 1.6e-3
        # Comparisons with NaN fail.
        right = (relative <= 2 * self.plain_error + floor and
                 worst <= 2 * self.plain_worst + floor)
        return bool(right), relative if np.isfinite(relative) else None
