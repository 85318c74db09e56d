"""Random scalar arithmetic: bodies of epilogues, scores and elementwise ops.

A Region prints itself as MLIR and evaluates itself in float64 with NumPy. What it
computes is tame on purpose: no value overflows f16, discontinuous ops see exact
values only (operands, not sums whose last bits differ from device to device), and
functions stay away from their poles; so a difference is a defect, not rounding.
"""

import re

import numpy as np

FLOATS = ("f16", "bf16", "f32")
LARGEST = 1e4  # of a value's magnitude


def constant(value):
    """The MLIR spelling of a float32, exactly."""
    value = float(np.float32(value))
    return f"{value:.9e}"


def rounded(value, dtype):
    """A number to f32, f16 or bf16, to nearest even, as float64."""
    if dtype == "f32":
        return np.float64(np.float32(value))
    if dtype == "f16":
        return np.float64(np.float16(np.float32(value)))
    bits = np.float32(value).view(np.uint32).astype(np.uint64)
    # NumPy 1 makes a float of uint64 and a Python integer.
    half = np.uint64(0x7FFF) + (bits >> np.uint64(16) & np.uint64(1))
    bits = (bits + half) & np.uint64(0xFFFF0000)
    return np.float64(bits.astype(np.uint32).view(np.float32))


def erf(values):
    from math import erf as scalar
    values = np.asarray(values, np.float64)
    return np.vectorize(scalar, otypes=[np.float64])(values) if values.size else values


class Value:
    """`exact`: follows from operands without rounding. `bound`: of its magnitude.
    `make`: its float64 values, given those of the region's inputs."""

    def __init__(self, name, dtype, make, exact, bound):
        self.name, self.dtype, self.make = name, dtype, make
        self.exact, self.bound = exact, bound


class Region:
    """Grows from `inputs`, [(name, dtype, exact, bound)]; `rng` is random.Random, `tag` tells
    the constants of one region outside of it from those of others."""

    def __init__(self, rng, inputs, tag=0):
        self.rng, self.lines, self.outside, self.count = rng, [], [], 0
        self.tag = tag
        self.values = [Value(name, dtype, lambda env, name=name: env[name], exact, bound)
                       for name, dtype, exact, bound in inputs]
        # What follows from the first input, f32 values of integers, and constants.
        self.reached, self.integers, self.literals = {inputs[0][0]}, set(), set()

    def emit(self, dtype, text, make, exact=False, bound=1.0, hoist=False):
        name = f"%r{self.count}" if not hoist else f"%k{self.tag}_{self.count}"
        self.count += 1
        (self.outside if hoist else self.lines).append(f"{name} = {text}")
        operands = re.findall(r"%\w+", text)
        if self.reached.intersection(operands):
            self.reached.add(name)
        if operands and self.literals.issuperset(operands):
            # Folded, so rounded in every reading.
            self.literals.add(name)
            if dtype in FLOATS:
                exactly = make
                make = lambda env: rounded(exactly(env), dtype)  # noqa: E731
        return Value(name, dtype, make, exact, bound)

    def constant(self, value, dtype="f32", hoist=False):
        value = float(np.float32(value)) if dtype == "f32" else float(np.float16(value))
        literal = self.emit(dtype, f"arith.constant {constant(value)} : {dtype}",
                            lambda env: np.float64(value), True, abs(value), hoist)
        self.literals.add(literal.name)
        return literal

    def wide(self, value):
        """As f32."""
        if value.dtype == "f32":
            return value
        if value.dtype == "i32":
            wide = self.emit("f32", f"arith.sitofp {value.name} : i32 to f32", value.make,
                             value.exact, value.bound)
            self.integers.add(wide.name)
            return wide
        return self.emit("f32", f"arith.extf {value.name} : {value.dtype} to f32",
                         value.make, value.exact, value.bound)

    def narrow(self, value, dtype):
        value = self.tame(value)
        if value.dtype == dtype:
            return value
        if value.name in self.integers:
            # MLIR folds both conversions into one, for which bf16 has no kernel.
            value = self.binary("addf", value, self.constant(0.5), np.add,
                                value.bound + 1, value.exact)
        return self.emit(dtype, f"arith.truncf {value.name} : f32 to {dtype}", value.make,
                         False, value.bound)

    def tame(self, value, most=LARGEST):
        if value.bound <= most:
            return value
        high = self.binary("minimumf", value, self.constant(most), np.minimum,
                           bound=value.bound)
        return self.binary("maximumf", high, self.constant(-most), np.maximum, bound=most)

    def unary(self, name, value, make, bound, exact=False):
        return self.emit("f32", f"{name} {value.name} : f32",
                         lambda env, a=value.make: make(a(env)), exact, bound)

    def binary(self, name, left, right, make, bound, exact=False, dtype="f32"):
        return self.emit(
            dtype, f"arith.{name} {left.name}, {right.name} : {dtype}",
            lambda env, a=left.make, b=right.make: make(a(env), b(env)), exact, bound)

    def positive(self, value, least=0.5):
        """|value| + least."""
        magnitude = self.unary("math.absf", value, np.abs, value.bound, value.exact)
        return self.binary("addf", magnitude, self.constant(least), np.add,
                           value.bound + least)

    def pick(self, dtype=None):
        choice = self.rng.choice([v for v in self.values
                                  if dtype is None or v.dtype == dtype])
        return choice

    def grow(self):
        """One step of random arithmetic; its value joins the others."""
        rng = self.rng
        a = self.wide(self.pick())
        b = self.wide(self.pick()) if rng.random() < 0.6 else self.constant(
            rng.choice([0.0, -0.0, 1.0, -1.0, 0.5, rng.uniform(-2, 2)]),
            hoist=self.hoists and rng.random() < 0.5)
        step = rng.choice(STEPS)
        value = step(self, a, b)
        self.values.append(self.tame(value))

    # Set where the region may read constants of the function around it.
    hoists = False

    def finish(self, dtype, steps):
        """The name of a value of `dtype` that follows from the first input, what the op
        computes: wgmma kernels without a reader of their product are refused."""
        for _ in range(steps):
            self.grow()
        first = self.wide(self.values[0])
        last = self.wide(self.values[-1])
        if last.name not in self.reached or (last is not first and
                                             self.rng.random() < 0.4):
            last = self.binary("addf", first, last, np.add, first.bound + last.bound)
        result = self.narrow(self.tame(last), dtype)
        self.result = result
        return result.name

    def evaluate(self, env):
        with np.errstate(all="ignore"):
            return self.result.make(env)


def _leaky(region, a, b):
    zero = region.constant(0.0)
    slope = region.constant(region.rng.uniform(0.01, 0.5))
    scaled = region.binary("mulf", a, slope, np.multiply, a.bound)
    flag = region.emit("i1", f"arith.cmpf ogt, {a.name}, {zero.name} : f32",
                       lambda env, m=a.make: m(env) > 0)
    return region.emit("f32", f"arith.select {flag.name}, {a.name}, {scaled.name} : f32",
                       lambda env, f=flag.make, x=a.make, y=scaled.make:
                       np.where(f(env), x(env), y(env)), False, a.bound)


_PREDICATES = {
    "oeq": lambda a, b: a == b, "ogt": lambda a, b: a > b, "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b, "ole": lambda a, b: a <= b,
    "one": lambda a, b: (a != b) & ~(np.isnan(a) | np.isnan(b)),
    "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "ueq": lambda a, b: (a == b) | np.isnan(a) | np.isnan(b),
    "ugt": lambda a, b: ~(a <= b), "uge": lambda a, b: ~(a < b),
    "ult": lambda a, b: ~(a >= b), "ule": lambda a, b: ~(a > b),
    "une": lambda a, b: a != b, "uno": lambda a, b: np.isnan(a) | np.isnan(b),
}


def _choose(region, a, b):
    """A jump, so between values that are exact."""
    exact = [v for v in region.values if v.exact and v.dtype != "i32"]
    if not exact:
        return _leaky(region, a, b)
    c = region.wide(region.rng.choice(exact))
    limit = region.constant(region.rng.uniform(-1, 1))
    name = region.rng.choice(sorted(_PREDICATES))
    flag = region.emit("i1", f"arith.cmpf {name}, {c.name}, {limit.name} : f32",
                       lambda env, x=c.make, y=limit.make, p=_PREDICATES[name]:
                       p(x(env), y(env)))
    return region.emit("f32", f"arith.select {flag.name}, {a.name}, {b.name} : f32",
                       lambda env, f=flag.make, x=a.make, y=b.make:
                       np.where(f(env), x(env), y(env)), False, max(a.bound, b.bound))


def _round_down(region, a, b):
    name, make = region.rng.choice([("math.floor", np.floor), ("math.ceil", np.ceil)])
    exact = [v for v in region.values if v.exact and v.dtype not in ("i32", "i1")]
    if not exact:
        return region.unary("arith.negf", a, np.negative, a.bound, a.exact)
    value = region.wide(region.rng.choice(exact))
    return region.unary(name, value, make, value.bound + 1, True)


def _power(region, a, b):
    base = region.positive(region.tame(a, 50))
    exponent = region.constant(region.rng.choice([0.5, 1.0, 1.5, 2.0, -1.0]))
    return region.emit("f32", f"math.powf {base.name}, {exponent.name} : f32",
                       lambda env, x=base.make, y=exponent.make: np.power(x(env), y(env)),
                       False, max(2.0, base.bound ** 2))


def _fma(region, a, b):
    c = region.constant(region.rng.uniform(-1, 1))
    return region.emit("f32", f"math.fma {a.name}, {b.name}, {c.name} : f32",
                       lambda env, x=a.make, y=b.make, z=c.make: x(env) * y(env) + z(env),
                       False, a.bound * b.bound + 1)


def _half(region, a, b):
    """Arithmetic in a 16-bit type."""
    dtype = region.rng.choice(["f16", "bf16"])
    left = region.narrow(region.tame(a, 50), dtype)
    right = region.narrow(region.tame(b, 50), dtype)
    name, make = region.rng.choice([("addf", np.add), ("mulf", np.multiply),
                                    ("maximumf", np.maximum)])
    return region.wide(region.binary(name, left, right, make, 2500, dtype=dtype))


def _through(region, a, b):
    return region.wide(region.narrow(a, region.rng.choice(["f16", "bf16"])))


def _reciprocal(name, make):
    return lambda region, a, b: region.unary(name, region.positive(a), make, 10)


def _bounded(name, make, most, bound):
    return lambda region, a, b: region.unary(name, region.tame(a, most), make, bound)


def _two(name, make, bound):
    return lambda region, a, b: region.binary(name, a, b, make, bound(a.bound, b.bound))


# Each with the frequency of its mention.
STEPS = [
    _two("addf", np.add, lambda a, b: a + b), _two("addf", np.add, lambda a, b: a + b),
    _two("subf", np.subtract, lambda a, b: a + b),
    _two("mulf", np.multiply, lambda a, b: a * b),
    _two("mulf", np.multiply, lambda a, b: a * b),
    _two("maximumf", np.maximum, max), _two("minimumf", np.minimum, max),
    _two("maxnumf", np.fmax, max), _two("minnumf", np.fmin, max),
    lambda r, a, b: r.binary("divf", a, r.positive(b), np.divide, 2 * a.bound),
    lambda r, a, b: r.unary("arith.negf", a, np.negative, a.bound, a.exact),
    lambda r, a, b: r.unary("math.absf", a, np.abs, a.bound, a.exact),
    _bounded("math.exp", np.exp, 4, 60), _bounded("math.exp2", np.exp2, 6, 70),
    _reciprocal("math.log", np.log), _reciprocal("math.log2", np.log2),
    _reciprocal("math.rsqrt", lambda a: 1 / np.sqrt(a)),
    lambda r, a, b: r.unary("math.sqrt", r.positive(a), np.sqrt, a.bound + 1),
    _bounded("math.tanh", np.tanh, 50, 1), _bounded("math.erf", erf, 50, 1),
    _bounded("math.sin", np.sin, 20, 1), _bounded("math.cos", np.cos, 20, 1),
    _leaky, _leaky, _choose, _round_down, _power, _fma, _half, _through,
]
