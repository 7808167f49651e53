"""Matchers that other packages register, with what they say of themselves."""

from __future__ import annotations

import pickle
import sys

import pytest
from attrs import evolve, frozen

from meteorlib import ParameterConfig, Scorer, ScorerConfig, StageConfig
from meteorlib.config import SearchConfig
from meteorlib.engine.build import has_kernel
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import ConfigError, MeteorWarning, PartNotLoaded, UnknownName
from meteorlib.matchers.matcher import GradedMatcher, PhraseMatcher, WordMatcher
from meteorlib.matchers.paraphrase import Paraphrase
from meteorlib.matchers.words import Synonym
from meteorlib.registry import MatcherPart, TextPart
from meteorlib.search import whole_number


class Anagram(WordMatcher):
    """A matcher as a third party writes it."""

    def __init__(self, resource=None):
        self.resource = resource

    def analyze(self, words, positions):  # noqa: ARG002 – not all that a matcher is given
        return {word: "".join(sorted(word)) for word in positions}

    def pairs(self, reference, hypothesis):
        for one, letters in reference.items():
            partners = [other for other, theirs in hypothesis.items() if theirs == letters and other != one]
            if partners:
                yield one, partners


def test_matcher_of_a_third_party(entry_point):
    """A matcher that another package registers can be named in a configuration, and the signature shows it."""
    entry_point("matchers", "anagram", "tests.test_registry:Anagram")
    config = ScorerConfig(
        "mine", [StageConfig("exact"), StageConfig("anagram", 0.5)], ParameterConfig(0.5, 1, 0.5), formula="meteor-2005"
    )
    metric = Scorer(config)
    assert [name for *_, name in metric.align("silent night", "night listen").pairs()] == ["anagram", "exact"]
    assert metric.score("silent", "listen").precision == 0.5
    assert "anagram*0.5" in str(metric.signature)
    assert metric.signature.eval_id is None


@frozen
class Reach:
    """Settings of a matcher."""

    letters: int = whole_number(2, 1, 9)


@frozen
class Plain:
    """Settings that have types and no validators."""

    letters: int = 2
    share: float = 0.5
    fold: bool = False
    form: str = "nfc"


class Stranger:
    """A class that is no matcher, though it has a matcher's methods."""

    analyze, pairs = Anagram.analyze, Anagram.pairs


class Beginnings(WordMatcher):
    """Words that begin alike."""

    def __init__(self, letters):
        self.letters = letters

    def analyze(self, words, positions):  # noqa: ARG002 – not all that a matcher is given
        return {word: word[: self.letters] for word in positions}

    pairs = Anagram.pairs


class Pieces(PhraseMatcher):
    """A matcher of phrases."""

    def analyze(self, words, positions):  # noqa: ARG002
        return words

    def spans(self, reference, hypothesis):  # noqa: ARG002
        return []


@pytest.fixture
def parts(registered):
    """Rows that another package registers."""
    rows = {
        "beginnings": MatcherPart(Beginnings, resource=None, settings=Reach),
        "pieces": MatcherPart(Pieces, resource=None, single_words=False),
        "undeclared": Pieces,
        "different": MatcherPart(Anagram, equal_words=False),
        "typed": MatcherPart(Beginnings, resource=None, settings=Plain),
        "stranger": MatcherPart(Stranger, resource=None),
    }

    for name, row in rows.items():
        registered("matchers", name, row)


def preset(stages, search="staged"):
    """The text of a preset."""
    return (
        "presets: {mine: {parameters: {alpha: 0.5, beta: 1, gamma: 0.5}, text: lower, "
        f"search: {{name: {search}}}, stages: [{stages}]}}}}\n"
    )


def test_settings_of_a_matcher(parts, tmp_path):
    """A stage has its matcher's own settings, which affect scores and are in the signature."""
    file = tmp_path / "mine.yaml"
    file.write_text(preset("{matcher: beginnings}, {matcher: beginnings, letters: 3, weight: 0.5}"), "utf-8")
    scorer = Scorer.from_file(file)
    assert scorer.config.stages[1] == StageConfig("beginnings", 0.5, letters=3)
    assert pickle.loads(pickle.dumps(scorer)).config == scorer.config  # noqa: S301
    assert eval(repr(scorer.config.stages[1].settings)) == Reach(3)  # noqa: S307
    assert str(scorer.signature).split("|")[3] == "stages:beginnings(letters=2)*1.0,beginnings(letters=3)*0.5"
    assert scorer.score("the fellow", "a feast").statistics.matches == (1, 0)


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ("{matcher: beginnings, letter: 3}", "stages[0]: unknown key 'letter' (did you mean 'letters'?)"),
        ("{matcher: beginnings, letters: 0}", "stages[0].letters: letters must be between 1 and 9: 0"),
        ("{matcher: beginnings, letters: many}", "stages[0].letters: must be a whole number, not 'many'"),
        ("{matcher: beginnings, resource: x}", "stages[0].resource: matcher 'beginnings' takes no resource"),
        ("{matcher: exact, letters: 3}", "stages[0]: unknown key 'letters'"),
        ("{matcher: pieces}", "stages[0]: search 'staged' pairs single words and takes no pieces stage"),
    ],
)
def test_wrong_settings_of_a_matcher(parts, tmp_path, stage, message):
    """Unknown or invalid settings of a matcher are reported at their place."""
    file = tmp_path / "mine.yaml"
    file.write_text(preset(stage), "utf-8")
    with pytest.raises(ConfigError) as caught:
        Scorer.from_file(file)
    assert f"presets.mine.{message}" in str(caught.value)


def test_settings_in_python(parts):
    """Unknown settings and impossible combinations are refused in Python as in a file."""
    with pytest.raises(TypeError, match="matcher 'beginnings' has no setting 'letter'; it has letters"):
        StageConfig("beginnings", letter=3)
    with pytest.raises(TypeError, match="matcher 'exact' has no setting Reach"):
        StageConfig("exact", settings=Reach())
    with pytest.raises(ConfigError, match="search 'greedy' pairs single words, and matcher 'undeclared' pairs phrases"):
        Scorer(
            ScorerConfig("mine", [StageConfig("undeclared")], ParameterConfig(1, 1, 1), search=SearchConfig("greedy"))
        )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"letters": "3"}, "letters must be a whole number, not '3'"),
        ({"letters": True}, "letters must be a whole number, not True"),
        ({"letters": 3.0}, "letters must be a whole number, not 3.0"),
        ({"share": "half"}, "share must be a number, not 'half'"),
        ({"fold": "no"}, "fold must be True or False, not 'no'"),
        ({"form": 3}, "form must be a string, not 3"),
    ],
)
def test_types_of_settings_in_python(parts, wrong, message):
    """Values that are invalid in a file are refused in Python, too, even if the package's own class does not check."""
    with pytest.raises(TypeError) as caught:
        StageConfig("typed", **wrong)
    assert str(caught.value) == message


def test_numbers_of_settings_in_python(parts):
    """A number becomes what it is in a file, so that the signature is the same."""
    assert (
        repr(StageConfig("typed", share=1)) == "StageConfig('typed', 1.0, letters=2, share=1.0, fold=False, form='nfc')"
    )


def test_unequal_words_first(parts):
    """A matcher whose row says that it leaves equal words to `exact` is warned of where it is first."""
    with pytest.warns(MeteorWarning, match="its first stage, different, does not match equal words"):
        Scorer(ScorerConfig("mine", [StageConfig("different")], ParameterConfig(1, 1, 1)))


def test_no_matcher(parts):
    """A class that is no matcher is refused: none of its pairs would be asked for."""
    message = "matcher 'stranger': Stranger extends none of WordMatcher, PhraseMatcher and ContextMatcher"
    with pytest.raises(ConfigError, match=message):
        Scorer(ScorerConfig("mine", [StageConfig("exact"), StageConfig("stranger")], ParameterConfig(1, 1, 1)))


@pytest.mark.parametrize("place", ["no_such_module:Matcher", "tests.test_registry:NoSuchMatcher"])
def test_what_cannot_be_imported(entry_point, place):
    """A package that registers what it does not have is named, and so is the part."""
    entry_point("matchers", "gone", place)
    with pytest.raises(PartNotLoaded, match=f"^matcher 'gone': an installed package registers it as '{place}', which"):
        StageConfig("gone")


class Half(GradedMatcher):
    """A matcher whose matches count half."""

    def analyze(self, words, positions):  # noqa: ARG002 – not all that a matcher is given
        return positions

    def pairs(self, reference, hypothesis):
        return [(one, [other for other in hypothesis if other.lower() == one.lower()]) for one in reference]

    def grade(self, reference, hypothesis):  # noqa: ARG002
        return 5000


def test_a_grading_matcher_says_so(registered):
    """A matcher that grades and does not declare it is refused: its parts of words would be rounded to nothing."""
    registered("matchers", "half", MatcherPart(Half, None, graded=True))
    stages, parameters = [StageConfig("exact"), StageConfig("half")], ParameterConfig(0.5, 1, 0)
    config = ScorerConfig("mine", stages, parameters, text="none", formula="meteor-2005")
    assert Scorer(config).score("Ab", "aB").recall == 0.5
    registered("matchers", "half", MatcherPart(Half, None))
    with pytest.raises(ConfigError, match="matcher 'half': Half grades its matches; register it as MatcherPart"):
        Scorer(config)


GROUPS = {"flat": {1}, "apartment": {1}, "lift": {2}, "elevator": {2}}


def glossary():
    """A matcher of synonyms, as a third party makes it."""
    return Synonym(lambda word: frozenset(GROUPS.get(word, ())))


class Backwards(Synonym):
    """A matcher that extends a built-in one and pairs other words."""

    def pairs(self, reference, hypothesis):
        return super().pairs(hypothesis, reference)


def with_glossary(**changed):
    """A preset with the stage `glossary`."""
    stages = [StageConfig("exact"), StageConfig("glossary", 0.5)]
    return evolve(ScorerConfig("mine", stages, ParameterConfig(0.5, 1, 0.5), text="lower"), **changed)


@pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")
def test_a_row_names_the_kernel_of_a_built_in_matcher(registered):
    """A third party's matcher of a built-in class runs compiled if its row names the kernel, with the same results."""
    texts = "The lift of the flat is broken", "the elevator of the apartment is broken"
    registered("matchers", "glossary", MatcherPart(glossary, None, equal_words=False))
    with pytest.raises(ConfigError, match="stage 'glossary' has no compiled form"):
        Scorer(with_glossary(), implementation="compiled")
    expected = Scorer(with_glossary()).score(*texts)
    registered("matchers", "glossary", MatcherPart(glossary, None, equal_words=False, kernel="synonym"))
    found = Scorer(with_glossary(), implementation="compiled").score(*texts)
    assert found == expected
    assert found.alignment == expected.alignment
    assert [stage for *_, stage in found.alignment.pairs()].count("glossary") == 2


def test_a_kernel_is_used_once(registered):
    """Two stages with one kernel run in Python: the compiled engine keeps one answer of a kind for each word."""
    registered("matchers", "glossary", MatcherPart(glossary, None, equal_words=False, kernel="synonym"))
    config = with_glossary()
    assert has_kernel(config)
    assert not has_kernel(evolve(config, stages=[*config.stages, StageConfig("synonym", 0.5, "wordnet-en")]))


def test_a_kernel_that_reads_files(registered):
    """The kernel of paraphrases reads the files of an opened table: not that of another matcher, nor a given one."""
    registered("matchers", "glossary", MatcherPart(Paraphrase, single_words=False, kernel="paraphrase"))
    assert not has_kernel(with_glossary())
    stages = [StageConfig("exact"), StageConfig("paraphrase", 0.5, "paraphrase-en")]
    assert has_kernel(with_glossary(stages=stages))
    assert not has_kernel(with_glossary(stages=stages), {"paraphrase": object()})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (MatcherPart(glossary, None, kernel="synonyms"), "the compiled kernel 'synonyms' does not exist"),
        (MatcherPart(glossary, None, kernel="stem"), "the compiled kernel 'stem' stands for Stem, not for Synonym"),
        (
            MatcherPart(lambda: Backwards(GROUPS.get), None, kernel="synonym"),
            "the compiled kernel 'synonym' stands for Synonym, not for Backwards",
        ),
    ],
)
def test_a_kernel_that_is_not_the_matchers(registered, row, message):
    """A row that names a kernel that does not exist, or that of another class, is refused: its numbers would differ."""
    registered("matchers", "glossary", row)
    with pytest.raises(ConfigError, match=f"matcher 'glossary': {message}; register it as a MatcherPart without"):
        Scorer(with_glossary())


def test_searches_are_built_in(registered):
    """A package can register matchers and text modes, and no search."""
    registered("searches", "leftmost", Anagram)
    with pytest.raises(UnknownName, match="unknown search 'leftmost'"):
        SearchConfig("leftmost")


def test_a_row_with_a_field_of_old(entry_point, monkeypatch, tmp_path):
    """A package whose row has a field that rows do not have is named, with the field."""
    row = 'MatcherPart("own_meteor:Anagram", twins=frozenset({"beam"}))'
    (tmp_path / "own_meteor.py").write_text(f"from meteorlib.registry import MatcherPart\nROW = {row}\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entry_point("matchers", "old", "own_meteor:ROW")
    with pytest.raises(PartNotLoaded, match=r"matcher 'old': .*own_meteor:ROW.*unexpected keyword argument 'twins'"):
        StageConfig("old")


@pytest.mark.parametrize(
    ("row", "message"),
    [("None", "it is None"), ('MatcherPart("own:Own", kernel=["exact"])', r"kernel must be the name .*\['exact'\]")],
)
def test_a_row_that_is_none(entry_point, monkeypatch, tmp_path, row, message):
    """An error names a package that registers nothing, or a part whose kernel is not a name."""
    monkeypatch.delitem(sys.modules, "own_row", raising=False)
    (tmp_path / "own_row.py").write_text(f"from meteorlib.registry import MatcherPart\nROW = {row}\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entry_point("matchers", "odd", "own_row:ROW")
    with pytest.raises(PartNotLoaded, match=f"matcher 'odd': .*own_row:ROW.*{message}"):
        StageConfig("odd")


def test_a_text_mode_that_describes_no_tokens(registered):
    """A row that promises tokens of a class without them is an error that names both."""

    class Blanks:
        def words(self, line):
            return line.split()

    registered("texts", "blanks", TextPart(lambda *_: Blanks(), tokens=True))
    config = evolve(Scorer("nltk").config, text="blanks")
    with pytest.raises(ConfigError, match="text mode 'blanks': Blanks has no method 'tokens'; write it, or register"):
        Scorer(config)
