"""Reader of the METEOR trainer's folders: SGML texts with rankings or ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from meteorlib.analysis.meta_evaluation.readers.collection import JudgmentCollector
from meteorlib.core.pair import Pair
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.inputs.cells import BadCell, number_of
from meteorlib.inputs.sgml import Sets, read_sgml
from meteorlib.inputs.text_file import TextFile

RANKINGS, RATINGS = ".rank", ".ter"
"""Suffixes: ``*.rank`` belongs to ``LP.SYSTEM.sgm`` and ``LP.ref.sgm``, ``X.ter`` to ``X.tst`` and ``X.ref``."""

_SGML, _REFERENCE = ".sgm", "ref"

Key = tuple[str, str]
"""Ids of a document and a segment."""


def is_trainer(folder: Path) -> bool:
    """Whether a folder contains data of METEOR's trainer."""
    return any(path.suffix in (RANKINGS, RATINGS) for path in folder.iterdir())


def read_trainer(folder: Path, *, lower_is_better: bool) -> dict[str, JudgmentCollector]:
    """Read judgments of the task ``rank`` by language pair, or of ``segcor`` and ``spearman`` by file.

    As in the trainer, rankings of systems without a file are skipped; a note says how many.

    Args:
        folder: folder of the data.
        lower_is_better: whether ratings count errors.

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
    if ratings:
        return {path.stem: _read_ratings(path, -1 if lower_is_better else 1) for path in ratings}
    return _read_rankings(folder, rankings)


def _read_ratings(path: Path, sign: int) -> JudgmentCollector:
    found = JudgmentCollector(path.stem)
    references = _references(path.with_suffix(".ref"))
    output = path.with_suffix(".tst")
    for (document, segment), text in _texts(output).items():
        known = _reference(references, (document, segment), output)
        found.add_text((document, segment), "", Pair(known, text), str(output))
    for where, fields in _lines(path):
        if len(fields) != 3:
            raise InvalidText(where, f"expected document, segment and number, got {len(fields)} fields")
        document, segment, value = fields
        if (document, segment) not in found.segments:
            raise InvalidText(where, f"segment {segment!r} of document {document!r} is unknown: {output} has no such")
        try:
            found.add_rating((document, segment), "", sign * number_of(value), where)
        except BadCell as error:
            raise InvalidText(where, str(error)) from None
    if not found.ratings:
        raise InputMismatch(f"{path}: has no rating")
    return found


def _read_rankings(folder: Path, rankings: list[Path]) -> dict[str, JudgmentCollector]:
    systems: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.glob(f"*{_SGML}")):
        lp, _, system = path.name.removesuffix(_SGML).partition(".")
        if system:
            systems.setdefault(lp, {})[system] = path
    named = {name for name, files in systems.items() if [*files] != [_REFERENCE]}
    if not named:
        raise InputMismatch(
            f"{folder}: has rankings ({rankings[0].name}), but no texts; their files are called LP.SYSTEM{_SGML} and "
            f"LP.{_REFERENCE}{_SGML}"
        )
    ambiguous: dict[str, set[str]] = {}
    found = {name: _outputs(folder, name, systems[name], ambiguous) for name in sorted(named)}
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
            if better not in systems.get(lp, {}) or worse not in systems[lp]:
                skipped[lp] += 1
                continue
            if segment in ambiguous[lp]:
                raise InvalidText(
                    where,
                    f"segment {segment!r} of {lp} is in several documents, so it is not clear which one was ranked",
                )
            found[lp].add_pair((segment,), better, worse, 1, where)
    _note_skipped(folder, found, skipped)
    return {name: one for name, one in found.items() if one.pairs}


def _note_skipped(folder: Path, found: Mapping[str, JudgmentCollector], skipped: Counter[str]) -> None:
    """Add notes on skipped rankings; raise an error if no ranking is left."""
    if not any(one.pairs for one in found.values()):
        detail = f" of a system that is there ({', '.join(sorted(skipped))})" if skipped else ""
        raise InputMismatch(f"{folder}: has no ranking{detail}")
    notes = next(one for one in found.values() if one.pairs).notes
    for lp, count in skipped.items():
        detail = "a ranking is" if count == 1 else f"{count} rankings are"
        notes.append(f"{lp}: {detail} of systems without a file and left out")


def _outputs(folder: Path, lp: str, files: Mapping[str, Path], ambiguous: dict[str, set[str]]) -> JudgmentCollector:
    if _REFERENCE not in files:
        raise InputMismatch(f"{folder}: there is no {lp}.{_REFERENCE}{_SGML} beside {next(iter(files.values())).name}")
    found = JudgmentCollector(lp)
    references = _references(files[_REFERENCE])
    counts = Counter(segment for _, segment in references)
    ambiguous[lp] = {segment for segment, count in counts.items() if count > 1}
    for system, path in files.items():
        for key, text in _texts(path).items() if system != _REFERENCE else ():
            segment = key if key[1] in ambiguous[lp] else key[1:]
            found.add_text(segment, system, Pair(_reference(references, key, path), text), str(path))
    return found


def _reference(references: Mapping[Key, tuple[str, ...]], key: Key, path: Path) -> tuple[str, ...]:
    if key not in references:
        raise InputMismatch(f"{path}: segment {key[1]!r} of document {key[0]!r} has no reference")
    return references[key]


def _texts(path: Path) -> dict[Key, str]:
    """Texts of the only system of a file."""
    found: dict[Key, str] = {}
    for each in _read(path).values():
        for document, segments in ((name, texts) for system in each.values() for name, texts in system.items()):
            for segment, text in segments.items():
                if (document, segment) in found:
                    raise InputMismatch(f"{path}: segment {segment!r} of document {document!r} occurs twice")
                found[document, segment] = text
    return found


def _references(path: Path) -> dict[Key, tuple[str, ...]]:
    found: dict[Key, tuple[str, ...]] = {}
    sets: dict[Key, str] = {}
    for set_id, each in _read(path).items():
        for document, segments in ((name, texts) for system in each.values() for name, texts in system.items()):
            for segment, text in segments.items():
                if sets.setdefault((document, segment), set_id) != set_id:
                    raise InputMismatch(
                        f"{path}: segment {segment!r} of document {document!r} is in several sets "
                        f"({sets[document, segment]}, {set_id}); keep one of them"
                    )
                found[document, segment] = (*found.get((document, segment), ()), text)
    return found


def _read(path: Path) -> Sets:
    if not path.is_file():
        raise InputMismatch(f"{path.parent}: there is no {path.name}")
    return read_sgml(str(path))


def _lines(path: Path, separator: str | None = None) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(TextFile.open(str(path)).lines(), 1):
        if line.strip():
            yield f"{path}:{number}", [field.strip() for field in line.split(separator)]
