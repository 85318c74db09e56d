"""exits.py CODE COMMAND...: succeeds when the command ends with that code."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, found {code}: "
             f"{' '.join(sys.argv[2:])}")
