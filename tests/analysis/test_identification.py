"""Identification of published scores."""

from __future__ import annotations

import pytest

import meteorlib
from meteorlib import Scorer
from meteorlib.analysis.identification import PRESETS, Printed, identify, preparations
from meteorlib.errors import ExtraMissing, InputMismatch, ResourceMissing, UnknownName

HYPOTHESIS = "It is a guide to action which ensures that the military always obeys the commands of the party"
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
"""Example of NLTK's documentation, and of the card of evaluate's METEOR."""

SYSTEM = ["The cats sat.", "A small house, perhaps", "on the mat sat the cat"]
SEVERAL = [["The cat sat down!", "Cats sat."], ["perhaps a little house"], ["the cat sat on the mat", "on the mat"]]


def found(score, *texts, **given):
    """Variants that reproduce a score: preset, text mode, references, aggregation."""
    return [(one.preset, one.text, one.references, one.of) for one in identify(score, *texts, **given).found]


@pytest.mark.parametrize(
    ("score", "preset"),
    [
        pytest.param("0.7398", "nltk-3.5", id="documentation of NLTK up to 3.7"),
        pytest.param("0.6944", "nltk", id="documentation of NLTK today"),
        pytest.param("0.69", "nltk", id="card of evaluate"),
    ],
)
@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES], ids=["one", "three"])
def test_published(score, preset, references):
    """Published numbers have their METEOR, with the best of several references first."""
    assert found(score, [HYPOTHESIS], [references])[0] == (preset, "split_lower", "best", "corpus")


@pytest.mark.parametrize("preset", ["nltk", "nltk-3.5", "meteor-2005", "meteor-1.5-en-core"])
@pytest.mark.parametrize("of", ["corpus", "mean"])
@pytest.mark.parametrize("references", ["best", "first"])
def test_every_way(preset, of, references):
    """Every text mode, aggregation and choice of references is found by its score, which the scorer gives, too."""
    for config in preparations(preset):
        given = [one[: 1 if references == "first" else 2] for one in SEVERAL]
        try:
            corpus = Scorer(config).corpus().extend(references=given, hypotheses=SYSTEM)
        except (ExtraMissing, ResourceMissing):
            continue
        score = corpus.mean() if of == "mean" else corpus.score().score
        result = identify(f"{score:.12f}", SYSTEM, SEVERAL, presets=[preset])
        (one,) = [one for one in result.found if (one.references, one.of) == (references, of)]
        assert config.text in (one.text, *one.same)
        assert one.scores == (pytest.approx(score, abs=1e-12),)


def test_preset_of_nltk_before():
    """Matches of a word by its stem and by a lemma both count, so that a score can exceed 1."""
    reference, hypothesis = "the cat saw the old dog at home today", "the cats saw the old dogs at home today"
    assert Scorer("nltk-3.5").score(reference, hypothesis).score == pytest.approx(1.2098255280073462)  # as NLTK 3.5
    assert Scorer("nltk").score(reference, hypothesis).score < 1
    assert len(Scorer("nltk-3.5").explain(reference, hypothesis).scored.alignment.matches) == 11


def test_best_reference_of_equal_ones():
    """If references have one score, the one counts that the preset counts."""
    hypotheses, references = ["a b", "x y"], [["c", "d e f g"], ["x z", "x y"]]
    for preset in ("meteor-2005", "nltk"):
        score = Scorer(preset).corpus().extend(references=references, hypotheses=hypotheses).score().score
        assert (preset, "best", "corpus") in {
            (one.preset, one.references, one.of)
            for one in identify(f"{score:.12f}", hypotheses, references, presets=[preset]).found
        }


def test_nothing():
    """If nothing gives a number, nothing is claimed, and the nearest are named, nearest first."""
    result = identify("0.1234", [HYPOTHESIS], [REFERENCES])
    assert result.found == ()
    distances = [one.distance for one in result.nearest]
    assert len(distances) == 5
    assert distances == sorted(distances)
    assert result.sentence.startswith("0.1234: reproduced by none of ")
    assert str(result).splitlines()[1].split() == ["score", "preset", "text", "references", "of", "off", "by"]


def test_several_systems():
    """All numbers of several systems have to fit; each one alone has more variants."""
    systems = {"A": SYSTEM, "B": [SYSTEM[0], "a house", "the cat sat"]}
    scores = {
        name: Scorer("nltk").corpus().extend(references=SEVERAL, hypotheses=texts).mean()
        for name, texts in systems.items()
    }
    printed = {name: f"{score:.2f}" for name, score in scores.items()}
    both = found(printed, systems, SEVERAL)
    assert both[0] == ("nltk", "split_lower", "best", "mean")
    assert {*both} <= {*found(printed["A"], systems["A"], SEVERAL)}
    assert found({"A": printed["A"], "B": "0.9999"}, systems, SEVERAL) == []
    with pytest.raises(InputMismatch, match="under the same name"):
        identify({"A": "0.5"}, systems, SEVERAL)


@pytest.mark.parametrize(
    ("number", "value", "error"),
    [
        ("0.2930", 0.293, 0.00005),
        ("0.293", 0.293, 0.0005),
        (0.293, 0.293, 0.0005),
        (".29", 0.29, 0.005),
        ("29.3", 0.293, 0.0005),
        ("29", 0.29, 0.005),
        ("0.9%", 0.009, 0.0005),
        ("1.00", 1.0, 0.005),
        (" 2.93e-1 ", 0.293, 0.0005),
    ],
)
def test_printed(number, value, error):
    """A printed number is off by at most half of its last digit; above 1 it is in percent."""
    assert Printed.read(number)[1:] == (pytest.approx(value), pytest.approx(error))


@pytest.mark.parametrize("number", ["", "x", "nan", "inf", "-0.2", "101", "1_0", "0,29", "٠٫٢", "0.3", "1", "0", "%"])
def test_no_number(number):
    """Text that is no score, or has too few digits, is refused."""
    with pytest.raises(InputMismatch, match=r"is no score: give it as|too few digits to identify"):
        identify(number, ["a"], ["a"])


def test_left_out(cache):
    """Presets whose data is absent are named, each once; the others are tried."""
    result = identify("0.6944", [HYPOTHESIS], [REFERENCES[0]])
    lacking = [name for name in PRESETS if name.startswith("meteor-1.5") and not name.endswith("core")]
    assert {*result.left_out} & {*PRESETS} == {*lacking}
    assert "left out: meteor-1.5-en, " in str(result)
    assert str(result).count("paraphrase-en' is not installed") == 1


def test_public():
    """The function has a name in the package; text that cannot be scored, and unknown presets, are errors."""
    assert meteorlib.identify is identify
    with pytest.raises(InputMismatch, match="no segments"):
        identify("0.50", [], [])
    with pytest.raises(UnknownName, match="did you mean 'nltk'"):
        identify("0.50", ["a"], ["a"], presets=["nltkk"])
    assert "reproduced by" in identify("0.50", ["a"], ["a"])._repr_html_()
