"""Many runs of one kind: what fails is printed, and their number at the end."""

import subprocess
import sys


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

    def end(self):
        print("%d runs, %d failures" % (self.count, self.failures))
        sys.exit(self.failures != 0)
