"""``docs/score.schema.json`` describes the JSON of ``meteorlib score``."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

ONE = ("system-a.en",)
TWO = ("system-a.en", "system-b.en")
COMMON = ("-r", "reference.0.en", "-q", "-f", "json")


@pytest.fixture(scope="module")
def validator(root):
    """The schema's validator."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((root / "docs" / "score.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture
def scored(run, root, tmp_path, monkeypatch):
    """The JSON that ``meteorlib score`` prints for arguments; the table t.tsv has ids, and scores.tsv has scores."""
    monkeypatch.chdir(root / "examples")
    (tmp_path / "labels").write_text("news\n\n" * 24)
    (tmp_path / "scores.tsv").write_text("system-a.en\tsystem-b.en\n" + "1\t2\n" * 48)
    (tmp_path / "t.tsv").write_text("id\thyp\tref\n" + "".join(f"s{row}\ta cat {row}\tthe cat\n" for row in range(3)))

    def score(*arguments):
        done = run("score", *(argument.replace("TMP", str(tmp_path)) for argument in arguments))
        assert done.status == 0, done.err
        return json.loads(done.out)

    return score


@pytest.mark.parametrize(
    "arguments",
    [
        (*ONE, *COMMON),
        (*ONE, *COMMON, "--segments", "--by", "d=TMP/labels", "--preset", "meteor-2026-en-core"),
        (*ONE, *COMMON, "-r", "reference.1.en", "--segments", "--preset", "nltk"),
        (*ONE, *COMMON, "-n", "20", "--confidence"),
        (*TWO, *COMMON, "-n", "20"),
        (*TWO, *COMMON, "-n", "20", "--paired", "none", "--mean", "--segments", "--metric", "x=TMP/scores.tsv"),
        (*TWO, *COMMON, "-n", "20", "--by", "d=TMP/labels", "--runs", "x=system-a.en,system-b.en"),
        "TMP/t.tsv -q -f json --hyp-column hyp --ref-column ref --id-column id --segments".split(),
    ],
)
def test_output_is_described(scored, validator, arguments):
    """Every output is valid, and the schema knows every key; an output with another key, or without one, is not."""
    data = scored(*arguments)
    assert [error.message for error in validator.iter_errors(data)] == []
    assert not validator.is_valid(data | {"scores": 1})
    assert not validator.is_valid({key: value for key, value in data.items() if key != "signature"})


def test_nested_mistakes_are_found(scored, validator):
    """A wrong type, a number out of its range or a forgotten key deep inside makes an output invalid."""
    data = scored(*TWO, *COMMON, "-n", "20")
    for change in (
        lambda system: system["interval"].pop("low"),
        lambda system: system.update(score=88.1),
        lambda system: system["corpus"].update(precision="high"),
        lambda system: system["difference"]["changes"]["bands"].pop(),
    ):
        wrong = deepcopy(data)
        change(wrong["systems"][1])
        assert not validator.is_valid(wrong)
