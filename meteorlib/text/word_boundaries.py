r"""The text mode ``uax29``, which splits at Unicode's word boundaries, for any script.

One pattern implements the rules WB3 to WB16 of UAX #29 (Unicode Text Segmentation, default word boundaries) over the
properties that the package regex knows. regex's own ``\b`` does not separate a flag from the text after it.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from meteorlib.extras import import_extra
from meteorlib.text.external_tokenizer import ExternalTokenizer, Tokenize

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


@frozen
class WordBoundaries(ExternalTokenizer):
    """Text mode ``uax29``: splits at Unicode's word boundaries.

    Signs are words of their own, and so is each character of scripts whose words Unicode leaves to a dictionary: Han,
    Hiragana, Thai, Lao, Khmer, Myanmar.
    """

    name: ClassVar[str] = "uax29"
    extra = "uax29"
    packages: ClassVar[tuple[str, ...]] = ("regex",)

    @classmethod
    def tokenizer(cls) -> Tokenize:
        """See `ExternalTokenizer.tokenizer`."""
        regex = import_extra("regex", cls.extra)
        tokenize: Tokenize = regex.compile(_SEGMENT, regex.V1).findall
        return tokenize
