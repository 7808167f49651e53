"""Suggestions for mistyped command lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import click

from meteorlib.errors import UnknownName

MIN_SIMILARITY = 0.7
"""Minimum `difflib` similarity, hyphens ignored, at which one option is suggested for another."""

_LANGUAGE_OPTIONS = frozenset({"-l", "--lang", "--language"})
"""Options that choose a language in METEOR's jar, sacrebleu and other programs."""


def with_advice(error: click.UsageError, arguments: Sequence[str]) -> click.UsageError:
    """Add a suggestion to a command-line error, if there is a plausible one.

    Args:
        error: the error.
        arguments: the command line.
    """
    if error.ctx is None:
        return error
    options = [name for option in error.ctx.command.params for name in option.opts]
    if isinstance(error, click.NoSuchOption):
        advice = _advice(error.option_name, options, arguments)
        return click.UsageError(f"No such option '{error.option_name}'.{advice}", error.ctx)
    if "unexpected extra argument (" in error.message and "--reference" in options:
        extra = error.message.rpartition("(")[2].removesuffix(")")
        meant = f"A reference is named by -r: did you mean -r {shlex.quote(extra)}?"
        return click.UsageError(f"{error.message}. {meant}", error.ctx)
    return error


def _advice(name: str, options: Iterable[str], arguments: Sequence[str]) -> str:
    """Advice on an option that a command does not have."""
    preset = next((option for option in options if option.startswith("--preset")), None)
    if name in _LANGUAGE_OPTIONS and preset is not None:
        return f" The language is part of the preset: {_preset_option(preset, _value(name, arguments))}"
    similar = [f"'{option}'" for option in similar_options(name, options)]
    return f" Did you mean {' or '.join(similar)}?" if similar else ""


def similar_options(name: str, options: Iterable[str]) -> list[str]:
    """Options that may be meant by `name`, the most likely first: it abbreviates them, or is spelled much alike."""
    known = {option[2:]: option for option in options if option.startswith("--")}
    typed = name.removeprefix("--")
    beginning = typed.removesuffix("s")
    found = [option for option in known if len(beginning) > 1 and option.startswith(beginning)]
    return [known[option] for option in found or get_close_matches(typed, known, n=2, cutoff=MIN_SIMILARITY)]


def _value(name: str, arguments: Sequence[str]) -> str:
    """The value that the command line gives an option that does not exist; empty for none."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if argument == name:
            return following
        if argument.startswith(f"{name}=" if name.startswith("--") else name):
            return argument.removeprefix(name).removeprefix("=")
    return ""


def _preset_option(option: str, language_given: str) -> str:
    """The option that chooses a language, given by its code or name, or as the second one of a pair (``en-de``)."""
    from meteorlib.config.languages import language  # noqa: PLC0415 – for mistakes only

    for code in (language_given, language_given.rpartition("-")[2], language_given.partition("-")[0]):
        try:
            return f"{option} {language(code).presets[0]}"
        except UnknownName:
            continue
    return "see `meteorlib languages`"
