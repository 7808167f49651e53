"""Text as it is given: what cannot be scored."""

from __future__ import annotations

from collections.abc import Sequence

from meteorlib.errors import InputMismatch, InvalidText


def check_text(text: str, what: str) -> None:
    """Refuse what is no text.

    Args:
        text: what was given.
        what: what it was given for.

    Raises:
        InvalidText: it has NUL or a lone surrogate.
        TypeError: it is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a {what} must be a string, got {type(text).__name__}")
    if "\0" in text:
        raise InvalidText(what, f"NUL character at offset {text.index(chr(0))}; remove it, or read the file as UTF-16")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            reason = f"lone surrogate U+{ord(text[error.start]):04X} at offset {error.start}; decode the text anew"
            raise InvalidText(what, reason) from None


def check_no_text(texts: object, what: str) -> None:
    """Refuse one string where several texts are expected, which would be taken apart into characters.

    Raises:
        TypeError: it is a string.
    """
    if isinstance(texts, str):
        raise TypeError(f"{what} must be a list of texts, got one string")


def check_any(references: Sequence[object]) -> None:
    """Refuse a hypothesis without reference.

    Raises:
        InputMismatch: there is none.
    """
    if not references:
        raise InputMismatch("a hypothesis needs at least one reference, got none")
