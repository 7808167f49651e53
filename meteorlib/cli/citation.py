"""The commands ``cite`` and ``signature``: how a paper names the METEOR of its scores."""

from __future__ import annotations

import re

import click

from meteorlib._version import __version__
from meteorlib.cli.command import Command
from meteorlib.cli.streams import progress, standard_output
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.core.signature import DIGEST_LENGTH, Signature
from meteorlib.display.text import one_line
from meteorlib.errors import ExtraMissing, InputMismatch, ResourceMissing
from meteorlib.scorer import Scorer


@click.command(
    cls=Command,
    short_help="Print BibTeX entries of a preset's papers and of meteorlib.",
    examples=("meteorlib cite meteor-1.5-en > meteor.bib",),
    topics=("presets",),
)
@click.argument("preset")
def cite(preset: str) -> None:
    """Print BibTeX entries of the papers that describe the variant PRESET, and of meteorlib."""
    from meteorlib.config.citations import bibtex  # noqa: PLC0415 – loads PyYAML

    standard_output().write(bibtex(load_preset(preset)))


@click.command(
    cls=Command,
    short_help="Print the whole signature that a short one or its digest stands for.",
    examples=("meteorlib signature meteor-2005",),
    topics=("in-python",),
)
@click.argument("digest")
def signature(digest: str) -> None:
    """Print the whole signature for DIGEST, a short signature, or the digest in it, of a built-in preset.

    DIGEST may also be the name of a preset. A digest alone is compared with all presets whose language data is
    installed, which takes a while.
    """
    if digest in preset_names():
        standard_output().write(f"{Scorer(digest).signature}\n")
        return
    match = re.fullmatch(rf"(?:([^|]+)\|v([^|]+)\|)?([0-9a-f]{{{DIGEST_LENGTH}}})(\|.+)?", digest)
    if match is None:
        raise click.UsageError(
            f"{one_line(digest)!r} is no short signature: PRESET|v{__version__}|{DIGEST_LENGTH} hexadecimal digits, or "
            "the digits alone"
        )
    preset, release, digits, more = match.groups("")
    if release not in ("", __version__):
        install = f"pip install meteorlib=={one_line(release)}"
        raise InputMismatch(f"only its own release can expand it: run {install}; this is meteorlib {__version__}")
    found = Scorer(preset).signature if preset else _found(digits)
    if found.digest != digits:
        raise InputMismatch(
            f"{preset} has the digest {found.digest} here, not {digits}",
            "other language data or packages are installed than where the scores were computed",
        )
    standard_output().write(f"{found}{more}\n")


def _found(digest: str) -> Signature:
    """The signature of the built-in preset with this digest, the first of any whose data is installed."""
    left_out: list[str] = []
    with progress("searching", len(preset_names())) as advance:
        for name in preset_names():
            try:
                signature = Scorer(name).signature
            except (ExtraMissing, ResourceMissing):
                left_out.append(name)
            else:
                if signature.digest == digest:
                    return signature
            advance(1)
    raise InputMismatch(
        f"no built-in preset has the digest {digest} with meteorlib {__version__} and the installed language data",
        *([f"not tried, because data or packages are missing: {', '.join(left_out)}"] if left_out else []),
    )
