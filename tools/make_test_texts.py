"""Make the sentence pairs tests/data/XX.{ref,hyp} out of the templates and word lists in tools/test_texts/XX.txt.

    python tools/make_test_texts.py [FOLDER]

A reference is a filled template; its hypothesis is the same sentence with other order, inflections, words, punctuation.
tests/data/phrases.en.{ref,hyp} are strings of phrases out of the paraphrase table tests/data/phrases.en.tsv: the few
phrases of a pair come again and again, so that what could be matched overlaps.
The text was written for this project. The same lists give the same bytes, on every platform and Python.
"""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "fr", "de", "es", "ru", "cz", "da", "other")
PHRASES = HERE.parent / "tests" / "data" / "phrases.en.tsv"
PAIRS = 220
PHRASE_PAIRS = 150
IDENTICAL_EVERY = 29
UNRELATED_EVERY = 41

T = TypeVar("T")
Lists = dict[str, list[str]]
Edit = Callable[["Dice", list[str], Lists], list[str]]

SPACES = ("\u00a0", "\u2003", "\u2009", "\u202f", "\u3000", "\u205f", "\u200a", "  ", "\t")
EMOJI = ("😀", "👍🏽", "🇪🇺", "❤️", "👩‍🚀", "☂")
# What is written → how it may be written instead; several ways are chosen from at random.
VARIANTS = (
    ("'", ("’", "‘", "`", "´")),
    ('"', ("“", "”", "''", "``")),
    ("...", ("…", "....", " . . .", "..")),
    (" - ", (" – ", " -- ", " — ", " --- ")),
    ("-", ("\u2010", "\u2011", "–", " - ", "--")),
    (", ", (",", " , ", " ,", ",, ")),
    ("«", ("« ", "»", "<<")),
    ("„", ("“", ",,", "‚")),
    ("e", ("\u0435", "\u00e9", "e\u0301")),
)


class Dice:
    """Random choices that depend on the seed alone: SHA-256 of seed and counter."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        self._count += 1
        digest = hashlib.sha256(f"{self._seed} {self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[self.below(len(choices))]


def read_lists(path: Path) -> Lists:
    """The sections of a word list: `[name]`, then an entry a line."""
    lists: Lists = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            entries = lists.setdefault(line[1:-1], [])
        elif line:
            entries.append(line)
    return lists


def fill(dice: Dice, template: str, lists: Lists) -> str:
    """The template with each {slot} replaced by an entry of that section, no entry twice while there are others."""
    used: set[str] = set()

    def entry(slot: re.Match[str]) -> str:
        choices = lists[slot[1]]
        chosen = dice.pick([choice for choice in choices if choice not in used] or choices)
        used.add(chosen)
        return chosen

    text = re.sub(r"\{(\w+)\}", entry, template)
    if text.endswith("..") and not text.endswith("..."):  # "… in the U.S." needs no second dot
        text = text[:-1]
    return re.sub(r"^(\W*)(\w)", lambda start: start[1] + start[2].upper(), text)


def swap(dice: Dice, words: list[str], _: Lists) -> list[str]:
    """Two neighbors change places."""
    at = dice.below(len(words) - 1)
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]


def move(dice: Dice, words: list[str], _: Lists) -> list[str]:
    """A run of up to four words goes elsewhere."""
    start = dice.below(len(words) - 1)
    end = min(len(words), start + 1 + dice.below(4))
    rest = words[:start] + words[end:]
    to = dice.below(len(rest) + 1)
    return rest[:to] + words[start:end] + rest[to:]


def drop(dice: Dice, words: list[str], _: Lists) -> list[str]:
    """A word is missing."""
    at = dice.below(len(words))
    return words[:at] + words[at + 1 :]


def insert(dice: Dice, words: list[str], lists: Lists) -> list[str]:
    """A function word too many."""
    at = dice.below(len(words) + 1)
    return [*words[:at], dice.pick(lists["fillers"]), *words[at:]]


def repeat(dice: Dice, words: list[str], _: Lists) -> list[str]:
    """A word of the sentence stands a second time somewhere else."""
    at = dice.below(len(words) + 1)
    return [*words[:at], dice.pick(words), *words[at:]]


def inflect(dice: Dice, words: list[str], lists: Lists) -> list[str]:
    """Up to two words take another form of their family."""
    families = {form: family.split() for family in lists["families"] for form in family.split()}
    for _ in range(2):
        places = [at for at, word in enumerate(words) if bare(word) in families]
        if places:
            at = dice.pick(places)
            form = dice.pick([other for other in families[bare(words[at])] if other != bare(words[at])])
            words = [*words[:at], words[at].replace(bare(words[at]), form), *words[at + 1 :]]
    return words


def rephrase(dice: Dice, words: list[str], lists: Lists) -> list[str]:
    """One phrase is said in other words."""
    text = " ".join(words)
    phrases = [line.split(" = ") for line in lists["alternatives"]]
    pairs = [(re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE), new) for old, new in phrases]
    pairs += [(re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE), new) for new, old in phrases]
    pairs = [(old, new) for old, new in pairs if old.search(text)]
    if not pairs:
        return inflect(dice, words, lists)
    pattern, replacement = dice.pick(pairs)
    return pattern.sub(lambda _: replacement, text, count=1).split(" ")


def finish(dice: Dice, words: list[str], lists: Lists) -> list[str]:
    """Another punctuation mark at the end."""
    ending = dice.pick(lists["endings"])
    last = words[-1].rstrip(".…!?")
    return [*words[:-1], last + ending] if last else [*words[:-1], ending]


EDITS: tuple[Edit, ...] = (swap, move, drop, insert, repeat, inflect, inflect, rephrase, rephrase, finish)


def bare(word: str) -> str:
    """The word without the punctuation round it."""
    return word.strip(".,;:!?…\"'«»„“”()/")


def perturb(dice: Dice, reference: str, lists: Lists) -> str:
    """A hypothesis for the reference: one to five edits."""
    words = reference.split()
    for _ in range(1 + dice.below(5)):
        if len(words) > 3:
            words = dice.pick(EDITS)(dice, words, lists)
    return " ".join(words)


def dress(dice: Dice, text: str) -> str:
    """The text with another space, quote, dash, accent, case or an emoji."""
    kind = dice.below(10)
    words = text.split(" ")
    if kind == 0:
        return unicodedata.normalize("NFD", text)
    if kind == 1:
        return f"{text} {dice.pick(EMOJI)}"
    if kind in {2, 3}:
        at = 1 + dice.below(len(words) - 1)
        return " ".join(words[:at]) + dice.pick(SPACES) + " ".join(words[at:])
    if kind == 4:
        at = dice.below(len(words))
        return " ".join([*words[:at], words[at].upper(), *words[at + 1 :]])
    if kind == 5:
        at = dice.below(len(words))
        return " ".join([*words[:at], words[at][:3] + "\u00ad" + words[at][3:], *words[at + 1 :]])
    possible = [(old, new) for old, new in VARIANTS[:-1] if old in text] or [VARIANTS[-1]]
    old, new = dice.pick(possible)
    return text.replace(old, dice.pick(new), 1 + dice.below(2))


def make_pairs(language: str, lists: Lists) -> list[tuple[str, str]]:
    """All (reference, hypothesis) pairs of a language."""
    dice = Dice(language)
    plain = list(lists.get("once", []))
    while len(plain) < PAIRS:
        sentence = fill(dice, lists["templates"][len(plain) % len(lists["templates"])], lists)
        if sentence not in plain:
            plain.append(sentence)
    pairs = []
    for number, sentence in enumerate(plain, 1):
        reference, hypothesis = sentence, perturb(dice, sentence, lists)
        if number % UNRELATED_EVERY == 0:
            hypothesis = plain[number // 2]
        for _ in range(dice.below(3) // 2 + dice.below(2)):
            hypothesis = dress(dice, hypothesis)
        if dice.below(4) == 0:
            reference = dress(dice, reference)
        if number % IDENTICAL_EVERY == 0:
            hypothesis = reference
        pairs.append((reference.strip(), hypothesis.strip()))
    return pairs


def make_phrase_pairs() -> list[tuple[str, str]]:
    """(reference, hypothesis) pairs of phrases and paraphrases."""
    dice = Dice("phrases")
    entries = [line.split("\t") for line in PHRASES.read_text("utf-8").splitlines()]
    pairs = []
    while len(pairs) < PHRASE_PAIRS:
        few = [dice.pick(entries) for _ in range(2 + dice.below(4))]
        reference, hypothesis = [], []
        for _ in range(3 + dice.below(6)):
            entry = dice.pick(few)
            reference += dice.pick(entry).split(" ")
            hypothesis += dice.pick(entry).split(" ")
        for _ in range(dice.below(4)):
            hypothesis = dice.pick((swap, move, drop, repeat))(dice, hypothesis, {})
        pairs.append((" ".join(reference), " ".join(hypothesis)))
    return pairs


def main() -> None:
    """Write all files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "tests" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"phrases.en": make_phrase_pairs()}
    for language in LANGUAGES:
        texts[language] = make_pairs(language, read_lists(HERE / "test_texts" / f"{language}.txt"))
    for name, pairs in texts.items():
        for column, suffix in enumerate(("ref", "hyp")):
            lines = "".join(f"{pair[column]}\n" for pair in pairs)
            (folder / f"{name}.{suffix}").write_bytes(lines.encode("utf-8"))


if __name__ == "__main__":
    main()
