"""Fails unless the API reference has what headers declare and the package exports."""

import ast
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
page = (root / "docs/reference/c.md").read_text(encoding="utf-8")
functions = set()
for header in sorted((root / "runtime/include/sparseflow").glob("*.h")):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
    functions |= set(re.findall(r"\b(sf_\w+)\s*\(", re.sub(r"#define.*", "", text)))
headings = " ".join(re.findall(r"^#### (.*)$", page, re.MULTILINE))
missing = sorted(name for name in functions if f"`{name}`" not in headings)
page = (root / "docs/reference/cpp.md").read_text(encoding="utf-8")
missing += [name for name in ("compileModule", "CompileOptions", "buildSparseFlowPipeline",
                              "parseTarget", "CpuDevice", "emitCpuObject", "HostInterface")
            if f"`{name}`" not in " ".join(re.findall(r"^#### (.*)$", page, re.MULTILINE))]
missing += re.findall(r"^(?:private|protected):.*", page, re.MULTILINE)
exported = next(ast.literal_eval(node.value) for node in ast.parse(
    (root / "python/sparseflow/__init__.py").read_text(encoding="utf-8")).body
    if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
page = (root / "docs/reference/python.md").read_text(encoding="utf-8")
missing += [name for name in exported if f"### `{name}`" not in page]
sys.exit(f"missing: {', '.join(missing)}" if missing else 0)
