"""Checked configurations, with absolute paths: conflicts between settings that are valid one by one are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import path as paths
from typing import Any, NamedTuple
from warnings import warn

from attrs import asdict, evolve

from meteorlib.config.builtin import load_preset
from meteorlib.config.schema import DEFAULT_SEARCH, Place, ScorerConfig
from meteorlib.core.languages import TUNED_LANGUAGES, language_code
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.errors import ConfigError, MeteorWarning, UnknownName
from meteorlib.registry import MATCHERS, SEARCHES, TEXTS
from meteorlib.resources.catalog import is_path
from meteorlib.resources.language_data import KINDS, check_name


class Conflict(NamedTuple):
    """A conflict between settings: where it may be put right, the likeliest first; what is wrong and what to do."""

    places: tuple[Place, ...]
    text: str


def check(config: ScorerConfig) -> None:
    """Refuse a configuration whose settings conflict; those that come from YAML have been checked."""
    texts = [conflict.text for conflict in conflicts(asdict(config))]
    if texts:
        raise ConfigError(f"configuration {config.name!r}", texts)


def conflicts(config: Mapping[str, Any]) -> Iterator[Conflict]:
    """The conflicts in a configuration given as plain mappings and lists; values of a wrong type are skipped."""
    text, language = config.get("text", "lower"), config.get("language", "en")
    code = language_code(language) if isinstance(language, str) else None
    normalizes = isinstance(text, str) and text in TEXTS and TEXTS.part(text).normalizes
    if normalizes and code is not None and code not in TUNED_LANGUAGES:
        yield Conflict(
            (("language",), ("text",)),
            f"text {text!r} has no rules for language {language!r} (it has: {', '.join(sorted(TUNED_LANGUAGES))});"
            " tokenize the text first and use 'none' or 'lower'",
        )
    search = config.get("search")
    name = search.get("name", DEFAULT_SEARCH) if isinstance(search, Mapping) else DEFAULT_SEARCH
    single_words = isinstance(name, str) and name in SEARCHES and SEARCHES.part(name).single_words
    stages = config.get("stages")
    sees_segments = ""
    for index, stage in enumerate(stages if isinstance(stages, list | tuple) else ()):
        matcher = stage.get("matcher") if isinstance(stage, Mapping) else None
        if not isinstance(matcher, str) or matcher not in MATCHERS:
            continue
        part, resource, place = MATCHERS.part(matcher), stage.get("resource"), ("stages", index)
        if part.context and sees_segments:
            yield Conflict((place,), f"stages {sees_segments} and {matcher} both see whole segments; leave one out")
        sees_segments = sees_segments or (matcher if part.context else "")
        if single_words and not part.single_words:
            yield Conflict(
                (place, ("search", "name")),
                f"search {name!r} pairs single words and takes no {matcher} stage; use search 'beam'",
            )
        if part.resource is None:
            if resource is not None:
                yield Conflict(((*place, "resource"), place), f"matcher {matcher!r} takes no resource")
        elif part.resource != "file" and resource in (None, ""):
            yield Conflict((place,), f"matcher {matcher!r} needs a 'resource': {KINDS[part.resource].example}")
        else:
            yield from _unknown_resource(part.resource, resource, (*place, "resource"))
    yield from _formula_conflicts(config)
    yield from _fault_conflicts(config)
    yield from _unknown_resource("negation words", config.get("negations"), ("negations",))
    yield from _unknown_resource("function word list", config.get("function_words"), ("function_words",))


def _formula_conflicts(config: Mapping[str, Any]) -> Iterator[Conflict]:
    """Conflicts between the formula, its numbers, and what is counted."""
    parameters, weights, formula = config.get("parameters"), config.get("weights"), config.get("formula", "meteor-1.5")
    for name, facts in NUMERIC_PARAMETERS.items():
        given = parameters.get(name) if isinstance(parameters, Mapping) else None
        if facts.formula not in (None, formula) and given not in (None, facts.default):
            yield Conflict(
                (("parameters", name), ("formula",)), f"only formula {facts.formula!r} has {name!r}, not {formula!r}"
            )
    if formula == "meteor-2026" and config.get("perfect_segments") == "exempt":
        yield Conflict(
            (("perfect_segments",),), "formula 'meteor-2026' penalizes no perfect segment anyway; leave the key out"
        )
    if isinstance(weights, Mapping):
        if config.get("count", "words") != "words":
            yield Conflict(
                (("count",), ("weights",)), "weights need words; use count 'words', or leave out the weights"
            )
        yield from _unknown_resource("word weights", weights.get("resource"), ("weights", "resource"))


def _fault_conflicts(config: Mapping[str, Any]) -> Iterator[Conflict]:
    """Penalties of faults that nothing in the configuration can find."""
    parameters, weights = config.get("parameters"), config.get("weights")
    function = weights.get("function") if isinstance(weights, Mapping) else None
    if function and config.get("function_words"):
        yield Conflict(
            (("weights", "function"), ("function_words",)),
            "function words are found by their weight or by a list, not by both; leave out 'function' or use"
            " 'function_words: null'",
        )
    needs = {
        "omission": (function or config.get("function_words"), "'weights: {function: 0.3}', or 'function_words'"),
        "negation": (config.get("negations"), "'negations: negations-en', or a file of negation words"),
        "start": (config.get("case") is not None, "'case', which keeps uppercase letters"),
    }
    for name, (given, wanted) in needs.items():
        if isinstance(parameters, Mapping) and parameters.get(name) not in (None, 0) and not given:
            yield Conflict((("parameters", name),), f"{name!r} needs {wanted}; give that, or use '{name}: 0'")


def _unknown_resource(kind: str, name: Any, place: Place) -> Iterator[Conflict]:
    if not isinstance(name, str) or not name:
        return
    try:
        check_name(kind, name)
    except UnknownName as error:
        yield Conflict((place, place[:-1]), str(error))


def as_config(config: str | ScorerConfig) -> ScorerConfig:
    """The checked configuration that a preset's name or a `ScorerConfig` stands for."""
    if isinstance(config, str):
        return load_preset(config)
    if not isinstance(config, ScorerConfig):
        raise TypeError(f"a preset's name or a ScorerConfig is expected, got {type(config).__name__}")
    check(config)
    first = config.stages[0].matcher  # which alone matches identical sides: METEOR's rule
    if not MATCHERS.part(first).equal_words:
        warn(
            f"preset {config.name!r}: its first stage, {first}, does not match equal words, so a sentence scores "
            "0 against itself; put {matcher: exact} first",
            MeteorWarning,
            stacklevel=3,
        )
    return resolve_paths(config)


def resolve_paths(config: ScorerConfig, folder: str = "") -> ScorerConfig:
    r"""`config` with its relative paths taken from its folder ``resources``, and that from `folder`.

    Strings with a ``/``, a ``\`` or a ``.`` are paths, all others names. Doing it again changes nothing.
    Without `folder` and ``resources``, the configuration is returned unchanged.
    """
    base = folder if config.resources is None else paths.abspath(paths.join(folder, config.resources))
    if not base:
        return config

    def joined(name: str | None) -> str | None:
        return paths.normpath(paths.join(base, name)) if name is not None and is_path(name) else name

    return evolve(
        config,
        stages=tuple(evolve(stage, resource=joined(stage.resource)) for stage in config.stages),
        function_words=joined(config.function_words),
        negations=joined(config.negations),
        weights=config.weights and evolve(config.weights, resource=joined(config.weights.resource) or ""),
        resources=None if config.resources is None else base,
    )
