"""The optional extension; everything else is in pyproject.toml.

Where it cannot be compiled, the package installs without it and runs in pure Python, with the same results.
"""

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    ext_modules=cythonize(
        [Extension("meteorlib.compiled.engine", ["meteorlib/compiled/engine.pyx"], language="c++", optional=True)]
    )
)
