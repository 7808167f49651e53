"""A part of a test set: ``--keep`` chooses segments by labels, in every command and function, whatever the format."""

from __future__ import annotations

import json

import pytest

import meteorlib
from meteorlib.errors import InputMismatch, UnknownName
from tests.single_system import single

PRESET = ("--preset", "nltk")
DOMAINS = ("news", "talk", "news", "chat")
REFS = ("the cat sat on the mat", "dogs bark at night", "he went home early", "it rains again")
HYPS = {
    "a": ("the cat sat on a mat", "dogs bark", "he went early home", "it rains"),
    "b": ("a cat sat there", "dogs at night bark", "he went home", "rain again"),
}
NEWS = [0, 2]


def delimited(columns, rows=range(4), delimiter=","):
    lines = [columns, *([column[row] for column in columns.values()] for row in rows)]
    return "".join(f"{delimiter.join(map(str, line))}\n" for line in lines)


def lines(texts, rows=range(4)):
    return "".join(f"{texts[row]}\n" for row in rows)


def wmt(rows=range(4), unlabeled=""):
    """XML with a document for each row."""
    documents = [
        f'<doc id="d{row}" domain="{DOMAINS[row]}"><ref lang="en" translator="A"><p><seg id="1">{REFS[row]}</seg></p>'
        f"</ref>{''.join(system(name, HYPS[name][row]) for name in HYPS)}</doc>\n"
        for row in rows
    ]
    return f'<dataset>\n<collection id="general">\n{"".join(documents)}</collection>\n{unlabeled}</dataset>\n'


def system(name, text):
    return f'<hyp lang="en" system="{name}"><p><seg id="1">{text}</seg></p></hyp>'


def sgml(texts, kind, name, rows=range(4)):
    documents = [
        f'<doc docid="d{row}" {kind[1]}="{name}" domain="{DOMAINS[row]}">\n<seg id="1">{texts[row]}</seg>\n</doc>\n'
        for row in rows
    ]
    return f'<{kind[0]} setid="s" srclang="de" trglang="en">\n{"".join(documents)}</{kind[0]}>\n'


IDS = [f"s{row}" for row in range(4)]
REVERSED = [3, 2, 1, 0]
FORMATS = {
    "one table": (
        {"t.csv": delimited({"domain": DOMAINS, "a": HYPS["a"], "b": HYPS["b"], "ref": REFS})},
        ("t.csv", "--hyp-column", "a", "--hyp-column", "b", "--ref-column", "ref"),
    ),
    "labels of the references alone, joined by id": (
        {
            "a.csv": delimited({"id": IDS, "mt": HYPS["a"]}),
            "b.csv": delimited({"id": IDS, "mt": HYPS["b"]}, REVERSED),
            "r.tsv": delimited({"id": IDS, "ref": REFS, "domain": DOMAINS}, REVERSED, "\t"),
        },
        ("a.csv", "b.csv", "-r", "r.tsv", "--hyp-column", "mt", "--ref-column", "ref"),
    ),
    "labels of the first system alone": (
        {
            "a.csv": delimited({"id": IDS, "mt": HYPS["a"], "ref": REFS, "domain": DOMAINS}),
            "b.csv": delimited({"id": IDS, "mt": HYPS["b"], "ref": REFS}, REVERSED),
        },
        ("a.csv", "b.csv", "--hyp-column", "mt", "--ref-column", "ref"),
    ),
    "text, and references in a table": (
        {
            "a.txt": lines(HYPS["a"]),
            "b.txt": lines(HYPS["b"]),
            "r.jsonl": "".join(
                json.dumps({"r": [ref], "domain": label}) + "\n" for ref, label in zip(REFS, DOMAINS, strict=True)
            ),
        },
        ("a.txt", "b.txt", "-r", "r.jsonl", "--ref-column", "r"),
    ),
    "text, and a file of labels": (
        {"a.txt": lines(HYPS["a"]), "b.txt": lines(HYPS["b"]), "r.txt": lines(REFS), "domains": lines(DOMAINS)},
        ("a.txt", "b.txt", "-r", "r.txt", "--by", "domain=domains"),
    ),
    "XML": ({"w.xml": wmt()}, ("w.xml",)),
    "SGML": (
        {
            "a.sgm": sgml(HYPS["a"], ("tstset", "sysid"), "a"),
            "b.sgm": sgml(HYPS["b"], ("tstset", "sysid"), "b", REVERSED),
            "r.sgm": sgml(REFS, ("refset", "refid"), "r"),
        },
        ("a.sgm", "b.sgm", "-r", "r.sgm"),
    ),
}


@pytest.fixture
def expected():
    """Corpus scores of both systems on the news alone."""
    scorer = meteorlib.Scorer("nltk")
    return [
        scorer.corpus()
        .extend(references=[REFS[row] for row in NEWS], hypotheses=[texts[row] for row in NEWS])
        .score()
        .score
        for texts in HYPS.values()
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_formats(run, files, expected, name):
    """Only segments with the label are scored, of all systems, in whichever file the labels are."""
    contents, arguments = FORMATS[name]
    files(**contents)
    for condition in (("domain=news",), ("domain!=talk", "domain!=chat"), ("domain=news", "domain!=chat")):
        keep = [word for one in condition for word in ("--keep", one)]
        result = run("score", *arguments, *PRESET, *keep, "-n", "20", "-f", "json", "--segments")
        assert (result.status, result.err) == (0, "")
        systems = json.loads(result.out)["systems"]
        assert [one["score"] for one in systems] == expected
        assert [len(one["segments"]) for one in systems] == [2, 2]


def test_values_or_and_numbers(run, files):
    """Values of one column are alternatives, columns are all needed; 1.0 is 1; a list has each of its items."""
    rows = [
        {"hyp": HYPS["a"][row], "ref": REFS[row], "year": float(row), "tags": [DOMAINS[row], "x"]} for row in range(4)
    ]
    files(**{"t.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})

    def kept(*conditions):
        keep = [word for one in conditions for word in ("--keep", one)]
        result = run("score", "t.jsonl", "--hyp-column", "hyp", "--ref-column", "ref", *PRESET, *keep, "-f", "json")
        assert result.status == 0, result.err
        return single(result.out)["segment_count"]

    assert kept("year=1", "year=2.0", "year=3") == 3
    assert kept("year=1", "year=2", "tags=news") == 1
    assert kept("tags=x", "tags!=chat") == 3


def test_other_commands(run, files, tmp_path):
    """Every command that reads hypotheses and references scores the same part."""
    files(
        **{
            "t.csv": delimited({"domain": DOMAINS, "mt": HYPS["a"], "ref": REFS, "src": REFS}),
            "n.csv": delimited({"domain": DOMAINS, "mt": HYPS["a"], "ref": REFS, "src": REFS}, NEWS),
        }
    )
    columns = ("--hyp-column", "mt", "--ref-column", "ref")
    for command in (
        ("compare-presets", "--presets", "nltk,meteor-2005"),
        ("explain", "--segment", "2", *PRESET),
        ("align", *PRESET),
    ):
        result = run(*command, "t.csv", *columns, "--keep", "domain=news")
        assert result.status == 0, result.err
        assert result == run(*command, "n.csv", *columns)
    for name, keep in (("t.csv", ("--keep", "domain=news")), ("n.csv", ())):
        options = (*columns, *PRESET, "-n", "10", "--source-column", "src", "--by", "domain", "-o", f"{name}.html")
        assert run("report", name, *options, *keep).status == 0
    pages = [(tmp_path / f"{name}.csv.html").read_text() for name in "tn"]
    assert pages[0].replace("t.csv", "n.csv") == pages[1]


def test_files_beside_the_texts(run, files):
    """Sources, labels of words and scores of another metric are of the whole test set; the part is taken of them."""
    contents, arguments = FORMATS["text, and a file of labels"]
    words = [" ".join("X" for _ in ref.split()) for ref in REFS]
    wide = delimited({"a.txt": (1, 2, 3, 4), "b.txt": (5, 6, 7, 8)}, delimiter="\t")
    long = delimited({"segment": (0, 2, 0, 2), "system": ("a.txt",) * 2 + ("b.txt",) * 2, "score": (1, 3, 5, 7)})
    files(**contents, **{"words": lines(words), "wide.tsv": wide, "long.csv": long, "short": lines(words, [0, 1])})
    options = (*PRESET, "--keep", "domain=news", "-n", "20")
    for metric in ("mine=wide.tsv", "mine=long.csv"):
        result = run("score", *arguments, *options, "--metric", metric, "-f", "json")
        assert result.status == 0, result.err
        assert [one["score"] for one in json.loads(result.out)["metrics"][0]["systems"].values()] == [2, 6]
    more = ("--source", "r.txt", "--word-labels", "pos=words", "-o", "r.html")
    assert run("report", *arguments, *options, *more).status == 0
    result = run("report", *arguments, *options, "--word-labels", "pos=short", "-o", "r.html")
    assert result.err == "meteorlib: short: 2 lines of labels for 4 segments; give a line per segment\n"
    result = run("report", *arguments, *options, "--source", "short", "-o", "r.html")
    assert "short: has fewer rows than the 4 segments" in result.err


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        (["domain=nws"], "unknown value of domain to keep 'nws' (did you mean 'news'?); known: chat, news, talk"),
        (["domain!=nws"], "unknown value of domain to keep 'nws' (did you mean 'news'?); known: chat, news, talk"),
        (["domian=news"], "unknown column of t.csv 'domian' (did you mean 'domain'?)"),
        (["domain"], "keep 'domain': expected COLUMN=VALUE, or COLUMN!=VALUE for all other rows"),
        (["!=news"], "keep '!=news': expected COLUMN=VALUE, or COLUMN!=VALUE for all other rows"),
        (["domain=news", "domain!=news"], "no row has the values to keep: domain"),
    ],
)
def test_mistakes(run, files, conditions, message):
    """A column or value that does not occur, and a part without a segment, are errors."""
    contents, arguments = FORMATS["one table"]
    files(**contents)
    result = run("score", *arguments, *PRESET, *(word for one in conditions for word in ("--keep", one)))
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith(f"meteorlib: {message}")


def test_text_has_no_columns(run, files):
    """Text needs a file of labels; systems whose labels differ have no common part."""
    files(**{"a.txt": lines(HYPS["a"]), "r.txt": lines(REFS)})
    result = run("score", "a.txt", "-r", "r.txt", "--keep", "domain=news")
    assert result.err.endswith("text has no column 'domain'; give a file of labels, one per line: --by domain=FILE\n")
    tables = {"a.csv": DOMAINS, "b.csv": (*DOMAINS[:2], "chat", "chat")}
    files(**{name: delimited({"mt": HYPS["a"], "ref": REFS, "domain": labels}) for name, labels in tables.items()})
    options = ("--hyp-column", "mt", "--ref-column", "ref", "--keep", "domain=news")
    result = run("score", "a.csv", "b.csv", *options)
    assert "row 3 is kept of one of them only; rows of a segment must have one domain" in result.err


def sgml(root, column, texts, documents):
    """SGML with a document for each row of some `documents`."""
    found = (
        f'<doc docid="d{row}" {column} domain="{DOMAINS[row]}">\n<seg id="1">{texts[row]}</seg>\n</doc>\n'
        for row in documents
    )
    return f'<{root} setid="s" srclang="de" trglang="en">\n{"".join(found)}</{root}>\n'


@pytest.mark.parametrize("form", ["sgm", "csv"])
@pytest.mark.parametrize("command", ["score", "align"])
def test_references_of_a_part(run, files, form, command):
    """References that lack documents: the error names these, and what leaves them out; a part is scored."""

    def table(column, texts, rows):
        if form == "sgm":
            return sgml(*(("tstset", 'sysid="a"') if column == "mt" else ("refset", 'refid="A"')), texts, rows)
        labels = {"domain": DOMAINS} if column == "mt" else {}
        return delimited({"doc": [f"d{row}" for row in range(4)], "seg": [1] * 4, column: texts} | labels, rows)

    files(
        **{
            f"h.{form}": table("mt", HYPS["a"], range(4)),
            f"r.{form}": table("ref", REFS, NEWS),
            f"whole.{form}": table("ref", REFS, range(4)),
        }
    )
    more = ["--preset", "nltk", *(["--hyp-column", "mt", "--ref-column", "ref"] if form == "csv" else [])]

    def ended(reference, *options):
        references = [reference] if command == "align" else ["-r", reference]
        return run(command, f"h.{form}", *references, *more, *options)

    refused = ended(f"r.{form}").err
    assert "no reference for 2 documents ('d1', 'd3'); to score the others, add --keep 'domain=news'" in refused
    assert ended(f"r.{form}", "--keep", "domain=talk").err.endswith("no reference for document 'd1'\n")
    found = ended(f"r.{form}", "--keep", "domain=news")
    assert found.status == 0
    assert found == ended(f"whole.{form}", "--keep", "domain=news")


def test_ids_of_a_part(run, files):
    """With one column of ids, references may lack only what is not kept; without --keep, the ids are named."""
    ids = {"id": [*"pqrs"]}
    files(
        **{
            "h.csv": delimited({**ids, "mt": HYPS["a"], "domain": DOMAINS}),
            "r.csv": delimited({**ids, "ref": REFS}, NEWS),
            "extra.csv": delimited({"id": [*"pqrx"], "ref": REFS}),
        }
    )
    options = ("--hyp-column", "mt", "--ref-column", "ref", *PRESET)
    assert "r.csv lacks 2 ids of h.csv (id 'q'; id 's')" in run("score", "h.csv", "-r", "r.csv", *options).err
    assert run("score", "h.csv", "-r", "r.csv", *options, "--keep", "domain=news").status == 0
    extra = run("score", "h.csv", "-r", "extra.csv", *options, "--keep", "domain=news")
    assert "h.csv lacks 1 id of extra.csv" in extra.err


UNLABELED = '<collection id="{}"><doc id="{}"><src><p><seg id="1">x</seg></p></src>{}</doc></collection>\n'


@pytest.mark.parametrize(
    ("documents", "message", "condition"),
    [
        ([("suite", "x")], "no reference for document 'x'", "collection=general"),
        ([("suite", "x"), ("suite", "y")], "no reference for 2 documents ('x', 'y')", "collection=general"),
        (
            [("suite", name) for name in "vwxyz"],
            "no reference for 5 documents ('v', 'w', 'x' and 2 more)",
            "collection=general",
        ),
        ([("general", "x")], "no reference for document 'x'", "domain!="),
    ],
)
def test_documents_without_reference(run, files, expected, documents, message, condition):
    """The error names documents that have no reference, and a condition that leaves exactly these out."""
    both = "".join(system(name, "no reference here") for name in HYPS)
    files(**{"w.xml": wmt(unlabeled="".join(UNLABELED.format(*ids, both) for ids in documents)), "whole.xml": wmt()})
    result = run("score", "w.xml", *PRESET)
    assert result.status == 2
    where = f"w.xml:8: segment '1' of document '{documents[0][1]}'"
    assert result.err == f"meteorlib: {where}: {message}; to score the others, add --keep '{condition}'\n"
    for keep in (condition, "ref!=", "A!="):
        options = (*PRESET, "-n", "20", "-f", "json")
        assert run("score", "w.xml", "--keep", keep, *options).out.replace("w.xml", "whole.xml") == (
            run("score", "whole.xml", *options).out
        )


def test_documents_without_output(run, files):
    """The error for a system that has no text of some documents is alike."""
    document = UNLABELED.format("suite", "x", f'<ref translator="A"><p><seg id="1">a</seg></p></ref>{system("a", "a")}')
    files(**{"w.xml": wmt(unlabeled=document)})
    result = run("score", "w.xml", *PRESET)
    assert result.err.endswith(
        "no text of 'b' for document 'x'; to score the others, add --keep 'collection=general'\n"
    )
    assert run("score", "w.xml", *PRESET, "--keep", "hyp:b!=", "-n", "20").status == 0


def test_functions(expected, tmp_path):
    """The functions of Python take the same conditions: on the labels of `groups`, and on columns of tables."""
    pytest.importorskip("narwhals")
    groups = {"domain": DOMAINS}
    found = meteorlib.compare(HYPS, REFS, "nltk", groups=groups, keep="domain=news", samples=20)
    assert [one.score for one in found.comparison.systems] == expected
    assert [(one.label, one.segment_count) for one in found.comparison.systems[0].groups] == [("news", 2)]
    texts = {name: [texts[row] for row in NEWS] for name, texts in HYPS.items()}
    pages = [
        meteorlib.report(HYPS, REFS, "nltk", groups=groups, keep=["domain=news"], samples=20, sources=REFS),
        meteorlib.report(
            texts, [REFS[row] for row in NEWS], "nltk", groups={"domain": ["news"] * 2}, samples=20,
            sources=[REFS[row] for row in NEWS],
        ),
    ]  # fmt: skip
    assert pages[0] == pages[1]
    table = {"mt": list(HYPS["a"]), "ref": list(REFS), "domain": list(DOMAINS)}
    whole = meteorlib.score_table(table, "nltk", references="ref", hypothesis="mt")
    part = meteorlib.score_table(table, "nltk", references="ref", hypothesis="mt", keep="domain=news")
    assert part == {name: [values[row] for row in NEWS] for name, values in whole.items()}
    with pytest.raises(UnknownName, match="domian"):
        meteorlib.score_table(table, references="ref", hypothesis="mt", keep="domian=news")
    with pytest.raises(UnknownName, match="unknown group 'domian'"):
        meteorlib.compare(HYPS, REFS, groups=groups, keep="domian=news")
    with pytest.raises(InputMismatch, match="4 segments of a but 3 labels of segments"):
        meteorlib.compare(HYPS, REFS, groups={"domain": DOMAINS[:3]}, keep="domain=news")


HEAD = ("segment", "system", "reference", "hypothesis", "human", "domain", "other")


def judged(rows):
    """A table of judgments: texts of four systems of twelve segments."""
    every = [
        (segment, system, REFS[segment % 4], f"{HYPS['ab'[(segment + place) % 2]][segment % 4]} {segment}",
         (segment * 7 + place) % 5, DOMAINS[segment % 4], (segment * 3 + place) % 7)
        for segment in range(12) for place, system in enumerate("ABCD")
    ]  # fmt: skip
    return "".join("\t".join(map(str, row)) + "\n" for row in (HEAD, *(row for row in every if rows(row))))


@pytest.fixture
def evaluated(run, files, tmp_path, monkeypatch):
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))

    def evaluate(name, *options, command=("meta-eval", "-f", "json")):
        result = run(*command, name, *PRESET, "-n", "20", *options)
        assert result.status == 0, result.err
        return result.out.replace("part", "whole")

    return evaluate


def test_meta_evaluation(evaluated, files, tmp_path):
    """``meta-eval`` and ``tune`` use the judgments of a part, and scores of metrics and preferences of the whole."""
    files(
        **{
            "whole.tsv": judged(lambda _: True),
            "part.tsv": judged(lambda row: row[5] == "news"),
            "pairs.tsv": "segment\tbetter\tworse\n" + "".join(f"{n}\tA\tB\n{n}\tC\tD\n" for n in range(12)),
            "few.tsv": "segment\tbetter\tworse\n" + "".join(f"{n}\tA\tB\n{n}\tC\tD\n" for n in range(0, 12, 2)),
        }
    )
    keep = ("--keep", "domain=news")
    assert evaluated("whole.tsv", *keep, "--metric", "other") == evaluated("part.tsv", "--metric", "other")
    assert evaluated("whole.tsv", *keep, "--metric", "other=whole.tsv") == (
        evaluated("part.tsv", "--metric", "other=part.tsv")
    )
    for name in ("whole", "part"):  # without segments, other metrics are joined by position
        files(**{f"{name}-x.tsv": (tmp_path / f"{name}.tsv").read_text().replace("segment", "x", 1)})
    assert evaluated("whole-x.tsv", *keep, "--metric", "other") == evaluated("part-x.tsv", "--metric", "other")
    assert evaluated("whole.tsv", *keep, "--pairs", "pairs.tsv") == evaluated("part.tsv", "--pairs", "few.tsv")
    fit = ("tune", "--fit", "alpha=0.5:0.9:0.2", "--method", "grid", "--objective", "pearson", "--fold-count", "2")
    for name, more in (("whole", keep), ("part", ())):
        evaluated(f"{name}.tsv", *more, "-o", f"{name}.yaml", "--name", "x", command=fit)
    tuned = [(tmp_path / f"{name}.yaml").read_text().splitlines() for name in ("whole", "part")]
    assert [line for line in tuned[0] if "alpha:" in line] == [line for line in tuned[1] if "alpha:" in line] != []


def test_whole_systems(run, files):
    """A human score of a whole system is not one of a part of its texts."""
    files(
        **{
            "whole.tsv": judged(lambda _: True).replace("human", "x"),
            "systems.tsv": "system\thuman\nA\t1\nB\t2\nC\t3\nD\t4\n",
        }
    )
    options = ("--systems", "systems.tsv", *PRESET)
    result = run("meta-eval", "whole.tsv", *options, "--keep", "domain=news")
    assert "systems.tsv:2: a rating of the whole system 'A', of whose texts a part is kept" in result.err
    assert run("meta-eval", "whole.tsv", *options, "--keep", "system!=A").status == 0


def test_folders(run, files, tmp_path, monkeypatch):
    """Test sets of mt-metrics-eval have domains and documents, rankings the columns of their segments."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    contents = {
        "documents/en-de.docs": "".join(f"{DOMAINS[n % 4]}\td{n}\n" for n in range(12)),
        "references/en-de.refA.txt": "".join(f"{REFS[n % 4]}\n" for n in range(12)),
        "human-scores/en-de.mqm.seg.score": "".join(f"{s}\t{(n * 7 + ord(s)) % 5}\n" for s in "AB" for n in range(12)),
        "human-scores/en-de.mqm.sys.score": "A\t1\nB\t2\n",
        **{f"system-outputs/en-de/{s}.txt": "".join(f"{HYPS[s.lower()][n % 4]}\n" for n in range(12)) for s in "AB"},
    }
    for name, content in contents.items():
        (tmp_path / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    result = run("meta-eval", "set", *PRESET, "--keep", "domain=news", "-n", "20")
    assert (result.status, "12 ratings, 12 texts, 6 segments" in result.out) == (0, True), result.err
    (tmp_path / "rank").mkdir()
    for name, rows in {
        "segments": [("segment_id", "reference", "domain"), *((n, REFS[n], DOMAINS[n]) for n in range(4))],
        "hyps": [("segment_id", "system", "hypothesis"), *((n, s, HYPS[s][n]) for s in HYPS for n in range(4))],
        "pairs": [("segment_id", "better", "worse", "count"), *((n, "a", "b", 1 + n) for n in range(4))],
    }.items():
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (tmp_path / "rank" / f"cs-en.{name}.tsv").write_text(text)
    result = run("meta-eval", "rank", *PRESET, "--keep", "domain=news", "-n", "20")
    assert (result.status, "4 judged pairs, 4 texts, 2 segments" in result.out) == (0, True), result.err
