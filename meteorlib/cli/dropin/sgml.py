"""Scoring of SGML: scores of segments, documents and systems go to files, tables to standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import IO

from attrs import frozen

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import Arguments
from meteorlib.cli.dropin.settings import Settings
from meteorlib.cli.output_files import OutputFile, OutputFiles
from meteorlib.cli.streams import say
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.numbers_and_letters import java_units
from meteorlib.core.statistics import Statistics
from meteorlib.display.text import harmless
from meteorlib.errors import InputMismatch
from meteorlib.inputs.sgml import Document, Sets, System, read_sgml, segment_order
from meteorlib.scorer import Scorer


def run_sgml(arguments: Arguments, settings: Settings, out: IO[str]) -> None:
    """Score systems against references; only warnings are written before everything is scored."""

    def warn(message: str) -> None:
        say(f"Warning: {message}")

    hypotheses = read_sgml(arguments.hypotheses, warn, as_meteor=True)
    references = read_sgml(arguments.references, warn, as_meteor=True)
    scorer = Scorer(settings.config)
    blocks = []
    with OutputFiles(arguments.prefix) as files:
        segments, documents, systems = files.open("seg.scr"), files.open("doc.scr"), files.open("sys.scr")
        aligned = files.open("align.out") if arguments.alignments else None
        everything = pairs(references, hypotheses, warn, as_text=arguments.verbose and not arguments.statistics)
        for (set_id, system_id), of_system in groupby(everything, lambda pair: pair.place[:2]):
            system = Statistics.zero(scorer.stage_count)
            for document_id, of_document in groupby(of_system, lambda pair: pair.place[2]):
                document = Statistics.zero(scorer.stage_count)
                for pair in of_document:
                    scored = scorer.score(pair.references, pair.hypothesis)
                    _segment(pair, scored, arguments, segments, aligned)
                    document += scored.statistics
                total = report.total_fields(scorer.breakdown(document), arguments)
                documents.write(f"{set_id}\t{system_id}\t{document_id}\t{total}\n")
                system += document
            scored = scorer.breakdown(system)
            systems.write(f"{set_id}\t{system_id}\t{report.total_fields(scored, arguments)}\n")
            blocks.append(f"[{harmless(set_id)}][{harmless(system_id)}] \n{report.block(scored, settings)}\n")
    if arguments.statistics:
        return
    if not arguments.quiet:
        out.write(report.head(settings, sgml=True))
    out.write("".join(blocks))


def _segment(
    pair: SgmlSegment, scored: ScoreBreakdown, arguments: Arguments, segments: OutputFile, aligned: OutputFile | None
) -> None:
    place = "\t".join(pair.place)
    segments.write(f"{place}\t{report.fields(scored, arguments)}\n")
    if aligned is not None:
        aligned.write(report.alignment(f"Alignment\t{place}\t{report.numbers(scored)}", scored))


Warn = Callable[[str], None]


@frozen
class SgmlSegment:
    """A segment to score."""

    place: tuple[str, str, str, str]
    hypothesis: str
    references: tuple[str, ...]


def pairs(references: Sets, hypotheses: Sets, warn: Warn, *, as_text: bool) -> Iterator[SgmlSegment]:
    """Segments in METEOR's order: set, system and document by code point, segments by id.

    With `as_text`, numeric ids, too, are ordered as text (1, 10, 2).
    """
    for name in sorted(set(references) - set(hypotheses)):
        warn(f"no system for set [{name}] - skipping this set")
    for set_id, systems in sorted(hypotheses.items()):
        if not references.get(set_id):
            known = ", ".join(sorted(references))
            raise InputMismatch(f"no reference for set {set_id!r}; the references are of: {known}")
        ordered = {name: references[set_id][name] for name in hashtable_order(references[set_id])}
        for system_id, system in sorted(systems.items()):
            found = False
            for pair in _of_system((set_id, system_id), system, ordered, warn, as_text=as_text):
                found = True
                yield pair
            if not found:
                raise InputMismatch(
                    f"system {system_id!r} of set {set_id!r} has no segment that can be scored: "
                    "its documents are not those of the references"
                )


def _of_system(
    place: tuple[str, str], system: System, references: Mapping[str, System], warn: Warn, *, as_text: bool
) -> Iterator[SgmlSegment]:
    set_id, system_id = place
    documents = {document for reference in references.values() for document in reference}
    for document in sorted(documents | set(system)):
        where = f"document [{set_id}][{document}]"
        if document not in system:
            warn(f"no data for system [{system_id}] on {where} - skipping this document")
            continue
        usable = {name: reference[document] for name, reference in references.items() if document in reference}
        for name in references:
            if name not in usable:
                warn(f"no data for reference [{name}] on {where}")
        if not usable:
            warn(f"no usable references for {where} - skipping this document")
            continue
        yield from _of_document((set_id, system_id, document), system[document], usable, warn, as_text=as_text)


def _of_document(
    place: tuple[str, str, str], hypotheses: Document, references: Mapping[str, Document], warn: Warn, *, as_text: bool
) -> Iterator[SgmlSegment]:
    set_id, system_id, document = place
    ids = {segment for texts in references.values() for segment in texts} | set(hypotheses)
    for segment in sorted(ids, key=None if as_text else segment_order):
        where = f"segment [{set_id}][{document}][{segment}]"
        texts = [reference[segment] for reference in references.values() if segment in reference]
        for name, reference in references.items():
            if segment not in reference:
                warn(f"no data for reference [{name}] on {where}")
        if not texts:
            warn(f"no usable references for {where} - skipping this segment")
            continue
        if segment not in hypotheses:
            warn(f"no data for system [{system_id}] on {where} - scoring empty segment")
        yield SgmlSegment((*place, segment), hypotheses.get(segment, ""), tuple(texts))


def hashtable_order(names: Iterable[str]) -> Sequence[str]:
    """Distinct `names` in the order in which Java's ``Hashtable`` lists them after they are inserted in turn.

    METEOR has references in this order, and the first of those with the same score counts.
    """
    # Java begins with 11 places, grows when three quarters are taken, and puts a new name before colliding ones
    table: list[list[str]] = [[] for _ in range(11)]
    for count, name in enumerate(names):
        if count >= len(table) * 3 // 4:
            larger: list[list[str]] = [[] for _ in range(2 * len(table) + 1)]
            for old in reversed(table):
                for key in old:
                    larger[_hash(key) % len(larger)].insert(0, key)
            table = larger
        table[_hash(name) % len(table)].insert(0, name)
    return [key for keys in reversed(table) for key in keys]


def _hash(text: str) -> int:
    """Java's ``String.hashCode``, without its sign bit."""
    value = 0
    for unit in java_units(text):
        value = (31 * value + ord(unit)) & 0xFFFFFFFF
    return value & 0x7FFFFFFF
