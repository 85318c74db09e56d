#!/usr/bin/env python3
"""The best time of each case of bench/results, by commit; and what became slower.

    scripts/bench leaderboard               adds what the results of DIR say
    scripts/bench leaderboard --check FILE  of `scripts/bench sweep --run OUT --before OTHER`:
                                            names what became more than 3 % slower; exit
                                            code 4 if anything did

A board that is warm, or under another power limit, is slower by more than a commit is:
times of two runs are no judgement. The second form compares two commits that took turns
in one run.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

from common.table import write_whole
from layers.table import BEFORE
from matmul import compare_table, ternary_table

ROOT = Path(__file__).resolve().parents[2]
NAME = "leaderboard.json"
FORMAT = {"format": "sparseflow-leaderboard", "version": 1}
SLOWER = 1.03  # What interleaved times of one kernel differ by, and half as much again.


class Refused(Exception):
    """Files that are not as expected."""


def sweep(results):
    for row in results["rows"]:
        for kind, times in row["us"].items():
            if row.get("right", {}).get(kind) and not kind.endswith(BEFORE):
                yield f"{row['key']} {kind}", times["median"]


def compared(results):
    for row in results["rows"]:
        for name in ("sparseflow 2:4", "sparseflow dense"):
            if found := compare_table.best(row, name):
                yield f"{row['key']} {name.split()[1]}", found["median_us"]


def ternary(results):
    for row in results["rows"]:
        for name in ternary_table.KINDS:
            if found := ternary_table.best(row, name):
                yield f"{row['key']} {name}", found["median_us"]


def attention(results):
    """Contenders of ours begin with the name of their row."""
    for row in results["speed"]:
        for name, times in row["times"].items():
            if name.startswith(row["name"]):
                yield name, times["us"]


# By `format` and `kind`: the benchmark's name, and its cases with their microseconds.
BENCHMARKS = {
    ("sparseflow-bench", "gemm-compare"): ("gemm", compared),
    ("sparseflow-bench", "ternary"): ("ternary", ternary),
    ("sparseflow-bench", "sweep"): ("sweep", sweep),
    ("sparseflow-attention", None): ("attention", attention),
    ("sparseflow-ternary-attention", None): ("ternary-attention", attention),
}


def gpu(results):
    board = (results.get("machine") or {}).get("gpu") or {}
    return board.get("name") or "unknown GPU"


def entries(results):
    """(group, case, us) of a file; nothing of kinds that time no kernel of ours."""
    name, cases = BENCHMARKS.get((results.get("format"), results.get("kind")), (None, None))
    if name:
        for case, us in cases(results):
            yield f"{name}, {gpu(results)}, {results['target']}", case, us


def update(best, results):
    """Puts what is faster into `best`, {group: {case: [us, commit]}}."""
    for group, case, us in entries(results):
        known = best.setdefault(group, {})
        if case not in known or us < known[case][0]:
            known[case] = [round(us, 3), results["commit"][:12]]


def dumps(best):
    """A case a line, so that a difference is read."""
    groups = ",\n".join(
        f"{json.dumps(group)}: {{\n" + ",\n".join(
            f"{json.dumps(case)}: {json.dumps(best[group][case])}"
            for case in sorted(best[group])) + "}" for group in sorted(best))
    return f'{{{json.dumps(FORMAT)[1:-1]}, "best": {{\n{groups}}}}}\n'


def markdown(board):
    lines = ["# The best times", "",
             "How many cases of each benchmark were fastest at which commit; "
             "[leaderboard.json](leaderboard.json) has each case. Runs on other days differ by "
             "5 % and more: to judge a commit, let it and the one before take turns "
             "(`scripts/bench sweep --run OUT --before OTHER`, then `scripts/bench leaderboard "
             "--check FILE`).", "", "| benchmark | cases | fastest at commit |", "|---|---|---|"]
    for group, cases in sorted(board["best"].items()):
        commits = collections.Counter(commit for _, commit in cases.values())
        lines.append(f"| {group} | {len(cases)} | " + ", ".join(
            f"{commit} ({count})" for commit, count in commits.most_common()) + " |")
    return "\n".join(lines) + "\n"


def load(path):
    board = json.loads(path.read_text())
    if {name: board.get(name) for name in FORMAT} != FORMAT:
        raise Refused(f"{path}: expected {FORMAT}, found {board.get('format')!r}, version "
                      f"{board.get('version')!r}")
    return board["best"]


def slower(results):
    """(key, before, after) of what became slower, in a run of two commits in turn."""
    if results.get("kind") != "sweep" or "before" not in results:
        raise Refused("expected a sweep with --before, which times two commits in turn, found "
                      f"{results.get('kind') or results.get('format')!r} of "
                      f"{results.get('commit')}")
    for row in results["rows"]:
        for kind, times in row["us"].items():
            before = row["us"].get(kind + BEFORE)
            if before and times["median"] > SLOWER * before["median"]:
                yield f"{row['key']} {kind}", before["median"], times["median"]


def check(path):
    results = json.loads(path.read_text())
    found = sorted(slower(results), key=lambda item: item[1] / item[2])
    for key, before, after in found:
        print(f"slower: {key}: {before:.3f} us at {results['before'][:12]}, {after:.3f} us at "
              f"{results['commit'][:12]}, {100 * (after / before - 1):.1f} %")
    pairs = sum(kind + BEFORE in row["us"] for row in results["rows"] for kind in row["us"])
    print(f"{len(found)} of {pairs} times became more than {100 * (SLOWER - 1):.0f} % slower")
    return 4 if found else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench leaderboard", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=Path, metavar="FILE", help="a sweep with --before")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results", metavar="DIR")
    options = parser.parse_args()
    try:
        if options.check:
            return check(options.check)
        path = options.results / NAME
        best = load(path) if path.exists() else {}
        files = [json.loads(file.read_text()) for file in
                 sorted(options.results.glob("*.json")) if file != path]
    except (Refused, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for results in files:
        update(best, results)
    text = dumps(best)
    write_whole(options.results, path.stem, {".json": text, ".md": markdown(json.loads(text))},
                None)
    print(f"{sum(map(len, best.values()))} cases in {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
