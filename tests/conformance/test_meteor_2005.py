"""Outside evidence for METEOR 2005: published examples, and brute force by the paper's words on real text.

The conformance file of `meteor-2005` was recorded by this package itself, because no program of 2005 is left. Nothing
here uses the package but for the scores that are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import pytest

from meteorlib import Scorer

PUBLISHED = [
    # Wikipedia, "METEOR", section "Examples"; nltk/test/meteor.doctest has the scores too
    ("on the mat sat the cat", "the cat sat on the mat", (0.5, 1.0, 0.5, 1.0)),
    ("the cat sat on the mat", "the cat sat on the mat", (0.9977, 1.0, 0.0023, 0.1667)),
    ("the cat was sat on the mat", "the cat sat on the mat", (0.9654, 0.9836, 0.0185, 0.3333)),
    # NLTK 3.10.4, nltk/test/meteor.doctest
    ("John loves Mary", "The candidate has no alignment to any of the references", (0.0,)),
    ("creates or updates a virtual machine scale set", "create or update a vm set", (0.7806,)),
]
"""Hypothesis, reference; score, where they are printed Fmean, penalty, fragmentation (chunks divided by matches)."""

NLTK = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is a guide to action which ensures that the military always obeys the commands of the party",
)
"""Example of the docstring of NLTK's `meteor_score`, 0.6944 there, because NLTK aligns in another way."""

Match = tuple[int, int]
Same = Callable[[str, str], bool]


@pytest.mark.parametrize(("hypothesis", "reference", "printed"), PUBLISHED)
def test_published_scores(hypothesis, reference, printed):
    """Published worked examples come out to the printed digit."""
    found = Scorer("meteor-2005").score(reference, hypothesis)
    fragmentation = found.statistics.chunks / max(found.statistics.hypothesis_matches, 1)
    numbers = found.score, found.f_mean, found.penalty, fragmentation
    assert tuple(round(one, 4) for one in numbers[: len(printed)]) == printed


def test_examples_of_the_paper():
    """Examples of Banerjee & Lavie (2005) are as they say: words that a module maps, chunks, the largest penalty."""
    stages = {
        ("computers", "computers"): ["exact"],  # section 2.2: "computers" maps to "computers" but not "computer"
        ("computers", "computer"): ["stem"],  # section 2.2: the stem module maps "computers" to both
    }
    for (reference, hypothesis), expected in stages.items():
        assert [stage for *_, stage in Scorer("meteor-2005").align(reference, hypothesis).pairs()] == expected
    assert not list(Scorer("meteor-2005-exact").align("computers", "computer").pairs())
    chunks = "the president spoke to the audience", "the president then spoke to the audience"
    assert Scorer("meteor-2005").score(*chunks).statistics.chunks == 2  # section 2.3
    alone = Scorer("meteor-2005").score("a b c", "c x b x a")  # section 2.3: at most 50 %, where no bigram matches
    assert alone.score == alone.f_mean / 2


def matchings(
    words: list[int], edges: dict[int, list[int]], used: frozenset[int] = frozenset()
) -> Iterator[list[Match]]:
    """Every one-to-one matching."""
    if not words:
        yield []
        return
    first, *others = words
    for position in edges[first]:
        if position not in used:
            for rest in matchings(others, edges, used | {position}):
                yield [(first, position), *rest]
    yield from matchings(others, edges, used)


def crosses(one: Match, other: Match) -> bool:
    """Whether two matches cross: formula of section 2.2."""
    return (one[0] - other[0]) * (one[1] - other[1]) < 0


def alignments(reference: list[str], hypothesis: list[str], stages: list[Same]) -> list[list[Match]]:
    """All alignments that the paper allows: by each stage the most new matches, of these the fewest crossings."""
    allowed: list[list[Match]] = [[]]
    for same in stages:
        after = []
        for earlier in allowed:
            taken = [{match[side] for match in earlier} for side in (0, 1)]
            free = [position for position in range(len(hypothesis)) if position not in taken[1]]
            edges = {
                place: there
                for place, word in enumerate(reference)
                if place not in taken[0] and (there := [one for one in free if same(word, hypothesis[one])])
            }
            wanted = Counter(position for positions in edges.values() for position in positions)
            lone = [(place, found[0]) for place, found in edges.items() if len(found) == 1 == wanted[found[0]]]
            others = {place: found for place, found in edges.items() if (place, *found) not in lone}
            found = list(matchings(list(others), others))
            most = max(map(len, found))
            wholes = [[*earlier, *lone, *new] for new in found if len(new) == most]
            counts = [sum(crosses(*two) for two in combinations(whole, 2)) for whole in wholes]
            after += [whole for whole, count in zip(wholes, counts, strict=True) if count == min(counts)]
        allowed = after
    return allowed


def score_of(alignment: list[Match], reference: list[str], hypothesis: list[str]) -> tuple[int, float]:
    """The chunks, and the score by section 2.3: Fmean = 10PR/(R + 9P), penalty = 0.5 (chunks/matches)³."""
    matches = len(alignment)
    if not matches:
        return 0, 0.0
    pairs = set(alignment)
    chunks = sum((place - 1, position - 1) not in pairs for place, position in pairs)
    precision, recall = matches / len(hypothesis), matches / len(reference)
    mean = 10 * precision * recall / (recall + 9 * precision)
    return chunks, mean * (1 - 0.5 * (chunks / matches) ** 3)


def check(preset: str, pairs: list[tuple[str, str]], stages: list[Same]) -> Counter[int]:
    """Compare the score of each pair with those that the paper allows; with one stage it has the fewest chunks.

    Returns:
        How many pairs have how many different allowed scores: the paper leaves some ties open.
    """
    scorer, kinds = Scorer(preset), Counter()
    for reference, hypothesis in pairs:
        sides = reference.lower().split(), hypothesis.lower().split()
        allowed = {score_of(found, *sides) for found in alignments(*sides, stages)}
        found = scorer.score(reference, hypothesis)
        near = [chunks for chunks, score in allowed if abs(score - found.score) < 1e-12]
        assert near == [found.statistics.chunks], (reference, hypothesis, allowed, found)
        if len(stages) == 1:
            assert near == [min(allowed)[0]], (reference, hypothesis, allowed, found)
        kinds[len(allowed)] += 1
    return kinds


def same_word(one: str, other: str) -> bool:
    """The exact module."""
    return one == other


def short(references: list[str], hypotheses: list[str], longest: int) -> list[tuple[str, str]]:
    """Pairs of at most that many words a side."""
    pairs = zip(references, hypotheses, strict=True)
    return [pair for pair in pairs if max(len(text.split()) for text in pair) <= longest]


def test_brute_force_on_the_examples(root):
    """The exact stage alone on the project's examples."""
    lines = {
        name: (root / "examples" / name).read_text("utf-8").splitlines()
        for name in ("reference.0.en", "reference.1.en", "system-a.en", "system-d.en")
    }
    pairs = [
        pair
        for reference in ("reference.0.en", "reference.1.en")
        for system in ("system-a.en", "system-d.en")
        for pair in short(lines[reference], lines[system], 16)
    ]
    kinds = check("meteor-2005-exact", pairs, [same_word])
    assert kinds.total() > 80


@pytest.mark.oracle
def test_brute_force_on_500_real_pairs(shared, oracles):
    """All three stages on short segments of newstest2009, with the stems and synonyms of NLTK."""
    nltk = pytest.importorskip("nltk")
    nltk.data.path.append(str(oracles / "nltk_data"))
    from nltk.corpus import wordnet
    from nltk.stem import PorterStemmer

    stem = cache(PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS).stem)
    synsets = cache(lambda word: frozenset(wordnet.synsets(word)))
    stages = [
        same_word,
        lambda one, other: stem(one) == stem(other),
        lambda one, other: bool(synsets(one) & synsets(other)),
    ]

    folder = shared / "data" / "newstest2009"
    lines = [(folder / name).read_text("utf-8").split("\n") for name in ("reference.en", "system1.en")]
    kinds = check("meteor-2005", short(*lines, 15)[:500], stages)
    assert (kinds.total(), kinds[1]) == (500, 480)
    check("meteor-2005", [NLTK], stages)
