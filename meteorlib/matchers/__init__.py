"""Matchers, which propose matches between words of the hypothesis and the reference."""

from meteorlib.matchers.matcher import Comparison, ContextMatcher, GradedMatcher, Matcher, PhraseMatcher, WordMatcher
from meteorlib.matchers.words import Stem, Synonym

__all__ = [
    "Comparison",
    "ContextMatcher",
    "GradedMatcher",
    "Matcher",
    "PhraseMatcher",
    "Stem",
    "Synonym",
    "WordMatcher",
]
