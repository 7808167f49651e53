"""Verification of an installation against the recorded results."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest
from attrs import evolve

from meteorlib import Scorer, __version__
from meteorlib.config import load_preset
from meteorlib.conformance import run
from meteorlib.conformance.run import Case, read_cases, read_expected, recorded_presets
from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.catalog import FILES
from meteorlib.verification import FACTS, signature_fields, verify
from tools.record_conformance import NLTK_RELEASES, from_jar, from_nltk, jar_options, kept, recording_of

SOME = ["meteor-1.5-de-core", "meteor-1.5-en-core", "meteor-2005", "meteor-2005-exact", "meteor-2026-en-core", "nltk"]
"""Presets of all kinds, which need nothing but the package."""


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """Change the recorded results of a preset, in a copy: the rows are given to a function."""
    folder = shutil.copytree(run.HERE, tmp_path / "kit")
    monkeypatch.setattr(run, "HERE", folder)

    def change(preset, edit):
        path = folder / "expected" / f"{preset}.jsonl"
        rows = run.read_rows(path)
        edit(rows)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    return change


def test_this_installation():
    """Presets that need nothing else give the recorded results, with each available engine."""
    found = verify(SOME)
    assert [check for check in found.checks if check.state != "equal"] == []
    assert found.passed
    assert [check.preset for check in found.checks] == SOME


@pytest.mark.parametrize(
    ("fact", "wrong"),
    [("score", 0.5), ("penalty", None), ("statistics", "1 1"), ("matches", "0-0"), ("recall", 0.1)],
)
def test_wrong_result(kit, fact, wrong):
    """Each fact that differs is a failure, and named with both values."""
    kit("meteor-1.5-en-core", lambda rows: rows[1].update({fact: wrong}))
    (check,) = (found := verify(["meteor-1.5-en-core"])).checks
    assert (check.state, found.passed) == ("different", False)
    assert f"paper-2005-chunks: {fact} is " in check.details[0]
    assert check.details[0].endswith(f"should be {wrong}")
    assert len(check.details) == len(check.engines)


def test_wrong_corpus_score(kit):
    """The score of all cases together is compared, too."""
    kit("meteor-2005", lambda rows: rows[0]["corpus"].update({"2": 0.5}))
    (check,) = verify(["meteor-2005"]).checks
    assert check.state == "different"
    assert "corpus of cases with 2 references" in check.details[0]


def test_last_digits(kit):
    """The last digits of a power depend on the C library: a difference of 1e-15 is none."""
    kit("meteor-2005", lambda rows: rows[1].update(score=rows[1]["score"] + 1e-15))
    assert verify(["meteor-2005"]).passed


def test_other_parts(kit):
    """If the signature says that other data or packages are in use, different results are no failure of meteorlib."""

    def edit(rows):
        rows[0]["signature"]["text"] = "jieba(jieba=0.1)"
        rows[1]["score"] = 0.5

    kit("meteor-2005", edit)
    (check,) = (found := verify(["meteor-2005"])).checks
    assert (check.state, found.passed) == ("other parts", True)
    assert check.details[0] == "signature: text was jieba(jieba=0.1), is lower"


def test_missing_data(cache):
    """A preset whose data are not installed is not checked; if that is all, verification has not passed."""
    (check,) = (found := verify(["meteor-1.5-en"])).checks
    assert (check.state, found.passed) == ("cannot run", False)
    assert "meteorlib resources install paraphrase-en" in check.details[0]


def test_damaged_data(monkeypatch):
    """Language data that are not the released ones are found, and the presets that need them fail."""
    monkeypatch.setitem(FILES, "function-words-en", {"function-words-en.txt": (373, 1)})
    found = verify(["meteor-1.5-en-core", "meteor-2005"])
    assert list(found.damaged) == ["function-words-en"]
    assert [check.state for check in found.checks] == ["failed", "equal"]
    assert not found.passed


def test_unknown_preset():
    """A preset without recorded results is an error with a suggestion."""
    with pytest.raises(UnknownName, match="did you mean 'nltk'"):
        verify(["nlkt"])


def test_signatures():
    """Recorded signatures are those of today; if not, run ``python -m tools.record_conformance``.

    Left out are presets with packages of others, whose versions differ, and those whose data are not installed.
    """
    names = [name for name in recorded_presets() if re.fullmatch(r"nltk.*|meteor-(1\.5|2005|2026).*(?<!-full)", name)]
    for name in names:
        with suppress(ResourceMissing):
            assert signature_fields(Scorer(name)) == read_expected(name).head["signature"], name
    assert {*SOME} <= {*names}


def test_example_of_the_paper():
    """Banerjee & Lavie (2005) by hand: 6 of 7 words and 6 of 6 words match, in 2 chunks."""
    row = read_expected("meteor-2005").rows["paper-2005-chunks"]
    precision, recall, penalty = 6 / 7, 1.0, 0.5 * (2 / 6) ** 3
    mean = 10 * precision * recall / (recall + 9 * precision)
    assert (row["chunks"], row["matches"]) == (2, "0-0 1-1 2-3 3-4 4-5 5-6")
    assert [row[name] for name in ("precision", "recall", "penalty", "score")] == pytest.approx(
        [precision, recall, penalty, mean * (1 - penalty)], rel=1e-15
    )


def test_programs():
    """Every preset that METEOR 1.5's jar or NLTK can run was recorded from it."""
    programs = {name: read_expected(name).head["program"] for name in recorded_presets()}
    jars = {name for name in programs if jar_options(load_preset(name)) is not None}
    assert {name for name, program in programs.items() if program == "METEOR 1.5"} == jars
    assert [name for name, program in programs.items() if program.startswith("NLTK")] == [*NLTK_RELEASES]
    own = {name for name in programs if read_expected(name).own}
    assert own == {*programs} - jars - {*NLTK_RELEASES}
    assert all(re.fullmatch(r"meteorlib \d+\.\d+\.\d+\S*", programs[name]) for name in own)
    assert len(jars) > 20
    assert [check.program for check in verify(["nltk", "meteor-2005-exact"]).checks] == [
        programs["nltk"],
        programs["meteor-2005-exact"],
    ]


def test_own_results_that_did_not_move():
    """A preset of meteorlib's own keeps the release with which its results were recorded until they move."""
    name = "meteor-2005-exact"
    scorer = Scorer(name, implementation="python")
    assert recording_of(scorer, None, nltk=False) == kept(name)
    moved = Scorer(evolve(scorer.config, parameters=evolve(scorer.config.parameters, gamma=0.4)))
    head, rows = recording_of(moved, None, nltk=False)
    assert head["program"] == f"meteorlib {__version__}"
    assert rows != kept(name)[1]


def test_nothing_but_attrs():
    """A preset that needs nothing else is verified with attrs alone."""
    blocked = ["cattrs", "click", "jinja2", "numpy", "platformdirs", "rich", "yaml"]
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked})); from meteorlib.verification import verify;"
        "print(verify(['meteor-2005-exact', 'meteor-1.5-de-core']).passed)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


def test_facts():
    """A kit row of meteorlib's own has all facts but METEOR 1.5's line of statistics."""
    rows = read_expected("meteor-2026-en-core").rows.values()
    assert {frozenset(row) for row in rows} == {frozenset({"id", *FACTS} - {"statistics"})}


def english() -> list[Case]:
    """The English cases."""
    return [case for case in read_cases() if case.language == "en"]


@pytest.mark.oracle
def test_nltk_today():
    """NLTK gives the recorded results."""
    _, rows = from_nltk("nltk", english())
    assert rows == list(read_expected("nltk").rows.values())


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["meteor-1.5-en-core", "meteor-1.5-de-core", "meteor-1.5-da"])
def test_jar_today(oracles, name):
    """METEOR 1.5 gives the recorded results."""
    config = load_preset(name)
    cases = [case for case in read_cases() if case.language == config.language]
    head, rows = from_jar(oracles / "meteor-1.5.jar", jar_options(config), cases)
    expected = read_expected(name)
    assert (head["command"], head["corpus"]) == (expected.head["command"], expected.head["corpus"])
    assert rows == list(expected.rows.values())
