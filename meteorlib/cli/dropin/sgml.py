"""Scoring of SGML: scores of segments, documents and systems go to files, tables to standard output."""

from __future__ import annotations

from itertools import groupby
from typing import IO

from meteorlib.cli.dropin import report
from meteorlib.cli.dropin.arguments import Arguments
from meteorlib.cli.dropin.outfiles import OutputFile, OutputFiles
from meteorlib.cli.dropin.settings import Settings
from meteorlib.cli.dropin.sgml_segments import SgmlSegment, pairs
from meteorlib.cli.streams import say
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.statistics import Statistics
from meteorlib.display.text import harmless
from meteorlib.inputs.sgml import read_sgml
from meteorlib.scorer import Scorer


def run_sgml(arguments: Arguments, settings: Settings, out: IO[str]) -> None:
    """Score systems against references; only warnings are written before everything is scored.

    Raises:
        InputMismatch: the files do not belong together.
        InvalidText: a file is not valid SGML of this kind.
    """

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
