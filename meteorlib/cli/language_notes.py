"""Notes on presets for another language than the data declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized

from meteorlib.cli.escape_notes import listed
from meteorlib.cli.inputs import Inputs
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.languages import language_name, target_language


def language_notes(pairs: Iterable[str], configs: Sequence[ScorerConfig]) -> Iterator[str]:
    """Notes on presets that are not for the target language of all pairs; unknown languages are left out.

    Args:
        pairs: language pairs, such as ``en-de``.
        configs: the presets.
    """
    targets = {pair: language for pair in dict.fromkeys(pairs) if (language := target_language(pair))}
    presets: dict[str, list[str]] = {}
    for config in configs:
        if own := language_name(config.language):
            presets.setdefault(own, []).append(config.name)
    for own, names in presets.items():
        if others := {pair: language for pair, language in targets.items() if language != own}:
            yield (
                f"note: {listed(names)} {_be(names)} for {own}, but {listed([*others])} {_be(others)} into "
                f"{listed([*dict.fromkeys(others.values())])}; `meteorlib languages` lists presets"
            )


def notes_on_language(inputs: Inputs, configs: Sequence[ScorerConfig]) -> Iterator[str]:
    """The notes for the tables of a system, if they have a column of language pairs."""
    return language_notes(inputs.joined.language_pairs() if inputs.joined else (), configs)


def _be(subjects: Sized) -> str:
    return "is" if len(subjects) == 1 else "are"
