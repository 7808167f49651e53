"""Judgments of each language pair, collected from the rows of tables or folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import Factory, define

from meteorlib.analysis.meta_evaluation.judgments import Judged, Judgments, Pairs, Ratings, format_segment
from meteorlib.core.segment import Pair
from meteorlib.errors import InvalidText, UnknownName
from meteorlib.inputs.judgment_tables import Asked, JudgmentRow, Segment
from meteorlib.inputs.judgments import judgment_rows
from meteorlib.suggestions import did_you_mean

Key = tuple[Segment, str, Pair | None]
"""Key of a text: segment and system; if no column identifies segments, also the text and its references."""


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
        """Add a row; adding the same text again has no effect.

        Returns:
            The key of the text in `texts`, if the row has a text.

        Raises:
            InvalidText: the system already has another text for the segment; a text that was rated or preferred does
                not exist, or both texts are of one system.
        """
        if row.texts is not None:
            key = self._add_text(row, row.texts)
            self.ratings += [(key, rating) for rating in row.ratings]
            return key
        if row.better:
            if row.better == row.worse:
                raise InvalidText(row.where, f"system {row.better!r} is judged better than itself")
            for system in (row.better, row.worse):
                self.check(row.segment, system, row.where)
            self.pairs[(row.segment, row.better, None), (row.segment, row.worse, None)] += row.times
        elif row.segment:
            self.check(row.segment, row.system, row.where)
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
            raise InvalidText(
                row.where, f"{known} already has another text or reference; name the columns that distinguish "
                "them: --segment-column NAME (repeatable), --system-column NAME"
            )  # fmt: skip
        return key

    def check(self, segment: Segment, system: str, where: str) -> None:
        """Check that a system has a text for a segment.

        Raises:
            InvalidText: the segment is unknown, or the system has no output for it.
        """
        if (segment, system, None) in self.texts:
            return
        if segment not in self.segments:
            meant = did_you_mean("/".join(segment), map("/".join, self.segments))
            raise InvalidText(where, f"segment {format_segment(segment)} of {self.name} is unknown{meant}")
        names = self.system_names
        detail = f" for segment {format_segment(segment)}" if system in names else did_you_mean(system, names)
        raise InvalidText(where, f"system {system!r} of {self.name} has no output{detail}")

    @property
    def system_names(self) -> set[str]:
        """Names of the systems that have output."""
        return {text.system for text in self.texts.values()}

    def judgments(self, *, each: bool, rows: Sequence[tuple[str, Key]] | None = None) -> Judgments:
        """Build `Judgments` from what was read, without texts that were not judged.

        Args:
            each: whether several ratings of a text are kept separately; otherwise they are averaged.
            rows: language pair and text of each row of the table, if no column identifies segments.
        """
        judged = {key for pair in self.pairs for key in pair} | {key for key, _ in self.ratings}
        if self.systems:
            judged |= {key for key, text in self.texts.items() if text.system in self.systems}
        kept = {key: text for key, text in self.texts.items() if key in judged}
        places = {key: place for place, key in enumerate(kept)}
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
        notes = (*self._notes(averaged=not each), *_empty_texts(self.name, [*kept.values()]))
        return Judgments(self.name, tuple(kept.values()), pairs, ratings, dict(self.systems), notes, by_row)

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
        if unjudged := sorted(self.system_names - {*self.systems}) if self.systems else []:
            detail = "system {} has no rating and is" if len(unjudged) == 1 else "systems {} have no rating and are"
            yield f"{self.name}: {detail.format(', '.join(map(repr, unjudged)))} left out of the comparison of systems"
        references: dict[Segment, set[tuple[str, ...]]] = {}
        for text in self.texts.values():
            references.setdefault(text.segment, set()).add(tuple(text.texts.references))
        if several := sum(len(found) > 1 for segment, found in references.items() if segment):
            detail = "one segment" if several == 1 else f"{several} segments"
            yield (
                f"{self.name}: the texts of {detail} have different references; if they are different segments, name "
                "every column that tells them apart: --segment-column NAME (repeatable)"
            )
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
    judged = [one.judgments(each=asked.several == "each", rows=rows or None) for one in chosen]
    return [one for one in judged if one.texts]
