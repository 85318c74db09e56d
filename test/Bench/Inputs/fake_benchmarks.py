"""Benchmarks that measure nothing: python3 fake_benchmarks.py FOLDER RESULTS writes a
program for each that scripts/bench all calls, with results like those of RESULTS.

What keeps its rows adds half of them a call; FAIL, of the environment, names one that
fails; every call is a line of FOLDER/calls.
"""

import sys
from pathlib import Path

PROGRAM = '''
import json, os, sys
from pathlib import Path
arguments = sys.argv[1:]
me = Path(__file__)
def after(name):
    return arguments[arguments.index(name) + 1]
with open(me.parent / "calls", "a") as calls:
    calls.write(me.stem + " " + arguments[0] + "\\n")
if os.environ.get("FAIL") == me.stem:
    sys.exit(3)
if arguments[0] == "--compile-only":
    out = Path(arguments[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.json").write_text(json.dumps({{"commit": after("--commit")}}))
    sys.exit(0)
index = json.loads((Path(arguments[1]) / "index.json").read_text())
folder = Path(after("--results"))
real, name = {steps!r}[folder.name]
results = json.loads(Path(real).read_text())
results["commit"] = index["commit"]
folder.mkdir(parents=True, exist_ok=True)
path = folder / name
if "calls" in results:
    total = results["rows"]
    kept = len(json.loads(path.read_text())["rows"]) if path.exists() else 0
    results["rows"] = total[:kept + (len(total) + 1) // 2]
path.write_text(json.dumps(results))
'''


def like(step):
    """A result that looks like the step's; its own of another seed."""
    return "h200-" + ("sweep-model" if step.program == "sweep.py" else step.page)


def main(folder, results):
    sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench/gpu"))
    import all as every
    folder.mkdir(parents=True, exist_ok=True)
    steps = {every.part_name(step, part): (str(results / f"{like(step)}.json"),
                                           f"{step.results}.json")
             for step in every.STEPS for part in range(len(step.parts))}
    for step in every.STEPS:
        (folder / step.program).write_text(PROGRAM.format(steps=steps))


main(Path(sys.argv[1]), Path(sys.argv[2]))
