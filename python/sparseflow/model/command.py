# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the package's commands share: arguments, errors, a line of progress."""

from __future__ import annotations

import argparse
import io
import sys
from typing import Callable, List, Optional

from ..cpu import MOST_THREADS
from ..errors import Error
from .gpu.choice import choose_device, remark
from .model import Model


def run_command(main: Callable[[], None], options: Optional[argparse.Namespace] = None
                ) -> int:
    """Runs a command: an Error becomes a line and status 1. `options`: those of its own, of
    which --threads is checked before anything is made."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal may not have all characters of a text.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        threads = getattr(options, "threads", 0)
        if not 0 <= threads <= MOST_THREADS:
            raise Error(f"--threads: expected 0 to {MOST_THREADS}, found {threads}")
        main()
    except Error as error:
        progress_done()
        # Those of the `sparseflow` command begin with its name, or a place in a file.
        print(error if error.kind == "command" else f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 3
    return 0


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """The model, its device and threads."""
    parser.add_argument("model", metavar="M", help="the folder of a model, as "
                        "`sparseflow model import` writes it")
    parser.add_argument("--device", choices=("auto", "cpu", "sim", "cuda"), default="auto",
                        help="cuda: the GPU, with the bundle of `sparseflow model compile`; "
                        "cpu; sim: the GPU's kernels on the CPU, for a few tokens of a small "
                        "model; or auto: cuda where there are a GPU and kernels for it, else "
                        "cpu, and a remark says why (default)")
    parser.add_argument("--threads", type=int, default=0,
                        help="threads of the CPU (default: one a core)")


def load(options: argparse.Namespace) -> Model:
    """The model that add_model_options describe."""
    device = options.device
    if device == "auto":
        device, why = choose_device(options.model)
        remark(f"device {device}: {why}")
    return Model(options.model, device, options.threads)


def read_text(path: str) -> str:
    """A file of text in UTF-8."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise Error(f"{path}: cannot be read: {error}") from None


def parse_tokens(text: str, option: str = "--tokens") -> List[int]:
    """Numbers with commas or spaces between them, or none."""
    items = [item.split() for item in text.split(",")] if text.strip() else []
    try:
        # Between two commas, where nothing is, a number was lost.
        if not all(items):
            raise ValueError
        return [int(number) for item in items for number in item]
    except ValueError:
        raise Error(f"{option}: expected numbers with commas between them, found "
                    f"'{text}'") from None


def progress(what: str, done: float) -> None:
    """A bar on the standard error stream, where that is a terminal."""
    if sys.stderr.isatty():
        bar = "#" * int(20 * done)
        print(f"\r[{bar:20}] {100 * done:3.0f} % {what[-50:]:50}", end="",
              file=sys.stderr, flush=True)


def progress_done() -> None:
    """Removes the bar."""
    if sys.stderr.isatty():
        print("\r" + " " * 80 + "\r", end="", file=sys.stderr, flush=True)


def peak_memory() -> str:
    """The most memory that this process has had, such as "312 MiB"."""
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{peak:.0f} MiB"
