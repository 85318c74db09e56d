"""Many runs of one kind: what fails is printed, and their number at the end.

The command line of a script that imports this may have `--part I/N`: one of each N
runs, a test's %{third}.
"""

import subprocess
import sys

import npyfile

PART, PARTS = 0, 1
if "--part" in sys.argv:
    _at = sys.argv.index("--part")
    PART, PARTS = map(int, sys.argv[_at + 1].split("/"))
    del sys.argv[_at:_at + 2]


class Runs:
    def __init__(self):
        # Of all runs, and of those that are this part's.
        self.count = self.ran = self.failures = 0

    def run(self, command):
        mine = self.is_next()
        self.count += 1
        if not mine:
            return
        self.ran += 1
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            self.failures += 1
            print("FAILED", *command)
            print(done.stdout)

    def is_next(self):
        """Whether the next run is of this part: another one of each N, since scripts
        rotate their lists by small numbers, too."""
        return (self.count + self.count // PARTS) % PARTS == PART

    def run_program(self, directory, number, text, arguments, options):
        """`sparseflow run --check` of a program, with files for its arguments: by index, or
        by name, each a shape, values and their type. On the simulator `number` is the
        seed of the schedule, too."""
        path = "%s/%d" % (directory, number)
        with open(path + ".mlir", "w") as file:
            file.write(text)
        command = ["sparseflow", "run", path + ".mlir", "--check", *options]
        named = arguments if isinstance(arguments, dict) else dict(enumerate(arguments))
        for name, argument in named.items():
            if self.is_next():
                npyfile.write("%s.%s.npy" % (path, name), *argument)
            command += ["--arg", "%s=%s.%s.npy" % (name, path, name)]
        if "sim" in options:
            command += ["--schedule-seed", str(number)]
        self.run(command)

    def end(self):
        print("%s%d runs, %d failures" % ("%d of " % self.ran if PARTS > 1 else "",
                                          self.count, self.failures))
        sys.exit(self.failures != 0)
