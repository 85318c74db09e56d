# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `sparseflow` command: compile, pack, and run on the CPU."""

import json
import os
import shutil
import subprocess
import tempfile

import numpy as np

from .cache import TernaryCache
from .errors import Error
from .packing import PackedMatrix
from .ternary import TernaryMatrix


def find_command():
    """The path of the `sparseflow` command: SPARSEFLOW_COMMAND, or from PATH."""
    named = os.environ.get("SPARSEFLOW_COMMAND")
    found = named or shutil.which("sparseflow")
    if not found:
        raise Error("the sparseflow command is not there: put its folder on PATH, "
                    "or name it in SPARSEFLOW_COMMAND")
    return found


def _call(arguments):
    """Runs the command; its own words become the error."""
    command = [find_command(), *map(os.fspath, arguments)]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL,
                                capture_output=True, check=False)
    except OSError as error:
        raise Error(f"cannot run {command[0]}: {error}") from None
    if result.returncode:
        text = result.stderr.decode(errors="replace").strip()
        raise Error(text or f"{command[0]} ended with status {result.returncode}",
                    result.returncode, "command")
    return result.stdout.decode(errors="replace")


def _program(program, folder):
    """A path: of the file `program` names, or of one that holds its text."""
    if isinstance(program, os.PathLike) or "\n" not in program:
        return os.fspath(program)
    path = os.path.join(folder, "program.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    return path


def _sparse(sparse):
    return [item for name, pattern in (sparse or {}).items()
            for item in ("--sparse", f"{name}={pattern}")]


def compile(program, output, targets=("sm_90",), emit="bundle", sparse=None,
            weights=None, options=()):
    """Compiles `program`, a path or MLIR text, and returns `output`.

    `sparse`: argument to pattern, {"w": "2:4"}. `weights`: a .sfpk file, which
    marks the arguments it has matrices for and goes into a bundle. `options`: more
    arguments of `sparseflow compile`.
    """
    if isinstance(targets, str):
        targets = [targets]
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        _call(["compile", _program(program, folder), "--emit", emit, "-o", output,
               *(["--target", ",".join(targets)] if targets else []),
               *_sparse(sparse), *(["--weights", weights] if weights else []),
               *options])
    return output


def pack_file(source, output, include, exclude=None, dtype=None, prune=True,
              options=()):
    """Packs the matrices of a safetensors file whose names match `include`.

    Returns what `sparseflow pack` prints: the kept energy of each matrix.
    `options`: more arguments of it, such as ["--format", "ternary"].
    """
    return _call(["pack", source, "--include", include, "-o", output,
                  *(["--exclude", exclude] if exclude else []),
                  *(["--dtype", dtype] if dtype else []),
                  *([] if prune else ["--no-prune"]), *options])


def _refuse_random(report, options):
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


def run(program, arguments, sizes=None, entry=None, device="cpu", sparse=None,
        options=(), random=None):
    """Compiles and runs `program` (a path or MLIR text) on NumPy arrays.

    `arguments`: name or index to array; a PackedMatrix goes in as the dense matrix
    it holds, a TernaryCache, argument or result, as its values. bf16 arguments and results are bits (uint16). Returns the result, or
    a tuple of them. `options`: more arguments of `sparseflow run`. Arguments that
    are not given are an error, or, with a seed as `random`, random numbers.
    """
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        command = ["run", _program(program, folder), "--device", device,
                   *_sparse(sparse)]
        if entry:
            command += ["--entry", entry]
        for name, size in (sizes or {}).items():
            command += ["--dim", f"{name}={size}"]
        for index, (name, array) in enumerate(arguments.items()):
            if isinstance(array, TernaryMatrix):
                raise Error(f"argument {name} is a TernaryMatrix: give the .sfpk "
                            "file that holds it, options=[\"--weights\", FILE]")
            if isinstance(array, PackedMatrix):
                array = array.unpack()
            if isinstance(array, TernaryCache):
                array = array.values()
            path = os.path.join(folder, f"argument.{index}.npy")
            np.save(path, np.asarray(array, order="C"))
            command += ["--arg", f"{name}={path}"]
        options = list(options)
        if "--json" not in options:
            options += ["--json", os.path.join(folder, "report.json")]
        report = options[options.index("--json") + 1]
        if random is not None:
            options += ["--seed", str(random)]
        _call([*command, *options, "-o", os.path.join(folder, "result.npy")])
        if random is None:
            _refuse_random(report, options)
        single = os.path.join(folder, "result.npy")
        if os.path.exists(single):
            return np.load(single)
        results = []
        while os.path.exists(path := os.path.join(folder,
                                                  f"result.{len(results)}.npy")):
            results.append(np.load(path))
        return tuple(results)
