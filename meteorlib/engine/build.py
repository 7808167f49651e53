"""Construction of the engine of a configuration, in Python or compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict

from meteorlib.config.schema import ScorerConfig, StageConfig
from meteorlib.core.origin import Origin
from meteorlib.core.segment import SCALE
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.engine import Engine, Identity
from meteorlib.engine.implementation import Implementation, default_implementation, load_kernel
from meteorlib.engine.python import PythonEngine, Text
from meteorlib.engine.signatures import signature_of
from meteorlib.engine.word_weights import word_size
from meteorlib.errors import ConfigError
from meteorlib.extras import Versions
from meteorlib.matchers.matcher import GradedMatcher, Matcher, PhraseMatcher, WordMatcher
from meteorlib.registry import MATCHERS, SEARCHES, TEXTS, resolve
from meteorlib.resources.kinds import open_resource, resource_digests
from meteorlib.resources.word_lists import function_words, nonbreaking_prefixes
from meteorlib.text.case import split_case
from meteorlib.text.token import Tokens

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as compiled_kernel

Given = Mapping[str, Any]
"""Matcher → what it works with, instead of the resource that the configuration names."""


def build_engine(config: ScorerConfig, given: Given | None = None, wanted: Implementation | None = None) -> Engine[Any]:
    """Make the engine of a configuration, with the signature of all that was opened for it.

    Args:
        config: the configuration.
        given: parts in place of resources.
        wanted: None for what the environment says.

    Raises:
        UnknownName: there is no such part or resource.
        ResourceMissing: language data are not installed.
        ConfigError: a part was given for a matcher that is in no stage; ``compiled`` was asked for, and the preset has
            no compiled form or the package no extension.
    """
    given = given or {}
    _check_search(config)
    unused = sorted(set(given).difference(stage.matcher for stage in config.stages))
    if unused:
        raise ConfigError(config.name, [f"a part was given for {name!r}, which is in no stage" for name in unused])
    words = function_words(config.function_words) if config.function_words else frozenset[str]()
    weights = None if config.weights is None else open_resource("word weights", config.weights.resource)[0]
    data_of_stages = [_open_data(stage, given) for stage in config.stages]
    matchers = [_matcher(stage, data, config) for stage, data in zip(config.stages, data_of_stages, strict=True)]
    text: Any = make_text(config)
    tokens = _tokens(text, config)
    resources = [
        (MATCHERS.part(stage.matcher).resource, stage.resource, data[0])
        for stage, data in zip(config.stages, data_of_stages, strict=True)
        if stage.resource and stage.matcher not in given
    ]
    if config.weights is not None:
        resources.append(("word weights", config.weights.resource, weights))
    parts = [(matcher, *data) for matcher, data in zip(matchers, data_of_stages, strict=True)]
    versions = Versions.of(text, parts, config.search.settings)
    parameters = config.formula_parameters()
    signature = signature_of(config, parameters, resource_digests(resources, config.function_words), given, versions)
    scale = SCALE if config.fractional else 1
    origin = Origin(str(signature), tuple(stage.matcher for stage in config.stages), scale=scale)
    identity = Identity(config, given, wanted, parameters, signature, origin)
    size = word_size(config, weights)
    kernel_class = _kernel_class(config, given, wanted or default_implementation())
    if kernel_class is None:
        settings = config.search.settings
        return PythonEngine(identity, text, matchers, settings, _membership_test(words), size)
    kernel = kernel_class(
        text.words,
        tokens,
        [(_kernel(stage.matcher, given), matcher) for stage, matcher in zip(config.stages, matchers, strict=True)],
        config.search.name,
        config.search.settings,
        words,
        size,
        scale,
        parameters,
        config.case,
        split_case,
        config.reduce == "min",
    )
    return CompiledEngine(identity, kernel)


def _check_search(config: ScorerConfig) -> None:
    """Refuse a search that declares on its class what its row declares now, or a compiled form that it cannot have."""
    if SEARCHES.part(config.search.name).kernels and config.search.name not in SEARCHES.builtin:
        problem = f"search {config.search.name!r}: only built-in searches have a compiled form"
        raise ConfigError(config.name, [f"{problem}; register it as a SearchPart without 'kernels'"])
    for name in ("weighs", "worth"):
        if hasattr(type(config.search.settings), name):
            problem = f"search {config.search.name!r}: the attribute {name!r} of its class is not read"
            raise ConfigError(config.name, [f"{problem}; register it as SearchPart(…, weighs=…, gain=…)"])


def _open_data(stage: StageConfig, given: Given) -> tuple[Any, ...]:
    """The data that a matcher is made with: its opened resource, or the part given in its place."""
    if stage.matcher in given:
        return (given[stage.matcher],)
    return open_resource(MATCHERS.part(stage.matcher).resource, stage.resource)


def _matcher(stage: StageConfig, data: tuple[Any, ...], config: ScorerConfig) -> Matcher:
    settings = {} if stage.settings is None else asdict(stage.settings, recurse=False)
    part = MATCHERS.part(stage.matcher)
    matcher: Matcher = resolve(part.make)(*data, **settings)
    if not isinstance(matcher, WordMatcher | PhraseMatcher):
        text = f"matcher {stage.matcher!r}: {type(matcher).__name__} extends neither WordMatcher nor PhraseMatcher"
        raise ConfigError(config.name, [text])
    if isinstance(matcher, GradedMatcher) and not part.graded:
        text = f"matcher {stage.matcher!r}: {type(matcher).__name__} grades its matches"
        raise ConfigError(config.name, [f"{text}; register it as MatcherPart(…, graded=True)"])
    if part.kernel is not None:
        _check_kernel(stage.matcher, part.kernel, type(matcher), config)
    if isinstance(matcher, PhraseMatcher) and SEARCHES.part(config.search.name).single_words:
        text = f"search {config.search.name!r} pairs single words, and matcher {stage.matcher!r} pairs phrases"
        raise ConfigError(config.name, [f"{text}; use search 'beam'"])
    return matcher


def _check_kernel(name: str, kernel: str, made: type[Matcher], config: ScorerConfig) -> None:
    """Refuse a kernel that does not exist, or that stands for another class."""
    expected = MATCHERS.get(kernel) if kernel in MATCHERS.builtin else None
    if made is not expected:
        stands = "does not exist" if expected is None else f"stands for {expected.__name__}, not for {made.__name__}"
        problem = f"matcher {name!r}: the compiled kernel {kernel!r} {stands}"
        raise ConfigError(config.name, [f"{problem}; register it as a MatcherPart without 'kernel'"])


def make_text(config: ScorerConfig) -> Text:
    """The text mode of a configuration."""
    part = TEXTS.part(config.text)
    prefixes = nonbreaking_prefixes(config.language) if part.normalizes else (frozenset[str](), frozenset[str]())
    text: Text = resolve(part.make)(config.language, prefixes)
    if config.case is None:
        return text
    try:
        cased: Text = text.cased()  # type: ignore[attr-defined]
    except AttributeError:
        raise ConfigError(
            config.name, [f"text mode {config.text!r} has no method 'cased', which 'case' needs; leave out 'case'"]
        ) from None
    return cased


def _tokens(text: Text, config: ScorerConfig) -> Tokens | None:
    """How a text mode describes its tokens; None if its row does not say that it does."""
    if not TEXTS.part(config.text).tokens:
        return None
    if not hasattr(text, "tokens"):
        problem = f"text mode {config.text!r}: {type(text).__name__} has no method 'tokens'"
        raise ConfigError(config.name, [f"{problem}; write it, or register TextPart(…, tokens=False)"])
    tokens: Tokens = text.tokens()
    return tokens


def _membership_test(words: frozenset[str]) -> Callable[[str], bool]:
    return lambda word: word.lower() in words


def _kernel_class(config: ScorerConfig, given: Given, wanted: Implementation) -> type[compiled_kernel.Kernel] | None:
    """The class of the compiled kernel; None for the Python code."""
    if wanted == "python":
        return None
    known = has_kernel(config, given)
    kernel_class = load_kernel()
    if wanted == "compiled" and (kernel_class is None or not known):
        reason = (
            "the extension was not built" if kernel_class is None else "its stages or its search have no compiled form"
        )
        raise ConfigError(config.name, [f"cannot run compiled: {reason}; use 'auto'"])
    return kernel_class if known else None


def has_kernel(config: ScorerConfig, given: Given | None = None) -> bool:
    """Whether there is a compiled form of the search with these stages, in their order, with their weights."""
    search = SEARCHES.part(config.search.name)
    return (
        search.knows(_kernel(stage.matcher, given or {}) for stage in config.stages)
        and (search.weighs or config.case is None)
        and (not search.weighs or config.formula_parameters().ranged)
    )


def _kernel(matcher: str, given: Given) -> str | None:
    """The kernel that may run in place of a matcher; None if there is none."""
    kernel = MATCHERS.part(matcher).kernel
    own_resource = matcher == kernel and matcher not in given
    return kernel if kernel is None or own_resource or not MATCHERS.part(kernel).reads_files else None
