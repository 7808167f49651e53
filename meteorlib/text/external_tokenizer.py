"""Text modes that use a tokenizer of another package: the class of all of them, and functions that make the tokenizers.

Each is a row of `meteorlib.registry`. A tokenizer uses its package's own dictionary, whatever else is
installed or was added to it elsewhere in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from threading import Lock
from typing import Any

from attrs import evolve, field, frozen

from meteorlib import extras
from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing
from meteorlib.parts import TokenizerRow
from meteorlib.text.token import Prefixes, Token, Tokens

Tokenize = Callable[[str], Iterable[str]]
"""Line → its tokens."""


@frozen
class ExternalTokenizer:
    """A text mode whose words come from another package's tokenizer and are lowercased afterwards.

    The tokenizer sees the text unchanged. White space around or within a token separates words and is never a word
    itself. Each process has one tokenizer of a kind, which threads use in turn. Language and prefixes are ignored: all
    text modes take the same arguments.

    Attributes:
        versions: the packages that determine the words, with their versions, and digests of other files.
    """

    row: TokenizerRow
    language: str = ""
    prefixes: Prefixes = field(default=(frozenset(), frozenset()), repr=False)
    lowers: bool = True
    versions: Mapping[str, str] = field(init=False, hash=False)
    _tokenize: Tokenize = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_tokenize", _locked_tokenizer(self.row))
        versions = extras.installed_versions(self.row.packages, self.row.extra)
        object.__setattr__(self, "versions", versions | (_function(self.row.digests)() if self.row.digests else {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return ExternalTokenizer, (self.row, self.language, self.prefixes, self.lowers)

    def cased(self) -> ExternalTokenizer:
        """This text mode without lowercasing."""
        return evolve(self, lowers=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, lowercased unless `lowers` is False."""
        tokens = self._tokenize(line)
        return [word for token in tokens for word in (token.lower() if self.lowers else token).split()]

    def tokens(self) -> Tokens | None:
        """Description of tokens for the compiled engine, if the row promises that they can be read apart."""
        return Tokens(self.token, self.lowers, letters=True) if self.row.apart else None

    def token(self, text: str) -> Token | None:
        """The words of one token; None if they depend on more than blanks beside it, as where it begins the line."""
        last = text[-1:] == " "
        token = text[:-1] if last else text
        if not token.isprintable() or (last and not token):
            return None
        behind, end = ("", None) if last else (" x", -1)
        words = self.words(f"x {token}{behind}")[1:end]
        return Token((tuple(words),)) if words == self.words(f"{token}{behind}")[:end] else None


@cache
def _locked_tokenizer(row: TokenizerRow) -> Tokenize:
    tokenize, lock = make_tokenizer(row), Lock()

    def locked_tokenize(line: str) -> list[str]:
        with lock:
            return list(tokenize(line))

    return locked_tokenize


def make_tokenizer(row: TokenizerRow) -> Tokenize:
    """Create the tokenizer of a row."""
    with extras.offline():
        modules = [extras.import_extra(module, row.extra) for module in row.modules]
        tokenize: Tokenize = _function(row.make)(*modules, *row.arguments)
        return tokenize


def _function(name: str) -> Callable[..., Any]:
    """The function of this module that a row names."""
    function: Callable[..., Any] = resolve_name(f"{__name__}:{name}")
    return function


def jieba(module: Any) -> Tokenize:
    """Chinese words, by jieba's accurate mode with its model for unknown words."""
    tokenizer = module.Tokenizer()  # one of our own: words that a program adds to jieba's are not in it
    # not by its `initialize`, which would take the dictionary from a file in the temporary folder if there is one,
    # whoever wrote it, and write one otherwise
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    tokenize: Tokenize = tokenizer.lcut
    return tokenize


def fugashi(dictionary: Any, module: Any) -> Tokenize:
    """Japanese short units, by MeCab with the dictionary UniDic Lite."""
    folder = dictionary.DICDIR
    tagger = module.Tagger(f'-r "{folder}/mecabrc" -d "{folder}"')
    return lambda line: [word.surface for word in tagger(line)]


def sudachi(module: Any, _dictionary: Any, errors: Any, mode: str) -> Tokenize:
    """Japanese words by SudachiPy with its core dictionary (Takaoka et al. 2018).

    Its mode A has the shortest units, as UniDic's short ones; C, its default, the longest: a name is one word.
    """
    tokenizer = module.Dictionary(dict="core").tokenizer(mode=getattr(module.SplitMode, mode))

    def tokenize(line: str) -> Iterable[str]:
        try:
            return [morpheme.surface() for morpheme in tokenizer.tokenize(line)]
        except errors.SudachiError as error:
            reason = f"SudachiPy cannot take a text of {len(line):,} characters ({error}); divide it"
            raise InvalidText("text", reason) from error

    return tokenize


def kiwi(module: Any) -> Tokenize:
    """Korean morphemes, by kiwipiepy, in the forms that it gives (*갔습니다*: 가 었 습니다)."""
    tokenizer = module.Kiwi(num_workers=1)
    return lambda line: [token.form for token in tokenizer.tokenize(line)]


def pythainlp(module: Any) -> Tokenize:
    """Thai words, by PyThaiNLP's default (``newmm``: the dictionary, maximal matching)."""
    return lambda line: module.word_tokenize(line, engine="newmm", keep_whitespace=False)


def word_tokenize(module: Any) -> Callable[[str], list[str]]:
    """English words, by NLTK's ``word_tokenize``, as Hugging Face's METEOR has them."""
    tokenize: Callable[[str], list[str]] = module.word_tokenize
    try:
        tokenize("")
    except LookupError:
        raise ResourceMissing(
            "punkt_tab", "run  python -m nltk.downloader punkt_tab, or choose another tokenizer"
        ) from None
    return tokenize


def sacrebleu(module: Any, name: str) -> Tokenize:
    """Words of a tokenizer of sacrebleu (Post 2018)."""
    tokenize = getattr(module, name)()
    return lambda line: tokenize(line.rstrip()).split()  # as sacrebleu hands it a line


def mecab(_mecab: Any, _dictionary: Any, module: Any, name: str, extra: str) -> Tokenize:
    """Words of MeCab, by a tokenizer of sacrebleu, which checks the dictionary."""
    try:
        return sacrebleu(module, name)
    except (AssertionError, RuntimeError) as error:
        remedy = f"run  pip install 'meteorlib[{extra}]'  and set no user dictionary for MeCab"
        raise ResourceDamaged(extra, str(error).strip() or "MeCab has another dictionary", remedy) from error


def flores200(_sentencepiece: Any, module: Any, name: str) -> Tokenize:
    """Pieces of FLORES-200's SentencePiece model, which sacrebleu downloads; meteorlib only uses it."""
    model = _flores_model(module)
    if not model.is_file():
        remedy = "run `echo a | sacrebleu --tokenize flores200 REFERENCE`, which downloads the model"
        raise ResourceMissing("flores200", f"there is no {model}; {remedy}")
    try:
        return sacrebleu(module, name)
    except (OSError, RuntimeError) as error:
        raise ResourceDamaged("flores200", f"{model}: {error}", "remove the file and download it again") from error


def flores_digest() -> Mapping[str, str]:
    """Digest of FLORES-200's model."""
    from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

    model = _flores_model(extras.import_extra("sacrebleu.tokenizers.tokenizer_spm", "flores200"))
    return {model.name: sha256(model.read_bytes()).hexdigest()[:8]}


def _flores_model(module: Any) -> Path:
    return Path(module.SACREBLEU_DIR, "models", Path(module.SPM_MODELS["flores200"]["url"]).name)


# What a character takes along behind it (WB4).
_ALONG = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*"
_HEBREW, _DIGIT = r"\p{WB=Hebrew_Letter}", r"\p{WB=Numeric}"
_LETTER = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]"
_QUOTE = r"\p{WB=MidNumLet}\p{WB=Single_Quote}"
_LOW_LINES = rf"(?:\p{{WB=ExtendNumLet}}{_ALONG})+"
# Letters and digits, with marks inside (WB5-12): can't, 3.14, צה"ל
_ALPHANUMERIC = (
    rf"(?:{_LETTER}{_ALONG}(?:[\p{{WB=MidLetter}}{_QUOTE}]{_ALONG}(?={_LETTER}))?"
    rf"|{_DIGIT}{_ALONG}(?:[\p{{WB=MidNum}}{_QUOTE}]{_ALONG}(?={_DIGIT}))?"
    rf"|(?<={_HEBREW}{_ALONG})\p{{WB=Double_Quote}}{_ALONG}(?={_HEBREW}))+"
)
_PART = rf"(?:{_ALPHANUMERIC}|(?:\p{{WB=Katakana}}{_ALONG})+)"
# Parts that low lines join (WB13); a Hebrew letter keeps a quote behind it (WB7a).
_WORD = (
    rf"(?:{_PART}(?:{_LOW_LINES}{_PART})*(?:{_LOW_LINES})?|{_LOW_LINES}(?:{_PART}{_LOW_LINES})*{_PART}?)"
    rf"(?:(?<={_HEBREW}{_ALONG})\p{{WB=Single_Quote}}{_ALONG})?"
)
_PIECE = (
    rf"(?:{_WORD}|\p{{WB=WSegSpace}}+{_ALONG}|(?:\p{{WB=Regional_Indicator}}{_ALONG}){{1,2}}"
    rf"|[^\r\n\p{{WB=Newline}}]{_ALONG})"
)
# Emoji that are joined are one (WB3c).
_JOINED = rf"{_PIECE}(?:(?<=\p{{WB=ZWJ}})(?=\p{{Extended_Pictographic}}){_PIECE})*"
_SEGMENT = rf"\r\n|[\r\n\p{{WB=Newline}}]|{_JOINED}"


def word_boundaries(regex: Any) -> Tokenize:
    r"""Text between Unicode's word boundaries, for any script.

    Signs are words of their own, and so is each character of scripts whose words Unicode leaves to a dictionary: Han,
    Hiragana, Thai, Lao, Khmer, Myanmar. One pattern implements the rules WB3 to WB16 of UAX #29 (Unicode Text
    Segmentation, default word boundaries) over the properties that the package regex knows. regex's own ``\b`` does not
    separate a flag from the text after it.
    """
    tokenize: Tokenize = regex.compile(_SEGMENT, regex.V1).findall
    return tokenize
