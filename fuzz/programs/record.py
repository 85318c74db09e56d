"""What became of each program, a line of JSON each in a file that a search goes on from."""

import json
from pathlib import Path


class Record:
    def __init__(self, path):
        """None keeps nothing. Programs of `path` that have an answer are not asked
        again."""
        self.path, self.rows = path and Path(path), {}
        if self.path and self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:  # The line that was under way when a search ended.
                    continue
                self.rows[row["seed"]] = row

    def left(self, seeds):
        return [seed for seed in seeds if seed not in self.rows]

    def add(self, rows):
        for row in rows:
            self.rows[row["seed"]] = row
        if self.path and rows:
            with self.path.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps(row) + "\n" for row in rows))

    def of(self, outcome):
        return [row for row in self.rows.values() if row["outcome"] == outcome]
