"""The documentation is true: its code runs, its commands print what is shown, its links lead somewhere.

A comment before a block says more of it: ``<!-- needs: paraphrase-en -->`` runs it only where that is installed, in a
namespace of its own; ``<!-- file: NAME -->`` makes it a file of that name in the folder in which the page is run;
``<!-- framework: NAME -->`` leaves it to tests/integrations. So do the pages in `ELSEWHERE` with all their code.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path

import numpy  # noqa: F401 – cannot be loaded twice, and a page's modules are forgotten
import pytest
import rich.console  # noqa: F401 – as above
import yaml

from meteorlib import Scorer, ScorerConfig, __version__, cli, registry
from meteorlib.cli import dropin
from meteorlib.config import load_preset, load_presets, preset_names
from meteorlib.config.languages import THESAURI, WORDNETS, languages
from meteorlib.core.languages import language_code
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.resources.install import statuses
from tests.docs.pages import BLOCK, ELSEWHERE, PAGES, ROOT, Block, blocks
from tools import tables

LONGEST = tuple(f"docs/{name}.md" for name in ("many-systems", "presets", "tutorial-systems"))
"""Pages whose commands take longest; by default the others do."""

COMMANDS = {"meteorlib": cli.main, "meteor-1.5": dropin.main}

_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_LANGUAGE_ROW = re.compile(r"^\| ([A-Z]\w+) \| (`meteor-[a-z]{2}` \|.*) \| ([^|]*) \|$", re.MULTILINE)
METEOR_15 = re.compile(r"meteor-1\.5-|meteor-e-dbnary-")
"""Presets of programs that count English function words in every language."""


BLOCKS = [block for page in PAGES for block in blocks(page)]
NEEDY = [
    pytest.param(block, id=f"{block.page}:{block.line}", marks=pytest.mark.oracle)
    for block in BLOCKS
    if "needs" in block.notes
]


def test_examples_count_function_words_of_their_language(tmp_path):
    """Only METEOR 1.5's presets, and an example that is said to be like them, count English words elsewhere."""
    file, english = tmp_path / "presets.yaml", set()
    for block in BLOCKS:
        if block.language == "yaml" and block.text.startswith("presets:") and block.notes.get("file") != "broken.yaml":
            file.write_text(block.text, encoding="utf-8")
            loaded = load_presets(file)
            english |= {(block.page, name) for name, config in loaded.items() if _counts_english(config)}
    assert english == {("docs/languages.md", "mine")}
    assert not any(_counts_english(load_preset(name)) for name in preset_names() if not METEOR_15.match(name))


def _counts_english(config: ScorerConfig) -> bool:
    return config.language != "en" and config.function_words == "en"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the examples and configurations, in which pages are run; what they register is found there."""
    for name in ("examples", "configs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._third_parties.cache_clear()
    yield tmp_path
    registry._third_parties.cache_clear()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def _prepare(page: str, folder: Path) -> None:
    """Write the files that the page shows, and install the package whose pyproject.toml is among them."""
    for block in blocks(page):
        if name := block.notes.get("file"):
            (folder / name).write_text(block.text, encoding="utf-8", newline="\n")
    project = folder / "pyproject.toml"
    if project.exists():
        described = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
        installed_as = folder / f"{described['name'].replace('-', '_')}-{described['version']}.dist-info"
        installed_as.mkdir()
        head = f"Metadata-Version: 2.1\nName: {described['name']}\nVersion: {described['version']}\n"
        (installed_as / "METADATA").write_text(head, encoding="utf-8")
        points = [
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in named.items())
            for group, named in described["entry-points"].items()
        ]
        (installed_as / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")


def _run_python(block: Block, names: dict[str, object]) -> None:
    where = f"{block.page}:{block.line}"
    assert ">>> " in block.text, f"{where}: code that shows no result proves nothing"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    parsed = doctest.DocTestParser().get_doctest(block.text, names, where, where, block.line)
    said: list[str] = []
    runner.run(parsed, out=said.append, clear_globs=False)
    names.update(parsed.globs)
    assert not runner.failures, "".join(said)


def _here(program: str, arguments: list[str], said: str) -> tuple[int, str]:
    """Exit status and output of a command, run in this process."""
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with ExitStack() as kept:
        patch = kept.enter_context(pytest.MonkeyPatch.context())
        for context in (redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings()):
            kept.enter_context(context)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said.encode()), encoding="utf-8"))
        patch.setenv("COLUMNS", "100")
        warnings.simplefilter("default")
        try:
            status = COMMANDS[program](arguments) or 0
        except SystemExit as end:
            status = int(end.code or 0)
    return status, printed.buffer.getvalue().decode()


def _in_a_process(program: str, arguments: list[str], said: str) -> tuple[int, str]:
    """Exit status and output of a command, run in its own process as users run it."""
    module = COMMANDS[program].__module__
    done = subprocess.run(
        [sys.executable, "-c", f"from {module} import main; raise SystemExit(main())", *arguments],
        input=said,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([os.getcwd(), str(ROOT)]),
            "PYTHONUTF8": "1",
            "COLUMNS": "100",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _run_console(block: Block, run: Callable[[str, list[str], str], tuple[int, str]]) -> None:
    status = 0
    for part in re.split(r"^\$ ", re.sub(r"(?<!\\)\\\n", " ", block.text), flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if command == "echo $?":
            assert expected.strip() == str(status), f"{block.page}:{block.line}: exit status"
            continue
        told, _, command = command.rpartition(" | ")
        program, *arguments = shlex.split(command)
        assert program in COMMANDS, f"{block.page}:{block.line}: $ is for commands that can be checked: {command}"
        echo, *lines = shlex.split(told) or ["echo"]
        assert echo == "echo", f"{block.page}:{block.line}: only what echo says can be checked: {told}"
        status, printed = run(program, arguments, " ".join(lines) + "\n" if told else "")
        same = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
        assert same, f"{block.page}:{block.line}: {command}\nexpected:\n{expected}\nfound:\n{printed}"


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_overlooked(page):
    """Every fence of a page begins or ends a block that the tests below see."""
    fences = (ROOT / page).read_text(encoding="utf-8").count("```")
    assert fences == 2 * len(blocks(page))


@pytest.mark.parametrize("page", PAGES)
def test_python_code_of_a_page_runs_and_gives_what_is_shown(page, folder, cache):
    """The Python blocks of a page, one after the other in one namespace, run and print what the page says."""
    _prepare(page, folder)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python" and not block.notes:
            _run_python(block, names)


@pytest.mark.parametrize(
    ("page", "run"),
    [
        *(pytest.param(page, _here, marks=pytest.mark.thorough if page in LONGEST else ()) for page in PAGES),
        *(pytest.param(page, _in_a_process, marks=pytest.mark.thorough) for page in PAGES),
    ],
)
def test_commands_of_a_page_print_what_is_shown(page, run, folder, cache):
    """Each ``$ meteorlib …`` and ``$ meteor-1.5 …`` of a page prints the output shown below it."""
    _prepare(page, folder)
    for block in blocks(page):
        if block.language == "console" and not block.notes:
            _run_console(block, run)


@pytest.mark.parametrize("block", NEEDY)
def test_block_that_needs_a_resource(block, folder):
    """A block marked with a resource gives the output shown if that resource is installed."""
    resource = block.notes["needs"]
    state = next(status.state for status in statuses() if status.name == resource)
    if state != "installed":
        pytest.skip(f"{resource} is {state} (meteorlib resources install {resource})")
    _prepare(block.page, folder)
    if block.language == "console":
        _run_console(block, _in_a_process)
    else:
        _run_python(block, {"__name__": "__main__"})


@pytest.mark.parametrize("page", [*PAGES, *ELSEWHERE, "CHANGELOG.md", "examples/README.md"])
def test_links_lead_to_files(page):
    """A link to a place in the repository has a target."""
    path = ROOT / page
    missing = [link for link, _ in _LINK.findall(path.read_text(encoding="utf-8")) if not (path.parent / link).exists()]
    assert missing == []


def _anchors(page: Path) -> set[str]:
    """Anchors of the headings of a page, as on GitHub and on the site."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in _HEADING.findall(text)}


@pytest.mark.parametrize("page", [*PAGES, *ELSEWHERE])
def test_links_lead_to_headings(page):
    """A link to a heading of a page names one that it has."""
    path = ROOT / page
    linked = [(path.parent / (link or path.name), anchor) for link, anchor in _LINK.findall(path.read_text("utf-8"))]
    missing = [
        (target.name, anchor)
        for target, anchor in linked
        if anchor and target.suffix == ".md" and anchor not in _anchors(target)
    ]
    assert missing == []


@pytest.mark.parametrize("page", [*ELSEWHERE, *(page for page in PAGES if page.startswith("docs/"))])
def test_a_page_has_readers_an_example_and_an_end(page):
    """A page says for whom it is, shows code with its output, and ends with where to go next."""
    text = (ROOT / page).read_text(encoding="utf-8")
    outputs = re.compile(r"^(?!\$|>>>|\.\.\. ).", re.MULTILINE)
    shown = [block for block in blocks(page) if block.language == "console" or ">>> " in block.text]
    assert any(outputs.search(block.text) for block in shown)
    if page != "docs/index.md":  # which ends with the contents
        assert text.split("\n\n")[1].startswith("For ")
        assert re.match(r"Next: .*\]\(", text.split("\n\n")[-1])


@pytest.mark.parametrize("page", sorted({f"docs/{path.name}" for path in (ROOT / "docs").glob("*.[mr][ds]*")}))
def test_every_page_is_in_the_contents(page):
    """The table of contents in docs/index.md has every page, so that it can be found."""
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    listed = {
        name
        for tree in re.findall(r"^:::\{toctree\}\n(.*?)^:::$", index, re.MULTILINE | re.DOTALL)
        for name in tree.split()
    }
    assert Path(page).stem in listed | {"index"}


def test_readme_shows_the_two_commands_of_a_new_user(folder):
    """One line installs and scores the examples, with the output shown; one tests; pages need no second compilation."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    venv = "python3 -m venv .venv && .venv/bin/"
    score = "score examples/system-a.en -r examples/reference.0.en -r examples/reference.1.en"
    assert f"{venv}pip install . && .venv/bin/meteorlib {score}\n" in readme
    assert f"{venv}pip install -e '.[test]' && .venv/bin/python -m pytest\n" in readme
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    packages = " ".join(package.partition(">")[0] for package in extras["docs"])
    assert f".venv/bin/pip install {packages} && .venv/bin/sphinx-build -q docs site && " in readme
    (shown,) = (block for block in blocks("README.md") if block.language == "text")
    _run_console(shown._replace(text=f"$ meteorlib {score}\n{shown.text}"), _here)


@pytest.mark.parametrize("page", tables.TABLES)
def test_tables_are_those_of_the_code(page):
    """The tables of parameters, presets and languages are as ``python -m tools.tables`` writes them."""
    assert (ROOT / f"docs/{page}.md").read_text(encoding="utf-8") == tables.written(page)


def test_a_table_is_corrected(tmp_path, monkeypatch):
    """Numbers come from the presets; a preset without a row, and a row without its preset, are errors."""
    right = (ROOT / "docs/presets.md").read_text(encoding="utf-8")
    monkeypatch.setattr(tables, "DOCS", tmp_path)
    for old, new in ((" | 0.85 | 0.2 | ", " | 0.5 | 7 | "), ("1.0 0.6 0.8 0.6 |", "1.0 |")):
        (tmp_path / "presets.md").write_text(right.replace(old, new), encoding="utf-8")
        assert tables.written("presets") == right
    for old, new, message in (
        ("`nltk`, `nltk-3.5`", "`nltk`", "nltk-3.5 is in no row"),
        ("`nltk`, ", "`nltk`, `nltk-4`, ", "do not exist: nltk-4"),
        ("`nltk`, ", "`nltk`, `meteor-1.5-en`, ", "two rows"),
        ("`-exact` |", "`-exact`, `meteor-other` |", "other numbers"),
    ):
        without = right.replace(", `meteor-other`", "") if "meteor-other" in new else right
        (tmp_path / "presets.md").write_text(without.replace(old, new), encoding="utf-8")
        with pytest.raises(SystemExit, match=message):
            tables.written("presets")


def test_configuration_with_every_key():
    """configs/complete.yaml has all parameters, in the order of the table."""
    complete = yaml.safe_load((ROOT / "configs/complete.yaml").read_text(encoding="utf-8"))["presets"]["complete"]
    assert [*complete["parameters"]] == [*NUMERIC_PARAMETERS]


def test_synonyms_of_languages():
    """The table of languages names the synonyms that a language can have, and no others."""
    rows = _LANGUAGE_ROW.findall((ROOT / "docs/languages.md").read_text(encoding="utf-8"))
    for (_, _, synonyms), language in zip(rows, languages(), strict=True):
        known = THESAURI.get(language.code) or WORDNETS.get(language.code, "")
        assert (known or ("wordnet-en" if language.code == "en" else "–")) in synonyms


def test_changelog_begins_with_this_version():
    """The changelog begins with the package's version, unreleased if in development, and what it did to scores."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = r"^## \[([^]]+)\](?: - \d{4}-\d\d-\d\d)?\n(.*?)(?=^## |\Z)"
    sections = re.findall(section, changelog, re.MULTILINE | re.DOTALL)
    name, newest = sections[0]
    assert name == ("Unreleased" if ".dev" in __version__ else __version__)
    assert ".dev" not in __version__ or __version__ in newest
    assert __version__ not in [version for version, _ in sections[1:]]
    assert "\n### Scores\n" in newest


@pytest.mark.parametrize("page", ["README.md", "docs/getting-started.md", "docs/human-judgment.md"])
def test_whose_meteor_2026_is(page):
    """A page says at its first mention that METEOR 2026 is this project's own and unpublished."""
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    first = text[text.index("METEOR 2026") :][:120]
    assert "this project's own" in first
    assert "unpublished" in first
    assert "`meteor-2026" not in text[: text.index("METEOR 2026") - 30]


def test_presets_that_are_listed():
    """The list of presets says whose METEOR 2026 is, and claims nothing of it."""
    for name in preset_names():
        if name.startswith("meteor-2026-"):
            assert load_preset(name).description.startswith("METEOR 2026 (this project's own, unpublished), ")


def test_judgments_that_numbers_were_chosen_with():
    """The text before the first table says that METEOR 2026's numbers were chosen with these judgments in view."""
    page = (ROOT / "docs/human-judgment.md").read_text(encoding="utf-8")
    table = page.index("\n| `meteor-2026-en` |")
    assert "were chosen with these judgments in view" in page[table - 500 : table]


def test_counts_of_languages():
    """The README counts the languages of `meteor-XX`, and those among them that METEOR 1.5 does not have."""
    codes = {
        language_code(name[7:].replace("nb", "no"))
        for name in preset_names()
        if re.fullmatch("meteor-[a-z][a-z]", name)
    }
    known = {name.split("-")[2] for name in preset_names() if name.startswith("meteor-1.5-")} - {"other", "universal"}
    known = {load_preset(f"meteor-1.5-{code}").language for code in known}
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"cover {len(codes)} languages, {len(codes - known)} more than METEOR 1.5." in readme


def test_default_preset_is_the_one_the_readme_names():
    """``Scorer()`` is METEOR 2005, as the README says."""
    assert Scorer().config.name == "meteor-2005"
