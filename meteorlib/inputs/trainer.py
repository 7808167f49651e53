"""Reader of the METEOR trainer's folders: SGML texts with rankings or ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, number_of
from meteorlib.inputs.judgment_rows import JudgmentRow
from meteorlib.inputs.sgml import read_sgml, segments_of
from meteorlib.inputs.text_file import TextFile

RANKINGS, RATINGS = ".rank", ".ter"
"""Suffixes: ``*.rank`` belongs to ``LP.SYSTEM.sgm`` and ``LP.ref.sgm``, ``X.ter`` to ``X.tst`` and ``X.ref``."""

_SGML, _REFERENCE = ".sgm", "ref"

Key = tuple[str, str]
"""Ids of a document and a segment."""


def is_trainer(folder: Path) -> bool:
    """Whether a folder contains data of METEOR's trainer."""
    return any(path.suffix in (RANKINGS, RATINGS) for path in folder.iterdir())


def trainer_rows(folder: Path, sign: int, notes: list[str]) -> Iterator[JudgmentRow]:
    """Texts and judgments of the task ``rank`` by language pair, or of ``segcor`` and ``spearman`` by file.

    As in the trainer, rankings of systems without a file are skipped; a note says how many.

    Args:
        folder: folder of the data.
        sign: factor of the ratings.
        notes: list to which notes are added.

    Raises:
        InputMismatch: a file is missing, or the folder has both rankings and ratings.
        InvalidText: a file is malformed, a segment is unknown, or a system has no output.
    """
    rankings, ratings = ([*sorted(folder.glob(f"*{suffix}"))] for suffix in (RANKINGS, RATINGS))
    if rankings and ratings:
        raise InputMismatch(
            f"{folder}: has rankings ({rankings[0].name}) and ratings ({ratings[0].name}); "
            "put them into separate folders"
        )
    for path in ratings:
        yield from _rated(path, sign)
    if rankings:
        yield from _ranked(folder, rankings, notes)


def _rated(path: Path, sign: int) -> Iterator[JudgmentRow]:
    references = _references(path.with_suffix(".ref"))
    output = path.with_suffix(".tst")
    texts = _texts(output)
    for key, text in texts.items():
        yield JudgmentRow(str(output), path.stem, key, "", Pair(_reference(references, key, output), text))
    rated = False
    for where, fields in _lines(path):
        if len(fields) != 3:
            raise InvalidText(where, f"expected document, segment and number, got {len(fields)} fields")
        document, segment, value = fields
        if (document, segment) not in texts:
            raise InvalidText(where, f"segment {segment!r} of document {document!r} is unknown: {output} has no such")
        try:
            yield JudgmentRow(where, path.stem, (document, segment), ratings=(sign * number_of(value),))
        except BadCell as error:
            raise InvalidText(where, str(error)) from None
        rated = True
    if not rated:
        raise InputMismatch(f"{path}: has no rating")


def _ranked(folder: Path, rankings: list[Path], notes: list[str]) -> Iterator[JudgmentRow]:
    """Texts and rankings of the language pairs that have rankings."""
    systems: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.glob(f"*{_SGML}")):
        lp, _, system = path.name.removesuffix(_SGML).partition(".")
        if system:
            systems.setdefault(lp, {})[system] = path
    named = sorted(name for name, files in systems.items() if [*files] != [_REFERENCE])
    if not named:
        raise InputMismatch(
            f"{folder}: has rankings ({rankings[0].name}), but no texts; their files are called LP.SYSTEM{_SGML} and "
            f"LP.{_REFERENCE}{_SGML}"
        )
    ambiguous: dict[str, set[str]] = {}
    texts = {lp: _outputs(folder, lp, systems[lp], ambiguous) for lp in named}
    pairs: dict[str, list[JudgmentRow]] = {lp: [] for lp in named}
    skipped: Counter[str] = Counter()
    for path in rankings:
        for where, fields in _lines(path, "\t"):
            if len(fields) != 5:
                raise InvalidText(
                    where,
                    "expected segment, language pair, system, language pair and system between tabs, "
                    f"got {len(fields)} fields",
                )
            segment, lp, better, other, worse = fields
            if lp != other:
                raise InvalidText(where, f"texts of two language pairs cannot be compared: {lp!r} and {other!r}")
            if lp not in pairs or better not in systems[lp] or worse not in systems[lp]:
                skipped[lp] += 1
                continue
            if segment in ambiguous[lp]:
                raise InvalidText(
                    where,
                    f"segment {segment!r} of {lp} is in several documents, so it is not clear which one was ranked",
                )
            pairs[lp].append(JudgmentRow(where, lp, (segment,), better=better, worse=worse))
    if not any(pairs.values()):
        detail = f" of a system that is there ({', '.join(sorted(skipped))})" if skipped else ""
        raise InputMismatch(f"{folder}: has no ranking{detail}")
    for lp, count in skipped.items():
        detail = "a ranking is" if count == 1 else f"{count} rankings are"
        notes.append(f"{lp}: {detail} of systems without a file and left out")
    for lp in named:
        yield from (*texts[lp], *pairs[lp]) if pairs[lp] else ()


def _outputs(folder: Path, lp: str, files: Mapping[str, Path], ambiguous: dict[str, set[str]]) -> list[JudgmentRow]:
    if _REFERENCE not in files:
        raise InputMismatch(f"{folder}: there is no {lp}.{_REFERENCE}{_SGML} beside {next(iter(files.values())).name}")
    references = _references(files[_REFERENCE])
    counts = Counter(segment for _, segment in references)
    ambiguous[lp] = {segment for segment, count in counts.items() if count > 1}
    return [
        JudgmentRow(
            str(path),
            lp,
            key if key[1] in ambiguous[lp] else key[1:],
            system,
            Pair(_reference(references, key, path), text),
        )
        for system, path in files.items()
        if system != _REFERENCE
        for key, text in _texts(path).items()
    ]


def _reference(references: Mapping[Key, tuple[str, ...]], key: Key, path: Path) -> tuple[str, ...]:
    if key not in references:
        raise InputMismatch(f"{path}: segment {key[1]!r} of document {key[0]!r} has no reference")
    return references[key]


def _texts(path: Path) -> dict[Key, str]:
    """Texts of the only system of a file."""
    found: dict[Key, str] = {}
    for _, (_, document, segment), text in _segments(path):
        if (document, segment) in found:
            raise InputMismatch(f"{path}: segment {segment!r} of document {document!r} occurs twice")
        found[document, segment] = text
    return found


def _references(path: Path) -> dict[Key, tuple[str, ...]]:
    found: dict[Key, tuple[str, ...]] = {}
    sets: dict[Key, str] = {}
    for _, (set_id, document, segment), text in _segments(path):
        if sets.setdefault((document, segment), set_id) != set_id:
            raise InputMismatch(
                f"{path}: segment {segment!r} of document {document!r} is in several sets "
                f"({sets[document, segment]}, {set_id}); keep one of them"
            )
        found[document, segment] = (*found.get((document, segment), ()), text)
    return found


def _segments(path: Path) -> Iterator[tuple[str, tuple[str, str, str], str]]:
    if not path.is_file():
        raise InputMismatch(f"{path.parent}: there is no {path.name}")
    return segments_of(read_sgml(str(path)))


def _lines(path: Path, separator: str | None = None) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(TextFile.open(str(path)).lines(), 1):
        if line.strip():
            yield f"{path}:{number}", [field.strip() for field in line.split(separator)]
