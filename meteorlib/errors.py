"""Exceptions and warnings of meteorlib, which say what is wrong, where, what to do next, and which name was meant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from re import sub
from warnings import warn

from attrs import define, field

__all__ = [
    "ConfigError",
    "ExtensionMismatch",
    "ExtraMissing",
    "InputMismatch",
    "InvalidText",
    "InvalidVectors",
    "LanguageWarning",
    "MeteorError",
    "MeteorWarning",
    "MissingReferences",
    "PartNotLoaded",
    "ResourceDamaged",
    "ResourceMissing",
    "UnknownName",
    "WorkerLost",
]


class MeteorError(Exception):
    """Base of every error that meteorlib raises on purpose."""

    @property
    def lines(self) -> Sequence[str]:
        """The message in lines; a line end inside of one is part of a name, such as a file's."""
        return (str(self),)


def blame(error: Exception, place: int) -> None:
    """Note in an error which segment of a stream it is about, from 0; an earlier note stays."""
    if blamed_segment(error) is None:
        error.segment = place  # type: ignore[attr-defined]


@contextmanager
def blame_in(place_of: Callable[[int], int]) -> Iterator[None]:
    """Let errors about a segment of a part of a stream be about that segment of the whole, found by `place_of`."""
    try:
        yield
    except Exception as error:
        if (place := blamed_segment(error)) is not None:
            error.segment = place_of(place)  # type: ignore[attr-defined]
        raise


def blamed_segment(error: Exception) -> int | None:
    """The segment of a stream that an error is about, from 0; None where it is about none."""
    return getattr(error, "segment", None)


def error_at(place: str, error: Exception) -> Exception:
    """A new error like `error` whose message begins with a place; a `TypeError` unless it is one about input."""
    if isinstance(error, InvalidText):
        return InvalidText(place + error.where, error.reason)
    return (InputMismatch if isinstance(error, InputMismatch) else TypeError)(f"{place}{error}")


def with_segment_number(error: Exception, place: int) -> Exception:
    """A new error like `error` whose message begins with the number of its segment; `place` is counted from 0."""
    return error_at(f"segment {place + 1}: ", error)


@contextmanager
def number_segment_errors(place_of: Callable[[int], int] = lambda place: place) -> Iterator[None]:
    """Put the number of the segment in front of errors about one; `place_of`: its place in what the user gave."""
    try:
        yield
    except (InputMismatch, InvalidText, TypeError) as error:
        if (place := blamed_segment(error)) is None:
            raise
        raise with_segment_number(error, place_of(place)) from None


def _tuple(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(texts)


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(map(str, names)))  # pandas has names that are no text


class MeteorWarning(UserWarning):
    """Input or settings that are valid but probably not intended."""


class LanguageWarning(MeteorWarning):
    """Text that seems to be of another language than the preset is for."""


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn of something at the line outside of this package that has called it."""
    level, frame = 1, sys._getframe()  # noqa: SLF001 – as `warnings` does
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "meteorlib":
        level, frame = level + 1, frame.f_back
    warn(message, category, stacklevel=level)


@define(slots=False, eq=False, repr=False)
class UnknownName(MeteorError):
    """A name that is not in the list it was looked up in.

    Attributes:
        kind: what was looked for, e.g. ``"preset"``.
        name: the name that was given.
        known: the names that exist.
    """

    kind: str
    name: str
    known: tuple[str, ...] = field(converter=_sorted)
    _listed: str = ""
    """Description of the existing names if there are too many to list."""
    _spelled: str = ""
    """The name in the spelling of `known`, if that differs."""

    def __str__(self) -> str:
        shown = self.name if len(self.name) <= MAX_LENGTH else f"{self.name[:MAX_LENGTH]}…"
        hint = did_you_mean(self._spelled or self.name, self.known)
        return f"unknown {self.kind} {shown!r}{hint}; known: {self._listed or ', '.join(self.known)}"


@define(slots=False, eq=False, repr=False)
class ConfigError(MeteorError):
    """A configuration that cannot be used, with all its problems.

    Attributes:
        source: the file or preset.
        problems: one line each, with the path inside the source; if the line number is known, it comes first, as
            in ``:7: presets.mine.stages[0]: unknown key 'wieght'``.
    """

    source: str
    problems: tuple[str, ...] = field(converter=_tuple)

    @property
    def lines(self) -> Sequence[str]:
        """A line for each problem."""
        return [f"{self.source}{problem if problem.startswith(':') else ': ' + problem}" for problem in self.problems]

    def __str__(self) -> str:
        return "\n".join(self.lines)


@define(slots=False, eq=False, repr=False)
class ResourceMissing(MeteorError):
    """Language data that a preset needs and that is not installed.

    Attributes:
        name: the resource.
        remedy: what to do, as a sentence.
    """

    name: str
    remedy: str

    def __str__(self) -> str:
        return f"resource {self.name!r} is not installed: {self.remedy}"


@define(slots=False, eq=False, repr=False)
class ResourceDamaged(MeteorError):
    """Language data that is installed but damaged.

    Attributes:
        name: the resource.
        reason: description of the damage.
        remedy: instruction that repairs it, as a sentence.
    """

    name: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"resource {self.name!r} cannot be used: {self.reason}; {self.remedy}"


class InputMismatch(MeteorError):
    """Inputs that do not belong together, or are not there: counts differ, nothing to score; advice in more lines."""

    @property
    def lines(self) -> Sequence[str]:
        """The message, then the lines of advice."""
        return self.args

    def __str__(self) -> str:
        return "\n".join(self.lines)


@define(slots=False, eq=False, repr=False)
class MissingReferences(MeteorError):
    """Files of hypotheses without references.

    Attributes:
        hypotheses: the files; the last of several may be the references.
    """

    hypotheses: tuple[str, ...] = field(converter=_tuple)

    def __str__(self) -> str:
        return f"{', '.join(self.hypotheses)}: there are no references; name their files, or columns of a table"


@define(slots=False, eq=False, repr=False)
class InvalidText(MeteorError):
    """Text that cannot be scored: undecodable bytes, NUL, a lone surrogate, more than a segment may have.

    Attributes:
        where: the file and line, or the argument.
        reason: what is wrong, with its offset.
    """

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


class InvalidVectors(MeteorError, ValueError):
    """Vectors that cannot be compared: not finite, no real numbers, or not as many as are needed."""


@define(slots=False, eq=False, repr=False)
class WorkerLost(MeteorError):
    """A process that scores has ended before its work was done, e.g. because the machine ran out of memory.

    Attributes:
        start_method: how processes are started (``"spawn"``, ``"forkserver"``), if no process began to score (each
            imports the main script first, which must not start processes itself); otherwise empty.
    """

    start_method: str = ""

    def __str__(self) -> str:
        if self.start_method:
            return (
                "the processes that were to score ended before they began. With the start method "
                f"{self.start_method!r} each of them imports the main script first: put the code of the script under "
                '`if __name__ == "__main__":`, or use one job'
            )
        return "a process that scored has ended unexpectedly, perhaps for lack of memory; try fewer jobs"


@define(slots=False, eq=False, repr=False)
class PartNotLoaded(MeteorError):
    """A part that an installed package registers and that cannot be imported.

    Attributes:
        kind: kind of the part, e.g. ``"matcher"``.
        name: name of the part.
        place: object that the entry point names.
    """

    kind: str
    name: str
    place: str
    _reason: str

    def __str__(self) -> str:
        return (
            f"{self.kind} {self.name!r}: an installed package registers it as {self.place!r}, which cannot be imported "
            f"({self._reason}); repair or remove that package"
        )


class ExtensionMismatch(MeteorError):
    """The compiled kernel was built from another version of meteorlib than the Python code beside it."""

    def __str__(self) -> str:
        return (
            "the compiled kernel does not belong to this version of meteorlib: install meteorlib again, or set "
            "METEORLIB_PURE_PYTHON=1"
        )


@define(slots=False, eq=False, repr=False)
class ExtraMissing(MeteorError, ImportError):
    """A package that an adapter works with and that is not installed.

    Attributes:
        package: the package.
        extra: the extra of meteorlib that installs it.
    """

    package: str
    extra: str

    def __str__(self) -> str:
        return f"{self.package} is not installed: run  pip install 'meteorlib[{self.extra}]'"


MAX_LENGTH = 60
"""Characters of a name that are shown and compared."""

MIN_SIMILARITY = 0.6
"""Likeness of two names (`difflib`) from which on one may be meant by the other."""

TYPO_SIMILARITY = 0.95
"""Likeness of names that differ by a slip of the finger."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` where a known name is close to `name`, else nothing."""
    suggestion = _closest(name[:MAX_LENGTH], known)
    return f" (did you mean {suggestion!r}?)" if suggestion else ""


def _closest(name: str, known: Iterable[str]) -> str | None:
    """The name most likely meant, if any.

    In this order: a name that differs in case, ``_`` and spaces only; a name of which it is one or more whole parts; a
    nearly equal name; the longest name that it extends; the most similar name. Of several, names for English come
    first, then names that begin with it, then short ones.
    """
    wanted = _normalize(name)
    order = sorted(
        known, key=lambda other: (not _has_part(_normalize(other), "en"), not other.startswith(name), len(other))
    )
    for other in order:
        if _normalize(other) == wanted:
            return other
    for other in order:
        if len(wanted) > 1 and _has_part(_normalize(other), wanted):
            return other
    from difflib import SequenceMatcher  # noqa: PLC0415 – slow to load, and most names are right

    matcher = SequenceMatcher(b=wanted)

    def likeness(other: str) -> float:
        matcher.set_seq1(_normalize(other))
        return matcher.ratio()

    nearest = max(order, key=likeness, default="")
    if likeness(nearest) >= TYPO_SIMILARITY:
        return nearest
    prefixes = [other for other in order if other and f"{wanted}-".startswith(f"{_normalize(other)}-")]
    return max(prefixes, key=len) if prefixes else nearest if likeness(nearest) >= MIN_SIMILARITY else None


def _normalize(name: str) -> str:
    return sub(r"[\s_]", "-", name.casefold())


def _has_part(name: str, part: str) -> bool:
    """Whether a name has a part that ends at hyphens or at its own ends."""
    return f"-{part}-" in f"-{name}-"
