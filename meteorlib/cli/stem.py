"""The command ``meteorlib stem``: stem the words of standard input."""

from __future__ import annotations

import io
import re

import click

from meteorlib.caches import Memo
from meteorlib.cli.command import Command
from meteorlib.cli.streams import note, standard_output
from meteorlib.core.languages import language_code
from meteorlib.errors import InvalidText, UnknownName
from meteorlib.inputs.byte_source import arriving_lines, standard_input
from meteorlib.inputs.text_file import FROM_LATIN_1, carriage_returns
from meteorlib.resources.stemmers import (
    METEOR_SNOWBALL_LANGUAGES,
    STEMMERS,
    STEMMERS_HINT,
    stemmer,
    stemmer_name,
)
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.text.token import split

_NUMBER = re.compile(r"(?:(?![\U00010000-\U0010ffff])[\d.,-])+")
"""Tokens that METEOR's stemmer program leaves unchanged; METEOR itself stems them (`100` matches `10` in Finnish)."""


@click.command(
    cls=Command,
    short_help="Stem the words of standard input.",
    examples=("meteorlib stem en < ref.txt", "meteorlib stem snowball-de < ref.txt"),
)
@click.argument("language")
def stem(language: str) -> None:
    """Stem every word of standard input, line by line, like METEOR 1.5's stemmer.

    Tokens made only of digits and . , - are left unchanged.

    LANGUAGE is one of METEOR's codes (en, fr, …) or the name of a stemmer (porter, snowball-ar, simplemma-de). Case is
    kept, except by porter-nltk and simplemma: lowercase the text first, as METEOR does.
    """
    name = next((stemmer for stemmer in (stemmer_name(language_code(language)), language) if stemmer in STEMMERS), None)
    if name is None:
        listed = f"{', '.join(METEOR_SNOWBALL_LANGUAGES)}; or a stemmer: {STEMMERS_HINT}"
        raise UnknownName("language", language, STEMMERS, listed)
    stem_of = stemmer(name)
    lines = io.TextIOWrapper(
        open_decompressed(standard_input().buffer, "standard input"), "utf-8-sig", "surrogateescape", newline="\n"
    )
    out = standard_output(exact=True)
    stems = Memo(lambda word: word if _NUMBER.fullmatch(word) else stem_of(word))
    lone = first = 0
    for number, line in enumerate(arriving_lines(lines), 1):
        _check(line, number)
        if "\r" in line and (found := line.count("\r") - line.endswith("\r\n")):
            lone, first = lone + found, first or number
        out.write(" ".join([stems[word] for word in split(line)]) + "\n")
    out.flush()
    note(*carriage_returns("standard input", lone, first))


def _check(line: str, number: int) -> None:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        byte = ord(line[error.start]) - 0xDC00
        where = f"standard input:{number}"
        raise InvalidText(
            where, f"byte 0x{byte:02X} behind {error.start} characters is not UTF-8; if it is Latin-1: {FROM_LATIN_1}"
        ) from None
