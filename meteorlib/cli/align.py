"""The command ``meteorlib align``: show or write the alignment of every segment."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from typing import IO

import click
from attrs import evolve, frozen

from meteorlib.cli.command import Command
from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import parse
from meteorlib.cli.dropin.settings import settings
from meteorlib.cli.input_options import table_options
from meteorlib.cli.options import Whole, format_option, gathered
from meteorlib.cli.streams import note, progress, say, standard_output
from meteorlib.config.schema import SearchConfig
from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import STANDARD_INPUT, arriving_lines, standard_input
from meteorlib.inputs.formats import ColumnChoice
from meteorlib.inputs.notes import Notes
from meteorlib.inputs.system import Inputs
from meteorlib.inputs.text_file import carriage_returns
from meteorlib.scorer import Scorer

SEPARATOR = " ||| "

_SEARCHES = {"maxcov": "beam", "maxacc": "accurate"}


@frozen
class _Aligner:
    """The options of METEOR's aligner, or a preset."""

    language: str
    matchers: str | None
    search_type: str
    beam_width: int
    synonyms: str | None
    paraphrases: str | None
    preset: str | None

    def scorer(self) -> Scorer:
        """The scorer that aligns."""
        if self.preset:
            return Scorer(self.preset)
        given = {"-l": self.language, "-m": self.matchers, "-d": self.synonyms, "-a": self.paraphrases}
        words = [word for option, value in given.items() if value is not None for word in (option, value)]
        search = SearchConfig(_SEARCHES[self.search_type], width=self.beam_width)
        return Scorer(evolve(settings(parse(("", "", *words))).config, search=search))


@click.command(
    cls=Command,
    short_help="Show the alignment of every segment.",
    examples=(
        "meteorlib align hyp.txt ref.txt -m 'exact stem synonym'",
        "meteorlib align hyp.txt ref.txt --preset meteor-2005 -f moses",
    ),
    topics=("command-line",),
)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="[REF]", required=False)
@table_options
@gathered(
    "aligner",
    _Aligner,
    click.option("-l", "--language", metavar="CODE", default="en", show_default=True, help="Language code of METEOR."),
    click.option(
        "-m",
        "--matchers",
        metavar="'NAME …'",
        help="Matchers in order: any of exact, stem, synonym, paraphrase.  [default: the language's]",
    ),
    click.option(
        "-t",
        "--type",
        "search_type",
        type=click.Choice(list(_SEARCHES)),
        default="maxcov",
        show_default=True,
        help="Goal of the search: maxcov as in scoring; maxacc weights all word matches equally and adds phrases last.",
    ),
    click.option(
        "-x", "--width", "beam_width", metavar="N", type=Whole(min=1), default=40, show_default=True, help="Beam width."
    ),
    click.option(
        "-d", "--synonyms", metavar="FOLDER", help="Folder of METEOR's synonyms to use instead of the built-in ones."
    ),
    click.option(
        "-a", "--paraphrases", metavar="FILE", help="Paraphrase table (.gz) to use instead of the installed one."
    ),
    click.option(
        "-p",
        "--preset",
        metavar="NAME",
        help="Align with a preset, including its tokenization; -l -m -t -x -d -a are then ignored.",
    ),
)
@format_option(("meteor", "moses"), "; moses is one line per segment with REF-HYP for each word pair, counted from 0.")
@click.option(
    "-stdio",
    "--stdio",
    "stdio",
    is_flag=True,
    help="Align each line of standard input (hypothesis ||| reference) as it arrives; HYP and REF are then -.",
)
def align(
    hypotheses: str, references: str | None, choice: ColumnChoice, aligner: _Aligner, form: str, stdio: bool
) -> None:
    """Align each segment of HYP with its reference in REF, in the output format of METEOR 1.5's aligner.

    Words are compared unchanged: tokenize and lowercase the files first, or name a preset. Each match is one line: its
    start and length in the reference, then in the hypothesis, and the number of its matcher, counted from 0.
    """
    if stdio and {hypotheses, references} != {STANDARD_INPUT}:
        raise click.UsageError("-stdio reads standard input: HYP and REF are then - and -")
    if references is None and choice.is_plain([hypotheses]):
        raise click.UsageError("Missing argument 'REF'.", click.get_current_context(silent=True))
    scorer = aligner.scorer()
    write = _WRITERS[form]
    out = standard_output(exact=True)
    if stdio:
        _answer(scorer, write, out)
        return
    inputs = Inputs.open([] if references is None else [references], hypotheses, choice)
    notes = Notes(note, [scorer.config], option=False)
    notes.say(*inputs.notes())
    if aligner.preset is not None:  # otherwise text is tokenized before
        inputs.look(notes)
        notes.on_languages(dict(inputs.languages()))
        notes.on_texts()
    with progress("aligning", inputs.count, shown=not out.isatty()) as bar:
        for number, pair in enumerate(inputs.segments(), 1):
            out.write(write(f"Alignment {number}", scorer.score(*pair)))
            bar(1)
    out.flush()


def _moses(title: str, scored: ScoreBreakdown) -> str:  # noqa: ARG001 – Moses' lines have none
    assert scored.alignment is not None  # noqa: S101 – a segment has one
    return f"{moses_line(scored.alignment)}\n"


def moses_line(alignment: Alignment) -> str:
    """Pairs *reference*-*hypothesis*, ascending, positions from 0; matched phrases give every pair of their words."""
    pairs = sorted(
        (reference, hypothesis)
        for match in alignment.matches
        for reference in range(match.reference_start, match.reference_start + match.reference_length)
        for hypothesis in range(match.hypothesis_start, match.hypothesis_start + match.hypothesis_length)
    )
    return " ".join(f"{reference}-{hypothesis}" for reference, hypothesis in pairs)


_WRITERS: Mapping[str, Callable[[str, ScoreBreakdown], str]] = {"meteor": report.alignment, "moses": _moses}


def _answer(scorer: Scorer, write: Callable[[str, ScoreBreakdown], str], out: IO[str]) -> None:
    """Align each line of standard input as it arrives; report invalid lines on standard error."""
    for number, line in enumerate(_lines(), 1):
        hypothesis, separator, reference = line.partition(SEPARATOR)
        if not separator:
            say(f"line {number}: format error, use: sentence 1 ||| sentence 2")
            continue
        try:
            out.write(write("Alignment", scorer.score([reference], hypothesis)))
        except InvalidText as error:
            say(f"line {number}: {error}")
        out.flush()


def _lines() -> Iterator[str]:
    """Lines of standard input; bytes that are not UTF-8 become U+FFFD, as in METEOR's services."""
    stream = standard_input()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8-sig", errors="replace", newline="\n")
    lone = first = 0
    for number, ended in enumerate(arriving_lines(stream), 1):
        line = ended.removesuffix("\n").removesuffix("\r")
        if "\r" in line:
            lone, first = lone + line.count("\r"), first or number
        yield line
    note(*carriage_returns("standard input", lone, first))
