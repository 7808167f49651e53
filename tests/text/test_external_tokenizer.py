"""Text modes with tokenizers of other packages: their words, their versions, errors for missing packages."""

from __future__ import annotations

import marshal
import pickle
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.errors import ExtraMissing, InvalidText, ResourceDamaged, ResourceMissing
from meteorlib.registry import TEXTS
from meteorlib.text import external_tokenizer

CHINESE = ("我来到北京清华大学学习了 3.5 年!", "我在北京的 Tsinghua 大学 学习")
JAPANESE = ("国家公務員の選挙管理委員会に行きました。", "私は Tokyo の選挙管理委員会に行った。")
KOREAN = ("나는 어제 학교에 갔습니다.", "어제 나는 Seoul 학교에 갔다.")
THAI = ("ผมรักภาษาไทยและ Python 3.11 ครับ", "เขารักภาษาไทย มาก")
ENGLISH = ("The cat's 3.5 m long, isn't it? (Yes &amp; no.)", "Isn’t the “cat” 3,500.5 m long?")
PAIRS = {
    "uax29": ENGLISH,
    "13a": ENGLISH,
    "intl": ENGLISH,
    "char": THAI,
    "zh": CHINESE,
    "jieba": CHINESE,
    "ja-mecab": JAPANESE,
    "fugashi": JAPANESE,
    "sudachi-a": JAPANESE,
    "sudachi-b": JAPANESE,
    "sudachi-c": JAPANESE,
    "ko-mecab": KOREAN,
    "kiwi": KOREAN,
    "pythainlp": THAI,
}
ROWS = {name: TEXTS.part(name).make for name in [*PAIRS, "flores200", "word_tokenize"]}
MODULES = {name: {module.partition(".")[0] for module in row.modules} for name, row in ROWS.items()}


@pytest.fixture(scope="module", autouse=True)
def no_folder_of_pythainlps():
    """PyThaiNLP makes a folder in the home folder when it is imported, unless that is disabled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHAINLP_READ_ONLY", "1")
        yield


@pytest.fixture
def mode(request):
    """A text mode by its name; skipped where its packages are not installed."""
    for module in MODULES[request.param]:
        pytest.importorskip(module, reason=f"text mode {request.param} needs {module}")
    return TEXTS.get(request.param)("", (frozenset(), frozenset()))


@cache
def kiwi():
    """Kiwi as its own users make it; it takes seconds."""
    return sys.modules["kiwipiepy"].Kiwi()


def words_of_the_package(name, line):
    """Words of a line by the package itself, called as its own users do."""
    if name == "jieba":
        return sys.modules["jieba"].lcut(line)
    if name == "fugashi":
        return [word.surface for word in sys.modules["fugashi"].Tagger()(line)]
    if name == "kiwi":
        return [token.form for token in kiwi().tokenize(line)]
    if name == "pythainlp":
        return sys.modules["pythainlp"].word_tokenize(line)
    if name.startswith("sudachi"):
        from sudachipy import Dictionary, SplitMode

        split = {"a": SplitMode.A, "b": SplitMode.B, "c": SplitMode.C}[name[-1]]
        return [morpheme.surface() for morpheme in Dictionary().tokenizer(mode=split).tokenize(line)]
    from sacrebleu.metrics.bleu import _get_tokenizer

    return _get_tokenizer(name)()(line).split()


@pytest.mark.parametrize("mode", [name for name in PAIRS if name != "uax29"], indirect=True)
def test_words_are_the_packages(mode):
    """The words are those of the package, in small letters and without white space."""
    for line in PAIRS[mode.row.name]:
        expected = [word.lower() for word in words_of_the_package(mode.row.name, line) if not word.isspace()]
        assert mode.words(line) == expected
        assert mode.words(f" {line}\u3000\t ") == mode.words(line)
    assert mode.words("") == mode.words(" \t\u3000") == []


@pytest.mark.parametrize(("mode", "line", "words"), [
    ("jieba", CHINESE[0], "我 来到 北京 清华大学 学习 了 3.5 年 !"),
    ("zh", CHINESE[1], "我 在 北 京 的 tsinghua 大 学 学 习"),
    ("sudachi-a", JAPANESE[0][:13], "国家 公務 員 の 選挙 管理 委員 会"),
    ("sudachi-b", JAPANESE[0][:13], "国家 公務員 の 選挙 管理 委員会"),
    ("sudachi-c", JAPANESE[0][:13], "国家公務員 の 選挙管理委員会"),
    ("fugashi", JAPANESE[0][13:], "に 行き まし た 。"),
    ("ja-mecab", JAPANESE[0][13:], "に 行き まし た 。"),
    ("ko-mecab", KOREAN[0], "나 는 어제 학교 에 갔 습니다 ."),
    ("kiwi", KOREAN[0], "나 는 어제 학교 에 가 었 습니다 ."),
    ("pythainlp", THAI[0], "ผม รัก ภาษาไทย และ python 3.11 ครับ"),
    ("13a", ENGLISH[0], "the cat's 3.5 m long , isn't it ? ( yes & no . )"),
    ("uax29", ENGLISH[1], "isn’t the “ cat ” 3,500.5 m long ?"),
], indirect=["mode"])  # fmt: skip
def test_words(mode, line, words):
    """Words of texts on which versions of the packages are unlikely to differ."""
    assert mode.words(line) == words.split()


@pytest.mark.parametrize("mode", PAIRS, indirect=True)
def test_scores_are_those_of_the_words(mode):
    """Text scores as its words do, in both engines; the signature names the packages with their versions."""
    scorer = Scorer(evolve(load_preset("meteor-1.5-other"), text=mode.row.name))
    reference, hypothesis = PAIRS[mode.row.name]
    scored = scorer.score(reference, hypothesis)
    assert scored.score > 0
    assert scored == scorer.score_tokens([mode.words(reference)], mode.words(hypothesis))
    assert scored == Scorer(scorer.config, implementation="python").score(reference, hypothesis)
    told = ",".join(f"{package}={version(package)}" for package in mode.row.packages)
    assert scorer.signature.to_dict()["text"] == f"{mode.row.name}({told})"
    assert scorer.signature.eval_id is None


@pytest.mark.parametrize("mode", PAIRS, indirect=True)
def test_values(mode):
    """A text mode is a value: equal by its row and settings, with case or without, and also after pickling."""
    made, others = ROWS[mode.row.name](), (mode.cased(), ROWS[mode.row.name]("xx"))
    assert (made, hash(made)) == (mode, hash(mode))
    assert mode not in others
    for each in (mode, *others):
        again = pickle.loads(pickle.dumps(each))  # noqa: S301 – made here
        assert again == each
        assert again.words(PAIRS[mode.row.name][0]) == each.words(PAIRS[mode.row.name][0])
    with pytest.raises(FrozenInstanceError):
        mode.lowers = False


def test_rows_are_those_of_the_docs():
    """The table of docs/languages.md has each text mode of another package, what it is for, and its extra."""
    page = (Path(__file__).parents[2] / "docs/languages.md").read_text(encoding="utf-8")
    stated = {}
    for names, languages, extra in re.findall(
        r"^\| (`.*`) \| ([^|]*) \| [^|]* \| `meteorlib\[(.*)\]` \|$", page, re.MULTILINE
    ):
        first, *others = re.findall(r"`(.*?)`", names)
        for name in (first, *(first[:-2] + other if other.startswith("-") else other for other in others)):
            stated[name] = (languages, extra)
    assert stated == {name: (row.languages, row.extra) for name, row in ROWS.items()}


@pytest.mark.parametrize("mode", PAIRS, indirect=True)
def test_threads(mode):
    """Threads that share a text mode get the words that one alone gets."""
    lines = [f"{line} {number}" for number in range(40) for line in PAIRS[mode.row.name]]
    expected = [mode.words(line) for line in lines]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(mode.words, lines)) == expected


@pytest.mark.parametrize("name", [*PAIRS, "flores200"])
def test_a_missing_package(monkeypatch, name):
    """A package that is not installed is named with the extra, where the scorer is made."""
    monkeypatch.setattr(external_tokenizer, "_locked_tokenizer", external_tokenizer._locked_tokenizer.__wrapped__)
    for module in [*sys.modules]:
        if module.partition(".")[0] in MODULES[name]:
            monkeypatch.delitem(sys.modules, module)
    for module in MODULES[name]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        ExtraMissing, match=rf" is not installed: run  pip install 'meteorlib\[{ROWS[name].extra}\]'"
    ) as caught:
        Scorer(evolve(load_preset("meteor-1.5-other"), text=name))
    assert caught.value.package.partition(".")[0] in MODULES[name]


@pytest.mark.parametrize("mode", ["jieba"], indirect=True)
def test_words_that_a_program_adds(mode):
    """Words added to jieba's dictionary by a program, which the signature would not show, have no effect here."""
    import jieba

    jieba.add_word("来到北京")
    assert "来到北京" in jieba.lcut(CHINESE[0])
    assert mode.words(CHINESE[0])[:3] == ["我", "来到", "北京"]
    jieba.del_word("来到北京")


@pytest.mark.parametrize("mode", ["sudachi-c"], indirect=True)
def test_text_that_is_too_long_for_sudachi(mode):
    """Text beyond SudachiPy's limit is an error that names the limit."""
    with pytest.raises(InvalidText, match=r"^text: SudachiPy cannot take a text of 20,000 characters \(.*; divide it$"):
        mode.words("長" * 20_000)


@pytest.fixture
def model(monkeypatch, tmp_path):
    """Path at which sacrebleu looks for the model of FLORES-200; there is none."""
    pytest.importorskip("sentencepiece", reason="text mode flores200 needs sentencepiece")
    spm = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm", reason="text mode flores200 needs sacrebleu")
    monkeypatch.setattr(spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(external_tokenizer, "_locked_tokenizer", external_tokenizer._locked_tokenizer.__wrapped__)
    return tmp_path / "models" / "flores200sacrebleuspm"


def train_model(path):
    """Train a small model and put it there."""
    from sentencepiece import SentencePieceTrainer

    text = path.with_suffix(".txt")
    text.write_text("the cat sat on the mat\nthe dog sat on the log\n" * 20, "utf-8")
    SentencePieceTrainer.train(input=str(text), model_prefix=str(path), vocab_size=17, minloglevel=2)
    path.with_suffix(".model").replace(path)


def test_flores200(model):
    """Pieces of the available model; its digest is in the signature."""
    config = evolve(load_preset("meteor-1.5-other"), text="flores200")
    with pytest.raises(ResourceMissing, match=r"there is no .*flores200sacrebleuspm; run `echo a | sacrebleu"):
        Scorer(config)
    model.parent.mkdir()
    model.write_bytes(b"nonsense")
    with pytest.raises(ResourceDamaged, match="remove the file and download it again"):
        Scorer(config)
    train_model(model)
    scorer = Scorer(config)
    breakdown = scorer.score("The cat sat", "the dog sat")
    assert "".join(breakdown.alignment.reference) == "▁the▁cat▁sat"
    assert scorer.signature.to_dict()["text"].startswith(f"flores200(sacrebleu={version('sacrebleu')},sentencepiece=")
    assert ",flores200sacrebleuspm=" in scorer.signature.to_dict()["text"]


@pytest.mark.parametrize("mode", ["ja-mecab"], indirect=True)
def test_another_dictionary_for_mecab(mode, monkeypatch):
    """Sacrebleu takes MeCab with its own dictionary only; that another one is found is no traceback."""
    from sacrebleu.tokenizers import tokenizer_ja_mecab

    def refuse(self):
        raise AssertionError("Please make sure to use the IPA dictionary for MeCab")

    monkeypatch.setattr(tokenizer_ja_mecab.TokenizerJaMecab, "__init__", refuse)
    with pytest.raises(ResourceDamaged, match="'ja-mecab' cannot be used: Please make sure to use the IPA dictionary"):
        external_tokenizer.make_tokenizer(mode.row)


ALPHABET = "aàאב'\"’.:,;_1٣カ゠々の漢 \u200d\u0301\u00ad👩👧🇩🇪🇫ℹ\r\n\u2028\u3000ก한 -"


def test_word_boundaries():
    """Unicode's word boundaries are those that uniseg finds, which goes by the standard's tables."""
    pytest.importorskip("regex", reason="text mode uax29 needs regex")
    words = pytest.importorskip("uniseg.wordbreak", reason="needs uniseg to compare with").words
    segments = external_tokenizer.make_tokenizer(ROWS["uax29"])
    chance = random.Random(29)
    for _ in range(3_000):
        text = "".join(chance.choices(ALPHABET, k=chance.randint(1, 12)))
        assert list(segments(text)) == list(words(text)), ascii(text)


@pytest.mark.parametrize("mode", ["uax29"], indirect=True)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("e.g. http://a.b/c_d don't 3,456.78", "e.g . http : / / a.b / c_d don't 3,456.78"),
        ("צה\"ל ד' a'", "צה\"ל ד' a '"),
        ("中文 カタカナ_カ ひら ไทย", "中 文 カタカナ_カ ひ ら ไ ท ย"),
        ("👩‍👩‍👧🇩🇪🇫🇷 A🇩A", "👩‍👩‍👧 🇩🇪 🇫🇷 a 🇩 a"),
        ("한국어는 қазақша ሰላም", "한국어는 қазақша ሰላም"),
        ("naïve nai\u0308ve co\u00adop", "naïve nai\u0308ve co\u00adop"),
    ],
)
def test_words_between_boundaries(mode, line, words):
    """Examples of the standard's rules."""
    assert mode.words(line) == words.split()


def test_dictionary_of_jieba_is_its_own(tmp_path, monkeypatch):
    """A dictionary that somebody left in the temporary folder is not taken, and none is written there."""
    pytest.importorskip("jieba")
    planted = tmp_path / "jieba.cache"
    planted.write_bytes(marshal.dumps(({CHINESE[0]: 10**9}, 10**9)))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tokenize = external_tokenizer.make_tokenizer(ROWS["jieba"])
    assert tokenize(CHINESE[0])[:5] == ["我", "来到", "北京", "清华大学", "学习"]
    planted.unlink()
    external_tokenizer.make_tokenizer(ROWS["jieba"])
    assert not [*tmp_path.iterdir()]


def test_model_of_flores_is_not_downloaded(tmp_path, monkeypatch):
    """If sacrebleu does not find the model that was there a moment ago, nothing is downloaded in its place."""
    pytest.importorskip("sentencepiece")
    spm = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(external_tokenizer, "_flores_model", lambda _module: Path(__file__))
    external_tokenizer._locked_tokenizer.cache_clear()
    with pytest.raises(ResourceDamaged, match="it uses the network to load this, which meteorlib does not allow"):
        TEXTS.get("flores200")()
    external_tokenizer._locked_tokenizer.cache_clear()
