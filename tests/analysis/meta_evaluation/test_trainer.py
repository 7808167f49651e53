"""Folders of METEOR's trainer; what the program itself makes of one is recorded."""

from __future__ import annotations

import numpy as np
import pytest

from meteorlib.analysis.meta_evaluation import Asked, Metric, Scored, meta_evaluate, read_judgments
from meteorlib.errors import InputMismatch, InvalidText
from tests.analysis.meta_evaluation.files import sgml

REFERENCES = {"d": {"1": "the cat sat", "2": "a dog ran off", "5": "four five six seven"}}
OUTPUTS = {
    "A": {"d": {"1": "the cat sat", "2": "x y", "5": "q"}},
    "B": {"d": {"1": "nothing", "2": "a dog ran off", "5": "four five six seven"}},
}
RANK = "{segment}\tcz-en\t{better}\tcz-en\t{worse}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of the task rank, without rankings; it is named without those that it lies in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").mkdir()
    write("cz-en.ref.sgm", sgml("refset", "refid", "ref", REFERENCES))
    for name, output in OUTPUTS.items():
        write(f"cz-en.{name}.sgm", sgml("tstset", "sysid", name, output))
    return tmp_path / "train"


def write(name, text):
    with open(f"train/{name}", "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def ranks(*listed):
    return "".join(RANK.format(segment=segment, better=better, worse=worse) for segment, better, worse in listed)


def test_rankings_have_the_value_of_the_trainer(folder):
    """Tau with the rule of 2012 is what METEOR 1.5 prints for these files: 1 of 7 pairs is right, so -5/7."""
    write("x.rank", ranks(("1", "A", "B"), *[("2", "A", "B")] * 2, *[("5", "A", "B")] * 4))
    (found,) = read_judgments("train", Asked())
    assert (found.name, len(found.pairs), found.segment_count) == ("cz-en", 7, 3)
    assert found.texts[0].texts == (("the cat sat",), "the cat sat")
    scores = np.array(
        [len(set(text.texts.hypothesis.split()) & set(text.texts.references[0].split())) for text in found.texts]
    )
    found = meta_evaluate([found], [Metric("m", (Scored(scores.astype(float)),))], samples=5)
    assert "cz-en: only 7 judgments: too few to say much about a metric" in found.notes
    assert found.table("cz-en", "pairs")["m"].figures["tau_wmt12"].value == -0.7142857142857143


def test_rankings_of_systems_without_a_file_are_left_out(folder):
    """As the trainer does; a note says how many; where there is no other ranking that is an error."""
    write("x.rank", ranks(("1", "A", "B"), ("1", "A", "C")) + "1\tde-en\tA\tde-en\tB\n")
    (found,) = read_judgments("train", Asked())
    assert len(found.pairs) == 1
    assert found.notes == (
        "cz-en: a ranking is of systems without a file and left out",
        "de-en: a ranking is of systems without a file and left out",
    )
    write("x.rank", ranks(("1", "A", "C")))
    with pytest.raises(InputMismatch, match=r"train: has no ranking of a system that is there \(cz-en\)"):
        read_judgments("train", Asked())


BAD_RANKS = [
    ("3\tcz-en\tA\tcz-en\tB\n", r"x.rank:1: segment '3' of cz-en is unknown"),
    ("1\tcz-en\tA\n", r"x.rank:1: expected segment, language pair, .* between tabs, got 3 fields"),
    ("1\tcz-en\tA\tde-en\tB\n", r"x.rank:1: texts of two language pairs cannot be compared: 'cz-en' and 'de-en'"),
    ("1\tcz-en\tA\tcz-en\tA\n", r"x.rank:1: system 'A' is judged better than itself"),
    ("\n", r"train: has no ranking"),
]


@pytest.mark.parametrize(("text", "told"), BAD_RANKS)
def test_bad_rankings_are_named(folder, text, told):
    """An unknown segment, a line that is none, two language pairs, a system against itself, none at all."""
    write("x.rank", text)
    with pytest.raises((InputMismatch, InvalidText), match=told):
        read_judgments("train", Asked())


def test_segments_of_several_documents_are_told_apart(folder):
    """One id in two documents is no mistake, but a ranking of it is."""
    two = {"d": {"1": "the cat sat"}, "e": {"1": "a dog ran off", "2": "one"}}
    write("cz-en.ref.sgm", sgml("refset", "refid", "ref", two))
    for name in "AB":
        write(f"cz-en.{name}.sgm", sgml("tstset", "sysid", name, two))
    write("x.rank", ranks(("2", "A", "B")))
    assert len(read_judgments("train", Asked())[0].texts) == 2
    write("x.rank", ranks(("1", "A", "B")))
    with pytest.raises(InvalidText, match=r"x.rank:1: segment '1' of cz-en is in several documents"):
        read_judgments("train", Asked())


def test_bad_folders_are_named(folder):
    """Without references, without systems, with a segment that has no reference, with rankings and ratings."""
    write("x.rank", ranks(("1", "A", "B")))
    write("cz-en.B.sgm", sgml("tstset", "sysid", "B", {"d": {"9": "x"}}))
    with pytest.raises(InputMismatch, match=r"cz-en.B.sgm: segment '9' of document 'd' has no reference"):
        read_judgments("train", Asked())
    (folder / "cz-en.ref.sgm").unlink()
    with pytest.raises(InputMismatch, match=r"train: there is no cz-en.ref.sgm beside cz-en.A.sgm"):
        read_judgments("train", Asked())
    for path in folder.glob("*.sgm"):
        path.unlink()
    with pytest.raises(InputMismatch, match=r"train: has rankings \(x.rank\), but no texts"):
        read_judgments("train", Asked())
    write("x.ter", "d 1 0.5\n")
    with pytest.raises(InputMismatch, match=r"has rankings \(x.rank\) and ratings \(x.ter\)"):
        read_judgments("train", Asked())


def test_references_of_another_set_are_no_second_references(folder):
    """One document and segment in two sets of a file is refused; two references in one set are two."""
    write("x.rank", ranks(("1", "A", "B")))
    two = sgml("refset", "refid", "ref", REFERENCES) + sgml("refset", "refid", "other", REFERENCES)
    write("cz-en.ref.sgm", two)
    assert read_judgments("train", Asked())[0].texts[0].texts.references == ("the cat sat",) * 2
    write("cz-en.ref.sgm", two.replace('setid="t"', 'setid="u"', 1))
    with pytest.raises(InputMismatch, match=r"cz-en.ref.sgm: segment '1' of document 'd' is in several sets \(u, t\)"):
        read_judgments("train", Asked())


def test_a_system_without_output_for_a_segment_is_named(folder):
    """The segment exists, its text does not."""
    write("cz-en.B.sgm", sgml("tstset", "sysid", "B", {"d": {"1": "nothing"}}))
    write("x.rank", ranks(("2", "A", "B")))
    with pytest.raises(InvalidText, match=r"x.rank:1: system 'B' of cz-en has no output for segment '2'"):
        read_judgments("train", Asked())


@pytest.fixture
def rated(tmp_path, monkeypatch):
    """A folder of the tasks segcor and spearman."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").mkdir()
    write("x.ref", sgml("refset", "refid", "ref", REFERENCES))
    write("x.tst", sgml("tstset", "sysid", "A", OUTPUTS["A"]))
    return tmp_path / "train"


def test_ratings_of_segments(rated):
    """Document, segment and number; errors are turned around where that is asked for."""
    write("x.ter", "d 1 0.0\nd 5 1.25\n")
    (found,) = read_judgments("train", Asked())
    assert (found.name, [text.segment for text in found.texts]) == ("x", [("d", "1"), ("d", "5")])
    assert found.ratings.value.tolist() == [0, 1.25]
    (found,) = read_judgments("train", Asked(lower_is_better=True))
    assert found.ratings.value.tolist() == [0, -1.25]


def test_texts_that_lost_their_ratings_are_told(rated):
    """A shortened file of ratings leaves texts out, which a note says."""
    write("x.ter", "d 1 0.0\n")
    (found,) = read_judgments("train", Asked())
    assert found.notes == ("x: 2 texts have no rating and are left out",)


def test_ids_with_a_slash_are_told_apart(rated):
    """Document a, segment b/c is not document a/b, segment c."""
    texts = {"a": {"b/c": "the cat"}, "a/b": {"c": "a dog"}}
    write("x.ref", sgml("refset", "refid", "ref", texts))
    write("x.tst", sgml("tstset", "sysid", "A", texts))
    write("x.ter", "a b/c 1\na/b c 2\n")
    (found,) = read_judgments("train", Asked())
    assert [(text.segment, text.texts.hypothesis) for text in found.texts] == [
        (("a", "b/c"), "the cat"),
        (("a/b", "c"), "a dog"),
    ]
    assert (found.segment_count, found.ratings.value.tolist()) == (2, [1, 2])


BAD_RATINGS = [
    ("d 1\n", r"x.ter:1: expected document, segment and number, got 2 fields"),
    ("d 1 0\nd 7 1\n", r"x.ter:2: segment '7' of document 'd' is unknown: train.x.tst has no such"),
    ("d 1 nan\n", r"x.ter:1: expected a number, got nan"),
    ("\n", r"x.ter: has no rating"),
]


@pytest.mark.parametrize(("text", "told"), BAD_RATINGS)
def test_bad_ratings_are_named(rated, text, told):
    """A line that is none, an unknown segment, no number, none at all; and a file that is not there."""
    write("x.ter", text)
    with pytest.raises((InputMismatch, InvalidText), match=told):
        read_judgments("train", Asked())
    (rated / "x.ref").unlink()
    with pytest.raises(InputMismatch, match=r"train: there is no x.ref"):
        read_judgments("train", Asked())
