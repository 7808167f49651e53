"""Reader of mt-metrics-eval test sets: folders of parallel texts, ratings and metric scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import BadCell, number_of
from meteorlib.inputs.judgment_rows import Asked, JudgmentRow, Segment
from meteorlib.inputs.text_file import TextFile, check_same_length

HUMAN, METRICS, OUTPUTS, REFERENCES = "human-scores", "metric-scores", "system-outputs", "references"
"""Folders of a test set: ``human-scores/LP.NAME.seg.score`` and ``….sys.score``, ``metric-scores/LP/METRIC.seg.score``,
``system-outputs/LP/SYSTEM.txt``, ``references/LP.NAME.txt``."""

MISSING = "None"
"""Placeholder for a missing rating."""

_SEG, _SYS = ".seg.score", ".sys.score"


def is_mt_metrics_eval(folder: Path) -> bool:
    """Whether a folder is a test set of mt-metrics-eval."""
    return (folder / HUMAN).is_dir()


def mt_metrics_eval_rows(folder: Path, asked: Asked) -> Iterator[JudgmentRow]:
    """The texts and the ratings of texts and of systems, by language pair.

    Texts and systems without a rating are left out, with a note, as are outputs that are the reference.

    Args:
        folder: folder of the test set.
        asked: options; the columns `human` and `references` name the ratings and references, if there are several.

    Raises:
        InputMismatch: a file is missing; ratings or references are ambiguous; files have different lengths.
        InvalidText: a rating is not a number, or belongs to an unknown system.
        UnknownName: a language pair, or the named ratings or references, do not exist.
    """
    known = dict.fromkeys(path.name.partition(".")[0] for path in sorted((folder / HUMAN).glob("*.score")))
    if not known:
        raise InputMismatch(f"{folder / HUMAN}: has no ratings; their files are called LP.NAME{_SEG} or LP.NAME{_SYS}")
    for lp in asked.lps:
        if lp not in known:
            raise UnknownName("language pair", lp, known)
    for lp in asked.lps or known:
        yield from _language_pair(folder, lp, asked)


def _language_pair(folder: Path, lp: str, asked: Asked) -> Iterator[JudgmentRow]:
    human = asked.columns.human
    human = _file_names(folder / HUMAN, lp, (_SEG, _SYS), [human] if human else [], "human")[0]
    names = _file_names(folder / REFERENCES, lp, (".txt",), asked.columns.references, "ref")
    references = [TextFile.open(str(folder / REFERENCES / f"{lp}.{name}.txt")) for name in names]
    count, systems = 0, set[str]()
    for path in _outputs(folder, lp):
        if path.stem not in names:
            output = TextFile.open(str(path))
            count = check_same_length([output, *references])
            systems.add(path.stem)
            lines = zip(*(file.lines() for file in (output, *references)), strict=True)
            for number, (text, *others) in enumerate(lines, 1):
                yield JudgmentRow(f"{path}:{number}", lp, (str(number),), path.stem, Pair(tuple(others), text))
    if not systems:
        raise InputMismatch(f"{folder / OUTPUTS / lp}: has no output except the references")
    ratings = folder / HUMAN / f"{lp}.{human}"
    for where, segment, system, value in _scores(ratings, _SEG, count):
        if value is not None and system not in names:
            yield JudgmentRow(where, lp, segment, system, ratings=(asked.sign * value,))
    for where, _, system, value in _scores(ratings, _SYS, 1):
        if value is None or system in names:
            continue
        if system not in systems:
            raise InvalidText(where, f"system {system!r} of {lp} has no output")
        yield JudgmentRow(where, lp, (), system, ratings=(asked.sign * value,))


def _outputs(folder: Path, lp: str) -> list[Path]:
    found = sorted((folder / OUTPUTS / lp).glob("*.txt"))
    if not found:
        raise InputMismatch(f"{folder / OUTPUTS / lp}: has no system output; its files are called SYSTEM.txt")
    return found


def _file_names(folder: Path, lp: str, suffixes: Iterable[str], asked: Sequence[str], role: str) -> list[str]:
    """Names of files of a language pair: the requested ones, or the only one."""
    known = dict.fromkeys(
        path.name.removeprefix(f"{lp}.").removesuffix(suffix)
        for suffix in suffixes
        for path in sorted(folder.glob(f"{lp}.*{suffix}"))
    )
    for name in asked:
        if name not in known:
            raise UnknownName(f"file {lp}.… of {folder}", name, known)
    if not asked and len(known) != 1:
        detail = f"{', '.join(known)}: choose one with --{role}-column NAME" if known else f"there is none of {lp}"
        raise InputMismatch(f"{folder}: {detail}")
    return list(asked or known)


def metric_scores(folder: Path, lp: str, name: str) -> Mapping[tuple[Segment, str], float]:
    """Scores of a metric by segment and system.

    Raises:
        UnknownName: the metric does not exist.
        InputMismatch: a system does not have one line for each segment, or there are no outputs.
        InvalidText: a score is not a number.
    """
    path = folder / METRICS / lp / name
    if not _with_suffix(path, _SEG).exists():
        known = [one.name.removesuffix(_SEG) for one in path.parent.glob(f"*{_SEG}")]
        raise UnknownName(f"metric of {path.parent}", name, known)
    scores = _scores(path, _SEG, TextFile.open(str(_outputs(folder, lp)[0])).count)
    return {(segment, system): value for _, segment, system, value in scores if value is not None}


def system_scores(folder: Path, lp: str, name: str) -> Mapping[str, float]:
    """Scores of a metric by system; empty if the metric has no such file.

    Raises:
        InputMismatch: a system has several scores.
        InvalidText: a score is not a number.
    """
    scores = _scores(folder / METRICS / lp / name, _SYS, 1)
    return {system: value for _, _, system, value in scores if value is not None}


def _with_suffix(path: Path, suffix: str) -> Path:
    """Append a suffix to a path; `Path.with_suffix` would replace what follows a dot in the name."""
    return path.with_name(path.name + suffix)


def _scores(start: Path, suffix: str, each: int) -> list[tuple[str, Segment, str, float | None]]:
    """Location, segment, system and number of each line; lines of a system are numbered as its segments.

    Args:
        start: path without its suffix; a file that does not exist has no lines.
        suffix: suffix of the file.
        each: number of lines that each system must have.

    Raises:
        InputMismatch: a system has more or fewer lines.
        InvalidText: a line is not a system and a number.
    """
    path = _with_suffix(start, suffix)
    found: list[tuple[str, Segment, str, float | None]] = []
    counts: Counter[str] = Counter()
    for number, line in enumerate(TextFile.open(str(path)).lines() if path.exists() else (), 1):
        where = f"{path}:{number}"
        fields = line.split()
        if len(fields) != 2:
            raise InvalidText(where, f"expected a system and a number, got {len(fields)} fields")
        system, value = fields
        counts[system] += 1
        try:
            found.append((where, (str(counts[system]),), system, None if value == MISSING else number_of(value)))
        except BadCell as error:
            raise InvalidText(where, str(error)) from None
    for system, count in counts.items():
        if count != each:
            lines = "1 line" if count == 1 else f"{count} lines"
            needed = (
                "1 is needed, one for each system" if suffix == _SYS else f"{each} are needed, one for each segment"
            )
            raise InputMismatch(f"{path}: system {system!r} has {lines} where {needed}")
    return found
