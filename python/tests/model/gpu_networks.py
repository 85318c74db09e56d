#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of 1, 6 and 12 layers of random weights on a GPU.

    gpu_networks.py --compile OUT [--target sm_90a]   bundles
    gpu_networks.py --run OUT [--repeat 50]           runs and checks them

BERT, GPT-2 and llama with 256 features, and the programs of examples that take ternary
and 2:4 weights or caches of few bits. A network has to be within twice the error of
NumPy that rounds where the program does, its decoding by one token a step within as much
of the prompt's logits, and all repetitions have to agree in every bit. The second half
needs a driver, the runtime library and sparseflow-exec, and no compiler.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests"), str(HERE)]
import sparseflow as sf  # noqa: E402
from sparseflow.model import Model, import_model  # noqa: E402
from sparseflow.model.packed import compile_model  # noqa: E402
import test_encoder as bert  # noqa: E402
import tiny_models as tiny  # noqa: E402

LAYERS = (1, 6, 12)
EXAMPLES = ("bitnet", "bitnet_stack", "ffn", "int4_cache", "layer")
# Tokens of two texts, one more than a tile of any kernel and no multiple of anything.
TOKENS, WORDS = 37, 997


def resize(layers):
    """Gives the generators of checkpoints this many layers of 256 features."""
    tiny.HIDDEN, tiny.HEADS, tiny.KEY_HEADS, tiny.SIZE = 256, 4, 2, 64
    tiny.INNER, tiny.WORDS, tiny.LAYERS, tiny.POSITIONS = 688, WORDS, layers, 128
    bert.HIDDEN, bert.HEADS, bert.INNER = 256, 4, 1024
    bert.WORDS, bert.LAYERS, bert.POSITIONS = WORDS, layers, 128
    bert.CONFIG.update(hidden_size=256, num_attention_heads=4, intermediate_size=1024,
                       vocab_size=WORDS, num_hidden_layers=layers,
                       max_position_embeddings=128)


def networks(layers):
    """Family: weights, config.json, and the result of a text, exact and rounded."""
    llama = tiny.random_weights(layers, inner=tiny.INNER)
    gpt2, encoder = tiny.gpt2_weights(layers), bert.random_weights(layers)
    return {
        "llama": (llama, tiny.config(), tiny.Reference(llama).logits,
                  tiny.Reference(llama, "f16").logits),
        "gpt2": (gpt2, tiny.gpt2_config(), lambda text: tiny.gpt2_logits(gpt2, text),
                 lambda text: tiny.gpt2_logits(gpt2, text, "f16")),
        "bert": (encoder, bert.CONFIG, lambda text: bert.embedding(encoder, text), None)}


def import_network(folder, weights, config):
    """Writes a model's folder, without its bundle."""
    with tempfile.TemporaryDirectory() as source:
        tiny.write_folder(f"{source}/hf", weights, config)
        import_model(f"{source}/hf", str(folder))


def compile_all(out, target):
    shutil.rmtree(out, ignore_errors=True)
    resize(1)
    for family, (weights, config, _, _) in networks(1).items():
        # Layers are calls of one function, so any number of them takes this bundle.
        import_network(out / family, weights, config)
        compile_model(str(out / family), [target])
        (out / family / "program.bundle").rename(out / f"{family}.bundle")
        shutil.rmtree(out / family)
        print(family, flush=True)
    for name in EXAMPLES:
        sf.compile(str(ROOT / f"examples/{name}.mlir"), str(out / f"{name}.bundle"),
                   [target], options=["--activations", "i8"] if "bitnet" in name else [])
        print(name, flush=True)


def run_network(folder, texts, exact, plain, repeat):
    """What is wrong with a network, or an empty text, and its errors by the bound."""
    model = Model(str(folder), "cuda")
    exact = np.stack([exact(text) for text in texts])
    if model.geometry.encoder:
        results = [model.embed(texts) for _ in range(repeat)]
        # Each of some thirty roundings to f16 a layer is at most 2^-11 of a value.
        bound = 2e-3 * np.sqrt(model.geometry.layers)
    else:
        results = [model.forward(texts, model.cache(len(texts)), last=False)
                   for _ in range(repeat)]
        bound = 2 * np.linalg.norm(np.stack([plain(text) for text in texts]) - exact)
    wrong = []
    differ = sum(not np.array_equal(result, results[0]) for result in results)
    if differ:
        wrong.append(f"{differ} of {repeat} runs differ from the first one")
    errors = [np.linalg.norm(results[0] - exact) / bound]
    if not model.geometry.encoder:
        cache = model.cache(len(texts))
        steps = np.concatenate([model.forward(texts[:, [t]], cache)
                                for t in range(texts.shape[1])], axis=1)
        errors.append(np.linalg.norm(steps - exact) / bound)
    # A NaN is no error below 1.
    wrong += [f"{what}: {error:.2f} of the bound"
              for what, error in zip(("texts", "steps"), errors) if not error < 1]
    return "; ".join(wrong), errors


def run_networks(out, repeat):
    """The number of those that are wrong."""
    texts = np.random.default_rng(1).integers(0, WORDS, (2, TOKENS)).astype(np.int32)
    failed = 0
    for layers in LAYERS:
        resize(layers)
        for family, (weights, config, exact, plain) in networks(layers).items():
            with tempfile.TemporaryDirectory() as folder:
                import_network(f"{folder}/m", weights, config)
                shutil.copytree(out / f"{family}.bundle", f"{folder}/m/program.bundle")
                wrong, errors = run_network(f"{folder}/m", texts, exact, plain, repeat)
            failed += bool(wrong)
            shares = ", ".join(f"{error:.2f}" for error in errors)
            print(f"{family}, {layers} layers, {repeat} runs: {wrong or 'right'} "
                  f"({shares} of the bound)", flush=True)
    return failed


def run_examples(out, repeat, tool):
    """The number of functions that are wrong."""
    failed = 0
    # Random tables would let two sequences write into one page.
    written = out / "int4_cache"
    written.mkdir(exist_ok=True)
    inputs = ROOT / "test/Examples/Inputs/int4_cache.py"
    subprocess.run([sys.executable, str(inputs), str(written)], check=True,
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
    failed = run_networks(options.run, options.repeat) + \
        run_examples(options.run, options.repeat, options.tool)
    print(f"{failed} wrong" if failed else "all right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
