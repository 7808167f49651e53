"""Reader of judgments, collected from rows by language pair, and of other metrics' scores of the judged texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import Factory, define

from meteorlib.analysis.meta_evaluation.correlations import Indices, pearson
from meteorlib.analysis.meta_evaluation.judgments import (
    FEW_JUDGMENTS,
    Judged,
    Judgments,
    Pairs,
    Ratings,
    format_segment,
)
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, UnknownName, did_you_mean
from meteorlib.inputs.cells import number_of, rows_of
from meteorlib.inputs.columns import Table, column_of, listed_columns, score_column
from meteorlib.inputs.formats import open_table
from meteorlib.inputs.judgment_tables import Asked, IdColumns, JudgmentRow, Segment
from meteorlib.inputs.judgments import judgment_rows, metric_scores
from meteorlib.inputs.labels import Keep
from meteorlib.inputs.rearranged import Part
from meteorlib.inputs.shifts import matching_words

Key = tuple[Segment, str, Pair | None]
"""Key of a text: segment and system; if no column identifies segments, also the text and its references."""

SAME_SCORE = 1e-12
"""Relative difference up to which scores of one text are equal; programs may print the last digits differently."""

SAME_SYSTEM_SCORE = 1e-3
"""Difference allowed between a system's score and its mean segment score, relative to the largest of them."""

_LOOKED_AT = 1000
"""Ratings, evenly spread, by which `_turned_round` decides."""
_LEAST_NEGATIVE = -0.1
"""Correlation from which ratings seem turned round; it is below any that differs from 0 by chance (four times 1/√n)."""

_Range = tuple[float, float]
"""Lowest and highest score of a text; the lowest is used, so that the order of rows does not matter."""


@define
class JudgmentCollector:
    """Judgments of one language pair that have been read so far."""

    name: str
    texts: dict[Key, Judged] = Factory(dict)
    ratings: list[tuple[Key, float]] = Factory(list)
    pairs: Counter[tuple[Key, Key]] = Factory(Counter)
    systems: dict[str, float] = Factory(dict)
    segments: set[Segment] = Factory(set)
    notes: list[str] = Factory(list)

    def add(self, row: JudgmentRow) -> Key | None:
        """Add a row; adding the same text again has no effect. If the row has a text, its key is returned."""
        if row.texts is not None:
            key = self._add_text(row, row.texts)
            self.ratings += [(key, rating) for rating in row.ratings]
            return key
        if row.better:
            if row.better == row.worse:
                raise InvalidText(row.where, f"system {row.better!r} is judged better than itself")
            for system in (row.better, row.worse):
                self._check(row.segment, system, row.where)
            self.pairs[(row.segment, row.better, None), (row.segment, row.worse, None)] += row.times
        elif row.segment:
            self._check(row.segment, row.system, row.where)
            self.ratings += [((row.segment, row.system, None), rating) for rating in row.ratings]
        else:
            (self.systems[row.system],) = row.ratings
        return None

    def _add_text(self, row: JudgmentRow, texts: Pair) -> Key:
        key = (row.segment, row.system, None if row.segment else texts)
        text = Judged(row.segment, row.system, texts)
        known = self.texts.setdefault(key, text)
        self.segments.add(row.segment)
        if known is not text and known.texts != texts:
            advice = "name the columns that distinguish them: --segment-column NAME (repeatable), --system-column NAME"
            if known.texts.hypothesis == texts.hypothesis:
                advice = (
                    f"if each row has one reference, put those of a text into a list or several columns; else {advice}"
                )
            raise InvalidText(row.where, f"{known} already has another text or reference; {advice}")
        return key

    def _check(self, segment: Segment, system: str, where: str) -> None:
        if (segment, system, None) in self.texts:
            return
        if segment not in self.segments:
            meant = did_you_mean("/".join(segment), map("/".join, self.segments))
            raise InvalidText(where, f"segment {format_segment(segment)} of {self.name} is unknown{meant}")
        names = self._system_names
        detail = f" for segment {format_segment(segment)}" if system in names else did_you_mean(system, names)
        raise InvalidText(where, f"system {system!r} of {self.name} has no output{detail}")

    @property
    def _system_names(self) -> set[str]:
        return {text.system for text in self.texts.values()}

    def judgments(self, *, each: bool, rows: Sequence[tuple[str, Key]] | None = None) -> Judgments:
        """Build `Judgments` from what was read, without texts that were not judged.

        Several ratings of a text are averaged unless `each` is kept. If no column identifies segments, `rows` are the
        language pair and the text of each row of the table.
        """
        judged = {key for pair in self.pairs for key in pair} | {key for key, _ in self.ratings}
        if self.systems:
            judged |= {key for key, text in self.texts.items() if text.system in self.systems}
        kept = {key: text for key, text in self.texts.items() if key in judged}
        places = {key: index for index, key in enumerate(kept)}
        pairs = ratings = None
        if self.pairs:
            found = [(places[better], places[worse], count) for (better, worse), count in self.pairs.items()]
            pairs = Pairs(*np.array(found, np.int64).T)
        if self.ratings:
            ratings = Ratings(
                np.array([places[key] for key, _ in self.ratings], np.int64),
                np.array([value for _, value in self.ratings]),
            )
            ratings = ratings if each else ratings.means()
        by_row = None
        if rows is not None:
            by_row = np.array([places.get(key, -1) if name == self.name else -1 for name, key in rows], np.int64)
        texts = [*kept.values()]
        notes = (
            *self._notes(averaged=not each),
            *_empty_texts(self.name, texts),
            *(_turned_round(self.name, texts, ratings) if ratings else ()),
        )
        return Judgments(self.name, tuple(texts), pairs, ratings, dict(self.systems), notes, by_row)

    def _notes(self, *, averaged: bool) -> Iterator[str]:
        if both := sum((worse, better) in self.pairs for better, worse in self.pairs) // 2:
            detail = "two texts" if both == 1 else f"{both} times two texts"
            yield f"{self.name}: {detail} were judged both ways; each judgment counts"
        several = sum(count > 1 for count in Counter(text for text, _ in self.ratings).values()) if averaged else 0
        if several:
            detail = "one text has" if several == 1 else f"{several} texts have"
            yield f"{self.name}: {detail} several ratings, whose mean counts; --several each keeps them apart"
        unrated = len(self.texts) - len({key for key, _ in self.ratings}) if self.ratings else 0
        if unrated:
            detail = "one text has no rating and is" if unrated == 1 else f"{unrated} texts have no rating and are"
            yield f"{self.name}: {detail} left out"
        if unjudged := sorted(self._system_names - {*self.systems}) if self.systems else []:
            detail = "system {} has no rating and is" if len(unjudged) == 1 else "systems {} have no rating and are"
            yield f"{self.name}: {detail.format(', '.join(map(repr, unjudged)))} left out of the comparison of systems"
        references: dict[Segment, set[tuple[str, ...]]] = {}
        for text in self.texts.values():
            references.setdefault(text.segment, set()).add(tuple(text.texts.references))
        if several := sum(len(found) > 1 for segment, found in references.items() if segment):
            detail = "one segment" if several == 1 else f"{several} segments"
            advice = "name every column that tells them apart: --segment-column NAME (repeatable)"
            different = f"the texts of {detail} have different references; if they are different segments"
            yield f"{self.name}: {different}, {advice}"
        yield from self.notes


def _empty_texts(name: str, texts: Sequence[Judged]) -> Iterator[str]:
    """Notes on texts without words, or with references without words; METEOR scores them 0."""
    for what, found in (
        ("an empty text", [text for text in texts if not text.texts.hypothesis.strip()]),
        ("only empty references", [text for text in texts if not any(map(str.strip, text.texts.references))]),
    ):
        if found:
            more = "" if len(found) == 1 else f", the first of {len(found):,},"
            yield f"{name}: {found[0]}{more} has {what}"


def _turned_round(name: str, texts: Sequence[Judged], ratings: Ratings) -> Iterator[str]:
    """A note on ratings that are clearly the lower, the more words a text has of its reference."""
    sampled = slice(None, None, 1 + len(ratings) // _LOOKED_AT)
    values = ratings.value[sampled]
    found = float(pearson(np.array([matching_words(texts[index].texts) for index in ratings.text[sampled]]), values))
    if len(values) > FEW_JUDGMENTS and found < min(_LEAST_NEGATIVE, -4 / len(values) ** 0.5):
        yield (
            f"{name}: ratings are lower where a text has more words of its reference (correlation {found:.2f}): if "
            "they count errors, as HTER does, add --lower-is-better; if they do not, leave it out"
        )


def read_judgments(name: str, asked: Asked) -> list[Judgments]:
    """Read the judgments of each language pair.

    Args:
        name: table of texts (with their ratings, unless pairs or systems are judged) or a folder: WMT rankings
            (``LP.segments``, ``LP.hyps`` and ``LP.pairs`` for each language pair LP, as ``.tsv`` or another table
            format, also compressed), a test set of mt-metrics-eval, or data of METEOR's trainer.
        asked: options for reading.

    Raises:
        InputMismatch: a file is missing; columns are ambiguous; a system has no output.
        InvalidText: a file is malformed; a rating is missing or not a number; texts contradict each other; a segment
            is unknown. The message names the location.
        UnknownName: a column or language pair does not exist.
    """
    notes: list[str] = []
    found: dict[str, JudgmentCollector] = {}
    rows: list[tuple[str, Key]] = []
    for row in judgment_rows(name, asked, notes):
        if (one := found.get(row.lp)) is None:
            one = found[row.lp] = JudgmentCollector(row.lp)
        if (key := one.add(row)) and not row.segment:
            rows.append((row.lp, key))
    for lp in asked.lps:
        if lp not in found:
            raise UnknownName("language pair", lp, found)
    chosen = [found[lp] for lp in dict.fromkeys(asked.lps or found)]
    for one in chosen[:1]:
        one.notes += notes
    judged = [collector.judgments(each=asked.several == "each", rows=rows or None) for collector in chosen]
    return [part for part in judged if part.texts]


def read_metric(name: str, file: str, column: str, judgments: Sequence[Judgments], asked: Asked) -> Metric:
    """Read the scores of a metric, higher is better.

    Args:
        name: name of the metric.
        file: table that identifies texts by language pair, segment and system, like the judgments; or a test set of
            mt-metrics-eval, which contains scores of metrics.
        column: column of the scores; empty for the one named after the metric or ``score``, or the only one left.
        judgments: judgments of each language pair.
        asked: options by which the judgments were read.

    Raises:
        InputMismatch: a text has no score, or the column is ambiguous.
        InvalidText: a score is missing or not a number, or a text has two different scores.
        UnknownName: the column does not exist.
    """
    if Path(file).is_dir():
        return _of_folder(name, Path(file), judgments)
    table = open_table(file, asked.dialect)
    key = asked.columns.key_of(table)
    chosen = column_of(table, column) if column else score_column(table, name, key.columns)
    if chosen is None:
        left = listed_columns(other for other in table.columns if other not in key.columns)
        unclear = f"no column has the scores of {name}; rename one to {name}; its columns: {left}"
        raise InputMismatch(f"{table.name}: {unclear}")
    places = _row_texts(table, key, judgments)
    if asked.keep and places:
        table = Part(table.source, table, Keep.of(asked.keep).rows_of(table))
    rows = []
    for row in rows_of(table, [*key.columns, chosen]):
        lp, segment, system = key.of(row)
        score = row.read(chosen, number_of)
        rows.append(JudgmentRow(row.where, lp if key.lp else "", segment, system, ratings=(score,)))
    if places:
        return Metric(name, tuple(_by_position(table, rows, judgments, places)))
    return _by_id(table, name, rows, judgments, partial=bool((asked.lps and key.lp) or asked.keep))


def _row_texts(table: Table, key: IdColumns, judgments: Sequence[Judgments]) -> list[Indices]:
    """Text of each row, by language pair, if rows are joined by position; empty if joined by segment ids.

    Both tables must have a column of segments, or neither; a column of systems, if the judgments have one.
    """
    places = [part.rows for part in judgments if part.rows is not None]
    if places and key.segments:
        only = f"has a column of segments ({listed_columns(key.segments)}) and the judgments have none"
        raise InputMismatch(f"{table.name}: {only}; say which column of theirs it is by --segment-column NAME")
    systems = any(text.system for part in judgments for text in part.texts)
    for what, lacks in (("segment", not places and not key.segments), ("system", systems and not key.system)):
        if lacks:
            missing = f"{table.name}: no column of {what}s, which the judgments have; say --{what}-column NAME"
            raise InputMismatch(f"{missing}; its columns: {listed_columns(table.columns)}")
    for part in judgments if key.segments else ():
        for text in part.texts[:1]:
            key.check_same_ids(table, text.segment)
    return places


def _by_id(
    table: Table, name: str, rows: Sequence[JudgmentRow], judgments: Sequence[Judgments], *, partial: bool
) -> Metric:
    only = judgments[0].name if len(judgments) == 1 else ""
    ranges: dict[str, dict[tuple[Segment, str], _Range]] = {}
    for row in rows:
        own, text = ranges.setdefault(row.lp or only, {}), (row.segment, row.system)
        named = f"segment {format_segment(row.segment)} of system {row.system!r}"
        own[text] = _extended_range(own.get(text), row, named)
    lowest = {lp: {text: low for text, (low, _) in own.items()} for lp, own in ranges.items()}
    scored = tuple(_scores_by_id(table.name, name, part, lowest.get(part.name, {})) for part in judgments)
    rest = sum(map(len, lowest.values())) - sum(len(part.texts) for part in judgments)
    notes = (f"{table.name}: {rest} scores belong to texts without judgments",) if rest and not partial else ()
    return Metric(name, scored, notes=notes)


def _scores_by_id(where: str, name: str, judged: Judgments, scores: Mapping[tuple[Segment, str], float]) -> Scored:
    missing = next((text for text in judged.texts if (text.segment, text.system) not in scores), None)
    if missing is not None:
        raise InputMismatch(f"{where}: {judged.name}: no score of {name} for {missing}")
    return Scored(np.array([scores[text.segment, text.system] for text in judged.texts]))


def _by_position(
    table: Table, rows: Sequence[JudgmentRow], judgments: Sequence[Judgments], places: Sequence[Indices]
) -> Iterator[Scored]:
    for part, of_rows in zip(judgments, places, strict=True):
        if len(rows) != len(of_rows):
            counts = f"has {len(rows)} rows where the judgments have {len(of_rows)}"
            rule = "without a column of segments (--segment-column) they are joined by position"
            raise InputMismatch(f"{table.name}: {counts}; {rule}")
        found: dict[int, _Range] = {}
        for row, index in zip(rows, of_rows.tolist(), strict=True):
            if index < 0:
                continue
            text, lp = part.texts[index], row.lp or part.name
            if (lp, row.system) != (part.name, text.system):
                beside = f"where the same row of the judgments is of system {text.system!r} of {part.name}"
                rule = "without a column of segments rows are joined by position"
                raise InvalidText(row.where, f"is of system {row.system!r} of {lp}, {beside}; {rule}")
            found[index] = _extended_range(found.get(index), row, str(text))
        yield Scored(np.array([found[index][0] for index in range(len(part.texts))]))


def _extended_range(known: _Range | None, row: JudgmentRow, text: str) -> _Range:
    """Range of a text's scores, extended by another row that may not contradict it."""
    (score,) = row.ratings
    low, high = known or (score, score)
    low, high = min(low, score), max(high, score)
    if high - low > SAME_SCORE * max(abs(low), abs(high)):
        raise InvalidText(row.where, f"{text} already has another score")
    return low, high


def has_column(name: str, data: str, asked: Asked) -> bool:
    """Whether the table of judgments has a column of a metric's scores."""
    return not Path(data).is_dir() and name in open_table(data, asked.dialect).columns


def _of_folder(name: str, folder: Path, judgments: Sequence[Judgments]) -> Metric:
    scored, notes = [], list[str]()
    for part in judgments:
        scores, systems = metric_scores(folder, part.name, name)
        scored.append(_scores_by_id(str(folder), name, part, scores))
        if (system := _inconsistent_system(scores, systems)) is not None:
            odd = f"{name} has a score of system {system!r} that is not the mean of its segments'"
            notes.append(f"{folder}: {part.name}: {odd}; the mean counts here")
    return Metric(name, tuple(scored), notes=tuple(notes))


def _inconsistent_system(scores: Mapping[tuple[Segment, str], float], systems: Mapping[str, float]) -> str | None:
    """A system whose score is not the mean of its segment scores, up to rounding; None if there is none."""
    for system, whole in systems.items():
        own = [score for (_, name), score in scores.items() if name == system]
        if own and abs(np.mean(own) - whole) > SAME_SYSTEM_SCORE * max(map(abs, [*own, whole])):
            return system
    return None
