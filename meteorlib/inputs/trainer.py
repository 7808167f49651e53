"""Folders of METEOR's trainer: rankings or ratings of the texts of SGML files, as rows of judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import number_of, parse_cell
from meteorlib.inputs.judgment_tables import JudgmentRow
from meteorlib.inputs.sgml import read_sgml, segments_of
from meteorlib.inputs.text_file import TextFile

RANKINGS, RATINGS = ".rank", ".ter"
"""Suffixes: ``*.rank`` belongs to ``LP.SYSTEM.sgm`` and ``LP.ref.sgm``, ``X.ter`` to ``X.tst`` and ``X.ref``."""

_SGML, _REFERENCE = ".sgm", "ref"

Key = tuple[str, str]
"""Ids of a document and a segment."""


def trainer_rows(folder: Path, sign: int, notes: list[str]) -> Iterator[JudgmentRow]:
    """Texts and judgments of the task ``rank`` by language pair, or of ``segcor`` and ``spearman`` by file."""
    rankings, ratings = ([*sorted(folder.glob(f"*{suffix}"))] for suffix in (RANKINGS, RATINGS))
    if rankings and ratings:
        both = f"rankings ({rankings[0].name}) and ratings ({ratings[0].name})"
        raise InputMismatch(f"{folder}: has {both}; put them into separate folders")
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
    where = ""
    for where, (document, segment, value) in fields_of(path, 3, "document, segment and number"):
        if (document, segment) not in texts:
            raise InvalidText(where, f"segment {segment!r} of document {document!r} is unknown: {output} has no such")
        rating = sign * parse_cell(number_of, value, where)
        yield JudgmentRow(where, path.stem, (document, segment), ratings=(rating,))
    if not where:
        raise InputMismatch(f"{path}: has no rating")


def _ranked(folder: Path, rankings: list[Path], notes: list[str]) -> Iterator[JudgmentRow]:
    """Texts and rankings of language pairs; as in the trainer, rankings of systems without a file are skipped."""
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
    texts = {lp: _outputs(folder, lp, systems[lp]) for lp in named}
    ambiguous = {lp: {row.segment[1] for row in rows if len(row.segment) > 1} for lp, rows in texts.items()}
    pairs: dict[str, list[JudgmentRow]] = {lp: [] for lp in named}
    skipped: Counter[str] = Counter()
    for path in rankings:
        five = "segment, language pair, system, language pair and system between tabs"
        for where, (segment, lp, better, other, worse) in fields_of(path, 5, five, separator="\t"):
            if lp != other:
                raise InvalidText(where, f"texts of two language pairs cannot be compared: {lp!r} and {other!r}")
            if lp not in pairs or better not in systems[lp] or worse not in systems[lp]:
                skipped[lp] += 1
                continue
            if segment in ambiguous[lp]:
                several = f"segment {segment!r} of {lp} is in several documents"
                raise InvalidText(where, f"{several}, so it is not clear which one was ranked")
            pairs[lp].append(JudgmentRow(where, lp, (segment,), better=better, worse=worse))
    if not any(pairs.values()):
        detail = f" of a system that is there ({', '.join(sorted(skipped))})" if skipped else ""
        raise InputMismatch(f"{folder}: has no ranking{detail}")
    for lp, count in skipped.items():
        detail = "a ranking is" if count == 1 else f"{count} rankings are"
        notes.append(f"{lp}: {detail} of systems without a file and left out")
    for lp in named:
        yield from (*texts[lp], *pairs[lp]) if pairs[lp] else ()


def _outputs(folder: Path, lp: str, files: Mapping[str, Path]) -> list[JudgmentRow]:
    """The texts of all systems; only segments that are in several documents have the document in their id."""
    if _REFERENCE not in files:
        raise InputMismatch(f"{folder}: there is no {lp}.{_REFERENCE}{_SGML} beside {next(iter(files.values())).name}")
    references = _references(files[_REFERENCE])
    counts = Counter(segment for _, segment in references)
    rows = []
    for system, path in files.items():
        for key, text in _texts(path).items() if system != _REFERENCE else ():
            segment = key if counts[key[1]] > 1 else key[1:]
            rows.append(JudgmentRow(str(path), lp, segment, system, Pair(_reference(references, key, path), text)))
    return rows


def _reference(references: Mapping[Key, tuple[str, ...]], key: Key, path: Path) -> tuple[str, ...]:
    if key not in references:
        raise InputMismatch(f"{path}: segment {key[1]!r} of document {key[0]!r} has no reference")
    return references[key]


def _texts(path: Path) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for _, key, text in _segments(path):
        if key in found:
            raise InputMismatch(f"{path}: segment {key[1]!r} of document {key[0]!r} occurs twice")
        found[key] = text
    return found


def _references(path: Path) -> dict[Key, tuple[str, ...]]:
    found: dict[Key, tuple[str, ...]] = {}
    sets: dict[Key, str] = {}
    for set_id, key, text in _segments(path):
        if sets.setdefault(key, set_id) != set_id:
            several = f"is in several sets ({sets[key]}, {set_id}); keep one of them"
            raise InputMismatch(f"{path}: segment {key[1]!r} of document {key[0]!r} {several}")
        found[key] = (*found.get(key, ()), text)
    return found


def _segments(path: Path) -> Iterator[tuple[str, Key, str]]:
    """Set, document and segment, and text of each segment."""
    if not path.is_file():
        raise InputMismatch(f"{path.parent}: there is no {path.name}")
    return ((key[0], key[1:], text) for _, key, text in segments_of(read_sgml(str(path))))


def fields_of(
    path: Path, count: int, expected: str, *, separator: str | None = None, blank: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Location and fields of each line; one without `count` fields is an error; blank ones count only with `blank`."""
    for number, line in enumerate(TextFile.open(str(path)).lines(), 1):
        if blank or line.strip():
            fields = [field.strip() for field in line.split(separator)]
            if len(fields) != count:
                raise InvalidText(f"{path}:{number}", f"expected {expected}, got {len(fields)} fields")
            yield f"{path}:{number}", fields
