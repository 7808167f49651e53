"""``meteorlib stem``."""

from __future__ import annotations

import io
import re
import sys

import click

from meteorlib.core.languages import language_code
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.resources.stemmers import STEMMERS, stemmer, stemmer_name
from meteorlib.text.splitting import split

WORDS_KEPT = 100_000

_NUMBER = re.compile(r"(?:(?![\U00010000-\U0010ffff])[\d.,-])+")
"""What METEOR's stemmer leaves as it is, unlike METEOR itself: `100` matches `10` by stem in Finnish."""


@click.command(short_help="Stem the words of standard input.")
@click.argument("language")
def stem(language: str) -> None:
    """Stem every word of standard input as METEOR 1.5's stemmer does, line by line.

    What is made of digits and the signs . , - only stays as it is.

    LANGUAGE is one of METEOR's codes (en, fr, …) or the name of a stemmer (porter, porter-nltk). The case stays:
    lowercase the text first, as METEOR does.
    """
    name = stemmer_name(language_code(language))
    stem_of = stemmer(name if name in STEMMERS else language)
    if sys.stdin is None:
        raise InputMismatch("standard input is closed: there is nothing to read")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline=None)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    known: dict[str, str] = {}
    for number, line in enumerate(sys.stdin, 1):
        _check(line, number)
        if len(known) > WORDS_KEPT:
            known.clear()
        for word in split(line):
            if word not in known:
                known[word] = word if _NUMBER.fullmatch(word) else stem_of(word)
        sys.stdout.write(" ".join(known[word] for word in split(line)) + "\n")


def _check(line: str, number: int) -> None:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        byte = ord(line[error.start]) - 0xDC00
        where = f"standard input:{number}"
        raise InvalidText(
            where, f"byte 0x{byte:02X} behind {error.start} characters is not UTF-8; convert it"
        ) from None
