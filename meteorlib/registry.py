"""Registries: implementations found by name, loaded when first asked for.

The built-in ones are a table of dotted names. Third parties add theirs with entry points, which are consulted only
for names that the table lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any

from attrs import field, frozen

from meteorlib.errors import UnknownName


@frozen(eq=False)
class Registry:
    """Names of one kind of part.

    Attributes:
        kind: what the names name, for messages.
        group: the entry point group of third parties.
        builtin: name → ``"module:attribute"``.
    """

    kind: str
    group: str
    builtin: Mapping[str, str] = field(repr=False)

    def names(self) -> tuple[str, ...]:
        """Every name, those of third parties included."""
        return tuple(sorted({*self.builtin, *_third_parties(self.group)}))

    def __contains__(self, name: str) -> bool:
        return name in self.builtin or name in _third_parties(self.group)

    def get(self, name: str) -> Any:
        """The part called `name`.

        Raises:
            UnknownName: neither built in nor registered by an installed package.
        """
        if name in self.builtin:
            return resolve_name(self.builtin[name])
        third_parties = _third_parties(self.group)
        if name not in third_parties:
            raise UnknownName(self.kind, name, self.names())
        return third_parties[name].load()


@cache
def _third_parties(group: str) -> Mapping[str, Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 – slow to import, seldom needed

    return {point.name: point for point in entry_points(group=group)}


MATCHERS = Registry(
    "matcher",
    "meteorlib.matchers",
    {
        "exact": "meteorlib.matchers.exact:Exact",
        "stem": "meteorlib.matchers.stem:Stem",
        "synonym": "meteorlib.matchers.synonym:Synonym",
        "paraphrase": "meteorlib.matchers.paraphrase:Paraphrase",
        "lemma": "meteorlib.matchers.lemma:Lemma",
    },
)
SEARCHES = Registry(
    "search",
    "meteorlib.searches",
    {
        "beam": "meteorlib.search.beam:Beam",
        "staged": "meteorlib.search.staged:Staged",
        "optimal": "meteorlib.search.optimal:Optimal",
        "optimal-truncated": "meteorlib.search.optimal:OptimalTruncated",
        "greedy": "meteorlib.search.greedy:Greedy",
    },
)
TEXTS = Registry(
    "text mode",
    "meteorlib.texts",
    {
        "none": "meteorlib.text.plain:Verbatim",
        "lower": "meteorlib.text.plain:Lowercase",
        "split_lower": "meteorlib.text.python:SplitLower",
        "norm": "meteorlib.text.normalizer:Normalizer",
        "norm_nopunct": "meteorlib.text.normalizer:NormalizerWithoutPunctuation",
    },
)
