"""Settings that are right one by one and wrong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import asdict, frozen

from meteorlib.config.schema import DEFAULT_SEARCH, ScorerConfig
from meteorlib.core.languages import language_code
from meteorlib.errors import ConfigError, UnknownName
from meteorlib.registry import MATCHERS, SEARCHES, TEXTS

Place = tuple[str | int, ...]

NORMALIZED_LANGUAGES = ("cz", "de", "en", "es", "fr", "ru")
"""Languages that METEOR's normalizer knows."""


@frozen
class Conflict:
    """A conflict between settings.

    Attributes:
        places: where it may be put right, the likeliest first.
        text: what is wrong and what to do.
    """

    places: tuple[Place, ...]
    text: str


def check(config: ScorerConfig) -> None:
    """Refuse a configuration whose settings conflict; those that come from YAML have been checked.

    Raises:
        ConfigError: every conflict.
    """
    found = [conflict.text for conflict in conflicts(asdict(config))]
    if found:
        raise ConfigError(f"configuration {config.name!r}", found)


def conflicts(config: Mapping[str, Any]) -> Iterator[Conflict]:
    """The conflicts in a `ScorerConfig` as plain mappings and lists; what is of a wrong type is passed over."""
    text, language = config.get("text", "lower"), config.get("language", "en")
    code = language_code(language) if isinstance(language, str) else None
    normalizes = isinstance(text, str) and text in TEXTS and TEXTS.part(text).normalizes
    if normalizes and code is not None and code not in NORMALIZED_LANGUAGES:
        yield Conflict(
            (("language",), ("text",)),
            f"text {text!r} has no rules for language {language!r} (it has: {', '.join(NORMALIZED_LANGUAGES)});"
            " tokenize the text first and use 'none' or 'lower'",
        )
    search = config.get("search")
    name = search.get("name", DEFAULT_SEARCH) if isinstance(search, Mapping) else DEFAULT_SEARCH
    single_words = isinstance(name, str) and name in SEARCHES and SEARCHES.part(name).single_words
    stages = config.get("stages")
    for index, stage in enumerate(stages if isinstance(stages, list | tuple) else ()):
        matcher = stage.get("matcher") if isinstance(stage, Mapping) else None
        if not isinstance(matcher, str) or matcher not in MATCHERS:
            continue
        part, resource, place = MATCHERS.part(matcher), stage.get("resource"), ("stages", index)
        if single_words and not part.single_words:
            yield Conflict(
                (place, ("search", "name")),
                f"search {name!r} pairs single words and takes no {matcher} stage; use search 'beam'",
            )
        if part.resource is None:
            if resource is not None:
                yield Conflict(((*place, "resource"), place), f"matcher {matcher!r} takes no resource")
        elif part.resource != "file" and resource in (None, ""):
            yield Conflict((place,), f"matcher {matcher!r} needs a 'resource': {_example(part.resource)}")
        else:
            yield from _unknown(part.resource, resource, (*place, "resource"))
    yield from _unknown("function word list", config.get("function_words"), ("function_words",))


def _example(kind: str) -> str:
    from meteorlib.resources.opening import KINDS  # noqa: PLC0415 – nothing is loaded before a scorer is made

    return KINDS[kind].example


def _unknown(kind: str, name: Any, place: Place) -> Iterator[Conflict]:
    if not isinstance(name, str) or not name:
        return
    from meteorlib.resources.opening import check_name  # noqa: PLC0415 – nothing is loaded before a scorer is made

    try:
        check_name(kind, name)
    except UnknownName as error:
        yield Conflict((place, place[:-1]), str(error))
