# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that data decide: which is outside of what it reads, and what argument holds it."""

import numpy as np

from ..errors import Error

# Whole numbers up to it are exact in float32, in which plain evaluations are.
_EXACT = 1 << 24
# What hands a number on as it is.
_COPIES = ("extf", "truncf", "trunc", "select")


def check_indices(graph, step, values, loops, place=()):
    """Raises Error where a region of `step`, whose `values` have just been evaluated for
    all of `loops` and for `place` of the reduced ones, reads outside of a tensor."""
    region = step["region"]
    inputs = len(values) - len(region["ops"])
    yields = [region["yield"], *(more["yield"] for more in step.get("more", []))]
    used = _used(region["ops"], inputs, values, yields)
    found = None
    for check in region["checked"]:
        load = region["ops"][check["load"] - inputs]
        size = graph.values[load[1]].shape[check["dim"]]
        if not graph.exact and size > _EXACT:
            continue
        index = np.asarray(values[check["index"]])
        bad = ~((index >= 0) & (index < size)) & used[check["load"]]
        bad = np.argwhere(np.broadcast_to(bad, loops))
        if len(bad) and (found is None or tuple(bad[0]) < found[0]):
            found = tuple(bad[0]), check["index"], size
    if not found:
        return
    element, wanted, size = found
    number = _at(values[wanted], loops, element)
    source, copied = _source_of(step, values, loops, element, place, wanted)
    holder, copied = _follow(graph, source, copied)
    behind = f", expected 0 to {size - 1}" if size else ", but what it indexes is empty"
    if holder is None:
        raise Error(f"the function computes the index {number:.17g}{behind}")
    value, at = holder
    name = graph.function["arguments"][value].get("name")
    held = np.asarray(graph.arrays[value])[at]
    raise Error(f"argument {value}" + (f" ('{name}')" if name else "") +
                f" holds {held.item() if held.dtype.kind in 'iub' else f'{held:.17g}'} at "
                f"{list(map(int, at))}" +
                ("" if copied else f", from which the function computes the index {number:.17g}") +
                behind)


def _at(value, loops, element):
    return np.broadcast_to(np.asarray(value), loops)[element]


def _used(ops, inputs, values, yields):
    """For each value where it decides what is yielded: of a select what it takes."""
    used = [np.False_] * len(values)
    for number in yields:
        used[number] = np.True_
    for number in reversed(range(len(ops))):
        name, *operands = ops[number]
        own = used[inputs + number]
        if name == "select":
            first = np.asarray(values[operands[0]]) != 0
            for operand, part in zip(operands[1:], (own & first, own & ~first)):
                used[operand] = used[operand] | part
        else:
            for operand in _operands(name, operands):
                used[operand] = used[operand] | own
    return used


def _operands(name, operands):
    """Those that are values."""
    if name in ("const", "index", "size"):
        return []
    if name in ("cmpf", "load"):
        return operands[1:]
    return operands[:1] if name == "truncf" else operands


def _source_of(step, values, loops, element, place, wanted):
    """The one element (value, place) that decides value `wanted`, or None, and whether it
    is that value as it is."""
    ops = step["region"]["ops"]
    inputs = len(values) - len(ops)
    running = 1 + len(step.get("more", [])) if "reduced" in step else 0
    at = (*element, *place)
    seen, pending, sources, copied = set(), [wanted], [], True
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        if number < running:
            sources.append(None)
        elif number < inputs:
            given = step["inputs"][number - running]
            sources.append((given["value"], tuple(at[d] for d in given["dims"])))
        else:
            name, *operands = ops[number - inputs]
            if name == "select":
                is_first = _at(values[operands[0]], loops, element) != 0
                pending.append(operands[1 if is_first else 2])
                continue
            if name == "load":
                sources.append((operands[0], tuple(
                    int(_at(values[i], loops, element)) for i in operands[1:])))
            elif name not in _COPIES:
                copied = False
            pending += _operands(name, operands)
    return (sources[0] if len(sources) == 1 else None), copied


def _follow(graph, source, copied):
    """The same in terms of the function's arguments."""
    steps = {step["out"]: step for step in graph.function["reference"]["steps"]}
    while source and source[0] >= len(graph.arrays):
        step = steps.get(source[0])
        if not step or step["op"] not in ("map", "reshape"):
            return None, copied
        value, at = source
        if step["op"] == "reshape":
            shape = graph.values[step["value"]].shape
            flat = np.ravel_multi_index(at, graph.values[value].shape)
            source = step["value"], np.unravel_index(flat, shape)
            continue
        loops = graph.shape(step["shape"])
        inputs = [np.broadcast_to(i, loops) for i in graph.inputs(step, loops)]
        graph.region(step["region"], inputs, "f32", loops)
        source, own = _source_of(step, graph.last, loops, at, (), step["region"]["yield"])
        copied = copied and own
    return source, copied
