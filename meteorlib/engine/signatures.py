"""The signature of a configuration: each field that can change a score, and METEOR 1.5's Eval ID."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from re import DOTALL, sub
from typing import Any

from attrs import Attribute, asdict

from meteorlib._version import __version__
from meteorlib.config.schema import ScorerConfig, SearchConfig, StageConfig
from meteorlib.core.languages import LANGUAGES, language_code
from meteorlib.core.numbers_and_letters import java_double
from meteorlib.core.parameters import DEFAULT_PERFECT, NUMERIC_PARAMETERS, VERSIONS, Parameters
from meteorlib.core.signature import Signature, part_name, percent_encode
from meteorlib.extras import Packages, Versions
from meteorlib.registry import MATCHERS, TEXTS

RESOURCE_DIGITS = 8
"""Hexadecimal digits of a resource's digest that a signature shows."""

_COUNTS = {"words": "wo", "characters": "ch"}


def signature_of(
    config: ScorerConfig,
    parameters: Parameters,
    digests: Mapping[str, str],
    given: Mapping[str, object],
    versions: Versions,
) -> Signature:
    """The signature of a configuration, whose description and source do not count.

    `digests` has the sha256 of each resource in hexadecimal, by the names that `config` uses, and of other data that
    were loaded (the normalizer's prefixes), by their own names. A resource that is a file is shown by its file name and
    digest, so that its folder does not matter; without a digest, by its whole path. `given` has for a matcher the part
    that it works with instead of its resource.
    """
    numbers = "|".join(f"{key}:{value}" for key, value in _fields(config, parameters, digests, given, versions))
    return Signature(config.name, numbers, None if given or versions else _eval_id(config, parameters))


def _fields(
    config: ScorerConfig,
    parameters: Parameters,
    digests: Mapping[str, str],
    given: Mapping[str, object],
    versions: Versions,
) -> Iterator[tuple[str, str]]:
    named = [stage.resource for stage in config.stages] + [config.function_words]
    weights = config.weights
    yield "language", percent_encode(config.language)
    yield "text", percent_encode(config.text) + _in_parentheses(_pairs(versions.text))
    parts = zip(config.stages, versions.stages or [{}] * len(config.stages), strict=True)
    yield "stages", ",".join(_stage(stage, digests, given, packages) for stage, packages in parts)
    for name, facts in NUMERIC_PARAMETERS.items():
        value = float(getattr(parameters, name))
        if value != facts.default if facts.optional else facts.formula in (None, parameters.formula):
            yield name, repr(value)
    version = VERSIONS.get(parameters.formula)
    yield "formula", percent_encode(parameters.formula) + (f"(version={version})" if version else "")
    if parameters.perfect not in (None, DEFAULT_PERFECT[parameters.formula]):
        yield "perfect_segments", percent_encode(str(parameters.perfect))
    if weights is not None:
        named.append(weights.resource)
        given_weights = f"floor={float(weights.floor)!r},punctuation={float(weights.punctuation)!r}"
        given_weights += f",length={float(weights.length)!r}" if weights.length else ""
        given_weights += f",function={float(weights.function)!r}" if weights.function else ""
        yield "weights", f"{percent_encode(weights.name)}({_resource(weights.resource, digests)},{given_weights})"
    if config.case is not None:
        yield "case", repr(float(config.case))
    yield "search", _search(config.search, versions.search)
    if config.function_words is not None:
        yield "function_words", _resource(config.function_words, digests)
    if config.negations is not None:
        named.append(config.negations)
        yield "negations", _resource(config.negations, digests)
    yield "count", percent_encode(config.count)
    yield "reduce", percent_encode(config.reduce)
    others = sorted(set(digests).difference(name for name in named if name is not None))
    if others:
        yield "resources", ",".join(_resource(name, digests) for name in others)
    yield "version", f"meteorlib-{__version__}"


def _stage(stage: StageConfig, digests: Mapping[str, str], given: Mapping[str, object], packages: Packages) -> str:
    if stage.matcher in given:
        parts = [f"given={percent_encode(part_name(given[stage.matcher]))}"]
    else:
        named = [] if stage.resource is None else [_resource(stage.resource, digests)]
        parts = [*named, *_settings(stage.settings)]
    return f"{percent_encode(stage.matcher)}{_in_parentheses([*parts, *_pairs(packages)])}*{float(stage.weight)!r}"


def _search(search: SearchConfig, packages: Packages) -> str:
    return f"{percent_encode(search.name)}({','.join([*_settings(search.settings), *_pairs(packages)])})"


def _settings(settings: Any) -> list[str]:
    return [] if settings is None else _pairs(asdict(settings, recurse=False, filter=_is_named))


def _is_named(attribute: Attribute[Any], value: object) -> bool:
    """Whether a setting is shown: one with ``optional`` in its metadata only if it is not the default."""
    return not attribute.metadata.get("optional") or value != attribute.default


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{percent_encode(key)}={percent_encode(str(value))}" for key, value in values.items()]


def _in_parentheses(parts: Sequence[str]) -> str:
    return f"({','.join(parts)})" if parts else ""


def _resource(name: str, digests: Mapping[str, str]) -> str:
    digest = digests.get(name)
    if not digest:
        return percent_encode(name)
    return f"{percent_encode(_file_name(name))}@{digest[:RESOURCE_DIGITS]}"


def _file_name(name: str) -> str:
    return sub(r"^.*[/\\]", "", name, flags=DOTALL)


def _stemmer_language(resource: str | None) -> str | None:
    if resource == "arabic":
        return "ar-bw-red"
    return language_code(resource.removeprefix("snowball-")) if resource and resource.startswith("snowball-") else None


def _eval_id(config: ScorerConfig, parameters: Parameters) -> str | None:
    """METEOR 1.5's Eval ID, which the program prints at the head of its report; None where it has no such run."""
    possible = (
        parameters.formula == "meteor-1.5"
        and parameters.exempts_perfect
        and config.weights is None
        and config.case is None
        and config.search.name == "beam"
        and config.reduce == "max"
        and config.language in LANGUAGES
        and TEXTS.part(config.text).code
        and config.count in _COUNTS
        and all(MATCHERS.part(stage.matcher).code for stage in config.stages)
        and all(
            _stemmer_language(stage.resource) == config.language for stage in config.stages if stage.matcher == "stem"
        )
    )
    if not possible:
        return None
    numbers = (parameters.alpha, parameters.beta, parameters.gamma, parameters.delta)
    return "-".join(
        [
            "meteor-1.5",
            _COUNTS[config.count],
            config.language,
            TEXTS.part(config.text).code,
            "_".join(map(java_double, numbers)),
            "_".join(MATCHERS.part(stage.matcher).code for stage in config.stages),
            "_".join(java_double(stage.weight) for stage in config.stages),
        ]
    )
