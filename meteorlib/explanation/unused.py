"""Possible matches that an alignment does not have, with the reason why each is not used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from attrs import asdict, evolve, frozen

from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.segment import Pair
from meteorlib.display.displayable import Tabular
from meteorlib.display.text import pair_text
from meteorlib.engine.build import build_engine, propose_candidates
from meteorlib.engine.engine import Engine, Identity

_OPTIMAL = "meteor-1.5-en-optimal"
"""A preset with the search that does not drop matches as METEOR 1.5's beam does."""


@frozen
class Unused(Tabular):
    """A candidate that was not chosen, although it has an unmatched word.

    Attributes:
        reference_words: its words in the reference.
        hypothesis_words: its words in the hypothesis.
        stage: name of the stage that proposes it.
        reason: why it was not chosen, as a clause.
    """

    _columns = "reference_words hypothesis_words stage reason"

    reference_words: tuple[str, ...]
    hypothesis_words: tuple[str, ...]
    stage: str
    reason: str

    def __str__(self) -> str:
        return f"{pair_text(self.reference_words, self.hypothesis_words)} ({self.stage}): {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


Place = tuple[str, int]
"""A word of a match: its side and position."""


def unused_matches(
    engine: Engine[Any], pair: Pair, alignment: Alignment, most_pairs: int | None
) -> tuple[Unused, ...] | None:
    """For each unmatched word the first candidate that has it, candidates of free words first.

    None if there are more than `most_pairs` pairs of words, because matchers may propose each pair.
    """
    if most_pairs is not None and len(alignment.reference) * len(alignment.hypothesis) > most_pairs:
        return None
    owner = {word: match for match in alignment.matches for word in _words(match)}
    free: list[Match] = []
    taken: list[Match] = []
    for candidate in propose_candidates(engine, pair):
        matched = [word in owner for word in _words(candidate)]
        if not all(matched):
            (taken if any(matched) else free).append(candidate)
    used: frozenset[Match] | None = None
    if free and engine.identity.config.search.name == "beam":
        used = frozenset(match._replace(stage=0) for match in _matches(_optimal_engine(engine.identity), pair))
        free.sort(key=lambda candidate: candidate._replace(stage=0) not in used)
    explained = {*owner}
    found = []
    for candidate in (*free, *taken):
        words = _words(candidate)
        if explained.issuperset(words):
            continue
        explained.update(words)
        matches = [owner[word] for word in words if word in owner]
        if matches:
            reason = _chosen(alignment, candidate, matches[0])
        else:
            reason = _dropped(engine, None if used is None else candidate._replace(stage=0) in used)
        found.append(Unused(*alignment.words_of(candidate), alignment.stages[candidate.stage], reason))
    return tuple(found)


def _chosen(alignment: Alignment, candidate: Match, match: Match) -> str:
    """Why a candidate is not used of which a word has a match."""
    spans = alignment.words_of(match)
    if spans == alignment.words_of(candidate):
        return f"another {pair_text(*spans)} was chosen"
    return f"{pair_text(*spans)} ({alignment.stages[match.stage]}) was chosen"


def _dropped(engine: Engine[Any], in_optimal: bool | None) -> str:
    """Why a candidate is not used although all its words are free; `in_optimal` is None unless the beam searched."""
    config = engine.identity.config
    if in_optimal is None:
        return f"the search {config.search.name} left it out"
    preset = f"{config.name}-optimal"
    other = f"the preset {preset}" if preset in preset_names() else "the search optimal"
    return f"METEOR 1.5's beam dropped it; {other} {'has it' if in_optimal else 'does not use it, either'}"


@lru_cache(maxsize=1)
def _optimal_engine(identity: Identity) -> Engine[Any]:
    return build_engine(evolve(identity.config, search=load_preset(_OPTIMAL).search), identity.given)


def _matches(engine: Engine[Any], pair: Pair) -> Sequence[Match]:
    alignment = engine.score(pair).alignment
    return alignment.matches if alignment else ()


def _words(match: Match) -> list[Place]:
    place, length, start, words, _ = match
    return [
        *[("reference", position) for position in range(place, place + length)],
        *[("hypothesis", position) for position in range(start, start + words)],
    ]
