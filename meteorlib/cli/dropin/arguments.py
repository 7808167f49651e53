"""The arguments of ``meteor-1.5``, parsed like METEOR's jar: two files, then options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import field, fields, frozen

from meteorlib.core.numbers_and_letters import to_float
from meteorlib.errors import MeteorError, UnknownName, did_you_mean

DIALECTS = ("cmu", "coco")


def _numbers(option: str, text: str) -> tuple[float, ...]:
    try:
        return tuple(map(to_float, text.split()))
    except ValueError as error:
        raise UsageError(f"{option} {text!r}: {str(error).split(': ')[-1]} is not a number") from None


def _whole(option: str, text: str) -> int:
    if not re.fullmatch(r"[-+]?[0-9]{1,9}", text):
        raise UsageError(f"{option} {text!r}: not a whole number")
    return int(text)


def _count(option: str, text: str) -> int:
    # below 1 METEOR takes one reference
    return max(_whole(option, text), 1)


def _width(option: str, text: str) -> int:
    width = _whole(option, text)
    if width < 1:
        raise UsageError(f"{option} {text!r}: a beam must keep at least 1 path")
    return width


def _words(_option: str, text: str) -> tuple[str, ...]:
    return tuple(text.lower().split())


def _text(_option: str, text: str) -> str:
    return text


def _dialect(_option: str, text: str) -> str:
    if text not in DIALECTS:
        raise UnknownName("dialect of -stdio", text, DIALECTS)
    return text


def _option(name: str, default: Any = None, read: Callable[[str, str], Any] = _text) -> Any:
    """An attribute that an option sets to what `read` makes of the option's value."""
    return field(default=default, metadata={"option": name, "read": read})


def _switch(name: str) -> Any:
    """An attribute that an option without a value sets."""
    return field(default=False, metadata={"option": name, "read": None})


@frozen
class Arguments:
    """Parsed arguments of ``meteor-1.5``."""

    hypotheses: str
    references: str
    language: str = _option("-l", "en")
    task: str | None = _option("-t")
    parameters: tuple[float, ...] | None = _option("-p", None, _numbers)
    matchers: tuple[str, ...] | None = _option("-m", None, _words)
    weights: tuple[float, ...] | None = _option("-w", None, _numbers)
    reference_count: int = _option("-r", 1, _count)
    beam: int = _option("-x", 40, _width)
    function_words: str | None = _option("-s")
    synonyms: str | None = _option("-d")
    paraphrases: str | None = _option("-a")
    prefix: str = _option("-f", "meteor")
    quiet: bool = _switch("-q")
    new: str | None = _option("-new")
    characters: bool = _switch("-ch")
    normalize: bool = _switch("-norm")
    lower: bool = _switch("-lower")
    no_punctuation: bool = _switch("-noPunct")
    sgml: bool = _switch("-sgml")
    stdio: bool = _switch("-stdio")
    dialect: str = _option("-dialect", "cmu", _dialect)
    verbose: bool = _switch("-vOut")
    statistics: bool = _switch("-ssOut")
    alignments: bool = _switch("-writeAlignments")


def parse(words: Sequence[str]) -> Arguments:
    """Parse the command line; the last of repeated options counts."""
    found: dict[str, Any] = {}
    known = {argument.metadata["option"]: argument for argument in fields(Arguments) if argument.metadata}
    rest = iter(words[2:])
    for option in rest:
        if option not in known:
            hint = did_you_mean(option, known)
            raise UsageError(f"unknown option {option!r}{hint}; files come first: meteor-1.5 HYPOTHESES REFERENCES …")
        read = known[option].metadata["read"]
        value = None if read is None else next(rest, None)
        if read is not None and value is None:
            raise UsageError(f"{option} needs a value")
        found[known[option].name] = True if read is None else read(option, value)
    return Arguments(words[0], words[1], **found)


USAGE = """\
meteor-1.5 HYPOTHESES REFERENCES [options]: METEOR 1.5, with the options and the output of its jar

  -l LANGUAGE        en (default), cz, de, es, fr, ru; da fi hu it nl no pt ro se tr; other; ar-bw-red (experimental)
  -t TASK            rank, adq, hter, util, tune, li, universal (default: rank, or li where the language has no rank)
  -p 'A B G D'       alpha, beta, gamma, delta
  -m 'MATCHER ...'   any of: exact stem synonym paraphrase
  -w 'WEIGHT ...'    one weight per matcher
  -r COUNT           references per segment, on consecutive lines of REFERENCES (plain text only)
  -x WIDTH           beam width (default 40)
  -s FILE            function words, one per line (default: METEOR's English ones, for every language)
  -d FOLDER          synonyms (METEOR's own english.synsets and english.exceptions)
  -a FILE            paraphrase table (paraphrase-XX.gz); compiled at its first use
  -f PREFIX          prefix of the names of output files (default: meteor)
  -q                 only scores: those of segments to standard error, the final one to standard output
  -new FOLDER        another language: FOLDER holds function.words and paraphrase.gz
  -ch                lengths and matches in characters
  -norm              normalize and lowercase
  -lower             lowercase only
  -noPunct           with -norm: drop punctuation
  -sgml              the files are SGML
  -stdio             read lines from standard input (HYPOTHESES and REFERENCES are then -)
  -dialect NAME      of -stdio: cmu (default) or coco (the jar of image captioning tools: one EVAL scores many
                     statistics and their sum, SING scores one)
  -vOut              precision, recall, penalty and score instead of the score
  -ssOut             statistics instead of scores
  -writeAlignments   also write PREFIX-align.out
"""


class UsageError(MeteorError):
    """Wrong arguments; the message says which."""
