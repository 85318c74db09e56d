#!/usr/bin/env python3
"""Records on a GPU what the probes of the simulator's instructions give.

usage: record_golden.py build DIRECTORY     compiles test/Simulator/Golden/kernels
       record_golden.py record DIRECTORY OUT runs them (sm_90a) and writes OUT

`build` needs llc of LLVM 22 and ptxas; what it writes is all that `record` needs
besides this file, Python 3 and libcuda, so that the two may run on different
machines. Then copy OUT/*.golden and OUT/recorded.json to test/Simulator/Golden
and run the simulator's unit tests, which replay them.

A .golden file holds the outputs of a family one after the other, those of more
than 4 KB as a 64-bit FNV-1a hash of each 256 bytes; recorded.json says where.
OUT/full has every output whole, to look into a difference.
"""

import ctypes
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "test" / "Simulator" / "Golden"
FILL = 0x5A  # of outputs before a launch
MASK = 0xFFFFFFFF
REFUSED = 3  # exit code: the GPU refused a case, and the context is lost
CASES_SECONDS = 60  # for all cases that one process runs
MOST_DEATHS = 3  # processes of a family that hang or crash


def xorshift(seed):
    state = (seed * 0x9E3779B9 + 1) & MASK or 1
    while True:
        state ^= state << 13 & MASK
        state ^= state >> 17
        state ^= state << 5 & MASK
        yield state


def make_input(kind, seed, size):
    """Bytes of one part of an input; see make_kernels.py."""
    if kind == "values":
        return struct.pack(f"<{len(seed)}I", *seed)[:size]
    if kind == "count":
        return struct.pack(f"<{size // 4}I", *range(size // 4))
    numbers = xorshift(seed)
    if kind in ("f16", "bf16"):
        values = [(next(numbers) >> 8) % 17 - 8 for _ in range(size // 2)]
        if kind == "f16":
            return struct.pack(f"<{size // 2}e", *values)
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    words = []
    for _ in range(size // 4):
        word = next(numbers)
        if kind == "metadata":
            pairs = (0x4, 0x8, 0xC, 0x9, 0xD, 0xE)
            word = sum(pairs[(next(numbers) >> 8) % 6] << 4 * i for i in range(8))
        elif kind == "f32":
            word = word & 0x807FFFFF | (107 + (word >> 23 & 0xFF) % 41) << 23
        words.append(word)
    return struct.pack(f"<{len(words)}I", *words)


def fnv(block):
    value = 0xCBF29CE484222325
    for byte in block:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def compact(output, exact):
    """What the .golden file holds of an output."""
    if len(output) <= 4096 or not exact:
        return output, "whole"
    return b"".join(struct.pack("<Q", fnv(output[i:i + 256]))
                    for i in range(0, len(output), 256)), "hashes"


def find(*names):
    for name in names:
        if found := shutil.which(name):
            return found
    sys.exit(f"none of {', '.join(names)} was found: set PATH")


def build(directory):
    directory.mkdir(parents=True, exist_ok=True)
    llc = find("llc-22", "/usr/lib/llvm-22/bin/llc", "llc")
    ptxas = find("ptxas", "/usr/local/cuda/bin/ptxas")
    sources = {}
    for source in sorted((GOLDEN / "kernels").glob("*.ll")):
        ptx = directory / (source.stem + ".ptx")
        subprocess.run([llc, "-mcpu=sm_90a", "-mattr=+ptx86", str(source), "-o", str(ptx)],
                       check=True)
        subprocess.run([ptxas, "-arch=sm_90a", str(ptx), "-o",
                        str(directory / (source.stem + ".cubin"))], check=True)
        ptx.unlink()
        sources[source.stem] = hashlib.sha256(source.read_bytes()).hexdigest()
    shutil.copy(GOLDEN / "cases.json", directory / "cases.json")
    (directory / "sources.json").write_text(json.dumps(sources, indent=1) + "\n")
    if Path(__file__).resolve().parent != directory.resolve():
        shutil.copy(__file__, directory / "record_golden.py")
    print(f"built {len(sources)} families in {directory}")


class Driver:
    """The calls of libcuda that a launch needs."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, device)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.name, self.version = name.value.decode(), version.value
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {status} ({(text.value or b'?').decode()})")

    def load(self, path):
        module = ctypes.c_void_p()
        self.call("cuModuleLoad", ctypes.byref(module), str(path).encode())
        return module

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 16)))
        return pointer

    def tensor_map(self, spec, base):
        """A CUtensorMap, 64-byte aligned, and the memory that holds it."""
        memory = ctypes.create_string_buffer(128 + 64)
        address = (ctypes.addressof(memory) + 63) // 64 * 64
        rank = len(spec["sizes"])
        kinds = {1: 0, 2: 1, 4: 2}
        self.call("cuTensorMapEncodeTiled", ctypes.c_void_p(address), kinds[spec["bytes"]], rank,
                  ctypes.c_void_p(base + spec["offset"]),
                  (ctypes.c_uint64 * rank)(*spec["sizes"]),
                  (ctypes.c_uint64 * rank)(*spec["strides"], 0),
                  (ctypes.c_uint32 * rank)(*spec["box"]), (ctypes.c_uint32 * rank)(*[1] * rank), 0,
                  {0: 0, 32: 1, 64: 2, 128: 3}[spec["swizzle"]], 0, 0)
        return memory, address

    def run(self, module, case):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, case["kernel"].encode())
        if case["shared"]:
            self.call("cuFuncSetAttribute", function, 8, case["shared"])
        data = b"".join(make_input(*part) for part in case["inputs"])
        source, target = self.allocate(len(data)), self.allocate(case["output"])
        self.call("cuMemcpyHtoD_v2", source, data, ctypes.c_size_t(len(data)))
        self.call("cuMemsetD8_v2", target, ctypes.c_ubyte(FILL), ctypes.c_size_t(case["output"]))
        self.call("cuCtxSynchronize")
        held, addresses = [], []
        for spec in case.get("maps", []):
            memory, address = self.tensor_map(spec, (source if spec["of"] == "in" else target).value)
            held.append(memory)
            addresses.append(address)
        addresses += [ctypes.addressof(source), ctypes.addressof(target)]
        parameters = (ctypes.c_void_p * len(addresses))(*addresses)
        self.call("cuLaunchKernel", function, case["grid"], 1, 1, case["threads"], 1, 1,
                  case["shared"], None, parameters, None)
        self.call("cuCtxSynchronize")
        output = ctypes.create_string_buffer(case["output"])
        self.call("cuMemcpyDtoH_v2", output, target, ctypes.c_size_t(case["output"]))
        self.call("cuMemFree_v2", source)
        self.call("cuMemFree_v2", target)
        return output.raw


def result_paths(out, family, case):
    """Where a case's output and where the reason that there is none are put."""
    stem = out / "full" / f"{family}.{case['name']}"
    return Path(f"{stem}.bin"), Path(f"{stem}.error")


def run_cases(directory, out, family, first):
    """The cases of a family from `first` on, up to the first that the GPU refuses: an error in
    a kernel ends the context for all that would follow. Returns the process's exit code."""
    driver = Driver()
    module = driver.load(directory / f"{family}.cubin")
    cases = json.loads((directory / "cases.json").read_text())[family]
    for case in cases[first:]:
        output, reason = result_paths(out, family, case)
        try:
            data = driver.run(module, case)
            if driver.run(module, case) != data:
                reason.write_text("two runs gave different results")
                continue
        except RuntimeError as error:
            reason.write_text(str(error))
            return REFUSED
        output.write_bytes(data)
    return 0


def record_family(directory, out, family, cases):
    """Runs each case, those after a refused one in a new process with a new context, and writes
    the family's .golden file. Returns recorded.json's object of the family."""
    for case in cases:
        for path in result_paths(out, family, case):
            path.unlink(missing_ok=True)
    deaths = 0

    def open_cases():
        return [i for i, case in enumerate(cases)
                if not any(path.exists() for path in result_paths(out, family, case))]

    while (left := open_cases()) and deaths < MOST_DEATHS:
        command = [sys.executable, os.path.abspath(__file__), "family", str(directory), str(out),
                   family, str(left[0])]
        try:
            code = subprocess.run(command, timeout=CASES_SECONDS).returncode
            death = None if code in (0, REFUSED) else f"its process ended with code {code}"
        except subprocess.TimeoutExpired:
            death = f"no end after {CASES_SECONDS} s"
        if death and (left := open_cases()):
            result_paths(out, family, cases[left[0]])[1].write_text(death)
            deaths += 1
    binary, index, errors = b"", {}, {}
    for case in cases:
        output, reason = result_paths(out, family, case)
        if output.exists():
            data, kind = compact(output.read_bytes(), "tolerance" not in case)
            index[case["name"]] = {"offset": len(binary), "bytes": len(data), "kind": kind}
            binary += data
            continue
        text = reason.read_text() if reason.exists() else f"not run after {MOST_DEATHS} deaths"
        index[case["name"]] = {"error": text}
        errors.setdefault(text, []).append(case["name"])
    (out / f"{family}.golden").write_bytes(binary)
    failed = sum(len(names) for names in errors.values())
    print(f"{family}: {len(cases) - failed} of {len(cases)} cases recorded, {len(binary)} bytes",
          flush=True)
    # In the order of the cases: the first error comes first.
    for text, names in errors.items():
        print(f"{family}: {len(names)} refused, {text}: {' '.join(names)}", flush=True)
    return index


def record(directory, out):
    (out / "full").mkdir(parents=True, exist_ok=True)
    recorded = {"sources": json.loads((directory / "sources.json").read_text()), "families": {}}
    recorded.update(describe())
    every = []
    for family, cases in json.loads((directory / "cases.json").read_text()).items():
        recorded["families"][family] = record_family(directory, out, family, cases)
        every += recorded["families"][family].values()
    (out / "recorded.json").write_text(json.dumps(recorded, indent=0) + "\n")
    failed = sum("error" in place for place in every)
    print(f"{len(every) - failed} cases of {len(recorded['families'])} families on "
          f"{recorded['device']}; {failed} refused")
    return 1 if failed == len(every) else 0


def describe():
    """The device's name and driver, from a process of its own."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "device"],
                          stdout=subprocess.PIPE, timeout=CASES_SECONDS)
    if done.returncode:
        sys.exit("no GPU can be used, see above: run this where nvidia-smi lists one")
    return json.loads(done.stdout)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "build":
        return build(Path(sys.argv[2]))
    if len(sys.argv) == 4 and sys.argv[1] == "record":
        return record(Path(sys.argv[2]), Path(sys.argv[3]))
    if len(sys.argv) == 6 and sys.argv[1] == "family":
        return run_cases(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], int(sys.argv[5]))
    if len(sys.argv) == 2 and sys.argv[1] == "device":
        driver = Driver()
        return print(json.dumps({"device": driver.name, "driver": driver.version}))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
