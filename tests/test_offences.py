"""Damaged references and DEMETR: laws of the benchmark of offenses, on judgments made here."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from benchmarks.offences import Contrasts, Example, Offenses, decoded, examples_of, severity_table, table_of
from benchmarks.transformations import TRANSFORMATIONS, transform
from meteorlib.analysis.meta_evaluation import Asked, read_judgments

REFERENCE = "The first train, from Lisbon to Oslo, is not late: it has 12 cars, a restaurant and 300 passengers today"
OTHERS = ["Seven people from Toronto said on Monday that the new bridge was closed", "Nobody knows why it happened"]


def lengths(texts):
    """A metric that counts words."""
    return np.array([len(hypothesis.split()) for _, hypothesis in texts], float)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_transformations_are_reproducible_and_change_the_text(name):
    """Equal arguments give equal texts, and no damaged text equals the reference."""
    text = REFERENCE.replace(" not", "") if name == "negation added" else REFERENCE
    damaged = transform(name, text, OTHERS)
    assert damaged == transform(name, text, list(OTHERS))
    assert damaged not in {None, "", text}


@pytest.mark.parametrize(
    ("name", "text", "damaged"),
    [
        ("neighbors swapped", "a b c d e", "b a d c e"),
        ("no function words", "The cat is on the mat.", "cat mat."),
        ("negation removed", "It won't rain", "It will rain"),
        ("negation removed", "It cannot rain", "It can rain"),
        ("negation removed", "It doesn't rain", "It does rain"),
        ("negation added", "It is late", "It is not late"),
        ("an antonym", "More people came.", "Less people came."),
        ("no punctuation", "“So,” he said – no.", "So he said no"),
        ("a number changed", "No number here", None),
        ("lowercase", "all small", None),
        ("only function words", "Planes crash", None),
    ],
)
def test_transformations_by_hand(name, text, damaged):
    """Examples worked by hand; None if nothing changes or nothing is left."""
    assert transform(name, text, OTHERS) == damaged


def test_length_gives_shares_known_by_hand():
    """A metric that counts words is fooled by every longer text and by no shorter or equally long one."""
    examples = [Example("a b c d e f g h", "A b c d e f g h"), Example("I saw 2 of the 3 old cats", "x y z")]
    offenses = Offenses.of(examples)
    rows = offenses.table({"length": lengths(offenses.texts)})
    shares = {name: (row.count, row.unchanged, row.shares.get("length")) for name, row in rows.items()}
    assert shares["twice"] == (2, 0, 1.0)
    assert shares["shuffled"] == shares["reversed"] == (2, 0, 0.5)
    assert shares["first half"] == (2, 0, 0.5)
    assert shares["a number changed"] == (1, 1, 1.0)
    assert shares["names replaced"] == (0, 2, None)
    assert "| twice | 2 | 1.00 |" in table_of(rows, "offense", 2)


def test_best_output_has_most_wins_and_differs_from_the_reference(tmp_path):
    """Wins are shares, ties go to more wins; outputs equal to the reference and short segments are left out."""
    long = "one two three four five six seven &quot;eight&quot;"
    files = {
        "segments": f"segment_id\tsource\treference\n1\ts\t{long}\n2\ts\tshort\n",
        "hyps": "segment_id\tsystem\thypothesis\n" + f"1\tA\t{long}\n1\tB\tb\n1\tC\tc\n1\tD\td\n2\tA\ta\n2\tB\tb\n",
        "pairs": "segment_id\tbetter\tworse\tcount\n1\tA\tD\t9\n1\tB\tD\t1\n1\tC\tD\t2\n2\tA\tB\t1\n",
    }
    for name, text in files.items():
        (tmp_path / f"cs-en.{name}.tsv").write_text(text, encoding="utf-8")
    (judgments,) = read_judgments(str(tmp_path), Asked())
    assert examples_of(judgments) == [Example(long.replace("&quot;", '"'), "c")]


def test_demetr_is_a_mean_over_kinds_and_a_tie_is_wrong(tmp_path):
    """Kinds weigh alike whatever their size; the baseline and the tokenized kind do not count."""
    rows = [
        ("critical_id2_x", "a b c", "a b"),
        ("critical_id10_y", "a b c", "a b"),
        ("critical_id10_y", "a b c", "a c b"),
        ("minor_id1_z", "a b", "a b c"),
        ("minor_id30_tokenized", "a b", "a"),
        ("base_id33_empty", "a b", "."),
    ]
    lines = ["perturbation\treference\ttranslation\tperturbed", *(f"{kind}\tr\t{a}\t{b}" for kind, a, b in rows)]
    path = tmp_path / "demetr.tsv.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    contrasts = Contrasts.read(path)
    kinds = contrasts.table({"length": lengths(contrasts.texts)})
    assert [*kinds] == ["critical_id2_x", "critical_id10_y", "minor_id1_z"]
    found = severity_table(kinds)
    assert found["critical"].shares == {"length": 0.75}
    assert (found["critical"].count, found["minor"].shares) == (3, {"length": 0.0})


def test_texts_are_decoded():
    """Entities, also torn ones, and marks of tokenizers become plain text; other text stays."""
    assert decoded("& quot ; I do n't ``x''") == '" I don\'t "x"'
    assert decoded("R & D ; Tom 's well @-@ known &#39;x&#39;") == "R & D ; Tom's well-known 'x'"
