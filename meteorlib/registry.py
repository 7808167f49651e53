"""Registries of matchers, searches and text modes, by name; entry points add those of third parties.

Third parties add theirs with entry points, which are consulted only for names that the tables lack. An entry point
returns the row itself, or only its ``make``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, Generic, Literal, TypeVar

from attrs import Attribute, evolve, field, frozen

from meteorlib.errors import PartNotLoaded, UnknownName

__all__ = ["MatcherPart", "SearchPart", "TextPart"]


@frozen
class MatcherPart:
    """Registered properties of a matcher.

    Attributes:
        make: its class, or a function that makes one; or where that is, as ``"module:name"``. It is called with what
            the stage's resource is opened to, if it takes any, and with its settings by name.
        code: what METEOR 1.5 calls it in its Eval ID; empty where METEOR has no such matcher.
        resource: the kind of its language data (see `meteorlib.resources.kinds`), which it cannot do without;
            ``file`` is a file of its own, handed on as its path, that may be left out; None: it takes none.
        single_words: whether it pairs single words only, and not phrases.
        equal_words: whether it pairs equal words; those that do not leave them to `exact`, and should not be first.
        graded: whether its matches count in part, so that words count in fractions.
        context: whether it sees whole segments (`meteorlib.matchers.ContextMatcher`); such a matcher is graded, and a
            preset has one at most.
        kernel: the compiled kernel that may run in its place: the name of the built-in matcher whose class `make` makes
            (a subclass is another matcher); None: there is none, and a preset with this matcher runs in Python.
        reads_files: whether that kernel reads the files of the resource itself, so that it cannot run in place of a
            matcher that was given another object.
        settings: an attrs class whose attributes are the other keys that its stage may have in a preset; or where that
            is; None: it has none.
    """

    make: str | Callable[..., Any]
    code: str = ""
    resource: str | None = "file"
    single_words: bool = True
    equal_words: bool = True
    graded: bool = False
    context: bool = False
    kernel: str | None = field(default=None)
    reads_files: bool = False
    settings: str | type[Any] | None = None

    @kernel.validator
    def _check_kernel(self, _: Attribute[str | None], value: object) -> None:
        if not isinstance(value, str | None):
            raise TypeError(f"kernel must be the name of a built-in matcher, got {value!r}")


@frozen
class SearchPart:
    """Registered properties of a search.

    Attributes:
        make: its attrs class, whose attributes are its settings; or where that is, as ``"module:name"``.
        single_words: whether it pairs single words only.
        gain: the attribute of a matcher that says what one matched word counts.
        weighs: whether it is called with a function that gives the value of each candidate, instead of gains.
        kernels: the kernels of matchers that its compiled form knows, each once: those of one set in any order, after
            those of the sets before. Empty: it has no compiled form; only built-in searches have one.
    """

    make: str | Callable[..., Any]
    single_words: bool = False
    gain: Literal["gain", "accuracy"] = "gain"
    weighs: bool = False
    kernels: tuple[frozenset[str], ...] = ()

    def knows(self, kernels: Iterable[str | None]) -> bool:
        """Whether its compiled form knows stages with these kernels, in this order."""
        place, used = 0, set()
        for kernel in kernels:
            while place < len(self.kernels) and kernel not in self.kernels[place]:
                place += 1
            if place == len(self.kernels) or kernel in used:
                return False
            used.add(kernel)
        return True


@frozen
class TextPart:
    """Registered properties of a text mode.

    Attributes:
        make: its class, called with the language and its prefixes; or where that is, as ``"module:name"``.
        code: what METEOR 1.5 calls it in its Eval ID; empty where METEOR has no such mode.
        normalizes: whether it needs the rules of METEOR's normalizer, which a few languages have.
        tokens: whether it has a method ``tokens`` that gives its `meteorlib.text.token.Tokens`, by which the compiled
            engine reads a line; otherwise it is asked for the words of each line.
        blanks_only: whether only ASCII's white space separates words; no-break and other spaces are part of a word.
        unescapes: whether lines are unescaped first (see `meteorlib.text.unescaping`).
    """

    make: str | Callable[..., Any]
    code: str = ""
    normalizes: bool = False
    tokens: bool = False
    blanks_only: bool = False
    unescapes: bool = False


Part = TypeVar("Part", MatcherPart, SearchPart, TextPart)


@frozen(eq=False)
class Registry(Generic[Part]):
    """Names of one kind of part.

    Attributes:
        kind: what the names name, for messages.
        group: the entry point group of third parties.
        row: the class of its rows.
        builtin: name → what is known of it.
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

        Raises:
            UnknownName: neither built in nor registered by an installed package.
            PartNotLoaded: an installed package registers it, and it cannot be imported, is None, or its row has a field
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
        """The factory of the part called `name`.

        Raises:
            UnknownName: neither built in nor registered by an installed package.
        """
        return resolve(self.part(name).make)


UNESCAPED = "unescaped-"
"""Prefix of text modes: ``unescaped-norm`` unescapes a line, then does what ``norm`` does."""


class TextRegistry(Registry[TextPart]):
    """Names of text modes, each of which may have the prefix `UNESCAPED`."""

    def __contains__(self, name: str) -> bool:
        return super().__contains__(name.removeprefix(UNESCAPED))

    def part(self, name: str) -> TextPart:
        """See `Registry.part`; METEOR 1.5 has no text mode with the prefix."""
        part = super().part(name.removeprefix(UNESCAPED))
        return evolve(part, code="", unescapes=True) if name.startswith(UNESCAPED) else part

    def unescaped(self, name: str) -> str:
        """The name of the text mode `name` with unescaped lines; the same name if it unescapes them already."""
        return name if self.part(name).unescapes else f"{UNESCAPED}{name}"


def resolve(place: Any) -> Any:
    """The object that a row names by ``"module:name"``, or holds itself."""
    return resolve_name(place) if isinstance(place, str) else place


@cache
def _third_parties(group: str) -> Mapping[str, Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 – slow to import, seldom needed

    return {point.name: point for point in entry_points(group=group)}


MATCHERS = Registry(
    "matcher",
    "meteorlib.matchers",
    MatcherPart,
    {
        "exact": MatcherPart("meteorlib.matchers.exact:Exact", "ex", None, kernel="exact"),
        "stem": MatcherPart("meteorlib.matchers.stem:Stem", "st", "stemmer", equal_words=False, kernel="stem"),
        "synonym": MatcherPart(
            "meteorlib.matchers.synonym:Synonym", "sy", "lexicon", equal_words=False, kernel="synonym"
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
        "lemma": MatcherPart("meteorlib.matchers.lemma:Lemma", "", "lemma names", kernel="lemma"),
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

SEARCHES = Registry(
    "search",
    "meteorlib.searches",
    SearchPart,
    {
        "beam": SearchPart("meteorlib.search.beam:Beam", kernels=_BEAM),
        "accurate": SearchPart("meteorlib.search.beam.accurate:Accurate", gain="accuracy"),
        "staged": SearchPart("meteorlib.search.staged:Staged", single_words=True, kernels=(_WORDS,)),
        "optimal": SearchPart("meteorlib.search.optimal:Optimal", kernels=_BEAM),
        "optimal-truncated": SearchPart("meteorlib.search.optimal:OptimalTruncated", kernels=_BEAM),
        "weighted": SearchPart("meteorlib.search.weighted:Weighted", weighs=True, kernels=_WEIGHTED),
        "weighted-optimal": SearchPart("meteorlib.search.weighted:WeightedOptimal", weighs=True, kernels=_WEIGHTED),
        "greedy": SearchPart(
            "meteorlib.search.greedy:Greedy", single_words=True, kernels=(frozenset({"exact", "stem", "lemma"}),)
        ),
    },
)
TEXTS = TextRegistry(
    "text mode",
    "meteorlib.texts",
    TextPart,
    {
        "none": TextPart("meteorlib.text.plain:Verbatim", "no_norm", tokens=True, blanks_only=True),
        "lower": TextPart("meteorlib.text.plain:Lowercase", "lc_only", tokens=True, blanks_only=True),
        "split_lower": TextPart("meteorlib.text.split_lower:SplitLower", tokens=True),
        "norm": TextPart("meteorlib.text.normalizer:Normalizer", "norm", normalizes=True, tokens=True),
        "norm_nopunct": TextPart(
            "meteorlib.text.normalizer:NormalizerWithoutPunctuation", "norm_nopunct", normalizes=True, tokens=True
        ),
        "uax29": TextPart("meteorlib.text.word_boundaries:WordBoundaries"),
        "13a": TextPart("meteorlib.text.sacrebleu:Mteval13a"),
        "intl": TextPart("meteorlib.text.sacrebleu:International"),
        "zh": TextPart("meteorlib.text.sacrebleu:Chinese"),
        "char": TextPart("meteorlib.text.sacrebleu:Characters"),
        "ja-mecab": TextPart("meteorlib.text.sacrebleu:JapaneseMeCab"),
        "ko-mecab": TextPart("meteorlib.text.sacrebleu:KoreanMeCab"),
        "flores200": TextPart("meteorlib.text.sacrebleu:Flores200"),
        "jieba": TextPart("meteorlib.text.segmenters:Jieba"),
        "fugashi": TextPart("meteorlib.text.segmenters:Fugashi"),
        "sudachi-a": TextPart("meteorlib.text.segmenters:SudachiA"),
        "sudachi-b": TextPart("meteorlib.text.segmenters:SudachiB"),
        "sudachi-c": TextPart("meteorlib.text.segmenters:SudachiC"),
        "kiwi": TextPart("meteorlib.text.segmenters:Kiwi"),
        "pythainlp": TextPart("meteorlib.text.segmenters:PyThaiNLP"),
    },
)
