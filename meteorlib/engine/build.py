"""Construction of the engine of a configuration, in Python or compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from attrs import asdict

from meteorlib.config.schema import ScorerConfig, StageConfig
from meteorlib.core.alignment import Match
from meteorlib.core.breakdown import Origin
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import SCALE, Pair
from meteorlib.engine.compiled import CompiledEngine
from meteorlib.engine.engine import Engine, Identity
from meteorlib.engine.implementation import Implementation, default_implementation, load_kernel
from meteorlib.engine.python import PythonEngine, Text
from meteorlib.engine.signatures import signature_of
from meteorlib.engine.words import word_size, word_traits
from meteorlib.errors import ConfigError
from meteorlib.extras import Versions
from meteorlib.matchers.matcher import ContextMatcher, GradedMatcher, Matcher, PhraseMatcher, WordMatcher
from meteorlib.parts import MatcherPart, SearchPart, TextPart
from meteorlib.registry import MATCHERS, PREPARATIONS, SEARCHES, TEXTS, resolve
from meteorlib.resources.language_data import open_resource, resource_digests
from meteorlib.resources.word_lists import NO_NEGATIONS, function_words, nonbreaking_prefixes
from meteorlib.text.token import Prepared, Tokens

if TYPE_CHECKING:
    from meteorlib.engine.kernel import kernel as compiled_kernel


Given = Mapping[str, Any]
"""Matcher → what it works with, instead of the resource that the configuration names."""


def build_engine(config: ScorerConfig, given: Given | None = None, wanted: Implementation | None = None) -> Engine[Any]:
    """Make the engine of a configuration, with the signature of all that was opened for it.

    `given` are parts in place of resources.

    Raises:
        UnknownName: there is no such part or resource.
        ResourceMissing: language data are not installed.
        ConfigError: a part was given for a matcher that is in no stage; ``compiled`` was asked for, and the preset has
            no compiled form, or the package was built without the compiled kernel.
    """
    given = given or {}
    parts = [MATCHERS.part(stage.matcher) for stage in config.stages]
    text_part, search = TEXTS.part(config.text), SEARCHES.part(config.search.name)
    unused = sorted(set(given).difference(stage.matcher for stage in config.stages))
    if unused:
        raise ConfigError(config.name, [f"a part was given for {name!r}, which is in no stage" for name in unused])
    words = function_words(config.function_words) if config.function_words else frozenset[str]()
    weights = None if config.weights is None else open_resource("word weights", config.weights.resource)[0]
    stages = list(zip(config.stages, parts, strict=True))
    negations = NO_NEGATIONS if config.negations is None else open_resource("negation words", config.negations)[0]
    data_of_stages = [_open_data(stage, part, given) for stage, part in stages]
    matchers = [
        _matcher(stage, part, data, config, search) for (stage, part), data in zip(stages, data_of_stages, strict=True)
    ]
    text: Any = make_text(config)
    tokens = _tokens(text, config, text_part)
    resources = [
        (part.resource, stage.resource, data[0])
        for (stage, part), data in zip(stages, data_of_stages, strict=True)
        if stage.resource and stage.matcher not in given
    ]
    if config.weights is not None:
        resources.append(("word weights", config.weights.resource, weights))
    if config.negations is not None:
        resources.append(("negation words", config.negations, negations))
    used = [(matcher, *data) for matcher, data in zip(matchers, data_of_stages, strict=True)]
    versions = Versions.of(text, used, config.search.settings)
    parameters = config.formula_parameters()
    signature = signature_of(config, parameters, resource_digests(resources, config.function_words), given, versions)
    scale = SCALE if config.fractional else 1
    origin = Origin(str(signature), tuple(stage.matcher for stage in config.stages), scale=scale)
    identity = Identity(config, given, wanted, parameters, signature, origin)
    size = word_size(config, weights)
    traits = word_traits(config, negations)
    kernels = [_kernel(stage.matcher, part, given) for stage, part in stages]
    reason = _reason_for_python(config, search, kernels, parameters)
    kernel_class = _kernel_class(config, reason, wanted or default_implementation())
    python = partial(PythonEngine, identity, text, matchers, search, lambda word: word.lower() in words, size, traits)
    if kernel_class is None:
        return python()
    kernel = kernel_class(
        text.words,
        tokens,
        list(zip(kernels, matchers, strict=True)),
        config.search.name,
        config.search.settings,
        search.most_pairs,
        words,
        size,
        traits,
        scale,
        parameters,
        config.case,
        config.reduce == "min",
        config.ties_by_counts,
    )
    return CompiledEngine(identity, kernel, python)


def _open_data(stage: StageConfig, part: MatcherPart, given: Given) -> tuple[Any, ...]:
    """The data that a matcher is made with: its opened resource, or the part given in its place."""
    if stage.matcher in given:
        return (given[stage.matcher],)
    return open_resource(part.resource, stage.resource)


def _matcher(
    stage: StageConfig, part: MatcherPart, data: tuple[Any, ...], config: ScorerConfig, search: SearchPart
) -> Matcher:
    settings = {} if stage.settings is None else asdict(stage.settings, recurse=False)
    matcher: Matcher = resolve(part.make)(*data, **settings)
    if problem := _misfit(stage.matcher, part, type(matcher), config.search.name, search):
        raise ConfigError(config.name, [problem])
    return matcher


def _misfit(name: str, part: MatcherPart, made: type[Matcher], search_name: str, search: SearchPart) -> str:
    """Why the class of a matcher does not fit its row of the registry, its kernel or the search; empty if it does."""
    subject = f"matcher {name!r}: {made.__name__}"
    if not issubclass(made, WordMatcher | PhraseMatcher | ContextMatcher):
        return f"{subject} extends none of WordMatcher, PhraseMatcher and ContextMatcher"
    if issubclass(made, ContextMatcher) and not (part.graded and part.context):
        return f"{subject} sees whole segments; register it as MatcherPart(…, graded=True, context=True)"
    if issubclass(made, GradedMatcher) and not part.graded:
        return f"{subject} grades its matches; register it as MatcherPart(…, graded=True)"
    expected = MATCHERS.get(part.kernel) if part.kernel and part.kernel in MATCHERS.builtin else None
    if part.kernel is not None and made is not expected:
        stands = "does not exist" if expected is None else f"stands for {expected.__name__}, not for {made.__name__}"
        kernel = f"matcher {name!r}: the compiled kernel {part.kernel!r} {stands}"
        return f"{kernel}; register it as a MatcherPart without 'kernel'"
    if issubclass(made, PhraseMatcher) and search.single_words:
        pairs = f"search {search_name!r} pairs single words, and matcher {name!r} pairs phrases"
        return f"{pairs}; use search 'beam'"
    return ""


def make_text(config: ScorerConfig) -> Text:
    """The text mode of a configuration."""
    part = TEXTS.part(config.text)
    prefixes = nonbreaking_prefixes(config.language) if part.normalizes else (frozenset[str](), frozenset[str]())
    text: Any = resolve(part.make)(config.language, prefixes)
    if config.case is not None:
        if not hasattr(text, "cased"):
            problem = f"text mode {config.text!r} has no method 'cased', which 'case' needs"
            raise ConfigError(config.name, [f"{problem}; leave out 'case'"])
        text = text.cased()
    makers = [row.make for prefix, row in PREPARATIONS.items() if prefix in part.prefixes]
    made: Text = Prepared(text, tuple(resolve(maker)(config.language) for maker in makers)) if makers else text
    return made


def _tokens(text: Any, config: ScorerConfig, part: TextPart) -> Tokens | None:
    """Description of the tokens of a text mode; None if its registry entry does not promise one."""
    if not part.tokens:
        return None
    plain = text.text if isinstance(text, Prepared) else text
    if not hasattr(plain, "tokens"):
        problem = f"text mode {config.text!r}: {type(plain).__name__} has no method 'tokens'"
        raise ConfigError(config.name, [f"{problem}; write it, or register TextPart(…, tokens=False)"])
    tokens: Tokens = text.tokens()
    return tokens


def _kernel_class(config: ScorerConfig, reason: str, wanted: Implementation) -> type[compiled_kernel.Kernel] | None:
    """The class of the compiled kernel; None for the Python code, also if there is a reason for it."""
    if wanted == "python":
        return None
    kernel_class = load_kernel()
    if wanted == "compiled" and (kernel_class is None or reason):
        reason = "the compiled kernel was not built" if kernel_class is None else reason
        raise ConfigError(config.name, [f"cannot run compiled: {reason}; use 'auto'"])
    return None if reason else kernel_class


def has_kernel(config: ScorerConfig, given: Given | None = None) -> bool:
    """Whether there is a compiled form of the search with these stages, in their order, with their weights."""
    names = [stage.matcher for stage in config.stages]
    kernels = [_kernel(name, MATCHERS.part(name), given or {}) for name in names]
    return not _reason_for_python(config, SEARCHES.part(config.search.name), kernels, config.formula_parameters())


def _reason_for_python(
    config: ScorerConfig, search: SearchPart, kernels: Sequence[str | None], parameters: Parameters
) -> str:
    """Explain why a configuration cannot run compiled; an empty string if it can."""
    name = f"search {config.search.name!r}"
    if not search.kernels:
        return f"{name} has no compiled form"
    for stage, kernel in zip(config.stages, kernels, strict=True):
        if not search.knows([kernel]):
            return f"stage {stage.matcher!r} has no compiled form for {name}"
    if not search.knows(kernels):
        listed = ", ".join(stage.matcher for stage in config.stages)
        return f"{name} has no compiled form for these stages in this order: {listed}"
    if search.weighs and not parameters.ranged:
        return f"{name} has no compiled form for parameters or weights outside their ranges"
    if not search.weighs and config.case is not None:
        return f"{name} has no compiled form for 'case'"
    return ""


def _kernel(matcher: str, part: MatcherPart, given: Given) -> str | None:
    """The kernel that may run in place of a matcher; None if there is none."""
    if part.kernel is None or (matcher == part.kernel and matcher not in given):
        return part.kernel
    return None if MATCHERS.part(part.kernel).reads_files else part.kernel


def propose_candidates(engine: Engine[Any], pair: Pair) -> tuple[Match, ...]:
    """See `meteorlib.Scorer.candidates`; always computed by the Python engine."""
    return _python_engine(engine.identity).candidates(pair)


@lru_cache(maxsize=1)
def _python_engine(identity: Identity) -> PythonEngine:
    engine = build_engine(identity.config, identity.given, "python")
    assert isinstance(engine, PythonEngine)  # noqa: S101 – it was asked for
    return engine
