"""The cattrs converter: plain mappings and lists into configuration classes, strictly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_origin

from attrs import Attribute, evolve, fields, fields_dict, resolve_types
from cattrs import AttributeValidationNote, ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn, override

from meteorlib.config.node import describe_value
from meteorlib.config.outline import require_text
from meteorlib.config.schema import (
    DEFAULT_SEARCH,
    ParameterConfig,
    ScorerConfig,
    SearchConfig,
    StageConfig,
    WeightConfig,
)
from meteorlib.config.settings import search_class, settings_class
from meteorlib.errors import UnknownName


def _text(value: Any, _: object) -> str:
    return require_text(value)


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
    if not isinstance(value, dict):
        raise TypeError(f"must be a mapping, not {describe_value(value)}")
    name = value.get("name", DEFAULT_SEARCH)
    try:
        search = search_class(require_text(name))
    except (TypeError, UnknownName) as error:
        error.__notes__ = [AttributeValidationNote("", "name", str)]
        raise ClassValidationError("", [error], SearchConfig) from None
    settings = {key: setting for key, setting in value.items() if key != "name"}
    return SearchConfig(name, _class_hook(CONVERTER, search)(settings, search))


def _stage(value: Any, _: object) -> StageConfig:
    """A matcher by its name; keys that are not a stage's are its own settings."""
    if not isinstance(value, dict):
        raise TypeError(f"must be a mapping, not {describe_value(value)}")
    matcher = value.get("matcher")
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
        attribute.name: override(struct_hook=_attribute_hook(converter, attribute), omit=attribute.name in left_out)
        for attribute in fields(resolve_types(cls))
    }
    whole: Callable[[Any, Any], Any] = make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True, **hooks)

    def structure(value: Any, wanted: Any) -> Any:
        if not isinstance(value, dict):
            raise TypeError(f"must be a mapping, not {describe_value(value)}")
        return whole(value, wanted)

    return structure


CLASSES = (ParameterConfig, WeightConfig, ScorerConfig)


def _strict_converter() -> Converter:
    converter = Converter(detailed_validation=True)
    converter.register_structure_hook(str, _text)
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
