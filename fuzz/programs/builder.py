"""A program that grows: its arguments, its text, its meaning."""

import numpy as np

from scalars import Region

WIDTH = {"f16": 11, "bf16": 8, "f32": 24}
TOKENS = (1, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 97, 128, 130, 200)


class Tensor:
    """A value of the program: `name` in the text, `shape` of numbers and names of
    sizes, `dtype`, the type's text, and `make`, its float64 values, None where they are
    the library's to say. `whole`: the smallest and the largest number of an argument of
    integers; `cumulative`: it begins with 0 and never decreases."""

    def __init__(self, name, shape, dtype, type_text, make, bound, encoding=None,
                 whole=None):
        self.name, self.shape, self.dtype, self.type = name, shape, dtype, type_text
        self.make, self.bound, self.encoding = make, bound, encoding
        self.whole, self.cumulative = whole, False


class Program:
    def __init__(self, rng, seed, kind, target):
        self.rng, self.seed, self.kind, self.target = rng, seed, kind, target
        self.arguments, self.lines, self.maps = [], [], []
        self.results, self.options = [], []
        # Size of each name; None as the name's text where it is static.
        self.sizes, self.dynamic = {}, set()
        self.count = 0
        # Set where the compiler knows a result's number: it rounds what it folds, at
        # as many steps as it can fold.
        self.folds = False
        # None, or the schedules to compile with (schedules.py).
        self.wants_schedules = rng.random() < 0.4

    # -- Sizes ------------------------------------------------------------------

    def size(self, name, value, dynamic):
        self.sizes[name] = value
        if dynamic:
            self.dynamic.add(name)
        return name

    def of(self, shape):
        """The numbers of a shape."""
        return tuple(self.sizes[s] if isinstance(s, str) else s for s in shape)

    def type(self, shape, dtype, encoding=None):
        dims = "".join(f"{'?' if s in self.dynamic else self.sizes.get(s, s)}x"
                       for s in shape)
        return f"tensor<{dims}{dtype}{', ' + encoding if encoding else ''}>"

    # -- Values -----------------------------------------------------------------

    def fresh(self, prefix):
        self.count += 1
        return f"%{prefix}{self.count}"

    def dim(self, tensor, axis):
        """The name of a size that is known at run time."""
        index, dim = self.fresh("c"), self.fresh("d")
        self.lines += [f"{index} = arith.constant {axis} : index",
                       f"{dim} = tensor.dim {tensor.name}, {index} : {tensor.type}"]
        return dim

    def argument(self, shape, dtype, encoding=None, bound=5.0, whole=None):
        name = self.fresh("a")
        tensor = Tensor(name, list(shape), dtype, self.type(shape, dtype, encoding),
                        lambda env, name=name: env[name], bound, encoding, whole)
        self.arguments.append(tensor)
        return tensor

    def value(self, prefix, shape, dtype, make, bound=1e4):
        name = self.fresh(prefix)
        return Tensor(name, list(shape), dtype, self.type(shape, dtype), make, bound)

    def region(self, inputs, hoists=False):
        self.count += 1
        region = Region(self.rng, inputs, self.count)
        region.hoists = hoists
        return region

    def give(self, *tensors):
        self.results += tensors

    def text(self):
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(r.type for r in self.results)
        names = ", ".join(r.name for r in self.results)
        head = "\n".join(self.maps + [""]) if self.maps else ""
        body = "\n".join("  " + line for line in self.lines)
        return (f"// {self.kind}, seed {self.seed}, {self.target}; sizes: {self.sizes}\n"
                f"{head}func.func @f({arguments}) -> ({types}) {{\n{body}\n"
                f"  return {names} : {types}\n}}\n")

    def evaluate(self, values):
        """The results in float64; `values`: argument name to float64 array."""
        env = dict(values)
        results = []
        with np.errstate(all="ignore"):
            for tensor in self.results:
                results.append(np.asarray(tensor.make(env)))
        return results

    # -- Choices ----------------------------------------------------------------

    def tokens(self):
        """Sizes in front of the last axis, and the shape they make."""
        rng = self.rng
        total = rng.choice(TOKENS)
        if rng.random() < 0.03:
            total = 0
        static = rng.random() < 0.35
        if rng.random() < 0.75:
            return [self.size("T", total, not static)]
        batch = rng.choice([1, 2, 3])
        return [self.size("B", batch, rng.random() < 0.5),
                self.size("T", max(total // batch, min(total, 1)), not static)]

    def float_type(self):
        return self.rng.choice(["f16", "f16", "bf16"])

    def any_type(self):
        return self.rng.choice(["f16", "bf16", "f32"])


def once(make):
    """A value's meaning, computed once for each set of arguments."""
    key = object()

    def cached(env):
        if key not in env:
            env[key] = make(env)
        return env[key]
    return cached
