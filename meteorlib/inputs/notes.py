"""Notes of a run, each once: on text, on languages, on a missing engine; `meteorlib.inputs.escapes` looks at text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.languages import language_name, target_language
from meteorlib.core.segment import Pair
from meteorlib.corpus.batch import Batch, Lines, Rows
from meteorlib.display.text import be, listed
from meteorlib.engine.implementation import missing_engine
from meteorlib.inputs.escapes import EscapeFinder, Finding, Kind, lines_of
from meteorlib.inputs.shifts import OrderFinder
from meteorlib.registry import PREPARATIONS, TEXTS
from meteorlib.text.scripts import LetterSample

Describe = Callable[[Finding], str]

LONG = 5.0
"""Seconds of work for which it is noted that the compiled engine is missing, which would save most of them."""

_BATCH_SIZE = 1000
"""Texts in memory that are looked at together."""


class Notes:
    """Notes of a run, each shown once. It also looks at segments on their way to the scorer, unless it is `quiet`.

    Args:
        show: callback, called with each note.
        configs: the configurations. If their text modes restore lines, only other metrics need a note on those.
        metrics: the values of --metric; metrics from tables, ``NAME=FILE``, do not read the texts.
        option: whether the command has the options --unescape and --clean.
        quiet: whether nothing is shown.
    """

    def __init__(
        self,
        show: Callable[[str], object],
        configs: Sequence[ScorerConfig] = (),
        metrics: Sequence[str] = (),
        *,
        option: bool = True,
        quiet: bool = False,
    ) -> None:
        self._show = show
        self._quiet = quiet
        self._said: set[str] = set()
        self._configs = configs
        modes = [(config.name, TEXTS.part(config.text)) for config in configs]
        self._modes = [(name if len(modes) > 1 else "METEOR", mode) for name, mode in modes]
        self._metrics = [name for name in metrics if "=" not in name.partition(":")[0]]
        self._spaces = any(mode.blanks_only for _, mode in modes if "unescaped-" not in mode.prefixes)
        languages = [config.language for config in configs]
        self._language = "en" if "en" in languages else next(iter(languages), "")
        self._option = option
        self._finders: dict[str, tuple[EscapeFinder, Describe]] = {}
        self._orders: dict[str, OrderFinder] = {}
        self._samples: dict[str, LetterSample] = {}
        self._declared = False

    def say(self, *notes: str) -> None:
        """Show notes; those that were shown before are left out."""
        for note in notes:
            if not (self._quiet or note in self._said):
                self._said.add(note)
                self._show(note)

    def over(
        self, batches: Callable[[], Iterator[Batch]], names: Sequence[str], count: int, *, plain: bool
    ) -> Iterator[Batch]:
        """The batches, each looked at before it is handed on. Files that several systems share are looked at once.

        The names are those of the hypotheses, then of each file of references, or of all references together. Byte
        order marks of `plain` lines, and lists of references, have notes of their own. There are `count` segments.
        """
        lists = {name: name == names[0] for name in names}
        new = {
            name: finder
            for name in names
            if (finder := self._new_finder(name, str, marks=not plain, lists=lists[name]))
        }
        order = self._new_order_finder(names[0], count, batches)
        samples = {name: sample for name in names if (sample := self._new_sample(name))}
        for batch in batches():
            if order:
                order.add(batch)
            if new:
                for name, lines in dict(zip(names, _columns(batch), strict=True)).items():
                    if name in new:
                        new[name].add(lines, len(batch))
                    if name in samples:
                        samples[name].add(lines)
            yield batch

    def look(self, name: str, texts: Sequence[str], describe: Describe) -> None:
        """Look at texts that are in memory; `name` is what they are called."""
        finder, sample = self._new_finder(name, describe), self._new_sample(name)
        for start in range(0, len(texts) if finder or sample else 0, _BATCH_SIZE):
            batch = texts[start : start + _BATCH_SIZE]
            lines = lines_of(batch)
            if finder:
                finder.add(lines, len(batch))
            if sample:
                sample.add(lines)

    def on_texts(self) -> None:
        """Note what was seen in the texts: escapes, and letters of another language unless a file declares one."""
        self.on_escapes()
        samples = {} if self._declared else {name: sample.letters for name, sample in self._samples.items()}
        modes = [(config.text_language, TEXTS.part(config.text)) for config in self._configs]
        if not all(letters.suits(*mode) for letters in samples.values() for mode in modes):
            from meteorlib.config.languages import letter_notes  # noqa: PLC0415 – seldom needed

            self.say(*letter_notes(self._configs, samples))

    def look_at_order(self, name: str, pairs: Sequence[Pair]) -> None:
        """Look whether hypotheses in memory are beside their references; `name` is what they are called."""
        if order := self._new_order_finder(name, len(pairs), lambda: [Rows(pairs)]):
            order.add(Rows(pairs))

    def on_escapes(self) -> None:
        """Note each file with text that seems to be escaped, tokenized, marked or damaged, if a metric reads it so."""
        for name, (finder, describe) in self._finders.items():
            findings = finder.findings()
            for prefix, row in reversed(PREPARATIONS.items()):
                found = [finding for finding in findings if finding.kind in row.finds]
                if found and (advice := self._advice(prefix, row.function, row.verb)):
                    self.say(f"{name} seems to have {listed([*map(describe, found)])}; {advice}")
            for finding in findings:
                if finding.kind in _WITHOUT_REMEDY:
                    self.say(f"{name} seems to have {describe(finding)}; {_WITHOUT_REMEDY[finding.kind]}")
        for name, order in self._orders.items():
            if disorder := order.found():
                self.say(f"{name} seems {disorder}")

    def _new_order_finder(self, name: str, count: int, batches: Callable[[], Iterable[Batch]]) -> OrderFinder | None:
        """A finder for hypotheses that were not looked at."""
        if self._quiet or name in self._orders:
            return None
        self._orders[name] = OrderFinder(count, batches)
        return self._orders[name]

    def _advice(self, prefix: str, remedy: str, verb: str) -> str:
        """Advice for text that a function restores; empty if no metric reads it as it is."""
        doing = [name for name, mode in self._modes if prefix in mode.prefixes]
        reading = [*(name for name, mode in self._modes if prefix not in mode.prefixes), *self._metrics]
        if not reading:
            return ""
        if doing:
            return (
                f"{listed(doing)} {_verb(verb, doing)} the text before scoring, but {listed(reading)} "
                f"{_verb('score', reading)} it as it is; to {verb} a file, use meteorlib.{remedy}"
            )
        if not self._option:
            return f"if so, {verb} the text on both sides with meteorlib.{remedy}"
        return f"if so, add --{remedy}, which {verb}s the text on both sides"

    def on_languages(self, declared: Mapping[str, str | None]) -> None:
        """Note presets for another language than the data declare: a pair, a column or a file, and its language."""
        told: dict[str, list[ScorerConfig]] = {}
        for config in self._configs:
            if own := language_name(config.text_language):
                told.setdefault(own, []).append(config)
        for own, configs in told.items():
            others = {what: code for what, code in declared.items() if code and language_name(code) != own}
            if others:
                from meteorlib.config.languages import MOST_ADVISED, preset_advice  # noqa: PLC0415 – seldom needed

                self._declared = True
                names, codes = [config.name for config in configs], [*dict.fromkeys(others.values())]
                into = " into" if all(map(target_language, others)) else ""
                advised = ", ".join(preset_advice(configs[0], code) for code in codes[:MOST_ADVISED])
                more = "" if len(codes) <= MOST_ADVISED else "; `meteorlib languages` lists the others"
                self.say(
                    f"{listed(names)} {be(names)} for {own}, but {listed([*others])} {be(others)}{into} "
                    f"{listed([*filter(None, map(language_name, codes))])}; use {advised}{more}"
                )

    def on_engine(self, seconds: float) -> None:
        """Note at a terminal that work took more than `LONG` seconds without the compiled engine."""
        if seconds > LONG and sys.stderr is not None and sys.stderr.isatty() and (missing := missing_engine()):
            self.say(missing)

    def _new_sample(self, name: str) -> LetterSample | None:
        """A sample of texts that were not looked at."""
        if self._quiet or not self._configs or name in self._samples:
            return None
        self._samples[name] = LetterSample()
        return self._samples[name]

    def _new_finder(self, name: str, describe: Describe, **texts: bool) -> EscapeFinder | None:
        """A finder for texts that were not looked at."""
        if self._quiet or name in self._finders:
            return None
        self._finders[name] = EscapeFinder(self._language, self._spaces, **texts), describe
        return self._finders[name][0]


_WITHOUT_REMEDY: Mapping[Kind, str] = {
    "damaged": "they are not what was written: write the file again, in UTF-8, from the data that it was made of",
    "quoted": "if they are no part of the text, write the file without them, a text on each line",
}
"""Kind of finding that no function restores → what to do."""


def _verb(verb: str, subjects: Sequence[str]) -> str:
    return f"{verb}s" if len(subjects) == 1 else verb


def _columns(batch: Batch) -> Iterator[bytes]:
    """The lines of the hypotheses of a batch, then those of each file of references, or a line for each segment's."""
    if isinstance(batch, Lines):
        yield from batch.pieces
    else:
        pairs = list(batch)
        yield lines_of(pair.hypothesis for pair in pairs)
        yield lines_of("  ".join(pair.references) for pair in pairs)
