"""Names of languages."""

from __future__ import annotations

import pytest

from meteorlib.core.languages import (
    LANGUAGES,
    iso_code,
    language_code,
    language_in_name,
    language_of,
    target_language,
)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cs", "cz"),
        ("sv", "se"),
        ("xx", "other"),
        ("english", "en"),
        ("Swedish", "se"),
        ("NO", "no"),
        ("Other", "other"),
    ],
)
def test_other_names(name, code):
    """METEOR's other codes and its English names, in any case, are turned into METEOR's code."""
    assert language_code(name) == code


def test_codes_stay():
    """A code of METEOR's is itself, and so is what METEOR does not know."""
    for code in [*LANGUAGES, "ja", "nb", "", "Klingon"]:
        assert language_code(code) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cz", "cs"),
        ("CS", "cs"),
        ("no", "nb"),
        ("nb", "nb"),
        ("se", "sv"),
        ("German", "de"),
        ("ja", "ja"),
        ("xx", None),
    ],
)
def test_iso_codes(name, code):
    """Any name of METEOR's for a language leads to its code in names of presets and files."""
    assert iso_code(name) == code


@pytest.mark.parametrize(
    "pair",
    [
        *"en-de en_de EN-DE eng-deu eng_Latn-deu_Latn eng_Latn_deu_Latn en→de en->de en2de ende engdeu en|de".split(),
        *"en/de en:de en–de en-de-AT en_US-de_DE English-German zh-Hans-de pt-BR-ger en-gb-de".split(),
        *("English to German", "en de", " en - de "),
    ],
)
def test_pairs(pair):
    """The target language of a pair is found in every spelling."""
    assert target_language(pair) == "de"


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh-Hans", "zh"), ("zho_Hant", "zh"), ("zh_TW", "zh"), ("cmn", "zh"), ("pt-BR", "pt"), ("es-419", "es"),
        ("nn", "nb"), ("no", "nb"), ("cz", "cs"), ("se", "sv"), ("Persian", "fa"), ("pes_Arab", "fa"), ("khm", "km"),
        ("ar-bw-red", None), ("", None), ("any", None), ("xx", None), ("de-en", None), ("news-de", None),
    ],
)  # fmt: skip
def test_tags(tag, code):
    """A language has many tags; a second language in small letters is no region."""
    assert language_of(tag) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ref.zh", "zh"), ("a/hyp.en-de", "de"), ("translation.de", "de"), ("newstest2014-ende-ref.de.sgm", "de"),
        ("wmt22.en-zh.ref.txt", "zh"), ("en-de.refA.txt", "de"), ("ref.de.gz", "de"), ("deu_Latn.devtest", "de"),
        ("sentence_deu_Latn", "de"), ("test.en-de.en", "en"), ("ref.german.txt", "de"), ("ref.zh-Hans", "zh"),
        ("hyp.txt", None), ("hyp.mt", None), ("news-de", None), ("de", None), ("a.de/b.txt", None), ("-", None),
        ("hyp.en2de", "de"), ("hyp.2", None),
    ],
)  # fmt: skip
def test_names_of_files_and_columns(name, code):
    """A suffix says the language, the last one first; a word of a name does not."""
    assert language_in_name(name) == code
