"""Scoring several systems, or several runs of them, and comparing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

import click
from attrs import frozen

from meteorlib.cli.familiar import check_level
from meteorlib.cli.inputs import Inputs
from meteorlib.cli.progress import Bar, progress, progress_of
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.corpus.groups import Groups
from meteorlib.corpus.parallel import score_stream
from meteorlib.corpus.source import STANDARD_INPUT
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.formats.choice import Choice
from meteorlib.reports.groups import Group, groups_of, mean_groups
from meteorlib.reports.summary import full_signature
from meteorlib.scorer import Scorer

if TYPE_CHECKING:
    from meteorlib.significance import Output, SystemComparison

FORMATS = ("text", "json", "tsv", "markdown", "latex")

Runs = Mapping[str, Sequence[str]]
"""Name of a system → the files of its runs."""


def compared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that compares systems: `baseline`, `paired`, `n`, `seed` and `confidence`."""
    for add in (
        click.option(
            "--confidence",
            metavar="LEVEL",
            type=float,
            callback=check_level,
            help="Of the intervals.  [default: .95]",
        ),
        click.option(
            "--seed", metavar="N", type=click.IntRange(min=0), help="Of the random numbers.  [default: 12345]"
        ),
        click.option(
            "-n",
            "--n",
            metavar="N",
            type=click.IntRange(min=2),
            help="How many samples.  [default: 10000]",
        ),
        click.option(
            "--paired",
            metavar="TEST",
            type=click.Choice(["bootstrap", "randomization", "none"]),
            help="bootstrap, randomization, none.  [default: randomization]",
        ),
        click.option("--baseline", metavar="NAME", help="Others are compared with it.  [default: the first]"),
    ):
        command = add(command)
    return command


@frozen
class Wanted:
    """What is wanted of a comparison; None for what was not said.

    Attributes:
        baseline: the system that the others are compared with, by its name or its file.
        paired: the test; ``none`` for none.
        n: how many samples.
        seed: of the random numbers.
        confidence: level of the intervals.
        mean: whether means of the segments' scores are compared.
    """

    baseline: str | None
    paired: Literal["bootstrap", "randomization", "none"] | None
    n: int | None
    seed: int | None
    confidence: float | None
    mean: bool

    @property
    def anything(self) -> bool:
        """Whether anything was said."""
        said = (self.baseline, self.paired, self.n, self.seed, self.confidence)
        return self.mean or any(one is not None for one in said)

    def settings(self) -> dict[str, Any]:
        """What was said, as `compare_systems` takes it."""
        said = {"samples": self.n, "seed": self.seed, "confidence": self.confidence, "test": self.paired}
        settings: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        if self.paired == "none":
            settings["test"] = None
        return settings | ({"compared": "mean"} if self.mean else {})


def named_systems(files: Sequence[str], runs: Sequence[str]) -> Runs:
    """The systems, by name and in order: those of one file, then those that ``--runs`` gives.

    Raises:
        click.UsageError: something that is not NAME=FILE,FILE, or a name that comes twice.
    """
    systems = {name: [file] for name, file in zip(system_names(files), files, strict=True)}
    for given in runs:
        name, equals, listed = given.partition("=")
        found = [listed] if Path(listed).exists() else listed.split(",")
        if not (name and equals and all(found)):
            raise click.UsageError(f"--runs {given}: expected NAME=FILE,FILE,…")
        if name in systems:
            raise click.UsageError(f"--runs {given}: there is a system {name!r} already; give it another name")
        systems[name] = found
    return systems


def system_names(files: Sequence[str]) -> list[str]:
    """A name for each file: its own, with as many of its folders as set it apart; one that comes twice is counted."""
    paths = [PurePath(file) for file in files]
    told = {path: path.name for path in paths}
    for depth in range(2, max((len(path.parts) for path in told), default=0) + 1):
        same = Counter(told.values())
        told = {
            path: PurePath(*path.parts[-depth:]).as_posix() if same[name] > 1 else name for path, name in told.items()
        }
    names = [told[path] for path in paths]
    taken: Counter[str] = Counter()
    for place, name in enumerate(names):
        taken[name] += 1
        if taken[name] > 1:
            names[place] = f"{name} ({taken[name]})"
    return names


def opened_systems(
    files: Sequence[str],
    runs: Sequence[str],
    references: Sequence[str],
    choice: Choice,
    others: Sequence[str] = (),
) -> dict[str, list[Inputs]]:
    """The systems by name, and the runs of each; a file with several columns of hypotheses is several systems.

    Args:
        files: of systems of one run.
        runs: of systems of several, as ``--runs`` has them.
        references: the files of references.
        choice: which columns are meant.
        others: files that the command reads besides.

    Raises:
        click.UsageError: see `named_systems`.
        InputMismatch: a file is not there, or has another number of segments than the references.
    """
    named = named_systems(files, runs)
    listed = [file for each in named.values() for file in each]
    again = [*references, *(name.partition("=")[2] for name in choice.labels)]
    if [*listed, *again, *others].count(STANDARD_INPUT) > 1 or (len(listed) > 1 and STANDARD_INPUT in again):
        raise InputMismatch("standard input (-) can be read only once: give the other files by name")
    systems: dict[str, list[Inputs]] = {}
    for name, each in named.items():
        if len(each) > 1:
            systems[name] = [Inputs.open(references, file, choice) for file in each]
            continue
        found = Inputs.systems(references, each[0], choice)
        for one in found:
            column = one.name if len(found) > 1 else name
            systems[column if column not in systems else f"{name}: {column}"] = [one]
    return systems


def notes_of(systems: Mapping[str, Sequence[Inputs]]) -> list[str]:
    """What is odd about the files of systems, each told once."""
    return list(dict.fromkeys(note for listed in systems.values() for one in listed for note in one.notes()))


def score_systems(
    scorer: Scorer, systems: Mapping[str, Sequence[Inputs]], wanted: Wanted, *, jobs: int
) -> tuple[SystemComparison, dict[str, list[Output]], dict[str, Sequence[Group]]]:
    """Score every run of every system, and compare them.

    Returns:
        The comparison, the scored runs of each system, and its groups, if there are any.

    Raises:
        UnknownName: there is no such baseline.
        InputMismatch: the systems have not the same groups.
    """
    baseline = baseline_of(wanted.baseline, systems)
    from meteorlib.significance import compare_systems  # noqa: PLC0415 – loads numpy, which one system does not need

    with progress("scoring", sum(one.count for listed in systems.values() for one in listed)) as bar:
        scored = {name: [_scored(scorer, one, jobs, bar) for one in listed] for name, listed in systems.items()}
    outputs = {name: [output for output, _ in listed] for name, listed in scored.items()}
    groups = {name: [each for _, each in listed] for name, listed in scored.items()}
    _check_same(groups)
    with progress_of("resampling") as bar_of:
        comparison = compare_systems(outputs, baseline=baseline, progress=bar_of, **wanted.settings())
    means = {name: mean_groups(listed) for name, listed in groups.items() if listed[0]}
    return comparison, outputs, means


def _check_same(groups: Mapping[str, Sequence[Sequence[Group]]]) -> None:
    """Refuse outputs whose files tell different groups."""
    first: tuple[str, list[tuple[str, str, int]]] | None = None
    for name, listed in groups.items():
        for each in listed:
            found = [(group.by, group.label, group.segment_count) for group in each]
            first = first or (name, found)
            if found != first[1]:
                raise InputMismatch(f"--by: {name} has other groups than {first[0]}; give all systems the same")


def baseline_of(given: str | None, systems: Mapping[str, Sequence[Inputs]]) -> str | None:
    """The name of the system that ``--baseline`` names, by its name or its file.

    Raises:
        UnknownName: there is no such system.
    """
    if given is None or given in systems:
        return given
    for name, listed in systems.items():
        if given in (one.name for one in listed):
            return name
    raise UnknownName("system", given, systems)


def _scored(scorer: Scorer, inputs: Inputs, jobs: int, bar: Bar) -> tuple[Output, Sequence[Group]]:
    from meteorlib.arrays import SegmentArrays  # noqa: PLC0415 – loads numpy
    from meteorlib.significance import Output  # noqa: PLC0415 – likewise

    corpus, groups = scorer.corpus(keep_segments=False), Groups(inputs.labels)
    parts = []
    for batch in score_stream(scorer, inputs.pieces(), jobs, _numbers):
        corpus.add_totals(batch.totals)
        groups.add(batch.groups)
        parts.append(SegmentArrays.made(batch.rendered))
        bar(batch.totals.segment_count)
    return Output(corpus, SegmentArrays.joined(parts)), groups_of(groups, scorer)


def _numbers(number: int, scored: ScoreBreakdown) -> tuple[tuple[int, ...], float]:  # noqa: ARG001 – all segments alike
    return scored.statistics.counts(), scored.score


def systems_text(
    comparison: SystemComparison,
    outputs: Mapping[str, Sequence[Output]],
    groups: Mapping[str, Sequence[Group]],
    form: str,
    *,
    references: int | None,
    width: int,
    segments: bool,
    score_only: bool,
) -> str:
    """A comparison in one of `FORMATS`; with `score_only` the scores alone, a line each."""
    from meteorlib.reports.systems.table import Systems, digits  # noqa: PLC0415 – comes with numpy
    from meteorlib.significance.outputs import segment_scores  # noqa: PLC0415 – likewise

    if score_only:
        return "".join(f"{digits(system.score, width)}\n" for system in comparison.systems)
    scores = {name: segment_scores(listed).tolist() for name, listed in outputs.items()} if segments else None
    report = getattr(import_module(f"meteorlib.reports.systems.{form}"), form)
    made: str = report(Systems(comparison, full_signature(comparison.signature, references), width, scores, groups))
    return made
