"""Options as sacrebleu's users type them."""

from __future__ import annotations

import click
import pytest

from meteorlib.cli.command import translate_arguments


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("ref -i a b -m meteor -b", "ref --input=a --input=b -b"),
        ("-i a b -w 2 ref", "--input=a --input=b -w 2 ref"),
        ("--input=a ref", "--input=a ref"),
        ("ref -i - -q", "ref --input=- -q"),
        ("a b -r ref --paired-bs -f latex", "a b -r ref --paired=bootstrap -f latex"),
        ("-par -parn 500 -j 2", "--paired=randomization --n 500 --jobs 2"),
        ("-pbs --paired-bs-n=500", "--paired=bootstrap --n=500"),
        ("a --confidence -r ref", "a --confidence=0.95 -r ref"),
        ("--confidence a -r ref", "--confidence=0.95 a -r ref"),
        ("--confidence .9 a", "--confidence=.9 a"),
        ("--confidence=.9 a", "--confidence=.9 a"),
        ("a -ci -cin 100", "a --confidence=0.95 --n 100"),
        ("a --confidence", "a --confidence=0.95"),
        ("-m meteor-1.5-en -i a", "--preset=meteor-1.5-en --input=a"),
        ("--metrics METEOR -sl", "--segments"),
        ("a -r ref --format json --segments", "a -r ref --format json --segments"),
        ("a -r ref -- -i b", "a -r ref -- -i b"),
    ],
)
def test_translations(theirs, ours):
    """They become ours; ours stay as they are."""
    assert [*translate_arguments(theirs.split())] == ours.split()


@pytest.mark.parametrize(
    ("metrics", "message"),
    [("bleu", "-m bleu: this command computes METEOR only"), ("meteor nltk meteor-2005", "accepts one METEOR, not 2")],
)
def test_metrics_that_are_no_meteor(metrics, message):
    """Other metrics are sacrebleu's, and two METEORs another command's."""
    with pytest.raises(click.UsageError, match=message):
        list(translate_arguments(["-m", *metrics.split()]))
