"""Collector of the judgments of one language pair while files are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import Factory, define

from meteorlib.analysis.meta_evaluation.judgments import Judged, Judgments, Pairs, Ratings, Segment, format_segment
from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
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

    def add_text(self, segment: Segment, system: str, texts: Pair, where: str) -> Key:
        """Add a text; adding the same text again has no effect.

        Returns:
            The key of the text in `texts`.

        Raises:
            InvalidText: the system already has another text for the segment.
        """
        key = (segment, system, None if segment else texts)
        text = Judged(segment, system, texts)
        known = self.texts.setdefault(key, text)
        self.segments.add(segment)
        if known is not text and known.texts != texts:
            raise InvalidText(
                where, f"{known} already has another text or reference; name the columns that distinguish "
                "them: --segment-column NAME (repeatable), --system-column NAME"
            )  # fmt: skip
        return key

    def add_rating(self, segment: Segment, system: str, value: float, where: str) -> None:
        """Add a rating of a text identified by its segment and system.

        Raises:
            InvalidText: there is no such text.
        """
        self.check(segment, system, where)
        self.ratings.append(((segment, system, None), value))

    def add_pair(self, segment: Segment, better: str, worse: str, count: int, where: str) -> None:
        """Add a judgment of two texts.

        Raises:
            InvalidText: both texts are of the same system, or one does not exist.
        """
        if better == worse:
            raise InvalidText(where, f"system {better!r} is judged better than itself")
        for system in (better, worse):
            self.check(segment, system, where)
        self.pairs[(segment, better, None), (segment, worse, None)] += count

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


def known_language_pair(by_name: dict[str, JudgmentCollector], name: str, where: str) -> JudgmentCollector:
    """Collector of the language pair called `name`.

    Raises:
        InvalidText: there are no texts of that language pair.
    """
    if name not in by_name:
        raise InvalidText(where, f"there is no text of language pair {name!r}{did_you_mean(name, by_name)}")
    return by_name[name]


def check_systems(found: JudgmentCollector, where: str) -> None:
    """Check that each judged system has output.

    Raises:
        InputMismatch: a system has no output.
    """
    names = found.system_names
    for system in found.systems:
        if system not in names:
            raise InputMismatch(
                f"{where}: system {system!r} of {found.name} has no output{did_you_mean(system, names)}"
            )
