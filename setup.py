"""Build steps beyond pyproject.toml: the optional extension, data files, help, and an index's README.

Where there is no Cython, or no compiler, the package is installed without the extension and runs in pure Python, with
the same results. Without PyYAML at hand it is installed without the data files: it reads the presets' YAML files, and
finds the stems of other languages than English in Python.

Two variables of the environment choose: METEORLIB_REQUIRE_COMPILED=1 makes a build without the extension an error, and
METEORLIB_PURE_PYTHON=1 leaves the extension out.
"""

import gc
import os
import re
import sys
from pathlib import Path

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

try:
    from Cython.Build import cythonize
except ImportError:
    cythonize = None

HERE = Path(__file__).parent

# pip knows requires-python only after this file has run, whose functions import the package
OLDEST = re.search(r'^requires-python = ">=(\d+)\.(\d+)"', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M)
if OLDEST and sys.version_info < (int(OLDEST[1]), int(OLDEST[2])):
    oldest, this = ".".join(OLDEST.groups()), ".".join(map(str, sys.version_info[:2]))
    sys.exit(f"meteorlib needs Python {oldest} or later; this is Python {this}")

DIRECTIVES = {
    "auto_pickle": False,
    "binding": False,
    "boundscheck": False,
    "cdivision": True,  # by zero: as IEEE 754 has it
    "emit_code_comments": False,
    "initializedcheck": False,
    "language_level": 3,
    "wraparound": False,
}
"""Compiler directives of Cython; set here because a .pxd file does not inherit those of the including .pyx file."""

MSVC = ["/std:c++17", "/fp:precise"]
OTHERS = ["-std=c++17", "-g0", "-ffp-contract=off", "--param=inline-unit-growth=15"]
"""Arguments for compilers: a multiplication and an addition made in one step would change the last digit of a score.

GCC lets inlining make code larger by 40 %; beyond 15 %, that takes a tenth of the compiler's time and brings no speed.
"""

FILES = """
The files that are named here, such as those in docs/, are in the source archive of this release.
"""


def chosen(variable: str) -> bool:
    """Whether a variable of the environment is set to anything but 0."""
    return os.environ.get(variable, "0") not in {"", "0"}


def extensions() -> list[Extension]:
    """The extension, if it is wanted and can be made."""
    pure, required = chosen("METEORLIB_PURE_PYTHON"), chosen("METEORLIB_REQUIRE_COMPILED")
    if pure and required:
        sys.exit(
            "meteorlib: METEORLIB_PURE_PYTHON and METEORLIB_REQUIRE_COMPILED exclude each other: unset one of them"
        )
    if pure:
        return []
    if cythonize is None:
        if required:
            sys.exit(
                "meteorlib: METEORLIB_REQUIRE_COMPILED is set, but Cython is not installed: pip install 'Cython>=3.1'"
            )
        sys.stderr.write("meteorlib: Cython is not at hand: installing without the extension, in pure Python\n")
        return []
    kernel = "meteorlib/engine/kernel/kernel.pyx"
    return [Extension("meteorlib.engine.kernel.kernel", [kernel], language="c++", optional=not required)]


class BuildPython(build_py):
    """Builds data files and the pages of help beside the modules; an editable install reads docs/."""

    def run(self) -> None:
        """Build."""
        super().run()
        build_data(HERE if self.editable_mode else Path(self.build_lib))
        if not self.editable_mode:
            build_help(Path(self.build_lib))


class BuildExtension(build_ext):
    """Builds with the compiler's arguments, and in the source tree the data files, too."""

    def build_extensions(self) -> None:
        """Build."""
        for extension in self.extensions:
            sys.stderr.write("meteorlib: compiling takes half a minute; METEORLIB_PURE_PYTHON=1 leaves it out\n")
            extension.sources = self.translate(extension)
            extension.extra_compile_args = MSVC if self.compiler.compiler_type == "msvc" else OTHERS
        super().build_extensions()

    def translate(self, extension: Extension) -> list[str]:
        """Let Cython write the source of an extension in C++; here, because pip runs this file several times."""
        gc.disable()  # nearly all objects live until the end, and looking for others takes a quarter of the time
        try:
            source = Extension(extension.name, extension.sources, language="c++")
            (made,) = cythonize([source], build_dir="build", compiler_directives=DIRECTIVES, force=self.force)
        finally:
            gc.enable()
        return list(made.sources)

    def run(self) -> None:
        """Build."""
        super().run()
        if self.inplace:
            build_data(HERE)


class InstallData(Distribution().get_command_class("install_data")):
    """Installs the man pages, which are made then."""

    def run(self) -> None:
        """Install."""
        self.data_files = [("share/man/man1", man_pages())]
        super().run()


def build_help(root: Path) -> None:
    """Copy what ``meteorlib help`` and ``meteorlib cite`` print into the package below `root`."""
    sys.path.insert(0, str(HERE))
    try:
        from meteorlib.cli.help_pages import PACKAGED, SOURCES, pages  # noqa: PLC0415 – of the package that is built
    finally:
        del sys.path[0]
    folder = root / PACKAGED.relative_to(HERE)
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages(SOURCES).items():
        (folder / f"{name}.md").write_bytes(page.read_bytes())
    (root / "meteorlib/config/CITATION.cff").write_bytes((HERE / "CITATION.cff").read_bytes())


def man_pages() -> list[str]:
    """Man pages of the commands, made in the build folder; none where the packages that the commands need are not."""
    sys.path.insert(0, str(HERE))
    try:
        from tools.man_pages import write_man_pages  # noqa: PLC0415 – where they are not at hand, go on
    except ImportError as error:
        sys.stderr.write(f"meteorlib: {error.name} is not at hand: installing without man pages\n")
        return []
    finally:
        del sys.path[0]
    folder = HERE / "build" / "man"
    return [str(Path(file).relative_to(HERE)) for file in write_man_pages(folder)]


def build_data(root: Path) -> None:
    """Make the data file of the presets, and the code of the stemmers, for the package below `root`."""
    sys.path.insert(0, str(HERE))
    try:
        from meteorlib.config.builtin import DATA_FILE, data_text  # noqa: PLC0415 – where they are not at hand, go on
        from meteorlib.resources.stemmers import CODE_FOLDER  # noqa: PLC0415
        from tools.stemmer_code import write_stemmer_code  # noqa: PLC0415

        content = data_text()
    except ImportError as error:
        sys.stderr.write(
            f"meteorlib: {error.name} is not at hand: presets will be read from YAML, and stems found in Python, "
            "which is slower\n"
        )
    else:
        (root / DATA_FILE.relative_to(HERE)).write_text(content, encoding="utf-8")
        write_stemmer_code(root / CODE_FOLDER.relative_to(HERE))
    finally:
        del sys.path[0]


def readme() -> str:
    """The README without the links that would be dead on a package index, where there are no files beside it."""

    def named(link: re.Match[str]) -> str:
        text, target = link.groups()
        path = target.partition("#")[0].removesuffix("/")
        return text if text.strip("`").removesuffix("/") == path or not path else f"{text} ({path})"

    text = (HERE / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"<p>\n(?:<img .*>\n)+</p>\n+", "", text)
    return re.sub(r"\[([^\]]*)\]\((?!https?:)([^)\s]+)\)", named, text) + FILES


setup(
    data_files=[("share/man/man1", [])],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPython, "install_data": InstallData},
    ext_modules=extensions(),
    long_description=readme(),
    long_description_content_type="text/markdown",
)
