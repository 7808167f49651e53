"""The functions `compare`, `explain`, `report` and `score_table`, which put several parts of the package together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload
from warnings import warn

from meteorlib.analysis.results import Settings
from meteorlib.config.schema import DEFAULT_PRESET, ScorerConfig
from meteorlib.errors import MeteorWarning
from meteorlib.inputs.columns import OptionalColumn
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.given import Chosen, Given, Lines, References, listed_texts, look_at_texts
from meteorlib.inputs.notes import Notes
from meteorlib.reports.system_scoring import SystemScoring
from meteorlib.reports.system_table import Results
from meteorlib.resources.store.shared_files import atomic_writer
from meteorlib.scorer import Scorer
from meteorlib.text.validation import check_same_order

if TYPE_CHECKING:
    from meteorlib.explanation import Explanation
    from meteorlib.integrations.rows import Added

Frame = TypeVar("Frame")


def compare(
    systems: Mapping[str, Lines | Sequence[Lines]],
    references: References,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    keep: str | Sequence[str] = (),
    resegment: bool = False,
    metrics: Sequence[str] = (),
    **settings: Unpack[Settings],
) -> Results:
    """Score systems by METEOR and other metrics, and compare them, as `meteorlib score` does with files.

    Texts are lists, or paths (`pathlib.Path`) of text files with one segment per line.

    Args:
        systems: hypotheses of each system by name; a list of them for each run if a system has several.
        references: for each segment its reference, or several; or a path, or a list of paths.
        preset: a preset's name or a configuration.
        groups: label of each segment, by what they are: ``document``, ``domain``, …; each group gets a score.
        keep: conditions by `groups` on the segments to score, such as ``domain=news`` or ``domain!=news``.
        resegment: whether to divide hypotheses in other segments into those of the references (package mweralign); each
            document by itself, if `groups` has ``document`` and there is a text for each.
        metrics: metrics of sacrebleu, ``bleu``, ``chrf``, ``chrf++``, ``ter``; or ``NAME=FILE``, a table of scores.
        settings: ``baseline``, ``test``, ``compared``, ``samples``, ``seed``, ``confidence``; see `compare_systems`.

    Raises:
        InputMismatch: systems and references differ in their number of segments, or there are none.
        UnknownName: a name is unknown.
        ExtraMissing: sacrebleu is needed for a metric, or mweralign.
        ValueError: a setting is out of its range.

    Warns:
        MeteorWarning: text that seems to be escaped or tokenized, and other notes that `meteorlib score` prints.
    """
    scorer = Scorer(preset)
    with _warnings(scorer, metrics) as notes:
        part = Chosen.of(keep, groups, resegment=resegment)
        given = Given.all(systems, references, notes, part)
        check_same_order({**systems, "references": references, **(groups or {})})
        results, problems = SystemScoring(scorer, notes, metrics, settings, part.order).table(given)
        look_at_texts(given, notes)
        notes.say(*problems)
    return results


def explain(
    references: str | Iterable[str],
    hypothesis: str,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    budget: int | None = 60_000,
) -> Explanation:
    """Explain why a segment has its score, as `meteorlib explain` does; a notebook draws the alignment.

    Args:
        references: the reference, or several.
        hypothesis: the hypothesis.
        preset: a preset's name or a configuration.
        budget: limit of the work for gains and unused matches, as in `Scorer.explain`; None for no limit.

    Raises:
        InputMismatch: there is no reference.
        InvalidText: text with NUL or a lone surrogate.
        UnknownName: no such preset.
    """
    return Scorer(preset).explain(references, hypothesis, budget=budget)


@overload
def score_table(
    table: str | PathLike[str],
    preset: str | ScorerConfig = ...,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    keep: str | Sequence[str] = ...,
    group: str | Sequence[str] | None = ...,
    **added: Unpack[Added],
) -> dict[str, list[Any]]: ...
@overload
def score_table(
    table: Frame,
    preset: str | ScorerConfig = ...,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    keep: str | Sequence[str] = ...,
    group: str | Sequence[str] | None = ...,
    **added: Unpack[Added],
) -> Frame: ...
def score_table(
    table: Any,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    references: str | Sequence[str],
    hypothesis: str,
    keep: str | Sequence[str] = (),
    group: str | Sequence[str] | None = None,
    **added: Unpack[Added],
) -> Any:
    """Score every row of a table of pandas, polars, pyarrow, DuckDB or datasets, of a dict of columns, or of a file.

    `meteorlib.integrations.frames` has more for tables: corpus scores of groups, and scores of sums of statistics.

    Args:
        table: the table; or the path of a file of CSV, TSV, JSON Lines or Parquet, also compressed.
        preset: a preset's name or a configuration.
        references: one or more columns of references; each row has a string, a list of strings, or null for none.
        hypothesis: the column of hypotheses.
        keep: conditions on the rows to score, such as ``domain=news`` or ``domain!=news``.
        group: the columns of ids by which rows are one segment, with a reference each; ``()`` if each row is a segment,
            although rows with one id have one hypothesis and different references.
        added: the new columns, ``numbers``, ``statistics`` and ``prefix``, as for `score_frame`.

    Returns:
        A table of the same kind with the same rows, or those that are kept, and the new columns, such as
        ``meteor_score``, after the existing ones; with `group`, a row per segment, with the columns of `group` and the
        hypothesis; of a file, a dict of columns.

    Raises:
        InvalidRow: a row cannot be scored; the message names column and row.
        InputMismatch: there is no such file, its format is unknown, the table has a column with a new name, or seems to
            need `group`.
        UnknownName: an unknown column, number or preset.
        ExtraMissing: a package for tables is needed.
    """
    from meteorlib.integrations.frames import score_frame  # noqa: PLC0415 – an extra

    if isinstance(table, str | PathLike):
        opened = open_table(os.fspath(table), Dialect())
        rows = [cells for _, cells in opened.rows([*map(OptionalColumn, opened.columns)])]
        table = {name: [row[column] for row in rows] for column, name in enumerate(opened.columns)}
    return score_frame(table, preset, references=references, hypothesis=hypothesis, keep=keep, group=group, **added)


def report(
    systems: Mapping[str, Lines | Sequence[Lines]],
    references: References,
    preset: str | ScorerConfig = DEFAULT_PRESET,
    *,
    output: str | PathLike[str] | None = None,
    title: str = "METEOR report",
    sources: Lines | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    keep: str | Sequence[str] = (),
    resegment: bool = False,
    word_labels: Mapping[str, Sequence[Sequence[str]]] | None = None,
    metrics: Sequence[str] = (),
    gains: int = 100,
    **settings: Unpack[Settings],
) -> str:
    """Make the HTML page that shows how systems score, where they differ, and why, as `meteorlib report` does.

    Texts are lists, or paths (`pathlib.Path`) of text files with one segment per line.

    Args:
        systems: hypotheses of each system by name; a list of them for each run if a system has several.
        references: for each segment its reference, or several; or a path, or a list of paths.
        preset: a preset's name or a configuration.
        output: file to write the page to; an existing one is replaced when the page is complete.
        title: heading of the page.
        sources: source text of each segment.
        groups: label of each segment, by what they are: ``document``, ``domain``, …
        keep: conditions by `groups` on the segments to score, such as ``domain=news`` or ``domain!=news``.
        resegment: whether to divide hypotheses in other segments into those of the references (package mweralign); each
            document by itself, if `groups` has ``document`` and there is a text for each.
        word_labels: labels of words, by what they are, such as ``pos``: for each segment, the labels of the tokens of
            each of its references, separated by spaces like the tokens.
        metrics: metrics of sacrebleu, ``bleu``, ``chrf``, ``chrf++``, ``ter``; or ``NAME=FILE``, a table of scores.
        gains: number of segments with the gains of their unmatched words.
        settings: ``baseline``, ``test``, ``samples``, ``seed``, ``confidence``; see `compare_systems`.

    Returns:
        The page; its path if `output` is given.

    Raises:
        InputMismatch: there are no segments, or systems, references, sources or labels differ in their number; a
            segment has no one alignment.
        UnknownName: a name is unknown.
        ExtraMissing: sacrebleu is needed for a metric, or mweralign.
        OSError: a file cannot be read or written.
        ValueError: a setting is out of its range.

    Warns:
        MeteorWarning: text that seems to be escaped or tokenized, and other notes that `meteorlib report` prints.
    """
    scorer = Scorer(preset)
    with _warnings(scorer, metrics) as notes:
        part = Chosen.of(keep, groups, resegment=resegment)
        given = Given.all(systems, references, notes, part)
        check_same_order({**systems, "references": references, "sources": sources, **(groups or {})})
        labels = {name: part.rows(name, rows) for name, rows in (word_labels or {}).items()}
        pieces = SystemScoring(scorer, notes, metrics, settings, part.order).page(
            given,
            title=title,
            sources=None if sources is None else part.rows("sources", listed_texts(sources, notes, "sources")),
            word_labels=lambda _: labels,
            gains=gains,
        )
        look_at_texts(given, notes)
    if output is None:
        return "".join(pieces)
    with atomic_writer(Path(output)) as file:
        file.writelines(map(str.encode, pieces))
    return os.fspath(output)


@contextmanager
def _warnings(scorer: Scorer, metrics: Sequence[str]) -> Iterator[Notes]:
    """Notes that become warnings at the caller's place, when everything is done."""
    said: list[str] = []
    scorer.engine.unseen = 0  # the notes look at all texts
    yield Notes(said.append, [scorer.config], metrics, option=False)
    for note in said:
        warn(note, MeteorWarning, stacklevel=4)
