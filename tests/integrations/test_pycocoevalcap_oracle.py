"""The real pycocoevalcap with its jar, and its stand-in: the same corpus score and the same score of every caption."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest

from meteorlib.integrations.pycocoevalcap import Meteor, PTBTokenizer

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")]

OWN = {
    "plain": (["a dog runs over the grass", "a brown dog is running outside"], "a dog is running over grass"),
    "perfect": (["Two people sit at a table ."], "Two people sit at a table ."),
    "raw": (["It's a man's dog, isn't it?", "The U.S. team (in red) won 3-2."], "The man's dog; it isn't U.S.-bred!"),
    "nothing": (["a red bus"], "green trees"),
    "empty caption": (["a red bus"], ""),
    "empty reference": (["", "a bus"], "a red bus"),
    "only an empty reference": ([""], "a bus"),
    "no reference": ([], "a bus"),
    "separators": (["a cat ||| a dog runs", "one|||two"], "a |||dog  runs|||  fast"),
    "bars": (["a | b || c", "||"], "a || b | c |||| d"),
    "blanks": (["  a   dog  "], "   a    dog runs  "),
    "letters": (["un café à Zürich, déjà vu", "ein Straßenfest – schön"], "café in Zürich – déjà vu"),
    "other scripts": (["猫 が いる", "кошка на столе"], "猫 が кошка"),
    "quotes": (["“a dog” ‘runs’ … away"], '"a dog" runs... away'),
    "paraphrases": (["the vehicle came to a halt", "in spite of the rain they play"], "the car stopped ; despite rain"),
    "many": ([f"child number {number} plays with a ball" for number in range(40)], "kids are playing with balls"),
    "long": (["a man and a woman " * 60], "a woman and a man " * 55),
    "same twice": (["a dog a dog a dog", "dog dog"], "a dog dog a"),
}


@pytest.fixture(scope="module")
def theirs():
    """The real metric, with Java."""
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    module = pytest.importorskip("pycocoevalcap.meteor.meteor")
    metric = module.Meteor()
    yield metric
    for pipe in (metric.meteor_p.stdout, metric.meteor_p.stderr):
        pipe.close()


@pytest.fixture(scope="module")
def ours(oracles):
    """The stand-in, with the paraphrase table."""
    return Meteor()


def close(expected):
    """Scores are equal except for the last bit, in which Java's and C's power functions may differ."""
    return pytest.approx(expected, rel=1e-15, abs=0.0)


def test_own_captions(theirs, ours):
    """Texts of every kind score the same, alone and together."""
    references = {name: texts for name, (texts, _) in OWN.items()}
    captions = {name: [caption] for name, (_, caption) in OWN.items()}
    for name in OWN:
        score, scores = theirs.compute_score({name: references[name]}, {name: captions[name]})
        found, each = ours.compute_score({name: references[name]}, {name: captions[name]})
        assert [found, *each] == close([score, *scores]), name
    score, scores = theirs.compute_score(references, captions)
    found, each = ours.compute_score(references, captions)
    assert found == close(score)
    assert each == close(scores)


def load_captions(path):
    """References and captions, by caption, of a file of judged captions; those that are references are left out."""
    references, captions = {}, {}
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for item in map(json.loads, lines):
            if not item["in_references"]:
                key = f"{item['image']} {item['caption_id']}"
                references[key], captions[key] = item["references"], [item["hypothesis"]]
    return references, captions


def test_flickr8k(theirs, ours, shared):
    """5,664 captions with five references each score the same, each and all together."""
    path = shared / "data" / "judgements" / "caption" / "flickr8k_expert.jsonl.gz"
    references, captions = load_captions(path)
    assert len(captions) == 5664
    assert {len(texts) for texts in references.values()} == {5}
    score, scores = theirs.compute_score(references, captions)
    found, each = ours.compute_score(references, captions)
    assert found == close(score)
    assert each == close(scores)


class Coco:
    """Data set with the method that COCOEvalCap calls: image → its annotations."""

    def __init__(self, captions):
        self.imgToAnns = {image: [{"caption": text} for text in texts] for image, texts in captions.items()}

    def getImgIds(self):  # noqa: N802 – pycocotools' name
        return list(self.imgToAnns)


def test_inside_coco_eval_cap(theirs, ours, monkeypatch, capsys):
    """The real COCOEvalCap, with its tokenizer, gives the same METEOR with the one and with the other.

    Another of its own metrics takes the place of SPICE, which downloads models.
    """
    module = pytest.importorskip("pycocoevalcap.eval")
    monkeypatch.setattr(module, "Spice", module.Rouge)
    names = [name for name in OWN if name in {"plain", "perfect", "raw", "nothing", "paraphrases", "many"}]
    data = Coco({name: OWN[name][0] for name in names}), Coco({name: [OWN[name][1]] for name in names})
    results = []
    for metric in (theirs, ours):
        monkeypatch.setattr(module, "Meteor", lambda metric=metric: metric)
        evaluation = module.COCOEvalCap(*data)
        evaluation.evaluate()
        results.append((evaluation.eval, {image: found["METEOR"] for image, found in evaluation.imgToEval.items()}))
    (all_theirs, each_theirs), (all_ours, each_ours) = results
    assert all_ours == close(all_theirs)
    assert each_ours == close(each_theirs)
    assert all_ours["METEOR"] > 0.2
    assert "computing METEOR score..." in capsys.readouterr().out


def test_raw_captions(theirs, oracles, shared):
    """Raw captions of Flickr8k: the same tokens as the real tokenizer, and the preset for them has the real score."""
    module = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    path = shared / "data" / "judgements" / "caption" / "flickr8k_expert.jsonl.gz"
    sides = load_captions(path)
    data = [{image: [{"caption": text} for text in texts] for image, texts in side.items()} for side in sides]
    tokenized = [module.PTBTokenizer().tokenize(side) for side in data]
    assert [PTBTokenizer().tokenize(side) for side in data] == tokenized
    score, scores = theirs.compute_score(*tokenized)
    found, each = Meteor("meteor-1.5-en-coco").compute_score(*sides)
    assert found == close(score)
    assert each == close(scores)
