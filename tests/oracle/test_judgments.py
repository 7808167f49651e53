"""Every segment score that METEOR 1.5 gives on the texts of WMT 2013, WMT 2014 and Flickr8k."""

from __future__ import annotations

import json

import pytest

from tests.oracle.records import lines, relative_error, rows

pytestmark = [pytest.mark.oracle, pytest.mark.stress]

PAIRS = [
    *(("wmt13", pair, count) for pair, count in [("cs", 21277), ("de", 31838), ("es", 17758), ("fr", 20124)]),
    *(
        ("wmt14", pair, count)
        for pair, count in [("cs", 6450), ("de", 9334), ("fr", 8279), ("hi", 7230), ("ru", 12591)]
    ),
]
TOLERANCE = 1e-15
PUNCTUATION = frozenset({".", ",", ";", ":", "!", "?", "-", "--", "...", "'", "''", '"', "`", "``"})


def plain(caption: str) -> str:
    """A caption as the Flickr8k scores were made from: lowercase, without the tokens that are punctuation."""
    return " ".join(token for token in caption.lower().split() if token not in PUNCTUATION)


@pytest.mark.parametrize(("year", "language", "count"), PAIRS)
def test_translations(shared, meteor, year, language, count):
    """The scores of all judged translations of a language pair are METEOR 1.5's."""
    folder, pair = shared / "data" / "judgements", f"{language}-en"
    references = {number: text for number, _, text in rows(folder / f"{year}_rank" / f"{pair}.segments.tsv.gz")}
    texts = {(number, system): text for number, system, text in rows(folder / f"{year}_rank" / f"{pair}.hyps.tsv.gz")}
    scored = [row for row in rows(folder / "jar" / f"{year}_xx-en.segscores.tsv.gz") if row[0] == pair]
    assert len(scored) == count
    wrong = []
    for _, number, system, theirs in scored:
        ours = meteor.score(references[number], texts[number, system]).score
        if relative_error(ours, float(theirs)) > TOLERANCE:
            wrong.append((number, system, ours, theirs))
    assert wrong == []


def test_captions(shared, meteor):
    """The scores of all captions that experts rated, against five references each, are METEOR 1.5's."""
    folder = shared / "data" / "judgements"
    captions = [json.loads(line) for line in lines(folder / "caption" / "flickr8k_expert.jsonl.gz")]
    captions = [caption for caption in captions if not caption["in_references"]]
    scored = rows(folder / "jar" / "flickr8k_expert_ptblike.segscores.tsv.gz")
    assert len(captions) == len(scored) == 5664
    wrong = []
    for caption, (image, identifier, hypothesis, theirs) in zip(captions, scored, strict=True):
        assert (image, identifier, hypothesis) == (
            caption["image"],
            caption["caption_id"],
            plain(caption["hypothesis"]),
        )
        ours = meteor.score([plain(reference) for reference in caption["references"]], hypothesis).score
        if relative_error(ours, float(theirs)) > TOLERANCE:
            wrong.append((identifier, hypothesis, ours, theirs))
    assert wrong == []
