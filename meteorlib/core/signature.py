"""Signature: the line that identifies the METEOR variant behind a score."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from re import Match, sub
from types import ModuleType

from attrs import frozen

from meteorlib.core.numbers_and_letters import NEWER
from meteorlib.display.displayable import Displayable
from meteorlib.display.text import Row

REPR_LENGTH = 100
"""Characters of a signature that its repr shows."""

DIGEST_LENGTH = 12
"""Hexadecimal digits of a digest of `Signature.numbers`."""


@frozen(repr=False)
class Signature(Displayable):
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

    @property
    def digest(self) -> str:
        """A short name of `numbers`: the first digits of their SHA-256."""
        return sha256(self.numbers.encode()).hexdigest()[:DIGEST_LENGTH]

    @property
    def short(self) -> str:
        """Preset, release and digest, which ``meteorlib signature`` expands for the built-in presets."""
        release = str(self.to_dict()["version"]).removeprefix("meteorlib-")
        return f"{percent_encode(self.preset)}|v{release}|{self.digest}"

    def to_dict(self) -> dict[str, str | None]:
        """The fields of the line by name, unchanged, and ``eval_id``."""
        return {**dict(field.split(":", 1) for field in str(self).split("|")), "eval_id": self.eval_id}

    def __repr__(self) -> str:
        line = str(self)
        return f"Signature({line if len(line) <= REPR_LENGTH else f'{line[: REPR_LENGTH - 26]}…{line[-25:]}'!r})"

    def _rows(self) -> Iterable[Row]:
        return [(key, value) for key, value in self.to_dict().items() if value is not None]

    def __str__(self) -> str:
        return f"preset:{percent_encode(self.preset)}|{self.numbers}"


def part_name(part: object) -> str:
    """The name of a part that was given by hand: its ``signature_name``, or else its qualified name in Python.

    A function has its own name, any other object that of its class.
    """
    name = getattr(part, "signature_name", None)
    if isinstance(name, str):
        return name
    owner = getattr(part, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return f"{part_name(owner)}.{getattr(part, '__name__', '')}"
    named = part if hasattr(part, "__qualname__") else type(part)
    return f"{named.__module__}.{named.__qualname__}"


def percent_encode(name: str) -> str:
    """Percent-encode every character of `name` that could be mistaken for the line's own punctuation."""
    unsafe = r"[^\w./+-]" if name.isascii() else rf"[^\w./+-]|[{NEWER}]"  # what \w takes depends on the Python
    return sub(unsafe, _percent_code, name)


def _percent_code(letter: Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in letter[0].encode("utf-8", "surrogatepass"))
