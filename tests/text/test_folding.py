"""Text modes whose lines are folded first: full and half width, and the nukta of Hindi."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset, preset_names
from meteorlib.errors import ExtraMissing
from meteorlib.text.folding import Folder

FOLDED = {
    ("zh", "\u2f47本\u2f08﹐︵真﹖︶"): "日本人,(真?)",
    ("ja", "葛\U000e0100城、辻\ufe00"): "葛城、辻",
    ("zh", "２０２３年３月，ＷＴＯ：（好）！"): "2023年3月,WTO:(好)!",
    ("zh", "他说\u3000：“是”。"): "他说 :“是”。",
    ("ja", "ｶﾞｷﾞﾊﾟｱｲ、ガカ\uff9e ５０％"): "ガギパアイ、ガガ 50%",
    ("ja", "ﾡ ￥５ か\u3099"): "ᄀ ¥5 が",
    ("zh", "\uf900 \ufa0c"): "豈 兀",
    ("hi", "\u0958लम ज\u093cरा फ\u093cन \u095b"): "कलम जरा फन ज",
    ("hi", "स\u095cक पढ\u093cना"): "सड\u093cक पढ\u093cना",
    ("mr", "\u0958 ज\u093c"): "क\u093c ज\u093c",
}


@pytest.mark.parametrize(("language", "line"), FOLDED)
def test_folded(language, line):
    """Variants become one character; a folded line has none left."""
    folder = Folder(language)
    assert folder(line) == FOLDED[language, line]
    assert folder(folder(line)) == folder(line)
    assert folder(normalize("NFD", line)) == folder(line)


@pytest.mark.parametrize("line", ["abc, 3", "今天3月,好。", "ガギ、", "सड\u093cक", "“x” — é"])
def test_kept(line):
    """Other text stays as it is."""
    assert Folder("hi")(line) == line


SAME = {
    "meteor-zh": ("２０２３年３月，他来到北京（中国）。", "2023年3月,他来到北京(中国)。"),
    "meteor-ja": ("ｶﾞｲﾄﾞは３人，または４人です。", "ガイドは3人,または4人です。"),
    "meteor-hi": ("\u0958लम की ज\u093cरूरत है।", "क\u093cलम की जरूरत है।"),
}


@pytest.mark.parametrize("name", SAME)
def test_presets(name):
    """The presets of these languages give both forms of a text the score of equal texts, and the signature tells."""
    try:
        metric = Scorer(name)
    except ExtraMissing as error:
        pytest.skip(str(error))
    assert "|text:folded-" in str(metric.signature)
    one, other = SAME[name]
    assert metric.score(one, other).score == metric.score(other, one).score == metric.score(other, other).score
    plain = Scorer(evolve(metric.config, text=metric.config.text.removeprefix("folded-")))
    assert plain.score(one, other).score < 0.9


def test_presets_that_fold():
    """No other preset folds."""
    folding = [name for name in preset_names() if load_preset(name).text.startswith("folded-")]
    assert folding == ["meteor-hi", "meteor-ja", "meteor-ja-full", "meteor-zh", "meteor-zh-full"]
