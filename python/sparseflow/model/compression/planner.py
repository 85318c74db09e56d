# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow model plan`: formats by measured sensitivity, within a budget."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ...arrays import Path
from ...calibration import Moments
from ...cli import compile as compile_program
from ...errors import Error
from .forms import FORMS, check_forms, group_of
from ..geometry import Geometry
from .layer import compress_matrices
from ..model import Model, check_tokens
from .plan import Choice, Plan, layers_pattern, search
from .resume import Losses, digest_of
from .stream import Stream, distance, divergence, replace

Progress = Callable[[str, float], None]


# Budgets of what is lost.
_LOSSES = ("perplexity", "cosine")


class Budget(NamedTuple):
    """What may be lost, or has to be saved.

    `kind`: perplexity (`limit`: the growth of its logarithm), cosine (of an encoder's
    embeddings; `limit`: what it may lack to 1), bytes or time (`limit`:
    the share of those of dense matrices that may be left; or, `absolute`, bytes or
    microseconds).
    """
    kind: str
    limit: float
    absolute: bool = False

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """perplexity=+5%, cosine=0.99, bytes=50%, bytes=80MB, time=70% or time=400us."""
        if re.fullmatch(r"cosine=0\.[0-9]+", text):
            return cls("cosine", 1 - float(text[len("cosine="):]))
        match = re.fullmatch(r"(perplexity)=\+([0-9.]+)%|(bytes|time)=([0-9.]+)"
                             r"(%|[kMG]?B|us|ms)", text)
        if match is None:
            raise Error("--budget: expected perplexity=+5%, cosine=0.99, bytes=50%, "
                        f"bytes=80MB, time=70% or time=400us, found '{text}'")
        try:
            number = float(match[2] or match[4])
        except ValueError:
            raise Error(f"--budget: expected a number, found '{text}'") from None
        if match[1]:
            return cls("perplexity", math.log1p(number / 100))
        units = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9} if match[3] == "bytes" else \
            {"us": 1, "ms": 1e3}
        if match[5] == "%":
            return cls(match[3], number / 100)
        if match[5] not in units:
            raise Error(f"--budget: {match[3]}: expected a unit of %, "
                        f"{', '.join(units)}, found '{match[5]}'")
        return cls(match[3], number * units[match[5]], True)


class Option(NamedTuple):
    """One format of a unit: what it costs, weighs and takes."""
    format: str
    loss: float
    bytes: int
    time: float


class Unit(NamedTuple):
    """Matrices that get one format: the attention or the feed-forward part of a layer.
    `options[0]` is dense."""
    layer: int
    part: str
    names: List[str]
    options: List[Option]


def _choice(form: str, reason: str = "") -> Choice:
    return Choice(form, FORMS[form].method, FORMS[form].scale, None, reason)


def predicted_times(geometry: Geometry, forms: Sequence[str], target: str, tokens: int
                    ) -> Dict[Tuple[str, int, int], float]:
    """The least microseconds of a matmul of `tokens` tokens by the compiler's model, by
    format, N and K. Formats that no kernel multiplies take what dense weights do."""
    shapes = sorted({tuple(shape) for shape in geometry.matrices().values()})
    functions, keys = [], []
    for form in ["dense", *(form for form in forms if FORMS[form].encoding)]:
        for n, k in shapes:
            if k % group_of(form):
                continue
            spec = FORMS[form]
            encoding = spec.encoding.format(scale=spec.scale)
            d, weight = geometry.dtype, f"tensor<{n}x{k}x{geometry.dtype}"
            weight += f", {encoding}>" if encoding else ">"
            given, made = f"tensor<{tokens}x{k}x{d}>", f"tensor<{tokens}x{n}x{d}>"
            functions.append(
                f"func.func @f{len(keys)}(%x: {given}, %w: {weight}) -> {made} {{\n"
                f"  %y = sparseflow.matmul %x, %w {{\n  ^bb0(%acc: f32):\n"
                f"    %out = arith.truncf %acc : f32 to {d}\n"
                f"    sparseflow.yield %out : {d}\n  }} : {given}, {weight} -> {made}\n"
                f"  return %y : {made}\n}}\n")
            keys.append((form, n, k))
    times: Dict[Tuple[str, int, int], float] = {}
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        kernels = compile_program("\n".join(functions), f"{folder}/probe.ptx", target,
                                  emit="ptx").kernels[target]
    for kernel in kernels:
        predicted = kernel.get("predicted")
        if predicted is None or kernel["any_alignment"]:
            continue
        for name in [kernel["name"], *kernel.get("merged", [])]:
            index = re.match(r"f(\d+)_", name)
            if index:
                times.setdefault(keys[int(index[1])], predicted["time_ns"] / 1e3)
    return {(form, n, k): times.get((form, n, k), times[("dense", n, k)])
            for form in ("dense", *forms) for n, k in shapes}


def measure(stream: Stream, units_of: Callable[[int], Dict[str, List[str]]],
            forms: Sequence[str], times: Dict[Tuple[str, int, int], float],
            sample: int, threads: int, progress: Progress, known: Losses) -> List[Unit]:
    """What each format costs each unit alone, all others dense.

    `units_of`: the parts of a layer and their matrices, with prefix. The first `sample`
    texts of `stream` measure, all of them calibrate. What `known` has is not measured.
    """
    model, units = stream.model, []
    shapes = model.geometry.matrices()
    dense = stream.at(0, stream.x[:sample]).outputs()
    steps = model.geometry.layers
    for layer in range(steps):
        progress(f"layer {layer}", layer / steps)
        parts = units_of(layer)
        moments = Moments()
        if any(known.find(layer, part, form) is None
               for part in parts for form in forms):
            stream.read(lambda names, x: moments.add(
                [f"blk.{layer}.{name}" for name in names], x))
        for part, names in parts.items():
            held = {name: model.layer_weights(layer)[name.split(".", 2)[2]]
                    for name in names}
            options = []
            sizes = [shapes[name.split(".", 2)[2]] for name in names]
            for form in ("dense", *forms):
                if any(k % group_of(form) for _, k in sizes):
                    continue
                loss = 0.0 if form == "dense" else known.find(layer, part, form)
                if loss is None:
                    # The quick relative of refit: what is asked is the order.
                    choice = _choice(form)._replace(
                        method="gptq" if FORMS[form].planes else "sparsegpt")
                    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
                        made, _ = compress_matrices(held, dict.fromkeys(names, choice),
                                                    moments, folder, threads)
                    before = replace(model, layer, {
                        name.split(".", 2)[2]: array for name, array in made.items()})
                    now = stream.at(layer, stream.x[:sample]).outputs()
                    replace(model, layer, before)
                    loss = float((distance if model.geometry.encoder else divergence)(
                        dense, now))
                    known.save(layer, part, form, loss)
                options.append(Option(
                    form, loss,
                    sum(FORMS[form].bytes(n, k, FORMS[form].scale) for n, k in sizes),
                    sum(times.get((form, n, k), 0.0) for n, k in sizes)))
            units.append(Unit(layer, part, names, options))
        stream.step()
    return units


def _hull(options: Sequence[Option], by_time: bool) -> List[Option]:
    """From dense on, each option that saves more for the least loss a saving."""
    size = (lambda o: o.time) if by_time else (lambda o: float(o.bytes))
    hull = [options[0]]
    while True:
        better = [o for o in options if size(o) < size(hull[-1])]
        if not better:
            return hull
        hull.append(min(better, key=lambda o: (
            (o.loss - hull[-1].loss) / (size(hull[-1]) - size(o)), size(o))))


def choose(units: Sequence[Unit], budget: Budget) -> List[Option]:
    """An option for each unit, so that the budget holds: steps along the hulls of all
    units, those that lose least for what they save first. Losses are added up."""
    by_time = budget.kind == "time"
    size = (lambda o: o.time) if by_time else (lambda o: float(o.bytes))
    hulls = [_hull(unit.options, by_time) for unit in units]
    places = [0] * len(units)
    total = sum(size(hull[0]) for hull in hulls)
    limit = budget.limit if budget.absolute else budget.limit * total
    loss, by_loss = 0.0, budget.kind in _LOSSES
    while by_loss or total > limit:
        steps = []
        for index, (hull, place) in enumerate(zip(hulls, places)):
            if place + 1 < len(hull):
                now, then = hull[place], hull[place + 1]
                grows = then.loss - now.loss
                if by_loss and loss + grows > budget.limit:
                    continue
                steps.append((grows / (size(now) - size(then)), index, grows,
                              size(now) - size(then)))
        if not steps:
            break
        _, index, grows, saves = min(steps)
        places[index] += 1
        loss, total = loss + grows, total - saves
    if not by_loss and total > limit:
        least = f"{total / 1e6:.1f} MB" if not by_time else f"{total:.1f} us"
        raise Error(f"--budget: the smallest that these formats reach is {least}; allow "
                    "more, or more --formats or --layers")
    return [hull[place] for hull, place in zip(hulls, places)]


def _cost(loss: float, encoder: bool) -> str:
    return f"{loss:.2g}" if encoder else f"{100 * math.expm1(loss):+.2f} %"


def _reason(unit: Unit, chosen: Option, timed: bool, encoder: bool) -> str:
    dense = unit.options[0]
    others = ", ".join(f"{o.format} {_cost(o.loss, encoder)}" for o in unit.options
                       if o is not chosen and o is not dense)
    time = f" and {chosen.time / dense.time:.0%} of the time" if timed and dense.time \
        else ""
    if chosen is dense:
        return f"stays dense; alone would cost: {others}" if others else \
            "stays dense: no format here takes rows of so many columns"
    what = "of the cosine" if encoder else "perplexity"
    return (f"costs {_cost(chosen.loss, encoder)} {what} for {chosen.bytes / dense.bytes:.0%}"
            f" of the bytes{time}; others: {others or 'none'}")


def preset_plan(layers: str, form: str, geometry: Optional[Geometry] = None) -> Plan:
    """One rule: all of these layers get the format; and one in front for matrices of
    `geometry` whose rows it does not take."""
    check_forms([form])
    known = layers in ("all", "attention", "ffn")
    rule = {"layers": layers} if known else {"match": layers_pattern(layers)}
    plan = Plan([{**rule, "format": form}], "as asked, nothing measured")
    if not geometry:
        return plan
    group, shapes = group_of(form), geometry.matrices()
    meant = {name for layer in range(geometry.layers) for name in shapes
             if search(layers_pattern(layers), f"blk.{layer}.{name}", "--layers")}
    rest = [name for name in shapes if name in meant and shapes[name][1] % group]
    if rest:
        found = " and ".join(map(str, sorted({shapes[name][1] for name in rest})))
        if len(rest) == len(meant):
            raise Error(f"--format: '{form}' is for rows of whole groups of {group} columns, "
                        f"found {found} in all of these matrices; give another format")
        plan.rules.insert(0, {
            "match": rf"^blk\.\d+\.({'|'.join(map(re.escape, rest))})$", "format": "dense",
            "reason": f"rows of {found} columns are no whole groups of {group}"})
    return plan


def make_plan(model: Model, windows: np.ndarray, budget: Budget, layers: str = "all",
              forms: Sequence[str] = ("6:8", "int8", "int4", "2:4"), sample: int = 1,
              target: Optional[str] = None, tokens: int = 16, threads: int = 0,
              progress: Progress = lambda what, done: None,
              resume: Optional[Path] = None) -> Plan:
    """A plan for `model` within `budget`, from texts [count, window].

    A unit is the attention or the feed-forward part of a layer. What a format costs it
    is the divergence of the model's next tokens over the first `sample` texts with only
    that unit compressed, or what the cosine of an encoder's embeddings then lacks; the
    whole is taken to cost the sum. `target` and `tokens`: of
    the predicted times. `resume`: a JSON file that keeps what was measured, for a run that
    goes on or has another budget.
    """
    check_forms(forms)
    if sample < 1:
        raise Error(f"expected a sample of at least one text, found {sample}")
    windows = check_tokens(model.geometry, windows)
    forms = [form for form in forms if form != "dense"]
    if not forms:
        raise Error("expected formats beside dense, found none")
    pattern = layers_pattern(layers)
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise Error(f"--layers: '{pattern}' is neither all, attention, ffn nor a regular "
                    f"expression: {error}") from None

    def units_of(layer: int) -> Dict[str, List[str]]:
        result: Dict[str, List[str]] = {}
        for name in model.geometry.matrices():
            whole = f"blk.{layer}.{name}"
            if wanted.search(whole):
                result.setdefault("attention" if name.startswith("attn") else "ffn",
                                  []).append(whole)
        return result

    if not any(units_of(layer) for layer in range(model.geometry.layers)):
        raise Error(f"--layers: no matrix of the model matches '{layers}'; it has blk.0."
                    + ", blk.0.".join(model.geometry.matrices()))
    encoder = model.geometry.encoder
    if budget.kind in _LOSSES and (budget.kind == "cosine") != encoder:
        raise Error("--budget: expected " + (
            "cosine=0.99, as the model is an encoder" if encoder else
            "perplexity=+5%, as the model is a decoder") + f", found {budget.kind}")
    if budget.kind == "time" and target is None:
        raise Error("--budget time=... needs the GPU that it is for: --target sm_90")
    times = {} if target is None else predicted_times(model.geometry, forms, target,
                                                      tokens)
    known = Losses(None, "") if resume is None else Losses(
        os.fspath(resume), digest_of(model, windows, f"{sample} {pattern}"))
    units = measure(Stream(model, windows, threads), units_of, forms, times, sample,
                    threads, progress, known)
    chosen = choose(units, budget)
    rules = []
    for unit, option in zip(units, chosen):
        stems = "|".join(re.escape(name.split(".", 2)[2]) for name in unit.names)
        rules.append({"match": f"^blk\\.{unit.layer}\\.({stems})$",
                      "format": option.format,
                      "reason": _reason(unit, option, bool(times), encoder)})
    loss = sum(option.loss for option in chosen)
    now = sum(option.bytes for option in chosen)
    before = sum(unit.options[0].bytes for unit in units)
    what = f"cosine {1 - loss:.4f}" if encoder else f"perplexity {_cost(loss, False)}"
    about = (f"expected: {what}, {now / 1e6:.2f} of "
             f"{before / 1e6:.2f} MB of these layers")
    if times:
        about += (f", {sum(o.time for o in chosen):.1f} of "
                  f"{sum(u.options[0].time for u in units):.1f} us in {target} at "
                  f"{tokens} tokens, at least")
    return Plan(rules, about + f". Measured on {sample} texts of {windows.shape[1]} tokens,"
                f" calibrated on {windows.size} tokens.")


def plan_text(plan: Plan) -> str:
    """For people: the rules and their reasons."""
    lines = [f"{json.dumps(rule.get('match', rule.get('layers')))}: {rule['format']}"
             + (f", {rule['reason']}" if rule.get("reason") else "") for rule in plan.rules]
    return "\n".join([*lines, plan.about])
