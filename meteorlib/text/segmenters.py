"""Text modes for languages that need a word segmenter: Chinese, Japanese, Korean and Thai.

Chinese by jieba, Japanese by fugashi (MeCab) and SudachiPy, Korean by kiwipiepy, Thai by PyThaiNLP. Each uses its
package's own dictionary, whatever else is installed or was added to it elsewhere in the process.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from attrs import frozen

from meteorlib.errors import InvalidText
from meteorlib.extras import import_extra
from meteorlib.text.external_tokenizer import ExternalTokenizer, Tokenize


@frozen
class Jieba(ExternalTokenizer):
    """Text mode ``jieba``: Chinese words, by jieba's accurate mode with its model for unknown words."""

    name: ClassVar[str] = "jieba"
    extra = "jieba"
    packages: ClassVar[tuple[str, ...]] = ("jieba",)

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        jieba = import_extra("jieba", cls.extra)
        tokenizer = jieba.Tokenizer()  # one of our own: words that a program adds to jieba's are not in it
        # not by its `initialize`, which would take the dictionary from a file in the temporary folder if there is one,
        # whoever wrote it, and write one otherwise
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
        tokenizer.initialized = True
        tokenize: Tokenize = tokenizer.lcut
        return tokenize


@frozen
class Fugashi(ExternalTokenizer):
    """Text mode ``fugashi``: Japanese short units, by MeCab with the dictionary UniDic Lite."""

    name: ClassVar[str] = "fugashi"
    extra = "fugashi"
    packages: ClassVar[tuple[str, ...]] = ("fugashi", "unidic-lite")

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        folder = import_extra("unidic_lite", cls.extra).DICDIR
        tagger = import_extra("fugashi", cls.extra).Tagger(f'-r "{folder}/mecabrc" -d "{folder}"')
        return lambda line: [word.surface for word in tagger(line)]


class _Sudachi(ExternalTokenizer):
    """Japanese words by SudachiPy with its core dictionary (Takaoka et al. 2018), in one of its three modes."""

    extra = "sudachi"
    packages: ClassVar[tuple[str, ...]] = ("SudachiPy", "SudachiDict-core")
    mode: ClassVar[str]

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        sudachipy = import_extra("sudachipy", cls.extra)
        import_extra("sudachidict_core", cls.extra)
        tokenizer = sudachipy.Dictionary(dict="core").tokenizer(mode=getattr(sudachipy.SplitMode, cls.mode))
        sudachi_error = import_extra("sudachipy.errors", cls.extra).SudachiError

        def tokenize(line: str) -> Iterable[str]:
            try:
                return [morpheme.surface() for morpheme in tokenizer.tokenize(line)]
            except sudachi_error as error:
                reason = f"SudachiPy cannot take a text of {len(line):,} characters ({error}); divide it"
                raise InvalidText("text", reason) from error

        return tokenize


@frozen
class SudachiA(_Sudachi):
    """Text mode ``sudachi-a``: the shortest units, as UniDic's short ones."""

    name: ClassVar[str] = "sudachi-a"
    mode = "A"


@frozen
class SudachiB(_Sudachi):
    """Text mode ``sudachi-b``: units of middle length."""

    name: ClassVar[str] = "sudachi-b"
    mode = "B"


@frozen
class SudachiC(_Sudachi):
    """Text mode ``sudachi-c``: the longest units; names are one word. It is SudachiPy's default."""

    name: ClassVar[str] = "sudachi-c"
    mode = "C"


@frozen
class Kiwi(ExternalTokenizer):
    """Text mode ``kiwi``: Korean morphemes, by kiwipiepy, in the forms that it gives (*갔습니다*: 가 었 습니다)."""

    name: ClassVar[str] = "kiwi"
    extra = "kiwi"
    packages: ClassVar[tuple[str, ...]] = ("kiwipiepy", "kiwipiepy_model")

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        kiwi: Any = import_extra("kiwipiepy", cls.extra).Kiwi(num_workers=1)
        return lambda line: [token.form for token in kiwi.tokenize(line)]


@frozen
class PyThaiNLP(ExternalTokenizer):
    """Text mode ``pythainlp``: Thai words, by PyThaiNLP's default (``newmm``: the dictionary, maximal matching)."""

    name: ClassVar[str] = "pythainlp"
    extra = "pythainlp"
    packages: ClassVar[tuple[str, ...]] = ("pythainlp",)

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        word_tokenize = import_extra("pythainlp.tokenize", cls.extra).word_tokenize
        return lambda line: word_tokenize(line, engine="newmm", keep_whitespace=False)
