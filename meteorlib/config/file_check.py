"""Check that the files a preset names exist; all problems at once, with their lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from meteorlib.config.node import Node, Place, Problems
from meteorlib.config.schema import ScorerConfig
from meteorlib.resources.word_lists import unreadable_file_advice

FUNCTION_WORDS: Place = ("function_words",)
WEIGHTS: Place = ("weights", "resource")
NEGATIONS: Place = ("negations",)


def check_files(config: ScorerConfig, node: Node, problems: Problems) -> None:
    """Note every file of a preset that is not there, or is none.

    Args:
        config: the preset, its paths taken from the folders they are in.
        node: where it stands, with all that it inherits.
        problems: of the file that holds it.
    """
    for place, name in _named_files(config):
        reason = _reason(Path(name), place) if any(mark in name for mark in "/\\.") else None
        if reason is not None:
            # a built-in preset names files that are looked for in the folder that another one gives
            places = [node.find(place), node.get("resources"), node]
            at = next((found for found in places if found is not None and found.source == problems.source), node)
            problems.add(at, f"{name}: {unreadable_file_advice(name, reason)}")


def _named_files(config: ScorerConfig) -> Iterator[tuple[Place, str]]:
    if config.function_words:
        yield FUNCTION_WORDS, config.function_words
    if config.weights is not None:
        yield WEIGHTS, config.weights.resource
    if config.negations:
        yield NEGATIONS, config.negations
    for index, stage in enumerate(config.stages):
        if stage.resource:
            yield ("stages", index, "resource"), stage.resource


def _reason(path: Path, place: Place) -> str | None:
    """Why a path cannot be language data; a stage's may be a folder, a paraphrase table's index."""
    try:
        if not path.exists():
            return "No such file or directory"
        if path.is_dir():
            return "it is a folder" if place in (FUNCTION_WORDS, WEIGHTS, NEGATIONS) else None
        return None if path.is_file() else "it is not a regular file"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
