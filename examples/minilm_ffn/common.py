"""What the examples of all-MiniLM-L6-v2 share: how they run the command and fail."""

import subprocess
import sys

FFN_WEIGHTS = r"encoder\.layer\.[0-9]+\.(intermediate|output)\.dense\.weight"
# What the model's own implementation gives for "This is an example sentence".
KNOWN_EMBEDDING = [0.0676569, 0.0634959, 0.0487131, 0.0793050, 0.0374480, 0.0026528]


def fail(message):
    sys.exit(f"error: {message}")


def run_tool(*command):
    """Runs a command and returns what it printed; ends the program if it fails."""
    command = [str(part) for part in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        fail(f"'{' '.join(command)}' ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout.strip()
