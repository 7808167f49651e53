"""Limits of the compiled engine: it does not run out of memory, refuse text, or trust a text mode."""

from __future__ import annotations

import subprocess
import sys

import pytest
from attrs import evolve

from meteorlib import Scorer, cancellation
from meteorlib.config import load_preset
from meteorlib.core.segment import Pair
from meteorlib.engine.build import build_engine
from meteorlib.engine.implementation import load_kernel
from meteorlib.registry import TextPart
from meteorlib.text.token import Token, Tokens

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

SHORT_OF_MEMORY = """
import resource
from meteorlib import Scorer

def engine_and_segments():
    engine = Scorer("PRESET").engine
    words, others = ["run", "runs", "car", "good"] * 400, ["runs", "automobile", "run", "goods"] * OTHERS
    return engine, engine.analyze(words), engine.analyze(others)

engine, reference, hypothesis = engine_and_segments()
right = engine.scores([reference], [hypothesis])
for spare in range(0, 96, 4):
    engine, reference, hypothesis = engine_and_segments()
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (spare << 16), -1))
    try:
        scores = engine.scores([reference], [hypothesis])
    except MemoryError:
        scores = None
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    print("short" if scores is None else "right" if scores == right else "wrong")
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="the limit works on Linux")
@pytest.mark.parametrize(("preset", "others"), [("meteor-1.5-en-core", 400), ("meteor-2005", 250)])
def test_short_of_memory(preset, others):
    """If memory runs out, a MemoryError is raised, never a score of an incomplete result."""
    program = SHORT_OF_MEMORY.replace("PRESET", preset).replace("OTHERS", str(others))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert set(ran.stdout.split()) == {"short", "right"}


class Text(str):
    """A string of a class of its own, as numpy's are."""

    __slots__ = ()


@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "nltk", "meteor-2005"])
def test_strings_of_other_classes(preset):
    """A subclass of str is text like any other, everywhere."""
    scorer = Scorer(preset)
    expected = scorer.score("the cat sat", "the cat sits")
    assert scorer.score(Text("the cat sat"), Text("the cat sits")) == expected
    assert scorer.matrix(hypotheses=[Text("the cat sits")], references=[Text("the cat sat")]) == [[expected.score]]
    assert scorer.totals([Pair([Text("the cat sat")], Text("the cat sits"))]).statistics == expected.statistics
    words, others = list(map(Text, "the cat sat".split())), list(map(Text, "the cat sits".split()))
    assert scorer.score_tokens([words], others) == expected


@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "meteor-2005"])
def test_words_from_a_generator(preset):
    """Words may come from anything that can be gone through once."""
    scorer = Scorer(preset)
    assert scorer.score_tokens([iter(["a", "b"])], iter(["a", "b"])) == scorer.score_tokens([["a", "b"]], ["a", "b"])


@pytest.mark.parametrize("variants", [0, 2, 4, 200])
def test_wrong_number_of_variants(registered, variants):
    """A text mode whose tokens have another number of variants is an error."""

    class Strange:
        def words(self, line):
            return line.split()

        def tokens(self):
            return Tokens(self.token)

        def token(self, text):
            return Token(((text,),) * variants)

    registered("texts", "strange", TextPart(lambda *_: Strange(), tokens=True))
    engine = build_engine(evolve(load_preset("meteor-1.5-en-core"), text="strange", function_words=None))
    with pytest.raises(ValueError, match=f"1 or 3 variants, got {variants}: 'a-b'"):
        engine.read("a-b c-d")


def test_old_references(lowered):
    """A reference that was read before the vocabulary was replaced counts like one that was read after."""
    from meteorlib.engine.kernel import kernel as module

    engine = build_engine(load_preset("meteor-1.5-en-core"))
    old = engine.read("the cat runs home")
    emptied = lowered(module, "TOKEN_LIMIT", 3, lambda: engine._kernel.emptied)
    hypothesis = engine.read("the cat running home")
    lowered(module, "TOKEN_LIMIT", 4, emptied)
    reference = engine.read("the cat runs home")
    for _ in range(2):
        assert engine.align(old, hypothesis) == engine.align(reference, hypothesis)
        assert engine.scores([old, reference, old], [hypothesis] * 2) == engine.scores(
            [reference] * 3, [hypothesis] * 2
        )
    assert emptied() == 1


@pytest.mark.thorough
def test_the_matches_of_a_long_segment(monkeypatch):
    """Ctrl-C and the end of all work are looked for while hundreds of thousands of matches are handed out."""
    engine = build_engine(load_preset("nltk"))
    side = engine.analyze(["a"] * (1 << 18))
    looks = []
    monkeypatch.setattr(cancellation, "check_cancel", lambda: looks.append(1))
    assert len(engine.align(side, side).alignment.matches) == 1 << 18
    assert len(looks) > 3


def test_new_references(lowered):
    """References that are new in a sum are known when it is done, and complete, also if the vocabulary was replaced."""
    from meteorlib.engine.kernel import kernel as module

    engine = build_engine(load_preset("meteor-1.5-en-core"))
    lines = "the cat runs home", "the cat running home"
    old = engine.read(lines[1])
    expected = engine.align(engine.read(lines[0]), old)
    emptied = lowered(module, "TOKEN_LIMIT", 3, lambda: engine._kernel.emptied)
    assert engine.totals([Pair([lines[0], lines[0]], lines[1])]).statistics == expected.statistics
    assert emptied() == 2
    kept = engine.references[lines[0]]
    assert engine.align(kept, old) == engine.align(kept, engine.read(lines[1])) == expected


def test_no_reference_of_a_batch_that_failed():
    """A batch whose words cannot all be read leaves no reference behind."""

    def stem(word):
        if word == "bad":
            raise LookupError(word)
        return word

    engine = build_engine(load_preset("meteor-1.5-en-core"), {"stem": stem})
    with pytest.raises(LookupError):
        engine.totals([Pair(["a cat sat"], "a cat"), Pair(["a dog"], "a bad dog")])
    assert not engine.references
