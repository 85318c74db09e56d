"""Checks that what the Markdown files point at exists, that no two pages of docs have one
title, and that the version is the same everywhere.

Links to files are followed from the file that has them; names in back quotes that
start with a folder of the tree are looked up from its root. A name with a
placeholder ('*', '<', '{', an upper-case word of a path's place) is no path.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("include", "lib", "runtime", "tools", "test", "bench", "docs", "examples",
           "scripts", "cmake", "python", "fuzz")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAME = re.compile(r"`((?:%s)/[\w./+-]*)`" % "|".join(FOLDERS))
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

root = Path(sys.argv[1])
pages = [root / "README.md", root / "CONTRIBUTING.md"]
for folder in ("docs", "examples", "bench", "python", "fuzz"):
    pages += sorted((root / folder).rglob("*.md"))
missing = []
for page in pages:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        target = target.split("#")[0]
        if target and "://" not in target and not (page.parent / target).exists():
            missing.append(f"{page.relative_to(root)}: link to {target}")
    for name in NAME.findall(text):
        if not (root / name).exists():
            missing.append(f"{page.relative_to(root)}: names {name}")
if missing:
    sys.exit("not in the tree:\n  " + "\n  ".join(missing))

titles = {}
for page in sorted((root / "docs").rglob("*.md")):
    title = next(line for line in page.read_text(encoding="utf-8").splitlines()
                 if line.startswith("# "))
    if title in titles:
        sys.exit(f"{page} and {titles[title]}: expected two titles, found '{title}'")
    titles[title] = page

VERSIONS = {"CMakeLists.txt": r"project\(SparseFlow VERSION (\S+)", "CHANGELOG.md": r"^## (\S+)",
            "README.md": r"^.*\bVersion (\S+)", "python/pyproject.toml": r'^version = "(.*)"',
            "python/sparseflow/__init__.py": r'^__version__ = "(.*)"'}
versions = {name: re.search(pattern, (root / name).read_text(encoding="utf-8"),
                            re.MULTILINE)[1] for name, pattern in VERSIONS.items()}
if len(set(versions.values())) > 1:
    sys.exit(f"expected one version, found {versions}")
