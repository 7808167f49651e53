"""The public interface is what docs/reference-python.rst lists; its arguments are named as docs/in-python.md says."""

from __future__ import annotations

import ast
import re
from importlib import import_module, util
from inspect import Parameter, isclass, isfunction, signature
from pathlib import Path
from pkgutil import resolve_name

import pytest

from meteorlib import Corpus, Scorer
from meteorlib.errors import ExtraMissing
from tests.docs.pages import ELSEWHERE, PAGES, ROOT, blocks

REFERENCE = (ROOT / "docs" / "reference-python.rst").read_text(encoding="utf-8")
MODULES = re.findall(r"^   \* - ``([\w.]+)``$", REFERENCE, re.MULTILINE)
"""The public modules."""

DOCUMENTED = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "python").glob("*.rst")))
"""The pages of the reference, one for each public module or group of modules."""

INTERNALS = "docs/searches.md"
"""A page that shows how a search works inside."""

SHORT, SPELLED_OUT = {"ref", "refs", "hyp"}, {"reference", "references", "hypothesis", "hypotheses"}


def listed(module):
    """``__all__`` of a module, read from its source: what an adapter needs may not be installed."""
    for statement in ast.parse(Path(util.find_spec(module).origin).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return ast.literal_eval(statement.value)
    raise AssertionError(f"{module} has no __all__")


def home(name):
    """The one name of a class or a function that several modules may export."""
    if name.startswith("meteorlib.integrations."):
        return name
    named = resolve_name(name)
    return f"{named.__module__}.{named.__qualname__}" if isclass(named) or isfunction(named) else name


def arguments(owner):
    """The arguments of a function, or of the public methods of a class, its constructor among them."""
    members = vars(owner).items() if isclass(owner) else [("", owner)]
    for name, member in members:
        call = getattr(member, "__func__", member)
        if isfunction(call) and (name.startswith("__") or not name.startswith("_")):
            yield from signature(call).parameters.values()


@pytest.mark.parametrize("module", MODULES)
def test_names_of_public_modules(module):
    """Names in ``__all__`` exist and are listed once; outside `Scorer` and `Corpus` no argument has a short name."""
    names = listed(module)
    assert len(set(names)) == len(names)
    try:
        named = [getattr(import_module(module), name) for name in names]
    except ExtraMissing as missing:
        pytest.skip(str(missing))
    for owner in named:
        if (isclass(owner) and owner not in (Scorer, Corpus)) or isfunction(owner):
            assert {argument.name for argument in arguments(owner)} & SHORT == set(), owner


def test_short_names_of_arguments():
    """`Scorer` and `Corpus` take the texts of a segment as `ref` (or `refs`), then `hyp`, and columns by keyword."""
    for argument in [*arguments(Scorer), *arguments(Corpus)]:
        if argument.name in SHORT | SPELLED_OUT:
            assert (argument.name in SHORT) == (argument.kind is Parameter.POSITIONAL_OR_KEYWORD)
    for call in (Scorer.score, Scorer.align, Scorer.candidates, Scorer.explain, Corpus.add):
        assert [*signature(call).parameters][1:3] == ["ref", "hyp"]
    for call in (Scorer.score_tokens, Corpus.add_tokens):
        assert [*signature(call).parameters][1:3] == ["refs", "hyp"]


def test_reference_documents_what_is_public():
    """The reference documents what public modules list, all of it and nothing else."""
    documented = set()
    for kind, name in re.findall(
        r"^\.\. auto(class|function|data|module):: ([\w.]+)(?:\(\))?$", DOCUMENTED, re.MULTILINE
    ):
        full = name if name.startswith("meteorlib.") else f"meteorlib.{name}"
        documented |= {f"{full}.{each}" for each in listed(full)} if kind == "module" else {full}
    public = {f"{module}.{name}" for module in MODULES for name in listed(module)} - {"meteorlib.__version__"}
    assert len(set(MODULES)) == len(MODULES)
    assert sorted(documented - public) == []
    assert sorted(set(map(home, public)) - set(map(home, documented))) == []


@pytest.mark.parametrize("page", sorted({*PAGES, *ELSEWHERE} - {INTERNALS}))
def test_pages_import_what_is_public(page):
    """Code on a page imports public names only."""
    code = "".join(block.text for block in blocks(page) if block.language == "python")
    for module, names in re.findall(r"from (meteorlib[\w.]*) import ([\w, ]+)", code):
        assert module in MODULES
        assert {name.strip() for name in names.split(",")} <= {*listed(module)}
    assert {*re.findall(r"import (meteorlib[\w.]*)", code)} <= {*MODULES}
