"""Parts of scoring a segment, by the functions of the compiled engine."""

from __future__ import annotations

import re
from collections.abc import Iterable

READING = "reading"
NEW_WORDS = "new words"
WORDS = "words"
CANDIDATES = "candidates"
SEARCH = "search"
SCORE = "counts, score"
REST = "the rest"
PARTS = (READING, NEW_WORDS, WORDS, CANDIDATES, SEARCH, SCORE, REST)

INNER = {
    "Kernel_next_pairs": REST,
    "CompiledSums_add": REST,
    "Batch_read": READING,
    "Reader_learn_token": NEW_WORDS,
    "Reader_fill_words": NEW_WORDS,
    "Kernel_complete": WORDS,
    "Batch_find": SCORE,
    "candidates_propose_words": CANDIDATES,
    "phrase_candidates_find_paraphrases": CANDIDATES,
    "joined_join_words": CANDIDATES,
    "joined_join_parts": CANDIDATES,
    "near_find_spellers": CANDIDATES,
    "near_drop_common": CANDIDATES,
    "near_find_near": CANDIDATES,
    "fixed_matches_split_fixed": SEARCH,
    "narrow_search_narrow": SEARCH,
    "beam_search_wide": SEARCH,
    "greedy_search_greedily": SEARCH,
    "staged_search_staged": SEARCH,
    "alignment_search_by_value": SEARCH,
    "alignment_search_best": SEARCH,
}
"""Functions that the compiler leaves whole, and their part; what they call is a part of it, but for others of these."""

WITHIN = {
    "Batch_read": "CompiledSums_add",
    "Reader_learn_token": "Batch_read",
    "Reader_fill_words": "Batch_read",
    "Batch_find": "CompiledSums_add",
    "Kernel_complete": "Batch_find",
    "candidates_propose_words": "Batch_find",
    "phrase_candidates_find_paraphrases": "Batch_find",
    "joined_join_words": "alignment_search_by_value",
    "joined_join_parts": "alignment_search_by_value",
    "near_find_spellers": "alignment_search_by_value",
    "near_drop_common": "alignment_search_by_value",
    "near_find_near": "alignment_search_by_value",
    "fixed_matches_split_fixed": "Batch_find",
    "narrow_search_narrow": "Batch_find",
    "beam_search_wide": "Batch_find",
    "greedy_search_greedily": "Batch_find",
    "staged_search_staged": "Batch_find",
    "alignment_search_by_value": "Batch_find",
    "alignment_search_best": "Batch_find",
}
"""Which of them is called within which other one; `alignment_search_best` calls some of the other searches."""

BEST = "alignment_search_best"
WITHIN_BEST = ("fixed_matches_split_fixed", "narrow_search_narrow", "beam_search_wide")

ASKED = {
    "Reader_ask_of_token": "the text mode, in Python",
    "Reader_words_of_sign": "the text mode, in Python",
    "Stems_of": "stem",
    "Stems_number_of": "stem",
    "Synsets_find": "synonym sets",
    "Lemmas_find": "lemma names",
    "Sizes_of": "weight",
    "Paraphrases_number_of": "number in the paraphrase table",
    "Learner_learn": "keeping the word",
    "Reader_cut_token": "cutting the token",
    "Reader_learn_token": "keeping the token",
}
"""Look-ups for a new token or word, by the calling function."""

_COMPILED = re.compile(
    r"__pyx_(?:f|pw)_(?:\d+meteorlib_\d+engine_\d+kernel_)?"
    r"(?:5words_|4text_|5match_|6search_|5count_)?(\w+)"
)


def plain(symbol: str) -> str:
    """The name of a function of the extension without what Cython puts to it; nothing of any other function."""
    match = _COMPILED.search(symbol)
    return "" if match is None else re.sub(r"(?:^|(?<=_))\d+(?=[A-Za-z_])", "", match[1]).removeprefix("kernel_")


def dissolved(extension: bytes) -> list[str]:
    """Functions of the parts that a compiled extension lacks: the compiler put them into those that call them.

    Their time would be counted as their callers'. Returns nothing where the extension has no names of functions.
    """
    symbols = re.findall(rb"\0_ZL(\d+)(__pyx_\w+)", extension)
    found = {plain(symbol[: int(length)].decode()) for length, symbol in symbols}  # what follows is of the arguments
    wanted = {*INNER, *WITHIN, *WITHIN.values(), *WITHIN_BEST, *ASKED}
    return sorted(wanted - found) if found else []


def innermost(stack: Iterable[str], names: dict[str, str]) -> str | None:
    """Name of the innermost known part in a stack of calls, which starts with the innermost."""
    return next((names[name] for name in stack if name in names), None)
