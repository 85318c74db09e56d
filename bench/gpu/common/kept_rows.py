"""A table beside the libraries whose rows are kept from call to call.

A machine is lent for minutes and a row takes many seconds, so that every row is
written as it comes, and the next call for the same commit and target goes on with
those that are missing.
"""

import json
import shutil
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

from common import launches, machine
from peers import build as peers_build


class KeptRows:
    """What the derived comparisons share. They have `kind`, `table` (the module that
    writes the results and names them), `lists` (their lists in the results beside
    rows), `settings` (options to record), and ROW_LEAST, the seconds that must be left
    to begin a row; and key(case), cases() and compare(case)."""

    lists = ()

    def __init__(self, options, folder):
        self.options = options
        self.start = time.monotonic()
        self.folder = folder
        index = json.loads((folder / "index.json").read_text())
        self.target = index["target"]
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.scratch = Path(tempfile.mkdtemp(prefix=f"sparseflow-{self.kind}-"))
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": self.kind,
            "commit": index["commit"], "compiler": index["compiler"],
            "target": self.target, "machine": {}, "calls": [],
            **{name: [] for name in self.lists}, "rows": []}
        self.load()

    def path(self):
        return self.options.results / f"{self.table.NAME}.json"

    def load(self):
        """Keeps the rows of an earlier call for the same commit and target."""
        if self.options.fresh or not self.path().is_file():
            return
        before = json.loads(self.path().read_text())
        if any(before.get(name) != self.results[name]
               for name in ("format", "version", "kind", "commit", "target")):
            print(f"{self.path()} is of another commit or target: beginning anew")
            return
        for name in ("machine", "calls", *self.lists, "rows"):
            self.results[name] = before.get(name, self.results[name])
        self.results["rows"] = [row for row in self.results["rows"] if "error" not in row]

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def save(self):
        self.results["calls"][-1]["seconds"] = round(time.monotonic() - self.start, 1)
        order = {self.key(case): i for i, case in enumerate(self.cases())}
        self.results["rows"].sort(key=lambda row: order.get(row["key"], len(order)))
        self.table.write(self.results, self.options.results,
                         {str(self.scratch): "SCRATCH", str(self.folder): "OUT"})

    def keep(self, row):
        """Puts a row in the place of the one before, and shows it."""
        self.results["rows"] = [r for r in self.results["rows"] if r["key"] != row["key"]]
        self.results["rows"].append(row)
        self.save()
        print(f"[{time.monotonic() - self.start:5.0f} s] {self.table.line(row)}", flush=True)

    def plan(self, name, sizes):
        """The plan of a compiled program, as a file, and its kernels, as a row has them."""
        entry = self.entries.get(name)
        if not entry or "error" in entry:
            raise ValueError(f"{name} is not compiled")
        bundle = self.folder / entry["bundle"]
        path = self.scratch / f"{name}.{sizes['T']}.plan"
        path.write_text("\n".join(launches.plan(bundle, sizes, self.target)) + "\n")
        kernels = [{"kernel": launch["kernel"],
                    "grid": launches.evaluate(launch["grid"], sizes),
                    "threads": launch["threads"],
                    "cluster": launch.get("cluster", 1),
                    "programmatic": launch.get("programmatic", False),
                    **entry.get("kernels", {}).get(launch["kernel"], {})}
                   for launch in launches.launches(bundle, sizes, self.target)]
        return path, kernels

    def run(self):
        try:
            return self.all_rows()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def begin(self, *program):
        """Records the call and builds the peer program."""
        self.results["calls"].append({
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "settings": {name: getattr(self.options, name) for name in self.settings}})
        self.results["machine"].update(machine.describe())
        self.peers, note = peers_build.build(self.target, self.folder, self.options,
                                             min(150, self.left()), *program)
        print(f"peer program: {note}", flush=True)
        return note

    def take(self, chosen):
        """Makes the rows of `chosen` that are missing; all of theirs."""
        done = {row["key"] for row in self.results["rows"]}
        waiting = [case for case in chosen if self.key(case) not in done]
        print(f"{len(chosen)} rows, {len(chosen) - len(waiting)} of them done before",
              flush=True)
        late = 0
        for case in waiting:
            if self.left() < self.ROW_LEAST:
                late += 1
            else:
                self.compare(case)
        self.save()
        wanted = {self.key(case) for case in chosen}
        rows = [row for row in self.results["rows"] if row["key"] in wanted]
        failed = sum("error" in row for row in rows)
        print(f"{len(rows) - failed} of {len(chosen)} rows, {failed} failed, "
              f"{late} left for the next call; results are in {self.options.results}")
        return rows
