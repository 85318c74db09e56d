"""Checkpoints that are broken: each is an Error that says what is wrong, and leaves nothing."""

import os
import shutil
import struct

# What a member of a config, or a value of the metadata, may be instead.
JUNK = (None, "", "x", -1, 0, 2.5, True, [], [1], {}, 10 ** 12, 2 ** 63, 1e300)
PAIRS = (b"\x07\0\0\0\x01", b"\x06\0\0\0\0\0\xc0\x7f", b"\x06\0\0\0\0\0\x80\x3f", b"\x63\0\0\0",
         b"\x09\0\0\0\x04\0\0\0" + struct.pack("<Q", 2 ** 61),
         b"\x09\0\0\0\x09\0\0\0" + struct.pack("<Q", 1),
         b"\x09\0\0\0\x04\0\0\0" + struct.pack("<Q", 0),
         b"\x0b\0\0\0" + struct.pack("<q", -2 ** 63), b"\x0a\0\0\0" + b"\xff" * 8)


def changed(case):
    """(what was done, members, tensors, bytes to keep of a file)."""
    rng, members, tensors = case.rng, dict(case.members), dict(case.tensors)
    kind = rng.choice(["member", "member", "absent", "tensor", "extra", "shape", "type", "cut"])
    name = rng.choice(list(tensors))
    if kind == "member":
        key = rng.choice(list(members))
        members[key] = rng.choice(PAIRS + ("", "x", 0, 1, 2, 2 ** 31, 1.5, [1], ["x"])
                                  if case.m.kind == "gguf" else JUNK)
        return f"{key} is {members[key]!r}", members, tensors, None
    if kind == "absent":
        key = rng.choice(list(members))
        del members[key]
        return f"no {key}", members, tensors, None
    if kind == "tensor":
        del tensors[name]
        return f"no {name}", members, tensors, None
    if kind == "extra":
        tensors[rng.choice(["more.weight", name + "_scale", name.replace(".0.", ".7."), ""])] = \
            tensors[name]
        return f"more than {name}", members, tensors, None
    kept, shape, data = tensors[name]
    if kind == "shape":
        shape = rng.choice([shape[::-1], (*shape, 1), shape[:-1], (), (0, *shape[1:]),
                            (*shape[:-1], 0), (2 ** 62, 4), (2 ** 32, 2 ** 32),
                            (shape[0] + 1, *shape[1:])])
        if rng.random() < .5:
            data = b"" if 0 in shape else data
        tensors[name] = (kept, shape, data)
        return f"{name} is {shape}", members, tensors, None
    if kind == "type":
        kept = rng.choice(list(range(45)) + [142, 999]) if case.m.kind == "gguf" else \
            rng.choice(["F64", "I8", "U8", "BOOL", "F8_E4M3", "F32", "F16", "BF16", "x"])
        tensors[name] = (kept, shape, data)
        return f"{name} has the type {kept}", members, tensors, None
    return "cut", members, tensors, rng.random()


def check(case, sf, count):
    """`count` broken forms of a model."""
    import sparseflow.model  # noqa: F401
    for number in range(count):
        what, members, tensors, share = changed(case)
        path = case.write(f"broken{number}", members, tensors)
        if share is not None:
            file = path if os.path.isfile(path) else os.path.join(
                path, sorted(n for n in os.listdir(path) if "model" in n)[0])
            size = int(share * os.path.getsize(file))
            os.truncate(file, size)
            what = f"{file} of {size} bytes"
        made = os.path.join(case.folder, f"made{number}")
        try:
            sf.model.import_model(path, made, case.m.dtype)
        except sf.Error as error:
            if error.__cause__ is not None:
                raise AssertionError(f"{what}: an error that says little: {error}") from error
            if os.path.exists(made):
                raise AssertionError(f"{what}: {error}, but a folder is left") from error
            case.said.append((what, str(error)))
        else:
            case.said.append((what, "accepted"))
            shutil.rmtree(made)
        if os.path.isfile(path):
            os.remove(path)
        else:
            shutil.rmtree(path)
