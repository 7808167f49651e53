"""An empty machine for every test; folders of the oracles and of the shared data, whose tests are skipped without them.

Without an option pytest runs what takes milliseconds; docs/maintaining.md says which mark a new test takes.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from benchmarks.texts import make_table
from meteorlib import Scorer, ScorerConfig, registry
from meteorlib.config import load_file
from meteorlib.resources.store.shared_files import CACHE_VARIABLE, cache_folder
from tests.examples import FEW, MANY

ROOT = Path(__file__).resolve().parent.parent

PRESET_2026 = """\
presets:
  small-2026:
    text: norm
    formula: meteor-2026
    stages:
      - {{matcher: exact, weight: 1.0}}
      - {{matcher: stem, weight: 0.6, resource: snowball-en}}
      - {{matcher: synonym, weight: 0.7, resource: wordnet-en-offsets}}
      - {{matcher: joined, weight: 0.9}}
      - {{matcher: paraphrase, weight: 0.6, resource: {table}}}
      - {{matcher: near, weight: 0.4}}
    search: {{name: weighted}}
    parameters: {{alpha: 0.8, beta: 0.5, gamma: 0.2, crossing: 0.25, crossing_beta: 0.5}}
    weights: {{resource: ./weights.txt}}
"""


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared test data beside the repository, or METEORLIB_SHARED."""
    path = Path(os.environ["METEORLIB_SHARED"])
    if not (path / "data").is_dir():
        pytest.skip(f"shared data not found at {path} (set METEORLIB_SHARED)")
    return path


@pytest.fixture(scope="session")
def oracles() -> Path:
    """The folder that shared/oracles/get.sh fills, or METEORLIB_ORACLES."""
    path = Path(os.environ["METEORLIB_ORACLES"])
    if not (path / "meteor-1.5.jar").is_file():
        pytest.skip(f"METEOR 1.5 jar not found at {path} (set METEORLIB_ORACLES)")
    return path


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """An empty cache folder that is in use."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def lowered(monkeypatch) -> Callable[..., Callable[[], int]]:
    """Lowers a limit and counts what it causes, so that a limit without effect is seen where results are the same.

    ``lowered(module, "LIMIT", 3, "write")`` returns a function that tells how often `write` was called since; another
    class or module that has it is the last argument. What is counted by the code itself is read by a function:
    ``lowered(module, "LIMIT", 3, lambda: kernel.emptied)``.
    """

    def lower(
        module: Any, name: str, value: float, effect: str | Callable[[], int], owner: Any = None
    ) -> Callable[[], int]:
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, value)
        if not isinstance(effect, str):
            before = effect()
            return lambda: effect() - before
        owner = module if owner is None else owner
        original, calls = getattr(owner, effect), []

        def counted(*given: Any, **named: Any) -> Any:
            calls.append(effect)
            return original(*given, **named)

        monkeypatch.setattr(owner, effect, counted)
        return lambda: len(calls)

    return lower


@pytest.fixture
def unmeasured() -> dict[str, str]:
    """The environment of a process that is looked at itself: to measure coverage it would load and write more."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


@pytest.fixture
def entry_point(tmp_path_factory, monkeypatch) -> Iterator[Callable[[str, str, str], None]]:
    """Installs a package with an entry point: ``entry_point("texts", "letters", "module:Letters")``."""

    def install(group: str, name: str, place: str) -> None:
        folder = tmp_path_factory.mktemp("installed")
        (folder / f"registers_{name}-1.0.dist-info").mkdir()
        points = folder / f"registers_{name}-1.0.dist-info" / "entry_points.txt"
        points.write_text(f"[meteorlib.{group}]\n{name} = {place}\n", encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        registry._third_parties.cache_clear()

    yield install
    registry._third_parties.cache_clear()


@pytest.fixture
def registered(entry_point, monkeypatch) -> Callable[[str, str, object], None]:
    """Registers a part as an installed package does, by group and name: ``registered("texts", "letters", Letters)``."""

    def register(group: str, name: str, part: object) -> None:
        monkeypatch.setitem(sys.modules, f"registers_{name}", SimpleNamespace(part=part))
        entry_point(group, name, f"registers_{name}:part")

    return register


@pytest.fixture(scope="session")
def compiled_table(tmp_path_factory) -> Callable[[Iterable[tuple[str, str]]], Path]:
    """Entries → a folder with the compiled paraphrase table of them."""
    return lambda entries: make_table(entries, tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def file_2026(tmp_path_factory, compiled_table) -> Path:
    """A file with a preset of METEOR 2026 that has all its stages, a few word weights and a few paraphrases."""
    folder = tmp_path_factory.mktemp("meteor-2026")
    weights = {"the": 400, "a": 500, "of": 600, "was": 1500, "cat": 5000, "hasan": 5500, "sat": 6000, "mat": 7000}
    lines = "".join(f"{word}\t{weight}\n" for word, weight in weights.items())
    (folder / "weights.txt").write_text(lines, encoding="utf-8")
    table = compiled_table([("turned down", "rejected"), ("rejected", "turned down")])
    (folder / "presets.yaml").write_text(PRESET_2026.format(table=table), encoding="utf-8")
    return folder / "presets.yaml"


@pytest.fixture(scope="session")
def config_2026(file_2026) -> ScorerConfig:
    """That preset."""
    return load_file(file_2026)


@pytest.fixture(scope="session")
def corpus():
    """References, hypotheses → the scored corpus, by METEOR 1.5 without a paraphrase table."""
    scorer = Scorer("meteor-1.5-en-core")
    return lambda references, hypotheses: scorer.corpus().extend(references=references, hypotheses=hypotheses)


@pytest.fixture(scope="session")
def scorer_2026(config_2026) -> Scorer:
    """The scorer of that preset."""
    return Scorer(config_2026)


@pytest.fixture(scope="session")
def segments_2026() -> tuple[list[str], list[str]]:
    """References and hypotheses in which every stage of that preset has a match, and matches cross."""
    references = [
        "the cat sat on the mat , well-known .",
        "they rejected the hassan of the cats",
        "a mattress was seen here",
        "nothing of it",
    ]
    hypotheses = [
        "the mat was on the cat , wellknown .",
        "it was turned down , the hasan of a cat",
        "here a matress was bought",
        "all else",
    ]
    return references, hypotheses


START_METHOD = os.environ.get("METEORLIB_START_METHOD")
"""Start method of worker processes: ``spawn``, as on Windows and macOS, or ``forkserver``; None: the system's
default.
"""

OF_THE_MACHINE = re.compile(
    r"METEORLIB_\w+|XDG_\w+|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|PAGER|MANPAGER"
)
"""Variables that no test sees, unless the run itself sets them: `OF_THE_RUN`."""

OF_THE_RUN = ("AXE", "INSTALLED", "ORACLES", "PURE_PYTHON", "PYODIDE", "SHARED", "START_METHOD")
"""Variables METEORLIB_… that choose what a run tests, and with what."""


def _empty_machine(home: str) -> None:
    """Give this process, and those that it starts, an empty home and cache, and no locale or time zone of the machine.

    What a run needs of the machine is looked up before, and passed on to the processes that share the tests.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for name, path in {
        "METEORLIB_INSTALLED": cache_folder(),
        "METEORLIB_ORACLES": cache / "meteor-oracles",
        "METEORLIB_SHARED": ROOT.parent / "shared",
        # of compilers and of pyright, which would download itself again
        "CCACHE_DIR": cache / "ccache",
        "PYRIGHT_PYTHON_CACHE_DIR": cache / "pyright-python",
    }.items():
        os.environ.setdefault(name, str(path))
    kept = {f"METEORLIB_{name}" for name in OF_THE_RUN}
    for name in filter(OF_THE_MACHINE.fullmatch, set(os.environ) - kept):
        del os.environ[name]
    for name in ("COLUMNS", "LINES"):  # the library readline sets them behind Python's back, for processes to come
        os.unsetenv(name)
    os.environ |= {"HOME": home, "USERPROFILE": home, CACHE_VARIABLE: str(Path(home, "cache")), "TZ": "UTC"}
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Tests marked ``oracle``, and their fixtures, find the language data installed on this machine; others do not."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("oracle"):
            patch.setenv(CACHE_VARIABLE, os.environ["METEORLIB_INSTALLED"])
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Empty the machine, and set how worker processes start, and how many random examples there are.

    Random examples are the same in every run; with ``--stress`` more, with ``--hypothesis-seed`` others.
    No example fails because the machine is busy, and one that kills a mutant is not made smaller. How many there are:
    `tests.examples`.
    """
    home = TemporaryDirectory(prefix="meteorlib-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    _empty_machine(home.name)
    if START_METHOD:
        multiprocessing.set_start_method(START_METHOD, force=True)
    same = config.getoption("--hypothesis-seed") is None
    phases = set(Phase) - ({Phase.shrink, Phase.explain} if "MUTANT_UNDER_TEST" in os.environ else set())
    settings.register_profile(
        "many",
        max_examples=MANY,
        derandomize=same,
        deadline=None,
        phases=phases,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.register_profile("few", settings.get_profile("many"), max_examples=FEW)
    settings.load_profile("many" if config.getoption("--stress") else "few")
    if (path := config.getoption("--note-passed")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Passed(Path(path)))


class _Passed:
    """Writes the ids of the tests that passed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ids: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one."""
        if report.when == "call" and report.passed:
            self._ids.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write them."""
        self._path.write_text("\n".join(self._ids), encoding="utf-8")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With ``-n logical``, which pyproject.toml says, a file or a test that is named runs in this process."""
    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return 0 if named and config.option.numprocesses == "logical" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """The runs apart from the default one."""
    parser.addoption("--browser", action="store_true", help="drive a headless Chromium")
    parser.addoption("--oracle", action="store_true", help="compare with METEOR's jar, NLTK and the shared data")
    parser.addoption("--stress", action="store_true", help="run what is large or takes long")
    parser.addoption("--thorough", action="store_true", help="run what starts many programs or tries many cases")
    parser.addoption("--note-passed", metavar="FILE", help="write the ids of the tests that passed")
    parser.addoption("--but-passed", metavar="FILE", help="leave these out, but for those of random examples")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave those runs out where they are not asked for; of tests that are named, say so."""
    left_out = []
    unasked = [mark for mark in ("browser", "oracle", "stress", "thorough") if not config.getoption(mark)]
    path = config.getoption("--but-passed")
    passed = set(Path(path).read_text(encoding="utf-8").split("\n")) if path else set()
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if missing := [mark for mark in unasked if mark in marks]:
            item.add_marker(pytest.mark.skip(reason=f"{missing[0]} run: pytest --{' --'.join(missing)}"))
            left_out.append(item)
        elif item.nodeid in passed and "hypothesis" not in marks:
            left_out.append(item)
    if left_out and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.hook.pytest_deselected(items=left_out)
        unwanted = set(left_out)
        items[:] = [item for item in items if item not in unwanted]
