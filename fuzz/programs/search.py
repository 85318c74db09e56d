"""The command: seeds, workers, reports. Behind scripts/fuzz-programs."""

import argparse
import collections
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

import batch
import generate
import shrink
from harness import ROOT, commit, tools
from oracles import Case, Failure, Refused
from record import Record


def over(options, start):
    spent = os.times()
    return (options.seconds and time.monotonic() - start > options.seconds) or \
        (options.cpu_seconds and
         spent.user + spent.system + spent.children_user + spent.children_system
         > options.cpu_seconds)


def ask(work):
    """What became of one program; None once the time is over."""
    options, binary, start, seed = work
    if over(options, start):
        return None
    program = generate.make(seed, options.target, options.kind)
    row = {"seed": seed, "kind": program.kind, "target": program.target,
           "outcome": "agree"}
    with tempfile.TemporaryDirectory(prefix="sparseflow-fuzz-") as folder:
        try:
            Case(program, folder, binary).check()
        except Refused as refused:
            row.update(outcome="refused", text=str(refused))
        except Failure as failure:
            row.update(outcome="failed", text=keep(options, binary, program, folder, failure))
        except Exception as error:  # The generator or the package broke.
            row.update(outcome="failed", text=keep(
                options, binary, program, folder,
                Failure("harness", f"{type(error).__name__}: {error}")))
    return row


def keep(options, binary, program, folder, failure):
    """Keeps what shows a failure again; what is said of it."""
    kept = Path(options.keep) / f"{program.kind}-{program.seed}".replace("/", "-")
    kept.mkdir(parents=True, exist_ok=True)
    for file in Path(folder).iterdir():
        if file.is_file():
            (kept / file.name).write_bytes(file.read_bytes())
    again = None
    if failure.command:
        again = [word.replace(str(folder), str(kept)) for word in failure.command]
    if again and options.shrink:
        again = shrink.shrink(again, kept, binary)
    text = (f"{failure.step}, {program.kind}, seed {program.seed}, "
            f"{program.target}, exit code {failure.code}\n{failure.text}\n")
    if again:
        text += "Again: " + " ".join(again) + "\n"
    (kept / "failure.txt").write_text(text, encoding="utf-8")
    return text


def search(options, binary):
    start, record = time.monotonic(), Record(options.record)
    seeds = record.left(options.replay or [
        f"{options.seed}/{n}" for n in
        range(options.first, options.first + options.count)])
    work = [(options, binary, start, seed) for seed in seeds]
    if options.jobs > 1:
        # Processes: the references take as much of Python's time as the compiler takes.
        with multiprocessing.Pool(options.jobs) as pool:
            report(record, pool.imap_unordered(ask, work))
    else:
        report(record, map(ask, work))
    kinds = collections.Counter(row["kind"] for row in record.of("agree"))
    refusals = collections.Counter(row["text"] for row in record.of("refused"))
    failed, done = len(record.of("failed")), sum(kinds.values())
    print(f"{done} programs agree ("
          + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
          + f"), {sum(refusals.values())} refused, {failed} failed, "
          f"in {time.monotonic() - start:.0f} s, seed {options.seed}")
    for text, count in refusals.most_common():
        print(f"  refused {count}: {text}")
    if failed:
        return 4
    return 0 if done else 4


def report(record, rows):
    for row in rows:
        if row is None:
            continue
        record.add([row])
        if row["outcome"] == "failed":
            print(f"FAILED {row['text']}", flush=True)


def main(description):
    parser = argparse.ArgumentParser(prog="scripts/fuzz-programs", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="programs (100)")
    parser.add_argument("--seconds", type=float, help="begin none after so many seconds")
    parser.add_argument("--cpu-seconds", type=float, help="the same of CPU time, children "
                        "included")
    parser.add_argument("--seed", default=commit(), help="of the search (the commit)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--replay", nargs="+", metavar="SEED",
                        help="these programs alone, by the seeds that failures name")
    parser.add_argument("--kind", choices=sorted(generate.kinds()), help="of one kind")
    parser.add_argument("--target", choices=generate.TARGETS, help="for one target")
    parser.add_argument("--jobs", type=int, default=1, help="at a time (1)")
    parser.add_argument("--record", metavar="FILE", help="a line of JSON for each program; "
                        "those that FILE has an answer for are not asked again")
    parser.add_argument("--keep", default=str(ROOT / "build/fuzz-programs"), metavar="DIR",
                        help="where failures go (build/fuzz-programs)")
    parser.add_argument("--shrink", action="store_true",
                        help="make failing programs small with sparseflow-reduce")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    gpu = parser.add_argument_group("on a GPU")
    gpu.add_argument("--gpu", metavar="DIR", help="compile and run there, chunk by chunk; "
                     "DIR holds what is under way")
    gpu.add_argument("--bundles", metavar="OUT", help="compile only, into OUT")
    gpu.add_argument("--run-bundles", metavar="OUT", help="run what OUT holds")
    parser.add_argument("--tools", metavar="DIR", help="the folder of sparseflow")
    options = parser.parse_args()
    if options.print:
        for seed in options.replay or [f"{options.seed}/{n}" for n in
                                       range(options.first, options.first + options.count)]:
            print(generate.make(seed, options.target, options.kind).text())
        return 0
    if options.gpu or options.bundles or options.run_bundles:
        return batch.run(options, tools(options.tools))
    return search(options, tools(options.tools))
