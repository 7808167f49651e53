"""The configuration classes: frozen, complete and comparable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, Literal, get_args

from attrs import Attribute, asdict, converters, evolve, field, fields_dict, frozen, has, resolve_types
from attrs.validators import optional

from meteorlib.core.languages import language_code
from meteorlib.core.parameters import (
    NUMERIC_PARAMETERS,
    Formula,
    FormulaNumbers,
    Parameters,
    Perfect,
    Reduce,
    between_0_and_1,
    check_between,
    check_range,
    describe_numbers,
    each_number,
)
from meteorlib.core.segment import SCALE
from meteorlib.errors import UnknownName, did_you_mean
from meteorlib.registry import MATCHERS, SEARCHES, TEXTS, Registry, resolve

Count = Literal["words", "characters"]

DEFAULT_PRESET = "meteor-2005"
DEFAULT_SEARCH = "beam"

Place = tuple[str | int, ...]
"""Keys and indices that lead to a value of a configuration."""

Validator = Callable[[Any, "Attribute[Any]", Any], None]


def _number(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"must be a number, not {value!r}")
    return float(value)


def _tuple(stages: Iterable[StageConfig]) -> tuple[StageConfig, ...]:
    return tuple(stages)


def _in_range(_: object, attribute: Attribute[float], value: float) -> None:
    check_range(attribute.name, value)


def _a_weight(_: object, attribute: Attribute[float], value: float) -> None:
    check_between(attribute.name, value, 1 / SCALE, 1)


def _registered(registry: Registry[Any]) -> Validator:
    def check(_: object, attribute: Attribute[str], value: str) -> None:  # noqa: ARG001 – attrs passes it
        if value not in registry:
            raise UnknownName(registry.kind, value, registry.names())

    return check


def _one_of(names: Any) -> Validator:
    def check(_: object, attribute: Attribute[str], value: str) -> None:
        if value not in get_args(names):
            raise UnknownName(attribute.name, value, get_args(names))

    return check


def settings_class(matcher: str) -> type[Any] | None:
    """The attrs class of the settings of a matcher, or None where it has none; also of one that is unknown."""
    settings = resolve(MATCHERS.part(matcher).settings) if matcher in MATCHERS else None
    if settings is not None and not (isinstance(settings, type) and has(settings)):
        raise TypeError(f"matcher {matcher!r}: {settings!r} is not an attrs class, so its settings are unknown")
    return settings


def search_class(name: str) -> type[Any]:
    """The attrs class of a search."""
    search: type[Any] = SEARCHES.get(name)
    return search


def no_such_setting(search: str, key: str) -> str:
    """The message for a setting that a search does not have."""
    known = search_class(search)
    suggestion = did_you_mean(key, fields_dict(known))
    return f"search {search!r} has no setting {key!r}{suggestion}; it has {_setting_names(known)}"


_TYPES: Mapping[type, tuple[type, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a string"),
}


def _with_changes(known: type[Any], settings: Any, changed: dict[str, Any]) -> Any:
    """Settings of the class `known` with some changed; None stands for the defaults.

    Values are converted to their attributes' types, unless an attribute has its own converter.
    """
    own = [name for name in changed if fields_dict(known)[name].converter is None]
    types: dict[str, Any] = {name: part.type for name, part in fields_dict(resolve_types(known)).items()} if own else {}
    for name in own:
        wanted, value = types[name], changed[name]
        if wanted in _TYPES:
            accepted, called = _TYPES[wanted]
            if not isinstance(value, accepted) or (isinstance(value, bool) and wanted is not bool):
                raise TypeError(f"{name} must be {called}, not {value!r}")
            changed[name] = wanted(value)
    return known(**changed) if settings is None else evolve(settings, **changed)


def _setting_names(settings: type[Any] | None) -> str:
    return ", ".join(fields_dict(settings) if settings else ()) or "none"


def _as_arguments(settings: Any) -> str:
    given = {} if settings is None else asdict(settings, recurse=False)
    return "".join(f", {key}={value!r}" for key, value in given.items())


@frozen(init=False, repr=False)
class StageConfig:
    """A matcher at its place in a preset.

    Attributes:
        matcher: name of the matcher, e.g. ``stem``.
        weight: weight of a match of this stage, 0..1.
        resource: the language data it needs (name in the catalog, or a path); None if it needs none.
        settings: the matcher's own settings; None if it has none.
    """

    matcher: str = field(validator=_registered(MATCHERS))
    weight: float = field(default=1.0, converter=_number, validator=_in_range)
    resource: str | None = None
    settings: Any = None

    def __init__(
        self, matcher: str, weight: float = 1.0, resource: str | None = None, settings: Any = None, **changed: Any
    ) -> None:
        """Take a matcher by its name.

        Args:
            matcher: its name.
            weight: weight of a match, 0..1.
            resource: its language data.
            settings: its own settings; None for their defaults.
            changed: settings that are to be others.

        Raises:
            UnknownName: there is no such matcher.
            TypeError: the matcher has no such setting, or it is of another type.
            ValueError: a number is out of range.
        """
        known = settings_class(matcher)
        unknown = sorted(set(changed) - set(fields_dict(known) if known else ()))
        if unknown or (settings is not None and (known is None or type(settings) is not known)):
            wrong = repr(unknown[0]) if unknown else repr(settings)
            raise TypeError(f"matcher {matcher!r} has no setting {wrong}; it has {_setting_names(known)}")
        if known is not None:
            settings = _with_changes(known, settings, changed)
        self.__attrs_init__(matcher=matcher, weight=weight, resource=resource, settings=settings)

    def __repr__(self) -> str:
        given = f", {self.resource!r}" if self.resource is not None else ""
        return f"{type(self).__name__}({self.matcher!r}, {self.weight!r}{given}{_as_arguments(self.settings)})"


@frozen(init=False, repr=False)
class SearchConfig:
    """A search, by its name, with its settings: it chooses one alignment among the candidates.

    ``SearchConfig("beam", width=7)`` is what ``search: {name: beam, width: 7}`` is in a file; a setting that is not
    given has the search's default. ``attrs.evolve(search, width=3)`` changes settings.

    Attributes:
        name: ``beam`` (METEOR 1.5), ``staged`` (METEOR 2005), ``greedy`` and
            ``greedy_again`` (NLTK), ``optimal``, ``accurate`` or ``weighted`` (METEOR 2026).
        settings: the search itself, which has its settings as attributes, e.g. ``Beam(width=7)``.
    """

    name: str
    settings: Any

    def __init__(self, name: str = DEFAULT_SEARCH, settings: Any = None, **changed: Any) -> None:
        """Take a search by its name.

        Args:
            name: its name.
            settings: the search with its settings; None for its defaults.
            changed: settings that are to be others.

        Raises:
            UnknownName: there is no such search.
            TypeError: the search has no such setting, or it is of another type.
            ValueError: a setting is out of range.
        """
        search = search_class(name)
        if settings is not None and type(settings) is not search:
            raise TypeError(f"search {name!r} takes settings by name, or {search.__name__}(…), not {settings!r}")
        unknown = sorted(set(changed) - set(fields_dict(search)))
        if unknown:
            raise TypeError(no_such_setting(name, unknown[0]))
        self.__attrs_init__(name, _with_changes(search, settings, changed))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}{_as_arguments(self.settings)})"


@describe_numbers
@frozen(field_transformer=each_number(converter=_number, validator=_in_range))
class ParameterConfig(FormulaNumbers):
    """The parameters of the formula, without the stage weights."""


@frozen
class WeightConfig:
    """Word weights: by information content, or floor + idf (docs/formula.md).

    Attributes:
        resource: the table of information content (name in the catalog, or a path).
        floor: least weight of every word, 0.0001..1; a text of words with weight 0 would count as empty.
        length: additional weight of a word that is twice as long, 0..1.
        punctuation: weight of a word without a letter or digit, 0.0001..1.
        name: ``idf``, the only method.
        function: words with letters and without digits and with less weight are function words, 0..1; 0 for none.
    """

    resource: str
    floor: float = field(default=0.1, converter=_number, validator=_a_weight)
    punctuation: float = field(default=0.25, converter=_number, validator=_a_weight)
    name: Literal["idf"] = field(default="idf", validator=_one_of(Literal["idf"]))
    length: float = field(default=0.0, converter=_number, validator=between_0_and_1)
    function: float = field(default=0.0, converter=_number, validator=between_0_and_1)


@frozen
class ScorerConfig:
    """The complete configuration of a Scorer.

    Attributes:
        name: the preset's name.
        description: one line for people.
        source: the paper or program that defines its numbers.
        language: METEOR's code of the language, e.g. ``en``; other names are converted to it (``cs`` to ``cz``).
        text: the text mode, which splits text into words: ``none``, ``lower``, ``norm``, ``norm_nopunct``, or a
            tokenizer of another package (``uax29``, ``13a``, ``jieba`` …; see `meteorlib.registry.TEXTS`); with
            ``cleaned-`` before the name, after `meteorlib.clean`, with ``unescaped-``, after `meteorlib.unescape`, with
            ``folded-``, after variants of characters are made one.
        stages: the matchers in order.
        search: how the alignment is found.
        parameters: the numbers of the formula.
        formula: ``meteor-1.5``, ``meteor-2005`` or ``meteor-2026``.
        perfect_segments: whether a segment that is matched completely in one chunk is ``exempt`` from the penalty or
            ``penalized``; None for the default of the formula.
        weights: word weights; None if all words have the same weight.
        case: factor for a match of two words that differ in case, 0..1; None if case does not count.
        function_words: word list by language code or path; None: every word is a content word.
        negations: list of negation words by name or path; None: there are none.
        count: what lengths and matches are counted in.
        reduce: which of several references counts.
        resources: folder from which resources and word lists that are paths are taken, if they are not absolute; None:
            from the YAML file's, or the current folder. It is what METEOR 1.5's ``-new`` names.
    """

    name: str
    stages: tuple[StageConfig, ...] = field(converter=_tuple)
    parameters: ParameterConfig
    description: str = ""
    source: str = ""
    language: str = field(default="en", converter=language_code)
    text: str = field(default="lower", validator=_registered(TEXTS))
    search: SearchConfig = field(factory=SearchConfig)
    formula: Formula = field(default="meteor-1.5", validator=_one_of(Formula))
    perfect_segments: Perfect | None = field(default=None, validator=optional(_one_of(Perfect)))
    weights: WeightConfig | None = None
    case: float | None = field(
        default=None, converter=converters.optional(_number), validator=optional(between_0_and_1)
    )
    function_words: str | None = None
    negations: str | None = None
    count: Count = field(default="words", validator=_one_of(Count))
    reduce: Reduce = field(default="max", validator=_one_of(Reduce))
    resources: str | None = None

    @stages.validator
    def _check_stages(self, _: Attribute[tuple[StageConfig, ...]], value: tuple[StageConfig, ...]) -> None:
        if not value:
            raise ValueError("stages must contain at least one stage")

    def formula_parameters(self) -> Parameters:
        """The numbers of the formula with the weights of the stages."""
        return Parameters(
            **{name: getattr(self.parameters, name) for name in NUMERIC_PARAMETERS},
            weights=tuple(stage.weight for stage in self.stages),
            formula=self.formula,
            perfect=self.perfect_segments,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the keys of a preset: mappings, lists, text, numbers and None."""
        data = asdict(self)
        for part in (data["search"], *data["stages"]):
            part.update(part.pop("settings") or {})
        return {**data, "stages": list(data["stages"])}

    @property
    def ties_by_counts(self) -> bool:
        """Whether counts decide between references with one score; METEOR 1.5 and NLTK's METEOR take the first."""
        return self.formula != "meteor-1.5" and not self.search.name.startswith("greedy")

    @property
    def text_language(self) -> str:
        """The language of the texts that it is for; ``other`` if it is English by default and uses nothing of it."""
        uses = (*(stage.resource for stage in self.stages), self.function_words, self.weights, self.negations)
        is_default = self.language == "en" and not (any(uses) or TEXTS.part(self.text).normalizes)
        return "other" if is_default else self.language

    @property
    def graded(self) -> bool:
        """Whether matches may count in part, by their stage or because case differs."""
        return self.case is not None or any(MATCHERS.part(stage.matcher).graded for stage in self.stages)

    @property
    def fractional(self) -> bool:
        """Whether words count in fractions: they are weighted, or matches are graded."""
        return self.graded or self.weights is not None
