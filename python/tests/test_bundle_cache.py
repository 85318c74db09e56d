# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles that are shipped, kept, or compiled; the command is a stand-in."""

import os
import subprocess
import sys
import unittest
from unittest import mock

import sparseflow as sf
from sparseflow import bundle_cache
from sparseflow.forms import Form
from support import FolderTest

# Counts its calls, takes a while, and writes what looks like a bundle.
COMMAND = """#!/bin/sh
if [ "$1" = --version ]; then echo stand-in 1; exit; fi
options=$*
while [ $# -gt 0 ]; do
  case "$1" in -o) out=$2 ;; --report) echo '{{"remarks": []}}' > "$2" ;; esac
  shift
done
echo "$options" >> "{log}"
sleep 0.2
[ -e "{fail}" ] && {{ echo "no such thing" >&2; exit 1; }}
mkdir "$out"
echo '{{"format": "sparseflow-bundle", "version": 1, "functions": []}}' > "$out/manifest.json"
"""
PROGRAM = Form("linear", "2:4", 8, 16, "f16").program()


class BundleCache(FolderTest):
    def setUp(self):
        super().setUp()
        self.command = self.path("sparseflow")
        self.write_command()
        environment = {"SPARSEFLOW_COMMAND": self.command,
                       "SPARSEFLOW_CACHE": self.path("cache"), "SPARSEFLOW_BUNDLES": ""}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def write_command(self, end=""):
        with open(self.command, "w", encoding="utf-8") as file:
            file.write(COMMAND.format(log=self.path("log"), fail=self.path("fail")) + end)
        os.chmod(self.command, 0o755)

    def calls(self):
        if not os.path.exists(self.path("log")):
            return 0
        with open(self.path("log"), encoding="utf-8") as file:
            return len(file.readlines())

    def find(self, target="sm_90a"):
        return bundle_cache.find(PROGRAM, target)

    def test_compiles_once(self):
        path = self.find()
        self.assertTrue(os.path.exists(os.path.join(path, "manifest.json")))
        self.assertEqual((self.find(), self.calls()), (path, 1))
        # Another target, and another compiler, are others.
        self.assertNotEqual(self.find("sm_80"), path)
        self.write_command("# newer\n")
        self.assertNotEqual(self.find(), path)
        self.assertEqual(self.calls(), 3)

    def test_by_the_gpu(self):
        device = mock.Mock(capability=(9, 0))
        device.name = "NVIDIA H100 80GB HBM3"
        path = bundle_cache.find_for(PROGRAM, device)
        self.assertIn("/NVIDIA-H100-80GB-HBM3/sm_90a/", path)
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertIn("--gpu NVIDIA H100 80GB HBM3", file.read())
        # Another GPU, and none, are others; the same is found again.
        device.name = "NVIDIA H200"
        paths = {path, bundle_cache.find_for(PROGRAM, device), self.find()}
        self.assertEqual((len(paths), self.calls()), (3, 3))
        device.name = "NVIDIA H100 80GB HBM3"
        self.assertEqual((bundle_cache.find_for(PROGRAM, device), self.calls()), (path, 3))

    def test_by_a_calibration(self):
        self.addCleanup(sf.use_calibration, None)
        file = self.path("own.json")
        paths = set()
        for content in ("one", "two"):
            with open(file, "w", encoding="utf-8") as out:
                out.write(content)
            sf.use_calibration(file)
            paths.add(self.find())
        sf.use_calibration("h100")
        device = mock.Mock(capability=(9, 0))
        device.name = "NVIDIA H200"
        paths.add(bundle_cache.find_for(PROGRAM, device))
        with open(self.path("log"), encoding="utf-8") as log:
            calls = log.readlines()
        self.assertEqual(["--calibration h100" in call for call in calls],
                         [False, False, True])
        self.assertFalse([call for call in calls if "--gpu" in call])
        # What a file says counts, not its name, and not the GPU.
        self.assertEqual((len(paths), self.find() in paths, self.calls()), (3, True, 3))

    def test_many_processes(self):
        code = ("from sparseflow import bundle_cache as c; from sparseflow.forms import Form\n"
                "print(c.find(Form('linear', '2:4', 8, 16, 'f16').program(), 'sm_90a'))")
        started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
                   for _ in range(4)]
        paths = {process.communicate()[0] for process in started}
        self.assertEqual([process.returncode for process in started], [0] * 4)
        self.assertEqual((len(paths), self.calls()), (1, 1))

    def test_a_lock_ends_with_its_holder(self):
        path = os.path.join(self.path("folder"), bundle_cache.entry(PROGRAM, "sm_90a"))
        os.makedirs(os.path.dirname(path))
        code = ("import fcntl, os, sys; f = open(sys.argv[1], 'ab')\n"
                "fcntl.flock(f, fcntl.LOCK_EX); os.kill(os.getpid(), 9)")
        subprocess.run([sys.executable, "-c", code, path + ".lock"], check=False)
        self.assertEqual(bundle_cache.compile_into(self.path("folder"), PROGRAM, "sm_90a"),
                         path)

    def test_damaged(self):
        path = self.find()
        with open(os.path.join(path, "manifest.json"), "w", encoding="utf-8") as file:
            file.write('{"format":')
        self.assertEqual(self.find(), path)
        sf.Bundle(path)
        self.assertEqual(self.calls(), 2)

    def test_failures_leave_nothing(self):
        with open(self.path("fail"), "w", encoding="utf-8"):
            pass
        with self.assertRaisesRegex(sf.Error, "no such thing"):
            self.find()
        left = [name for _, folders, files in os.walk(self.path("cache"))
                for name in folders + files if name.startswith(("linear", ".compiling"))]
        self.assertEqual([name for name in left if not name.endswith(".lock")], [])
        os.remove(self.path("fail"))
        self.find()

    def test_shipped(self):
        folder = self.path("shipped")
        path = bundle_cache.compile_into(folder, PROGRAM, "sm_90a")
        os.environ["SPARSEFLOW_BUNDLES"] = os.pathsep.join([self.path("none"), folder])
        os.environ["SPARSEFLOW_COMMAND"] = self.path("missing")
        self.assertEqual(self.find(), path)
        with self.assertRaisesRegex(sf.Error, r"no bundle of linear-24-8x16-f16 for sm_80: "
                                    r"none is in .*shipped, and cannot run .*missing.*PATH"
                                    r".*sparseflow\.torch\.prepare"):
            self.find("sm_80")

    def test_no_place(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        os.environ["SPARSEFLOW_CACHE"] = self.path("file/cache")
        with self.assertRaisesRegex(sf.Error, "cannot keep the bundle .*SPARSEFLOW_CACHE"):
            self.find()

    def test_targets(self):
        expected = {(8, 0): "sm_80", (8, 6): "sm_86", (8, 7): "sm_86", (8, 9): "sm_89",
                    (9, 0): "sm_90a", (10, 0): "sm_100", (12, 1): "sm_120"}
        self.assertEqual({c: bundle_cache.target_of(c) for c in expected}, expected)
        with self.assertRaisesRegex(sf.Error, "expected a GPU of compute capability 8.0.*7.5"):
            bundle_cache.target_of((7, 5))


if __name__ == "__main__":
    unittest.main()
