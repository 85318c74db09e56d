"""What the GPU machine is, what it has, and how fast its clocks run."""

import glob
import os
import platform
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

# Bits of clocks_event_reasons.active (nvidia-smi -q -d PERFORMANCE).
_REASONS = {0x1: "idle", 0x2: "application clocks", 0x4: "power cap",
            0x8: "hardware slowdown", 0x10: "sync boost", 0x20: "thermal (software)",
            0x40: "thermal (hardware)", 0x80: "power brake", 0x100: "display clocks"}
_FIELDS = ("name", "driver_version", "compute_cap", "memory.total", "power.limit",
           "clocks.max.sm", "clocks.max.memory", "ecc.mode.current",
           "mig.mode.current", "persistence_mode", "temperature.gpu")


def reason_names(mask):
    """What limits the clocks, from the bits."""
    return [name for bit, name in _REASONS.items() if mask & bit]


def find_tool(name):
    """A program of the CUDA toolkit, or None."""
    places = [os.path.join(os.environ[home], "bin")
              for home in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT") if home in os.environ]
    places += os.environ.get("PATH", "").split(os.pathsep)
    places += ["/usr/local/cuda/bin"]
    places += sorted(glob.glob("/usr/local/cuda-*/bin"), reverse=True)
    places += sorted(glob.glob("/opt/nvidia/nsight-compute/*"), reverse=True)
    return shutil.which(name, path=os.pathsep.join(places))


def output(command, timeout=30):
    """What a command prints, or None if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def visible():
    """The number that nvidia-smi gives the GPU of this process."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0] or "0"


def gpus():
    """How many GPUs nvidia-smi lists."""
    smi = find_tool("nvidia-smi")
    return len((smi and output([smi, "-L"]) or "").splitlines())


def _query(fields):
    smi = find_tool("nvidia-smi")
    text = smi and output([smi, "-i", visible(), f"--query-gpu={','.join(fields)}",
                           "--format=csv,noheader,nounits"])
    values = [value.strip() for value in text.split(",")] if text else []
    return values if len(values) == len(fields) else None


def describe():
    """Versions and limits, for the head of the results."""
    values = _query(_FIELDS)
    if values:
        gpu = dict(zip(_FIELDS, values))
    else:
        # One field that this driver does not know refuses them all.
        gpu = {field: value[0] for field in _FIELDS if (value := _query([field]))}
    versions = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    for tool, pick in (("nvcc", "release"), ("ncu", "Version"),
                       ("compute-sanitizer", "Version")):
        path = find_tool(tool)
        lines = (output([path, "--version"]) or "").splitlines() if path else []
        versions[tool] = next((line.strip() for line in lines
                               if pick.lower() in line.lower()),
                              "found" if path else "not found")
    return {"gpu": gpu, "versions": versions, "cpus": os.cpu_count()}


def card(name=None):
    """The short name of a GPU for names of files: h100 of NVIDIA H100 80GB HBM3. By default
    of the one that is here; gpu where there is none."""
    if name is None:
        name = (_query(["name"]) or [""])[0]
    match = re.match(r"(?:NVIDIA )?(?:GeForce )?((?:RTX )?[A-Z]*\d+)", name)
    return match[1].lower().replace(" ", "-") if match else "gpu"


# Bytes a second that the memory gives, by its clock and width.
BANDWIDTH = {"h100": 3.352e12, "h200": 4.917e12}
# Dense f16 FLOPs a second of the tensor cores, by the data sheet.
TENSOR_RATE = {"h100": 989e12, "h200": 989e12}


def find_cusparselt(given=None):
    """(include directory, library file) of cuSPARSELt, or a reason why not."""
    if given:
        roots = [str(given)]
    else:
        sites = {sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"],
                 *site.getsitepackages(), *sys.path}
        roots = [os.path.join(place, folder) for place in sorted(sites) if place
                 for folder in ("nvidia/cusparselt", "nvidia/cu13", "nvidia/cu12",
                                "cusparselt", "torch")]
        roots += ["/usr/local", "/usr", "/opt/libcusparselt", "/opt/nvidia"]
        roots += sorted(glob.glob("/usr/local/cuda*"), reverse=True)
        roots += sorted(glob.glob("/usr/local/*cusparselt*"))

    def first(patterns):
        for root in roots:
            for pattern in patterns:
                if found := sorted(glob.glob(os.path.join(root, pattern))):
                    return found[0]
        return None
    library = first(["lib/libcusparseLt.so*", "lib64/libcusparseLt.so*",
                     "lib/*/libcusparseLt.so*", "lib/*/libcusparseLt/*/libcusparseLt.so*",
                     "targets/*/lib/libcusparseLt.so*"])
    header = first(["include/cusparseLt.h", "include/libcusparseLt/*/cusparseLt.h",
                    "targets/*/include/cusparseLt.h"])
    if not library:
        return None, "libcusparseLt.so was not found; name its directory (--cusparselt)"
    if not header:
        return None, f"{library} is there, but not cusparseLt.h (--cusparselt DIR)"
    return (str(Path(header).parent), library), None


class Clocks:
    """Samples clocks, power and throttle reasons while a block of code runs."""

    _fields = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")
    _reason_fields = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
    _reason_field = None

    def __init__(self):
        self.summary = None

    def __enter__(self):
        if Clocks._reason_field is None:
            known = [f for f in self._reason_fields if _query([f])]
            Clocks._reason_field = known[0] if known else ""
        fields = self._fields + ((self._reason_field,) if self._reason_field else ())
        self.log = tempfile.TemporaryFile("w+")
        try:
            self.process = subprocess.Popen(
                [find_tool("nvidia-smi") or "nvidia-smi", "-i", visible(),
                 f"--query-gpu={','.join(fields)}",
                 "--format=csv,noheader,nounits", "-lms", "100"],
                stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.DEVNULL)
        except OSError:
            self.process = None
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.seek(0)
        self.summary = summarize(self.log.read())
        self.log.close()


def summarize(text):
    """Samples, one a line, to their range. Idle samples at the ends do not count."""
    samples, reasons = [], 0
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        try:
            sample = [float(cell) for cell in cells[:4]]
            mask = int(cells[4], 16) if len(cells) > 4 else 0
        except ValueError:
            continue
        if len(sample) == 4 and not mask & 0x1:
            samples.append(sample)
            reasons |= mask
    if not samples:
        return None
    columns = [sorted(column) for column in zip(*samples)]
    return {"samples": len(samples),
            "sm_mhz": {"min": columns[0][0], "median": columns[0][len(samples) // 2],
                       "max": columns[0][-1]},
            "memory_mhz": columns[1][len(samples) // 2],
            "power_w": {"median": columns[2][len(samples) // 2], "max": columns[2][-1]},
            "temperature_c": columns[3][-1],
            "limits": reason_names(reasons)}


def why(error):
    """The first line of an error, without files of the machine."""
    text = re.sub(r"/\S*/\S*", "...", f"{type(error).__name__}: {error}".splitlines()[0])
    return text if len(text) <= 160 else text[:157] + "..."
