"""Settings that are right one by one and wrong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import asdict, frozen

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.languages import language_code
from meteorlib.errors import ConfigError, UnknownName

Place = tuple[str | int, ...]

NORMALIZED_LANGUAGES = ("cz", "de", "en", "es", "fr", "ru")
"""Languages that METEOR's normalizer knows."""

_RESOURCES = {
    "stem": "a stemmer such as 'porter' or 'snowball-en'",
    "synonym": "a lexicon such as 'wordnet-en'",
    "lemma": "the lexicon 'wordnet-en'",
    "paraphrase": "a table such as 'paraphrase-en'",
}


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
    if text in ("norm", "norm_nopunct") and code is not None and code not in NORMALIZED_LANGUAGES:
        yield Conflict(
            (("language",), ("text",)),
            f"text {text!r} has no rules for language {language!r} (it has: {', '.join(NORMALIZED_LANGUAGES)});"
            " tokenize the text first and use 'none' or 'lower'",
        )
    search = config.get("search")
    name = search.get("name") if isinstance(search, Mapping) else None
    single_words = name in ("staged", "greedy")
    stages = config.get("stages")
    for index, stage in enumerate(stages if isinstance(stages, list | tuple) else ()):
        if not isinstance(stage, Mapping):
            continue
        matcher, resource = stage.get("matcher"), stage.get("resource")
        place: Place = ("stages", index)
        if matcher == "paraphrase" and single_words:
            yield Conflict(
                (place, ("search", "name")),
                f"search {name!r} pairs single words and takes no paraphrase stage; use search 'beam'",
            )
        if isinstance(matcher, str) and matcher in _RESOURCES and resource in (None, ""):
            yield Conflict((place,), f"matcher {matcher!r} needs a 'resource': {_RESOURCES[matcher]}")
        if matcher == "exact" and resource is not None:
            yield Conflict(((*place, "resource"), place), "matcher 'exact' takes no resource")
        elif isinstance(matcher, str):
            yield from _unknown(matcher, resource, (*place, "resource"))
    yield from _unknown("function words", config.get("function_words"), ("function_words",))


def _unknown(use: str, name: Any, place: Place) -> Iterator[Conflict]:
    if not isinstance(name, str) or not name:
        return
    from meteorlib.resources.opening import check_name  # noqa: PLC0415 – nothing is loaded before a scorer is made

    try:
        check_name(use, name)
    except UnknownName as error:
        yield Conflict((place, place[:-1]), str(error))
