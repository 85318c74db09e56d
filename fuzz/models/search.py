"""The command: random models, one after the other. Behind scripts/fuzz-models."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np

import broken
import draw
import folders
import gguf
from harness import ROOT, commit, tools
from reference import Reference
from rounding import RUNS, Rounding


def allowed(exact, rounded):
    """What a result may be off by, of which plain runs are `rounded` off: twice that, and what sums
    of float32 are, where nothing else is rounded."""
    return 2 * rounded + 1e-5 * np.linalg.norm(exact) + 1e-6


class Case:
    """A random model in a folder: `source`, and what it means."""

    def __init__(self, seed, folder, kind=None, family=None):
        self.rng, self.folder = random.Random(f"sparseflow models 2: {seed}"), folder
        self.m = draw.make(self.rng, kind, family)
        self.weights, self.said = draw.weights(self.m), []
        self.members, self.stored = {}, {}
        if self.m.kind == "gguf":
            self.members = gguf.metadata_of(self.m, self.rng)
            self.tensors = gguf.tensors_of(self.m, self.weights)
        else:
            self.members, self.tensors = folders.contents(self.m, self.weights, self.rng)

    def write(self, name, members=None, tensors=None):
        """The checkpoint, or a changed one; its path."""
        path = os.path.join(self.folder, name)
        members = self.members if members is None else members
        tensors = self.tensors if tensors is None else tensors
        if self.m.kind == "gguf":
            gguf.write(path, members, tensors, self.rng)
        else:
            folders.write(path, self.m, members, tensors, self.rng)
        return path

    def bounds(self, call, kernels):
        """What `call` of a Reference gives in float64, and how far rounding takes it."""
        if not self.stored:
            # Vectors are stored in float32, which holds them.
            near = Rounding(self.m.dtype, 0).near
            self.stored = {name: near(value.astype(np.float32))[0] if value.ndim == 2 else value
                           for name, value in self.weights.items()}
            self.weights = {name: value.astype(np.float64) for name, value in self.weights.items()}
        with np.errstate(all="ignore"):
            exact = call(Reference(self.m, self.weights))
            runs = [call(Reference(self.m, self.stored, Rounding(self.m.dtype, run), kernels))
                    for run in range(RUNS)]
        return exact, max(np.linalg.norm(found - exact) for found in runs)

    def near(self, what, found, call, rows=slice(None), kernels=False):
        """An error unless `found` is what `call` of a reference gives, but for rounding, that
        of `kernels` where it is theirs."""
        exact, bound = self.bounds(lambda reference: call(reference)[rows], kernels)
        if found.shape != exact.shape:
            raise AssertionError(f"{what}: expected {exact.shape}, found {found.shape}")
        error = np.linalg.norm(found - exact)
        if not error <= allowed(exact, bound):
            raise AssertionError(f"{what}: off by {error:.3g}, where rounding takes it "
                                 f"{bound:.3g} and the numbers are {np.linalg.norm(exact):.3g}")

    def ids(self, *shape):
        return np.array([self.rng.randrange(self.m.vocabulary)
                         for _ in range(int(np.prod(shape)))], np.int32).reshape(shape)

    def check(self, sf):
        """Imports the model and asks it what the reference knows."""
        model = sf.model
        made = os.path.join(self.folder, "made")
        model.import_model(self.write("source"), made, self.m.dtype, self.m.cut,
                           self.m.kind == "gguf" and self.rng.random() < .5)
        model.description.set_cache(made, self.m.cache)
        loaded = model.Model(made, threads=1)
        limit = self.m.cut or self.m.positions
        if self.m.encoder:
            self.encoder(loaded, limit)
        else:
            self.decoder(loaded, limit)
        # Of the kernels of a small one, a few tokens.
        if self.m.layers * max(self.m.hidden, self.m.inner) <= 128 and self.rng.random() < .3:
            kernels = model.Model(made, "sim")
            if self.m.encoder:
                self.encoder(kernels, min(limit, 4), True)
            else:
                self.step(loaded, kernels, min(limit, 4))

    def encoder(self, model, limit, kernels=False):
        longest = self.rng.randrange(1, limit + 1)
        lengths = [self.rng.randrange(1, longest + 1) for _ in range(self.rng.choice([1, 2, 3]))]
        texts = self.ids(len(lengths), longest)
        found = model.embed(texts, lengths)
        for text, length, row in zip(texts, lengths, found):
            self.near(f"{length} of {longest} tokens", row,
                      lambda reference: reference.embedding(text[:length]), kernels=kernels)

    def step(self, model, kernels, limit):
        """Some tokens, and one behind those of the CPU device."""
        text, cache = self.ids(self.rng.randrange(1, limit + 1)), model.cache()
        found = kernels.forward([text], kernels.cache(), last=False)[0]
        self.near("kernels", found, lambda reference: reference.logits(text), kernels=True)
        if len(text) > 1:
            model.forward([text[:-1]], cache)
            self.near("a step of kernels", kernels.forward([text[-1:]], cache)[0],
                      lambda reference: reference.logits(text), slice(-1, None), True)

    def decoder(self, model, limit):
        text = self.ids(self.rng.randrange(1, min(limit, 40) + 1))
        whole = lambda reference: reference.logits(text)
        self.near("prefill", model.forward([text], model.cache(), last=False)[0], whole)
        cache, at, parts = model.cache(), 0, []
        while at < len(text):
            end = at + self.rng.choice([1, 1, 2, 5, 9])
            parts.append(model.forward([text[at:end]], cache, last=False)[0])
            at = end
        self.near("pieces", np.concatenate(parts), whole)
        if limit > 1 and list(model.generate(text[:1].tolist(), 1)) != \
                [int(np.argmax(model.forward([text[:1]], model.cache())[0, -1]))]:
            raise AssertionError("generate: expected the likeliest token")
        # Texts of several lengths: a longer one was in the place of each.
        batch = self.rng.choice([2, 3])
        longest = min(limit, 12) - 1
        if longest < 1:
            return
        texts, cache = self.ids(batch, longest + 1), model.cache(batch)
        model.forward(texts[:, :longest], cache)
        lengths = [self.rng.randrange(0, longest + 1) for _ in range(batch)]
        cache.lengths = np.array(lengths, np.int32)
        step = np.array([[text[length]] for text, length in zip(texts, lengths)], np.int32)
        found = model.forward(step, cache)
        for text, length, row in zip(texts, lengths, found):
            self.near(f"text of {length} and one", row,
                      lambda reference: reference.logits(text[:length + 1]), slice(-1, None))


def ask(seed, options, sf):
    """The text of a failure, or None."""
    folder = tempfile.mkdtemp(prefix="sparseflow-models-")
    case = None
    try:
        case = Case(seed, folder, options.kind, options.family)
        if not options.broken_only:
            case.check(sf)
        broken.check(case, sf, options.broken)
        if options.say:
            print("\n".join(f"{seed}: {what}: {text}" for what, text in case.said), flush=True)
    except Exception as error:  # Whatever it is, it is what the search is for.
        kept = Path(options.keep) / str(seed).replace("/", "-")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        what = {name: value for name, value in (vars(case.m) if case else {}).items()
                if name not in ("frequencies", "order")}
        return (f"{seed}, {type(error).__name__}: {error}\n"
                + (traceback.format_exc() if options.trace else "")
                + f"  {what}\n  kept: {kept}\n  Again: scripts/fuzz-models --trace --replay {seed}"
                + "".join(f" --{name} {value}" for name in ("kind", "family", "broken")
                          if (value := getattr(options, name)) is not None))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def main(description):
    parser = argparse.ArgumentParser(prog="scripts/fuzz-models", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="models (20)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--seed", default=commit(), help="of the search (the commit)")
    parser.add_argument("--replay", nargs="+", metavar="SEED", help="these models alone")
    parser.add_argument("--family", choices=sorted({*draw.FAMILIES, *draw.GGUF}))
    parser.add_argument("--kind", choices=("hf", "gguf"), help="of checkpoint")
    parser.add_argument("--broken", type=int, default=10, help="broken files for a model (10)")
    parser.add_argument("--broken-only", action="store_true", help="compute nothing")
    parser.add_argument("--say", action="store_true", help="what broken files are told")
    parser.add_argument("--trace", action="store_true", help="where a failure comes from")
    parser.add_argument("--seconds", type=float, help="begin none after so many seconds")
    parser.add_argument("--keep", default=str(ROOT / "build/fuzz-models"), metavar="DIR",
                        help="where failures go (build/fuzz-models)")
    parser.add_argument("--tools", metavar="DIR", help="the folder of sparseflow")
    options = parser.parse_args()
    os.environ["PATH"] = os.pathsep.join([str(tools(options.tools)), os.environ["PATH"]])
    sys.path.insert(0, str(ROOT / "python"))
    import sparseflow as sf
    import sparseflow.model  # noqa: F401
    start, failed, done = time.monotonic(), 0, 0
    for seed in options.replay or [f"{options.seed}/{n}" for n in
                                   range(options.first, options.first + options.count)]:
        if options.seconds and time.monotonic() - start > options.seconds:
            break
        found, done = ask(seed, options, sf), done + 1
        if found:
            failed += 1
            print("FAILED", found, flush=True)
    print(f"{done - failed} models agree, {failed} failed, in "
          f"{time.monotonic() - start:.0f} s, seed {options.seed}")
    return 4 if failed or not done else 0
