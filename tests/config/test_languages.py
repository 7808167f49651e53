"""Presets for any language, and the state of each language on this machine."""

from __future__ import annotations

import re
import sys

import pytest

from meteorlib import Scorer
from meteorlib.config import ParameterConfig, SearchConfig, languages, load_preset, preset_names
from meteorlib.config.languages import THESAURI, WORDNETS, language, pip_install
from meteorlib.config.resolution import check
from meteorlib.core.languages import NAMES, language_code
from meteorlib.errors import ExtraMissing, UnknownName
from meteorlib.resources import stemmers
from meteorlib.resources.catalog import CATALOG, FUNCTION_WORDS
from meteorlib.resources.stemmers import EXTERNAL_STEMMERS
from meteorlib.resources.word_lists import function_words

PAIRS = {  # a reference and a hypothesis; of the first twelve languages, with two forms of a word
    "ar": ("قرأت الكتاب في البيت .", "قرأت كتاب في البيت ."),
    "bg": ("Къщата е голяма .", "Къщи са големи ."),
    "cs": ("Staré domy jsou velké .", "Viděl staré domů ."),
    "da": ("Børnene læser bøger .", "Barnet læste bøgerne ."),
    "de": ("Das Kind liest Bücher .", "Die Kinder lesen Bücher ."),
    "es": ("Los niños leen libros .", "El niño lee un libro ."),
    "fi": ("Talot ovat suuria .", "Talo on suuri ."),
    "fr": ("Les enfants lisent des livres .", "L'enfant lit le livre ."),
    "hu": ("A házak nagyok .", "A ház nagy ."),
    "pl": ("Domy są stare .", "Dom jest stary ."),
    "ru": ("Дети читают книги .", "Дети читали книгу ."),
    "sv": ("Flickorna läser böcker .", "Flickor läser boken ."),
    "bn": ("আমি বই পড়ি ।", "আমি বই পড়েছি ।"),
    "ca": ("L'home llegeix un llibre .", "Un home llegeix l'altre llibre ."),
    "cy": ("Mae'r llyfr yn dda .", "Roedd y llyfr yn dda ."),
    "el": ("Οι άνθρωποι διαβάζουν .", "Ο άνθρωπος διαβάζει ."),
    "en": ("The physician reads books .", "A doctor reads a book ."),
    "eo": ("La domoj estas grandaj .", "La domo estas granda ."),
    "et": ("Raamatud on laual .", "Raamat on laual ."),
    "eu": ("Etxea handia da .", "Etxeak handiak dira ."),
    "fa": ("من کتاب می خوانم .", "من کتاب خواندم ."),
    "ga": ("Tá an capall mór .", "Bhí an gcapall mór ."),
    "gl": ("Os nenos len libros .", "O neno le un libro ."),
    "he": ("הילד קורא ספר .", "הילדה קוראת ספר ."),
    "hi": ("लड़का घर में है ।", "लड़के घर में हैं ।"),
    "hr": ("Kuća je velika .", "Kuće su velike ."),
    "hy": ("Քաղաքը մեծ է ։", "Քաղաքներ մեծ են ։"),
    "id": ("Dia membaca buku .", "Dia baca buku itu ."),
    "is": ("Húsið er stórt .", "Húsin eru stór ."),
    "it": ("L'uomo legge un libro .", "Un uomo legge l'altro libro ."),
    "ja": ("猫が本を読む。", "犬が本を読みます。"),
    "ko": ("고양이가 책을 읽는다 .", "개가 책을 읽었다 ."),
    "lt": ("Namai yra dideli .", "Namas yra didelis ."),
    "lv": ("Mājas ir lielas .", "Māja ir liela ."),
    "mk": ("Куќата е голема .", "Куќите се големи ."),
    "ms": ("Dia membaca buku .", "Dia baca buku itu ."),
    "nb": ("Husene er store .", "Huset er stort ."),
    "nl": ("De kinderen lezen boeken .", "Het kind leest een boek ."),
    "pt": ("Os meninos leem livros .", "O menino lê um livro ."),
    "ro": ("Copiii citesc cărți în casă .", "Copilul citește cărți în case ."),
    "sk": ("Domy sú staré .", "Dom je starý ."),
    "sl": ("Hiše so velike .", "Hiša je velika ."),
    "sr": ("Куће су велике .", "Kuća je velika ."),
    "ta": ("அவன் புத்தகம் படிக்கிறான் .", "அவள் புத்தகம் படித்தாள் ."),
    "th": ("แมวนั่งบนเสื่อ", "แมวนอนบนเสื่อ"),
    "tl": ("Nagbabasa ang bata ng libro .", "Bumasa ang bata ng libro ."),
    "tr": ("Çocuklar kitap okuyor .", "Çocuk kitap okudu ."),
    "uk": ("Діти читають книги .", "Діти читали книгу ."),
    "ur": ("لڑکا کتاب پڑھتا ہے ۔", "لڑکے نے کتاب پڑھی ۔"),
    "vi": ("Tôi đọc một quyển sách .", "Tôi đã đọc sách ."),
    "zh": ("我在图书馆看书。", "他在图书馆读书。"),
}
UNIVERSAL = ParameterConfig(0.7, 1.4, 0.3, 0.7)
WEIGHTS = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6}


def test_every_language():
    """More than thirty languages have a preset, by their codes; the table of languages has every name."""
    found = {name for name in preset_names() if re.fullmatch("meteor-[a-z]{2}", name)}
    assert found == {f"meteor-{code}" for code in NAMES}
    assert set(NAMES) == set(PAIRS)
    full = {name for name in preset_names() if re.fullmatch("meteor-[a-z]{2}-full", name)}
    assert full == {f"meteor-{code}-full" for code in {*THESAURI, *WORDNETS, "en"}}


def test_presets():
    """A preset has METEOR Universal's parameters, exact words first, weights of one set, and its language's list."""
    for code in (*NAMES, "other"):
        config = load_preset(f"meteor-{code}")
        assert (config.parameters, config.search, config.formula) == (
            UNIVERSAL,
            SearchConfig("beam", width=40),
            "meteor-1.5",
        ), code
        assert config.language == language_code({"nb": "no"}.get(code, code)), code
        assert config.stages[0].matcher == "exact", code
        assert all(stage.weight == WEIGHTS[stage.matcher] for stage in config.stages), code
        for stage in config.stages[1:]:
            languages_of = {code, config.language, "hbs"}
            assert stage.resource in CATALOG or stage.resource.partition("-")[2] in languages_of, code
        assert config.function_words is None or config.function_words in FUNCTION_WORDS, code
        if code in FUNCTION_WORDS:
            assert config.function_words == code
        assert NAMES.get(code, "any other language") in config.description
        check(config)


def test_full_presets():
    """The full preset is the plain one with synonyms, and with the paraphrases of METEOR's six languages."""
    for code in sorted({*THESAURI, *WORDNETS, "en"}):
        plain, full = load_preset(f"meteor-{code}"), load_preset(f"meteor-{code}-full")
        assert full.stages[: len(plain.stages)] == plain.stages, code
        more = {stage.matcher: stage.resource for stage in full.stages[len(plain.stages) :]}
        expected = {} if code == "en" else {"synonym": f"synonyms-{code}"}
        if f"paraphrase-{plain.language}" in CATALOG:
            expected["paraphrase"] = f"paraphrase-{plain.language}"
        assert more == expected, code
        assert all(stage.weight == WEIGHTS[stage.matcher] for stage in full.stages), code
        same = [(one.text, one.function_words, one.parameters) for one in (full, plain)]
        assert same[0] == same[1], code


def _scorer(code):
    try:
        return Scorer(f"meteor-{code}")
    except ExtraMissing as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("code", NAMES)
def test_scores(code):
    """A sentence scores nearly 1 against itself, and close to another one with some of its words."""
    scorer, (reference, hypothesis) = _scorer(code), PAIRS[code]
    itself, other = scorer.score(reference, reference), scorer.score(reference, hypothesis)
    assert itself.score > 0.99
    assert 0.1 < other.score < 0.95
    assert "stem" in scorer.signature.to_dict()["stages"] or len(scorer.config.stages) == 1
    if list(PAIRS).index(code) < 12:
        assert "stem" in {stage for *_, stage in scorer.align(reference, hypothesis).pairs()}


@pytest.mark.parametrize("code", [code for code in NAMES if load_preset(f"meteor-{code}").function_words])
def test_function_words_are_found(code):
    """The words of the list are those that the text mode makes: most lines have some."""
    scorer, pair = _scorer(code), PAIRS[code]
    assert any(scorer.score(text, text).statistics.reference_function_words for text in pair)
    assert function_words(scorer.config.function_words)


@pytest.mark.parametrize(
    ("code", "module", "command"),
    [
        ("da", "regex", "pip install 'meteorlib[uax29]'"),
        ("th", "pythainlp", "pip install 'meteorlib[pythainlp]'"),
        ("bg", "simplemma", "pip install 'meteorlib[simplemma]'"),
        ("cs", "snowballstemmer.czech_stemmer", "pip install 'meteorlib[snowball]'"),
    ],
)
def test_what_a_preset_needs_is_named(monkeypatch, code, module, command):
    """A preset loads on a plain installation; the scorer says which extra is missing."""
    from meteorlib.text import external_tokenizer

    for known in (stemmers._snowball_class, stemmers._lemmatizer, external_tokenizer._locked_tokenizer):
        known.cache_clear()
    for name in [module, *(name for name in sys.modules if name.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ExtraMissing, match=re.escape(command)):
        Scorer(f"meteor-{code}")


@pytest.fixture
def plain(cache, monkeypatch):
    """A machine with nothing but the package."""

    def missing(package, extra):
        raise ExtraMissing(package, extra)

    monkeypatch.setattr("meteorlib.extras.installed_versions", lambda packages, extra: missing(packages[0], extra))
    for made in set(EXTERNAL_STEMMERS.values()):
        monkeypatch.setattr(made, "load", classmethod(lambda cls, _language: missing(cls.package, cls.extra)))


def test_missing(plain, monkeypatch):
    """On a plain installation, one command installs all that a preset needs; packaged data are present.

    A hint names apt only where it is.
    """
    monkeypatch.setattr(languages, "which", lambda _: "/usr/bin/apt")
    assert language("pl").command == "pip install 'meteorlib[snowball,uax29]'"
    assert language("da").command == "pip install 'meteorlib[uax29]'"
    german = language("de")
    assert (german.command, german.part("stems").here) == ("", True)
    synonyms, paraphrases = german.part("synonyms"), german.part("paraphrases")
    assert (synonyms.here, synonyms.preset) == (False, "meteor-de-full")
    install = "meteorlib resources install synonyms-de --from"
    assert synonyms.get == f"apt install mythes-de && {install} system"
    monkeypatch.setattr(languages, "which", lambda _: None)
    assert language("de").part("synonyms").get == f"{install} FILE  # a thesaurus of LibreOffice, th_de_*.dat"
    assert paraphrases.get == "meteorlib resources install paraphrase-de --from meteor-1.5.tar.gz"
    assert language("en").part("paraphrases").get == "meteorlib resources install paraphrase-en"
    assert language("bn").part("synonyms").get == "meteorlib resources install synonyms-bn --from SOURCE"
    assert language("th").part("function words").get.endswith("function-words CORPUS --preset meteor-th")
    assert "wn:omw-el:1.4" in language("el").part("synonyms").get
    assert language("pl").part("paraphrases").get.startswith("meteorlib universal build ")


def test_installed_synonyms(tmp_path, cache):
    """Synonyms that are installed are here; where no preset names them, also those of one country."""
    from meteorlib.resources.install import install

    thesaurus = tmp_path / "th.dat"
    thesaurus.write_text("UTF-8\nhaus|1\n-|Heim\n", encoding="utf-8")
    install("synonyms-de", thesaurus)
    install("synonyms-ur-PK", thesaurus)
    assert language("de").part("synonyms").here
    assert (language("ur").part("synonyms").name, language("ur").part("synonyms").here) == ("synonyms-ur-PK", True)
    assert not language("fr").part("synonyms").here


@pytest.mark.parametrize(
    ("given", "code"), [("cz", "cs"), ("Czech", "cs"), ("sv", "sv"), ("se", "sv"), ("no", "nb"), ("DE", "de")]
)
def test_names(given, code):
    """A language is found by METEOR's names for it, too, and has METEOR's own presets."""
    found = language(given)
    assert found.code == code
    assert found.presets[:2] == (f"meteor-{code}", f"meteor-{code}-full")
    assert set(found.presets) <= set(preset_names())
    assert any(name.startswith("meteor-1.5-") for name in found.presets)


def test_unknown_language():
    """Another language is an error that names those that there are."""
    with pytest.raises(UnknownName, match="unknown language 'xx'; known: ar, bg"):
        language("xx")


def test_all():
    """All languages are listed in the order of their codes; several extras make one command."""
    assert [one.code for one in languages.languages()] == sorted(NAMES)
    assert pip_install(["b", "a", "b"]) == "pip install 'meteorlib[a,b]'"
    assert pip_install([]) == ""
