r"""Cleaning of lines, for text modes ``cleaned-…``: marks that a model's tokenizer or a chat left are removed.

Only marks that are certain are removed: special tokens (``<start>``, ``[CLS]``, ``<|endoftext|>``, ``<unk>``), as with
``skip_special_tokens=True`` of transformers; codes of the target language; pieces of words (``new@@ est``, ``play
##ing``, ``▁new est``, ``Ġnew est``, ``new est</w>``); a list of one text (``['…']``); code fences; a literal ``\n``;
``assistant:`` at the beginning.
"""

from __future__ import annotations

import re
from functools import cache

from attrs import frozen

from meteorlib.text.token import Preparation, pattern_of
from meteorlib.text.validation import list_in

_ROUNDS = 8
"""Maximum number of marks within marks; limits the time for contrived text."""

_LONGEST_EXAMPLE = 24
"""Characters of an example in a note."""

_SHARE = 4
"""Blanks separate pieces of words if at least one piece in this number has the mark of a word."""

_NAMES = (
    "unk|pad|mask|cls|sep|go|start|end|sos|eos|bos|eot|eod|startoftext|endoftext|startofseq|endofseq|image"
    "|(?:start|end)_of_(?:turn|text|utterance|image)|extra_id_[0-9]{1,3}|2[a-z]{2,3}|think"
)
_OPEN, _CLOSE = "(?:<|&lt;)", "(?:>|&gt;)"
_SPECIAL = (
    # a chat's head: <|im_start|>assistant
    r"<\|(?:im_start|start|start_header_id)\|> ?(?:assistant|user|system)\b|<start_of_turn> ?(?:model|user)\b"
    r"|<[|｜][^<>|｜\n]{1,40}[|｜]>|<think>[^<]*</think>"
    rf"|{_OPEN}{{1,2}} ?/? ?(?i:{_NAMES}) ?{_CLOSE}{{1,2}}|{_OPEN} ?/? ?[sS] ?{_CLOSE}"
    r"|\[ ?(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS|/?INST|unused[0-9]{1,3}) ?\]|<{2}/?SYS>{2}"
    r"|>>[a-z]{2,3}(?:_[A-Z][a-z]{3})?<<|(?<![^ ])__[a-z]{2,3}__(?![^ ])"
    r"|(?<![^ ])(?:startseq|endseq)(?![^ ])|^#{3} ?(?:Response|Answer|Assistant|Output) ?:?"
)
_BYTES = "(?:<0x[0-9A-F]{2}>)+"
"""Bytes of characters that SentencePiece's model does not have."""

_LANGUAGE = "^(?:[a-z]{3}_[A-Z][a-z]{3}|[a-z]{2}_[A-Z]{2}) |(?<= )[a-z]{3}_[A-Z][a-z]{3}$"
"""Code of a language: NLLB writes it first or last, mBART first."""

_ROLE = r"(?:assistant|Assistant|ASSISTANT):(?!\S)"
_FENCE = r"(?<!`)```(?!`)(?:[a-zA-Z]{1,12}(?=\n|\\n)|(?:text|txt|plaintext|markdown|json|html|xml)(?=\s|$))?"
_LINE_BREAK = r"(?:\\[nr])+(?![a-z])|(?<=[.!?])(?:\\[nr])+"

_SIGNS = "<>[({@#\\`▁Ġ￭_:q"
"""Characters of which every token with a mark has at least one; q for startseq."""

_MARK = (
    r"<|>>|&lt;|\[|[({]['\"]|@@|##|\\[nr]|```|[▁Ġ￭]|__|^[a-z]{2,3}_[A-Z]| [a-z]{3}_[A-Z][a-z]{3}$"
    "|ssistant:|SSISTANT:|startseq|endseq"
)
"""Pattern without which nothing is done, in a line or in a token."""


@frozen
class Cleaner:
    """Removes the marks of a model's tokenizer from lines; ``Ġ`` is a letter in the `language` Maltese."""

    language: str = "en"

    def preparation(self) -> Preparation:
        """The tests that find lines with marks, for the compiled engine."""
        return Preparation(_SIGNS, pattern_of(_MARK).search, lambda _: True, self)

    def __call__(self, line: str) -> str:
        """The cleaned line."""
        for _ in range(_ROUNDS):
            if not pattern_of(_MARK).search(line):
                break
            cleaned = self._once(line)
            if cleaned == line:
                break
            line = cleaned
        return line

    def _once(self, line: str) -> str:
        marked = line
        line = pattern_of(_BYTES).sub(_decode_bytes, line)
        line = pattern_of(f"{_SPECIAL}|{_LANGUAGE}|{_FENCE}").sub(" ", line)
        line = pattern_of(_LINE_BREAK).sub(" ", line)
        if line != marked:
            line = pattern_of(" {2,}").sub(" ", line).strip()
        stripped = line.strip()
        if role := pattern_of(_ROLE).match(stripped):
            line = stripped[role.end() :].strip()
        if (found := list_in(stripped)) and len(found) == 1 and isinstance(found[0], str):
            line = pattern_of(r"[\r\n]+").sub(" ", found[0])
        return self._without_pieces(line)

    def _without_pieces(self, line: str) -> str:
        """The line with the pieces of its words put together."""
        if "@@" in line:
            line = pattern_of("@@(?: |$)").sub("", line)
        if "##" in line:
            line = pattern_of(" ##(?=[^ #])").sub("", line)
        if "￭" in line:
            line = pattern_of(" ?￭ ?").sub("", line)
        if "</w>" in line:
            line = (_joined(line, "</w>") or line).replace("</w>", " ").strip(" ")
        if "▁" in line and not pattern_of("[\u2580\u2582-\u258f]").search(line):
            pieces = line.split()
            is_joined = line.count("▁") > 1 or len(pieces) == 1 or pieces[0] == "▁"
            if is_joined and (pieces[0] == "▁" or _joined(line, "▁")):
                line = "".join(pieces).replace("▁", " ").strip(" ")
            elif line.startswith("▁"):
                line = line.lstrip("▁")
        if "Ġ" in line and self.language != "mt" and (joined := _joined(line, "Ġ")):
            line = _decode_letters(joined).strip(" ")
        return line


def _joined(line: str, mark: str) -> str:
    """The line without the blanks between its pieces; empty if too few of them have the mark."""
    pieces = line.split()
    return "".join(pieces) if line.count(mark) * _SHARE >= len(pieces) else ""


def _decode_bytes(run: re.Match[str]) -> str:
    """The characters of bytes such as ``<0xE2><0x82><0xAC>``; a blank for a line break, and for no characters."""
    data = bytes(int(code, 16) for code in pattern_of("[0-9A-F]{2}(?=>)").findall(run[0]))
    return _printable(data) or " "


def _decode_letters(line: str) -> str:
    """The text of byte-level pieces: GPT-2 writes each byte as a letter, a blank as ``Ġ``."""
    letters = _byte_of_letter()
    if all(letter in letters for letter in line) and (text := _printable(bytes(letters[letter] for letter in line))):
        return text
    return line.replace("Ġ", " ").replace("Ċ", " ")


def _printable(data: bytes) -> str:
    """The text of bytes in UTF-8, line breaks as blanks; empty if it is none."""
    try:
        text = data.decode().replace("\n", " ")
    except UnicodeDecodeError:
        return ""
    return text if all(letter >= " " and letter != "\x7f" for letter in text) else ""


@cache
def _byte_of_letter() -> dict[str, int]:
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(0x100 + place): byte for place, byte in enumerate(others)}


def clean(text: str, language: str = "en") -> str:
    """Clean a text as text modes ``cleaned-…`` do: remove the marks of a model's tokenizer and of a chat.

    >>> clean("<start> a new@@ er <unk> house <end>")
    'a newer house'
    >>> clean("▁A ▁new er ▁house </s>"), clean("['A newer house']")
    ('A newer house', 'A newer house')

    Args:
        text: a segment.
        language: its code; ``Ġ`` is a letter in Maltese (``mt``).
    """
    return Cleaner(language)(text)


def first_mark(cleaner: Cleaner, line: str) -> str | None:
    """The first token of a line that cleaning changes, or the beginning of it."""
    if (cleaned := cleaner(line)) == line:
        return None
    same = next(
        (place for place, pair in enumerate(zip(line, cleaned, strict=False)) if len({*pair}) > 1), len(cleaned)
    )
    start = same + 1 if line[same : same + 1] == " " else line.rfind(" ", 0, same) + 1
    torn = pattern_of(r"[<\[] /? ?\w{1,20} [>\]]").match(line, start)
    return torn[0] if torn else line[start:].split(maxsplit=1)[0][:_LONGEST_EXAMPLE]
