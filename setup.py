"""The optional extension; everything else is in pyproject.toml.

Where it cannot be compiled, the package installs without it and runs in pure Python, with the same results.
"""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

EXTENSIONS = cythonize(
    [
        Extension(
            "meteorlib.compiled.engine",
            ["meteorlib/compiled/engine.pyx"],
            language="c++",
            # where a processor can multiply and add in one, the last digit of a score would change
            extra_compile_args=[] if sys.platform == "win32" else ["-g0", "-ffp-contract=off"],
        )
    ],
    build_dir="build",
)
for extension in EXTENSIONS:
    extension.optional = True  # cythonize forgets it

setup(ext_modules=EXTENSIONS)
