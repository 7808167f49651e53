"""Signature: the one line that says which METEOR made a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from re import DOTALL, Match, sub
from types import ModuleType
from typing import Any, Protocol

from attrs import asdict, frozen

from meteorlib._version import __version__
from meteorlib.core.java import java_double
from meteorlib.core.languages import LANGUAGES, language_code
from meteorlib.core.letters import NEWER
from meteorlib.core.parameters import PERFECT, Parameters
from meteorlib.extras import Packages, Versions
from meteorlib.registry import MATCHERS, TEXTS

__all__ = ["Signature"]

DIGEST_LENGTH = 8
"""Hexadecimal digits of a digest that a signature shows."""

SHOWN = 100
"""Letters of a signature at the prompt."""

_COUNTS = {"words": "wo", "characters": "ch"}


class _Stage(Protocol):
    """What a signature reads of a stage; see `meteorlib.config.StageConfig`."""

    @property
    def matcher(self) -> str: ...
    @property
    def weight(self) -> float: ...
    @property
    def resource(self) -> str | None: ...
    @property
    def settings(self) -> Any: ...


class _Search(Protocol):
    """What a signature reads of a search; see `meteorlib.config.SearchConfig`."""

    @property
    def name(self) -> str: ...
    @property
    def settings(self) -> Any: ...


class _Weights(Protocol):
    """What a signature reads of word weights; see `meteorlib.config.WeightConfig`."""

    @property
    def name(self) -> str: ...
    @property
    def resource(self) -> str: ...
    @property
    def floor(self) -> float: ...
    @property
    def punctuation(self) -> float: ...
    @property
    def length(self) -> float: ...


class _Config(Protocol):
    """What a signature reads of a configuration: all of `meteorlib.config.ScorerConfig` that can move a number."""

    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def stages(self) -> Sequence[_Stage]: ...
    @property
    def search(self) -> _Search: ...
    @property
    def function_words(self) -> str | None: ...
    @property
    def weights(self) -> _Weights | None: ...
    @property
    def case(self) -> float | None: ...
    @property
    def count(self) -> str: ...
    @property
    def reduce(self) -> str: ...
    def formula_parameters(self) -> Parameters: ...


@frozen(repr=False)
class Signature:
    """Names a METEOR completely: what gives other numbers has another signature.

    ``str(signature)`` is one line of ``key:value`` fields between ``|``. The first, ``preset:NAME``, is a name for
    people; the rest is `numbers`.

    Attributes:
        preset: the preset's name.
        numbers: every field that can move a number, the release of meteorlib included. Scores may be compared where
            it is equal, whatever the presets are called.
        eval_id: the Eval ID that METEOR 1.5 prints for the same run; None where METEOR 1.5 cannot do it. It is less
            than `numbers`: beam width, word lists and resources are not in it.
    """

    preset: str
    numbers: str
    eval_id: str | None

    def to_dict(self) -> dict[str, str | None]:
        """The fields of the line by their names, as they stand there, and ``eval_id``."""
        return {**dict(field.split(":", 1) for field in str(self).split("|")), "eval_id": self.eval_id}

    def __repr__(self) -> str:
        line = str(self)
        return f"Signature({line if len(line) <= SHOWN else f'{line[: SHOWN - 26]}…{line[-25:]}'!r})"

    def _repr_html_(self) -> str:
        from meteorlib.core.notebook import table  # noqa: PLC0415 – for notebooks only

        return table((key, value) for key, value in self.to_dict().items() if value is not None)

    def __str__(self) -> str:
        return f"preset:{_escaped(self.preset)}|{self.numbers}"

    @classmethod
    def of(
        cls,
        config: _Config,
        digests: Mapping[str, str],
        given: Mapping[str, object] | None = None,
        versions: Versions | None = None,
    ) -> Signature:
        """The signature of a configuration.

        Args:
            config: the configuration; its description and source do not count.
            digests: resource → sha256 in hexadecimal, by the names that `config` uses; of others that were loaded too
                (the normalizer's prefixes), by their own. A resource that is a file is shown by its file name and
                digest, so that the folder it lies in does not matter; without a digest, by its whole path.
            given: matcher → the part it works with instead of its resource.
            versions: of what the parts work with.
        """
        given, versions = given or {}, versions or Versions()
        numbers = "|".join(f"{key}:{value}" for key, value in _fields(config, digests, given, versions))
        return cls(config.name, numbers, None if given or versions else _eval_id(config))


def _fields(
    config: _Config, digests: Mapping[str, str], given: Mapping[str, object], versions: Versions
) -> Iterator[tuple[str, str]]:
    parameters = config.formula_parameters()
    named = [stage.resource for stage in config.stages] + [config.function_words]
    weights = config.weights
    yield "language", _escaped(config.language)
    yield "text", _escaped(config.text) + _listed(_pairs(versions.text))
    told = zip(config.stages, versions.stages or [{}] * len(config.stages), strict=True)
    yield "stages", ",".join(_stage(stage, digests, given, packages) for stage, packages in told)
    for name in ("alpha", "beta", "gamma", "delta"):
        yield name, repr(float(getattr(parameters, name)))
    if parameters.formula == "meteor-2026":
        for name in ("crossing", "crossing_beta"):
            yield name, repr(float(getattr(parameters, name)))
    yield "formula", _escaped(parameters.formula)
    if parameters.perfect not in (None, PERFECT[parameters.formula]):
        yield "perfect_segments", _escaped(str(parameters.perfect))
    if weights is not None:
        named.append(weights.resource)
        given_weights = f"floor={float(weights.floor)!r},punctuation={float(weights.punctuation)!r}"
        given_weights += f",length={float(weights.length)!r}" if weights.length else ""
        yield "weights", f"{_escaped(weights.name)}({_resource(weights.resource, digests)},{given_weights})"
    if config.case is not None:
        yield "case", repr(float(config.case))
    yield "search", _search(config.search, versions.search)
    if config.function_words is not None:
        yield "function_words", _resource(config.function_words, digests)
    yield "count", _escaped(config.count)
    yield "reduce", _escaped(config.reduce)
    others = sorted(set(digests).difference(name for name in named if name is not None))
    if others:
        yield "resources", ",".join(_resource(name, digests) for name in others)
    yield "version", f"meteorlib-{__version__}"


def _stage(stage: _Stage, digests: Mapping[str, str], given: Mapping[str, object], packages: Packages) -> str:
    if stage.matcher in given:
        told = [f"given={_escaped(part_name(given[stage.matcher]))}"]
    else:
        named = [] if stage.resource is None else [_resource(stage.resource, digests)]
        told = [*named, *_settings(stage.settings)]
    return f"{_escaped(stage.matcher)}{_listed([*told, *_pairs(packages)])}*{float(stage.weight)!r}"


def _search(search: _Search, packages: Packages) -> str:
    return f"{_escaped(search.name)}({','.join([*_settings(search.settings), *_pairs(packages)])})"


def _settings(settings: Any) -> list[str]:
    return [] if settings is None else _pairs(asdict(settings, recurse=False))


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{_escaped(key)}={_escaped(str(value))}" for key, value in values.items()]


def _listed(told: Sequence[str]) -> str:
    return f"({','.join(told)})" if told else ""


def _resource(name: str, digests: Mapping[str, str]) -> str:
    digest = digests.get(name)
    if not digest:
        return _escaped(name)
    return f"{_escaped(_file_name(name))}@{digest[:DIGEST_LENGTH]}"


def part_name(part: object) -> str:
    """What a part that was given by hand is called.

    Its ``signature_name`` where it has one; else its name in Python: a function or method by its own, any other object
    by its class.
    """
    name = getattr(part, "signature_name", None)
    if isinstance(name, str):
        return name
    owner = getattr(part, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return f"{part_name(owner)}.{getattr(part, '__name__', '')}"
    named = part if hasattr(part, "__qualname__") else type(part)
    return f"{named.__module__}.{named.__qualname__}"


def _file_name(name: str) -> str:
    return sub(r"^.*[/\\]", "", name, flags=DOTALL)


def _stemmed(resource: str | None) -> str | None:
    """The language of METEOR 1.5's stemmers."""
    if resource == "arabic":
        return "ar-bw-red"
    return language_code(resource.removeprefix("snowball-")) if resource and resource.startswith("snowball-") else None


def _escaped(name: str) -> str:
    """`name` with all percent-encoded that could be taken for the line's own punctuation."""
    unsafe = r"[^\w./+-]" if name.isascii() else rf"[^\w./+-]|[{NEWER}]"  # what \w takes depends on the Python
    return sub(unsafe, _percent, name)


def _percent(found: Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))


def _eval_id(config: _Config) -> str | None:
    """METEOR 1.5's Eval ID (printed by the program at the head of its report)."""
    parameters = config.formula_parameters()
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
        and all(_stemmed(stage.resource) == config.language for stage in config.stages if stage.matcher == "stem")
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
