"""Sessions of checks, for developers, `.ci/run` and the workflows: `nox --list`, `nox -s lint`.

Each session installs what it needs into an environment of its own. With `--no-venv` it installs nothing and uses the
environment of this nox, as `.ci/run` does. Words after `--` are passed on to the session's command.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["tests", "lint"]
nox.options.default_venv_backend = "venv"

FRAMEWORKS = (
    "aac-metrics", "arize-phoenix-evals", "autoevals", "azure-ai-evaluation", "deepeval",
    "google-cloud-aiplatform[evaluation]", "inspect-ai", "langfuse", "langsmith", "lighteval", "lm-eval",
    "mbrs setuptools<81", "mlflow", "opik", "pyspark[sql]", "ragas langchain-community<0.4", "ray[data]", "trl",
    "unitxt nltk",
)  # fmt: skip
"""Frameworks of docs/stack.md in no extra: large, and some exclude each other's packages (mbrs has an older numpy)."""

PURE_TESTS = ("tests/test_golden.py", "tests/test_scorer.py", "tests/corpus", "tests/cli/dropin")
"""Test files that compare with recorded scores, for pure Python; every run of all tests compares the engines."""


@nox.session
def tests(session: nox.Session) -> None:
    """Run the quick tests."""
    _install(session, "-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", *session.posargs)


@nox.session
def thorough(session: nox.Session) -> None:
    """Run the quick and the thorough tests with all frameworks."""
    _install(session, "-e", ".[ci]")
    session.run("python", "-m", "pytest", "-q", "--thorough", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which of the Python code the quick and the thorough tests reach; its tracer may end a starting thread."""
    _install(session, "-e", ".[ci]")
    env = {"COVERAGE_FILE": os.path.abspath(".coverage")}  # for programs that tests start in other folders, too
    session.run("python", "-m", "coverage", "run", "-m", "pytest", "--thorough", *session.posargs, env=env)
    session.run("python", "-m", "coverage", "combine", "-q", env=env)
    session.run("python", "-m", "coverage", "report", env=env)


@nox.session
@nox.parametrize("framework", FRAMEWORKS, ids=[re.split(r"[ \[]", name)[0] for name in FRAMEWORKS])
def stack(session: nox.Session, framework: str) -> None:
    """Run the examples of a framework in docs/stack.md; it has an environment of its own."""
    _install(session, "-e", ".[test,frames]", *framework.split())
    # deepeval brings pytest-asyncio, which warns of settings that only asynchronous tests need
    options = ("-q", "--thorough", "-p", "no:asyncio")
    files = ("tests/integrations/test_stack.py", "tests/integrations/test_stack_evaluations.py")
    session.run("python", "-m", "pytest", *options, *files, *session.posargs)


@nox.session
def pure(session: nox.Session) -> None:
    """Compare the Python code alone with recorded scores."""
    _install(session, "-e", ".[test]")
    env = {"METEORLIB_PURE_PYTHON": "1"}
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *(session.posargs or PURE_TESTS), env=env)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types and layers."""
    _install(session, "-e", ".[dev,docs]")
    session.run("python", "-m", "ruff", "check", ".")
    session.run("python", "-m", "ruff", "format", "--check", ".")
    pages = sorted(map(str, Path().glob("*.md")))
    session.run("codespell", *pages, "benchmarks", "docs", "meteorlib", "tests", "tools")
    session.run("python", "-m", "tools.prose")
    # no file is opened in the encoding of the locale
    session.run("python", "-m", "ruff", "check", "-q", "--preview", "--select", "PLW1514", ".")
    session.run("python", "-m", "mypy")
    # pyright does not find packages that are installed in place
    session.run("pyright", "--verifytypes", "meteorlib", "--ignoreexternal", env={"PYTHONPATH": os.getcwd()})
    session.run("lint-imports")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site: no warning, no link that leads nowhere, nothing loaded from outside."""
    _install(session, "-e", ".[docs]")
    site = session.posargs[0] if session.posargs else "site"
    session.run("python", "-m", "sphinx", "-q", "-W", "--keep-going", "docs", site)
    session.run("python", "tools/check_site.py", site)


@nox.session
def site(session: nox.Session) -> None:
    """Build the site of every release and of the working tree: no link that leads nowhere."""
    _install(session, "-e", ".[docs]")
    out = session.posargs[0] if session.posargs else "site"
    session.run("python", "tools/versioned_site.py", out)
    session.run("python", "tools/check_site.py", out)


@nox.session
def oracle(session: nox.Session) -> None:
    """Compare with METEOR's jar, NLTK and real test sets, as far as these are there; add large tests."""
    _install(session, "-e", ".[dev]")
    session.run("python", "-m", "pytest", "--oracle", "--stress", "-m", "oracle or stress", *session.posargs)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Test the extension under AddressSanitizer."""
    _install(session, "-e", ".[test]", "Cython>=3.1", "setuptools>=77")
    session.run("tools/sanitize.sh", "python", *session.posargs, external=True)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure whole programs."""
    _install(session, "-e", ".[dev]", "sacrebleu>=2.4")
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session
def wheels(session: nox.Session) -> None:
    """Build a wheel that runs on old Linux systems, the pure wheel and the source archive; install and compare them."""
    _install(session, "auditwheel", "build", "ziglang")
    out = Path(session.posargs[0] if session.posargs else "dist")
    session.run("python", "-m", "tools.wheels", "linux-x86_64", "pure", "source", "--out", str(out))
    session.run("python", "-m", "tools.check_wheels", *sorted(map(str, out.glob("meteorlib-*"))))


@nox.session
def release(session: nox.Session) -> None:
    """Rehearse a release; with `-- --tag`, make it."""
    _install(session, "auditwheel", "build", "cyclonedx-bom", "twine", "ziglang")
    session.run("python", "-m", "tools.release", *session.posargs)


def _install(session: nox.Session, *packages: str) -> None:
    """Install packages into the environment of the session, if it has one."""
    if session.venv_backend not in {"none", None}:
        session.install(*packages)
