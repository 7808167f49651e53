"""Human judgments as rows, from tables and from folders: WMT rankings, mt-metrics-eval, METEOR's trainer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import count_of, id_of, number_of, parse_cell, rows_of, text_of
from meteorlib.inputs.columns import USUAL_NAMES, Cell, Table, column_of, find_column
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.judgment_tables import NOT_RATED, Asked, JudgmentRow, Segment, table_rows
from meteorlib.inputs.labels import Keep
from meteorlib.inputs.text_file import TextFile, check_same_length
from meteorlib.inputs.trainer import RANKINGS, RATINGS, fields_of, trainer_rows

PARTS = ("segments", "hyps", "pairs")

_KINDS: Mapping[str, Callable[[Cell], Cell]] = {"reference": text_of, "hypothesis": text_of, "count": count_of}
"""Parsers of the columns that are not ids, by role."""


def judgment_rows(name: str, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    """The rows of human judgments in tables or in a folder, texts before what refers to them; `notes` gets notes."""
    rows = _all_rows(name, asked, notes)
    return _kept_rows(rows) if asked.keep else rows


def _kept_rows(rows: Iterable[JudgmentRow]) -> Iterator[JudgmentRow]:
    """The rows of a part: without texts that are not kept, and what refers to them."""
    outside: set[tuple[str, Segment, str]] = set()
    systems: set[tuple[str, str]] = set()
    halved: set[tuple[str, str]] = set()
    rated: set[str] = set()
    for row in rows:
        if row.texts is not None:
            (systems if row.kept else halved).add((row.lp, row.system))
            if row.kept:
                yield row
            else:
                outside.add((row.lp, row.segment, row.system))
        elif row.segment:
            if not outside & {(row.lp, row.segment, system) for system in (row.system, row.better, row.worse)}:
                rated.update([row.lp] if row.ratings else ())
                yield row
        elif (row.lp, row.system) in systems - halved:
            yield row
        elif (row.lp, row.system) in systems and row.lp not in rated:
            raise InputMismatch(
                f"{row.where}: a rating of the whole system {row.system!r}, of whose texts a part is kept; leave the "
                "ratings of systems out, or keep whole systems"
            )


def _all_rows(name: str, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    folder = Path(name)
    if folder.is_dir():
        if asked.apart:
            raise InputMismatch(f"{name}: is a folder with its own judgments; give a table of texts")
        if is_mt_metrics_eval(folder):
            yield from _mt_metrics_eval_rows(folder, asked)
        elif any(path.suffix in (RANKINGS, RATINGS) for path in folder.iterdir()):
            if asked.keep:
                raise InputMismatch(f"{name}: is a folder of METEOR's trainer, which has no column {asked.keep[0]!r}")
            yield from trainer_rows(folder, asked.sign, notes)
        else:
            yield from _ranking_rows(folder, asked)
    else:
        yield from table_rows(name, asked, notes)


def check_used(names: Sequence[str], asked: Asked, *, scores: bool = False) -> None:
    """Check that each option has an effect on some tables, folders or, if there are any, tables of scores."""
    folders = [Path(name) for name in names if Path(name).is_dir()]
    tables, columns = len(folders) < len(names), asked.columns
    test_set = any(is_mt_metrics_eval(folder) for folder in folders)
    rated_texts = tables and bool(columns.human or asked.systems or asked.ratings or not asked.pairs)
    rated = rated_texts or test_set or any(path for folder in folders for path in folder.glob(f"*{RATINGS}"))
    options = (
        (columns.lp, tables or scores, "--lp-column"),
        (columns.segments, tables or scores, "--segment-column"),
        (columns.system, tables or scores, "--system-column"),
        (columns.hypothesis, tables, "--hyp-column"),
        (columns.references, tables or test_set, "--ref-column"),
        (columns.human, tables or test_set, "--human-column"),
        (asked.lower_is_better, rated, "--lower-is-better"),
    )
    if unused := [option for given, used, option in options if given and not used]:
        raise InputMismatch(f"{', '.join(names)}: no effect on these data: {', '.join(unused)}; leave it out")


def _ranking_rows(folder: Path, asked: Asked) -> Iterator[JudgmentRow]:
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        name, _, rest = path.name.partition(".")
        part = rest.partition(".")[0]
        if name and part in PARTS and (other := found.setdefault(name, {}).setdefault(part, path)) is not path:
            raise InputMismatch(f"{path} and {other.name}: only one of them can be read; remove the other")
    # texts without judgments are of no use
    judged = {name: parts for name, parts in found.items() if "pairs" in parts}
    if not judged:
        raise InputMismatch(
            f"{folder}: is not a folder of rankings: such a folder has LP.segments.tsv, LP.hyps.tsv and LP.pairs.tsv "
            "for each language pair LP (a test set of mt-metrics-eval has human-scores, a folder of METEOR's trainer "
            "*.rank or *.ter)"
        )
    for name, parts in judged.items():
        if missing := [part for part in PARTS if part not in parts]:
            raise InputMismatch(f"{folder}: there is no {name}.{missing[0]}.tsv beside {parts['pairs'].name}")
        yield from _ranked_language_pair(name, parts, asked)


def _ranked_language_pair(name: str, parts: Mapping[str, Path], asked: Asked) -> Iterator[JudgmentRow]:
    references: dict[str, str] = {}
    dialect, found = asked.dialect, _rows(name, parts["segments"], asked.dialect, "segment_id", "reference")
    kept = _kept_by_id(open_table(str(parts["segments"]), dialect), asked, [segment for _, (segment, _) in found])
    for where, (segment, reference) in found:
        if references.setdefault(segment, reference) != reference:
            raise InvalidText(where, f"segment {segment!r} of {name} already has another reference")
    rows = _rows(name, parts["hyps"], dialect, "segment_id", "system", "hypothesis")
    for where, (segment, system, hypothesis) in rows:
        if segment not in references:
            raise InvalidText(where, f"segment {segment!r} of {name} is unknown: it has no reference")
        pair = Pair((references[segment],), hypothesis)
        yield JudgmentRow(where, name, (segment,), system, pair, kept=kept.get(segment, True))
    rows = _rows(name, parts["pairs"], dialect, "segment_id", "better", "worse", "count")
    for where, (segment, better, worse, count) in rows:
        yield JudgmentRow(where, name, (segment,), better=better, worse=worse, times=count)


def _kept_by_id(table: Table, asked: Asked, ids: Sequence[str]) -> Mapping[str, bool]:
    """Whether segments, of which each row of a table has one, are kept; empty if all are."""
    return dict(zip(ids, Keep.of(asked.keep).rows_of(table), strict=True)) if asked.keep else {}


def _rows(lp: str, path: Path, dialect: Dialect, *names: str) -> list[tuple[str, list[Cell]]]:
    """Location and cells of each row; a column of language pairs may not contradict the name of the file."""
    table = open_table(str(path), dialect)
    columns = [(name in USUAL_NAMES and find_column(table, name)) or column_of(table, name) for name in names]
    own = find_column(table, "lp")
    rows = []
    for row in rows_of(table, [*columns, *filter(None, [own])]):
        if own and (value := row.read(own, id_of)) != lp:
            reason = f"is {value!r}, but the file's name says {lp!r}; correct one of them"
            raise InvalidText(f"{row.where}: column {own!r}", reason)
        named = zip(names, columns, strict=True)
        rows.append((row.where, [row.read(column, _KINDS.get(name, id_of)) for name, column in named]))
    return rows


HUMAN, METRICS, OUTPUTS, REFERENCES = "human-scores", "metric-scores", "system-outputs", "references"
"""Folders of a test set: ``human-scores/LP.NAME.seg.score`` and ``….sys.score``, ``metric-scores/LP/METRIC.seg.score``,
``system-outputs/LP/SYSTEM.txt``, ``references/LP.NAME.txt``."""

DOCUMENTS, DOCUMENT_FIELDS = "documents", ("domain", "document")
"""Folder of ``LP.docs``, which has these fields of each segment, between tabs."""

_SEG, _SYS = ".seg.score", ".sys.score"


def is_mt_metrics_eval(folder: Path) -> bool:
    """Whether a folder is a test set of mt-metrics-eval."""
    return (folder / HUMAN).is_dir()


def _mt_metrics_eval_rows(folder: Path, asked: Asked) -> Iterator[JudgmentRow]:
    """The texts and the ratings of texts and of systems, by language pair, without outputs that are the reference."""
    known = dict.fromkeys(path.name.partition(".")[0] for path in sorted((folder / HUMAN).glob("*.score")))
    if not known:
        raise InputMismatch(f"{folder / HUMAN}: has no ratings; their files are called LP.NAME{_SEG} or LP.NAME{_SYS}")
    for lp in asked.lps or known:
        if lp not in known:
            raise UnknownName("language pair", lp, known)
        yield from _rated_language_pair(folder, lp, asked)


def _rated_language_pair(folder: Path, lp: str, asked: Asked) -> Iterator[JudgmentRow]:
    human = asked.columns.human
    human = _file_names(folder / HUMAN, lp, (_SEG, _SYS), [human] if human else [], "human")[0]
    names = _file_names(folder / REFERENCES, lp, (".txt",), asked.columns.references, "ref")
    references = [TextFile.open(str(folder / REFERENCES / f"{lp}.{name}.txt")) for name in names]
    count, systems, kept = 0, set[str](), _kept_numbers(folder / DOCUMENTS / f"{lp}.docs", asked)
    for path in _output_files(folder, lp):
        if path.stem not in names:
            output = TextFile.open(str(path))
            count = check_same_length([output, *references])
            systems.add(path.stem)
            lines = zip(*(file.lines() for file in (output, *references)), strict=True)
            for number, (text, *others) in enumerate(lines, 1):
                pair, keep = Pair(tuple(others), text), kept.get(str(number), True)
                yield JudgmentRow(f"{path}:{number}", lp, (str(number),), path.stem, pair, kept=keep)
    if not systems:
        raise InputMismatch(f"{folder / OUTPUTS / lp}: has no output except the references")
    ratings = folder / HUMAN / f"{lp}.{human}"
    for suffix, each in ((_SEG, count), (_SYS, 1)):
        for where, segment, system, value in _scores(ratings, suffix, each):
            if value is None or system in names:
                continue
            if suffix == _SYS and system not in systems:
                raise InvalidText(where, f"system {system!r} of {lp} has no output")
            yield JudgmentRow(where, lp, segment if suffix == _SEG else (), system, ratings=(asked.sign * value,))


def _kept_numbers(path: Path, asked: Asked) -> Mapping[str, bool]:
    """Whether each segment of a test set is kept, by its number; empty if all are."""
    if not asked.keep:
        return {}
    table = open_table(str(path), Dialect("tsv", header=DOCUMENT_FIELDS))
    return _kept_by_id(table, asked, [str(number) for number, _ in enumerate(table.rows(()), 1)])


def _output_files(folder: Path, lp: str) -> list[Path]:
    if files := sorted((folder / OUTPUTS / lp).glob("*.txt")):
        return files
    raise InputMismatch(f"{folder / OUTPUTS / lp}: has no system output; its files are called SYSTEM.txt")


def _file_names(folder: Path, lp: str, suffixes: Iterable[str], asked: Sequence[str], role: str) -> list[str]:
    """Names of files of a language pair: the requested ones, or the only one."""
    paths = [(path, suffix) for suffix in suffixes for path in sorted(folder.glob(f"{lp}.*{suffix}"))]
    known = dict.fromkeys(path.name.removeprefix(f"{lp}.").removesuffix(suffix) for path, suffix in paths)
    for name in asked:
        if name not in known:
            raise UnknownName(f"file {lp}.… of {folder}", name, known)
    if not asked and len(known) != 1:
        detail = f"{', '.join(known)}: choose one with --{role}-column NAME" if known else f"there is none of {lp}"
        raise InputMismatch(f"{folder}: {detail}")
    return list(asked or known)


def metric_scores(folder: Path, lp: str, name: str) -> tuple[Mapping[tuple[Segment, str], float], Mapping[str, float]]:
    """Scores of a metric of a test set of mt-metrics-eval by segment and system, and by system if it has these."""
    start = folder / METRICS / lp / name
    if not Path(f"{start}{_SEG}").exists():
        known = [path.name.removesuffix(_SEG) for path in start.parent.glob(f"*{_SEG}")]
        raise UnknownName(f"metric of {start.parent}", name, known)
    scores = _scores(start, _SEG, TextFile.open(str(_output_files(folder, lp)[0])).count)
    return (
        {(segment, system): value for _, segment, system, value in scores if value is not None},
        {system: value for _, _, system, value in _scores(start, _SYS, 1) if value is not None},
    )


def _scores(start: Path, suffix: str, each: int) -> list[tuple[str, Segment, str, float | None]]:
    """Location, segment, system and number of each line; a system has `each` lines, one for each of its segments."""
    path = Path(f"{start}{suffix}")  # `Path.with_suffix` would replace what follows a dot in the name
    found: list[tuple[str, Segment, str, float | None]] = []
    counts: Counter[str] = Counter()
    for where, (system, value) in fields_of(path, 2, "a system and a number", blank=True) if path.exists() else ():
        counts[system] += 1
        number = None if value == NOT_RATED else parse_cell(number_of, value, where)
        found.append((where, (str(counts[system]),), system, number))
    for system, count in counts.items():
        if count != each:
            lines = "1 line" if count == 1 else f"{count} lines"
            needed = (
                "1 is needed, one for each system" if suffix == _SYS else f"{each} are needed, one for each segment"
            )
            raise InputMismatch(f"{path}: system {system!r} has {lines} where {needed}")
    return found
