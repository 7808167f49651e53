"""Exceptions and warnings of meteorlib, which say what is wrong, where, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from meteorlib.suggestions import MAX_LENGTH, did_you_mean

__all__ = [
    "ConfigError",
    "ExtensionMismatch",
    "ExtraMissing",
    "InputMismatch",
    "InvalidText",
    "InvalidVectors",
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
    """Let errors about a segment of a part of a stream be about that segment of the whole.

    Args:
        place_of: the place in the whole, from 0, by the place in the part.
    """
    try:
        yield
    except Exception as error:
        if (place := blamed_segment(error)) is not None:
            error.segment = place_of(place)  # type: ignore[attr-defined]
        raise


def blamed_segment(error: Exception) -> int | None:
    """The segment of a stream that an error is about, from 0; None where it is about none."""
    return getattr(error, "segment", None)


def with_segment_number(error: Exception, place: int) -> Exception:
    """A new error like `error` whose message begins with the number of its segment.

    Args:
        error: what is wrong with the segment; a `TypeError` unless it is one of meteorlib's classes below.
        place: the place of the segment, from 0.
    """
    segment = f"segment {place + 1}: "
    if isinstance(error, InvalidText):
        return InvalidText(segment + error.where, error.reason)
    return (InputMismatch if isinstance(error, InputMismatch) else TypeError)(f"{segment}{error}")


@contextmanager
def number_segment_errors(place_of: Callable[[int], int] = lambda place: place) -> Iterator[None]:
    """Put the number of the segment in front of errors that are about one.

    Args:
        place_of: the place in what the user gave, from 0, by the place that the error has noted.
    """
    try:
        yield
    except (InputMismatch, InvalidText, TypeError) as error:
        if (place := blamed_segment(error)) is None:
            raise
        raise with_segment_number(error, place_of(place)) from None


class MeteorWarning(UserWarning):
    """Input or settings that are valid but probably not intended."""


class UnknownName(MeteorError):
    """A name that is not in the list it was looked up in.

    Attributes:
        kind: what was looked for, e.g. ``"preset"``.
        name: the name that was given.
        known: the names that exist.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], listed: str = "", spelled: str = "") -> None:
        """Make the error.

        Args:
            kind: see above.
            name: see above.
            known: see above.
            listed: description of the existing names if there are too many to list; empty to list them.
            spelled: `name` in the spelling of `known`, if that differs; empty if it does not.
        """
        self.kind = kind
        self.name = name
        self.known: tuple[str, ...] = tuple(sorted(known))
        self._listed = listed
        self._spelled = spelled
        super().__init__(kind, name, self.known, listed, spelled)

    def __str__(self) -> str:
        shown = self.name if len(self.name) <= MAX_LENGTH else f"{self.name[:MAX_LENGTH]}…"
        hint = did_you_mean(self._spelled or self.name, self.known)
        return f"unknown {self.kind} {shown!r}{hint}; known: {self._listed or ', '.join(self.known)}"


class ConfigError(MeteorError):
    """A configuration that cannot be used, with all its problems.

    Attributes:
        source: the file or preset.
        problems: one line each, with the path inside the source; if the line number is known, it comes first, as
            in ``:7: presets.mine.stages[0]: unknown key 'wieght'``.
    """

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems: tuple[str, ...] = tuple(problems)
        super().__init__(source, self.problems)

    @property
    def lines(self) -> Sequence[str]:
        """A line for each problem."""
        return [f"{self.source}{problem if problem.startswith(':') else ': ' + problem}" for problem in self.problems]

    def __str__(self) -> str:
        return "\n".join(self.lines)


class ResourceMissing(MeteorError):
    """Language data that a preset needs and that is not installed.

    Attributes:
        name: the resource.
        remedy: what to do, as a sentence.
    """

    def __init__(self, name: str, remedy: str) -> None:
        self.name = name
        self.remedy = remedy
        super().__init__(name, remedy)

    def __str__(self) -> str:
        return f"resource {self.name!r} is not installed: {self.remedy}"


class ResourceDamaged(MeteorError):
    """Language data that is installed but damaged.

    Attributes:
        name: the resource.
        reason: description of the damage.
        remedy: instruction that repairs it, as a sentence.
    """

    def __init__(self, name: str, reason: str, remedy: str) -> None:
        self.name = name
        self.reason = reason
        self.remedy = remedy
        super().__init__(name, reason, remedy)

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


class MissingReferences(MeteorError):
    """Files of hypotheses without references.

    Attributes:
        hypotheses: the files; the last of several may be the references.
    """

    def __init__(self, hypotheses: Sequence[str]) -> None:
        self.hypotheses: tuple[str, ...] = tuple(hypotheses)
        super().__init__(self.hypotheses)

    def __str__(self) -> str:
        return f"{', '.join(self.hypotheses)}: there are no references; name their files, or columns of a table"


class InvalidText(MeteorError):
    """Text that cannot be scored: undecodable bytes, NUL, a lone surrogate, more than a segment may have.

    Attributes:
        where: the file and line, or the argument.
        reason: what is wrong, with its offset.
    """

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(where, reason)

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


class InvalidVectors(MeteorError, ValueError):
    """Vectors that cannot be compared: not finite, no real numbers, or not as many as are needed."""


class WorkerLost(MeteorError):
    """A process that scores has ended before its work was done, e.g. because the machine ran out of memory.

    Attributes:
        start_method: how processes are started (``"spawn"``, ``"forkserver"``), if no process began to score (each
            imports the main script first, which must not start processes itself); otherwise empty.
    """

    def __init__(self, start_method: str = "") -> None:
        self.start_method = start_method
        super().__init__(start_method)

    def __str__(self) -> str:
        if self.start_method:
            return (
                "the processes that were to score ended before they began. With the start method "
                f"{self.start_method!r} each of them imports the main script first: put the code of the script under "
                '`if __name__ == "__main__":`, or use one job'
            )
        return "a process that scored has ended unexpectedly, perhaps for lack of memory; try fewer jobs"


class PartNotLoaded(MeteorError):
    """A part that an installed package registers and that cannot be imported.

    Attributes:
        kind: kind of the part, e.g. ``"matcher"``.
        name: name of the part.
        place: object that the entry point names.
    """

    def __init__(self, kind: str, name: str, place: str, reason: str) -> None:
        self.kind = kind
        self.name = name
        self.place = place
        self._reason = reason
        super().__init__(kind, name, place, reason)

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


class ExtraMissing(MeteorError, ImportError):
    """A package that an adapter works with and that is not installed.

    Attributes:
        package: the package.
        extra: the extra of meteorlib that installs it.
    """

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(package, extra)

    def __str__(self) -> str:
        return f"{self.package} is not installed: run  pip install 'meteorlib[{self.extra}]'"
