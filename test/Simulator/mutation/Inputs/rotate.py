"""Ten mutants that the commit chooses: rotate.py PLAN [OPTIONS of sparseflow-mutate].

SPARSEFLOW_MUTATION_NUMBER chooses others; the number that was taken is printed.
"""

import os
import subprocess
import sys

number = os.environ.get("SPARSEFLOW_MUTATION_NUMBER")
if number is None:
    done = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)),
                           "rev-parse", "HEAD"], capture_output=True, text=True)
    # An archive of the sources has no commit.
    number = int(done.stdout[:8], 16) if done.returncode == 0 else 0
sys.exit(subprocess.run(["sparseflow-mutate", *sys.argv[1:], "--rotate", "10",
                         "--number", str(number)]).returncode)
