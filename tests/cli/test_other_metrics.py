"""``meteorlib score --metric``: other metrics beside METEOR."""

from __future__ import annotations

import json

import pytest

SYSTEMS = ("system-a.en", "system-b.en")
REFERENCES = ("reference.0.en", "reference.1.en")
COMMON = ("-r", REFERENCES[0], "-r", REFERENCES[1], "-q", "--n", "100", "--preset", "meteor-2005")


@pytest.fixture(autouse=True)
def examples(root, monkeypatch):
    """The folder of the examples is the current one."""
    monkeypatch.chdir(root / "examples")


def data(run, *arguments):
    result = run("score", *SYSTEMS, *COMMON, "-f", "json", *arguments)
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_sacrebleu(run, root):
    """Scores, intervals and sentence scores are sacrebleu's own; TER's lowest score is the best one."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    kinds = {
        "bleu": (metrics.BLEU(), metrics.BLEU(effective_order=True)),
        "chrf": (metrics.CHRF(), metrics.CHRF()),
        "chrF++": (metrics.CHRF(word_order=2), metrics.CHRF(word_order=2)),
        "ter": (metrics.TER(), metrics.TER()),
    }
    found = data(run, *(f"--metric={name}" for name in kinds), "--segments", "--paired", "bootstrap")["metrics"]
    texts = {name: (root / "examples" / name).read_text("utf-8").split("\n")[:-1] for name in (*SYSTEMS, *REFERENCES)}
    streams = [texts[name] for name in REFERENCES]
    for one, (name, (whole, single)) in zip(found, kinds.items(), strict=True):
        assert (one["name"], one["lower_is_better"]) == (name, name == "ter")
        for system in SYSTEMS:
            score = whole.corpus_score(texts[system], streams, n_bootstrap=100)
            mine = one["systems"][system]
            assert mine["score"] == pytest.approx(score.score, rel=1e-12)
            assert (mine["interval"]["high"] - mine["interval"]["low"]) / 2 == pytest.approx(score._ci, rel=1e-4)
            sentences = zip(texts[system], *streams, strict=True)
            expected = [single.sentence_score(hyp, refs).score for hyp, *refs in sentences]
            assert mine["segments"] == pytest.approx(expected, rel=1e-12)
        assert one["signature"].startswith("nrefs:2|")
        assert one["systems"][SYSTEMS[0]]["p"] is None
        assert one["systems"][SYSTEMS[1]]["p"] == pytest.approx(1 / 101)


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_tables_by_group(ok, root, tmp_path, form):
    """Each metric has a table of the groups with sacrebleu's own score of each; TER's lowest score is bold."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    labels = ["news"] * 20 + ["talk"] * 28
    (tmp_path / "sets").write_text("\n".join(labels) + "\n", "utf-8")
    options = ("--by", f"set={tmp_path / 'sets'}", "--metric", "bleu", "--metric", "ter")
    done = ok("score", *SYSTEMS, *COMMON, "-f", form, *options)
    texts = {name: (root / "examples" / name).read_text("utf-8").split("\n")[:-1] for name in (*SYSTEMS, *REFERENCES)}

    def score(metric, name, label):
        chosen = {
            key: [text for text, one in zip(lines, labels, strict=True) if one == label] for key, lines in texts.items()
        }
        return metric.corpus_score(chosen[name], [chosen[key] for key in REFERENCES]).score

    for heading, metric, best in (("BLEU", metrics.BLEU(), max), ("TER", metrics.TER(), min)):
        table = done.out[done.out.index(f"set: {heading}") :].split("\n")
        columns = {label: [score(metric, name, label) for name in SYSTEMS] for label in ("news", "talk")}
        for place, name in enumerate(SYSTEMS):
            row = next(line for line in table if name in line)
            for scores in columns.values():
                shown = f"{scores[place]:.2f}"
                bold = scores[place] == best(scores)
                assert (
                    {"latex": f"\\textbf{{{shown}}}", "markdown": f"**{shown}**"}[form] in row if bold else shown in row
                )


def test_tables(run, tmp_path):
    """A column for each system has scores of segments, with intervals and tests; a row for each has one score."""
    (tmp_path / "comet.tsv").write_text("system-b.en\tsystem-a.en\n" + "".join(f".{row:02}\t.5\n" for row in range(48)))
    (tmp_path / "wide.tsv").write_text("system\tscore\nsystem-a.en\t7\nother\t3\nsystem-b.en\t9\n")
    arguments = ["--metric", f"COMET={tmp_path / 'comet.tsv'}", "--metric", f"human={tmp_path / 'wide.tsv'}"]
    comet, human = data(run, *arguments)["metrics"]
    assert comet["systems"]["system-a.en"]["score"] == 0.5
    assert comet["systems"]["system-b.en"]["score"] == pytest.approx(0.235)
    assert comet["systems"]["system-b.en"]["adjusted_p"] == pytest.approx(1 / 101)
    assert (human["systems"]["system-b.en"]["difference"], human["systems"]["system-b.en"]["interval"]) == (2, None)
    tsv = run("score", *SYSTEMS, *COMMON, "-f", "tsv", "--segments", *arguments).out.splitlines()
    head, *rows = (line.split("\t") for line in tsv)
    assert [row[head.index("COMET")] for row in rows if row[:2] == ["3", "system-b.en"]] == ["0.02"]
    assert {len(row) for row in rows} == {len(head)}
    markdown = run("score", *SYSTEMS, *COMMON, "-f", "markdown", "--columns", "score", *arguments).out
    head, _, one, other = (line.split(" | ") for line in markdown.splitlines()[:4])
    assert head[-2:] == ["COMET", "human |"]
    assert [one[-2], other[-1]] == ["**0.5000**", "**9.0000** |"]
    latex = run("score", *SYSTEMS, *COMMON, "-f", "latex", *arguments).out
    assert "& COMET & human" in latex
    assert r"\textbf{9.0000}" in latex


def test_format_of_texts_is_not_that_of_scores(ok, tmp_path):
    """Options for tables of texts say nothing about a table of scores, whose name says its format."""
    (tmp_path / "t.csv").write_text("a cat;the cat\na dog;the dog\n")
    (tmp_path / "scores.tsv").write_text("t.csv\n1\n2\n")
    options = ["--header", "hyp,ref", "--delimiter", ";", "--hyp-column", "hyp", "--ref-column", "ref", "-f", "json"]
    done = ok("score", tmp_path / "t.csv", *options, "-q", "-n", "20", "--metric", f"x={tmp_path / 'scores.tsv'}")
    (system,) = json.loads(done.out)["metrics"][0]["systems"].values()
    assert system["score"] == 1.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--metric comet", "unknown metric 'comet'; known: bleu, chrf, chrf++, spbleu, ter, or NAME=FILE for a table"),
        ("--metric x=", "expected NAME=FILE"),
        ("--metric bleu:tokeniz=zh", "unknown option of BLEU 'tokeniz' (did you mean 'tokenize'?)"),
        ("--metric bleu:tokenize=nl", "unknown tokenize of BLEU 'nl'"),
        ("--metric ter:normalized=maybe", "normalized=maybe: expected yes or no"),
        ("--metric chrf:word_order=two", "word_order=two: expected a number"),
        ("--metric p=scores.tsv", "there already is a column 'p'"),
        ("--metric bleu --metric bleu", "there already is a column 'bleu'"),
        ("--metric x=absent.tsv", "absent.tsv: no such file"),
        ("--metric bleu -b", "--metric cannot be combined with --score-only"),
    ],
)
def test_refused(refused, options, message):
    """A mistake is one message and exit status 2; nothing is printed."""
    pytest.importorskip("sacrebleu")
    assert message in refused("score", *SYSTEMS, *COMMON, *options.split())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("system-a.en\tsystem-b.en\n1\t2\n", "has 1 rows of scores for 48 segments"),
        ("system-a.en\tother\n1\t2\n", "system-b.en"),
        ("system\tscore\nsystem-a.en\t1\n", "no score of system 'system-b.en'; it has system-a.en"),
        ("system\tscore\nsystem-a.en\t1\nsystem-a.en\t1\n", "'system-a.en' has a score already"),
        ("system-a.en\tsystem-b.en\n1\tgood\n", "good"),
    ],
)
def test_refused_tables(refused, tmp_path, content, message):
    """Scores that are missing, repeated or no numbers are errors that name their place."""
    (tmp_path / "scores.tsv").write_text(content)
    err = refused("score", *SYSTEMS, *COMMON, "--metric", f"x={tmp_path / 'scores.tsv'}")
    assert "scores.tsv" in err
    assert message in err


SEGMENTS = 48


def cells():
    """Number, system and score of each row of a long table."""
    return [
        (number, system, number * (at + 1) / 64)
        for number in range(1, SEGMENTS + 1)
        for at, system in enumerate(SYSTEMS)
    ]


def table(head, rows, separator="\t"):
    """Text of a table."""
    return "".join(separator.join(map(str, row)) + "\n" for row in (head, *rows))


LONG = table(("segment_id", "system", "score"), cells())
SHUFFLED = table(
    ("system", "score", "segment_id"), [(b, c, a) for a, b, c in sorted(cells(), key=lambda row: row[0] * 31 % 49)]
)
FROM_ZERO = table(("segment_id", "system", "score"), [(a - 1, b, c) for a, b, c in cells()])
WIDE = table(
    ("segment_id", *SYSTEMS), [(n, n / 64, 2 * n / 64) for n in sorted(range(1, 49), key=lambda n: n * 5 % 49)]
)


NAMED = table(("segment_id", "system", "score", SYSTEMS[0]), [(*row, "a remark") for row in cells()])
"""A row for each segment and system, with a column that has the name of one of them."""


@pytest.mark.parametrize("content", [LONG, SHUFFLED, FROM_ZERO, WIDE, NAMED])
def test_segments_are_joined_by_id(run, tmp_path, content):
    """Rows are joined by the numbers of the segments, whatever their order and the form of the table."""
    (tmp_path / "x.tsv").write_text(content)
    (found,) = data(run, "--metric", f"x={tmp_path / 'x.tsv'}", "--segments")["metrics"]
    for at, system in enumerate(SYSTEMS, 1):
        assert found["systems"][system]["segments"] == [at * number / 64 for number in range(1, SEGMENTS + 1)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            LONG.rpartition("48\t")[0],
            "no score of system 'system-b.en' for segment '48' (column 'segment_id'); add a row",
        ),
        (LONG + "7\tsystem-a.en\t.5\n", "segment '7' of system 'system-a.en' has a score already, at "),
        (LONG + "49\tsystem-a.en\t.5\n", "have no segment '49', only 48 from '1' to '48'; correct the id, or remove"),
        (LONG.replace("3\tsystem-a.en\t0.046875", "3\tsystem-a.en\t"), "a score is missing"),
        (LONG.replace("segment_id", "position"), "has a score already; scores of segments need a column of their ids"),
        (WIDE + "48\t1\t1\n", "segment '48' has a score already"),
        (WIDE.replace("\n12\t", "\n12a\t"), "have no segment '12a'"),
    ],
)
def test_scores_that_do_not_fit(refused, tmp_path, content, message):
    """A row that is missing, repeated or unknown is an error that names its row, its column and the remedy."""
    (tmp_path / "x.tsv").write_text(content)
    err = refused("score", *SYSTEMS, *COMMON, "--metric", f"x={tmp_path / 'x.tsv'}")
    assert message in err
    assert "x.tsv" in err


def test_segments_of_tables_with_ids(run, refused, ok, tmp_path):
    """Scores are joined to a table of texts by its ids, of several columns if it has them; never by position."""
    (tmp_path / "t.csv").write_text("doc,seg,hyp,ref\nb,1,a cat,the cat\na,1,a dog,the dog\na,2,a fox,the fox\n")
    long = ("system,document,segment,score", "hyp,a,1,2", "hyp,b,1,1", "hyp,a,2,3")
    (tmp_path / "long.csv").write_text("\n".join(long) + "\n")
    (tmp_path / "wide.csv").write_text("hyp\n1\n2\n3\n")
    options = ["--hyp-column", "hyp", "--ref-column", "ref", "-q", "-n", "20", "-f", "json", "--segments"]
    names = ["--runs", f"hyp={tmp_path / 't.csv'}"]
    done = ok("score", *names, *options, "--metric", f"x={tmp_path / 'long.csv'}")
    assert json.loads(done.out)["metrics"][0]["systems"]["hyp"]["segments"] == [1, 2, 3]
    err = refused("score", *names, *options, "--metric", f"x={tmp_path / 'wide.csv'}")
    assert "has none of the columns that identify the segments of" in err
    assert "--id-column none" in err
    by_position = run("score", *names, *options, "--id-column", "none", "--metric", f"x={tmp_path / 'wide.csv'}")
    assert json.loads(by_position.out)["metrics"][0]["systems"]["hyp"]["segments"] == [1, 2, 3]


def test_rows_without_ids(run, ok, tmp_path):
    """Rows without ids are joined to texts by position, which a note says; fewer or more rows are an error."""
    rows = "\n".join("\t".join([str(n), str(n)]) for n in range(SEGMENTS))
    (tmp_path / "x.tsv").write_text("\t".join(SYSTEMS) + "\n" + rows + "\n")
    arguments = ("score", *SYSTEMS, *COMMON, "-n", "20", "--metric", f"x={tmp_path / 'x.tsv'}")
    done = ok(*[one for one in arguments if one != "-q"])
    assert "x.tsv: has no column of segment ids, such as segment_id, so row 1 is taken as the score of" in done.err
    assert "row 1" not in run(*arguments).err
    (tmp_path / "x.tsv").write_text("\t".join(SYSTEMS) + "\n" + rows.rpartition("\n")[0] + "\n")
    assert f"has {SEGMENTS - 1} rows of scores for {SEGMENTS} segments" in run(*arguments).err


EMPTY = (
    ["the cat sat on the mat", "a b", "x"],
    ["the cat sat on a mat", "", ""],
    ["the cat sat", "x y z", "x y z u v"],
)
"""Hypotheses, references with empty ones, and others. BLEU's length of the third is nearest to that of no words."""
COUNTED = {
    ("ter", False): "segment 2",
    ("ter", True): "segment 2",
    ("bleu", False): "segment 3",
    ("chrf", True): "segment 2",
    ("chrf", False): "",
}


@pytest.mark.parametrize(("name", "first"), COUNTED)
def test_empty_references(run, tmp_path, name, first):
    """An empty reference counts as in sacrebleu, and a note says if the score would change without it."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    hypotheses, *references = EMPTY if first else (EMPTY[0], EMPTY[2], EMPTY[1])
    paths = [tmp_path / file for file in ("hyp", "r1", "r2")]
    for path, lines in zip(paths, (hypotheses, *references), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines))
    command = ("score", paths[0], "-r", paths[1], "-r", paths[2], "--metric", name, "-n", "10", "-f", "json")
    done = run(*command)
    kind = getattr(metrics, {"chrf": "CHRF"}.get(name, name.upper()))()
    theirs = kind.corpus_score(hypotheses, references).score
    assert json.loads(done.out)["metrics"][0]["systems"]["hyp"]["score"] == pytest.approx(theirs, rel=1e-12)
    without = kind.corpus_score(hypotheses, [[line or None for line in lines] for lines in references]).score
    noted = [line for line in done.err.splitlines() if " counts empty " in line]
    assert (without != theirs) == bool(noted) == bool(COUNTED[name, first])
    assert [f"note: {name} counts empty references beside others, such as that of {COUNTED[name, first]}, as" in line
            for line in noted] == [True] * len(noted)  # fmt: skip


ODD = ("1e308", "-1e308", "1e999", "1e101", "1e-101", "5e-324", "nan", "inf", "-Infinity", "0x1p3", "1_0", "１", "good")
"""Texts that are no numbers, or not such as statistics can be computed with."""

ODD_JSON = ("true", "false", '"true"', "NaN", "Infinity", "1e999", "[1]", '{"a": 1}', f"1{'0' * 101}", f"1{'0' * 400}")


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_large_scores_are_refused_in_every_format(refused, tmp_path, form):
    """Scores whose sums overflow are an error that names file, row and column, never ``inf`` or a p value."""
    rows = "".join(f"{-1 if row % 2 else 1}.7e308\t1e308\n" for row in range(48))
    (tmp_path / "m.tsv").write_text("system-a.en\tsystem-b.en\n" + rows)
    err = refused("score", *SYSTEMS, *COMMON, "-f", form, "--metric", f"m={tmp_path / 'm.tsv'}")
    assert "m.tsv:2: column 'system-a.en': expected numbers that are 0, or from 1e-100 to 1e+100 in mag" in err
    assert "rescale the column" in err


@pytest.mark.parametrize(("odd", "form"), [*((odd, "tsv") for odd in ODD), *((odd, "jsonl") for odd in ODD_JSON)])
@pytest.mark.parametrize("layout", ["wide", "position", "long", "systems"])
def test_odd_scores(refused, tmp_path, odd, form, layout):
    """A score that is no usable number is an error that names its row, in each form of the table."""
    head = {"wide": "segment system-a.en system-b.en", "position": "system-a.en system-b.en"}.get(
        layout, "system score"
    )
    rows = {
        "wide": [f"{row} .5 .5".split() for row in range(1, 49)],
        "position": [[".5", ".5"] for _ in range(48)],
        "long": [f"{row} {system} .5".split() for row in range(1, 49) for system in SYSTEMS],
        "systems": [[system, ".5"] for system in SYSTEMS],
    }[layout]
    names = ["segment", *head.split()] if layout == "long" else head.split()
    rows[-1][-1] = odd
    table = tmp_path / f"m.{form}"
    if form == "tsv":
        table.write_text("".join("\t".join(row) + "\n" for row in (names, *rows)), encoding="utf-8")
    else:
        written = [[json.dumps(cell) for cell in row] for row in rows]
        written[-1][-1] = odd
        lines = (", ".join(f'"{name}": {cell}' for name, cell in zip(names, row, strict=True)) for row in written)
        table.write_text("".join(f"{{{line}}}\n" for line in lines), encoding="utf-8")
    err = refused("score", *SYSTEMS, *COMMON, "-f", "json", "--metric", f"m={table}")
    line = len(rows) + (form == "tsv")
    assert f"m.{form}:{line}: column {names[-1]!r}: expected " in err


def test_largest_and_smallest_scores(run, tmp_path):
    """Scores at the ends of the range, and 0, are used."""
    (tmp_path / "m.tsv").write_text("system-a.en\tsystem-b.en\n" + "1e100\t-1e-100\n" * 47 + "1e100\t-0\n")
    (found,) = data(run, "--metric", f"m={tmp_path / 'm.tsv'}")["metrics"]
    assert found["systems"]["system-a.en"]["score"] == pytest.approx(1e100)
    assert found["systems"]["system-b.en"]["score"] == pytest.approx(-47e-100 / 48)


CHINESE = ("他说你好吗，我们去吃饭吧", "今天天气很好，我们去公园"), ("他说你好，我们去吃饭", "今天的天气很好，去公园")
JAPANESE = (
    ("今日は天気がとても良いです", "彼は東京で働いています"),
    ("今日はとても天気が良いです", "彼は東京の会社で働いています"),
)


@pytest.mark.parametrize(
    ("metric", "texts", "lp", "kind", "settings", "signature"),
    [
        ("bleu", CHINESE, "en-zh", "BLEU", {"tokenize": "zh"}, "tok:zh"),
        ("bleu", CHINESE, "eng_Latn-zho_Hans", "BLEU", {"tokenize": "zh"}, "tok:zh"),
        ("bleu", JAPANESE, "en-ja", "BLEU", {"tokenize": "ja-mecab"}, "tok:ja-mecab"),
        ("bleu", CHINESE, "", "BLEU", {"tokenize": "13a"}, "tok:13a"),
        ("bleu:tokenize=char", CHINESE, "en-zh", "BLEU", {"tokenize": "char"}, "tok:char"),
        ("bleu:lowercase,max_ngram_order=2", CHINESE, "en-zh", "BLEU",
         {"tokenize": "zh", "lowercase": True, "max_ngram_order": 2}, "case:lc"),
        ("bleu:smooth_method=floor,smooth_value=0.5", CHINESE, "en-zh", "BLEU",
         {"tokenize": "zh", "smooth_method": "floor", "smooth_value": 0.5}, "floor[0.50]"),
        ("bleu:trg_lang=zh", CHINESE, "", "BLEU", {"tokenize": "zh"}, "tok:zh"),
        ("ter", CHINESE, "en-zh", "TER", {"normalized": True, "asian_support": True}, "asian:yes"),
        ("ter:case_sensitive=yes,asian_support=no", CHINESE, "en-zh", "TER",
         {"normalized": True, "case_sensitive": True}, "case:mixed"),
        ("chrF:char_order=4,word_order=1", CHINESE, "en-zh", "CHRF", {"char_order": 4, "word_order": 1}, "nc:4"),
    ],
)  # fmt: skip
def test_tokenizers_of_languages_and_options(run, tmp_path, metric, texts, lp, kind, settings, signature):
    """The language of the data chooses sacrebleu's tokenizer, options win over it, and the signature shows both."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    if "mecab" in signature:
        pytest.importorskip("MeCab")
    rows = "".join(f"{lp}\t{hyp}\t{ref}\n" for hyp, ref in zip(*texts, strict=True))
    (tmp_path / "t.tsv").write_text(f"lp\thyp\tref\n{rows}", "utf-8")
    options = ("--hyp-column", "hyp", "--ref-column", "ref", "-p", "meteor-2005-exact", "-n", "10", "-q", "-f", "json")
    done = run("score", tmp_path / "t.tsv", *options, "--metric", metric)
    assert done.status == 0, done.err
    (found,) = json.loads(done.out)["metrics"]
    expected = getattr(metrics, kind)(**settings).corpus_score(list(texts[0]), [list(texts[1])]).score
    assert next(iter(found["systems"].values()))["score"] == pytest.approx(expected, rel=1e-12)
    assert signature in found["signature"]


def test_tokenizer_of_the_preset(run, tmp_path):
    """Without a language of the data, the preset's counts."""
    pytest.importorskip("sacrebleu")
    pytest.importorskip("jieba")
    for name, lines in zip(("h", "r"), CHINESE, strict=True):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    done = run(
        "score", tmp_path / "h", "-r", tmp_path / "r", "-p", "meteor-zh", "-n", "10", "-f", "json", "--metric=bleu"
    )
    assert "|tok:zh|" in json.loads(done.out)["metrics"][0]["signature"]
