"""What a GPU reaches of the bytes of an attention, and of its FLOPs, where a kernel does
nothing else: the plain kernels of bound.cu."""

import ctypes
import subprocess
import tempfile
from pathlib import Path

from common import machine

TARGET = "sm_90a"
SHARED = 81920       # bytes of f16 that the MMAs multiply again and again
BLOCKS = (1, 2, 4)   # of the kernel that reads, for each SM: the fastest counts


def _build(target, folder):
    if target != TARGET:
        raise RuntimeError(f"plain MMAs are those of {TARGET}")
    nvcc = machine.find_tool("nvcc")
    if not nvcc:
        raise RuntimeError("nvcc was not found")
    built = Path(folder) / "bound.so"
    done = subprocess.run(
        [nvcc, "-std=c++17", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-shared",
         "-Xcompiler", "-fPIC", Path(__file__).with_suffix(".cu"), "-o", built],
        capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"nvcc: {(done.stdout + done.stderr).strip()[-300:]}")
    return ctypes.CDLL(str(built))


class Plain:
    """Raises RuntimeError where the kernels cannot be built, or compute something else."""

    def __init__(self, torch, target, contender):
        self.torch, self.contender = torch, contender
        with tempfile.TemporaryDirectory() as folder:
            self.library = _build(target, folder)
        self.sms = torch.cuda.get_device_properties(0).multi_processor_count
        self.out = torch.zeros(2 * self.sms, device="cuda")
        self._check()

    def _call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def _read(self, tensor, blocks):
        torch = self.torch
        self._call("readBytes", ctypes.c_void_p(tensor.data_ptr()),
                   ctypes.c_size_t(tensor.numel() * tensor.element_size()),
                   ctypes.c_void_p(self.out.data_ptr()), blocks * self.sms,
                   ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))

    def _multiply(self, operands, flops):
        torch = self.torch
        self._call("multiplyFlops", ctypes.c_void_p(operands.data_ptr()),
                   ctypes.c_double(flops), ctypes.c_void_p(self.out.data_ptr()), self.sms,
                   ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))

    def _check(self):
        """All bytes are read: the last ones, and a word in their middle, are found; and all
        MMAs run: products of ones count them."""
        torch = self.torch
        for blocks in BLOCKS:
            for place in (-1, 1 << 20):
                words = torch.zeros((1 << 22) + 4, device="cuda", dtype=torch.int32)
                words[place] = 0x9e3779b9 - (1 << 32)
                self.out.zero_()
                self._read(words, blocks)
                if not self.out.view(torch.int32).any():
                    raise RuntimeError("readBytes did not read all bytes")
        flops = 5e9
        self._multiply(torch.ones(SHARED // 2, device="cuda", dtype=torch.float16), flops)
        self.library.stepsOf.argtypes = [ctypes.c_double, ctypes.c_int]
        expected = 128.0 * 16 * self.library.stepsOf(flops, self.sms)
        if not (self.out == expected).all():
            raise RuntimeError(f"multiplyFlops: expected sums of {expected}, found "
                               f"{self.out.unique().tolist()[:4]}")

    def contenders(self, flops, keys):
        """{name: contender} that read each of `keys`, and that multiply."""
        generator = self.torch.Generator("cuda").manual_seed(1)
        operands = self.torch.randn(SHARED // 2, device="cuda", generator=generator,
                                    dtype=self.torch.float16)
        found = {f"read, {blocks} an SM": self.contender(
            self.torch, lambda copy, blocks=blocks: self._read(keys[copy], blocks), len(keys))
            for blocks in BLOCKS}
        found["MMAs"] = self.contender(
            self.torch, lambda copy: self._multiply(operands, flops), len(keys))
        return found


def times(contenders):
    """What of them a row keeps: the fastest reading, and the MMAs."""
    reads = [one.result() for name, one in contenders.items() if name.startswith("read")]
    return {"read": min(reads, key=lambda one: one["median"]),
            "MMAs": contenders["MMAs"].result()}
