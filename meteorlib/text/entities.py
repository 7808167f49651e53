"""HTML and XML entities: decoded, even if a tokenizer tore them apart or they were escaped more than once."""

from __future__ import annotations

import re

from meteorlib.text.unicode_form import unify

_ROUNDS = 8
"""Maximum depth of entities whose characters are themselves entities; limits the time for contrived text."""

_TORN_NAMES = "quot|apos|amp|lt|gt|nbsp|[lr][sd]quo|[lr]aquo|[nm]dash|hellip"
"""Names that are recognized with blanks inside, because no English word is among them (unlike ``& image ;``)."""

_MOSES = {"bar": "|", "pipe": "|", "bra": "[", "ket": "]"}
"""Names of older versions of Moses, which HTML does not have."""

_ENTITY = re.compile(
    r"&(?P<escapes>(?: ?(?:amp|# ?0{0,5}38|# ?[xX]0{0,4}26) ?;)*)"
    r"(?: ?# ?(?P<number>[0-9]{1,7}|[xX][0-9a-fA-F]{1,6}) ?;"
    rf"| ?(?P<torn>(?i:{_TORN_NAMES})) ?;"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{1,31});)"
)


def decode_entities(line: str) -> str:
    """Replace the entities of a line by their characters: ``&quot;``, ``& quot ;``, ``&amp;#39;``, ``& # 39 ;``.

    Anything else with an ampersand is kept (``AT&T``, ``R & D ; quote``), and so are entities of control characters.
    White space, the non-breaking space included, becomes a blank; invisible characters are removed.
    """
    for _ in range(_ROUNDS):
        if "&" not in line or ";" not in line:
            break
        decoded = _ENTITY.sub(_decode, line)
        if decoded == line:
            break
        line = decoded
    return line


def _decode(match: re.Match[str]) -> str:
    escapes, number, torn, name = match.group("escapes", "number", "torn", "name")
    character = _character(number, torn or name)
    if character is not None:
        return " " if character.isspace() else character
    # an unknown name loses only what was escaped more than once
    return f"&{match[0][1 + len(escapes) :]}"


def _character(number: str | None, name: str) -> str | None:
    """The character of a number or a name; None if it has none, or a control character."""
    from html import unescape  # noqa: PLC0415 – most text has no entity
    from html.entities import html5  # noqa: PLC0415 – most text has no entity

    if number is not None:
        character = unescape(f"&#{number};")
        is_known = character not in {"", "\ufffd"} and (character >= " " or character.isspace())
        return unify(character) if is_known else None
    for known in (name, name.lower()):
        if known in _MOSES:
            return _MOSES[known]
        if f"{known};" in html5:
            return unify(html5[f"{known};"])
    return None


def first_entity(line: str) -> str | None:
    """The first entity in a line that `decode_entities` decodes."""
    if "&" not in line or ";" not in line:
        return None
    return next((found[0] for found in _ENTITY.finditer(line) if _decode(found) != found[0]), None)
