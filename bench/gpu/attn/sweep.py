"""The sweep of `scripts/bench attention --sweep`: points drawn at random and a fixed list,
each checked against float64 and timed in turn with PyTorch's back ends."""

import itertools
import json
import os
import sys
import time
from datetime import datetime, timezone

from attn import beside, bench, bound, exact, points, served, sweep_table
from common import machine, tree

ROTATED = 160 << 20  # bytes that a graph reads before it reads them again
COPIES = 48          # at most so many, of small operands


def compile_all(options):
    jobs = [("speed", point.name, point.text())
            for point in points.points(options.seed, options.points)
            if options.only in f"{point.part} {point.name}"]
    # A ragged point stands beside one of equal lengths.
    known = {name for _, name, _ in jobs}
    jobs += [("speed", point.alike().name, point.alike().text())
             for point in points.listed()
             if point.name in known and point.alike().name not in known]
    jobs = list({name: (kind, name, text) for kind, name, text in jobs}.values())
    return bench.compile_jobs(options, "attention-sweep", jobs)


class Operands:
    """Sets of q, k, v of a point as its libraries take them, all random."""

    def __init__(self, torch, point, seed):
        generator = torch.Generator("cuda").manual_seed(seed)

        def normal(heads, length):
            return torch.randn((point.batch, heads, length, point.d), device="cuda",
                               generator=generator, dtype=torch.float16)
        caches = 1 if point.latent else 2
        size = 2 * point.batch * point.d * (
            2 * point.heads * point.queries + caches * point.key_heads * point.keys)
        count = max(1, min(COPIES, ROTATED // size + 1))

        def one():
            q, k = normal(point.heads, point.queries), normal(point.key_heads, point.keys)
            return q, k, (k[..., :point.latent] if point.latent else
                          normal(point.key_heads, point.keys))
        self.sets = [one() for _ in range(count)]


def paged(torch, point, tensor, table):
    """Keys or values [B, G, S, D] in the pages that `table` says."""
    padded = torch.nn.functional.pad(
        tensor, (0, 0, 0, point.columns() * point.page - point.keys))
    split = padded.view(point.batch, point.key_heads, point.columns(), point.page,
                        point.d).transpose(1, 2)
    pages = torch.full((point.pages(), point.key_heads, point.page, point.d), float("nan"),
                       dtype=tensor.dtype, device="cuda")
    for entry, length in enumerate(point.lengths()):
        count = -(-length // point.page)
        pages[table[entry, :count].long()] = split[entry, :count]
    return pages


def following(torch, tensor, counts, last=False):
    """The first `counts` rows, or the last ones, of each entry of [B, H, S, D] one behind the
    other: [1, tokens, H, D]."""
    rows = [entry[:, entry.shape[1] - count:] if last else entry[:, :count]
            for entry, count in zip(tensor, counts)]
    return torch.cat(rows, 1).transpose(0, 1).contiguous().unsqueeze(0)


def padded(torch, point, y):
    """The results of such queries where entries of as many queries have them: [B, H, S, D],
    zeros in front."""
    full = torch.zeros((point.batch, point.heads, point.queries, point.values),
                       dtype=y.dtype, device="cuda")
    rows = y[0].transpose(0, 1).split(point.chunks(), 1)
    for entry, found in zip(full, rows):
        entry[:, point.queries - found.shape[1]:] = found
    return full


class Sweep:
    """Points of one kind, kept in a file as they come; `drawn` are all of them."""

    KIND, line = "attention-sweep", staticmethod(sweep_table.line)
    SERVED = True  # Beside kernels of servers, where they are installed.

    def __init__(self, options, index, drawn):
        import torch
        sys.path.insert(0, str(tree.ROOT / "python"))
        import sparseflow
        from sweep import Contender, in_turns
        self.contender, self.in_turns = Contender, in_turns
        self.torch, self.sf, self.options = torch, sparseflow, options
        self.points = [point for point in drawn
                       if options.only in f"{point.part} {point.name}"]
        self.context = sparseflow.Context()
        self.entries = {entry["name"]: entry for entry in index["programs"]
                        if "error" not in entry}
        self.path = options.results / f"{self.KIND}-{index['target']}.json"
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": self.KIND,
            "commit": index["commit"], "target": index["target"], "seed": options.seed,
            "machine": {}, "calls": [], "rows": []}
        if self.path.is_file() and not options.fresh:
            before = json.loads(self.path.read_text())
            if all(before.get(name) == self.results[name]
                   for name in ("kind", "commit", "target", "seed")):
                self.results = before

    def save(self):
        self.options.results.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        part.write_text(sweep_table.dump(self.results))
        os.replace(part, self.path)

    def launcher(self, program, sets, more, y):
        """(launch, workspace) of a program: launch(i) with the i-th of `sets` and `more`."""
        function = self.sf.Bundle(
            self.options.run / self.entries[program]["bundle"]).on_gpu(self.context)
        space = self.torch.empty(max(function.workspace_size({}), 1), dtype=self.torch.uint8,
                                 device="cuda")
        return (lambda copy: function.launch(
            [*sets[copy], *more], [y], (space.data_ptr(), space.numel()),
            self.torch.cuda.current_stream().cuda_stream)), space

    def add_libraries(self, point, sets, expected, contenders, checked):
        """Adds the libraries that take a point on `sets` of q, k and v; {name: why} of those
        that refuse it."""
        refused = {}
        for name, run in beside.libraries(self.torch, point).items():
            try:
                checked[name] = expected.check(run(*sets[0]))
                contender = self.contender(
                    self.torch, lambda copy, run=run: run(*sets[copy]), len(sets))
                contender.capture()
            except (RuntimeError, TypeError) as error:
                refused[name] = str(error).splitlines()[0][:200]
                checked.pop(name, None)
                continue
            contenders[name] = contender
        return refused

    def laid(self, point, operands):
        """The operands as our program of a point takes them."""
        torch = self.torch
        found = served.Laid(point, operands.sets)
        if point.ragged or point.page:
            found.lengths = torch.tensor(point.lengths(), dtype=torch.int32, device="cuda")
        if point.page:
            order = torch.randperm(point.pages(), device="cuda", dtype=torch.int32)
            # Numbers that are no page, where none is to be read.
            table = torch.full((point.batch, point.columns()), served.NO_PAGE,
                               dtype=torch.int32, device="cuda")
            used = 0
            for entry, length in enumerate(point.lengths()):
                count = -(-length // point.page)
                table[entry, :count] = order[used:used + count]
                used += count
            found.sets = [(q, paged(torch, point, k, table), paged(torch, point, v, table))
                          for q, k, v in found.sets]
            found.table = table
        if point.varlen:
            bounds = [0, *itertools.accumulate(point.chunks())]
            found.bounds = torch.tensor(bounds, dtype=torch.int32, device="cuda")
            lengths = point.lengths()
            found.sets = [(following(torch, q, point.chunks(), last=True),
                           *(x.transpose(1, 2).contiguous() if point.page else
                             following(torch, x, lengths) for x in (k, v)))
                          for q, k, v in found.sets]
        if point.latent:  # The program has no operand for values.
            found.sets = [(q, k) for q, k, _ in found.sets]
        return found

    def ours(self, point, laid):
        """(contender, result) of our kernels, launched once; the result is poisoned before."""
        torch, sets = self.torch, laid.sets
        more = [laid.lengths] if laid.lengths is not None else []
        more += [laid.table] if point.page else []
        if point.varlen:
            more = [*more, laid.bounds] if point.page else [laid.bounds]
        y = torch.full((*sets[0][0].shape[:-1], point.values), float("nan"),
                       dtype=torch.float16, device="cuda")
        launch, _ = self.launcher(point.name, sets, more, y)
        launch(0)
        torch.cuda.synchronize()
        if point.varlen:
            return self.contender(torch, launch, len(sets)), padded(torch, point, y)
        return self.contender(torch, launch, len(sets)), y

    def add_peers(self, laid, expected, contenders, checked):
        """Adds the kernels of servers that are installed, the fastest way of each; {name: how
        it is called}, {name: why} of those that refuse the point."""
        torch, point, ways, refused = self.torch, laid.point, {}, {}
        for peer in self.peers:
            try:
                found = {}
                for how, run in peer.runs(torch, laid).items():
                    contender = self.contender(torch, run, len(laid.sets))
                    contender.capture()
                    for _ in range(3):
                        contender.replay()
                    found[how], contender.times = (min(contender.times), contender, run), []
                if not found:
                    continue
                ways[peer.NAME] = min(found, key=lambda how: found[how][0])
                _, contenders[peer.NAME], run = found[ways[peer.NAME]]
                y = run(0)
                checked[peer.NAME] = expected.check(
                    padded(torch, point, y) if point.varlen else y)
            except Exception as error:  # One peer must not stop the others.
                contenders.pop(peer.NAME, None)
                ways.pop(peer.NAME, None)
                refused[peer.NAME] = machine.why(error)
        return ways, refused

    def point(self, point):
        """The row of a point."""
        torch = self.torch
        seed = self.options.seed * 1000003 + len(self.results["rows"])
        operands = Operands(torch, point, seed)
        expected = exact.Expected(torch, point, *operands.sets[0])
        contenders, checked = {}, {}
        laid = self.laid(point, operands)
        contenders["ours"], y = self.ours(point, laid)
        checked["ours"] = expected.check(y.clone())
        ways, refused = self.add_peers(laid, expected, contenders, checked)
        alike = point.alike()
        if alike != point:
            operands = Operands(torch, alike, seed + 1)
            expected = exact.Expected(torch, alike, *operands.sets[0])
            if alike.name in self.entries:
                contenders["ours, equal lengths"], y = self.ours(
                    alike, self.laid(alike, operands))
                checked["ours, equal lengths"] = expected.check(y.clone())
        refused.update(self.add_libraries(alike, operands.sets, expected, contenders, checked))
        del expected
        flops = 2 * point.batch * point.heads * point.queries * point.keys * (
            point.d + point.values)
        plain = (self.plain.contenders(flops, [k for _, k, _ in operands.sets])
                 if self.plain and point.latent else {})
        self.in_turns([*contenders.values(), *plain.values()], self.options.rounds)
        return {"name": point.name, "part": point.part, "form": point.form,
                "batch": point.batch, "heads": point.heads, "key_heads": point.key_heads,
                "queries": point.queries, "keys": point.keys, "d": point.d,
                "work": point.work(), "work_beside": alike.work(),
                "us": {name: contender.result() for name, contender in contenders.items()},
                "right": {name: right for name, (right, _) in checked.items()},
                "relative_error": {name: error for name, (_, error) in checked.items()},
                **({"flops": flops} if point.latent else {}),
                **({"plain": bound.times(plain)} if plain else {}),
                **({"ways": ways} if ways else {}),
                **({"refused": refused} if refused else {}),
                "kernels": self.entries[point.name].get("ptxas", [])}

    def has(self, point):
        return point.name in self.entries

    def run(self):
        torch, options = self.torch, self.options
        described = machine.describe()
        described["versions"]["torch"] = torch.__version__
        described["versions"]["cudnn"] = str(torch.backends.cudnn.version())
        self.results["machine"] = described
        start = time.monotonic()
        call = {"started": datetime.now(timezone.utc).isoformat(timespec="seconds")}
        self.results["calls"].append(call)
        self.plain = None
        self.peers, call["peers"] = served.all_installed(torch) if self.SERVED else ([], {})
        if any(point.latent for point in self.points):
            try:
                self.plain = bound.Plain(torch, self.results["target"], self.contender)
            except RuntimeError as error:
                call["plain"] = str(error)
                print(f"no plain kernels: {error}", flush=True)
        done, late = {row["name"] for row in self.results["rows"]}, 0
        with machine.Clocks() as clocks:
            for point in self.points:
                if point.name in done or not self.has(point):
                    continue
                if options.left() < 15:
                    late += 1
                    continue
                done.add(point.name)
                try:
                    row = self.point(point)
                except Exception as error:  # One point must not stop the others.
                    call.setdefault("errors", []).append(
                        f"{point.name}: {type(error).__name__}: {error}"[:400])
                    print(call["errors"][-1], flush=True)
                    continue
                finally:
                    torch.cuda.empty_cache()
                self.results["rows"].append(row)
                print(self.line(row), flush=True)
                self.save()
        call["clocks"] = clocks.summary
        call["seconds"] = round(time.monotonic() - start, 1)
        self.save()
        return late


def measure(options, index, results):
    sweep = Sweep(options, index, points.points(options.seed, options.points))
    late = sweep.run()
    rows = sweep.results["rows"]
    wrong = [row["name"] for row in rows
             if not all(right for name, right in row["right"].items()
                        if name.startswith("ours"))]
    sweep_table.write(sweep.results, options.results, sweep.path.stem)
    for name in wrong:
        print(f"WRONG {name}")
    results["checks"], results["speed"] = rows, rows
    for text in sweep_table.summary(sweep.results):
        print(text)
    print(f"{late} points left for another call")
    return len(wrong)
