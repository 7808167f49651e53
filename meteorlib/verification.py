"""Verification of an installation: language data, and presets against recorded results.

The results are those of the conformance kit. Nothing but attrs is needed for presets that need nothing else themselves.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from attrs import asdict, frozen

from meteorlib._version import __version__
from meteorlib.conformance.run import Case, Expected, read_cases, read_expected, recorded_presets, same_number
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import Pair
from meteorlib.display.displayable import Grid, Tabular, grid_of
from meteorlib.engine.implementation import implementation_in_use, load_kernel
from meteorlib.errors import ConfigError, ExtraMissing, MeteorError, ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.store.data_file import open_packaged
from meteorlib.scorer import Scorer

__all__ = ["Check", "Verification", "verify"]

State = Literal["equal", "different", "other parts", "cannot run", "failed"]

FAILURES = frozenset({"different", "failed"})
"""States that mean a defect of this installation."""


@frozen
class Check(Tabular):
    """Outcome for one preset.

    Attributes:
        preset: its name.
        state: ``equal``; ``different``; ``other parts``: different, and its signature names other data or packages than
            the recorded one; ``cannot run``: something is not installed; ``failed``: an error.
        engines: the engines that were compared, ``compiled`` or ``python``.
        cases: number of cases.
        details: what differs, or why the preset did not run.
        program: program that the results were recorded from; meteorlib's own show changes, not that they are right.
    """

    _columns = "preset state engines cases details program"

    preset: str
    state: State
    engines: tuple[str, ...] = ()
    cases: int = 0
    details: tuple[str, ...] = ()
    program: str = ""


@frozen
class Verification(Tabular):
    """State of an installation.

    Attributes:
        environment: versions and platform.
        damaged: language data that is damaged, with the error message.
        checks: the outcome for each preset with recorded results.
    """

    _facts = "passed damaged"
    _settings = "environment"

    environment: Mapping[str, str]
    damaged: Mapping[str, str]
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether something was compared, nothing is damaged, and no preset gives other results than it should."""
        states = {check.state for check in self.checks}
        return not self.damaged and not states & FAILURES and bool(states - {"cannot run"})

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {"passed": self.passed, **asdict(self)}

    def _grids(self) -> list[Grid]:
        return [grid_of(self.checks)] if self.checks else []


def verify(presets: Iterable[str] | None = None) -> Verification:
    """Compare this installation with the recorded results.

    Args:
        presets: names of presets with recorded results; None for all.

    Raises:
        UnknownName: nothing is recorded of a preset.
    """
    recorded = recorded_presets()
    names = recorded if presets is None else list(presets)
    for name in names:
        if name not in recorded:
            listed = "those in `meteorlib verify --report`"
            raise UnknownName("preset with recorded results", name, recorded, listed)
    cases = read_cases()
    return Verification(environment(), damaged_data(), tuple(check_preset(name, cases) for name in names))


def environment() -> dict[str, str]:
    """Version, engine, Python and platform."""
    return {
        "meteorlib": __version__,
        "engine": implementation_in_use(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "machine": platform.machine(),
        "byte order": sys.byteorder,
    }


def damaged_data() -> dict[str, str]:
    """Packaged language data whose files are missing or changed, with the error message."""
    damaged = {}
    for name, resource in CATALOG.items():
        if resource.packaged:
            try:
                open_packaged(name)
            except ResourceDamaged as error:
                damaged[name] = str(error)
    return damaged


def check_preset(name: str, cases: Sequence[Case]) -> Check:
    """Score the cases of a preset with each engine and compare all that is recorded of them."""
    expected = read_expected(name)
    check = partial(Check, name, program=expected.head["program"])
    asked = [case for case in cases if case.id in expected.rows]
    engines: list[str] = []
    details: list[str] = []
    try:
        scorer = Scorer(name, implementation="python")
        for engine, its_scorer in (("python", scorer), ("compiled", _compiled(name))):
            if its_scorer is not None:
                engines.append(engine)
                details += (f"{engine} engine, {detail}" for detail in _differences(its_scorer, asked, expected))
    except ModuleNotFoundError as error:
        return check("cannot run", details=(f"the package {error.name} is not installed",))
    except (ExtraMissing, ResourceMissing) as error:
        return check("cannot run", details=(str(error),))
    except MeteorError as error:
        return check("failed", details=(f"{type(error).__name__}: {error}",))
    state: State = "different" if details else "equal"
    if details and (fields := _other_fields(scorer, expected)):
        state, details = "other parts", [*fields, *details]
    return check(state, tuple(engines), len(asked), tuple(details))


def _compiled(name: str) -> Scorer | None:
    if load_kernel() is None:
        return None
    try:
        return Scorer(name, implementation="compiled")
    except ConfigError:  # the preset has no compiled form
        return None


def _differences(scorer: Scorer, cases: Sequence[Case], expected: Expected) -> Iterator[str]:
    for case in cases:
        scored = scorer.score(case.references, case.hypothesis)
        row = expected.rows[case.id]
        for fact in [name for name in FACTS if name in row]:
            found = FACTS[fact](scored)
            if not (same_number(found, row[fact]) if isinstance(found, float) else found == row[fact]):
                yield f"{case.id}: {fact} is {found}, should be {row[fact]}"
    for count, score in expected.head.get("corpus", {}).items():
        found = corpus_score(scorer, cases, int(count))
        if not same_number(found, score):
            yield f"corpus of cases with {count} references: score is {found}, should be {score}"


def corpus_score(scorer: Scorer, cases: Iterable[Case], references: int) -> float | None:
    """Corpus score of the cases that have `references` references."""
    chosen = [Pair(case.references, case.hypothesis) for case in cases if len(case.references) == references]
    totals = scorer.totals(chosen)
    return number(scorer.breakdown(totals.statistics).score)


FACTS: Mapping[str, Callable[[ScoreBreakdown], Any]] = {
    "score": lambda scored: number(scored.score),
    "precision": lambda scored: number(scored.precision),
    "recall": lambda scored: number(scored.recall),
    "penalty": lambda scored: number(scored.penalty),
    "chunks": lambda scored: scored.statistics.chunks,
    "statistics": lambda scored: scored.statistics.line().replace(".0", ""),
    "matches": lambda scored: packed_matches(scored.alignment.matches if scored.alignment else ()),
}
"""Everything that can be recorded of a case, by its name."""


def number(value: float) -> float | None:
    """A number as JSON can have it: None for NaN."""
    return None if value != value else value  # noqa: PLR0124 – NaN is not


def signature_fields(scorer: Scorer) -> dict[str, str]:
    """Fields of a scorer's signature that can move a number, without the release."""
    fields = scorer.signature.to_dict()
    return {key: value for key, value in fields.items() if value and key not in {"preset", "version", "eval_id"}}


def _other_fields(scorer: Scorer, expected: Expected) -> list[str]:
    recorded, here = expected.head["signature"], signature_fields(scorer)
    return [
        f"signature: {key} was {recorded.get(key)}, is {here.get(key)}"
        for key in {**recorded, **here}
        if recorded.get(key) != here.get(key)
    ]


def packed_matches(matches: Iterable[Match | Sequence[int]]) -> str:
    """Matches in short: ``0-1`` pairs words 0 and 1, ``2:2-3`` has two words of the reference, ``/1`` is a stage."""

    def span(start: int, length: int) -> str:
        return f"{start}:{length}" if length > 1 else str(start)

    return " ".join(
        f"{span(*match[:2])}-{span(*match[2:4])}" + (f"/{match[4]}" if match[4] else "") for match in matches
    )
