"""Languages: METEOR 1.5's codes and their synonyms, languages that have a preset, their scripts, codes of all kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "cz": "Czech",
    "fr": "French",
    "es": "Spanish",
    "de": "German",
    "pt": "Portuguese",
    "ru": "Russian",
    "da": "Danish",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "fi": "Finnish",
    "nl": "Dutch",
    "it": "Italian",
    "no": "Norwegian",
    "se": "Swedish",
    "ar-bw-red": "Arabic-buckwalter-reduced",
    "other": "Other",
}
"""Code → name, as METEOR 1.5 writes both."""

TUNED_LANGUAGES = ("en", "cz", "fr", "de", "es", "ru")
"""Languages for which METEOR 1.5 has tuned parameters, a normalizer, word lists and a paraphrase table."""

NAMES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "eo": "Esperanto",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "ms": "Malay",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tl": "Filipino",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""Code of ISO 639-1 → language: those with a preset ``meteor-XX``."""

_CODES = {
    **{code: code for code in LANGUAGES},
    **{name.lower(): code for code, name in LANGUAGES.items()},
    "cs": "cz",
    "sv": "se",
    "xx": "other",
}


def language_code(name: str) -> str:
    """METEOR's code of a language that it knows, by any name: ``cz`` for ``cs`` and ``Czech``, ``other`` for ``xx``.

    The name of a language that METEOR does not know is given back as it is.
    """
    return _CODES.get(name.lower(), name)


_ISO_CODES = {"no": "nb", **{language_code(code): code for code in NAMES}}


def iso_code(name: str) -> str | None:
    """The code of ISO 639-1 of a language in `NAMES`, by any of METEOR's names for it; None if it is not there."""
    return name.lower() if name.lower() in NAMES else _ISO_CODES.get(language_code(name))


_OTHERS = {
    "af": "Afrikaans", "am": "Amharic", "as": "Assamese", "az": "Azerbaijani", "be": "Belarusian", "bs": "Bosnian",
    "fo": "Faroese", "gu": "Gujarati", "ha": "Hausa", "ig": "Igbo", "iu": "Inuktitut", "jv": "Javanese",
    "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ku": "Kurdish", "ky": "Kyrgyz",
    "lb": "Luxembourgish", "lo": "Lao", "mg": "Malagasy", "mi": "Maori", "ml": "Malayalam", "mn": "Mongolian",
    "mr": "Marathi", "mt": "Maltese", "my": "Burmese", "ne": "Nepali", "or": "Odia", "pa": "Punjabi", "ps": "Pashto",
    "rw": "Kinyarwanda", "sd": "Sindhi", "si": "Sinhala", "sm": "Samoan", "sn": "Shona", "so": "Somali",
    "sq": "Albanian", "su": "Sundanese", "sw": "Swahili", "te": "Telugu", "tg": "Tajik", "ti": "Tigrinya",
    "tk": "Turkmen", "tt": "Tatar", "ug": "Uyghur", "uz": "Uzbek", "wo": "Wolof", "xh": "Xhosa", "yi": "Yiddish",
    "yo": "Yoruba", "yue": "Cantonese", "zu": "Zulu",
}  # fmt: skip
"""Code → language: some of those without a preset that public test sets have."""

_THREE_LETTERS = """
ar ara arb|bg bul|bn ben|ca cat|cs ces cze|cy cym wel|da dan|de deu ger|el ell gre|en eng|eo epo|es spa|et est|
eu eus baq|fa fas per pes|fi fin|fr fra fre|ga gle|gl glg|he heb iw|hi hin|hr hrv|hu hun|hy hye arm|id ind|is isl ice|
it ita|ja jpn|ko kor|lt lit|lv lav lvs|mk mkd mac|ms msa may zsm|nb nob nor nno nn|nl nld dut|pl pol|pt por|ro ron rum|
ru rus|sk slk slo|sl slv|sr srp|sv swe|ta tam|th tha|tl tgl fil|tr tur|uk ukr|ur urd|vi vie|zh zho chi cmn|
af afr|am amh|as asm|az aze azj|be bel|bs bos|fo fao|gu guj|ha hau|ig ibo|iu iku|jv jav|ka kat geo|kk kaz|km khm|
kn kan|ku kur kmr ckb|ky kir|lb ltz|lo lao|mg mlg plt|mi mri mao|ml mal|mn mon khk|mr mar|mt mlt|my mya bur|
ne nep npi|or ori ory|pa pan|ps pus pbt|rw kin|sd snd|si sin|sm smo|sn sna|so som|sq sqi alb als|su sun|sw swa swh|
te tel|tg tgk|ti tir|tk tuk|tt tat|ug uig|uz uzb uzn|wo wol|xh xho|yi yid ydd|yo yor|zu zul
"""
"""Codes of ISO 639-1, each with those of ISO 639-2 and -3 and former ones."""

_NAMES = {**NAMES, **_OTHERS}


@cache
def _tags() -> Mapping[str, str]:
    """A language as data call it, in lowercase → its code in `NAMES` or `_OTHERS`."""
    return {
        **{name.casefold(): code for code, name in _NAMES.items()},
        **{code: iso for code in LANGUAGES if (iso := iso_code(code))},
        **{code: code for code in _NAMES},
        **{other: row.split()[0] for row in _THREE_LETTERS.split("|") for other in row.split()},
        "arabic-buckwalter-reduced": "ar",
        "farsi": "fa",
        "mandarin": "zh",
    }


_SUBTAG = r"[A-Za-z]{2}|[A-Za-z]{4,8}|[0-9]{3}"
"""Pattern of a region, a script or a variant, which follow a language in a tag."""

_ARROW = r"(?<!\s)\s*+(?:->|=>|→|⇒|>|/|\||:|\bto\b|(?<=^[a-z]{2})2(?=[a-z]{2}$)|(?<=^[a-z]{3})2(?=[a-z]{3}$))\s*+"

_SCRIPTS = {
    **dict.fromkeys(("ar", "fa", "ps", "sd", "ug", "ur"), "Arabic"),
    **dict.fromkeys(("be", "bg", "ky", "mk", "ru", "tg", "tt", "uk"), "Cyrillic"),
    **dict.fromkeys(("bs", "kk", "sr", "uz", "az", "tk"), "Cyrillic Latin"),
    **dict.fromkeys(("hi", "mr", "ne"), "Devanagari"),
    **dict.fromkeys(("am", "ti"), "Ethiopic"),
    **dict.fromkeys(("he", "yi"), "Hebrew"),
    **dict.fromkeys(("as", "bn"), "Bengali"),
    "el": "Greek", "hy": "Armenian", "ja": "Han Kana", "ko": "Hangul", "ta": "Tamil", "th": "Thai",
    "zh": "Han Bopomofo", "yue": "Han Bopomofo", "gu": "Gujarati", "iu": "Canadian Latin", "ka": "Georgian",
    "km": "Khmer", "kn": "Kannada", "ku": "Arabic Latin", "lo": "Lao", "ml": "Malayalam", "mn": "Cyrillic Mongolian",
    "my": "Myanmar", "or": "Oriya", "pa": "Gurmukhi Arabic", "si": "Sinhala", "te": "Telugu",
}  # fmt: skip

WITHOUT_BLANKS: Mapping[str, int] = {"Han": 4, "Kana": 4, "Thai": 10, "Khmer": 10, "Lao": 10, "Myanmar": 10}
"""Scripts that write words without blanks between them → the most letters of a word, on average."""


def language_name(code: str) -> str | None:
    """English name of a language by its code, METEOR's, ISO 639's or a tag such as ``zh-Hans``; None if unknown."""
    return _NAMES.get(language_of(code) or "")


def scripts_of(code: str) -> Sequence[str]:
    """The scripts that a language is written in, by its code of ISO 639-1."""
    return _SCRIPTS.get(code, "Latin").split()


def language_of(tag: str) -> str | None:
    """The code of a language by a tag or name: ``de`` for ``DE``, ``deu_Latn``, ``de-CH`` and ``German``.

    None if it is unknown. A second language in lowercase is no region.
    """
    first, *rest = re.split("[-_]", tag.strip())
    code = _tags().get(first.casefold())
    is_tag = all(re.fullmatch(_SUBTAG, part) and not (part.islower() and part in _tags()) for part in rest)
    return code if code and is_tag else None


def target_language(pair: str) -> str | None:
    """The code of the target language of a pair in any spelling: ``en-de``, ``eng_Latn-deu_Latn``, ``en→zh-Hans``.

    None if these are not two known languages.
    """
    for source, target in _halves(pair.strip()):
        if language_of(source) and (code := language_of(target)):
            return code
    return None


def _halves(pair: str) -> Iterator[tuple[str, str]]:
    if len(halves := re.split(_ARROW, pair)) == 2:
        yield halves[0], halves[1]
        return
    found = [*re.finditer(r"\s*[-_–—]\s*|\s+", pair)]
    marks = [mark[0] for mark in found]
    for mark in sorted(found, key=lambda mark: marks.count(mark[0])):  # one that stands once separates the languages
        yield pair[: mark.start()], pair[mark.end() :]
    if not found and len(pair) in (4, 6):
        yield pair[: len(pair) // 2], pair[len(pair) // 2 :]


_NO_SUFFIXES = ("as", "mt", "or", "so")
"""Codes of languages that mean something else in names, such as machine translation."""


def language_in_name(name: str) -> str | None:
    """The language that a suffix of a file or column says, also before others: ``ref.zh``, ``test.en-de.txt``.

    The field of translations (``translation.de``), and the columns and files of FLORES (``sentence_deu_Latn``).
    """
    first, *parts = re.split(r"[/\\]", name)[-1].split(".")
    for part in reversed(parts):
        code = target_language(part) if re.search("[-_2]", part) else None
        if code := code or (None if part.casefold() in _NO_SUFFIXES else language_of(part)):
            return code
    found = re.search(r"(?:^|_)([a-z]{3}_[A-Z][a-z]{3})$", first)
    if found:
        return language_of(found[1])
    return target_language(first) if re.fullmatch("[a-z]{2,3}-[a-z]{2,3}", first) else None
