"""Faults that consist of words: found in all segments at once, they are those of each segment alone."""

from random import Random

from meteorlib import Scorer
from meteorlib.analysis.contrast.aligned import Aligned
from meteorlib.analysis.contrast.word_faults import IN_ARRAYS, word_faults
from meteorlib.core.faults import Side, find_faults
from meteorlib.explanation.formula import traits_of

WORDS = "the of not never 3 4 cat dog sat on a mat big house".split()
KINDS = {"omitted": 0, "repeated": 1, "contradictions": 2, "negations": 3, "swaps": 4, "inversions": 5, "excess": 6}


def test_the_faults_of_all_segments_are_those_of_each() -> None:
    random, scorer = Random(7), Scorer("meteor-2026-en-core")
    references = [" ".join(random.choices(WORDS, k=random.randrange(1, 12))) for _ in range(300)]
    hypotheses = [
        " ".join(random.sample(words := text.split(), len(words))[random.randrange(3) :]) for text in references
    ]
    system = Aligned.of(scorer.corpus().extend(references=references, hypotheses=hypotheses))
    known = system.words()
    traits = traits_of(system.corpus.engine, known)
    for kinds in ({kind: number for kind, number in KINDS.items() if kind in IN_ARRAYS}, KINDS):
        found = word_faults(system, traits, kinds)
        for row in range(len(system)):
            sides = [[known[word] for word in side.row(row).tolist()] for side in (system.reference, system.hypothesis)]
            ours, theirs = (Side(words, [traits[word] for word in words]) for words in sides)
            expected: list[int] = []
            for kind, _, *places in find_faults(ours, theirs, system.matches.row(row).tolist()):
                if kind in kinds:
                    expected += [kinds[kind], *(number for side in places for number in (len(side), *side))]
            assert found.row(row).tolist() == expected
    assert len(found.flat) > 1000
