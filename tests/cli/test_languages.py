"""``meteorlib languages``."""

from __future__ import annotations

import json
import sys

import pytest

from meteorlib.core.languages import NAMES
from meteorlib.resources import stemmers


@pytest.fixture
def without_czech(cache, monkeypatch):
    """A machine without Czech stems, and without anything that was installed."""
    stemmers._snowball_class.cache_clear()
    monkeypatch.setitem(sys.modules, "snowballstemmer.czech_stemmer", None)


def test_table(printed, without_czech):
    """Each language is a line, with what it has and the command for what its preset lacks."""
    out = printed("languages")
    heading, *lines = out.splitlines()
    assert heading.split()[:6] == ["code", "language", "words", "stems", "synonyms", "paraphrases"]
    rows = [line.split() for line in lines[: len(NAMES)]]
    assert [row[:2] for row in rows] == [[code, name] for code, name in NAMES.items()]
    by_code = {row[0]: row for row in rows}
    assert by_code["de"][2:] == ["norm", "snowball-de", "–", "–", "de", "–"]
    assert by_code["cs"][2:] == ["norm", "snowball-cs", "–", "–", "cz", "pip", "install", "'meteorlib[snowball]'"]
    assert by_code["en"][4] == "wordnet-en-offsets"
    assert all(line == line.rstrip() for line in out.splitlines())


def test_one(printed, without_czech, monkeypatch):
    """With a code or any of METEOR's names, all details of a language are shown, with the needs of its full preset."""
    monkeypatch.setattr("meteorlib.config.languages.which", lambda _: "/usr/bin/apt")
    czech, thai = printed("languages", "cz", "th").split("\n\n")
    install = "missing: apt install mythes-cs && meteorlib resources install synonyms-cs --from system"
    table = "missing: meteorlib resources install paraphrase-cz --from meteor-1.5.tar.gz"
    assert czech.splitlines() == [
        "Czech (cs): meteor-cs, meteor-cs-full, meteor-1.5-cz, meteor-2026-cz, meteor-2026-cz-full",
        "  words           norm                 here",
        "  stems           snowball-cs          missing: pip install 'meteorlib[snowball]'",
        f"  synonyms        synonyms-cs          {install} (for meteor-cs-full)",
        f"  paraphrases     paraphrase-cz        {table} (for meteor-cs-full)",
        "  function words  cz                   here",
    ]
    assert thai.splitlines()[2] == "  stems           –"
    assert thai.splitlines()[-1].endswith("can be added: meteorlib universal function-words CORPUS --preset meteor-th")


def test_json(run, without_czech):
    """As data, each part has its name, the preset that has it, whether it is here, and how it is had."""
    (czech,) = json.loads(run("languages", "cs", "--format", "json").out)
    assert czech["presets"][0] == "meteor-cs"
    assert czech["stems"] == {
        "name": "snowball-cs",
        "preset": "meteor-cs",
        "here": False,
        "get": "pip install 'meteorlib[snowball]'",
    }
    assert (czech["function_words"]["name"], czech["function_words"]["get"]) == ("cz", None)
    assert czech["missing"] == "pip install 'meteorlib[snowball]'"
    assert [one["code"] for one in json.loads(run("languages", "--format", "json").out)] == list(NAMES)


def test_tsv(run, without_czech):
    """As TSV, each row has the columns of the heading; missing data are empty."""
    heading, *rows = (line.split("\t") for line in run("languages", "--format", "tsv").out.splitlines())
    assert heading == "code language presets words stems synonyms paraphrases function_words missing".split()
    assert {len(row) for row in rows} == {len(heading)}
    german = dict(zip(heading, rows[list(NAMES).index("de")], strict=True))
    newest = ["meteor-2026-de", "meteor-2026-de-full"]
    assert german["presets"].split() == ["meteor-de", "meteor-de-full", "meteor-1.5-de", *newest]
    assert (german["words"], german["synonyms"], german["missing"]) == ("norm", "", "")


def test_unknown(refused):
    """A language without a preset ends with one message that names those that have one."""
    err = refused("languages", "tlh")
    assert err.startswith("meteorlib: unknown language 'tlh' (did you mean 'th'?); known: ar, bg, ")
