# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of a model: which format each of its matrices gets, and why.

The file is that of `sparseflow compress --plan` (docs/formats/compress-plan.md).
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ...errors import Error
from ..checkpoint import read_json
from .forms import form_of, group_of
from ..geometry import CACHES, Geometry

_FORMAT, _VERSION = "sparseflow-compress-plan", 1
_KEYS = {"match", "except", "layers", "format", "method", "scale", "sweeps", "reason"}
_MEMBERS = {"format", "version", "about", "cache", "rules"}
_METHODS = ("magnitude", "wanda", "sparsegpt", "gptq", "refit")
_NUMBERS = {"scale": (1, 1 << 20), "sweeps": (0, 1000)}
_PRESETS = {"all": "", "attention": r"attn_", "ffn": r"ffn_"}
# Means the head alone, which no other rule does.
_HEAD_LAYERS = "head"
# Formats of a head, whose rows are rounded to nearest.
_HEAD_FORMATS = ("int8", "dense")


class Choice(NamedTuple):
    """What becomes of one matrix."""
    format: str
    method: str
    scale: int
    sweeps: Optional[int]
    reason: str

    def rule(self, name: str) -> Dict[str, Any]:
        """The rule that means this for the matrix `name` alone."""
        result: Dict[str, Any] = {"match": f"^{re.escape(name)}$", "format": self.format}
        if self.format != "dense":
            result["method"] = self.method
            if self.scale:
                result["scale"] = self.scale
            if self.sweeps is not None:
                result["sweeps"] = self.sweeps
        return result


DENSE = Choice("dense", "", 0, None, "no rule names it")


def matrix_names(geometry: Geometry) -> List[str]:
    """The matrices of all layers, by the names of weights.safetensors."""
    return [f"blk.{layer}.{name}" for layer in range(geometry.layers)
            for name in geometry.matrices()]


def layers_pattern(layers: str) -> str:
    """A preset (all, attention, ffn) as an expression; names with commas between them as
    one of these; anything else is one."""
    if re.fullmatch(r"[\w.]+(,[\w.]+)+", layers):
        return f"^({'|'.join(map(re.escape, layers.split(',')))})$"
    return _PRESETS.get(layers, layers)


def search(pattern: str, name: str, where: str) -> bool:
    """Whether an expression of a rule means the matrix `name`."""
    try:
        return re.search(pattern, name) is not None
    except re.error as error:
        raise Error(f"{where}: '{pattern}' is not a regular expression: {error}"
                    ) from None


def _check_rule(rule: Any, where: str) -> None:
    """Refuses what is no rule; what a format and a method make of each other, the command
    says."""
    if not isinstance(rule, dict) or not isinstance(rule.get("format"), str) or \
            ("match" in rule) == ("layers" in rule):
        raise Error(f"{where}: expected an object with a format, and either match, a "
                    "regular expression, or layers")
    unknown = sorted(set(rule) - _KEYS)
    if unknown:
        raise Error(f"{where}: expected the keys {', '.join(sorted(_KEYS))}; found "
                    f"'{unknown[0]}'")
    known = [*_PRESETS, _HEAD_LAYERS]
    if "layers" in rule and rule["layers"] not in known:
        raise Error(f"{where}: layers: expected {', '.join(known)}, found "
                    f"'{rule['layers']}'")
    if "layers" in rule and "except" in rule:
        raise Error(f"{where}: except belongs to match; with layers, a dense rule before "
                    "this one leaves some out")
    for key in ("match", "except", "reason"):
        if not isinstance(rule.get(key, ""), str):
            raise Error(f"{where}: {key}: expected a text, found {json.dumps(rule[key])}")
    if rule.get("method", _METHODS[0]) not in _METHODS:
        raise Error(f"{where}: method: expected {', '.join(_METHODS)}, found "
                    f"{json.dumps(rule['method'])}")
    for key, (least, most) in _NUMBERS.items():
        value = rule.get(key, least)
        if type(value) is not int or not least <= value <= most:
            raise Error(f"{where}: {key}: expected a whole number from {least} to {most}, "
                        f"found {json.dumps(value)}")


class Plan:
    """Rules, the first of which that matches a matrix decides; and what keys and values
    are kept as, "" for what the model has."""

    def __init__(self, rules: Sequence[Mapping[str, Any]], about: str = "",
                 title: str = "plan", cache: str = "") -> None:
        self.rules, self.about, self.title = list(rules), about, title
        self.cache = cache

    @classmethod
    def read(cls, path: str) -> "Plan":
        """Of a JSON file."""
        content = read_json(path)
        if (content.get("format"), content.get("version")) != (_FORMAT, _VERSION) or \
                not isinstance(content.get("rules"), list):
            raise Error(f"{path}: expected an object with \"format\": \"{_FORMAT}\", "
                        f"\"version\": {_VERSION} and \"rules\", a list")
        unknown = sorted(set(content) - _MEMBERS)
        if unknown:
            raise Error(f"{path}: expected the members {', '.join(sorted(_MEMBERS))}; "
                        f"found '{unknown[0]}'")
        cache = content.get("cache", "")
        if "cache" in content and cache not in CACHES:
            raise Error(f"{path}: cache: expected one of {', '.join(CACHES)}, found "
                        f"{json.dumps(cache)}")
        for index, rule in enumerate(content["rules"]):
            _check_rule(rule, f"{path}: rule {index + 1}")
        return cls(content["rules"], content.get("about", ""), path, cache)

    def write(self, path: str) -> None:
        """As a JSON file."""
        content = {"format": _FORMAT, "version": _VERSION,
                   **({"about": self.about} if self.about else {}),
                   **({"cache": self.cache} if self.cache else {}),
                   "rules": self.rules}
        temporary = path + ".new"
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                json.dump(content, file, indent=1)
                file.write("\n")
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.remove(temporary)
            raise Error(f"{path}: cannot be written: {error}") from None

    def choose(self, geometry: Geometry) -> Dict[str, Choice]:
        """The choice of every matrix; a rule that decides about none is an error."""
        names = matrix_names(geometry)
        taken, matched = [0] * len(self.rules), [0] * len(self.rules)
        result = {}
        for name in names:
            chosen = DENSE
            for index, rule in reversed(list(enumerate(self.rules))):
                where = f"{self.title}: rule {index + 1}"
                if rule.get("layers") == _HEAD_LAYERS:
                    continue
                if not search(rule.get("match", _PRESETS.get(rule.get("layers", ""), "")),
                               name, where) or \
                        "except" in rule and search(rule["except"], name, where):
                    continue
                matched[index] += 1
                first = index
                form = form_of(rule["format"])
                chosen = Choice(rule["format"], rule.get("method", form.method),
                                rule.get("scale", form.scale), rule.get("sweeps"),
                                rule.get("reason", ""))
            if chosen is not DENSE:
                taken[first] += 1
                k = geometry.matrices()[name.split(".", 2)[2]][1]
                if k % group_of(chosen.format):
                    raise Error(f"{self.title}: rule {first + 1}: '{chosen.format}' is for rows "
                                f"of whole groups of {group_of(chosen.format)} columns, found "
                                f"{k} columns of '{name}'; give it another format by a rule in "
                                "front of this one")
            result[name] = chosen
        for index, rule in enumerate(self.rules):
            what = rule.get("match", rule.get("layers"))
            if what == _HEAD_LAYERS and "match" not in rule:
                continue
            if not matched[index]:
                raise Error(f"{self.title}: rule {index + 1}, '{what}': the model has no "
                            f"matrix of such a name; it has {names[0]} to {names[-1]}")
            if not taken[index]:
                raise Error(f"{self.title}: rule {index + 1}, '{what}': rules before it "
                            f"take all of the {matched[index]} matrices that it matches; "
                            "move it up")
        return result

    def geometry(self, source: Geometry) -> Geometry:
        """`source` with what the plan says of its cache."""
        return dataclasses.replace(source, cache=self.cache) if self.cache else source

    def head(self, geometry: Geometry) -> Choice:
        """The choice of the head, the first rule's that means it. Its rows are rounded to
        nearest; a tied embedding stays as it is, and the head is apart from it then."""
        for index, rule in enumerate(self.rules):
            if rule.get("layers") != _HEAD_LAYERS:
                continue
            where = f"{self.title}: rule {index + 1}, head"
            if geometry.encoder:
                raise Error(f"{where}: expected a decoder, found an encoder, which has none")
            if rule["format"] not in _HEAD_FORMATS or set(rule) & {"method", "scale"}:
                raise Error(f"{where}: expected {' or '.join(_HEAD_FORMATS)} without a "
                            f"method or a scale, found {json.dumps(rule)}")
            return Choice(rule["format"], "", 0, None, rule.get("reason", ""))
        return DENSE


def total_bytes(geometry: Geometry, choices: Mapping[str, Choice]) -> Tuple[int, int]:
    """Bytes of all matrices of layers, as they are chosen and dense."""
    now = before = 0
    shapes = geometry.matrices()
    for name, choice in choices.items():
        n, k = shapes[name.split(".", 2)[2]]
        now += form_of(choice.format).bytes(n, k, choice.scale)
        before += 2 * n * k
    return now, before
