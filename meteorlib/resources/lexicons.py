"""Lexicons (word → synonym sets): WordNet 3.0, METEOR 1.5's version of it, thesauri and installed synonyms.

All map words to records, held in memory; thesauri and synonyms look words up unchanged. A record is a synset; with the
bit `IRREGULAR` set it is a synset of a base form of the word, from the exception lists. An irregular word whose bases
have no synset has a record of offset 0 with that bit, because the suffix rules are not tried on it either.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from attrs import frozen

from meteorlib.core.signature import part_name
from meteorlib.errors import UnknownName
from meteorlib.resources.catalog import CATALOG, PACKAGED_THESAURI, lexicon_name
from meteorlib.resources.stemmers import stemmer
from meteorlib.resources.store.data_file import DataFile, errors_as_damage, open_packaged, packaged_records
from meteorlib.resources.store.record_table import RecordTable, TableDriven

if TYPE_CHECKING:
    from meteorlib.resources.stemmers import ExternalStemmer


IRREGULAR = 1 << 31
POS_FACTOR = 10**8
NOUN, VERB, ADJECTIVE, ADVERB = 1, 2, 3, 4

NAME_LINES = 16
"""Lines of `SynsetNames.text` from one known beginning to the next; the compiled engine has the same number."""

# WordNet's for nouns, verbs, adjectives, one after the other, but for those whose base another one looks up as well:
# -ses, -xes, -zes, -ches, -shes lose what -es loses, and -es → -e is -s.
_OFFSET_RULES = (
    ("s", ""), ("men", "man"), ("ies", "y"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""),
    ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip
_MORPHY_RULES = (
    ("s", "", NOUN), ("ses", "s", NOUN), ("ves", "f", NOUN), ("xes", "x", NOUN), ("zes", "z", NOUN),
    ("ches", "ch", NOUN), ("shes", "sh", NOUN), ("men", "man", NOUN), ("ies", "y", NOUN),
    ("s", "", VERB), ("ies", "y", VERB), ("es", "e", VERB), ("es", "", VERB), ("ed", "e", VERB), ("ed", "", VERB),
    ("ing", "e", VERB), ("ing", "", VERB),
    ("er", "", ADJECTIVE), ("est", "", ADJECTIVE), ("er", "e", ADJECTIVE), ("est", "e", ADJECTIVE),
)  # fmt: skip


@frozen(eq=False)
class WordLexicon:
    """Lexicon without suffix rules: lowercased words are looked up unchanged."""

    records: RecordTable

    def synsets(self, word: str) -> frozenset[int]:
        """The synsets of `word`, lowercased."""
        return frozenset(self.records.get(word.lower()))


class OffsetLexicon(WordLexicon):
    """METEOR 1.5's synonym table: synset offsets of WordNet 3.0 without part of speech.

    Attributes:
        rules: last letter of a suffix → suffixes and their replacements in base forms, in the order of trial.
        by_part: whether rules belong to parts of speech.
    """

    __slots__ = ()
    rules: ClassVar[Mapping[str, Sequence[tuple[str, str]]]] = {
        last: [rule for rule in _OFFSET_RULES if rule[0][-1] == last] for last in "sngdrt"
    }
    by_part: ClassVar[bool] = False

    def synsets(self, word: str) -> frozenset[int]:
        """Synset offsets of `word` and of its base form; two words are synonyms if they share one.

        The word is not lowercased; the table has lowercase words only.
        """
        records = self.records.get(word)
        if records and max(records) >= IRREGULAR:
            return frozenset([record & ~IRREGULAR for record in records]) - {0}
        rules = self.rules.get(word[-1:])
        if rules and len(word) > 2 and not word.endswith("ss"):
            records = (*records, *self._base_offsets(word, rules))
        return frozenset(records)

    def _base_offsets(self, word: str, rules: Sequence[tuple[str, str]]) -> list[int]:
        for suffix, replacement in rules:
            if word.endswith(suffix):
                records = self.records.get(word[: -len(suffix)] + replacement)
                offsets = [record for record in records if record < IRREGULAR]
                if offsets:
                    return offsets
        return []


class WordNetLexicon(WordLexicon):
    """WordNet 3.0 by part of speech, with its morphology (morphy(7WN); NLTK finds the same synsets).

    A synset is the number of its part of speech (noun 1, verb 2, adjective 3, adverb 4) times 10**8 plus its offset in
    the data file; satellites are adjectives. Rules have the part of speech as a third item.
    """

    __slots__ = ()
    rules: ClassVar[Mapping[str, Sequence[tuple[str, str, int]]]] = {
        last: [rule for rule in _MORPHY_RULES if rule[0][-1] == last] for last in "sngdrt"
    }
    by_part: ClassVar[bool] = True

    def synsets(self, word: str) -> frozenset[int]:
        """Synsets of `word`, lowercased, and of its base forms in every part of speech."""
        return frozenset(self._found(word.lower())[0])

    def synsets_by_repeated_rules(self, word: str) -> frozenset[int]:
        """Synsets as NLTK up to 3.8 finds them: rules of a part of speech are repeated until they find any."""
        word = word.lower()
        synsets, irregular = self._found(word)
        found = irregular.union(synset // POS_FACTOR for synset in synsets)
        for part in {NOUN, VERB, ADJECTIVE} - found:
            forms, of_part = {word}, set[int]()
            while forms and not of_part:
                forms = {base for form in forms for base, pos in self._bases(form) if pos == part}
                records = chain.from_iterable(map(self.records.get, forms))
                of_part = {synset for synset in records if synset // POS_FACTOR == part}
            synsets |= of_part
        return frozenset(synsets)

    def _found(self, word: str) -> tuple[set[int], set[int]]:
        """Synsets of a word and of its base forms, and the parts of speech in which it is irregular."""
        synsets: set[int] = set()
        irregular = set()
        for record in self.records.get(word):
            synset = record & ~IRREGULAR
            if record & IRREGULAR:
                irregular.add(synset // POS_FACTOR)
            if synset % POS_FACTOR:
                synsets.add(synset)
        for base, pos in self._bases(word):
            if pos not in irregular:
                synsets.update(synset for synset in self.records.get(base) if synset // POS_FACTOR == pos)
        return synsets, irregular

    def _bases(self, word: str) -> Iterator[tuple[str, int]]:
        """Base forms that the rules make of a word, each with its part of speech."""
        for suffix, replacement, pos in self.rules.get(word[-1:], ()):
            if word.endswith(suffix):
                yield word.removesuffix(suffix) + replacement, pos


class SynsetNames:
    """Lemma names of WordNet's synsets.

    Attributes:
        synsets: all synsets, ascending.
        text: a line for each synset, in that order: its names, separated by spaces.
        begins: where every sixteenth line begins, then the end of the text.
    """

    __slots__ = ("begins", "synsets", "text")

    def __init__(self, text: DataFile, begins: DataFile, synsets: DataFile) -> None:
        """Read the files."""
        self.text: bytes = text.read()
        self.begins: memoryview[int] = begins.numbers()
        self.synsets: memoryview[int] = synsets.numbers()

    def lemmas(self, synset: int) -> tuple[str, ...]:
        """The lemma names of `synset` in the order of WordNet's data file, with their case and underscores.

        An unknown synset raises `KeyError`.
        """
        index = bisect_left(self.synsets, synset)
        if index == len(self.synsets) or self.synsets[index] != synset:
            raise KeyError(synset)
        block, line = divmod(index, NAME_LINES)
        lines = self.text[self.begins[block] : self.begins[block + 1]].split(b"\n")
        return tuple(lines[line].decode().split(" "))


@cache
def open_offset_lexicon() -> OffsetLexicon:
    """Open METEOR 1.5's synonym table, once."""
    return OffsetLexicon(packaged_records("wordnet-en-offsets"))


@cache
def open_wordnet() -> WordNetLexicon:
    """Open WordNet 3.0, once."""
    return WordNetLexicon(packaged_records("wordnet-en", "senses.records"))


@cache
def open_synset_names() -> SynsetNames:
    """Open the lemma names of WordNet's synsets, once."""
    with errors_as_damage("wordnet-en"):
        return SynsetNames(*open_packaged("wordnet-en", "names.txt", "name_lines.u32", "synsets.u32"))


@frozen
class LemmaNames:
    """Lexicon for the matcher ``lemma``.

    Attributes:
        form: word → the form in which it is looked up and compared.
        names: form → the lemma names of all its synonym sets.
    """

    form: Callable[[str], str]
    names: Callable[[str], Iterable[str]]

    @property
    def signature_name(self) -> str:
        """The name of the lexicon in signatures."""
        return f"{part_name(self.form)}/{part_name(self.names)}"


def open_lemma_names(name: str) -> LemmaNames:
    """Open the lemma names of a lexicon, looked up by NLTK's stems.

    NLTK passes the stems of its second stage on to its third, so it looks up "happi", which WordNet does not have.
    METEOR has no such rule, but NLTK's scores depend on it.
    """
    _open_names(name)
    return LemmaNames(stemmer("porter-nltk"), WORDNET_NAMES)


def open_word_lemma_names(name: str) -> LemmaNames:
    """Open the lemma names of a lexicon, looked up by the words themselves, as in NLTK up to 3.6.2."""
    _open_names(name)
    return LemmaNames(str, _names_by_repeated_rules)


def _open_names(name: str) -> None:
    if name != "wordnet-en":
        raise UnknownName("lexicon with lemma names", name, ["wordnet-en"])
    open_wordnet(), open_synset_names()  # errors surface now, not at the first word


def wordnet_names(form: str) -> Iterator[str]:
    """The lemma names of all synsets of `form` in WordNet 3.0, with their case and underscores."""
    return chain.from_iterable(map(open_synset_names().lemmas, open_wordnet().synsets(form)))


def _names_by_repeated_rules(word: str) -> Iterator[str]:
    return chain.from_iterable(map(open_synset_names().lemmas, open_wordnet().synsets_by_repeated_rules(word)))


def _tables() -> tuple[TableDriven[frozenset[int]], SynsetNames]:
    return TableDriven(open_wordnet().synsets, open_wordnet), open_synset_names()


WORDNET_NAMES = TableDriven(wordnet_names, _tables)
"""`wordnet_names`, with the lexicon and the names that its compiled form reads."""


SYNSETS = "synsets.records"
"""File of lowercased words, looked up unchanged."""

OFFSETS = "offsets.records"
"""File of words in METEOR's own format, looked up by METEOR 1.5's rules."""

_LEXICONS: Mapping[str, type[WordLexicon]] = {SYNSETS: WordLexicon, OFFSETS: OffsetLexicon}


@frozen
class Synonyms:
    """A lexicon: word → the numbers of its synonym sets; two words are synonyms if they share one."""

    source_sha256: str
    synsets: Callable[[str], frozenset[int]]

    def __call__(self, word: str) -> frozenset[int]:
        """The synonym sets of `word`."""
        return self.synsets(word)


@frozen
class ByLemmas:
    """Synonyms, looked up by a word and by its lemma. They can be shared between threads."""

    synonyms: Synonyms
    lemma: ExternalStemmer

    @property
    def source_sha256(self) -> str:
        """Digest of the lexicon's sources."""
        return self.synonyms.source_sha256

    @property
    def versions(self) -> Mapping[str, str]:
        """Version of the lemmatizer."""
        return self.lemma.versions

    def __call__(self, word: str) -> frozenset[int]:
        """The synonym sets of `word` and of its lemma."""
        return self.synonyms(word) | self.synonyms(self.lemma(word))


def open_synonyms(name: str) -> Synonyms | ByLemmas:
    """Open ``synonyms-XX`` or ``thesaurus-XX``; with ``-lemmas`` they are also looked up by simplemma's lemmas."""
    from meteorlib.resources.store.index import open_installed  # noqa: PLC0415 – WordNet is opened without it

    lexicon = lexicon_name(name)
    synonyms = _open_thesaurus(lexicon) if lexicon in PACKAGED_THESAURI else open_installed(lexicon, _open_index)
    if lexicon == name:
        return synonyms
    return ByLemmas(synonyms, cast("ExternalStemmer", stemmer(f"simplemma-{lexicon.split('-')[1].lower()}")))


@cache
def _open_thesaurus(name: str) -> Synonyms:
    return Synonyms(CATALOG[name].sha256 or "", WordLexicon(packaged_records(name)).synsets)


def _open_index(folder: Path, name: str) -> Synonyms:
    from meteorlib.resources.store.index import Index  # noqa: PLC0415 – WordNet is opened without it
    from meteorlib.resources.store.manifest import Manifest, damage_error  # noqa: PLC0415 – as above

    file = next(iter(Manifest.read(folder, name).files), "")
    if file not in _LEXICONS:
        raise damage_error(name, f"the manifest in {folder} does not name the file of a lexicon")
    index = Index(folder, name, [file], [file])
    return Synonyms(index.manifest.source_sha256, _LEXICONS[file](index.records(file)).synsets)
