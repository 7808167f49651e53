"""Validation of input texts, and conversion of arrays and columns to sequences."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText

LONGEST_TEXT = 2_000_000
"""Maximum characters of a segment, as many as a novel has, so that memory and the response to Ctrl-C are bounded."""

TOO_MANY_WORDS = f"more than {LONGEST_TEXT:,} characters with a space after each word; is this one segment?"

ARROW_BATCH = 1024
"""Number of cells of an Arrow array that are converted to Python objects at a time."""

_AS_LIST = ("tolist", "to_pylist", "to_list")
"""Methods by which arrays and columns of numpy, pandas, pyarrow and polars become lists."""


# possessive, and with an end for a string that has none, so that every line takes linear time; it's is one word
_ITEM = r"""(?:'(?:[^'\\]|\\.?|'(?=\w))*+(?:'|\Z)|"(?:[^"\\]|\\.?|"(?=\w))*+(?:"|\Z)|None|null|nan|NaN)"""
_END = r"\s*+(?:,\s*+)?"
_LIST = (
    rf"(?s)\s*+(?:array\()?(?:\[\s*+(?:{_ITEM}(?:(?:\s*+,\s*+|\s++){_ITEM})*+{_END})?\]|"
    rf"\(\s*+{_ITEM}\s*+,\s*+(?:{_ITEM}{_END})*+\)|"
    rf"\{{\s*+{_ITEM}(?:\s*+,\s*+{_ITEM})*+\s*+\}})(?:,\s*+dtype=\w+\))?\s*+"
)
_ESCAPE = r"""\\(?:[\\'"nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})"""

OPENINGS = ("[", "(", "{", "array(", " ", "\t", "\n")
"""Beginnings of a list that is written as text."""

SEPARATOR = "|||"
"""Usual separator of several references in one text."""


def list_in(text: str) -> list[str | None] | None:
    """The items of a list that is written as text, by Python, JSON or numpy; None for any other text."""
    if not (text.startswith(OPENINGS) and re.fullmatch(_LIST, text)):
        return None
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        if isinstance(found, list):
            return found
    return [
        None if item[0] not in "'\"" else re.sub(_ESCAPE, lambda found: literal_eval(f"'{found[0]}'"), item[1:-1])
        for item in re.findall(f"(?s){_ITEM}", text)
    ]


def may_hold_several(text: str) -> bool:
    """Whether `several_in_text`, which takes longer, could find several texts other than after tabs."""
    return text.startswith(OPENINGS) or SEPARATOR in text


def several_in_text(text: str, *, tabs: bool = True) -> str:
    """Why a text seems to be several references, and their form; empty for any other text; `tabs` may separate them."""
    if SEPARATOR in text:
        return f"several texts with {SEPARATOR} between them (separator={SEPARATOR})"
    if tabs and "\t" in text and sum(map(bool, map(str.strip, text.split("\t")))) > 1:
        return "several texts with tabs between them (separator=tab)"
    return "" if list_in(text) is None else "a list written as text (list)"


def check_no_words(references: Sequence[str], hypothesis: str) -> None:
    """Refuse the words of one reference in place of several references of a hypothesis that is a text.

    They are three or more words without blanks, of which one is a mark, or half are in the hypothesis, or a few are
    repeated. Short answers to a question, many of them equal, are several references.
    """
    if len(references) < 3 or " " in references[0] or not isinstance(hypothesis, str):
        return
    if any(not isinstance(word, str) or not word or len(word.split()) != 1 for word in references):
        return
    words = hypothesis.casefold().split()
    if len(words) < 3:
        return
    distinct = {word.casefold() for word in references}
    if (
        3 < len(distinct) < len(references) < 2 * len(distinct)
        or not all(any(map(str.isalnum, word)) for word in distinct)
        or (len(distinct) > 2 and len(distinct.intersection(words)) * 2 >= min(len(distinct), len({*words})) + 1)
    ):
        raise InvalidText(
            "references",
            f"{len(references)} single words, such as {references[0]!r}: a reference is a text; for the words of "
            "one, call score_tokens([reference], hypothesis), with words on both sides",
        )


def too_long_message(longest: int) -> str:
    """Error message for a line or a segment of more than `longest` characters."""
    return f"more than {longest:,} characters; is each line one segment?"


def not_text_message(value: object) -> str:
    """Error message for a cell that is not text."""
    if value is None:
        return "null; fill it (an empty string scores 0) or drop the row"
    return f"expected text, got {type(value).__name__}"


def check_text(text: str, what: str, number: int | None = None) -> None:
    """Check that a text can be scored; `number` is its number among several, from 1."""
    if not isinstance(text, str):
        which = f"a {what}" if number is None else f"{what} {number}"
        raise TypeError(f"{which} must be a string, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise InvalidText(_numbered(what, number), too_long_message(LONGEST_TEXT))
    if "\0" in text:
        reason = f"NUL character at offset {text.index(chr(0))}; remove it, or read the file as UTF-16"
        raise InvalidText(_numbered(what, number), reason)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            reason = f"lone surrogate U+{ord(text[error.start]):04X} at offset {error.start}; decode the text again"
            raise InvalidText(_numbered(what, number), reason) from None


def check_reference(references: Sequence[str], index: int) -> None:
    """Check one of the references of a segment; if there are several, the message says which one is wrong."""
    check_text(references[index], "reference", index + 1 if len(references) > 1 else None)


def check_list_of_texts(texts: object, what: str) -> None:
    """Refuse strings, mappings, tables and sets, which are iterable but not lists of texts."""
    if isinstance(texts, str):
        raise TypeError(f"{what} must be a list of texts, got one string")
    if isinstance(texts, bytes | bytearray | Mapping | set | frozenset) or hasattr(texts, "columns"):
        raise TypeError(f"{what} must be a list of texts, got {type(texts).__name__}")


def texts_of(texts: Iterable[Any], what: str) -> Sequence[Any]:
    """The items of a list, a tuple, an array, a column or any other iterable."""
    if isinstance(texts, list | tuple):
        return texts
    for name in _AS_LIST:
        if convert := getattr(texts, name, None):
            return texts_of(convert(), what)
    check_list_of_texts(texts, what)
    try:
        return list(texts)
    except TypeError:
        if isinstance(texts, Iterable):
            raise
        raise TypeError(f"{what} must be a list of texts, got {type(texts).__name__}") from None


def references_of(ref: str | Iterable[str], hyp: str = "") -> Sequence[str]:
    """The references of a segment, given as one string or as any sequence, of which each None is left out."""
    if isinstance(ref, str):
        if may_hold_several(ref) and (several := several_in_text(ref, tabs=False)):
            reason = f"{several}; pass a list of references, [text] if it is one"
            raise InvalidText("reference", reason)
        return [ref]
    if hasattr(ref, "as_py"):  # a cell of arrow's
        return references_of(ref.as_py(), hyp)
    texts = texts_of(ref, "references")
    if None in texts:
        texts = [text for text in texts if text is not None]
    check_no_words(texts, hyp)
    return texts


def words_of(refs: Iterable[Iterable[str]], hyp: Iterable[str]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The words of the references of a segment, and those of its hypothesis; strings in their place are refused."""
    reference_words = [] if isinstance(refs, str) else texts_of(refs, "references")
    if any(isinstance(given, str) for given in (refs, hyp, *reference_words)):
        raise TypeError("score_tokens takes lists of words; raw text goes through score")
    references = [tuple(texts_of(words, "a reference")) for words in reference_words]
    hypothesis = tuple(texts_of(hyp, "a hypothesis"))
    for number, words in enumerate(references, 1):
        _check_words(words, "reference", number if len(references) > 1 else None)
    _check_words(hypothesis, "hypothesis")
    return references, hypothesis


def _check_words(words: Sequence[str], what: str, number: int | None = None) -> None:
    for word in words:
        check_text(word, "word")
    if len(words) + sum(map(len, words)) > LONGEST_TEXT + 1:
        raise InvalidText(_numbered(what, number), TOO_MANY_WORDS)


def cells_of(column: Iterable[Any], what: str) -> Iterator[Any]:
    """The cells of a column one after the other, as Python objects; a long array is converted in batches."""
    check_list_of_texts(column, what)
    if hasattr(column, "to_pylist") and hasattr(column, "__len__"):
        return _arrow_cells(column)
    if not isinstance(column, Iterable):
        raise TypeError(f"{what} must be a list of texts, got {type(column).__name__}")
    return iter(column)


def check_same_order(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas with the same index in different orders: their rows do not stand side by side."""
    indexes: dict[str, Any] = {name: getattr(column, "index", None) for name, column in columns.items()}
    indexed = [(name, index) for name, index in indexes.items() if hasattr(index, "equals")]
    for (name, index), (other, known) in pairwise(indexed):
        with suppress(TypeError):  # labels that cannot be sorted
            if not index.equals(known) and index.sort_values().equals(known.sort_values()):
                raise InputMismatch(
                    f"{name} and {other} have the same index in different orders: sort them by it (sort_index), or, if "
                    "their rows are parallel, drop it: reset_index(drop=True)"
                )


def check_pair(pair: Pair) -> None:
    """Check that a segment is a `Pair` with a list of references."""
    if not isinstance(pair, Pair):
        raise TypeError(f"a segment must be a meteorlib.Pair(references, hypothesis), got {type(pair).__name__}")
    if isinstance(pair.references, str):
        raise TypeError("references are a list of strings, got one string")
    if not hasattr(pair.references, "__len__"):
        raise TypeError(f"references are a list of strings, got {type(pair.references).__name__}")


def check_has_references(references: Sequence[object]) -> None:
    """Check that a hypothesis has at least one reference."""
    if not len(references):
        raise InputMismatch("a hypothesis needs at least one reference, got none")


def _numbered(what: str, number: int | None) -> str:
    return what if number is None else f"{what} {number}"


def _arrow_cells(column: Any) -> Iterator[Any]:
    for start in range(0, len(column), ARROW_BATCH):
        yield from column[start : start + ARROW_BATCH].to_pylist()
