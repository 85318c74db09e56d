# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow model`: import a checkpoint, compile a model.

    python -m sparseflow.model import DIR|FILE.gguf -o M
    python -m sparseflow.model compile M --target sm_90
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from typing import Optional, Sequence

from ..cli import compile as compile_program
from ..errors import Error
from .command import progress, progress_done, run_command
from .importer import import_model
from .model import Model


def _import(options: argparse.Namespace) -> None:
    for name in options.family:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise Error(f"--family: cannot import '{name}': {error}") from None
    geometry = import_model(options.source, options.output, options.dtype,
                            options.positions, progress)
    progress_done()
    size = os.path.getsize(os.path.join(options.output, "weights.safetensors"))
    print(f"{options.output}: {geometry.family}, {geometry.layers} layers of "
          f"{geometry.hidden}, {geometry.heads}/{geometry.kv_heads} heads of "
          f"{geometry.head_dim}, feed-forward {geometry.inner}, vocabulary "
          f"{geometry.vocabulary}, {geometry.positions} positions, {size / 2**20:.1f} "
          f"MiB of weights in {geometry.dtype}", flush=True)
    if not os.path.exists(os.path.join(options.output, "tokenizer.json")):
        print("note: the checkpoint has no tokenizer that is understood; prompts are "
              "numbers of tokens", file=sys.stderr)


def _compile(options: argparse.Namespace) -> None:
    begin = time.monotonic()
    if options.target == "cpu":
        model = Model(options.model)
        del model
        print(f"{options.model}: compiles for this CPU in "
              f"{time.monotonic() - begin:.1f} s; nothing is kept, a run does it")
        return
    targets = options.target.split(",")
    output = os.path.join(options.model, "program.bundle")
    made = compile_program(os.fspath(os.path.join(options.model, "program.mlir")),
                           output, targets)
    print(f"{output}: {', '.join(targets)}, "
          f"{sum(len(kernels) for kernels in made.kernels.values())} kernels for all "
          f"layers in {time.monotonic() - begin:.1f} s")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        prog="sparseflow model", description="From a checkpoint to a model's folder, "
        "and to kernels.")
    commands = parser.add_subparsers(dest="command", required=True)
    imports = commands.add_parser(
        "import", help="make a model's folder of a checkpoint")
    imports.add_argument("source", metavar="DIR|FILE.gguf",
                         help="a Hugging Face folder (config.json, safetensors) or a "
                         "GGUF file")
    imports.add_argument("-o", "--output", metavar="M", required=True,
                         help="the folder to make")
    imports.add_argument("--dtype", choices=("f16", "bf16"), default="f16",
                         help="type of matrices and activations (default: f16)")
    imports.add_argument("--positions", type=int, metavar="N",
                         help="the longest text (default: the checkpoint's)")
    imports.add_argument("--family", action="append", default=[], metavar="MODULE",
                         help="a Python module that registers a Family of your own; "
                         "may be repeated")
    imports.set_defaults(run=_import)
    compiles = commands.add_parser(
        "compile", help="compile a model's program for GPUs, or try it for the CPU")
    compiles.add_argument("model", metavar="M", help="the folder of a model")
    compiles.add_argument("--target", metavar="T[,T...]", required=True,
                          help="targets of sparseflow compile, or cpu")
    compiles.set_defaults(run=_compile)
    options = parser.parse_args(arguments)
    return run_command(lambda: options.run(options))


if __name__ == "__main__":
    sys.exit(main())
