"""The text modes of METEOR 1.5's normalizer: ``norm`` and ``norm_nopunct``."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from meteorlib.text.rules import LineRules
from meteorlib.text.token import Prefixes, Token, Tokens
from meteorlib.text.token_normalizer import TokenRules


class Normalizer:
    """Text mode ``norm``: separates punctuation, unifies abbreviations and quotes, and lowercases.

    Instances can be shared between threads and pickled; their bounded caches are not part of the pickle.

    Args:
        language: ``en``, ``cz``, ``fr``, ``es``, ``de`` or ``ru``.
        prefixes: abbreviations before whose dot no sentence ends: always, and before a number only.
        lowers: whether words are lowercased.

    Raises:
        MeteorError: METEOR 1.5 has no normalizer for the language.
    """

    name: ClassVar[str] = "norm"
    _punctuation: ClassVar[bool] = True

    def __init__(self, language: str, prefixes: Prefixes, *, lowers: bool = True) -> None:
        self._rules = LineRules(language, prefixes, self._punctuation, lowers)
        self._by_token = TokenRules(self._rules)

    @property
    def language(self) -> str:
        """The language of the rules."""
        return self._rules.language

    @property
    def lowers(self) -> bool:
        """Whether words are lowercased."""
        return self._rules.lowers

    @property
    def prefixes(self) -> Prefixes:
        """The abbreviations given."""
        return self._rules.prefixes

    def cased(self) -> Normalizer:
        """This text mode without lowercasing."""
        return type(self)(self.language, self.prefixes, lowers=False)

    def words(self, line: str) -> list[str]:
        """The words of `line`, normalized and lowercased."""
        return self._by_token.words(line)

    def tokens(self) -> Tokens:
        """Description of tokens for the compiled engine."""
        rules = self._rules
        abbreviations = rules.prefixes if self._punctuation else None
        return Tokens(self.token, rules.lowers, abbreviations, elides=rules.elision == " '")

    def token(self, text: str) -> Token | None:
        """The words of one token of a line; see `Token`."""
        return self._by_token.token(text)

    def normalize(self, line: str) -> str:
        """The normalized line: words separated by single spaces, case kept."""
        return self._rules.normalize(line)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.language!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), lowers=self.lowers), (self.language, self.prefixes)


class NormalizerWithoutPunctuation(Normalizer):
    """Text mode ``norm_nopunct``: like `Normalizer`, without all signs that are neither letters nor digits."""

    name: ClassVar[str] = "norm_nopunct"
    _punctuation: ClassVar[bool] = False
