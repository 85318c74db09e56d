#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of examples that take ternary and 2:4 weights or caches of few bits, on a GPU.

    gpu_examples.py --compile OUT [--target sm_90a]   bundles
    gpu_examples.py --run OUT [--repeat 50]           runs and checks them

The second half needs a driver, the runtime library and sparseflow-exec, and no compiler.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
import sparseflow as sf  # noqa: E402

EXAMPLES = ("bitnet", "bitnet_stack", "ffn", "int4_cache", "layer")


def compile_all(out, target):
    shutil.rmtree(out, ignore_errors=True)
    for name in EXAMPLES:
        sf.compile(str(ROOT / f"examples/{name}.mlir"), str(out / f"{name}.bundle"),
                   [target], options=["--activations", "i8"] if "bitnet" in name else [])
        print(name, flush=True)


def run_all(out, repeat, tool):
    """The number of functions that are wrong."""
    failed = 0
    # Random tables would let two sequences write into one page.
    written = out / "int4_cache"
    written.mkdir(exist_ok=True)
    subprocess.run([sys.executable, str(Path(__file__).with_name("int4_cache.py")),
                    str(written)], check=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "test/Inputs")})
    pages = ["--dim", "T1=10"]
    for argument in ("rotation", "n", "all", "table"):
        pages += ["--arg", f"{argument}={written}/{argument}.npy"]
    for name in EXAMPLES:
        bundle = out / f"{name}.bundle"
        for function in json.loads((bundle / "manifest.json").read_text())["functions"]:
            done = subprocess.run(
                [tool, str(bundle), "--entry", function["name"], "--check", "--repeat",
                 str(repeat), *(pages if name == "int4_cache" else [])],
                capture_output=True, text=True)
            failed += done.returncode != 0
            print(f"{name}, {function['name']}, {repeat} runs: "
                  f"{'right' if done.returncode == 0 else done.stdout + done.stderr}",
                  flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    half = parser.add_mutually_exclusive_group(required=True)
    half.add_argument("--compile", type=Path, metavar="OUT")
    half.add_argument("--run", type=Path, metavar="OUT")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--repeat", type=int, default=50)
    parser.add_argument("--tool", default=shutil.which("sparseflow-exec") or
                        str(ROOT / "build/release/bin/sparseflow-exec"))
    options = parser.parse_args()
    if options.compile:
        compile_all(options.compile, options.target)
        return 0
    failed = run_all(options.run, options.repeat, options.tool)
    print(f"{failed} wrong" if failed else "all right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
