"""The errors of meteorlib: plain classes that carry what was wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class MeteorError(Exception):
    """Base of every error that meteorlib raises on purpose."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` where a known name is close to `name`, else nothing."""
    close = get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


class UnknownName(MeteorError):
    """A name that is not in the list it was looked up in.

    Attributes:
        kind: what was looked for, e.g. ``"preset"``.
        name: the name that was given.
        known: the names that exist.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(kind, name, self.known)

    def __str__(self) -> str:
        hint = did_you_mean(self.name, self.known)
        return f"unknown {self.kind} {self.name!r}{hint}; known: {', '.join(self.known)}"


class ConfigError(MeteorError):
    """A configuration that cannot be used; all its problems at once.

    Attributes:
        source: the file (or preset) that holds it.
        problems: one line each, with the path inside the source; one whose line number is known begins with it, as
            in ``:7: presets.mine.stages[0]: unknown key 'wieght'``.
    """

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(source, self.problems)

    def __str__(self) -> str:
        return "\n".join(
            f"{self.source}{problem if problem.startswith(':') else ': ' + problem}" for problem in self.problems
        )


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
    """Language data that is there but is not what it should be.

    Attributes:
        name: the resource.
        reason: what is wrong with it.
        remedy: what to do, as a sentence.
    """

    def __init__(self, name: str, reason: str, remedy: str) -> None:
        self.name = name
        self.reason = reason
        self.remedy = remedy
        super().__init__(name, reason, remedy)

    def __str__(self) -> str:
        return f"resource {self.name!r} cannot be used: {self.reason}; {self.remedy}"


class InputMismatch(MeteorError):
    """Inputs that do not belong together, or are not there: counts differ, nothing to score."""


class InvalidText(MeteorError):
    """Text that cannot be scored: undecodable bytes, NUL, a lone surrogate.

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


class WorkerLost(MeteorError):
    """A process that scored has ended before its work was done, e.g. because the machine ran out of memory."""

    def __str__(self) -> str:
        return "a process that scored has ended unexpectedly, perhaps for lack of memory; try fewer jobs"


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
