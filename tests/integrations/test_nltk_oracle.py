"""NLTK's METEOR against NLTK itself: equal floats, equal alignments."""

from __future__ import annotations

import doctest
import os
import random
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.integrations import nltk as ours
from meteorlib.resources.porter_nltk import stem

pytestmark = pytest.mark.oracle

VOCABULARIES = [
    words.split()
    for words in (
        "the cat Cat CAT cats dog hound hounds Dog run runs running ran go goes went happy happily glad big large",
        "good goods well Well commodity commodities better best just upright unspoilt be is are exist existence live",
        "a b c A B",
        "die dying dies died lie lying pass passes perish go expire sky skies a*ding new_york New_York Σ ΑΣ ας IT",
    )
]
FUNCTIONS = ("exact_match", "stem_match", "wordnetsyn_match", "align_words")
SUFFIXES = ("s", "es", "ies", "ed", "ied", "ing", "y", "ly", "ally", "ational", "izer", "bly", "logi", "fully", "ness")


@pytest.fixture(scope="module")
def theirs(oracles):
    """NLTK 3.10.4's module, with WordNet out of the oracle folder."""
    nltk = pytest.importorskip("nltk")
    if nltk.__version__ != "3.10.4":
        pytest.skip(f"nltk is {nltk.__version__}, not 3.10.4")
    nltk.data.path.insert(0, str(oracles / "nltk_data"))
    from nltk.translate import meteor_score

    return meteor_score


@pytest.fixture(scope="module")
def segments(shared):
    """The 2,489 segments of newstest2009 in words: reference, hypothesis."""
    folder = shared / "data" / "newstest2009"
    sides = ((folder / name).read_text(encoding="utf-8").split("\n")[:-1] for name in ("reference.en", "system1.en"))
    return [(reference.split(), hypothesis.split()) for reference, hypothesis in zip(*sides, strict=True)]


def test_newstest2009_both_ways(theirs, segments):
    """All 2,489 segments and their reverse have NLTK's score, from the drop-in and, as text, from the preset."""
    assert len(segments) == 2_489
    scorer = Scorer("nltk")
    for reference, hypothesis in segments + [(hypothesis, reference) for reference, hypothesis in segments]:
        score = theirs.single_meteor_score(reference, hypothesis)
        assert ours.single_meteor_score(reference, hypothesis) == score
        assert scorer.score(" ".join(reference), " ".join(hypothesis)).score == score


def test_newstest2009_several_references_and_parameters(theirs, segments):
    """Three references and other parameters, at the ends of their ranges too, give NLTK's score."""
    sets = [(0.8, 2.5, 0.4), (0.5, 1, 1), (0, 0, 0), (1, 0.2, 0.6), (0.85, 0.2, 0.6)]
    for number, (reference, hypothesis) in enumerate(segments[::4]):
        references = [reference, segments[number][0], segments[-number][1]]
        parameters = dict(zip(("alpha", "beta", "gamma"), sets[number % len(sets)], strict=True))
        score = theirs.meteor_score(references, hypothesis, **parameters)
        assert ours.meteor_score(references, hypothesis, **parameters) == score


def test_random_segments(theirs):
    """3,000 segments over few words give NLTK's scores; every other one its alignment and stages too."""
    from nltk.corpus import wordnet
    from nltk.stem.lancaster import LancasterStemmer

    generator = random.Random(1)
    lancaster = LancasterStemmer()
    for number in range(3_000):
        words = generator.choice(VOCABULARIES)
        if number % 2:
            words = generator.sample(words, min(len(words), generator.randint(2, 8)))
        hypothesis, *references = (
            generator.choices(words, k=generator.randint(0, 14)) for _ in range(generator.choice([2, 2, 3, 4]))
        )
        options = [
            {},
            {"alpha": generator.random(), "beta": 5 * generator.random(), "gamma": generator.random()},
            {"preprocess": str},
            {"stemmer": lancaster},
            {"wordnet": wordnet},
            {},
        ][number % 6]
        assert ours.meteor_score(references, hypothesis, **options) == theirs.meteor_score(
            references, hypothesis, **options
        ), (references, hypothesis)
        if number % 2 == 0:
            for name in FUNCTIONS:
                mine, other = getattr(ours, name), getattr(theirs, name)
                assert mine(hypothesis, references[0]) == other(hypothesis, references[0]), (name, hypothesis)


def test_messages(theirs):
    """Strings in place of words get NLTK's message."""
    for references, hypothesis in ([["a"]], "a b"), (["a b"], ["a"]), (["a"], "b"):
        messages = []
        for module in (ours, theirs):
            with pytest.raises(TypeError) as caught:
                module.meteor_score(references, hypothesis)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


def test_stems(theirs, shared):
    """200,000 words have NLTK's stems: those of WordNet and newstest2009, made-up inflections, random letters."""
    from nltk.corpus import wordnet

    generator = random.Random(5)
    words = {part for lemma in wordnet.all_lemma_names() for part in lemma.split("_")}
    for name in ("reference.en", "system1.en"):
        words.update((shared / "data" / "newstest2009" / name).read_text(encoding="utf-8").split())
    known = sorted(words)
    for _ in range(120_000):
        word = generator.choice(known)
        words.add(word[: len(word) - generator.randint(0, 3)] + generator.choice(SUFFIXES))
        words.add("".join(generator.choices("abeiosyltzdngw*İßE", k=generator.randint(0, 8))))
    stemmer = theirs.PorterStemmer()
    assert len(words) > 200_000
    assert [word for word in words if stem(word) != stemmer.stem(word)] == []


@pytest.fixture
def punkt(theirs, tmp_path, monkeypatch):
    """NLTK's `word_tokenize` finds a sentence splitter, which knows no abbreviation."""
    import nltk

    folder = tmp_path / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    for name in ("collocations.tab", "sent_starters.txt", "abbrev_types.txt", "ortho_context.tab"):
        (folder / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])


def test_its_doctests(theirs):
    """The examples in the docstrings of NLTK's module hold for ours."""
    names = {name: getattr(ours, name) for name in ("meteor_score", "single_meteor_score", *FUNCTIONS)}
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(theirs):
        test.globs = dict(names)
        runner.run(test)
    assert runner.tries >= 11
    assert not runner.failures


def test_its_page_of_doctests(punkt):
    """The page ``nltk/test/meteor.doctest`` holds with the import changed."""
    import nltk

    page = (Path(nltk.__file__).parent / "test" / "meteor.doctest").read_text(encoding="utf-8")
    changed = page.replace("from nltk.translate import meteor", "from meteorlib.integrations.nltk import meteor")
    assert changed != page
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(changed, {}, "meteor.doctest", None, 0))
    assert runner.tries >= 7
    assert not runner.failures


def test_its_unit_tests(oracles, theirs, tmp_path, root):
    """NLTK's ``test_meteor``, which only its source archive has, passes with the import changed."""
    archive = oracles / "nltk-3.10.4.tar.gz"
    if not archive.is_file():
        pytest.skip(f"no {archive} (pip download --no-deps --no-binary nltk nltk==3.10.4)")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    source = tmp_path / "nltk-3.10.4"
    tests = source / "nltk" / "test" / "unit" / "translate" / "test_meteor.py"
    text = tests.read_text(encoding="utf-8")
    changed = text.replace("from nltk.translate.meteor_score import", "from meteorlib.integrations.nltk import")
    assert changed != text
    tests.write_text(changed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--noconftest", "--color=no", "-p", "no:randomly", str(tests)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(root)])},
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
