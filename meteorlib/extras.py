"""Optional packages: imported when first needed, kept from the network, and their installed versions for signatures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import local
from types import ModuleType
from warnings import catch_warnings, simplefilter

from attrs import field, frozen

from meteorlib.errors import ExtraMissing

Packages = Mapping[str, str]
"""Packages, or files, by name, with their versions or digests."""


def import_extra(module: str, extra: str) -> ModuleType:
    """A module of another package; without it, `ExtraMissing` names the extra of meteorlib that installs it."""
    try:
        with catch_warnings():
            simplefilter("ignore")  # what its own code is warned of is not the user's concern
            return import_module(module)
    except ImportError as error:
        raise ExtraMissing(error.name or module, extra) from error


_REFUSED = {
    "builtins.input": "asks on standard input",
    **dict.fromkeys(
        ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect", "socket.sendto"), "uses the network"
    ),
}
"""Audit events that are refused while a package loads something, with what they mean."""

_loading = local()


@contextmanager
def offline() -> Iterator[None]:
    """Keep a package that loads something, in this thread, from asking on standard input and from using the network.

    Either is a `RuntimeError` inside the package, before anything is read or sent. This is the last line of defense:
    callers also pass the package's own options against it.
    """
    _add_audit_hook()
    outer = getattr(_loading, "active", False)
    _loading.active = True
    try:
        yield
    finally:
        _loading.active = outer


@cache
def _add_audit_hook() -> None:
    """Add the hook once, when it is first needed: it stays for the life of the process."""
    sys.addaudithook(_refuse)


def _refuse(event: str, _arguments: object) -> None:
    if event in _REFUSED and getattr(_loading, "active", False):
        raise RuntimeError(f"it {_REFUSED[event]} to load this, which meteorlib does not allow")


def installed_versions(packages: Iterable[str], extra: str) -> dict[str, str]:
    """The versions of installed packages, by their names on PyPI, as a signature shows them for a part."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 – slow to import, seldom needed

    installed = {}
    for package in packages:
        try:
            installed[package] = version(package)
        except PackageNotFoundError as error:
            raise ExtraMissing(package, extra) from error
    return installed


@frozen
class Versions:
    """Versions of installed packages that the parts of a scorer depend on; each part reports its ``versions``."""

    text: Packages = field(factory=dict)
    stages: Sequence[Packages] = ()
    search: Packages = field(factory=dict)

    @classmethod
    def of(cls, text: object, stages: Iterable[Iterable[object]], search: object) -> Versions:
        """Versions that the parts report: of each stage, its matcher and what that works with."""
        stage_versions = [dict(item for part in parts for item in _versions_of(part).items()) for parts in stages]
        return cls(_versions_of(text), stage_versions, _versions_of(search))

    def __bool__(self) -> bool:
        return bool(self.text or self.search or any(self.stages))


def _versions_of(part: object) -> Packages:
    declared = getattr(part, "versions", None)
    return declared if isinstance(declared, Mapping) else {}
