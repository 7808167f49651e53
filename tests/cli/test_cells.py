"""Cells that hold several texts as one: lists written as text and separated references are read or refused."""

from __future__ import annotations

import json

import pytest

import meteorlib
from meteorlib.errors import InvalidText
from meteorlib.inputs.cells import BadCell, in_form, text_of, texts_of
from meteorlib.text.validation import check_no_words, list_in
from tests.single_system import single

PRESET = ("--preset", "nltk")
TEXTS = ["it's a cat", 'the "cat" sat']


def numpy_form(texts):
    np = pytest.importorskip("numpy")
    return str(np.array(texts, object))


FORMS = {
    "Python": str,
    "JSON": json.dumps,
    "numpy": numpy_form,
    "numpy's repr": lambda texts: f"array({texts}, dtype=object)",
    "tuple": lambda texts: str(tuple(texts)),
    "lines": lambda texts: json.dumps(texts, indent=1),
    "Unicode in JSON": lambda texts: json.dumps(texts, ensure_ascii=False),
}


@pytest.mark.parametrize("name", FORMS)
def test_lists(name):
    """Lists of texts in the forms of Python, JSON and numpy are recognized, and read to the letter."""
    for texts in (TEXTS, [*TEXTS, "a, b", "back\\slash", "naïve 😀"]):
        written = FORMS[name](texts)
        assert list_in(written) == texts
        assert texts_of(in_form(written, "list")) == texts
        assert texts_of(in_form(written, "text")) == [written]
        with pytest.raises(BadCell, match="a list written as text; to read it, add :list to the name of the column"):
            texts_of(written)


@pytest.mark.parametrize("text", ["it's a cat", "C:\\users \\x \\N{cat} \\d", "a\ncat"])
def test_lists_that_are_no_code(text):
    """Apostrophes, escapes that Python does not know and line breaks are read as they are."""
    assert list_in(f"['{text}', 'b']") == [text, "b"]


@pytest.mark.parametrize(
    "text",
    [
        "a cat",
        "[applause] he said",
        '("Hello.")',
        "[1, 2]",
        "['a' said he]",
        "[",
        "['a'",
        '{"a": "b"}',
        "(a, b)",
        "['']a",
    ],
)
def test_no_lists(text):
    """Sentences with brackets and quotes, numbers and objects are texts."""
    assert list_in(text) is None
    assert texts_of(text) == [text] == [text_of(text)]
    with pytest.raises(BadCell, match="no list written as text"):
        in_form(text, "list")


def test_hypotheses():
    """A hypothesis that is written as a list of one text is read as such, if asked."""
    assert text_of(in_form("['a cat']", "list")) == "a cat"
    with pytest.raises(BadCell, match="a list written as text"):
        text_of("['a cat']")


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (
            "a cat ||| the cat|||",
            "separator=|||",
            "several texts with ||| between them; to read it, add :separator=|||",
        ),
        ("a cat\tthe cat\t", "separator=tab", "several texts with tabs between them; to read it, add :separator=tab"),
    ],
)
def test_separators(text, form, message):
    """Separated texts are read without empty ones; as one text they are refused."""
    assert texts_of(in_form(text, form)) == ["a cat", "the cat"]
    assert texts_of(in_form("a cat", form)) == ["a cat"]
    with pytest.raises(BadCell) as caught:
        texts_of(text)
    assert str(caught.value).startswith(message)


REFS = [["the cat sat on the mat", "a cat sat there"], ["it's late"], ["he left", "he went home", "home he went"]]
HYPS = ["a cat sat on the mat", "it's late now", "he went"]
WRITTEN = {
    "list": [str(texts) for texts in REFS],
    "separator=|||": [" ||| ".join(texts) for texts in REFS],
    "separator=;": [";".join(texts) for texts in REFS],
    "separator=tab": ["\t".join(texts) for texts in REFS],
}


@pytest.fixture
def expected():
    return meteorlib.Scorer("nltk").corpus().extend(references=REFS, hypotheses=HYPS).score().score


@pytest.mark.parametrize("form", WRITTEN)
def test_commands(run, files, expected, form):
    """Commands read the form that is said for a column, also of text; without it, file and row are named."""
    cells = WRITTEN[form]
    rows = [{"hyp": hyp, "refs": cell} for hyp, cell in zip(HYPS, cells, strict=True)]
    files(
        **{
            "t.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
            "h.txt": "".join(f"{hyp}\n" for hyp in HYPS),
            "r.txt": "".join(f"{cell}\n" for cell in cells),
        }
    )
    options = (*PRESET, "-f", "json")
    table = ("t.jsonl", "--hyp-column", "hyp", "--ref-column")
    for arguments in ((*table, f"refs:{form}"), ("h.txt", "-r", "r.txt", "--ref-column", f"text:{form}")):
        result = run("score", *arguments, *options)
        assert (result.status, result.err) == (0, "")
        assert single(result.out)["score"] == expected
    assert run("compare-presets", *table, f"refs:{form}", "--presets", "nltk,meteor-2005").status == 0
    assert run("score", *table, "refs:text", *options).status == 0
    if form != "separator=;":
        result = run("score", *table, "refs", *options)
        assert result.out == ""
        assert result.err.startswith("meteorlib: t.jsonl:1: column 'refs': ")
        assert f"add :{form} to the name of the column" in result.err
        result = run("score", "h.txt", "-r", "r.txt", *options)
        assert "line 1 of r.txt seems to be" in result.err
        assert f"--ref-column 'text:{form}'" in result.err


def test_a_row_without_the_form(run, files):
    """A row in another form is an error with its place."""
    files(
        **{"t.jsonl": json.dumps({"hyp": "a", "refs": "['a']"}) + "\n" + json.dumps({"hyp": "a", "refs": "a"}) + "\n"}
    )
    result = run("score", "t.jsonl", "--hyp-column", "hyp", "--ref-column", "refs:list", *PRESET)
    assert result.err.startswith("meteorlib: t.jsonl:2: column 'refs': no list written as text: 'a'")


def test_judgments(run, files, tmp_path, monkeypatch):
    """References of judged texts have the same forms."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    rows = [
        {
            "segment": segment,
            "system": system,
            "refs": str(REFS[segment % 3]),
            "mt": HYPS[place],
            "human": place + segment,
        }
        for segment in range(4)
        for place, system in enumerate("ABC")
    ]
    files(**{"t.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    options = ("t.jsonl", *PRESET, "-n", "10", "--ref-column")
    assert run("meta-eval", *options, "refs:list").status == 0
    assert "t.jsonl:1: column 'refs': a list written as text" in run("meta-eval", *options, "refs").err


def test_tables_in_memory(expected):
    """Functions for tables have the same names of columns, and the same errors, with column and row."""
    pytest.importorskip("narwhals")
    from meteorlib.integrations.frames import corpus_scores

    for form, cells in WRITTEN.items():
        table = {"hyp": HYPS, "refs": cells}
        found = corpus_scores(table, "nltk", references=f"refs:{form}", hypothesis="hyp")
        assert found["meteor_score"] == [expected]
        if form != "separator=;":
            with pytest.raises(InvalidText, match=f"column 'refs', row 0 .* add :{form.replace('|', '.')}"):
                meteorlib.score_table(table, "nltk", references="refs", hypothesis="hyp")
    grouped = {"id": [1, 1, 2], "hyp": ["a cat", "a cat", "b"], "refs": ["['x', 'a']", "['a cat']", "['b']"]}
    found = corpus_scores(grouped, "nltk", references="refs:list", hypothesis="hyp", group="id", numbers="recall")
    assert found["meteor_recall"] == [1]
    lists = {"hyp": [f"[{hyp!r}]" for hyp in HYPS], "refs": REFS}
    assert corpus_scores(lists, "nltk", references="refs", hypothesis="hyp:list")["meteor_score"] == [expected]
    with pytest.raises(InvalidText, match=r"column 'hyp', row 0 .*a list written as text"):
        meteorlib.score_table(lists, "nltk", references="refs", hypothesis="hyp")


@pytest.mark.parametrize("form", ["list", "separator=|||"])
def test_columns_in_memory(form):
    """A column of strings that are lists is refused with the number of the segment; one in a list is a text."""
    scorer, cells = meteorlib.Scorer("nltk"), ["a", *WRITTEN[form]]
    with pytest.raises(InvalidText, match=r"segment 2: reference: .*pass a list of references"):
        scorer.corpus().extend(references=cells, hypotheses=["a", *HYPS])
    with pytest.raises(InvalidText, match=r"segment 2: reference: .*pass a list of references"):
        meteorlib.compare({"one": ["a", *HYPS]}, cells, "nltk", samples=5)
    with pytest.raises(InvalidText, match="pass a list of references"):
        scorer.score(cells[1], HYPS[0])
    assert scorer.score([cells[1]], HYPS[0]).score < 1


WORDS = "the cat sat on the mat .".split()


@pytest.mark.parametrize("words", [WORDS, "he went home".split(), "A dog ran away quickly".split()])
def test_words_as_references(run, files, words):
    """The words of a reference are no references: the error names `score_tokens`."""
    scorer, text = meteorlib.Scorer("nltk"), " ".join(words)
    for call in (
        lambda: scorer.score(words, text),
        lambda: scorer.corpus().add(words, text),
        lambda: scorer.corpus().extend(references=[words], hypotheses=[text]),
    ):
        with pytest.raises(InvalidText, match=r"single words, such as .*score_tokens"):
            call()
    assert scorer.score_tokens([words], words).score > 0.9
    files(**{"t.jsonl": json.dumps({"hyp": text, "refs": words}) + "\n"})
    result = run("score", "t.jsonl", "--hyp-column", "hyp", "--ref-column", "refs", *PRESET)
    assert result.err.startswith("meteorlib: t.jsonl:1: ")
    assert "score_tokens" in result.err
    pytest.importorskip("narwhals")
    with pytest.raises(InvalidText, match=r"column 'refs', row 0 .*score_tokens"):
        meteorlib.score_table({"hyp": [text], "refs": [words]}, "nltk", references="refs", hypothesis="hyp")


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [
        (["Paris", "Lutetia", "Lutèce"], "the capital is Paris"),
        (["cat", "kitten", "kitty"], "cat"),
        (["yes", "yeah", "yep"], "oh yes"),
        (["a cat", "cat", "kitten"], "a cat sat there"),
        (["cat", "cat"], "a cat sat there"),
        (["yes"] * 9 + ["no"], "yes it is"),
        (["red", "maroon", "red", "red", "burgundy"], "it is red"),
        (["我喜欢猫", "我爱猫", "我很喜欢猫"], "我喜欢猫"),
    ],
)
def test_short_references(references, hypothesis):
    """References of a word each are references."""
    check_no_words(references, hypothesis)  # raises nothing


def test_tabs_of_a_text():
    """A text in memory may have tabs, as lines of real files do; they separate words."""
    scorer = meteorlib.Scorer("nltk")
    assert (
        scorer.score("a cat\tsat there", "a cat sat there").score
        == scorer.score("a cat sat there", "a cat sat there").score
    )
    corpus = scorer.corpus()
    corpus.extend(references=["a cat\tsat there"], hypotheses=["a cat sat there"])
    assert corpus.score().score == scorer.score("a cat sat there", "a cat sat there").score
