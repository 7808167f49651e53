"""The settings of matchers and searches, attributes of an attrs class that each part names."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from attrs import asdict, fields_dict, has, resolve_types

from meteorlib.registry import MATCHERS, SEARCHES, resolve
from meteorlib.suggestions import did_you_mean


def settings_class(matcher: str) -> type[Any] | None:
    """The attrs class of the settings of a matcher, or None where it has none; also of one that is unknown."""
    found = resolve(MATCHERS.part(matcher).settings) if matcher in MATCHERS else None
    if found is not None and not (isinstance(found, type) and has(found)):
        raise TypeError(f"matcher {matcher!r}: {found!r} is not an attrs class, so its settings are unknown")
    return found


def search_class(name: str) -> type[Any]:
    """The attrs class of a search.

    Raises:
        UnknownName: there is no such search.
    """
    found: type[Any] = SEARCHES.get(name)
    return found


def no_such_setting(search: str, key: str) -> str:
    """The message for a setting that a search does not have."""
    known = search_class(search)
    suggestion = did_you_mean(key, fields_dict(known))
    return f"search {search!r} has no setting {key!r}{suggestion}; it has {setting_names(known)}"


_TYPES: Mapping[type, tuple[type, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a string"),
}


def convert_settings(known: type[Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Convert settings to their attributes' types, unless an attribute has its own converter.

    Raises:
        TypeError: a setting is of another type than its attribute.
    """
    own = [name for name in changed if fields_dict(known)[name].converter is None]
    types: dict[str, Any] = {name: part.type for name, part in fields_dict(resolve_types(known)).items()} if own else {}
    found = dict(changed)
    for name in own:
        wanted, value = types[name], changed[name]
        if wanted in _TYPES:
            accepted, called = _TYPES[wanted]
            if not isinstance(value, accepted) or (isinstance(value, bool) and wanted is not bool):
                raise TypeError(f"{name} must be {called}, not {value!r}")
            found[name] = wanted(value)
    return found


def setting_names(settings: type[Any] | None) -> str:
    """The names of settings."""
    return ", ".join(fields_dict(settings) if settings else ()) or "none"


def settings_as_arguments(settings: Any) -> str:
    """Settings as arguments."""
    given = {} if settings is None else asdict(settings, recurse=False)
    return "".join(f", {key}={value!r}" for key, value in given.items())
