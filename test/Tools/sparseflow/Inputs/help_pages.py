"""Compares the pages with --help, and tries the completions.

usage: help_pages.py ROOT   (tools on PATH)
"""

import json
import os
import re
import subprocess
import sys

root = sys.argv[1]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read(*path):
    return open(os.path.join(root, *path), encoding="utf-8").read()


page = json.loads(run("sparseflow", "--help-format", "json"))
markdown, man = read("docs", "cli", "sparseflow.md"), read("man", "sparseflow.1")
for command in page["commands"]:
    word = command["name"].split()[-1]
    shown = set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)",
                           run("sparseflow", word, "--help").split("Examples:")[0]))
    listed = [name for option in command["options"] for name in option["names"]]
    # --help mentions other options in its texts, but lists all of its own.
    missing = [name for name in listed if name not in shown]
    assert not missing, f"{word}: not in --help: {missing}"
    columns = re.findall(r"^  (-[^ ]+)", run("sparseflow", word, "--help"), re.M)
    unlisted = [name for group in columns
                for name in re.findall(r"--?[\w-]+", re.sub(r"{.*?}", "", group))
                if name not in listed]
    assert not unlisted, f"{word}: not in the page: {unlisted}"
    section = markdown.split(f"## {command['name']}\n")[1].split("\n## ")[0]
    for name in listed:
        assert name in section, f"{word}: {name} is not in docs/cli/sparseflow.md"
        assert name.replace("-", "\\-") in man, f"{word}: {name} is not in the man page"
    print(f"{word}: {len(listed)} options")


def complete(tool, *words):
    script = os.path.join(root, "completions", tool + ".bash")
    function = "_" + tool.replace("-", "_")
    line = " ".join(f"'{word}'" for word in words)
    return run("bash", "-c", f"source {script}; COMP_WORDS=({tool} {line}); "
               f"COMP_CWORD={len(words)}; {function}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
               ).split()


assert complete("sparseflow", "com") == ["compile", "compress"]
assert complete("sparseflow", "compile", "--em") == ["--emit"]
assert complete("sparseflow", "compile", "--emit", "p") == ["ptx"]
assert set(complete("sparseflow", "compile", "--target", "sm_90")) == {"sm_90", "sm_90a"}
assert complete("sparseflow", "run", "f.mlir", "--device", "si") == ["sim"]
assert complete("sparseflow-exec", "--gr") == ["--graph"]
os.chdir(root)
assert complete("sparseflow", "compile", "LICEN") == ["LICENSE"]
assert complete("sparseflow", "compile", "f.mlir", "--schedule-file", "LICEN") == ["LICENSE"]
print("completions ok")
