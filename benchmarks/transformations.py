"""Transformations that damage an English text, from one typo to a shuffled order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise, permutations
from random import Random

Words = list[str]
Damage = Callable[[str, Random, Sequence[str]], str]
"""Text, source of random choices, other texts → damaged text; the text itself where nothing can be damaged."""

COPIES = 10
"""Number of words that are appended."""


def _list(words: str) -> tuple[str, ...]:
    return tuple(words.split())


ARTICLES = _list("a an the")
PREPOSITIONS = _list(
    "about after against at before by during for from in into of on over through to under with between without"
)
AUXILIARIES = _list(
    "am is are was were be been being has have had do does did will would can could should may might must shall"
)
OTHER_FUNCTION_WORDS = _list(
    "and or but nor if as than that which who whom whose what when where while because so not no there here then this "
    "these those it its he him his she her they them their we us our you your i me my"
)
FUNCTION_WORDS = frozenset(ARTICLES + PREPOSITIONS + AUXILIARIES + OTHER_FUNCTION_WORDS)
FOREIGN = _list(
    "Haus Straße gestern zusammen morgen Schule maison toujours petite lumière jardin demain casa perro grande ventana"
)
NAMES = _list("Anderson Toronto Miller Lisbon Hoffmann Nairobi Baker Siemens Oslo Martha")
ANTONYMS = _list(
    "more/less new/old first/last good/bad high/low higher/lower large/small big/little before/after up/down many/few "
    "most/least better/worse best/worst long/short early/late strong/weak public/private increase/decrease rise/fall "
    "increased/decreased open/close start/end won/lost win/lose always/never same/different possible/impossible "
    "legal/illegal easy/difficult true/false left/right north/south male/female men/women war/peace above/below "
    "inside/outside everything/nothing support/oppose accept/reject buy/sell allow/forbid"
)

_OPPOSITES = {one: other for pair in ANTONYMS for one, other in permutations(pair.split("/"))}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(r"\b(wo|ca)n[’']t\b|n[’']t\b|(?<=\bcan)not\b|\b(?:not|never|no)\b(?!-) ?", re.IGNORECASE)
_EDGES = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@cache
def core_of(word: str) -> str:
    """Return a word without the punctuation around it, in lowercase."""
    return _EDGES.sub(r"\2", word).lower()


def is_function(word: str) -> bool:
    """Whether a word is a function word, whatever its case and the punctuation around it."""
    return core_of(word) in FUNCTION_WORDS


@cache
def is_content(word: str) -> bool:
    """Whether a word has at least four letters, nothing else but hyphens and apostrophes, and is no function word."""
    core = core_of(word)
    return len(core) > 3 and not is_function(word) and bool(re.fullmatch(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*", core))


def _in_place_of(word: str, new: str) -> str:
    """Put a new word where another one stands, with its punctuation and its capital letter."""
    before, old, after = _EDGES.fullmatch(word).groups()  # type: ignore[union-attr]
    return before + (new[:1].upper() + new[1:] if old[:1].isupper() else new) + after


def _places(words: Words, test: Callable[[str], bool]) -> list[int]:
    return [place for place, word in enumerate(words) if test(word)]


def _name_places(words: Words) -> list[int]:
    """Places of capitalized words that are not the first of a sentence."""
    return [
        place
        for place, (before, word) in enumerate(pairwise(words), 1)
        if re.match(r"\W*[A-Z][a-z]", word) and is_content(word) and not re.search(r"[.!?:\"”“]\W*$", before)
    ]


def _on_words(change: Callable[[Words, Random, Sequence[str]], Words]) -> Damage:
    return lambda text, chance, others: " ".join(change(text.split(), chance, others))


def _swap_all(words: Words, _chance: Random, _others: Sequence[str]) -> Words:
    pairs = [words[place : place + 2][::-1] for place in range(0, len(words), 2)]
    return [*chain.from_iterable(pairs)]


def _swap_one(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    places = [place for place in range(len(words) - 1) if words[place] != words[place + 1]]
    if not places:
        return words
    place = chance.choice(places)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def _delete_content(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    places = _places(words, is_content)
    lost = chance.choice(places) if places else -1
    return [word for place, word in enumerate(words) if place != lost]


def _replace(words: Words, chosen: Sequence[int], chance: Random, candidates: Sequence[str]) -> Words:
    """Replace the words at some places, each by a candidate with other letters."""
    replaced = list(words)
    for place in chosen:
        core = core_of(words[place])
        if different := [one for one in candidates if core_of(one) != core]:
            replaced[place] = _in_place_of(words[place], chance.choice(different))
    return replaced


def _content_of(others: Sequence[str]) -> list[str]:
    return [core_of(word) for text in others for word in text.split() if is_content(word)]


def _replace_content(words: Words, chance: Random, others: Sequence[str]) -> Words:
    places = _places(words, is_content)
    return _replace(words, chance.sample(places, min(1, len(places))), chance, _content_of(others))


def _replace_all_content(words: Words, chance: Random, others: Sequence[str]) -> Words:
    return _replace(words, _places(words, is_content), chance, _content_of(others))


def _replace_names(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    return _replace(words, _name_places(words), chance, NAMES)


def _exchange_prepositions(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    return _replace(words, _places(words, lambda word: core_of(word) in PREPOSITIONS), chance, PREPOSITIONS)


def _antonym(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    places = _places(words, lambda word: core_of(word) in _OPPOSITES)
    if not places:
        return words
    place = chance.choice(places)
    return _replace(words, [place], chance, [_OPPOSITES[core_of(words[place])]])


def _negate(words: Words, _chance: Random, _others: Sequence[str]) -> Words:
    """Add *not* behind the first auxiliary of a text without negation."""
    places = _places(words, lambda word: word.lower() in AUXILIARIES)
    if not places or _NEGATION.search(" ".join(words)):
        return words
    return [*words[: places[0] + 1], "not", *words[places[0] + 1 :]]


def _affirm(text: str, _chance: Random, _others: Sequence[str]) -> str:
    """Remove the first negation: not, never, no, n't."""
    stems = {"wo": "will", "ca": "can", "Wo": "Will", "Ca": "Can"}
    return _NEGATION.sub(lambda found: stems.get(found[1], ""), text, count=1)


def _other_number(number: str, chance: Random) -> str:
    """Return a number of the same shape, every digit another one; the first is not 0."""
    return re.sub(r"\d", lambda digit: chance.choice([one for one in "123456789" if one != digit[0]]), number)


def _change_number(text: str, chance: Random, _others: Sequence[str]) -> str:
    numbers = [*_NUMBER.finditer(text)]
    if not numbers:
        return text
    number = chance.choice(numbers)
    return text[: number.start()] + _other_number(number[0], chance) + text[number.end() :]


def _clause_twice(text: str, chance: Random, _others: Sequence[str]) -> str:
    """Repeat a part of the text between commas, semicolons or colons, if there are several."""
    clauses = re.split(r"(?<=[,;:]) ", text)
    if len(clauses) == 1:
        return text
    place = chance.randrange(len(clauses))
    return " ".join([*clauses[: place + 1], *clauses[place:]])


def _append_other(words: Words, chance: Random, others: Sequence[str]) -> Words:
    long = [one for one in (text.split() for text in others) if len(one) >= COPIES]
    return [*words, *(chance.choice(long)[:COPIES] if long else [])]


def _typos(words: Words, chance: Random, _others: Sequence[str]) -> Words:
    """Swap two letters inside every third word of five letters or more."""
    damaged = list(words)
    for place in _places(words, lambda word: is_content(word) and len(core_of(word)) > 4)[::3]:
        word = words[place]
        inner = [at for at in range(1, len(word) - 2) if word[at : at + 2].isalpha() and word[at] != word[at + 1]]
        if inner:
            at = chance.choice(inner)
            damaged[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return damaged


TRANSFORMATIONS: Mapping[str, Damage] = {
    "neighbors swapped": _on_words(_swap_all),
    "one pair swapped": _on_words(_swap_one),
    "shuffled": _on_words(lambda words, chance, _: chance.sample(words, len(words))),
    "reversed": _on_words(lambda words, *_: words[::-1]),
    "halves exchanged": _on_words(lambda words, *_: words[len(words) // 2 :] + words[: len(words) // 2]),
    "no function words": _on_words(lambda words, *_: [word for word in words if not is_function(word)]),
    "only function words": _on_words(lambda words, *_: [word for word in words if is_function(word)]),
    "no articles": _on_words(lambda words, *_: [word for word in words if core_of(word) not in ARTICLES]),
    "a content word deleted": _on_words(_delete_content),
    "first half": _on_words(lambda words, *_: words[: len(words) // 2]),
    "second half": _on_words(lambda words, *_: words[len(words) // 2 :]),
    "a content word replaced": _on_words(_replace_content),
    "all content words replaced": _on_words(_replace_all_content),
    "names replaced": _on_words(_replace_names),
    "prepositions exchanged": _on_words(_exchange_prepositions),
    "an antonym": _on_words(_antonym),
    "a number changed": _change_number,
    "all numbers changed": lambda text, chance, _: _NUMBER.sub(lambda number: _other_number(number[0], chance), text),
    "negation added": _on_words(_negate),
    "negation removed": _affirm,
    "twice": lambda text, *_: f"{text} {text}",
    "a clause twice": _clause_twice,
    "last word ten times more": _on_words(lambda words, *_: [*words, *words[-1:] * COPIES]),
    "ten foreign words added": _on_words(lambda words, chance, _: [*words, *chance.sample(FOREIGN, COPIES)]),
    "ten words of another text added": _on_words(_append_other),
    "lowercase": lambda text, *_: text.lower(),
    "uppercase": lambda text, *_: text.upper(),
    "no punctuation": _on_words(lambda words, *_: [_EDGES.sub(r"\2", word) for word in words]),
    "typos": _on_words(_typos),
}
"""Transformations by name: order, missing words, wrong words, added words, form."""


def transform(name: str, text: str, others: Sequence[str]) -> str | None:
    """Apply one of `TRANSFORMATIONS`, with words of other texts; None if no word changes, or none is left."""
    damaged = TRANSFORMATIONS[name](text, Random(f"{name}\n{text}"), others)  # noqa: S311 – reproducible, no secret
    damaged = " ".join(damaged.split())
    return damaged if damaged and damaged != " ".join(text.split()) else None
