# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `sparseflow` command: compile, pack, and run on the CPU."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import (Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from .arrays import Array, Path, host_array
from .cache import TernaryCache
from .errors import Error, checked
from .native import command_path
from .packing import PackedMatrix
from .ternary import TernaryMatrix


@checked
def find_command() -> str:
    """The path of the `sparseflow` command: SPARSEFLOW_COMMAND, the one that a wheel
    carries, or from PATH."""
    found = command_path()
    if not found:
        raise Error("the sparseflow command is not there: put its folder on PATH, "
                    "or name it in SPARSEFLOW_COMMAND")
    return found


def _call(arguments: Sequence[Path]) -> Tuple[str, str]:
    """Runs the command and returns what it printed, and its messages; of a failure its
    own words become the error."""
    command = [find_command(), *(os.fspath(argument) for argument in arguments)]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL,
                                capture_output=True, check=False)
    except OSError as error:
        raise Error(f"cannot run {command[0]}: {error}") from None
    if result.returncode:
        text = result.stderr.decode(errors="replace").strip()
        raise Error(text or f"{command[0]}: error: ended with status {result.returncode}",
                    result.returncode, "command")
    return (result.stdout.decode(errors="replace"),
            result.stderr.decode(errors="replace").strip())


def _option(options: Sequence[str], name: str) -> Optional[str]:
    """The value of an option of the command, `--name VALUE` or `--name=VALUE`."""
    for index, text in enumerate(options):
        if text == name and index + 1 < len(options):
            return options[index + 1]
        if text.startswith(name + "="):
            return text[len(name) + 1:]
    return None


def _program(program: Path, folder: str) -> str:
    """A path: of the file `program` names, or of one that holds its text."""
    if isinstance(program, os.PathLike) or "\n" not in program:
        return os.fspath(program)
    path = os.path.join(folder, "program.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    return path


def _sparse(sparse: Optional[Mapping[str, str]]) -> List[str]:
    return [item for name, pattern in (sparse or {}).items()
            for item in ("--sparse", f"{name}={pattern}")]


class Remark(NamedTuple):
    """A decision of the compiler: `location` in the program ("ffn.mlir:7:8", or ""),
    `category` (docs/formats/report.md) and `text`."""
    location: str
    category: str
    text: str


class Compiled(os.PathLike):  # type: ignore[type-arg]
    """What compile made: `path` of the file or bundle, as which it may be passed on;
    `report`, docs/formats/report.md as a dictionary (None for the target cpu, which
    has no kernels); `messages`, the warnings that the command printed."""

    def __init__(self, path: str, report: Optional[Dict[str, Any]],
                 messages: str) -> None:
        self.path, self.report, self.messages = path, report, messages

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"Compiled({self.path!r}, {len(self.remarks)} remarks)"

    @property
    def remarks(self) -> List[Remark]:
        """Every decision, in the order of the passes."""
        return [Remark(item["location"], item["category"], item["text"])
                for item in (self.report or {}).get("remarks", [])]

    @property
    def kernels(self) -> Dict[str, List[Dict[str, Any]]]:
        """Target to the report's entries of its kernels."""
        return {target["target"]: target.get("kernels", [])
                for target in (self.report or {}).get("targets", [])}


@checked
def compile(program: Path, output: Path,
            targets: Union[str, Sequence[str]] = ("sm_90",), emit: str = "bundle",
            sparse: Optional[Mapping[str, str]] = None,
            weights: Optional[Path] = None,
            options: Sequence[str] = ()) -> Compiled:
    """Compiles `program`, a path or MLIR text, to `output`, a path; returns a Compiled,
    which stands for that path and has the compiler's remarks and report.

    `sparse`: argument to pattern, {"w": "2:4"}. `weights`: a .sfpk file, which
    marks the arguments it has matrices for and goes into a bundle. `options`: more
    arguments of `sparseflow compile`.
    """
    targets = [targets] if isinstance(targets, str) else list(targets)
    path, options = os.fspath(output), list(options)
    if path == "-":
        raise Error("expected a path as output, found '-', the standard output of the "
                    "command")
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        report = None
        # The CPU has no kernels to report about.
        if "cpu" not in targets:
            report = _option(options, "--report")
            if report is None:
                report = os.path.join(folder, "report.json")
                options += ["--report", report]
        _, messages = _call([
            "compile", _program(program, folder), "--emit", emit, "-o", path,
            *(["--target", ",".join(targets)] if targets else []),
            *_sparse(sparse), *(["--weights", weights] if weights else []), *options])
        content = None
        if report is not None:
            with open(report, encoding="utf-8") as file:
                content = json.load(file)
    return Compiled(path, content, messages)


@checked
def pack_file(source: Path, output: Path,
              include: str, exclude: Optional[str] = None, dtype: Optional[str] = None,
              prune: bool = True, options: Sequence[str] = ()) -> str:
    """Packs the matrices of a safetensors file whose names match `include`.

    Returns what `sparseflow pack` prints: the kept energy of each matrix.
    `options`: more arguments of it, such as ["--format", "ternary"].
    """
    return _call(["pack", source, "--include", include, "-o", output,
                  *(["--exclude", exclude] if exclude else []),
                  *(["--dtype", dtype] if dtype else []),
                  *([] if prune else ["--no-prune"]), *options])[0]


@checked
def compress_file(source: Path, output: Path, include: str = "", format: str = "2:4",
                  method: Optional[str] = None, moments: Optional[Path] = None,
                  targets: Optional[Path] = None, plan: Optional[Path] = None,
                  options: Sequence[str] = ()) -> str:
    """Prunes or quantizes the matrices of a safetensors file that match `include`.

    Returns what `sparseflow compress` prints: the output error of each matrix.
    `method`: None is the best for the format. `moments`: a file of Moments.save; only
    method="magnitude" does without. `targets`: a file of Targets.save. `plan`: a JSON
    file of rules, instead of `include`, `format` and `method`.
    """
    rules = ["--plan", plan] if plan else [
        "--include", include, "--format", format, *(["--method", method] if method else [])]
    return _call(["compress", source, "-o", output, *rules,
                  *(["--moments", moments] if moments else []),
                  *(["--targets", targets] if targets else []), *options])[0]


@checked
def rotate_file(source: Path, output: Path, seed: int = 1, head_size: int = 0,
                options: Sequence[str] = ()) -> str:
    """Rotates the residual stream of a llama in a safetensors file that has all of it, and,
    with `head_size`, the values of its heads; norms are folded into the weights.

    Returns what `sparseflow rotate` prints. The model computes the same.
    """
    return _call(["rotate", source, "-o", output, "--seed", str(seed),
                  *(["--head-size", str(head_size)] if head_size else []), *options])[0]


def _refuse_random(report: str, options: Sequence[str]) -> None:
    """An argument that nobody gave was filled with random numbers: an error,
    unless the options of the command ask for them."""
    asked = {text.removeprefix("--arg=").partition("=")[0]
             for text in options if "=random:" in text}
    with open(report, encoding="utf-8") as file:
        arguments = json.load(file)["arguments"]
    for index, argument in enumerate(arguments):
        name = argument["name"]
        if argument["origin"].startswith("random:") and \
                not asked.intersection({name, str(index)}):
            raise Error(f"argument {name or index} is not given: pass an array, or "
                        "random=SEED for random numbers")


@checked
def run(program: Path,
        arguments: Mapping[Union[str, int], Array],
        sizes: Optional[Mapping[str, int]] = None, entry: Optional[str] = None,
        device: str = "cpu", sparse: Optional[Mapping[str, str]] = None,
        options: Sequence[str] = (),
        random: Optional[int] = None) -> Union[np.ndarray, Tuple[np.ndarray, ...]]:
    """Compiles and runs `program` (a path or MLIR text) on arrays of NumPy or torch.

    `arguments`: name or index to array; a PackedMatrix goes in as the dense matrix
    it holds, a TernaryCache, argument or result, as its values. Results are NumPy's,
    bf16 ones bits (uint16), as bf16 arguments are. Returns the result, or a tuple of
    them. `options`: more arguments of `sparseflow run`. Arguments that are not given
    are an error, or, with a seed as `random`, random numbers.
    """
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        command = ["run", _program(program, folder), "--device", device,
                   *_sparse(sparse)]
        if entry:
            command += ["--entry", entry]
        for name, size in (sizes or {}).items():
            command += ["--dim", f"{name}={size}"]
        for index, (argument, array) in enumerate(arguments.items()):
            name = str(argument)
            if isinstance(array, TernaryMatrix):
                raise Error(f"argument {name} is a TernaryMatrix: give the .sfpk "
                            "file that holds it, options=[\"--weights\", FILE]")
            if isinstance(array, PackedMatrix):
                array = array.unpack()
            if isinstance(array, TernaryCache):
                array = array.values()
            path = os.path.join(folder, f"argument.{index}.npy")
            value, _ = host_array(array, f"argument {name}")
            np.save(path, np.asarray(value, order="C"))
            command += ["--arg", f"{name}={path}"]
        options = list(options)
        report = _option(options, "--json")
        if report is None:
            report = os.path.join(folder, "report.json")
            options += ["--json", report]
        if random is not None:
            options += ["--seed", str(random)]
        _call([*command, *options, "-o", os.path.join(folder, "result.npy")])
        if random is None:
            _refuse_random(report, options)
        single = os.path.join(folder, "result.npy")
        if os.path.exists(single):
            return np.load(single)
        results: List[np.ndarray] = []
        while os.path.exists(path := os.path.join(folder,
                                                  f"result.{len(results)}.npy")):
            results.append(np.load(path))
        return tuple(results)
