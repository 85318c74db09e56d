# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Hadamard rotations, as `sparseflow rotate` makes them (torch)."""

import torch


def _is_prime(p):
    return p > 2 and all(p % d for d in range(2, int(p ** 0.5) + 1))


def _paley(order):
    """Paley's matrix of the first or second kind, or None where it has no such order."""
    for kind, p in ((1, order - 1), (2, order // 2 - 1)):
        if not _is_prime(p) or p % 4 != (3 if kind == 1 else 1):
            continue
        squares = {i * i % p for i in range(1, p)}
        core = torch.tensor([[0.0 if i == j else 1.0 if (i - j) % p in squares else -1.0
                              for j in range(p)] for i in range(p)])
        s = torch.zeros(p + 1, p + 1)
        s[1:, 1:] = core
        s[0, 1:] = 1
        s[1:, 0] = -1 if kind == 1 else 1
        if kind == 1:
            return s + torch.eye(p + 1)
        return (torch.kron(s, torch.tensor([[1.0, 1.0], [1.0, -1.0]]))
                + torch.kron(torch.eye(p + 1), torch.tensor([[1.0, -1.0], [-1.0, -1.0]])))
    return None


def rotation(order, seed=1):
    """A Hadamard matrix of `order` over its root, times random signs: orthogonal."""
    power, whole = order & -order, None
    while whole is None and power:
        rest = order // power
        whole = torch.ones(1, 1) if rest == 1 else _paley(rest) if rest % 4 == 0 else None
        power //= 2
    if whole is None:
        raise ValueError(f"expected an order with a Hadamard matrix of Sylvester and "
                         f"Paley, found {order}")
    while len(whole) < order:
        whole = torch.kron(whole, torch.tensor([[1.0, 1.0], [1.0, -1.0]]))
    signs = torch.randint(0, 2, (order,), generator=torch.Generator().manual_seed(seed))
    return whole * (2 * signs - 1) / order ** 0.5
