"""Registered properties of matchers, searches and text modes: the rows of `meteorlib.registry`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pkgutil import resolve_name
from typing import Any, Literal, NamedTuple

from attrs import Attribute, field, frozen


@frozen
class MatcherPart:
    """Registered properties of a matcher.

    Attributes:
        make: its class, or a function that makes one; or where that is, as ``"module:name"``. It is called with what
            the stage's resource is opened to, if it takes any, and with its settings by name.
        code: what METEOR 1.5 calls it in its Eval ID; empty where METEOR has no such matcher.
        resource: the kind of its language data (see `meteorlib.resources.language_data`), which it cannot do without;
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
        make: where its attrs class is, as ``"module:name"``; the attributes of the class are its settings.
        single_words: whether it pairs single words only.
        gain: the attribute of a matcher that says what one matched word counts.
        weighs: whether it is called with a function that gives the value of each candidate, instead of gains.
        most_pairs: the most pairs of words and phrases that it takes as candidates of a segment; a segment with more is
            refused. None: no limit, because its time does not depend on their number.
        kernels: the kernels of matchers that its compiled form knows, each once: those of one set in any order, after
            those of the sets before. Empty: it has no compiled form.
    """

    make: str
    single_words: bool = False
    gain: Literal["gain", "accuracy"] = "gain"
    weighs: bool = False
    most_pairs: int | None = None
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
        make: its class, called with the language and its prefixes; or where that is, as ``"module:name"``; or the row
            of a tokenizer.
        code: what METEOR 1.5 calls it in its Eval ID; empty where METEOR has no such mode.
        normalizes: whether it needs the rules of METEOR's normalizer, which a few languages have.
        tokens: whether it has a method ``tokens`` that gives its `meteorlib.text.token.Tokens`, by which the compiled
            engine reads a line; otherwise it is asked for the words of each line.
        blanks_only: whether only ASCII's white space separates words; no-break and other spaces are part of a word.
        prefixes: what is done to a line first, as the prefixes in `meteorlib.registry.PREPARATIONS`.
    """

    make: str | Callable[..., Any]
    code: str = ""
    normalizes: bool = False
    tokens: bool = False
    blanks_only: bool = False
    prefixes: tuple[str, ...] = ()


class PreparationRow(NamedTuple):
    """A preparation of lines that a prefix of text modes names: where the class of its `text.token.Preparer` is.

    The `function` of this package, and the option of this name, does it, too, and restores the kinds of
    `inputs.escapes.Finding` that it `finds`; `verb` says so in notes.
    """

    make: str
    function: str = ""
    verb: str = ""
    finds: tuple[str, ...] = ()


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split())


@frozen
class TokenizerRow:
    """A tokenizer of other packages; called like a class of text modes, it makes the one with its words.

    Where several names are given, blanks separate them.

    Attributes:
        languages: what the tokenizer is made for.
        extra: the extra of meteorlib that installs the packages.
        packages: names on PyPI of the packages that determine the words.
        modules: their modules, imported in this order.
        make: the function of `meteorlib.text.external_tokenizer` that creates the tokenizer; it takes the modules, then
            the arguments.
        digests: the function there that gives the digests of other files that determine the words, by their names.
        apart: a promise that a text between two blanks has the words that it has between ``x`` and ``x``, unless it
            begins or ends its line, and that text of letters and ASCII's digits is one word.
    """

    name: str
    languages: str
    extra: str
    packages: tuple[str, ...] = field(converter=_split)
    modules: tuple[str, ...] = field(converter=_split)
    make: str
    arguments: tuple[str, ...] = field(default="", converter=_split)
    digests: str | None = None
    apart: bool = False

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """The text mode."""
        return resolve_name("meteorlib.text.external_tokenizer:ExternalTokenizer")(self, *arguments, **settings)
