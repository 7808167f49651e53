"""The error for an unknown preset."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from meteorlib.core.languages import LANGUAGES, language_code
from meteorlib.errors import UnknownName

MAX_NAME_LENGTH = 60
"""Characters of a preset's name."""


def unknown_preset(name: str, own: Iterable[str] = (), builtin: Collection[str] = ()) -> UnknownName:
    """The error for a name that no preset has.

    Args:
        name: the name; METEOR's other names of languages in it are understood (``meteor-1.5-cs``).
        own: the presets of a file.
        builtin: the built-in presets, where one of them may be meant.
    """
    name = name[:MAX_NAME_LENGTH]
    own = sorted(other for other in own if len(other) <= MAX_NAME_LENGTH)  # of longer ones a file has been told
    others = ["those of `meteorlib presets list`"] if builtin else []
    spelled = "-".join(map(language_code, name.lower().split("-")))
    if spelled in LANGUAGES or spelled == "meteor":  # what papers mean
        spelled = "meteor-1.5" if spelled == "meteor" else f"meteor-1.5-{spelled}"
    return UnknownName("preset", name, [*own, *builtin], listed=", ".join([*own, *others]), spelled=spelled)
