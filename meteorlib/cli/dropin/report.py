"""The output formats of METEOR 1.5: head, segment lines, a system's table, alignments."""

from __future__ import annotations

from itertools import repeat

from attrs import evolve

from meteorlib.cli.dropin.arguments import Arguments
from meteorlib.cli.dropin.settings import Settings
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.languages import LANGUAGES
from meteorlib.core.numbers_and_letters import CONTROLS_AND_SPACE, java_double
from meteorlib.core.segment import SCALE
from meteorlib.core.statistics import LINE_STAGES, Statistics
from meteorlib.registry import MATCHERS, TEXTS

_ALIGNMENT_HEAD = "Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n"


def _join(numbers: tuple[float, ...], between: str) -> str:
    return between.join(map(java_double, numbers))


def head(settings: Settings, *, sgml: bool) -> str:
    """The lines before the first score."""
    config = settings.config
    matchers = [stage.matcher for stage in config.stages]
    eval_id = "-".join(
        [
            "meteor-1.5",
            "ch" if config.count == "characters" else "wo",
            config.language,
            TEXTS.part(config.text).code,
            _join(settings.parameters, "_"),
            "_".join(MATCHERS.part(matcher).code for matcher in matchers),
            _join(settings.weights, "_"),
        ]
    )
    return (
        "Meteor version: 1.5\n\n"
        f"Eval ID:        {eval_id}\n\n"
        f"Language:       {LANGUAGES[config.language]}\n"
        f"Format:         {'SGML' if sgml else 'plaintext'}\n"
        f"Task:           {settings.task}\n"
        f"Modules:        {' '.join(matchers)}\n"
        f"Weights:        {_join(settings.weights, ' ')}\n"
        f"Parameters:     {_join(settings.parameters, ' ')}\n\n"
    )


def numbers(scored: ScoreBreakdown) -> str:
    """Precision, recall, penalty and score."""
    return _join((scored.precision, scored.recall, scored.penalty, scored.score), "\t")


def fields(scored: ScoreBreakdown, arguments: Arguments) -> str:
    """The statistics with ``-ssOut``, four numbers with ``-vOut``, else the score."""
    if arguments.statistics:
        return statistics_line(scored.statistics)
    return numbers(scored) if arguments.verbose else java_double(scored.score)


def statistics_line(statistics: Statistics) -> str:
    """METEOR's line of 23 numbers, without stages after the fourth."""
    return statistics.with_stages(LINE_STAGES).line()


def total_fields(scored: ScoreBreakdown, arguments: Arguments) -> str:
    """`fields` of a document or a system, with the chunks that the penalty counts."""
    return fields(evolve(scored, statistics=with_penalized_chunks(scored.statistics)), arguments)


def with_penalized_chunks(statistics: Statistics) -> Statistics:
    """Statistics whose chunks are only those that the penalty counts."""
    return evolve(statistics, chunks=statistics.penalized_chunks)


def block(scored: ScoreBreakdown, settings: Settings) -> str:
    """A system's table of matches and its scores."""
    statistics = scored.statistics
    unit = "chars" if settings.config.count == "characters" else "words"
    rows = []
    sums = [0, 0, 0, 0]
    for number, stage in enumerate(statistics.stages[: len(settings.weights)], 1):
        counts = (
            stage.hypothesis_content,
            stage.hypothesis_function,
            stage.reference_content,
            stage.reference_function,
        )
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        rows.append(_row(str(number), *counts))
    return (
        "\n           Test Matches                  Reference Matches\n"
        "Stage      Content  Function    Total    Content  Function    Total\n"
        f"{''.join(rows)}{_row('Total', *sums)}\n"
        f"{f'Test {unit}:':<24}{statistics.hypothesis_length}\n"
        f"{f'Reference {unit}:':<24}{statistics.reference_length}\n"
        f"{'Chunks:':<24}{statistics.penalized_chunks}\n"
        f"{'Precision:':<24}{java_double(scored.precision)}\n"
        f"{'Recall:':<24}{java_double(scored.recall)}\n"
        f"{'f1:':<24}{java_double(scored.f1)}\n"
        f"{'fMean:':<24}{java_double(scored.f_mean)}\n"
        f"{'Fragmentation penalty:':<24}{java_double(scored.penalty)}\n\n"
        f"{'Final score:':<24}{java_double(scored.score)}\n"
    )


def _row(label: str, content: int, function: int, reference_content: int, reference_function: int) -> str:
    return (
        f"{label:<11}{content:7d}{function:10d}{content + function:9d}"
        f"{reference_content:11d}{reference_function:10d}{reference_content + reference_function:9d}\n"
    )


def alignment(title: str, scored: ScoreBreakdown) -> str:
    """An entry of an alignment file."""
    found = scored.alignment
    assert found is not None  # noqa: S101 – a segment has one
    matches = "".join(
        f"{match.reference_start}:{match.reference_length}\t\t\t"
        f"{match.hypothesis_start}:{match.hypothesis_length}\t\t\t{match.stage}\t\t{java_double(grade / SCALE)}\n"
        for match, grade in zip(found.matches, found.grades or repeat(SCALE), strict=False)
    )
    return f"{title}\n{_line(found.hypothesis)}\n{_line(found.reference)}\n{_ALIGNMENT_HEAD}{matches}\n"


def _line(words: tuple[str, ...]) -> str:
    return " ".join(words).strip(CONTROLS_AND_SPACE)
