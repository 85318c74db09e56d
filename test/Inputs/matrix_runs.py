"""Many runs of one kind: what fails is printed, and their number at the end."""

import subprocess
import sys

import npyfile


class Runs:
    def __init__(self):
        self.count = self.failures = 0

    def run(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.count += 1
        if done.returncode:
            self.failures += 1
            print("FAILED", *command)
            print(done.stdout)

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
            npyfile.write("%s.%s.npy" % (path, name), *argument)
            command += ["--arg", "%s=%s.%s.npy" % (name, path, name)]
        if "sim" in options:
            command += ["--schedule-seed", str(number)]
        self.run(command)

    def end(self):
        print("%d runs, %d failures" % (self.count, self.failures))
        sys.exit(self.failures != 0)
