"""Plain data made into configuration classes, strictly; copies of a configuration with other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, get_origin

from attrs import Attribute, evolve, fields, fields_dict, resolve_types
from cattrs import AttributeValidationNote, BaseValidationError, ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn
from cattrs.gen import override as hook

from meteorlib.config.nodes import describe_value, path_text, require_mapping, require_text
from meteorlib.config.resolution import check
from meteorlib.config.schema import (
    DEFAULT_SEARCH,
    ParameterConfig,
    Place,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    WeightConfig,
    search_class,
    settings_class,
)
from meteorlib.errors import ConfigError, UnknownName


def _number(value: Any, _: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"must be a number, not {describe_value(value)}")
    return float(value)


def _whole_number(value: Any, _: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"must be a whole number, not {describe_value(value)}")
    return value


def _flag(value: Any, _: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"must be true or false, not {describe_value(value)}")
    return value


def _search(value: Any, _: object) -> SearchConfig:
    """A search by its name; the other keys are its own settings."""
    name = require_mapping(value).get("name", DEFAULT_SEARCH)
    try:
        search = search_class(require_text(name))
    except (TypeError, UnknownName) as error:
        error.__notes__ = [AttributeValidationNote("", "name", str)]
        raise ClassValidationError("", [error], SearchConfig) from None
    settings = {key: setting for key, setting in value.items() if key != "name"}
    return SearchConfig(name, _class_hook(CONVERTER, search)(settings, search))


def _stage(value: Any, _: object) -> StageConfig:
    """A matcher by its name; keys that are not a stage's are its own settings."""
    matcher = require_mapping(value).get("matcher")
    own_class = settings_class(matcher) if isinstance(matcher, str) else None
    own = fields_dict(own_class) if own_class else {}
    plain = {key: part for key, part in value.items() if key not in own}
    given = {key: part for key, part in value.items() if key in own}
    stage: StageConfig = _STAGE(plain, StageConfig)
    return evolve(stage, settings=_class_hook(CONVERTER, own_class)(given, own_class)) if own_class else stage


def _attribute_hook(converter: Converter, attribute: Attribute[Any]) -> Callable[[Any, Any], Any]:
    """Structure one attribute and run its validator at once, so that its problems are reported with its path."""

    def structure(value: Any, wanted: Any) -> Any:
        if get_origin(wanted) is tuple and not isinstance(value, list):
            raise TypeError(f"must be a list, not {describe_value(value)}")
        structured = require_text(value) if get_origin(wanted) is Literal else converter.structure(value, wanted)
        if attribute.validator is not None:
            attribute.validator(None, attribute, structured)
        return structured

    return structure


def _class_hook(converter: Converter, cls: type, *left_out: str) -> Callable[[Any, Any], Any]:
    """The hook that structures a class from a mapping of its attributes, without those left out."""
    hooks: dict[str, Any] = {
        attribute.name: hook(struct_hook=_attribute_hook(converter, attribute), omit=attribute.name in left_out)
        for attribute in fields(resolve_types(cls))
    }
    whole: Callable[[Any, Any], Any] = make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True, **hooks)
    return lambda value, wanted: whole(require_mapping(value), wanted)


CLASSES = (ParameterConfig, WeightConfig, ScorerConfig)


def _strict_converter() -> Converter:
    converter = Converter(detailed_validation=True)
    converter.register_structure_hook(str, lambda value, _: require_text(value))
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(int, _whole_number)
    converter.register_structure_hook(bool, _flag)
    converter.register_structure_hook(SearchConfig, _search)
    converter.register_structure_hook(StageConfig, _stage)
    for cls in CLASSES:
        converter.register_structure_hook(cls, _class_hook(converter, cls))
    return converter


CONVERTER = _strict_converter()
_STAGE = _class_hook(CONVERTER, StageConfig, "settings")


def override(config: ScorerConfig, values: Mapping[Place, Any], name: str = "") -> ScorerConfig:
    """`config` with other values at some places, e.g. ``("search", "width")``; held to a file's rules.

    Another search begins with its own settings. A new `name` is empty for the same.
    """
    data = config.to_dict() | {"name": name or config.name}
    for place, value in sorted(values.items(), key=lambda item: len(item[0]) if item[0] != ("search", "name") else 0):
        if place == ("search", "name"):
            data["search"] = {}
        part: Any = data
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = value
    try:
        made: ScorerConfig = CONVERTER.structure(data, ScorerConfig)
    except BaseValidationError as error:
        settings = ", ".join(f"{path_text(place)} = {value}" for place, value in values.items())
        raise ConfigError(config.name, [f"{settings}: {text}" for text in _texts(error)]) from None
    check(made)
    return made


def _texts(error: Exception) -> Iterator[str]:
    if isinstance(error, BaseValidationError):
        for inner in error.exceptions:
            yield from _texts(inner)
    else:
        yield str(error)
