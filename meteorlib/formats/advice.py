"""Advice: text that looks like a table, and the command that would read it by its columns."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.corpus.source import STANDARD_INPUT
from meteorlib.corpus.textfile import TextFile
from meteorlib.errors import InputMismatch, MeteorError
from meteorlib.formats.looks import looks_like
from meteorlib.formats.opening import OWN_WORD, Dialect, form_of, open_table

NAMES = {"csv": "CSV", "tsv": "TSV", "jsonl": "JSONL", "parquet": "Parquet", "sgml": "SGML", "xml": "XML"}

_HYPOTHESES = ("hyp", "hypothesis", "hypotheses", "mt", "system", "translation", "prediction", "predictions", "output")
_REFERENCES = ("ref", "refs", "reference", "references", "target", "gold")


def table_taken_for_text(file: TextFile, given: str, command: str, role: str) -> str | None:
    """What to say of a file that is read as text and looks like a table; None where it does not.

    Args:
        file: the file.
        given: its name on the command line.
        command: what reads it, e.g. ``meteorlib score``.
        role: what it was given as: ``hyp`` or ``ref``.

    Raises:
        InputMismatch: it cannot be text.
    """
    said = form_of(given)
    form = said or looks_like(file.source)
    if form is None:
        return None
    add = "" if said else f" --input-format {form}"
    if form == "parquet":
        raise InputMismatch(f"{file.name}: is Parquet, no text: add{add} --{role}-column NAME")
    if form in OWN_WORD:
        return (
            f"{file.name} looks like {NAMES[form]} and is read as text, a segment a line; to read it as such, add{add}"
        )
    from shlex import quote  # noqa: PLC0415 – most files do not come here

    columns = _columns(given, file, form)
    shown = f" (columns: {', '.join(columns)})" if columns else ""
    hypothesis, reference = (_likely(columns, names) for names in (_HYPOTHESES, _REFERENCES))
    first = given if role == "hyp" else "HYP"
    second = f" --ref-column {quote(reference or 'NAME')}"
    if role == "ref":
        second = f" -r {quote(given)}{second}"
    options = f" --hyp-column {quote(hypothesis or 'NAME')}" if role == "hyp" else ""
    return (
        f"{file.name} looks like {NAMES[form]}{shown} and is read as text, a segment a line; by columns: "
        f"{command} {quote(first)}{add}{options}{second}"
    )


def _columns(given: str, file: TextFile, form: str) -> Sequence[str]:
    if given == STANDARD_INPUT:  # it is read already
        return ()
    try:
        return open_table(file.name, Dialect(form), "hyp", columns=True).columns
    except MeteorError:
        return ()


def _likely(columns: Sequence[str], names: Sequence[str]) -> str | None:
    return next((column for column in columns if column.casefold() in names), None)
