"""Text modes whose lines are cleaned first of marks that a model's tokenizer or a chat left."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, clean
from meteorlib.config import load_preset
from meteorlib.engine.build import make_text
from meteorlib.engine.implementation import load_kernel
from meteorlib.registry import TEXTS
from meteorlib.text.token import Prepared
from meteorlib.text.validation import list_in
from tests.examples import examples
from tests.text.prepared import check_both_engines, check_compiled_reader, lines_of

PLAIN = "A newer dog is playing in the garden ."

MARKED = (
    f"<start> {PLAIN} <end>",
    f"<s>{PLAIN}</s><pad><pad>",
    f"< s > {PLAIN} < / s >",
    f"[CLS] {PLAIN} [SEP] [PAD]",
    f"{PLAIN}<|endoftext|>",
    f"<｜begin▁of▁sentence｜>{PLAIN}<｜end▁of▁sentence｜>",
    f"<|im_start|>assistant\n{PLAIN}<|im_end|>",
    f"<start_of_turn>model\n{PLAIN}<end_of_turn>",
    f"[INST] {PLAIN} [/INST]",
    f"<BOS> {PLAIN} &lt;EOS&gt;",
    f"<pad> <extra_id_0> {PLAIN}",
    f"startseq {PLAIN} endseq",
    f"<think>\nA dog: it is a dog.\n</think>\n\n{PLAIN}",
    f"<think></think>{PLAIN}",
    f"</think> {PLAIN}",
    f"eng_Latn {PLAIN}",
    f"en_XX {PLAIN} </s>",
    f">>eng<< {PLAIN}",
    f"__en__ {PLAIN}",
    "A new@@ er dog is play@@ ing in the gar@@ den .",
    "A new ##er dog is play ##ing in the gar ##den .",
    "▁A ▁new er ▁dog ▁is ▁play ing ▁in ▁the ▁gar den ▁.",
    "A▁newer▁dog▁is▁playing▁in▁the▁garden▁.",
    "A Ġnew er Ġdog Ġis Ġplaying Ġin Ġthe Ġgar den Ġ. Ċ",
    "AĠnewerĠdogĠisĠplayingĠinĠtheĠgardenĠ.",
    "A</w> new er</w> dog</w> is</w> play ing</w> in</w> the</w> garden</w> .</w>",
    "A new￭ er dog is play ￭ing in the garden .",
    f"['{PLAIN}']",
    f'["{PLAIN}"]',
    f"('{PLAIN}',)",
    f"array(['{PLAIN}'], dtype=object)",
    f"{{'{PLAIN}'}}",
    f"{PLAIN}\\n",
    f"\\n\\n{PLAIN}",
    f"```\n{PLAIN}\n```",
    f"```text {PLAIN} ```",
    f"assistant: {PLAIN}",
    f"### Response: {PLAIN}",
    f"<0x0A>{PLAIN}",
    f"<0x7F>{PLAIN}",
)

DECODED = {
    "▁ 今 天 天 气 很 好": "今天天气很好",
    "ca fÃ© Ġau Ġlait": "café au lait",
    "Aqu ÃŃ Ġest oy": "Aquí estoy",
    "5 <0xE2><0x82><0xAC>": "5 €",
    "['It\\'s a \"dog\"']": 'It\'s a "dog"',
    "['It's a dog']": "It's a dog",
    "['A caf\\xe9.\\nYes\\x']": "A café. Yes\\x",
    "It is so.\\nYes": "It is so. Yes",
    "▁The dog runs": "The dog runs",
}

KEPT = (
    "a < b and c > d, [sic], [1], <b>bold</b>, List<int>, #hash, C ## x, @user, a@b.c, me@@you",
    "San Ġiljan is a town in Malta, where they say so",
    "C:\\new \\nabla \\nu",
    "▁▂▃▅▇▅▃▂",
    "['a dog', 'the dog'] and [a] ('b')",
    "['a dog', 'the dog']",
    "He said ````yes'' and `no`; the end. Start: end",
    "My assistant: he said so",
    '"A quotation."',
    '("A quotation.")',
)

PIECES = (
    "<s> </s> < s > <unk> &lt;pad&gt; [CLS] [ SEP ] <|x|> new@@ ##ing ▁ ▁a Ġ Ġa Ã © a</w> ￭ ￭b ['a '] , \\n a.\\n ``` "
    "```text assistant: startseq en_XX eng_Latn >>de<< __en__ <0x41> do n't & é ### Response: \n"
).split(" ")

lines = lines_of(PIECES)


@pytest.mark.parametrize("line", MARKED)
def test_cleaned(line):
    """A line is restored, and scores as it would without its marks."""
    assert clean(line) == PLAIN
    assert Scorer("meteor-1.5-en-core").score(PLAIN, line) != Scorer("meteor-1.5-en-core").score(PLAIN, PLAIN)
    score = Scorer("meteor-1.5-en-core", clean=True).score(PLAIN, line).score
    assert score == Scorer("meteor-1.5-en-core").score(PLAIN, PLAIN).score


@pytest.mark.parametrize(("line", "expected"), DECODED.items())
def test_decoded(line, expected):
    """Pieces are put together with what they stand for."""
    assert clean(line) == expected


@pytest.mark.parametrize("line", KEPT)
def test_kept(line):
    """Text that only looks similar stays as it is."""
    assert clean(line) == line


def test_maltese():
    """In Maltese, Ġ is a letter."""
    assert clean("Ġanni Ġorġ", "mt") == "Ġanni Ġorġ"


@examples(400)
@given(lines)
def test_nothing_is_left(line):
    """A cleaned line has nothing left to clean."""
    once = clean(line)
    assert clean(once) == once


@pytest.mark.skipif(load_kernel() is None, reason="built without the extension")
@pytest.mark.parametrize("prefix", ["cleaned-", "cleaned-unescaped-", "cleaned-unescaped-folded-", "folded-"])
@pytest.mark.parametrize("text", ["norm", "lower"])
def test_compiled_reader(prefix, text):
    """The compiled engine reads the words of the text mode, whatever it has learned before."""
    config = load_preset("meteor-1.5-en-core")
    config = evolve(config, text=prefix + text, stages=config.stages[:1], function_words=None)
    assert isinstance(make_text(config), Prepared)
    check_compiled_reader(config, st.sampled_from(["<s> a &amp; b ３", "a &amp; b ３"]) | lines, ["３，é\u0301"])


@pytest.mark.parametrize("name", ["meteor-2026-en-core", "meteor-2005"])
def test_both_engines(name):
    """Both engines give marked text the same scores, segment by segment and in a batch."""
    # lists in columns are refused: they may be several references
    texts = [line for line in MARKED if list_in(line) is None]
    pairs = [*pairwise(texts), *((line, line) for line in KEPT if list_in(line) is None)]
    check_both_engines(name, pairs, clean=True)


def test_names():
    """The prefixes have one order, each stands once, and the signature shows them; METEOR 1.5 has no such mode."""
    metric = Scorer("meteor-1.5-en-core", unescape=True, clean=True)
    assert "|text:cleaned-unescaped-norm|" in str(metric.signature)
    assert metric.signature.eval_id is None
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301 – its own
    assert Scorer(metric.config, clean=True) == metric
    assert "|text:cleaned-unescaped-norm|" in str(Scorer("meteor-2026-en-core", clean=True).signature)
    assert TEXTS.prepared("unescaped-folded-jieba", "cleaned-") == "cleaned-unescaped-folded-jieba"
    assert "unescaped-cleaned-norm" not in TEXTS
    assert "cleaned-cleaned-norm" not in TEXTS
