# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow model`: import, compile, memory, rotate, plan, compress and unpack a model.

    python -m sparseflow.model import DIR|FILE.gguf -o M
    python -m sparseflow.model compile M --target sm_90 [--cache int8]
    python -m sparseflow.model compile M --plan P --calibrate FILE [-o M2]
    python -m sparseflow.model memory M [--batch 16] [--keys 4096] [--target sm_90]
    python -m sparseflow.model rotate M -o M1 [--activations]
    python -m sparseflow.model plan M --budget perplexity=+5% --calibrate FILE -o P
    python -m sparseflow.model compress M --plan P --calibrate FILE -o M2
    python -m sparseflow.model unpack M2 -o M3
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from typing import Any, List, Mapping, Optional, Sequence

import numpy as np

from ..errors import Error
from .gpu.choice import gpu_context, remark
from .gpu.memory import memory_table
from .command import parse_tokens, progress, progress_done, read_text, run_command
from .compression.compressor import compress_model, unpack_model
from .importer import import_model
from .packed import compile_model
from .description import read_geometry, set_cache
from .geometry import CACHES
from .model import Model
from .compression.plan import Plan
from .compression.planner import Budget, make_plan, plan_text, preset_plan
from .compression.rotator import rotate_model
from .compression.stream import windows_of
from .tokenizer import Tokenizer
from .weights import PackedFile, open_weights


def _import(options: argparse.Namespace) -> None:
    for name in options.family:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise Error(f"--family: cannot import '{name}': {error}") from None
    geometry = import_model(options.source, options.output, options.dtype,
                            options.positions, options.quantized, progress)
    progress_done()
    weights = open_weights(options.output)
    size = os.path.getsize(weights.path)
    layouts = weights.layouts() if isinstance(weights, PackedFile) else []
    print(f"{options.output}: {geometry.family}, {geometry.layers} layers of "
          f"{geometry.hidden}, {geometry.heads}/{geometry.kv_heads} heads of "
          f"{geometry.head_dim}, feed-forward {geometry.inner}, vocabulary "
          f"{geometry.vocabulary}, {geometry.positions} positions, {size / 2**20:.1f} "
          f"MiB of weights in {geometry.dtype}"
          + (f" and, as in the checkpoint, {', '.join(layouts)}" if layouts else ""),
          flush=True)
    if options.quantized:
        names = [f"blk.{layer}.{name}" for layer in range(geometry.layers)
                 for name in geometry.matrices()]
        dense = sum(not (isinstance(weights, PackedFile) and weights.layout(name))
                    for name in names)
        if dense:
            print(f"note: --quantized keeps what a GGUF file has in Q4_0 or Q8_0; {dense} of "
                  f"{len(names)} matrices of layers are in other types, and became dense",
                  file=sys.stderr)
    if any(layout.startswith("tern") for layout in layouts):
        print("note: models are trained in trits with activations of 8 bits; on a GPU "
              "`sparseflow model compile --activations i8` rounds them so, f16, the default, "
              "does not", file=sys.stderr)
    if not os.path.exists(os.path.join(options.output, "tokenizer.json")):
        print("note: the checkpoint has no tokenizer that is understood; prompts are "
              "numbers of tokens", file=sys.stderr)


def _memory(options: argparse.Namespace) -> None:
    geometry = read_geometry(options.model)[0]
    keys = geometry.positions if options.keys is None else options.keys
    for name, value, most in (("batch", options.batch, 1 << 20),
                              ("keys", keys, geometry.positions),
                              ("chunk", options.chunk, 1 << 20)):
        if not 0 < value <= most:
            raise Error(f"--{name}: expected 1 to {most}, found {value}")
    print(memory_table(options.model, options.batch, keys, min(options.chunk, keys),
                       options.target))


def _target(options: argparse.Namespace) -> None:
    """Decides the target where none is named."""
    if options.target is None:
        context, why = gpu_context()
        options.target = "native" if context else "cpu"
        remark(f"target {options.target}: {why}")


def _compress_first(options: argparse.Namespace) -> None:
    """Makes the folder that a plan asks for, which is compiled then."""
    if options.plan is None:
        for name in ("output", "calibrate", "tokens"):
            if getattr(options, name) is not None:
                raise Error(f"--{name} belongs to --plan, which compresses the model first")
        return
    plan = Plan.read(options.plan)
    output = options.output or options.model.rstrip("/") + "-" + \
        os.path.splitext(os.path.basename(options.plan))[0]
    report = compress_model(options.model, plan, _windows(options), output,
                            threads=options.threads, progress=progress)
    progress_done()
    _say_bytes(output, report)
    options.model = output


def _compile(options: argparse.Namespace) -> None:
    _compress_first(options)
    _target(options)
    before = read_geometry(options.model)[0].cache
    if options.cache:
        set_cache(options.model, options.cache)
    try:
        _compile_folder(options)
    except BaseException:
        # A folder of another cache would refuse the bundle that it has.
        set_cache(options.model, before)
        raise


def _compile_folder(options: argparse.Namespace) -> None:
    begin = time.monotonic()
    if options.target == "cpu":
        if options.gpu or options.calibration or options.activations == "i8":
            raise Error("--gpu, --calibration and --activations i8 are about GPU kernels; "
                        "--target cpu has none")
        model = Model(options.model)
        del model
        print(f"{options.model}: compiles for this CPU in "
              f"{time.monotonic() - begin:.1f} s; nothing is kept, a run does it")
        return
    targets = options.target.split(",")
    output = os.path.join(options.model, "program.bundle")
    chosen = [f"--{name}={value}" for name in ("gpu", "calibration")
              if (value := getattr(options, name))]
    made = compile_model(options.model, targets, options.activations, chosen)
    if made.messages:
        print(made.messages, file=sys.stderr)
    print(f"{output}: {', '.join(targets)}, "
          f"{sum(len(kernels) for kernels in made.kernels.values())} kernels for all "
          f"layers in {time.monotonic() - begin:.1f} s")


def _encode(folder: str, path: str, window: int) -> List[int]:
    """The tokens of a file of text; for an encoder as texts of a window."""
    geometry, special = read_geometry(folder)
    tokenizer, text = Tokenizer(folder, special["begin"]), read_text(path)
    return tokenizer.pieces(text, window) if geometry.encoder else tokenizer.encode(text)


def _windows(options: argparse.Namespace) -> np.ndarray:
    """The texts that calibrate."""
    if options.calibrate is None and options.tokens is None:
        raise Error("expected a text that calibrates, --calibrate FILE or --tokens "
                    "NUMBERS")
    tokens = parse_tokens(options.tokens) if options.calibrate is None else \
        _encode(options.model, options.calibrate, options.window)
    return windows_of(tokens, options.window, options.windows,
                      options.calibrate or "--tokens")


def _plan(options: argparse.Namespace) -> None:
    if (options.budget is None) == (options.format is None):
        raise Error("expected either --budget, to measure, or --format, for all layers")
    if options.format is not None:
        geometry = read_geometry(options.model)[0]
        made = preset_plan(options.layers, options.format, geometry)
        made.choose(geometry)
    else:
        budget = Budget.parse(options.budget)
        windows = _windows(options)
        model = Model(options.model, threads=options.threads)
        made = make_plan(model, windows, budget, options.layers,
                         options.formats.split(","), options.sample, options.target,
                         options.rows, options.threads, progress, options.resume)
        progress_done()
    made.write(options.output)
    print(plan_text(made), flush=True)


def _say_bytes(output: str, report: Mapping[str, Any]) -> None:
    print(f"{output}: {report['bytes'] / 1e6:.2f} of {report['dense_bytes'] / 1e6:.2f} MB in "
          f"matrices of layers, {report['stored_bytes'] / 1e6:.2f} MB in the file", flush=True)


def _compress(options: argparse.Namespace) -> None:
    plan = Plan.read(options.plan)
    windows = _windows(options)
    held_out = None
    if options.text is not None:
        held_out = _encode(options.model, options.text, options.window)[:options.limit]
    elif options.text_tokens is not None:
        held_out = parse_tokens(options.text_tokens, "--text-tokens")[:options.limit]
    report = compress_model(options.model, plan, windows, options.output, options.resume,
                            held_out, options.target, options.rows, options.threads,
                            progress, options.near)
    progress_done()
    _say_bytes(options.output, report)
    if "perplexity" in report:
        found = report["perplexity"]
        print(f"perplexity {found['before']:.4f} before, {found['after']:.4f} after "
              f"({found['after'] / found['before'] - 1:+.2%}) over {found['tokens']} "
              "tokens", flush=True)
    if "cosine" in report:
        found = report["cosine"]
        print(f"cosine of embeddings with the dense model's: mean {found['mean']:.5f}, least "
              f"{found['least']:.5f} over {found['texts']} texts", flush=True)


def _unpack(options: argparse.Namespace) -> None:
    unpack_model(options.model, options.output)
    print(f"{options.output}: dense weights")


def _rotate(options: argparse.Namespace) -> None:
    rotate_model(options.model, options.output, options.seed, options.threads,
                 options.activations)
    block = read_geometry(options.output)[0].rotated
    print(f"{options.output}: the same model, its residual stream and heads' values rotated"
          + (f", and what down projections read, in blocks of {block}, at run time"
             if block else ""))


def _add_text(parser: argparse.ArgumentParser) -> None:
    """A model and the text that calibrates it."""
    parser.add_argument("model", metavar="M", help="the folder of a model")
    parser.add_argument("--calibrate", metavar="FILE",
                        help="a text in UTF-8: what the layers read on it is what counts")
    parser.add_argument("--tokens", metavar="N,N...", help="tokens instead of a text")
    parser.add_argument("--window", type=int, default=512, metavar="N",
                        help="tokens of a text that are read at once (default: 512)")
    parser.add_argument("--windows", type=int, default=32, metavar="N",
                        help="at most so many texts are read (default: 32)")
    parser.add_argument("--threads", type=int, default=0,
                        help="threads of the CPU (default: one a core)")


def _add_calibration(parser: argparse.ArgumentParser) -> None:
    """What plan and compress share."""
    _add_text(parser)
    parser.add_argument("--target", metavar="T",
                        help="a GPU for which times are predicted, such as sm_90")
    parser.add_argument("--rows", type=int, default=16, metavar="N",
                        help="tokens of a predicted matmul (default: 16)")


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
    imports.add_argument("--quantized", action="store_true",
                         help="keep matrices of layers that a GGUF file has in Q4_0 or Q8_0 "
                         "as int4 and int8, which kernels for GPUs read; without it they "
                         "become dense (those in trits stay so in any case)")
    imports.add_argument("--positions", type=int, metavar="N",
                         help="the longest text (default: the checkpoint's)")
    imports.add_argument("--family", action="append", default=[], metavar="MODULE",
                         help="a Python module that registers a Family of your own; "
                         "may be repeated")
    imports.set_defaults(run=_import)
    compiles = commands.add_parser(
        "compile", help="compile a model's program for GPUs, or try it for the CPU; with a "
        "plan, compress the model first")
    _add_text(compiles)
    compiles.add_argument("--plan", metavar="P", help="a plan of `sparseflow model plan`: "
                          "compress the model as it says, with a text that calibrates, into a "
                          "folder of its own, and compile that (`compress` has more options)")
    compiles.add_argument("-o", "--output", metavar="M2", help="with --plan: the folder to "
                          "make (default: M-P, the plan's name without its ending)")
    compiles.add_argument("--target", metavar="T[,T...]",
                          help="targets of sparseflow compile, native for this "
                          "machine's GPU, or cpu (default: native where there is a GPU, "
                          "else cpu, and a remark says so)")
    compiles.add_argument("--activations", choices=("f16", "i8"), default="f16",
                          help="what ternary weights are multiplied with: f16 (default), "
                          "or i8, a scale for each token")
    compiles.add_argument("--cache", choices=CACHES,
                          help="what keys and values are kept as from now on, on every "
                          "device: dense, as they are; int8 or e4m3, a scale for each "
                          "token and head; or int4, a scale for 32 features of one, with "
                          "queries and keys rotated, for heads of a power of two of "
                          "features, from 64 on (default: what the folder says)")
    compiles.add_argument("--gpu", metavar="NAME",
                          help="the GPU whose calibration decides schedules, as its driver "
                          "calls it (default: with --target native this machine's)")
    compiles.add_argument("--calibration", metavar="NAME|FILE",
                          help="h200, h100 or a file, whatever the GPU is")
    compiles.set_defaults(run=_compile)
    needs = commands.add_parser(
        "memory", help="say what a model needs: weights, keys and values, workspace")
    needs.add_argument("model", metavar="M", help="the folder of a model")
    needs.add_argument("--batch", type=int, default=1, metavar="N",
                       help="texts at once (default: 1)")
    needs.add_argument("--keys", type=int, metavar="N",
                       help="tokens of the longest text (default: the model's positions)")
    needs.add_argument("--chunk", type=int, default=512, metavar="N",
                       help="tokens of a prompt that are read at once (default: 512)")
    needs.add_argument("--target", metavar="T", help="also the workspace of the kernels that "
                       "the folder has for this target")
    needs.set_defaults(run=_memory)
    rotates = commands.add_parser(
        "rotate", help="fold random rotations into a llama's weights, so that rounding "
        "loses less")
    rotates.add_argument("model", metavar="M", help="the folder of a model, not compressed")
    rotates.add_argument("-o", "--output", metavar="M1", required=True,
                         help="the folder to make")
    rotates.add_argument("--activations", action="store_true",
                         help="rotate what down projections read, too: by an op of the "
                         "program, at run time")
    rotates.add_argument("--seed", type=int, default=1, metavar="N",
                         help="decides the rotation (default: 1)")
    rotates.add_argument("--threads", type=int, default=0,
                         help="threads of the CPU (default: one a core)")
    rotates.set_defaults(run=_rotate)
    plans = commands.add_parser(
        "plan", help="choose a format for each layer, by what it costs the model")
    _add_calibration(plans)
    plans.add_argument("-o", "--output", metavar="P", required=True,
                       help="the plan to write, a JSON file")
    plans.add_argument("--budget", metavar="B",
                       help="perplexity=+5%% (of an encoder: cosine=0.99), bytes=50%%, "
                       "bytes=80MB, time=70%% or time=400us")
    plans.add_argument("--format", metavar="F",
                       help="give all layers this format, without a measurement")
    plans.add_argument("--layers", default="all", metavar="L",
                       help="all, attention, ffn, names with commas between them, or a "
                       "regular expression of names (default: all)")
    plans.add_argument("--formats", default="6:8,int8,int4,2:4", metavar="F,F...",
                       help="what may be chosen beside dense (default: "
                       "6:8,int8,int4,2:4; also ternary, ternary2, 2:4+ternary)")
    plans.add_argument("--sample", type=int, default=1, metavar="N",
                       help="texts on which losses are measured (default: 1)")
    plans.add_argument("--resume", metavar="FILE",
                       help="keep what was measured here; go on from what is there, also "
                       "for another budget")
    plans.set_defaults(run=_plan)
    compresses = commands.add_parser(
        "compress", help="compress a model as a plan says")
    _add_calibration(compresses)
    compresses.add_argument("--plan", metavar="P", required=True, help="a plan")
    compresses.add_argument("-o", "--output", metavar="M2", required=True,
                            help="the folder to make")
    compresses.add_argument("--resume", metavar="DIR",
                            help="keep finished layers here until all is done, and go "
                            "on from those that are there")
    compresses.add_argument("--near", choices=("dense", "own"), default="dense",
                            help="whose outputs a matrix comes near: those that it has in "
                            "the dense model, or its own for what it now reads (default: "
                            "dense, where the text has ten tokens a column)")
    compresses.add_argument("--text", metavar="FILE",
                            help="a text for the perplexity before and after: not the "
                            "one that calibrates")
    compresses.add_argument("--text-tokens", metavar="N,N...",
                            help="tokens instead of that text")
    compresses.add_argument("--limit", type=int, metavar="N",
                            help="use its first N tokens only")
    compresses.set_defaults(run=_compress)
    unpacks = commands.add_parser(
        "unpack", help="make a compressed model's dense one again, as it now is")
    unpacks.add_argument("model", metavar="M2", help="the folder of a compressed model")
    unpacks.add_argument("-o", "--output", metavar="M3", required=True,
                         help="the folder to make")
    unpacks.set_defaults(run=_unpack)
    options = parser.parse_args(arguments)
    return run_command(lambda: options.run(options), options)


if __name__ == "__main__":
    sys.exit(main())
