# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow model compress`: a model whose matrices became what a plan says."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import tempfile
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ...arrays import Path
from ...cli import pack_file
from ...errors import Error, checked
from ...perplexity import perplexity
from ...safetensors import save_safetensors
from .forms import FORMS, form_of
from ..folder import new_folder
from .layer import as_float, compress_matrices, describe
from ..description import read_geometry, write_program
from ..model import Model, check_tokens
from ..program import HEAD
from .plan import Choice, Plan
from .planner import predicted_times
from .report_page import report_page
from .resume import digest_of
from .stages import STAGES, LayerStages
from .stream import Stream, cosines, replace, windows_of
from ..weights import PackedFile, SafetensorsFile, open_weights, write_weights

Progress = Callable[[str, float], None]
_PART = "layer.{}.safetensors"
# Relative; a unit in the last place of f16 and of bf16.
_PACKING_ERROR = 2.0 ** -7


class _Finished:
    """Layers that an earlier run of the same work finished, in a folder."""

    def __init__(self, folder: Optional[str], work: str) -> None:
        self.folder = folder
        if folder is None:
            return
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "work.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() != work:
                    raise Error(f"{folder}: expected layers of this model, plan and "
                                "calibration, found those of other work; remove the "
                                "folder or name another one with --resume")
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(work)

    def find(self, layer: int) -> Optional[SafetensorsFile]:
        """The file of a layer, or None."""
        if self.folder is None:
            return None
        path = os.path.join(self.folder, _PART.format(layer))
        return SafetensorsFile(path) if os.path.exists(path) else None

    def lines(self, layer: int) -> Dict[str, Dict[str, Any]]:
        """The lines of a finished layer."""
        with open(self._lines_path(layer), encoding="utf-8") as file:
            return dict(json.load(file))

    def save(self, layer: int, made: Mapping[str, np.ndarray],
             lines: Mapping[str, Dict[str, Any]]) -> None:
        """Keeps a layer; its tensors come last, and whole."""
        if self.folder is None:
            return
        with open(self._lines_path(layer), "w", encoding="utf-8") as file:
            json.dump(lines, file)
        save_safetensors(os.path.join(self.folder, _PART.format(layer)), made, bf16=[
            name for name, array in made.items() if array.dtype == np.uint16])

    def _lines_path(self, layer: int) -> str:
        return os.path.join(str(self.folder), f"layer.{layer}.json")

    def remove(self) -> None:
        """Everything is done."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _work(model: Model, choices: Mapping[str, Choice], windows: np.ndarray,
          near: str) -> str:
    """All that finished layers depend on, as a digest."""
    settings = [near, *([name, *choice[:-1]] for name, choice in choices.items())]
    return json.dumps({"sha256": digest_of(model, windows, json.dumps(settings))})


def _write_packed(folder: str, dense: str, choices: Mapping[str, Choice],
                  shapes: Mapping[str, Sequence[int]]) -> List[str]:
    """Makes weights.sfpk of the file `dense`, format by format, and removes that one.
    Returns the names of what is packed; of nothing, there is weights.safetensors."""
    groups: Dict[Any, List[str]] = {}
    for name, choice in choices.items():
        form, k = form_of(choice.format), shapes[name][1]
        if form.pack and form.packs(k, choice.scale):
            groups.setdefault((form.pack, choice.scale), []).append(name)
    source = dense
    # 2:4 weights first: only they need a file that nothing is packed in.
    for index, ((pack, scale), names) in enumerate(
            sorted(groups.items(), key=lambda item: item[0][0][1] != "2:4")):
        target = os.path.join(folder, f"packed.{index}.sfpk")
        options = list(pack)
        if pack[1] != "2:4":
            options += ["--scale", str(scale) if scale else "row"]
        include = "|".join(re.escape(name) for name in names)
        pack_file(source, target, include=f"^({include})$", prune=pack[1] != "2:4",
                  options=options)
        os.unlink(source)
        source = target
    name = "weights.sfpk" if groups else "weights.safetensors"
    os.rename(source, os.path.join(folder, name))
    return [name for names in groups.values() for name in names]


class _Quality:
    """What a model is worth on a text, before and after."""

    def __init__(self, model: Model, tokens: Sequence[int], window: int, threads: int
                 ) -> None:
        self.model, self.tokens, self.window = model, tokens, window
        if model.geometry.encoder:
            texts = windows_of(tokens, window, len(tokens), "the text that is held out")
            self.stream = Stream(model, texts, threads)
            self.embeddings = self.stream.outputs()
        else:
            self.perplexity = perplexity(model, tokens, window)[0]

    def after(self) -> Dict[str, Any]:
        """Members of the report."""
        if self.model.geometry.encoder:
            found = cosines(self.embeddings, self.stream.outputs())
            return {"cosine": {"mean": float(found.mean()), "least": float(found.min()),
                               "texts": len(found)}}
        after, count = perplexity(self.model, self.tokens, self.window)
        return {"perplexity": {"before": self.perplexity, "after": after,
                               "tokens": count}}


def _compress_layer(stream: Stream, exact: Optional[Stream],
                    dense: Mapping[str, np.ndarray], choices: Mapping[str, Choice],
                    folder: str, threads: int
                    ) -> Tuple[Dict[str, np.ndarray], Dict[str, Dict[str, Any]]]:
    """Compresses the layer that comes next in `stream`, stage after stage, and replaces
    its weights. `exact`: the dense model's stream, or None. As compress_matrices."""
    prefix, stages = f"blk.{stream.layer}.", LayerStages(stream, exact)
    made, lines = dict(dense), {}
    for index, stage in enumerate(STAGES):
        names = [name for name in stage if prefix + name in dense and
                 choices[prefix + name].format != "dense"]
        if not names:
            continue
        moments, targets = stages.statistics(index, names, prefix)
        with tempfile.TemporaryDirectory(dir=folder) as files:
            results, new = compress_matrices(
                {prefix + name: dense[prefix + name] for name in names}, choices, moments,
                files, threads, targets)
        replace(stream.model, stream.layer, {name.split(".", 2)[2]: array
                                             for name, array in results.items()})
        made.update(results)
        lines.update(new)
    return made, lines


@checked
def compress_model(source: Path, plan: Plan, windows: np.ndarray, output: Path,
                   resume: Optional[Path] = None,
                   held_out: Optional[Sequence[int]] = None,
                   target: Optional[str] = None, rows: int = 16, threads: int = 0,
                   progress: Progress = lambda what, done: None,
                   near: str = "dense") -> Dict[str, Any]:
    """Writes the folder `output`: the model in `source`, compressed as `plan` says.

    Layer after layer is calibrated on texts [count, window] as the compressed layers
    before it pass them on, and so are the matrices of a layer. `near`: whose outputs
    they come near, those of the dense model or their own. The folder holds weights.sfpk
    with every matrix packed that a storage holds, plan.json, and the report, report.json
    and report.html; it appears whole or not at all. `resume`: a folder that keeps finished layers until then.
    `held_out`: tokens whose perplexity before and after the report has, or the cosines of
    an encoder's embeddings of them, in texts of a window; `target`: a GPU for which it has
    the predicted times of matmuls of `rows` tokens. Returns the report.
    """
    if near not in ("dense", "own"):
        raise Error(f"expected matrices that come near dense or own, found '{near}'")
    source = os.fspath(source)
    geometry = read_geometry(source)[0]
    windows = check_tokens(geometry, windows)
    choices, head = plan.choose(geometry), plan.head(geometry)
    cached = plan.geometry(geometry) != geometry
    model = Model(source, threads=threads)
    finished = _Finished(None if resume is None else os.fspath(resume),
                         _work(model, choices, windows, near))
    window = int(windows.shape[1])
    quality = None if held_out is None else _Quality(model, held_out, window, threads)
    times = {} if target is None else predicted_times(
        model.geometry, sorted({choice.format for choice in choices.values()}
                               & set(FORMS)), target, rows)
    stream, entries, made_by_layer = Stream(model, windows, threads), [], []
    exact = stream.at(0, stream.x) if near == "dense" else None
    count = model.geometry.layers
    shapes = model.geometry.matrices()
    kept = "" if resume is None else \
        f"; finished layers are kept in {os.fspath(resume)}"
    with new_folder(os.fspath(output), kept) as folder:
        for layer in range(count):
            progress(f"layer {layer}", layer / count)
            names = [f"blk.{layer}.{name}" for name in shapes]
            dense = {name: model.layer_weights(layer)[name.split(".", 2)[2]]
                     for name in names}
            part = finished.find(layer)
            if part is not None:
                made = {name: part.bits(name) for name in names}
                lines = finished.lines(layer)
                if exact is not None:
                    exact.step()
                replace(model, layer, {name.split(".", 2)[2]: array
                                       for name, array in made.items()})
            else:
                made, lines = _compress_layer(stream, exact, dense, choices, folder,
                                              threads)
                finished.save(layer, made, lines)
            entries += [describe(name, choices[name], dense[name], made[name],
                                 lines.get(name, {})) for name in names]
            made_by_layer.append(made)
            stream.step()
        progress("packing", 1.0)
        report = _write_folder(model, source, folder, plan, choices, head, entries)
        report["calibration"] = {"tokens": int(windows.size), "window": window}
        if quality is not None:
            if head.format != "dense" or cached:
                quality.model = Model(folder, threads=threads)
            report.update(quality.after())
        if times:
            report["times"] = {"target": target, "tokens": rows}
        for entry in entries if times else []:
            n, k = entry["shape"]
            if entry["name"] == HEAD:
                continue
            entry["dense_time_us"] = times["dense", n, k]
            entry["time_us"] = times.get((entry["format"], n, k),
                                         entry["dense_time_us"])
        _write_report(folder, report)
    finished.remove()
    return report


def _copy_rest(source: str, folder: str) -> None:
    """What compression leaves as it is."""
    for name in ("model.json", "program.mlir", "tokenizer.json"):
        if os.path.exists(os.path.join(source, name)):
            shutil.copyfile(os.path.join(source, name), os.path.join(folder, name))


def _write_folder(model: Model, source: str, folder: str, plan: Plan,
                  choices: Mapping[str, Choice], head: Choice,
                  entries: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Everything but the report, which it begins."""
    geometry = model.geometry
    original = open_weights(source)
    dense_head = "token_embd.weight" if geometry.tied else HEAD
    matrices = {f"blk.{layer}.{name}": shape for layer in range(geometry.layers)
                for name, shape in geometry.matrices().items()}
    if head.format != "dense":
        geometry = dataclasses.replace(geometry, tied=False)
        choices = {**choices, HEAD: head}
        matrices[HEAD] = [geometry.vocabulary, geometry.hidden]
    geometry = plan.geometry(geometry)

    def make(name: str) -> np.ndarray:
        if name == HEAD:
            return original.bits(dense_head)
        if name.startswith("blk."):
            _, layer, rest = name.split(".", 2)
            return model.layer_weights(int(layer))[rest]
        return original.bits(name)

    dense = os.path.join(folder, "dense.safetensors")
    write_weights(dense, geometry.tensors(), make)
    packed = set(_write_packed(folder, dense, choices, matrices))
    _copy_rest(source, folder)
    if geometry != model.geometry:
        write_program(folder, geometry, model.tokens)
    plan.write(os.path.join(folder, "plan.json"))
    held = open_weights(folder)
    for entry in entries:
        name = entry["name"]
        entry["packed"] = name in packed
        if name not in packed:
            entry["stored_bytes"] = entry["dense_bytes"]
            continue
        entry["stored_bytes"] = entry["bytes"]
        wanted, found = as_float(make(name)), as_float(held.bits(name))
        # `pack` finds the scale of numbers that were rounded to 16 bits to within a unit
        # in the last place; more would be a defect.
        off = float(np.linalg.norm(wanted - found) / (np.linalg.norm(wanted) or 1.0))
        entry["packing_error"] = off
        if off > _PACKING_ERROR:
            raise Error(f"tensor '{name}': its packed {entry['format']} differs from "
                        f"what was compressed by {off:g} of its norm; this is a defect of "
                        "SparseFlow, please report it")
    if HEAD in packed:
        entry = describe(HEAD, head, make(HEAD), held.bits(HEAD), {})
        entries.append({**entry, "packed": True, "stored_bytes": entry["bytes"]})
    return {"format": "sparseflow-model-report", "version": 1,
            "model": os.path.basename(os.path.abspath(source)), "about": plan.about,
            "bytes": sum(entry["bytes"] for entry in entries),
            "stored_bytes": sum(entry["stored_bytes"] for entry in entries),
            "dense_bytes": sum(entry["dense_bytes"] for entry in entries),
            "matrices": entries}


def _write_report(folder: str, report: Mapping[str, Any]) -> None:
    """report.json and report.html."""
    with open(os.path.join(folder, "report.json"), "w", encoding="utf-8") as file:
        # A matrix a line.
        head = {key: value for key, value in report.items() if key != "matrices"}
        lines = ",\n  ".join(json.dumps(entry) for entry in report["matrices"])
        file.write(json.dumps(head, indent=1)[:-2] + f',\n "matrices": [\n  {lines}\n ]\n}}\n')
    with open(os.path.join(folder, "report.html"), "w", encoding="utf-8") as file:
        file.write(report_page(report))


@checked
def unpack_model(source: Path, output: Path) -> None:
    """Writes the folder `output`: the model in `source` with dense weights, those that
    its packed ones stand for."""
    source = os.fspath(source)
    geometry, _ = read_geometry(source)
    weights = open_weights(source)
    if not isinstance(weights, PackedFile):
        raise Error(f"{source}: expected a compressed model, with weights.sfpk, found "
                    "one whose weights are dense already")
    with weights, new_folder(os.fspath(output)) as folder:
        write_weights(os.path.join(folder, "weights.safetensors"),
                      geometry.tensors(), weights.bits)
        _copy_rest(source, folder)
