"""Which kernels the sweep says that a program launches. Usage: REPORT TOKENS..."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench/gpu"))
from layers import chosen
from matmul import compiling

entry = {"intervals": compiling.intervals(json.loads(Path(sys.argv[1]).read_text()))}
for tokens in map(int, sys.argv[2:]):
    found = chosen.schedule(entry, tokens)
    print(tokens, found["name"], found["block"], found["split_k"],
          chosen.reason(found, 384, tokens))
