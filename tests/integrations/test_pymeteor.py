"""PyMETEOR's functions and what they print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from meteorlib.integrations import pymeteor
from meteorlib.integrations.pymeteor import (
    calculate_chunks,
    calculate_meteor,
    calculate_penalty,
    harmonic_mean,
    meteor,
    unigram_precision,
    unigram_recall,
)

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = "the cat sat on  the mat"
CANDIDATE = "on  the mat sat the cat"
DETAILS = """\
Reference: "the cat sat on the mat"
Candidate: "on the mat sat the cat"
Score: 0.5000 = Fmean: 1.0000 * (1 - Penalty: 0.5000)
Fmean: 1.0000 = 10 * Precision: 1.0000 * Recall: 1.0000 / (Recall: 1.0000 + 9 * Precision: 1.0000)
Penalty: 0.5000 = 0.5 * (Fragmentation: 1.0000 ^3)
Fragmentation: 1.0000 = Chunks: 6.0000 / Matches: 6.0000 \n"""
MORE_DETAILS = """\
Reference: "the cat sat on the mat"
Candidate: "the cat was sat on the mat"
Score: 0.9654 = Fmean: 0.9836 * (1 - Penalty: 0.0185)
Fmean: 0.9836 = 10 * Precision: 0.8571 * Recall: 1.0000 / (Recall: 1.0000 + 9 * Precision: 0.8571)
Penalty: 0.0185 = 0.5 * (Fragmentation: 0.3333 ^3)
Fragmentation: 0.3333 = Chunks: 2.0000 / Matches: 6.0000 \n"""


def test_details_are_printed_as_by_pymeteor(capsys):
    """The lines are PyMETEOR's, to the blank at the end of the last one; nothing is printed unless asked for."""
    assert meteor(REFERENCE, CANDIDATE) == 0.5
    assert capsys.readouterr().out == ""
    assert meteor(REFERENCE, CANDIDATE, print_details=True) == 0.5
    assert capsys.readouterr().out == DETAILS
    meteor(REFERENCE, "the cat was sat on the mat", print_details=True)
    assert capsys.readouterr().out == MORE_DETAILS


@pytest.mark.parametrize(("reference", "candidate"), [("a b", "c"), ("", ""), ("a", ""), ("", "a")])
def test_nothing_matches(reference, candidate, capsys):
    """Without a match every number is 0, and a line says so."""
    assert meteor(reference, candidate, print_details=True) == 0.0
    assert capsys.readouterr().out == (
        f'Reference: "{reference}"\nCandidate: "{candidate}"\n'
        "Reference and candidate sentences have no matching unigrams.\n"
    )
    assert unigram_precision(reference, candidate) == unigram_recall(reference, candidate) == 0.0
    assert calculate_chunks(reference, candidate) == (0, 0)
    assert calculate_penalty(reference, candidate) == harmonic_mean(0.0, 0.0) == 0.0


def test_functions():
    """The functions are the steps to the score."""
    candidate = "the cat was sat on the mat"
    precision, recall = unigram_precision(REFERENCE, candidate), unigram_recall(REFERENCE, candidate)
    assert (precision, recall) == (6 / 7, 1.0)
    assert harmonic_mean(precision, recall) == pytest.approx(10 * precision * recall / (recall + 9 * precision))
    assert calculate_chunks(REFERENCE, candidate) == (2, 6)
    assert calculate_penalty(REFERENCE, candidate) == 0.5 * (2 / 6) ** 3
    parts = harmonic_mean(precision, recall), calculate_penalty(REFERENCE, candidate)
    assert calculate_meteor(*parts) == meteor(REFERENCE, candidate)


def test_the_case_counts():
    """Words are neither lowercased nor stemmed nor looked up."""
    assert meteor("The cats", "the cat") == 0.0


def test_words_are_matched_one_to_one():
    """A word of the reference counts once, however often the candidate has it."""
    assert unigram_precision("the cat", "the the the") == 1 / 3
    assert unigram_recall("the cat", "the the the") == 0.5


def test_chunks_are_adjacent_in_both_sentences():
    """A chunk is what PyMETEOR's description says; its code gives .625 here, since the candidate's words adjoin."""
    assert calculate_chunks("a e b", "c a b") == calculate_chunks("c a b", "a e b") == (2, 2)
    assert meteor("a e b", "c a b") == meteor("c a b", "a e b") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "name",
    "unigram_precision unigram_recall harmonic_mean calculate_chunks calculate_penalty calculate_meteor".split(),
)
def test_names_with_an_underscore(name):
    """The steps have their names of PyMETEOR's newer version too."""
    assert getattr(pymeteor, f"_{name}") is getattr(pymeteor, name)


def test_precision_and_recall_at_once():
    """The newer version has one function for both."""
    candidate = "the cat was sat on the mat"
    assert pymeteor._unigram_precision_and_recall(REFERENCE, candidate) == (6 / 7, 1.0)
    assert pymeteor._unigram_precision_and_recall("a", "b") == (0.0, 0.0)


def test_long_sentences_end():
    """Forty words that are all the same are aligned, not enumerated."""
    sentence = " ".join(["the"] * 40)
    assert calculate_chunks(sentence, sentence) == (1, 40)


def test_it_stands_alone():
    """A program that imports nothing else scores."""
    program = "import meteorlib.integrations.pymeteor as pymeteor; print(pymeteor.meteor('a b', 'a b'))"
    done = subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "0.9375\n"
