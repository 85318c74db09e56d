# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m sparseflow.onnx convert MODEL.onnx -o SPARSE.onnx"""

from __future__ import annotations

import argparse
import sys
from typing import Optional, Sequence

from ..errors import Error
from .convert import convert


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m sparseflow.onnx", description=
                                     "ONNX models with packed weights.")
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("convert", help="put packed products in place of MatMul and "
                               "Gemm with constant weights")
    made.add_argument("model", metavar="MODEL.onnx")
    made.add_argument("-o", "--output", metavar="FILE.onnx", required=True)
    made.add_argument("--format", choices=("2:4", "ternary"), default="2:4",
                      help="of the weights (default: 2:4)")
    made.add_argument("--include", metavar="REGEX",
                      help="convert nodes whose name, or whose weight's, matches (default: "
                      "all)")
    made.add_argument("--exclude", metavar="REGEX", help="leave nodes that match")
    made.add_argument("--no-prune", dest="prune", action="store_false",
                      help="refuse weights that are not 2:4 instead of pruning them")
    made.add_argument("--layout", choices=("tern.v1", "tern24.v1"),
                      help="of ternary weights (default: tern.v1)")
    made.add_argument("--activations", choices=("i8", "f16"), default="i8",
                      help="what ternary weights are multiplied with (default: i8)")
    made.add_argument("--target", metavar="T[,T...]", default="",
                      help="GPUs to compile for, such as sm_90a (default: none; the "
                      "bundles are for the CPU)")
    made.add_argument("--bundles", metavar="DIR",
                      help="the folder of bundles to make (default: FILE.onnx.bundles)")
    options = parser.parse_args(arguments)
    try:
        report = convert(options.model, options.output, options.format, options.include,
                         options.exclude, options.prune, options.layout,
                         options.activations, targets=[t for t in options.target.split(",")
                                                       if t],
                         bundles=options.bundles)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report)
    count = sum(bool(decision.to) for decision in report.decisions)
    print(f"{options.output}: {count} of {len(report.decisions)} products converted; bundles "
          f"in {report.bundles}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
