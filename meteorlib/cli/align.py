"""``meteorlib align``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import parse
from meteorlib.cli.dropin.settings import settings
from meteorlib.cli.output import standard_output
from meteorlib.config.schema import ScorerConfig
from meteorlib.corpus.textfile import TextFile, check_same_length
from meteorlib.scorer import Scorer


@click.command(short_help="Show the alignment of every segment.")
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF")
@click.option(
    "-l", "--language", metavar="CODE", default="en", show_default=True, help="METEOR's code of the language."
)
@click.option(
    "-m",
    "--matchers",
    metavar="'NAME …'",
    help="Matchers in order, of: exact stem synonym paraphrase.  [default: the language's]",
)
@click.option(
    "-x", "--width", metavar="N", type=click.IntRange(min=1), default=40, show_default=True, help="Width of the beam."
)
@click.option("-a", "--paraphrases", metavar="FILE", help="A paraphrase table (.gz) instead of the installed one.")
@click.option(
    "--preset", metavar="NAME", help="Align as a preset does, text mode included; -l -m -x -a are then not used."
)
def align(
    hypotheses: str,
    references: str,
    language: str,
    matchers: str | None,
    width: int,
    paraphrases: str | None,
    preset: str | None,
) -> None:
    """Align every segment of HYP with that of REF and write what METEOR 1.5's aligner writes.

    The words are taken as they stand: tokenize and lowercase the files first, or name a preset. A match is a line:
    where it begins in the reference and its length, the same in the hypothesis, and the number of its matcher, from 0.
    """
    scorer = Scorer(preset or _config(language, matchers, width, paraphrases))
    hypothesis_file, reference_file = TextFile.open(hypotheses), TextFile.open(references)
    check_same_length(hypothesis_file, [reference_file])
    out = standard_output()
    sides = zip(hypothesis_file.lines(), reference_file.lines(), strict=True)
    for number, (hypothesis, reference) in enumerate(sides, 1):
        out.write(report.alignment(f"Alignment {number}", scorer.score(reference, hypothesis)))
    out.flush()


def _config(language: str, matchers: str | None, width: int, paraphrases: str | None) -> ScorerConfig:
    options: Sequence[str] = ("-l", language, "-x", str(width))
    if matchers is not None:
        options = (*options, "-m", matchers)
    if paraphrases is not None:
        options = (*options, "-a", paraphrases)
    return settings(parse(("", "", *options))).config
