"""Parts of scoring a segment, by the functions of the compiled engine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from benchmarks.process import markdown

READING = "reading"
NEW_WORDS = "new words"
WORDS = "words"
CANDIDATES = "candidates"
SEARCH = "search"
SCORE = "counts, score"
REST = "the rest"
PARTS = (READING, NEW_WORDS, WORDS, CANDIDATES, SEARCH, SCORE, REST)

_GRADED = ("joined_join_words", "joined_join_parts", "near_find_spellers", "near_drop_common", "near_find_near")
_FOUND = ("candidates_propose_words", "phrase_candidates_find_paraphrases")
_SEARCHES = (
    *("fixed_matches_split_fixed", "narrow_beam_search_narrow", "beam_search_wide", "greedy_search_greedily"),
    *("staged_search_staged", "alignment_search_by_value", "alignment_search_best"),
)

INNER = {
    **dict.fromkeys(("Kernel_next_pairs", "CompiledSums_add"), REST),
    "Batch_read": READING,
    **dict.fromkeys(("Reader_learn_token", "Reader_fill_words"), NEW_WORDS),
    "Kernel_complete": WORDS,
    "Batch_find": SCORE,
    **dict.fromkeys((*_FOUND, *_GRADED), CANDIDATES),
    **dict.fromkeys(_SEARCHES, SEARCH),
}
"""Functions that the compiler leaves whole, and their part; what they call is a part of it, but for others of these."""

ASKED = {
    "Reader_ask_of_token": "the text mode, in Python",
    "Reader_words_of_sign": "the text mode, in Python",
    "Stems_of": "stem",
    "Stems_number_of": "stem",
    "Synsets_find": "synonym sets",
    "Lemmas_find": "lemma names",
    "Sizes_of": "weight",
    "Paraphrases_number_of": "number in the paraphrase table",
    "Learner_learn": "keeping the word",
    "Reader_cut_token": "cutting the token",
    "Reader_learn_token": "keeping the token",
}
"""Look-ups for a new token or word, by the calling function."""

_COMPILED = re.compile(
    r"__pyx_(?:f|pw)_(?:\d+meteorlib_\d+engine_\d+kernel_)?"
    r"(?:5words_|4text_|5match_|6search_|5count_)?(\w+)"
)


def plain(symbol: str) -> str:
    """The name of a function of the extension without what Cython puts to it; nothing of any other function."""
    match = _COMPILED.search(symbol)
    return "" if match is None else re.sub(r"(?:^|(?<=_))\d+(?=[A-Za-z_])", "", match[1]).removeprefix("kernel_")


def dissolved(extension: bytes) -> list[str]:
    """Functions of the parts that a compiled extension lacks: the compiler put them into those that call them.

    Their time would be counted as their callers'. Returns nothing where the extension has no names of functions.
    """
    symbols = re.findall(rb"\0_ZL(\d+)(__pyx_\w+)", extension)
    found = {plain(symbol[: int(length)].decode()) for length, symbol in symbols}  # what follows is of the arguments
    wanted = {*INNER, *ASKED}
    return sorted(wanted - found) if found else []


def innermost(stack: Iterable[str], names: dict[str, str]) -> str | None:
    """Name of the innermost known part in a stack of calls, which starts with the innermost."""
    return next((names[name] for name in stack if name in names), None)


PASSES = ("new", "known")
"""The words of a text that is scored for the first time, and of the same text once more."""

RUN = """
import json, sys, time
from meteorlib import Scorer
from meteorlib.core.segment import Pair
preset, turns, *names = sys.argv[1:]
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in names)
pairs = [Pair([reference], hypothesis) for hypothesis, reference in zip(hypotheses, references)]
for _ in range(int(turns)):
    scorer = Scorer(preset, implementation="compiled")
    for name in ("new", "known"):
        scorer.engine.references.clear()  # else the second pass would read the hypotheses alone
        begin, used = time.monotonic(), time.process_time()
        scorer.totals(pairs)
        print(json.dumps([name, begin, time.monotonic(), time.process_time() - used]))
"""

RATE = 1999  # samples a second
_TIME = re.compile(r"^\s*([\d.]+):\s*$")


@frozen
class Pass:
    """One run through the text: when it was, and seconds of the processor."""

    name: str
    begin: float
    end: float
    seconds: float


@frozen
class Sampled:
    """Runs through the text, their seconds of the processor, the samples by part and by what is asked of new words."""

    runs: int = 0
    seconds: float = 0
    parts: Counter[str] = field(factory=Counter)
    asked: Counter[str] = field(factory=Counter)

    def microseconds(self, part: str, segments: int) -> float:
        """Time for a part of one segment."""
        return self._whole(segments) * self.parts[part] / max(self.parts.total(), 1)

    def asking(self, what: str, segments: int) -> float:
        """Microseconds of a segment in which something is asked of new words."""
        return self._whole(segments) * self.asked[what] / max(self.parts.total(), 1)

    def _whole(self, segments: int) -> float:
        return 1e6 * self.seconds / max(segments * self.runs, 1)


def stacks(script: Iterable[str]) -> Iterator[tuple[float, list[str]]]:
    """When each sample was taken, and the functions of the extension in its stack, the innermost first."""
    when: float | None = None
    names: list[str] = []
    for line in script:
        begun = _TIME.match(line)
        if begun:
            if when is not None:
                yield when, names
            when, names = float(begun[1]), []
        elif line.strip():
            name = plain(line)
            if name:
                names.append(name)
    if when is not None:
        yield when, names


def divided(passes: Sequence[Pass], samples: Iterable[tuple[float, list[str]]]) -> dict[str, Sampled]:
    """The samples of each kind of pass; what is outside of all is left out."""
    found = {}
    for name in PASSES:
        seconds = [one.seconds for one in passes if one.name == name]
        found[name] = Sampled(len(seconds), sum(seconds))
    for when, stack in samples:
        during = next((one.name for one in passes if one.begin <= when < one.end), None)
        if during is None:
            continue
        part = innermost(stack, INNER) or REST
        found[during].parts[part] += 1
        if part == NEW_WORDS:
            found[during].asked[innermost(stack, ASKED) or "the rest"] += 1
    return found


def sampled(preset: str, files: Sequence[Path], folder: Path, turns: int) -> dict[str, Sampled]:
    """Run a preset under perf, each time with a scorer that knows no word."""
    data = str(folder / "perf.data")
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-k", "CLOCK_MONOTONIC"]
    command = [*record, "--call-graph", "dwarf,8192", "-o", data, sys.executable, "-c", RUN, preset, str(turns)]
    told = subprocess.run([*command, *map(str, files)], check=True, capture_output=True, text=True).stdout  # noqa: S603
    passes = [Pass(*json.loads(line)) for line in told.splitlines() if line.startswith("[")]
    script = ["perf", "script", "-i", data, "-F", "time,ip,sym", "--no-inline"]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101 – for the types
        return divided(passes, stacks(process.stdout))


def time_table(found: Mapping[str, Mapping[str, Sampled]], segments: int) -> str:
    """µs of a segment by part, in Markdown: a row for each preset and pass."""
    rows = []
    for preset, passes in found.items():
        for name, one in passes.items():
            times = [one.microseconds(part, segments) for part in PARTS]
            rows.append([f"`{preset}`", name, *(f"{time:.1f}" for time in [*times, sum(times)])])
    return markdown(["µs a segment", "words are", *PARTS, "all"], rows, left=2)


def asked_table(found: Mapping[str, Mapping[str, Sampled]], segments: int, tokens: float) -> str:
    """µs of a new token by what is asked, in Markdown, for `tokens` new tokens in a segment."""
    kinds = [*dict.fromkeys(ASKED.values())]
    rows = []
    for preset, passes in found.items():
        times = [passes["new"].asking(kind, segments) / tokens for kind in kinds]
        whole = passes["new"].microseconds(NEW_WORDS, segments) / tokens
        rows.append([f"`{preset}`", *(f"{time:.2f}" for time in [*times, whole])])
    return markdown(["µs a new token", *kinds, "all"], rows)
