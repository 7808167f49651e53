"""Ratios of the work around scoring, from one run: ``python -m benchmarks.ratios``.

Seconds are those of the processor. The two sides of a ratio are measured in turns, and the median of the turns counts.
``--only`` chooses kinds of rows.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks import documents, tables
from benchmarks.jobs import measured_steps, speed_up
from benchmarks.process import machine, markdown, measure, options
from benchmarks.texts import Pair, load_pairs, wmt_outputs
from meteorlib import Scorer
from meteorlib.resources.stemmers import METEOR_SNOWBALL_LANGUAGES, carried_stemmer

Row = tuple[str, str, str]
"""Name of a figure, preset, and the figure."""

REPORTED, SYSTEMS, COUNTED = 20_000, 3, 800
"""Segments and systems of a report, and the segments of one whose calls of Python functions are counted."""

STEMMED, WORDS = 4_000, 20_000
"""Segments of a text with stems, and the words that those of made text are drawn from."""

COUNT_CALLS = """
import cProfile, pstats, sys
from pathlib import Path
import meteorlib
preset, *paths = sys.argv[1:]
reference, *systems = map(Path, paths)
given = {path.stem: path for path in systems}, reference, preset
meteorlib.report(*given)  # imports what it needs
profile = cProfile.Profile()
profile.runcall(meteorlib.report, *given)
print(pstats.Stats(profile).total_calls)
"""


def of_tables(shared: Path, runs: int) -> Iterator[Row]:
    """Rows of tables a second, relative to `Corpus.extend`."""
    pairs = load_pairs(shared, 24_000)
    for preset in ("meteor-2005", "meteor-1.5-en-core", "nltk"):
        for name, _, ratio in tables.measured(preset, pairs, runs):
            if name != tables.BASE:
                yield f"rows a second: {name} × `extend`", preset, f"{ratio:.2f}"


def of_reports(shared: Path, runs: int) -> Iterator[Row]:
    """A report of three systems, relative to ``meteorlib score`` with intervals and tests."""
    for preset in ("meteor-1.5-en", "meteor-2026-en"):
        with tempfile.TemporaryDirectory() as name:
            files, few = (write_systems(shared, Path(name), count) for count in (REPORTED, COUNTED))
            program = [sys.executable, "-m", "meteorlib"]
            given = [*files[1:], "-r", files[0], "--preset", preset]
            turns = []
            for turn in range(runs):
                page = f"{name}/{turn}.html"
                commands = [*program, "score", *given], [*program, "report", *given, "-o", page]
                turns.append([measure(command, core=turn % 2, environment={}) for command in commands])
            called = subprocess.run(  # noqa: S603 – this Python
                [sys.executable, "-c", COUNT_CALLS, preset, *few], check=True, capture_output=True, text=True
            )
        ratio = median(report.processor / score.processor for score, report in turns)
        yield f"time: report of {REPORTED:,} segments × {SYSTEMS} ÷ `score`", preset, f"{ratio:.2f}"
        yield "… its peak memory, MB", preset, f"{median(report.memory for _, report in turns):.0f}"
        yield "… that of `score`, MB", preset, f"{median(score.memory for score, _ in turns):.0f}"
        yield f"… calls of Python functions for {COUNTED} segments", preset, f"{int(called.stdout):,}"


def write_systems(shared: Path, folder: Path, count: int) -> list[str]:
    """Write as many segments with outputs of three systems: the file of references, then one for each system."""
    outputs: dict[str, list[str]] = defaultdict(list)
    for *_, reference, text in wmt_outputs(shared / "data" / "judgements" / "wmt14_rank"):
        outputs[reference].append(text)
    rows = [
        (reference, *texts[first : first + SYSTEMS])
        for first in range(0, SYSTEMS * 4, SYSTEMS)
        for reference, texts in outputs.items()
        if len(texts) >= first + SYSTEMS
    ]
    paths = [folder / f"{name}-{count}.txt" for name in ("reference", *"abc")]
    for path, lines in zip(paths, zip(*rows[:count], strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return [*map(str, paths)]


def of_new_text(shared: Path, runs: int) -> Iterator[Row]:
    """Different pairs that are scored once, and again when all words are known, relative to sacrebleu's BLEU."""
    from sacrebleu import BLEU  # noqa: PLC0415 – an extra

    def bleu(hypotheses: list[str], references: list[str]) -> object:
        return BLEU().corpus_score(hypotheses, [references])

    for count in (9_000, 24_000):
        hypotheses, references = map(list, zip(*load_pairs(shared, count), strict=True))
        found: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(runs):
            base = seconds(bleu, hypotheses, references)
            for preset in ("meteor-1.5-en", "meteor-2005", "meteor-2026-en"):
                scorer = Scorer(preset)
                scorer.score(references[0], hypotheses[0])
                for known in ("new", "known"):
                    found[preset, known].append(base / seconds(meteor, scorer, hypotheses, references))
        for (preset, known), ratios in found.items():
            yield f"rate of {count:,} pairs, {known} words, × BLEU", preset, f"{median(ratios):.1f}"


def of_workers(shared: Path, runs: int) -> Iterator[Row]:
    """Gain by two threads on new text, computed from the time in which one holds the GIL."""
    pairs = load_pairs(shared, 24_000)
    for preset in ("meteor-1.5-en", "meteor-2005", "meteor-2026-en"):
        steps = [measured_steps(preset, pairs, 1)[0] for _ in range(runs)]
        yield "speed-up of two workers on 24,000 new pairs", preset, f"{median(speed_up(one, 2) for one in steps):.2f}"


def of_stems(shared: Path, runs: int) -> Iterator[Row]:
    """The first pass over a text, relative to the next one, in each language with a carried stemmer.

    The text is that of WMT 2012 where it has the language, else made up: words with the endings that the stemmer knows.
    """
    for language in sorted({*METEOR_SNOWBALL_LANGUAGES} - {"en", "se"}):
        preset = "meteor-nb" if language == "no" else f"meteor-{language}"
        folder = shared / "data" / "judgements" / "wmt12_rank"
        pairs: list[Pair] = [(text, reference) for *_, reference, text in wmt_outputs(folder, f"en-{language}")]
        hypotheses, references = map(list, zip(*(pairs[:STEMMED] or made_pairs(language)), strict=True))
        ratios = []
        for _ in range(runs):
            scorer = Scorer(preset)
            scorer.score(references[0], hypotheses[0])
            first, second = (seconds(meteor, scorer, hypotheses, references) for _ in range(2))
            ratios.append(first / second)
        text = "text of WMT12" if pairs else "made text"
        yield f"time: first pass over {text} ÷ the next, `{preset}`", "stems", f"{median(ratios):.1f}"


def made_pairs(language: str) -> list[Pair]:
    """Segments of made-up words, of which few are frequent, as in any text."""
    stemmer, draw = carried_stemmer(METEOR_SNOWBALL_LANGUAGES[language]), random.Random(language)  # noqa: S311
    tables = [getattr(stemmer, name) for name in dir(stemmer) if name.startswith("a_")]
    endings = sorted({ending.s for table in tables for ending in table if ending.s.isalpha()})
    letters = sorted({*"".join(endings)})
    words = ["".join(draw.choices(letters, k=draw.randint(1, 6))) + draw.choice(endings) for _ in range(WORDS)]
    shares = [1 / (rank + 10) for rank in range(WORDS)]
    lines = [" ".join(draw.choices(words, shares, k=22)) + " ." for _ in range(2 * STEMMED)]
    return [*zip(lines[::2], lines[1::2], strict=True)]


def of_installation(_shared: Path, runs: int) -> Iterator[Row]:
    """Seconds of ``pip install .`` from a clone of the committed tree, in a new environment, without ccache."""
    root = Path(__file__).parents[1]
    times = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as name:
            python, environment = f"{name}/venv/bin/python", {"CCACHE_DISABLE": "1"}
            subprocess.run(["git", "clone", "-q", root, f"{name}/source"], check=True)  # noqa: S603, S607
            subprocess.run([sys.executable, "-m", "venv", f"{name}/venv"], check=True)  # noqa: S603 – this Python
            install = [python, "-m", "pip", "install", "-q", "."]
            times.append(measure(install, core=0, environment=environment, folder=Path(name, "source")).processor)
    yield "`pip install .`, seconds of the processor", "installation", f"{median(times):.0f}"


def of_documents(shared: Path, runs: int) -> Iterator[Row]:
    """A document of 2,000 words, relative to its sentences."""
    texts = documents.documents(load_pairs(shared, documents.POOL))
    for preset in documents.PRESETS:
        ratio = median(documents.measure(preset, texts).ratio for _ in range(runs))
        yield "time: a document of 2,000 words ÷ its sentences", preset, f"{ratio:.1f}"


def meteor(scorer: Scorer, hypotheses: list[str], references: list[str]) -> object:
    """Score a text whose references are analyzed anew."""
    scorer.engine.references.clear()
    return scorer.corpus(keep_segments=False).extend(hypotheses=hypotheses, references=references)


def seconds(work: Callable[..., object], *given: object) -> float:
    """Seconds of the processor for some work."""
    begun = process_time()
    work(*given)
    return process_time() - begun


KINDS: Mapping[str, Callable[[Path, int], Iterator[Row]]] = {
    "tables": of_tables,
    "report": of_reports,
    "new": of_new_text,
    "workers": of_workers,
    "documents": of_documents,
    "stems": of_stems,
    "installation": of_installation,
}


def table(rows: Sequence[Row]) -> str:
    """A table in Markdown with a row for each thing that is measured, and a column for each preset."""
    presets = [*dict.fromkeys(preset for _, preset, _ in rows)]
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name, preset, figure in rows:
        found[name][preset] = figure
    cells = ([name, *(figures.get(preset, "") for preset in presets)] for name, figures in found.items())
    return markdown(["", *(f"`{preset}`" for preset in presets)], cells)


def main() -> None:
    """Measure and print."""
    parser = options(__doc__, runs=3)
    parser.add_argument("--only", nargs="*", choices=[*KINDS], default=[*KINDS])
    arguments = parser.parse_args()
    rows: list[Row] = []
    for kind in arguments.only:
        sys.stderr.write(f"{kind}\n")
        rows += KINDS[kind](arguments.shared, arguments.runs)
    print(f"{machine()}, Python {sys.version.split()[0]}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
