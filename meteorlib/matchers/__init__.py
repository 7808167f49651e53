"""Matchers: what proposes that words of both sides correspond."""

from meteorlib.matchers.matcher import GradedMatcher, Matcher, PhraseMatcher, WordMatcher
from meteorlib.matchers.stem import Stem
from meteorlib.matchers.synonym import Synonym

__all__ = ["GradedMatcher", "Matcher", "PhraseMatcher", "Stem", "Synonym", "WordMatcher"]
