"""What a bundle launches for given sizes, worked out without the runtime.

The peer program (peers.cu) times SparseFlow's kernels beside the libraries in one
process; it reads the lines that `plan` returns:

    image FILE
    workspace BYTES
    launch KERNEL GRID THREADS SHARED_BYTES ARGUMENTS [programmatic]
    pointer x|w|e|y|s OFFSET    one line an argument: `e` is the operand of the
                                epilogue, `s` the workspace
    number VALUE
    map x|w|e|y|s OFFSET DTYPE SWIZZLE RANK SIZES... STRIDES... BOX...
"""

import json
from pathlib import Path

_OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}


def evaluate(expression, sizes):
    """The value of an EXPR of docs/formats/bundle.md."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return sizes[expression]
    operation, a, b = expression
    return _OPERATIONS[operation](evaluate(a, sizes), evaluate(b, sizes))


def _holds(guard, sizes):
    ((kind, (a, b)),) = guard.items()
    if kind == "aligned":
        # Pointers are as cudaMalloc gives them: multiples of 256.
        offset = a.get("offset", a.get("workspace", a.get("i64", 0)))
        return evaluate(offset, sizes) % b == 0
    left, right = evaluate(a, sizes), evaluate(b, sizes)
    return {"le": left <= right, "ge": left >= right, "eq": left == right}[kind]


def _place(argument, sizes):
    """A buffer's letter and an offset."""
    if "workspace" in argument:
        return f"s {evaluate(argument['workspace'], sizes)}"
    name = "y" if "result" in argument else "xwe"[argument["arg"]]
    return f"{name} {evaluate(argument.get('offset', 0), sizes)}"


def _argument(argument, sizes):
    if "i64" in argument:
        return f"number {evaluate(argument['i64'], sizes)}"
    if "tensor_map" not in argument:
        return f"pointer {_place(argument, sizes)}"
    described = argument["tensor_map"]
    numbers = [evaluate(e, sizes) for e in
               described["sizes"] + described["strides"] + described["box"]]
    return (f"map {_place(described['of'], sizes)} {described['dtype']} "
            f"{described['swizzle']} {len(described['sizes'])} "
            f"{' '.join(map(str, numbers))}")


def _program(bundle, target):
    manifest = json.loads((Path(bundle) / "manifest.json").read_text())
    function = manifest["functions"][0]
    for program in function["programs"]:
        if target is None or program["target"] == target:
            return program
    raise ValueError(f"{bundle}: expected a program for {target}, found "
                     f"{[p['target'] for p in function['programs']]}")


def launches(bundle, sizes, target=None):
    """The launches, as manifests describe them, of a call with these sizes."""
    chosen = []
    for step in _program(bundle, target)["steps"]:
        for variant in step["variants"]:
            if all(_holds(guard, sizes) for guard in variant["guards"]):
                chosen += variant["launches"]
                break
        else:
            raise ValueError(f"{bundle}: no variant of {step['loc']} fits {sizes}")
    return chosen


def plan(bundle, sizes, target=None):
    """The lines for the peer program."""
    program = _program(bundle, target)
    lines = [f"image {Path(bundle) / program['image']}",
             f"workspace {evaluate(program.get('workspace', 0), sizes)}"]
    for launch in launches(bundle, sizes, target):
        arguments = [_argument(a, sizes) for a in launch["args"]]
        lines.append(f"launch {launch['kernel']} {evaluate(launch['grid'], sizes)} "
                     f"{launch['threads']} {launch['shared_bytes']} {len(arguments)}"
                     + (" programmatic" if launch.get("programmatic") else ""))
        lines += arguments
    return lines
