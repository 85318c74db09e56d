# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pyproject.toml cannot say: a wheel that carries the runtime library is of one
platform, but of every Python 3, since ctypes loads the library."""

import os

from setuptools import setup
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # Before setuptools 70.1.
    from wheel.bdist_wheel import bdist_wheel

HAS_LIBRARY = os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                          "sparseflow", "libsparseflow_rt.so.0"))


class Package(Distribution):
    def has_ext_modules(self):
        return HAS_LIBRARY


class Wheel(bdist_wheel):
    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(distclass=Package, cmdclass={"bdist_wheel": Wheel})
