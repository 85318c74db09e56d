# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which format each block's feed-forward weights get, by what each costs alone (torch).

The choice is that of `sparseflow model plan`: its budget, its bytes, its steps.
"""

import torch

from sparseflow.model.compression.forms import FORMS
from sparseflow.model.compression.planner import Budget, Option, Unit, choose

ROLES = ("ffn_gate", "ffn_up", "ffn_down")


def _log_probabilities(model, x, begin):
    for block in model.blocks[begin:]:
        x = model.feed_forward(model.attention(x, block), block)
    logits = model.rms_norm(x, model.norm) @ model.head.T
    return torch.log_softmax(logits, -1)


def measure(model, stream, ids, cases, compressor):
    """Units with an option for each of `cases` (name to Case). A loss is the divergence
    of the next tokens of `ids` from those of the dense model, with one block compressed.
    `stream`: the dense_stream of the calibration."""
    sizes = [model.blocks[0][role].shape for role in ROLES]
    weigh = lambda form: sum(FORMS[form].bytes(n, k, FORMS[form].scale) for n, k in sizes)
    units, x = [], model.embedding[ids]
    exact = _log_probabilities(model, x, 0)
    for index, block in enumerate(model.blocks):
        h = stream[index][0]
        dense = {role: block[role].clone() for role in ROLES}
        hidden = model.hidden(h, block)
        options = [Option("dense", 0.0, weigh("dense"), 0.0)]
        for name, case in cases.items():
            compressor(case, {role: block[role] for role in ROLES[:2]}, h)
            compressor(case, {"ffn_down": block["ffn_down"]}, hidden)
            now = _log_probabilities(model, x, index)
            loss = (exact.exp() * (exact - now)).sum(-1).mean().item()
            options.append(Option(name, max(0.0, loss), weigh(name), 0.0))
            for role in ROLES:
                block[role].copy_(dense[role])
        print(f"block {index}:", {o.format: round(o.loss, 5) for o in options}, flush=True)
        units.append(Unit(index, "ffn", list(ROLES), options))
        x = model.feed_forward(model.attention(x, block), block)
    return units


def choices(units, share):
    """The name of a format for each block, so that `share` of the bytes are left."""
    return [option.format for option in choose(units, Budget("bytes", share))]


def share(units, chosen):
    """Of the bytes."""
    now = sum(next(o.bytes for o in unit.options if o.format == name)
              for unit, name in zip(units, chosen))
    return now / sum(unit.options[0].bytes for unit in units)
