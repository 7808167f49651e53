"""The compiled kernel learns the same about words as the parts written in Python."""

from __future__ import annotations

import random
from array import array
from functools import wraps
from itertools import product
from types import MappingProxyType
from unittest.mock import MagicMock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.core.numbers_and_letters import letters_and_digits
from meteorlib.engine.implementation import load_kernel
from meteorlib.engine.words import WordTraits, word_size
from meteorlib.matchers.near import IGNORED_SIGNS, SHORTEST, Near
from meteorlib.resources import lexicons, porter, porter_nltk, stemmers
from meteorlib.resources.lexicons import (
    OffsetLexicon,
    SynsetNames,
    WordNetLexicon,
    open_lemma_names,
    open_offset_lexicon,
    open_wordnet,
)
from meteorlib.resources.stemmers import (
    METEOR_SNOWBALL_LANGUAGES,
    ByUnits,
    StemmerCode,
    carried_stemmer,
    stemmer,
    stemmer_code,
)
from meteorlib.resources.store.record_table import RecordTable, TableDriven
from meteorlib.resources.word_lists import open_negations, open_word_weights
from meteorlib.text.case import begins_with_capital, split_case
from tests.examples import examples, many
from tools.stemmer_code import Translation

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

STEMMERS = ["snowball-en", "porter", "porter-nltk"]
CARRIED = sorted({*METEOR_SNOWBALL_LANGUAGES.values()} - {"english"})
LEXICONS = [open_offset_lexicon, open_wordnet]
TABLES = [porter.english_tables(), porter_nltk.tables(), porter.tables_1980()]
SUFFIXES = sorted({"logi", *(suffix for one in TABLES for suffix in (*one.step_2, *one.step_3, *one.step_4))})
ENDINGS = " s es ed eed eedly ing ingly edly ly y e ll ied ies sses 's , ed) -s".split(" ")  # the first is none
BEGINNINGS = ["", "a", "y", "b", "gener", "commun", "arsen", "hopp", "sky", "ski", "toy", "cry", "roll", "skat", "xyz1"]
SCALE = sorted({*porter.WHOLE_WORDS, *porter.KEPT, *porter_nltk.IRREGULAR})
WORDS = st.text("abcdeilnostuy", max_size=8) | st.sampled_from(SCALE) | st.text(max_size=50)
ANY = st.builds("".join, st.tuples(WORDS, st.sampled_from(["", *SUFFIXES]), st.sampled_from(ENDINGS)))


def made(name):
    """A part of the compiled kernel."""
    from meteorlib.engine.kernel import kernel

    return getattr(kernel, name)


def table_driven(opened):
    """The synonym sets of words, by the lexicon that a function opens."""
    return TableDriven(opened().synsets, opened)


def known_words():
    """All words of WordNet."""
    return list(dict.fromkeys(word for word, _ in open_wordnet().records.records()))


@pytest.mark.parametrize("name", STEMMERS)
def test_stems_of_built_words(name):
    """Each beginning with each suffix and each ending."""
    stem = stemmer(name)
    twin = made("Stems")(stem)
    for word in map("".join, product(BEGINNINGS, ["", *SUFFIXES], ENDINGS)):
        assert twin(word) == stem(word), word
    for word in SCALE:
        assert twin(word) == stem(word), word


@pytest.mark.parametrize("ending", ["", *SUFFIXES, *ENDINGS])
def test_stems_of_short_words(ending):
    """NLTK's rules tell consonants from vowels, y on either side, and letters that are doubled: all ways to begin."""
    stem = stemmer("porter-nltk")
    twin = made("Stems")(stem)
    for length in range(5):
        for word in map("".join, product("aylsw" if length > 3 else "aeybiltsxz1*d", repeat=length)):
            assert twin(word + ending) == stem(word + ending), word + ending


def test_stems_of_what_is_no_word():
    """NLTK's stemmer takes any text between spaces: capitals, signs, digits, its own sign for a double consonant."""
    stem = stemmer("porter-nltk")
    twin = made("Stems")(stem)
    for word in [*"Flies SKIES skies, a*ded a*ding u.s. 3's caf\xe9s \u0130s".split(" "), "", "\0", "a\0ing"]:
        assert twin(word) == stem(word), word
    for length in range(36, 46):
        word = "hop" * length
        assert twin(word[: length - 3] + "ing") == stem(word[: length - 3] + "ing")


def snowball_words(algorithm, count):
    """Words glued of letters and of the endings of a carried stemmer, as many as `count`."""
    carried, draw = carried_stemmer(algorithm), random.Random(algorithm)
    tables = [getattr(carried, name) for name in dir(carried) if name.startswith("a_")]
    endings = sorted({ending.s for table in tables for ending in table})
    letters = sorted({*"abcdefghijklmnopqrstuvwxyzßæøåäöüéèàíîıİ'1\ud800中", *"".join(endings)})
    for _ in range(count):
        glued = [*draw.choices(letters, k=draw.randint(0, 5)), *draw.choices(endings, k=draw.randint(0, 3))]
        word = "".join(glued)
        yield word.upper() if draw.random() < 0.1 else word


@pytest.mark.parametrize("algorithm", CARRIED)
def test_carried_stems(algorithm):
    """The code of a carried stemmer is made of its Python, and gives its stems, also where Python must be asked."""
    code = Translation(carried_stemmer(algorithm)).finished()
    assert StemmerCode(**code, left="nis" if algorithm == "german" else "") == stemmer_code(algorithm)
    language = next(name for name, own in METEOR_SNOWBALL_LANGUAGES.items() if own == algorithm)
    stem = stemmer(f"snowball-{language}")
    twin = made("Stems")(stem)
    words = snowball_words(algorithm, 20_000 if many() else 400)
    for word in [*words, *"Ergebnisse ergebniße seen 😀ii o𝐀e".split(), "", "y" * 41, "ß" * 40]:
        assert twin(word) == stem(word), word


def test_carried_stems_are_found_in_python(monkeypatch, tmp_path):
    """Where the build made no code, stems are found in Python."""
    monkeypatch.setattr(stemmers, "CODE_FOLDER", tmp_path)
    assert stemmer_code("german") is None
    assert made("Stems")(stemmer("snowball-de"))("häuser") == "haus"


@pytest.mark.thorough
@pytest.mark.parametrize("name", STEMMERS)
def test_stems_of_known_words(name):
    """Every word of WordNet, and with other endings."""
    stem = stemmer(name)
    twin = made("Stems")(stem)
    draw = random.Random(3)
    for word in known_words():
        other = word + draw.choice(ENDINGS)
        assert (twin(word), twin(other)) == (stem(word), stem(other)), word


@examples(300)
@given(word=ANY, name=st.sampled_from(STEMMERS))
def test_stems_of_any_word(word, name):
    """Any text is a word."""
    assert made("Stems")(stemmer(name))(word) == stemmer(name)(word)


@examples(300)
@given(word=ANY, opened=st.sampled_from(LEXICONS))
def test_synsets_of_any_word(word, opened):
    """Any text is a word."""
    synsets = table_driven(opened)
    assert made("Synsets")(synsets)(word) == sorted(synsets(word))


@pytest.mark.parametrize("opened", LEXICONS)
def test_synsets_of_some_words(opened):
    """Words of WordNet with the endings that its rules take away, and irregular ones."""
    synsets = table_driven(opened)
    twin = made("Synsets")(synsets)
    words = random.Random(4).sample(known_words(), 300)
    for word in [*words, "geese", "was", "better", "axes", "leaves", "men", "women", "ss", "is", ""]:
        for ending in ["", "s", "es", "ies", "ed", "ing", "er", "est", "men", "ches"]:
            assert twin(word + ending) == sorted(synsets(word + ending)), word + ending


@pytest.mark.thorough
@pytest.mark.parametrize("opened", LEXICONS)
def test_synsets_of_known_words(opened):
    """Every word of WordNet."""
    synsets = table_driven(opened)
    twin = made("Synsets")(synsets)
    for word in known_words():
        assert twin(word) == sorted(synsets(word)), word


def single_lemma_names(lexicon, form):
    """A form, and the lemma names that are one word."""
    return {form, *(name for name in lexicon.names(form) if "_" not in name)}


def test_lemma_names_of_some_words():
    """Words of WordNet, whose names are met again, with and without endings; capital letters; what no word is."""
    lexicon = open_lemma_names("wordnet-en")
    words = random.Random(5).sample(known_words(), 1_000)
    forms = [word + ending for word in words for ending in ("", "s", "ies", ",")]
    forms += ["dog", "Dog", "dogs.", "at_home", "o'clock", "caf\xe9", "\u0130", "dog\0", "\ud800", "", "geese", "dog"]
    for form, names in zip(forms, made("Lemmas")(lexicon)(forms), strict=True):
        assert len(names) == len(set(names))
        assert set(names) == single_lemma_names(lexicon, form), form


@pytest.mark.thorough
def test_lemma_names_of_known_words():
    """Every word of WordNet."""
    lexicon = open_lemma_names("wordnet-en")
    forms = known_words()
    for form, names in zip(forms, made("Lemmas")(lexicon)(forms), strict=True):
        assert set(names) == single_lemma_names(lexicon, form), form


@pytest.mark.parametrize(
    ("numbers", "error"),
    [
        ({"synsets": []}, KeyError),
        ({"synsets": [1]}, KeyError),
        ({"begins": []}, IndexError),
        ({"begins": [0, 1 << 31]}, None),
        ({"begins": [1, 0]}, None),
        ({"begins": [1 << 31, 1 << 31]}, None),
    ],
)
@pytest.mark.parametrize("text", [b"aardvark ant_bear anteater\n", b"aardvark", b"", b"\n" * 40])
def test_lemma_names_that_lead_nowhere(monkeypatch, numbers, error, text):
    """If numbers lead out of the tables, results are those of Python."""
    synset = min(open_wordnet().synsets("aardvark"))
    mine = SynsetNames.__new__(SynsetNames)
    mine.text = text
    for table, default in {"synsets": [synset], "begins": [0, len(text)]}.items():
        setattr(mine, table, memoryview(array("I", numbers.get(table, default))))
    monkeypatch.setattr(lexicons, "open_synset_names", lambda: mine)
    lexicon = lexicons.LemmaNames(str, lexicons.WORDNET_NAMES)
    if error is None:
        assert set(made("Lemmas")(lexicon)(["aardvark"])[0]) == single_lemma_names(lexicon, "aardvark")
    else:
        for names in (lambda: made("Lemmas")(lexicon)(["aardvark"]), lambda: single_lemma_names(lexicon, "aardvark")):
            with pytest.raises(error):
                names()


@pytest.mark.parametrize(
    ("place", "byte"), [(24, 2), (28, 9), (28, 0), (32, 5), (33, 1), (40, 9), (41, 1), (45, ord("b"))]
)
@pytest.mark.parametrize("kind", [OffsetLexicon, WordNetLexicon])
def test_damaged_records(place, byte, kind):
    """A table whose numbers lead out of it is an error where it is asked, and nothing is read beyond it."""
    data = bytearray(RecordTable.of([("a", 1)]).data)
    data[place] = byte
    with pytest.raises(ValueError, match=r"table of records"):
        made("Synsets")(table_driven(lambda: kind(RecordTable(data))))("a")


@examples(300)
@given(word=ANY, preset=st.sampled_from(["meteor-2026-en", "meteor-2026-en-core", "meteor-2026-de"]))
def test_sizes_of_any_word(word, preset):
    """Word weights, which may grow with the length of a word."""
    config = load_preset(preset)
    size = word_size(config, open_word_weights(config.weights.resource))
    assert made("Sizes")(size)(word) == size(word)


def test_without_sizes():
    """If words are not weighed, each counts 1."""
    assert made("Sizes")(None)("word") == 1


@examples(500)
@given(
    word=ANY | st.text("aBz'09.-,\u00e9\u0663\u0130", max_size=8),
    size=st.integers(0, 2_000),
    threshold=st.sampled_from([0, 300, 1_000]),
    listed=st.booleans(),
)
@example(word="can't", size=500, threshold=300, listed=False)
@example(word="1,000", size=0, threshold=300, listed=True)
@example(word="3rd", size=0, threshold=300, listed=False)
@example(word="NOT", size=300, threshold=300, listed=False)
@example(word="", size=0, threshold=300, listed=False)
@example(word="a" * 99, size=299, threshold=300, listed=False)
def test_traits_of_any_word(word, size, threshold, listed):
    """The traits that decide which faults a word can be part of: any text, weight and threshold."""
    traits = WordTraits(threshold, open_negations("negations-en"))
    assert made("Traits")(traits)(word, size, listed) == traits(word, size, listed)


@examples(500)
@given(word=ANY | st.text("aBz'0\u00e9\u00c9\u03a3\u0130", max_size=6))
@example(word="iPhone")
@example(word="'Tis")
@example(word="USA")
@example(word="A")
def test_case_of_any_word(word):
    """The lowercase of any text, how it is written, and whether its first letter is a capital."""
    assert made("Cases")()(word) == (*split_case(word), begins_with_capital(word))


@examples(500)
@given(word=ANY | st.text("aB0'-’\u00e9\u03a3\u0663\u0300\U00010597\U0001d7d8", max_size=6))
@example(word="well-known")
@example(word="don’t")
@example(word="\U00010597\U00010597\U00010597")
@example(word="\ud800ab")
def test_letters_of_any_word(word):
    """The letters and digits of any text, and its letters if it may be near another word, by Unicode 13."""
    assert made("letters_and_digits")(word) == letters_and_digits(word)
    assert made("letters_of_near_word")(word, SHORTEST, IGNORED_SIGNS) == Near.letters_of(word)


class FirstLetters(ByUnits):
    """Made of our stemmer, and another one."""

    def __call__(self, word):
        return word[:2]


class WithTables:
    """A stemmer that has an attribute as ours might have."""

    tables = rules = records = MappingProxyType({})

    def __call__(self, word):
        return word[:2]

    def synsets(self, word):
        return frozenset([len(word)])


class Spelled(str):
    """A string of another package's."""

    __slots__ = ()


@wraps(porter.stem_english)
def first_letters(word):
    """Bears the name of our stemmer."""
    return word[:2]


@wraps(porter_nltk.stem)
def two_letters(word):
    """Bears the name of NLTK's stemmer."""
    return word[:2]


USERS_STEMMERS = {
    "extended": FirstLetters(porter.stem_english),
    "as NLTK's": two_letters,
    "named": ByUnits(first_letters),
    "tables": WithTables(),
    "mock": MagicMock(side_effect=lambda word: word[:2]),
    "spelled": lambda word: Spelled(word[:2]),
    "bytes": lambda word: word[:2].encode(),
    "nothing": lambda _: None,
}


def both(preset, given):
    """Scores and matches by the compiled kernel, and by the Python code."""
    pairs = [("the dogs ran quickly home", "a dog run quick homes"), ("happy autos", "a car, happily")]
    for implementation in ("compiled", "python"):
        scorer = Scorer(preset, given=given, implementation=implementation)
        yield [(one.score, one.alignment.matches) for one in (scorer.score(*pair) for pair in pairs)]


@pytest.mark.parametrize("name", USERS_STEMMERS)
def test_stemmers_of_users(name):
    """A stemmer that resembles a built-in one is still called, whatever its stems are."""
    compiled, python = both("meteor-1.5-en-core", {"stem": USERS_STEMMERS[name]})
    assert compiled == python


@pytest.mark.parametrize("kind", [OffsetLexicon, WordNetLexicon])
def test_lexicons_of_users(kind):
    """A lexicon that resembles a built-in one is still called: one that extends it, or another method of it."""

    class Extended(kind):
        __slots__ = ()

        def synsets(self, word):
            return frozenset([len(word)])

        def others(self, word):
            return frozenset([ord(word[0])])

    mine = Extended(open_wordnet().records)
    for finder in (mine.synsets, mine.others, WithTables().synsets):
        compiled, python = both("meteor-1.5-en-core", {"synonym": finder})
        assert compiled == python


@pytest.mark.parametrize("made_of", [str, Spelled])
def test_lemma_names_of_users(made_of):
    """A lexicon of lemma names needs `form` and `names` only; what else it has is not asked."""

    class Names:
        synsets = lemmas = None

        def form(self, word):
            return made_of(word[:3])

        def names(self, form):
            return [made_of(form[:2]), made_of("dog"), made_of("a_b")]

    compiled, python = both("nltk", {"lemma": Names()})
    assert compiled == python
    del Names.synsets, Names.lemmas
    assert list(both("nltk", {"lemma": Names()})) == [python, python]
