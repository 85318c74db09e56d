"""What is timed beside the libraries, and what is expected of it.

    python3 -m matmul.compare_cases OUTDIR    in bench/gpu: writes the programs as .mlir files
"""

import sys
from pathlib import Path

import programs

# T x N x K: least ratio to cuSPARSELt's best, aims against it and against cuBLASLt's.
EXPECTED = {
    (2048, 2048, 2048): (0.98, 1.10, 1.40), (3072, 3072, 3072): (1.05, 1.10, 1.50),
    (4096, 4096, 4096): (1.00, 1.10, 1.60), (8192, 8192, 8192): (1.00, 1.10, 1.60),
    (4096, 4096, 11008): (1.00, 1.10, 1.60), (4096, 11008, 4096): (1.00, 1.10, 1.60),
    (8192, 28672, 8192): (1.00, 1.10, 1.60), (1024, 1024, 1024): (1.00, 1.10, 1.20),
    (256, 4096, 4096): (1.00, 1.10, 1.40), (512, 4096, 11008): (1.00, 1.10, 1.45),
    (1, 4096, 4096): (1.00, 1.25, 1.70), (16, 4096, 4096): (1.00, 1.25, 1.70),
    (64, 4096, 4096): (1.00, 1.25, 1.70), (1, 11008, 4096): (1.00, 1.25, 1.70),
    (16, 11008, 4096): (1.00, 1.25, 1.70), (64, 11008, 4096): (1.00, 1.25, 1.70)}
# Fused epilogues against a dense matmul and a kernel: least, and aim.
FUSED_EXPECTED = (1.4, 1.8)
FUSED_SHAPES = tuple(shape for shape in EXPECTED if min(shape) >= 2048)
FUSED_EPILOGUES = ("bias_gelu", "silu_gate")


def rows():
    """(T, N, K, type, epilogue), most telling first."""
    plain = {type_: [(*shape, type_, "none") for shape in EXPECTED]
             for type_ in programs.TYPES}
    fused = {type_: [(*shape, type_, epilogue) for shape in FUSED_SHAPES
                     for epilogue in FUSED_EPILOGUES] for type_ in programs.TYPES}
    return plain["f16"] + fused["f16"] + plain["bf16"] + fused["bf16"]


def key(row):
    """A row's name, "2048x2048x2048-f16-none"."""
    t, n, k, type_, epilogue = row
    return f"{t}x{n}x{k}-{type_}-{epilogue}"


def cases():
    """The programs of all rows, each once, with its token counts."""
    merged = {}
    for t, n, k, type_, epilogue in rows():
        for weights in programs.WEIGHTS:
            program = programs.Program(n, k, weights, type_, epilogue)
            merged.setdefault(program, []).append(t)
    return list(merged.items())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    for program, _ in cases():
        (Path(sys.argv[1]) / f"{program.name}.mlir").write_text(programs.text(program))
