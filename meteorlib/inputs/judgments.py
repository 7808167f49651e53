"""Human judgments as rows, from tables and from folders: WMT rankings, mt-metrics-eval, METEOR's trainer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.cells import count_of, id_of, number_of, parse_cell, rows_of, text_of
from meteorlib.inputs.columns import USUAL_NAMES, Cell, column_of, find_column
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.judgment_tables import Asked, JudgmentRow, Segment, table_rows
from meteorlib.inputs.sgml import read_sgml, segments_of
from meteorlib.inputs.text_file import TextFile, check_same_length

PARTS = ("segments", "hyps", "pairs")
"""Tables of each language pair in a folder of rankings."""

_KINDS: Mapping[str, Callable[[Cell], Cell]] = {"reference": text_of, "hypothesis": text_of, "count": count_of}
"""Parsers of the columns that are not ids, by role."""


def judgment_rows(name: str, asked: Asked, notes: list[str]) -> Iterator[JudgmentRow]:
    """The rows of human judgments in tables or in a folder; the rows of texts come before those that refer to them.

    Files and errors are those of `meteorlib.analysis.meta_evaluation.read_judgments`; `notes` gets further notes.
    """
    folder = Path(name)
    if folder.is_dir():
        if asked.pairs or asked.systems:
            raise InputMismatch(f"{name}: is a folder with its own judgments; give a table of texts")
        if is_mt_metrics_eval(folder):
            yield from _mt_metrics_eval_rows(folder, asked)
        elif any(path.suffix in (RANKINGS, RATINGS) for path in folder.iterdir()):
            yield from _trainer_rows(folder, asked.sign, notes)
        else:
            yield from _ranking_rows(folder, asked.dialect)
    else:
        yield from table_rows(name, asked, notes)


def check_used(names: Sequence[str], asked: Asked, *, scores: bool = False) -> None:
    """Check that each option has an effect on some tables, folders or, if there are any, tables of scores."""
    folders = [Path(name) for name in names if Path(name).is_dir()]
    tables, columns = len(folders) < len(names), asked.columns
    test_set = any(is_mt_metrics_eval(folder) for folder in folders)
    rated_texts = tables and bool(columns.human or asked.systems or not asked.pairs)
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


def _ranking_rows(folder: Path, dialect: Dialect) -> Iterator[JudgmentRow]:
    """The texts and pairwise judgments of each language pair of a folder."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        name, _, rest = path.name.partition(".")
        part = rest.partition(".")[0]
        if name and part in PARTS:
            if part in found.setdefault(name, {}):
                raise InputMismatch(
                    f"{path} and {found[name][part].name}: only one of them can be read; remove the other"
                )
            found[name][part] = path
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
    for name, parts in judged.items():
        yield from _ranked_language_pair(name, parts, dialect)


def _ranked_language_pair(name: str, parts: Mapping[str, Path], dialect: Dialect) -> Iterator[JudgmentRow]:
    references: dict[str, str] = {}
    for where, (segment, reference) in _rows(name, parts["segments"], dialect, "segment_id", "reference"):
        if references.setdefault(segment, reference) != reference:
            raise InvalidText(where, f"segment {segment!r} of {name} already has another reference")
    rows = _rows(name, parts["hyps"], dialect, "segment_id", "system", "hypothesis")
    for where, (segment, system, hypothesis) in rows:
        if segment not in references:
            raise InvalidText(where, f"segment {segment!r} of {name} is unknown: it has no reference")
        yield JudgmentRow(where, name, (segment,), system, Pair((references[segment],), hypothesis))
    rows = _rows(name, parts["pairs"], dialect, "segment_id", "better", "worse", "count")
    for where, (segment, better, worse, count) in rows:
        yield JudgmentRow(where, name, (segment,), better=better, worse=worse, times=count)


def _rows(lp: str, path: Path, dialect: Dialect, *names: str) -> list[tuple[str, list[Cell]]]:
    """Location and cells of each row; a column of language pairs may not contradict the name of the file."""
    table = open_table(str(path), dialect)
    columns = [(name in USUAL_NAMES and find_column(table, name)) or column_of(table, name) for name in names]
    own = [*filter(None, [find_column(table, "lp")])]
    found = []
    for where, cells in rows_of(table, [*columns, *own]):
        for column, cell in zip(own, cells[len(names) :], strict=True):
            if (value := parse_cell(id_of, cell, where, column)) != lp:
                reason = f"is {value!r}, but the file's name says {lp!r}; correct one of them"
                raise InvalidText(f"{where}: column {column!r}", reason)
        named = zip(names, cells, strict=False)
        found.append((where, [parse_cell(_KINDS.get(name, id_of), cell, where, name) for name, cell in named]))
    return found


HUMAN, METRICS, OUTPUTS, REFERENCES = "human-scores", "metric-scores", "system-outputs", "references"
"""Folders of a test set: ``human-scores/LP.NAME.seg.score`` and ``….sys.score``, ``metric-scores/LP/METRIC.seg.score``,
``system-outputs/LP/SYSTEM.txt``, ``references/LP.NAME.txt``."""

MISSING = "None"
"""Placeholder for a missing rating."""

_SEG, _SYS = ".seg.score", ".sys.score"


def is_mt_metrics_eval(folder: Path) -> bool:
    """Whether a folder is a test set of mt-metrics-eval."""
    return (folder / HUMAN).is_dir()


def _mt_metrics_eval_rows(folder: Path, asked: Asked) -> Iterator[JudgmentRow]:
    """The texts and the ratings of texts and of systems, by language pair.

    Texts and systems without a rating are left out, with a note, as are outputs that are the reference. The columns
    `human` and `references` of the options name the ratings and references, if there are several.
    """
    known = dict.fromkeys(path.name.partition(".")[0] for path in sorted((folder / HUMAN).glob("*.score")))
    if not known:
        raise InputMismatch(f"{folder / HUMAN}: has no ratings; their files are called LP.NAME{_SEG} or LP.NAME{_SYS}")
    for lp in asked.lps:
        if lp not in known:
            raise UnknownName("language pair", lp, known)
    for lp in asked.lps or known:
        yield from _rated_language_pair(folder, lp, asked)


def _rated_language_pair(folder: Path, lp: str, asked: Asked) -> Iterator[JudgmentRow]:
    human = asked.columns.human
    human = _file_names(folder / HUMAN, lp, (_SEG, _SYS), [human] if human else [], "human")[0]
    names = _file_names(folder / REFERENCES, lp, (".txt",), asked.columns.references, "ref")
    references = [TextFile.open(str(folder / REFERENCES / f"{lp}.{name}.txt")) for name in names]
    count, systems = 0, set[str]()
    for path in _output_files(folder, lp):
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


def _output_files(folder: Path, lp: str) -> list[Path]:
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
    """Scores of a metric of a test set of mt-metrics-eval by segment and system; each segment has one."""
    start = folder / METRICS / lp / name
    if not Path(f"{start}{_SEG}").exists():
        known = [path.name.removesuffix(_SEG) for path in start.parent.glob(f"*{_SEG}")]
        raise UnknownName(f"metric of {start.parent}", name, known)
    scores = _scores(start, _SEG, TextFile.open(str(_output_files(folder, lp)[0])).count)
    return {(segment, system): value for _, segment, system, value in scores if value is not None}


def system_scores(folder: Path, lp: str, name: str) -> Mapping[str, float]:
    """Scores of a metric by system; empty if the metric has no such file."""
    scores = _scores(folder / METRICS / lp / name, _SYS, 1)
    return {system: value for _, _, system, value in scores if value is not None}


def _scores(start: Path, suffix: str, each: int) -> list[tuple[str, Segment, str, float | None]]:
    """Location, segment, system and number of each line; lines of a system are numbered as its segments.

    A file that does not exist has no lines. Each system must have `each` lines.
    """
    path = Path(f"{start}{suffix}")  # `Path.with_suffix` would replace what follows a dot in the name
    found: list[tuple[str, Segment, str, float | None]] = []
    counts: Counter[str] = Counter()
    for where, (system, value) in _fields(path, 2, "a system and a number", blank=True) if path.exists() else ():
        counts[system] += 1
        number = None if value == MISSING else parse_cell(number_of, value, where)
        found.append((where, (str(counts[system]),), system, number))
    for system, count in counts.items():
        if count != each:
            lines = "1 line" if count == 1 else f"{count} lines"
            needed = "1 is needed, one for each system"
            if suffix != _SYS:
                needed = f"{each} are needed, one for each segment"
            raise InputMismatch(f"{path}: system {system!r} has {lines} where {needed}")
    return found


RANKINGS, RATINGS = ".rank", ".ter"
"""Suffixes: ``*.rank`` belongs to ``LP.SYSTEM.sgm`` and ``LP.ref.sgm``, ``X.ter`` to ``X.tst`` and ``X.ref``."""

_SGML, _REFERENCE = ".sgm", "ref"

Key = tuple[str, str]
"""Ids of a document and a segment."""


def _trainer_rows(folder: Path, sign: int, notes: list[str]) -> Iterator[JudgmentRow]:
    """Texts and judgments of the task ``rank`` by language pair, or of ``segcor`` and ``spearman`` by file.

    As in the trainer, rankings of systems without a file are skipped; a note says how many. Ratings get a sign.
    """
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
    rated = False
    for where, (document, segment, value) in _fields(path, 3, "document, segment and number"):
        if (document, segment) not in texts:
            raise InvalidText(where, f"segment {segment!r} of document {document!r} is unknown: {output} has no such")
        rating = sign * parse_cell(number_of, value, where)
        yield JudgmentRow(where, path.stem, (document, segment), ratings=(rating,))
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
        five = "segment, language pair, system, language pair and system between tabs"
        for where, (segment, lp, better, other, worse) in _fields(path, 5, five, separator="\t"):
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


def _fields(
    path: Path, count: int, expected: str, *, separator: str | None = None, blank: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Location and fields of each line; one without `count` fields is an error; blank ones count only with `blank`."""
    for number, line in enumerate(TextFile.open(str(path)).lines(), 1):
        if blank or line.strip():
            fields = [field.strip() for field in line.split(separator)]
            if len(fields) != count:
                raise InvalidText(f"{path}:{number}", f"expected {expected}, got {len(fields)} fields")
            yield f"{path}:{number}", fields
