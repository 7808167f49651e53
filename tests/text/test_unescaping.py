"""Text modes whose lines are unescaped first, and entities."""

from __future__ import annotations

import pickle
import random
import sys
from itertools import pairwise
from unicodedata import combining, normalize

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, unescape
from meteorlib.config import load_preset, preset_names
from meteorlib.engine.build import make_text
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import UnknownName
from meteorlib.registry import TEXTS
from meteorlib.text.unescaping import decode_entities, first_entity, is_unified, unify
from tests.examples import examples
from tests.text.prepared import check_both_engines, check_compiled_reader, lines_of

UNDONE = {
    "I do n't , ca n't , wo n't , DO N'T , would n't 've": "I don't , can't , won't , DON'T , wouldn't've",
    "Tom 's , they 'll , I 'm , we 're , you 've , he 'd": "Tom's , they'll , I'm , we're , you've , he'd",
    "don 't don ' t Tom ' s Tom ’ s they &apos;ll": "don't don't Tom's Tom’s they'll",
    "9 o 'clock o ' clock O 'Malley": "9 o'clock o'clock O'Malley",
    "`` Yes , '' -LRB- he said -RRB- -lsb- 1 -rsb-": '" Yes , " ( he said ) [ 1 ]',
    "well @-@ known 1 @,@ 000 @,@ 000 3 @.@ 5 a @ - @ b": "well-known 1,000,000 3.5 a-b",
    "a &#124; b &#91; c &#93;": "a | b [ c ]",
}
"""English line → unescaped line."""

KEPT = (
    "AT&T R & D ; quote",
    "anna@example.org said: @ home, @anna, 5 @ 6, @-@",
    "price 5 ; 6",
    "He said 'yes' and 'it is' but '90s rock 'n' roll",
    "the 's, 'll be",
    "1-2 - 3 -5 B-52 -LR- x-LRB-",
    "I don't. Tom's dogs' toys, o'clock",
)
"""Lines without marks of tokenizers."""

MOSES = {
    "en": {
        "He said: \"I don't know, it's 5 o'clock.\"": (
            "He said : &quot; I don &apos;t know , it &apos;s 5 o &apos;clock . &quot;"
        ),
        "AT&T's well-known [old] offer | of $1,000": (
            "AT &amp; T &apos;s well @-@ known &#91; old &#93; offer &#124; of $ 1,000"
        ),
        "They'll, we've (a lot).": "They &apos;ll , we &apos;ve ( a lot ) .",
    },
    "fr": {
        "L'homme d'aujourd'hui n'a qu'un mot.": "L&apos; homme d&apos; aujourd&apos; hui n&apos; a qu&apos; un mot .",
        "Qu'est-ce que c'est?": "Qu&apos; est @-@ ce que c&apos; est ?",
    },
    "de": {'Er sagte: "Wie geht\'s?" & ging.': "Er sagte : &quot; Wie geht &apos; s ? &quot; &amp; ging ."},
    "es": {"O'Donnell (60 %) <b>": "O &apos; Donnell ( 60 % ) &lt; b &gt;"},
    "cz": {"Řekl: \"Co-pak\" 'nic'.": "Řekl : &quot; Co @-@ pak &quot; &apos; nic &apos; ."},
}
"""Language → line → what Moses' tokenizer makes of it, with hyphens set apart."""

TREEBANK = {
    "\"I can't (or won't) pay Tom's bill,\" he said.": (
        "`` I ca n't -LRB- or wo n't -RRB- pay Tom 's bill , '' he said ."
    ),
    "They'd've gone; isn't it?": "They 'd 've gone ; is n't it ?",
}
"""English line → what a tokenizer of the Penn Treebank makes of it."""

PIECES = (
    "& amp; quot ; # 39 ' ’ s t ll n't 't 's do n o clock l qu @ - @-@ , -LRB- `` '' Tom é . &amp; \t e\u0301 \u0323 "
    "\u037e \u1fef \u00ad \u200b &shy; \u212b \u0915\u093c ș &#769; \u1ac1"
).split(" ")
"""Parts of marks."""

lines = lines_of(PIECES)
languages = st.sampled_from(["en", "fr", "de"])


def modes(language):
    """The text modes ``norm`` and ``unescaped-norm`` of a language."""
    config = evolve(load_preset("meteor-1.5-en-core"), language=language)
    return make_text(config), make_text(evolve(config, text="unescaped-norm"))


@pytest.mark.parametrize(("line", "expected"), UNDONE.items())
def test_undone(line, expected):
    """Marks that tokenizers leave in English text are undone."""
    assert unescape(line) == expected


@pytest.mark.parametrize("line", KEPT)
def test_kept(line):
    """Text that no tokenizer has seen stays as it is."""
    assert unescape(line) == line


def test_composed():
    """Decomposed letters are composed, those of entities too; characters newer than Unicode 13 stay where they are."""
    assert unescape("cafe\u0301 e&#769; и\u0306 \u1112\u1161\u11ab", "de") == "café é й 한"
    assert unescape("a\u0301\U00011f02\u0301 \u0915\u0958", "de") == "á\U00011f02\u0301 \u0915\u0915\u093c"
    assert unescape("``\u1fef`") == "``\u0060`"


def test_invisible():
    """Invisible characters are removed, those of entities too; joiners stay."""
    assert unescape("co\u00adop&shy;erate a\u2060b\ufeff \u202ax\u202c & am\u2060p ; &#173;\u200c\u200d") == (
        "cooperate ab x & \u200c\u200d"
    )


def test_spaces():
    """Every kind of space becomes a blank, also those of entities."""
    assert unescape("a\u00a0b\u2009c\u200bd\u3000e\u2028f&nbsp;h&#8203;i") == "a b c d e f h i"
    for name in ("meteor-2005", "meteor-1.5-en-core"):
        assert Scorer(name, unescape=True).score("a good cat", "a\u00a0good\u200bcat").recall == 1


def test_controls():
    """Characters of Windows-1252 and of UTF-8 that were read as Latin-1 are restored; words keep their accents."""
    assert unescape("\x93Don\x92t\x94 wait\x85 5 \x80 \x9acoda") == "“Don’t” wait… 5 € šcoda"
    assert unescape("Iran\xe2\x80\x99s \xe2\x80\x9csay\xe2\x80\x9d, \xc3\x89t\xe9") == "Iran’s “say”, Ét\xe9"
    assert unescape("\x81 caf\xc3\x89 \xe2\x80x") == "\x81 caf\xc9 \xe2€x"
    for implementation in ("python", "auto"):
        metric = Scorer("meteor-2026-en-core", implementation=implementation)
        assert metric.score("Don’t wait …", "Don\x92t wait \x85").score == 1


def test_contractions_belong_to_languages():
    """English contractions are rejoined in English only, French elisions in French only."""
    assert unescape("do n't l' homme aujourd ' hui", "de") == "do n't l' homme aujourd ' hui"
    assert unescape("do n't l' homme aujourd ' hui D ’ où qu' il", "fr") == "do n't l'homme aujourd'hui D’où qu'il"
    assert unescape("l' homme", "en") == "l' homme"


@pytest.mark.parametrize("language", MOSES)
def test_words_of_moses(language):
    """Text that Moses tokenized and escaped has the words that it had before, which ``norm`` does not give."""
    norm, unescaped = modes(language)
    for line, tokenized in MOSES[language].items():
        assert unescaped.words(tokenized) == norm.words(line) == unescaped.words(line)
        assert norm.words(tokenized) != norm.words(line)


def test_words_of_the_treebank():
    """Text tokenized as in the Penn Treebank is restored, too."""
    norm, unescaped = modes("en")
    for line, tokenized in TREEBANK.items():
        assert unescaped.words(tokenized) == norm.words(line) == unescaped.words(line)
        assert norm.words(tokenized) != norm.words(line)


@examples(400)
@given(lines, languages)
def test_idempotent(line, language):
    """An unescaped line has nothing left to unescape."""
    once = unescape(line, language)
    assert unescape(once, language) == once


@pytest.mark.parametrize("language", ["en", "fr", "cz"])
def test_plain_lines(language, nasty_lines):
    """A line that unescaping leaves alone has the words of ``norm``, and any line has those of its unescaped text."""
    norm, unescaped = modes(language)
    kept = 0
    for line in nasty_lines(language, 7, 300):
        kept += unescape(line, language) == line
        assert unescaped.words(line) == norm.words(unescape(line, language))
    assert kept > 100


@pytest.mark.skipif(load_kernel() is None, reason="built without the extension")
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("text", ["norm", "norm_nopunct", "lower", "none"])
def test_compiled_reader(text, language):
    """The compiled engine reads the words of the text mode, whatever it has learned before."""
    config = load_preset("meteor-1.5-en-core")
    config = evolve(config, text=f"unescaped-{text}", language=language, stages=config.stages[:1], function_words=None)
    check_compiled_reader(config, lines, [])


@pytest.mark.parametrize("name", ["meteor-2026-en-core", "meteor-2005"])
def test_both_engines(name):
    """Both engines give marked text the same scores, segment by segment and in a batch of known words."""
    tokenized = [line for lines in MOSES.values() for line in lines.values()]
    pairs = [(plain, line) for lines in MOSES.values() for plain, line in lines.items()] * 4
    pairs += pairwise(tokenized)
    check_both_engines(name, pairs, unescape=True)


def test_score_of_tokenized_text():
    """METEOR 2026 gives a tokenized and escaped text the score of the text itself."""
    metric = Scorer("meteor-2026-en-core")
    for line, tokenized in {**MOSES["en"], **TREEBANK}.items():
        assert metric.score(line, tokenized).score == metric.score(tokenized, line).score == 1


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("name", [name for name in preset_names() if name.startswith("meteor-2026-")])
def test_canonical_equivalence(name, form):
    """For every METEOR 2026, a text has the same words in each of Unicode's canonical forms."""
    text = make_text(load_preset(name))
    for line in ("Le café à côté d’Été", "Это мой ёж и йод", "Hà Nội, Ångström", "한국어 राष्ट्रपति क़लम"):
        assert text.words(normalize(form, line)) == text.words(line)


def test_score_of_decomposed_text():
    """Decomposed text has the score of composed text, in both engines and in a corpus."""
    for implementation in ("python", "auto"):
        metric = Scorer("meteor-2026-en-core", implementation=implementation)
        corpus = metric.corpus()
        for line in ("Le café à côté", "ёж и йод, नहीं"):
            assert metric.score(line, normalize("NFD", line)).score == 1
            corpus.add(line, normalize("NFD", line))
        assert corpus.score().score == 1


def test_presets():
    """Every METEOR 2026 unescapes text; no other preset does."""
    for name in preset_names():
        assert ("unescaped-" in TEXTS.part(load_preset(name).text).prefixes) == name.startswith("meteor-2026-"), name


def test_unescape_of_a_scorer():
    """`unescape` adds a prefix to the text mode, which the signature shows; METEOR 1.5 has no such mode."""
    plain, metric = Scorer("meteor-1.5-en-core"), Scorer("meteor-1.5-en-core", unescape=True)
    assert "|text:norm|" in str(plain.signature)
    assert "|text:unescaped-norm|" in str(metric.signature)
    assert plain.signature.eval_id is not None
    assert metric.signature.eval_id is None
    assert metric.score("I don't.", "I do n't .").score > plain.score("I don't.", "I do n't .").score
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301 – its own
    again = Scorer("meteor-2026-en-core", unescape=True)
    assert again == Scorer("meteor-2026-en-core")


def test_names():
    """Any text mode takes the prefix, once; the error for an unknown one gives its name without the prefix."""
    assert "unescaped-13a" in TEXTS
    assert "unescaped-unescaped-norm" not in TEXTS
    with pytest.raises(UnknownName, match="nrom"):
        TEXTS.part("unescaped-nrom")


MARKS = "\u0301\u0323\u0344\u0345\u0f73\u3099"
"""Combining marks of several classes, of which two stand for two."""


def test_every_thirty_marks_are_put_in_order():
    """A run of marks is cut after 30 of them, and again after 30 more."""
    run = "\u0301\u0323" * 45  # above, below
    marks = unify(f"q{run}")[1:]
    assert [marks[place : place + 30] for place in (0, 30, 60)] == ["\u0323" * 15 + "\u0301" * 15] * 3


@pytest.mark.parametrize("seed", range(20))
def test_long_runs_of_marks(seed):
    """Beyond 30 marks in a row nothing is put in order; the result is composed, whatever the form was."""
    draw = random.Random(seed)
    text = "".join(
        draw.choices("e\u00e9\u1f82か a\u1100\u1161" + MARKS, k=50) + draw.choices(MARKS, k=draw.randint(0, 70))
    )
    composed = unify(text)
    assert unify(composed) == composed == unify("".join(normalize("NFD", letter) for letter in text))
    assert is_unified(composed)
    assert is_unified(text) == (text == composed)
    runs = "".join("m" if combining(letter) else " " for one in text for letter in normalize("NFD", one)).split()
    if max(map(len, runs), default=0) <= 30:
        assert composed == normalize("NFC", text)


@pytest.mark.thorough
def test_marks_are_not_letters():
    """The pattern of long runs has every mark; no letter has more than three of them, and none stands for three."""
    for letter in map(chr, range(sys.maxunicode + 1)):
        marks = [bool(combining(one)) for one in normalize("NFD", letter)]
        assert not any(marks) or len(marks) <= 4
        if marks[0]:
            assert len(marks) <= 2
            assert not letter.isalnum()
            assert letter >= "\u0300"


DECODED = {
    "&quot;a&quot; &amp; &apos;b&apos;": "\"a\" & 'b'",
    "&lt;b&gt; &#39; &#x27; &#X27; &eacute; &hellip;": "<b> ' ' ' é …",
    "& quot ; a & quot ; & apos ; & amp ; & lt ;": '" a " \' & <',
    "& # 39 ; &# 39; & #39 ; & # x27 ;": "' ' ' '",
    "&amp;quot; &amp;amp;quot; & amp ; quot ; &amp;#39; & amp ; # 39 ; &#38;lt;": '" " " \' \' <',
    "&#124; &#91; &#93; &bar; &bra; &ket;": "| [ ] | [ ]",
    "a&nbsp;b &#160; &#9; &#10;": "a b      ",
    "&QUOT; &Quot;": '" "',
    "R &amp; D &amp;foo; & amp ; bar": "R & D &foo; & bar",
}
"""Line → decoded line."""

NO_ENTITIES = (
    "AT&T, AT&T; R&D; R & D ; quote",
    "Tom & Jerry ; 5 ; 6",
    "black & white ; pictures & image ; fish & or ; pounds & pound ;",
    "https://a.b/?copy=1&para=2&lt=3",
    "&foo; &; & ; &#; &#x; & # ; &# 39 &quot",
    "&#0; &#1; &#xD800; &#1114112; &#9999999;",
    "# 39 ; quot ; amp ;",
)
"""Lines without entities that have a character."""


@pytest.mark.parametrize(("line", "expected"), DECODED.items())
def test_entities(line, expected):
    """Entities are decoded, torn apart, repeatedly escaped or numeric as they may be."""
    assert decode_entities(line) == expected
    assert first_entity(line) is not None


@pytest.mark.parametrize("line", NO_ENTITIES)
def test_no_entities(line):
    """A real ampersand stays as it is, and so does an entity of no character or of a control character."""
    assert decode_entities(line) == line
    assert first_entity(line) is None


@given(
    st.lists(
        st.sampled_from(["&", "amp", "quot", "#", "39", "38", "x26", ";", " ", "113", "uot", "a", "<"]), max_size=20
    )
)
def test_decoding_twice(parts):
    """Decoding twice gives the same text as decoding once."""
    decoded = decode_entities("".join(parts))
    assert decode_entities(decoded) == decoded


def test_long_contrived_entities():
    """Entities in entities without end take no longer than any other line."""
    decode_entities("&#5" * 100_000 + "&#53;" + ";" * 100_000)
    assert decode_entities("&" + "amp;" * 100_000) == "&"
