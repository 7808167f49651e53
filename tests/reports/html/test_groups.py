"""Groups of segments: which segments they have, and how the systems score there."""

from __future__ import annotations

from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.groups import Grouping, ScoredGrouping, by_rare_words, by_source
from meteorlib.reports.html.segments import References

TEXTS = ["the cat sleeps", "a dog barks", "the cat barks", "the bird"]


def test_scores_are_those_of_the_segments_alone(corpus):
    """Each group has the corpus score of its segments, of every system; labels are in order of appearance."""
    first, second = corpus(TEXTS, TEXTS[::-1]), corpus(TEXTS, ["the cat", "a dog", "the cat", "the"])
    grouping = Grouping.of_labels("document", ["b", "a", "b", ""])
    found = ScoredGrouping.of(grouping, [Aligned.of(first), Aligned.of(second)])
    assert (grouping.labels, found.sizes) == (["b", "a", ""], [2, 1, 1])
    alone = corpus([TEXTS[0], TEXTS[2]], ["the cat", "the cat"]).score().score
    assert found.scores[1][0] == alone
    shown = found.to_dict()
    assert shown["labels"] == ["b", "a", "–"]
    assert shown["places"] == "ABAC"


def test_where_a_system_leads_most(corpus):
    """The group of the largest difference, in the direction of the whole; a single group says nothing."""
    good, bad = corpus(TEXTS, TEXTS), corpus(TEXTS, [TEXTS[0], "x", "the cat", "the bird"])
    systems = [Aligned.of(good), Aligned.of(bad)]
    found = ScoredGrouping.of(Grouping.of_labels("document", ["b", "a", "b", "c"]), systems)
    label, lead, size = found.largest(0, 1, 1)
    assert (label, lead) == ("a", round(10_000 * found.scores[0][1]))
    assert size == 1
    assert found.largest(1, 0, -1) == (label, lead, size)
    alone = ScoredGrouping.of(Grouping.of_labels("document", ["b"] * 4), systems)
    assert alone.largest(0, 1, 1) is None


def test_bands_of_rare_words_and_of_the_source(corpus):
    """Rare words are those that occur once in all references; bands are in order, and empty ones are left out."""
    one = corpus(TEXTS, TEXTS)
    rare = by_rare_words(References.of([Aligned.of(one)]))
    assert [rare.labels[place] for place in rare.places] == ["1", "2", "0", "1"]
    assert rare.labels == ["0", "1", "2"]
    source = by_source(["x " * 12, "", "x", "x " * 11])
    assert [source.labels[place] for place in source.places] == ["11–20", "0", "1–10", "11–20"]
