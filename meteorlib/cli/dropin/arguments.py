"""The arguments of ``meteor-1.5``, parsed like METEOR's jar: two files, then options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from meteorlib.core.numbers_and_letters import to_float
from meteorlib.errors import MeteorError, UnknownName
from meteorlib.suggestions import did_you_mean

DIALECTS = ("cmu", "coco")


@frozen
class Arguments:
    """Parsed arguments of ``meteor-1.5``."""

    hypotheses: str
    references: str
    language: str = "en"
    task: str | None = None
    parameters: tuple[float, ...] | None = None
    matchers: tuple[str, ...] | None = None
    weights: tuple[float, ...] | None = None
    reference_count: int = 1
    beam: int = 40
    function_words: str | None = None
    synonyms: str | None = None
    paraphrases: str | None = None
    prefix: str = "meteor"
    quiet: bool = False
    new: str | None = None
    characters: bool = False
    normalize: bool = False
    lower: bool = False
    no_punctuation: bool = False
    sgml: bool = False
    stdio: bool = False
    dialect: str = "cmu"
    verbose: bool = False
    statistics: bool = False
    alignments: bool = False


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


_VALUES: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "-l": ("language", _text),
    "-t": ("task", _text),
    "-p": ("parameters", _numbers),
    "-m": ("matchers", _words),
    "-w": ("weights", _numbers),
    "-r": ("reference_count", _count),
    "-x": ("beam", _width),
    "-s": ("function_words", _text),
    "-d": ("synonyms", _text),
    "-a": ("paraphrases", _text),
    "-f": ("prefix", _text),
    "-new": ("new", _text),
    "-dialect": ("dialect", _dialect),
}
_SWITCHES = {
    "-q": "quiet",
    "-ch": "characters",
    "-norm": "normalize",
    "-lower": "lower",
    "-noPunct": "no_punctuation",
    "-sgml": "sgml",
    "-stdio": "stdio",
    "-vOut": "verbose",
    "-ssOut": "statistics",
    "-writeAlignments": "alignments",
}


def parse(words: Sequence[str]) -> Arguments:
    """Parse the command line; the last of repeated options counts.

    Raises:
        UsageError: an unknown option, or a missing or invalid value.
        UnknownName: an unknown dialect.
    """
    found: dict[str, Any] = {}
    rest = iter(words[2:])
    for option in rest:
        if option in _SWITCHES:
            found[_SWITCHES[option]] = True
        elif option in _VALUES:
            value = next(rest, None)
            if value is None:
                raise UsageError(f"{option} needs a value")
            name, read = _VALUES[option]
            found[name] = read(option, value)
        else:
            hint = did_you_mean(option, [*_VALUES, *_SWITCHES])
            raise UsageError(f"unknown option {option!r}{hint}; files come first: meteor-1.5 HYPOTHESES REFERENCES …")
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
