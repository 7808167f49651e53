"""Judgments from files, and errors for files that cannot be read."""

from __future__ import annotations

import gzip
import json
from itertools import permutations

import numpy as np
import pytest
from attrs import evolve

from meteorlib.analysis.meta_evaluation import Asked, Columns, Judged, Judgments, Ratings, read_judgments, read_metric
from meteorlib.core.segment import Pair
from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.columns import DOCUMENT_COLUMNS, SEGMENT_COLUMNS
from meteorlib.inputs.judgments import check_used

HEAD = "lp\tsystem\tsegment\treference\thypothesis\thuman\n"
ROWS = [
    "cs-en\tA\t1\tthe cat\ta cat\t3\n",
    "cs-en\tB\t1\tthe cat\tcats\t1.5\n",
    "de-en\tA\t1\tthe dog\tthe dog\t-0.5\n",
]
PAIRS = "lp\tsegment\tbetter\tworse\tcount\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files are written here, and named without a folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, *parts):
    with open(name, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(parts)
    return name


def table(*more, name="data.tsv"):
    return write(name, HEAD, *ROWS, *more)


def ranked(folder, pairs="segment_id\tbetter\tworse\tcount\n1\tA\tB\t2\n", **without):
    (folder / "rank").mkdir()
    parts = {
        "segments": "segment_id\tsource\treference\n1\tx\tthe cat\n2\ty\tnobody\n",
        "hyps": "segment_id\tsystem\thypothesis\n1\tA\ta cat\n1\tB\tcats\n1\tC\tnot judged\n2\tD\tbody\n",
        "pairs": pairs,
    } | without  # fmt: skip
    for part, text in parts.items():
        if text is not None:
            (folder / "rank" / f"cs-en.{part}.tsv.gz").write_bytes(gzip.compress(text.encode()))
    return "rank"


def test_a_table_of_ratings():
    """Each row is a rating; language pairs are separate, in order of appearance."""
    first, second = read_judgments(table(), Asked())
    assert (first.name, second.name) == ("cs-en", "de-en")
    assert [(text.segment, text.system, *text.texts) for text in first.texts] == [
        (("1",), "A", ("the cat",), "a cat"),
        (("1",), "B", ("the cat",), "cats"),
    ]
    assert (first.ratings.value.tolist(), second.ratings.value.tolist()) == ([3, 1.5], [-0.5])
    assert first.segment_count == 1


def test_usual_names_in_other_spellings():
    """Names of columns are compared without case, blanks, hyphens and underscores, as where files are joined."""
    known = read_judgments(table(), Asked())
    head = "Language-Pair\tSYSTEM ID\tSegment ID\tPost-edit reference\tHypothesis\tHuman Score\n"
    assert [one.texts for one in read_judgments(write("other.tsv", head, *ROWS), Asked())] == [
        one.texts for one in known
    ]


def test_csv_and_jsonl_hold_the_same():
    """One cell may hold several ratings; columns may be named; several reference columns are several references."""
    rows = [
        {"i": {"d": "x"}, "n": n, "who": who, "mt": "a cat", "refs": ["the cat", "cats"], "votes": votes}
        for n, who, votes in [(1, "A", [1, 2]), (1, "B", [3]), (2, "A", 4)]
    ]
    write("d.jsonl", *(json.dumps(row) + "\n" for row in rows))
    columns = Columns(segments=("i.d", "n"), system="who", human="votes")
    (found,) = read_judgments("d.jsonl", Asked(columns=columns, several="each"))
    assert found.name == "d"
    assert [text.segment for text in found.texts] == [("x", "1"), ("x", "1"), ("x", "2")]
    assert found.texts[0].texts.references == ("the cat", "cats")
    assert found.ratings.text.tolist() == [0, 0, 1, 2]
    write("d.csv", "segment,system,mt,ref,score_of_people\n", '1,A,"a, cat",cat,1\n')
    (found,) = read_judgments("d.csv", Asked(columns=Columns(human="score_of_people")))
    assert found.texts[0].texts.hypothesis == "a, cat"
    write("two.tsv", "hyp\tone\tother\thuman\n", "a\tb\tc\t1\n")
    (found,) = read_judgments("two.tsv", Asked(columns=Columns(references=("other", "one"))))
    assert found.texts[0].texts.references == ("c", "b")


def test_several_ratings_of_a_text_are_their_mean():
    """Two rows of the same text are two ratings, which a note tells; ratings of errors are turned around."""
    name = table("cs-en\tA\t1\tthe cat\ta cat\t4\n")
    (found,) = read_judgments(name, Asked(lps=("cs-en",)))
    assert found.ratings.value.tolist() == [3.5, 1.5]
    assert found.notes == ("cs-en: one text has several ratings, whose mean counts; --several each keeps them apart",)
    (found,) = read_judgments(name, Asked(lps=("cs-en",), lower_is_better=True, several="each"))
    assert found.ratings.value.tolist() == [-3, -1.5, -4]
    assert found.notes == ()


THREE = "reference\thypothesis\tsystem\thuman\n"
THREE_RATINGS = [
    f"the {word}\ta {word}\t{system}\t{4 * place + again}\n"
    for again in (0, 1, 5)
    for place, (word, system) in enumerate([("cat", "A"), ("dog", "A"), ("cat", "B"), ("dog", "B"), ("cow", "A")])
]


def test_several_ratings_without_a_column_of_segments_are_their_mean():
    """Rows with the same system, reference and hypothesis rate the same text; each different text is a segment."""
    name = write("d.tsv", THREE, *THREE_RATINGS)
    (found,) = read_judgments(name, Asked())
    assert (len(found.texts), len(found.ratings), found.segment_count) == (5, 5, 5)
    assert found.ratings.value.tolist() == [2, 6, 10, 14, 18]
    assert found.notes == ("d: 5 texts have several ratings, whose mean counts; --several each keeps them apart",)
    (found,) = read_judgments(name, Asked(several="each"))
    assert (len(found.texts), len(found.ratings)) == (5, 15)


def test_the_order_of_rows_does_not_move_segments():
    """A text has the same place among the drawn segments whatever the order of the rows, with ids or without."""
    rows = [f"{line.rstrip()}\t{number}\n" for number, line in enumerate(THREE_RATINGS[:5])]
    for head in ("id", "segment"):
        orders = []
        for listed in (rows, rows[::-1], rows[2:] + rows[:2]):
            (found,) = read_judgments(write("d.tsv", THREE[:-1], f"\t{head}\n", *listed), Asked())
            places = zip(found.texts, found.segments.tolist(), strict=True)
            orders.append({(text.system, text.texts): place for text, place in places})
        assert orders[0] == orders[1] == orders[2]


def test_ids_of_several_parts_are_told_apart():
    """Document a/b, segment c is not document a, segment b/c: in ratings, pairs, scores, and pooled language pairs."""
    head, texts = (
        "doc\tseg\tsystem\treference\thypothesis\thuman\n",
        ["a/b\tc\t{}\tthe cat\t{} cat\t{}\n", "a\tb/c\t{}\tthe dog\t{} dog\t{}\n"],
    )
    rows = [
        text.format(system, system, value) for text, system, value in zip(texts * 2, "AABB", (1, 2, 3, 4), strict=True)
    ]
    name = write("d.tsv", head, *rows)
    (found,) = read_judgments(name, Asked())
    assert (len(found.texts), found.segment_count) == (4, 2)
    pairs = write("p.tsv", "doc\tseg\tbetter\tworse\n", "a/b\tc\tA\tB\n", "a\tb/c\tB\tA\n")
    (judged,) = read_judgments(name, Asked(pairs=pairs))
    assert [judged.texts[place].texts.hypothesis for place in judged.pairs.better] == ["A cat", "B dog"]
    write("m.tsv", "doc\tseg\tsystem\tm\n", "a\tb/c\tA\t2\na/b\tc\tA\t1\na\tb/c\tB\t4\na/b\tc\tB\t3\n")
    assert read_metric("m", "m.tsv", "", [found], Asked()).scored[0].scores.tolist() == [1, 2, 3, 4]
    parts = [
        Judgments(lp, (Judged(segment, system, Pair(("x",), "x")),), ratings=Ratings(np.array([0]), np.array([1.0])))
        for lp, segment, system in (("a", "b/c", "d"), ("a/b", "c", "d"), ("a", "b", "c/d"), ("a/b", "b", "d"))
    ]
    pooled = Judgments.together(parts, "pooled")
    assert (pooled.segment_count, len({*pooled.authors.tolist()})) == (4, 3)


def of_documents(*names):
    """Rows of two documents that have segments 1 and 2 each, under a column of documents and one of segments."""
    rows = [
        f"{document}\t{segment}\t{system}\tref {document} {segment}\t{system}\t{segment}\n"
        for document in "de"
        for segment in (1, 2)
        for system in "AB"
    ]
    return write("d.tsv", "\t".join([*names, "system", "ref", "hyp", "human\n"]), *rows)


@pytest.mark.parametrize("document", DOCUMENT_COLUMNS)
@pytest.mark.parametrize("segment", SEGMENT_COLUMNS)
def test_segments_of_documents_stay_apart_under_every_usual_name(document, segment):
    """Every usual name of columns of joined tables identifies the segments of judgments, too."""
    (found,) = read_judgments(of_documents(document, segment.upper()), Asked())
    assert [text.segment for text in found.texts] == [(d, s) for d in "de" for s in "12" for _ in "AB"]
    assert not any("segment" in note for note in found.notes)


def test_every_column_of_documents_counts():
    """A collection and a document are both parts of the id."""
    rows = [f"{collection}\td\t1\t{collection}\ty\t1\n" for collection in "ab"]
    write("d.tsv", "collection\tdoc\tseg\tref\thyp\thuman\n", *rows)
    (found,) = read_judgments("d.tsv", Asked())
    assert [text.segment for text in found.texts] == [("a", "d", "1"), ("b", "d", "1")]


def test_a_column_with_another_role_is_no_id():
    """A column that was named for texts or ratings is no part of the id, whatever it is called."""
    write("d.tsv", "set\tseg\timage\tref\n", "1\t1\tA\tx\n", "2\t1\tA\tx\n")
    (found,) = read_judgments("d.tsv", Asked(columns=Columns(human="set", hypothesis="image")))
    assert [text.segment for text in found.texts] == [("1",)]
    assert found.ratings.value.tolist() == [1.5]


@pytest.mark.parametrize("name", ["story_id", "storyId", "SceneID", "uid"])
def test_columns_like_ids_that_are_not_used_are_told(name):
    """Segments whose id has another part fall into one, so a note names the columns that may be that part."""
    rows = [f"cs-en\t{document}\t1\t{system}\tx\ty\t1\n" for document, system in ("dA", "dB", "eC")]
    write("d.tsv", f"lp\t{name}\tseg\tsystem\tref\thyp\thuman\n", *rows)
    (found,) = read_judgments("d.tsv", Asked())
    (note,) = found.notes
    assert note == (
        f"d.tsv: columns with names like ids that are not used: {name}; segments are identified by seg "
        "(--segment-column, repeatable)"
    )
    (found,) = read_judgments("d.tsv", Asked(columns=Columns(segments=(name, "seg"))))
    assert (found.segment_count, found.notes) == (2, ())


def test_different_references_of_a_segment_are_told():
    """Each system may have references of its own; so may two segments that have fallen into one."""
    head = "lp\tseg\tsystem\tref\thyp\thuman\n"
    write("d.tsv", head, *(f"cs-en\t1\t{system}\tof {system}\ty\t1\n" for system in "AB"))
    (found,) = read_judgments("d.tsv", Asked())
    (note,) = found.notes
    assert note == (
        "cs-en: the texts of one segment have different references; if they are different segments, name every column "
        "that tells them apart: --segment-column NAME (repeatable)"
    )
    write("d.tsv", head, *(f"cs-en\t1\t{system}\tx\ty\t1\n" for system in "AB"))
    assert read_judgments("d.tsv", Asked())[0].notes == ()


@pytest.mark.parametrize("names", [("seg",), ("set", "doc", "seg")])
def test_tables_that_identify_segments_by_other_columns_are_refused(names):
    """Scores and pairs name a segment by as many columns as the texts do, and the message says how to choose them."""
    data = of_documents("doc", "seg")
    ids = "\t".join("1" * len(names))
    named = ", ".join(names)
    told = f"segments are identified by {named}, but by 2 columns in the judged texts; name columns that both have"
    write("m.tsv", "\t".join([*names, "system", "m\n"]), f"{ids}\tA\t1\n")
    with pytest.raises(InputMismatch, match=f"m.tsv: {told}: --segment-column NAME"):
        read_metric("m", "m.tsv", "", read_judgments(data, Asked()), Asked())
    lonely = read_metric("m", "m.tsv", "", [], Asked())  # without judgments there is nothing to compare with
    assert (lonely.scored, lonely.notes) == ((), ("m.tsv: 1 scores belong to texts without judgments",))
    write("p.tsv", "\t".join([*names, "better", "worse\n"]), f"{ids}\tA\tB\n")
    with pytest.raises(InputMismatch, match=f"p.tsv: {told}: --segment-column NAME"):
        read_judgments(data, Asked(pairs="p.tsv"))


@pytest.mark.parametrize("other", [1, 1.0, "1", "1.0", " 1", "1 "])
def test_an_id_in_another_form_is_the_same_id(other):
    """Whole numbers with and without ``.0``, as number or text, and white space around an id make no other segment."""
    rows = [
        {"segment": one, "system": system, "ref": "the cat", "hyp": system, "human": 1, "m": value}
        for one, system, value in [(1, "A", 0.5), (other, "B ", 0.25)]
    ]
    write("d.jsonl", *(json.dumps(row) + "\n" for row in rows))
    (found,) = judged = read_judgments("d.jsonl", Asked())
    assert [(text.segment, text.system) for text in found.texts] == [(("1",), "A"), (("1",), "B")]
    write("m.tsv", "segment\tsystem\tm\n", f"{other}\tA\t0.5\n", "1\tB\t0.25\n")
    assert read_metric("m", "m.tsv", "", judged, Asked()).scored[0].scores.tolist() == [0.5, 0.25]


@pytest.mark.parametrize("other", ["1.10", "01.0", "v1.0", "1.00", "1 0"])
def test_other_ids_stay_apart(other):
    """Text is a number only where a program writes one in this way."""
    write("d.tsv", "segment\tsystem\tref\thyp\thuman\n", "1\tA\tx\tx\t1\n", f"{other}\tB\tx\ty\t1\n")
    (found,) = read_judgments("d.tsv", Asked())
    assert [text.segment for text in found.texts] == [("1",), (other,)]


def test_systems_without_names():
    """A column of systems that names none says that they are unknown; one that names some names all."""
    empty = [row.replace("\tA\t", "\t\t").replace("\tB\t1\t", "\t\t2\t") for row in ROWS]
    found = read_judgments(write("d.tsv", HEAD, *empty), Asked())
    assert [text.system for one in found for text in one.texts] == ["", "", ""]
    with pytest.raises(InvalidText, match=r"d.tsv:2: column 'system': expected an id, got an empty cell; other rows"):
        read_judgments(write("d.tsv", HEAD, empty[0], *ROWS[1:]), Asked())


def test_a_table_of_pairs():
    """Pairs name segment and systems; without a count each is one; texts that nobody judged are left out."""
    more = "cs-en\tC\t1\tthe cat\tcat\t0\n"
    pairs = write("p.tsv", "lp\tsegment\tbetter\tworse\n", "cs-en\t1\tA\tB\n" * 2, "cs-en\t1\tB\tA\n")
    (found,) = read_judgments(table(more), Asked(pairs=pairs))
    assert len(found.texts) == 2
    assert (len(found.pairs), found.ratings) == (3, None)
    assert found.notes == ("cs-en: two texts were judged both ways; each judgment counts",)


@pytest.mark.parametrize("name", ["count", "Count", "COUNT", "n", "N", "times"])
def test_counts_of_pairs_by_their_usual_names(name):
    """The column of counts is found as others are, in any case."""
    pairs = write("p.tsv", f"Segment\tBetter\tWorse\tLP\t{name}\n", "1\tA\tB\tcs-en\t12\n", "1\tB\tA\tcs-en\t3\n")
    (found,) = read_judgments(table(), Asked(pairs=pairs))
    assert (len(found.pairs), found.pairs.count.tolist()) == (15, [12, 3])
    assert len(found.notes) == 1


def test_columns_of_pairs_that_nothing_uses_are_told():
    """A column of counts with another name is not ignored without a word; two that could be meant are refused."""
    row = "cs-en\t1\tA\tB\t12\n"
    pairs = write("p.tsv", "lp\tsegment\tbetter\tworse\tvotes\n", row)
    (found,) = read_judgments(table(), Asked(pairs=pairs))
    assert len(found.pairs) == 1
    assert found.notes == ("p.tsv: columns that are not used: votes; a column of counts is called 'count'",)
    pairs = write("p.tsv", "lp\tn\tbetter\tworse\tcount\n", row)
    asked = Asked(pairs=pairs, columns=Columns(segments=("n",), system="system"))
    data = write("d.tsv", HEAD.replace("segment", "n"), *ROWS)
    assert len(read_judgments(data, asked)[0].pairs) == 12
    write("p.tsv", "lp\tsegment\tbetter\tworse\tcount\tn\n", "cs-en\t1\tA\tB\t12\t1\n")
    with pytest.raises(InputMismatch, match=r"p.tsv: count, n: which is meant\? rename the others"):
        read_judgments(table(), Asked(pairs=pairs))


RATED_APART = "system\tmqm_avg_score\tseg_id\n"


def rated_apart(*rows, head=RATED_APART, name="ratings.tsv", **asked):
    """Judgments of the texts of `ROWS` of one language pair, whose own ratings are not read, by a table of ratings."""
    data = write("texts.tsv", HEAD, *ROWS[:2])
    return read_judgments(data, Asked(ratings=write(name, head, *rows), **asked))


def test_ratings_in_a_table_of_their_own():
    """As WMT has them: by system and segment in any order, None where there is none, also of systems without texts."""
    (found,) = rated_apart("ref-B\t0\t1\n", "B\t-1.5\t1\n", "ref-C\tNone\t1\n", "A\tNone\t1\n", "A\t-2\t1\n")
    assert {
        found.texts[text].system: value for text, value in zip(found.ratings.text, found.ratings.value, strict=True)
    } == {
        "A": -2,
        "B": -1.5,
    }
    assert found.notes[-2:] == (
        "texts.tsv: human: not read; the ratings are those of ratings.tsv",
        "ratings.tsv: ratings of systems without texts are left out: 'ref-B' (1)",
    )


@pytest.mark.parametrize(
    ("rows", "asked", "value"),
    [
        (["A\t1\t1\n", "A\t4\t1\n"], {}, [2.5]),  # of several people
        (["A\t1\t1\n", "A\t4\t1\n"], {"several": "each"}, [1, 4]),
        (["A\t1\t1\n", "B\t\t1\n"], {"lower_is_better": True}, [-1]),
    ],
)
def test_ratings_of_their_own_are_ratings(rows, asked, value):
    """Options for ratings hold for them, too."""
    (found,) = rated_apart(*rows, **asked)
    assert found.ratings.value.tolist() == value


@pytest.mark.parametrize(
    ("rating", "lower_is_better", "noted"),
    [
        (lambda wrong, _: wrong / 8, False, True),
        (lambda wrong, _: wrong / 8, True, False),
        (lambda wrong, _: -wrong, True, True),
        (lambda wrong, _: -wrong, False, False),
        (lambda _, number: number % 7, False, False),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_ratings_that_are_turned_round(rating, lower_is_better, noted, apart):
    """Counts of errors without --lower-is-better, or qualities with it, are noted; ratings by chance are not."""
    words = "one two three four five six seven eight".split()
    rows = [(number, (number * 5) % 9) for number in range(60)]
    own = write("own.tsv", "system\tsegment\thuman\n", *(f"A\t{n}\t{rating(wrong, n)}\n" for n, wrong in rows))
    texts = []
    for n, wrong in rows:
        cells = ["A", str(n), " ".join(words), " ".join(words[wrong:] + ["x"] * wrong), str(rating(wrong, n))]
        texts.append("\t".join(cells[: 4 if apart else 5]) + "\n")
    head = "system\tsegment\treference\thypothesis" + ("" if apart else "\thuman")
    data = write("texts.tsv", head + "\n", *texts)
    (found,) = read_judgments(data, Asked(ratings=own if apart else "", lower_is_better=lower_is_better))
    notes = [note for note in found.notes if "ratings are lower where a text has more words of its reference" in note]
    assert len(notes) == noted
    assert all("add --lower-is-better; if they do not, leave it out" in note for note in notes)


def test_columns_of_ratings_have_names_of_their_own():
    """Names given for the columns of the texts, which the ratings call otherwise; the rating's name."""
    head = "sys\tseg\trater\tesa\tda\n"
    columns = Columns(system="system", segments=("segment",), human="esa")
    (found,) = rated_apart("A\t1\tx\t80\t9\n", head=head, columns=columns)
    assert found.ratings.value.tolist() == [80]
    assert "ratings.tsv: columns that are not used: rater, da" in found.notes


@pytest.mark.parametrize(
    ("head", "row", "told"),
    [
        (RATED_APART, "A\t1\t9\n", "ratings.tsv:2: segment '9' of cs-en is unknown"),
        (RATED_APART, "A\tgood\t1\n", "ratings.tsv:2: column 'mqm_avg_score': expected a number, got 'good'"),
        (RATED_APART, "A\tNone\t1\n", "ratings.tsv: has no rating of a text that is there"),
        (
            RATED_APART,
            "Z\t1\t1\n",
            "has no rating of a text that is there: it names systems such as 'Z', and the table of texts 'A'",
        ),
        (RATED_APART, "", "ratings.tsv: has no row"),
        ("lp\t" + RATED_APART, "de-en\tA\t1\t1\n", "ratings.tsv:2: there is no text of language pair 'de-en'"),
        ("mqm\tseg_id\n", "1\t1\n", "ratings.tsv: no column of systems; say --system-column NAME"),
        ("system\tmqm\n", "A\t1\n", "ratings.tsv: no column of segments; say --segment-column NAME"),
        ("system\tx\ty\tseg_id\n", "A\t1\t1\t1\n", "ratings.tsv: no column of ratings; say --human-column NAME"),
        ("system\tdoc\tmqm\tseg_id\n", "A\td\t1\t1\n", "segments are identified by doc, seg_id, but by 1 column"),
    ],
)
def test_ratings_that_meet_no_text_are_named(head, row, told):
    """Unknown segments and language pairs, no rating, columns that are not there."""
    with pytest.raises((InputMismatch, InvalidText)) as caught:
        rated_apart(row, head=head)
    assert told in str(caught.value)


def test_pairs_need_segments_on_both_sides():
    """Numbers of rows are no ids of segments."""
    data = write("d.tsv", THREE, *THREE_RATINGS)
    pairs = write("p.tsv", "segment\tbetter\tworse\n1\tA\tB\n")
    with pytest.raises(
        InputMismatch, match=r"d.tsv: no column of segments, which p.tsv refers to; say --segment-column"
    ):
        read_judgments(data, Asked(pairs=pairs))


def test_a_folder_of_rankings(folder):
    """Only texts that were judged are kept; segments are those of the judged texts."""
    (found,) = read_judgments(ranked(folder), Asked())
    assert [text.system for text in found.texts] == ["A", "B"]
    assert (found.pairs.better.tolist(), found.pairs.worse.tolist(), found.pairs.count.tolist()) == ([0], [1], [2])


def test_rankings_of_any_format(folder):
    """Numbers of segments may be numbers; JSONL and Parquet are read as TSV is."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parts = {
        "segments": [{"segment_id": 1, "reference": "the cat"}],
        "hyps": [{"segment_id": 1, "system": name, "hypothesis": f"a {name}"} for name in ("A", "7")],
        "pairs": [{"segment_id": 1, "better": "A", "worse": "7", "count": 3}],
    }
    for form in ("jsonl", "parquet"):
        (folder / form).mkdir()
        for part, rows in parts.items():
            path = folder / form / f"cs-en.{part}.{form}"
            if form == "jsonl":
                path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            else:
                parquet.write_table(pa.Table.from_pylist(rows), path)
        (found,) = read_judgments(form, Asked())
        assert (len(found.pairs), [text.segment for text in found.texts]) == (3, [("1",), ("1",)])


def test_ratings_of_parquet(folder):
    """JSONL numbers are ratings, lists are several ratings; scores of a metric can be in such a file, too."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"lp": "cs-en", "segment": 1, "system": name, "reference": "the cat", "hypothesis": name, "human": votes}
        for name, votes in (("A", [1.0, 2.0]), ("B", [0.5]))
    ]
    parquet.write_table(pa.Table.from_pylist(rows), "d.parquet")
    judged = read_judgments("d.parquet", Asked())
    assert judged[0].ratings.value.tolist() == [1.5, 0.5]
    scores = [{"lp": "cs-en", "segment": 1, "system": name, "m": score} for name, score in (("B", 2), ("A", 1))]
    parquet.write_table(pa.Table.from_pylist(scores), "m.parquet")
    assert read_metric("m", "m.parquet", "", judged, Asked()).scored[0].scores.tolist() == [1, 2]


def test_a_table_of_systems():
    """Systems have a rating each."""
    systems = write("s.tsv", "lp\tsystem\thuman\n", "cs-en\tA\t0.5\ncs-en\tB\t0.1\n")
    (found,) = read_judgments(table(), Asked(systems=systems))
    assert found.systems == {"A": 0.5, "B": 0.1}


BAD_ROWS = [
    ("cs-en\tC\t1\tthe cat\tcat\t\n", r"data.tsv:5: column 'human': a number is missing"),
    ("cs-en\tC\t1\tthe cat\tcat\tnan\n", r"data.tsv:5: column 'human': expected a number, got nan"),
    ("cs-en\tC\t1\tthe cat\tcat\tgood\n", r"data.tsv:5: column 'human': expected a number, got 'good'"),
    ("cs-en\tC\t1\tthe cat\tcat\t1_0\n", r"data.tsv:5: column 'human': expected a number, got '1_0'"),
    ("cs-en\tC\t1\tthe cat\tcat\t１\n", r"data.tsv:5: column 'human': expected a number, got '１'"),
    ("cs-en\tA\t1\tthe cat\tcat\t3\n", r"data.tsv:5: segment '1' of system 'A' already has another text or reference"),
    (
        "cs-en\tA\t1\tthat cat\ta cat\t3\n",
        r"data.tsv:5: .* if each row has one reference, put those of a text into a list or several columns; else name",
    ),
    ("cs-en\tA\t1\n", r"data.tsv:5: 3 fields, but 6 columns"),
]


@pytest.mark.parametrize(("row", "told"), BAD_ROWS)
def test_bad_ratings_are_named(row, told):
    """Missing, NaN, no number, contradictory: file and line."""
    with pytest.raises(InvalidText, match=told):
        read_judgments(table(row), Asked())


BAD_PAIRS = [
    ("cs-en\t1\tA\tA\t1\n", r"p.tsv:2: system 'A' is judged better than itself"),
    ("cs-en\t7\tA\tB\t1\n", r"p.tsv:2: segment '7' of cs-en is unknown"),
    ("cs-en\t1\tA\tX\t1\n", r"p.tsv:2: system 'X' of cs-en has no output"),
    ("fr-en\t1\tA\tB\t1\n", r"p.tsv:2: there is no text of language pair 'fr-en'"),
    ("cs-en\t1\tA\tB\t0\n", r"p.tsv:2: column 'count': expected a whole number from 1 to 1,000,000,000, got 0"),
    ("cs-en\t1\tA\tB\t1.5\n", r"p.tsv:2: column 'count': expected a whole number from 1 to 1,000,000,000, got 1.5"),
    ("cs-en\t1\tA\tB\t1e300\n", r"p.tsv:2: column 'count': expected a whole number .*, got 1e\+300"),
    ("cs-en\t1\tA\tB\t1_0\n", r"p.tsv:2: column 'count': expected a number, got '1_0'"),
    ("cs-en\t1\tA\tB\t２\n", r"p.tsv:2: column 'count': expected a number, got '２'"),
    ("cs-en\t1\tA\tB\t\n", r"p.tsv:2: column 'count': a number is missing"),
]


@pytest.mark.parametrize(("row", "told"), BAD_PAIRS)
def test_bad_pairs_are_named(row, told):
    """A system against itself, an unknown segment, no output, no such language pair, a bad count."""
    with pytest.raises(InvalidText, match=told):
        read_judgments(table(), Asked(pairs=write("p.tsv", PAIRS, row)))


def test_systems_that_nobody_judged_are_told():
    """If a table of systems lacks one, the others are compared with a note; null is not a system's name."""
    systems = write("s.tsv", "lp\tsystem\thuman\tvotes\n", "cs-en\tA\t0.5\t7\n")
    (found,) = read_judgments(table(), Asked(systems=systems))
    assert found.notes == (
        "cs-en: system 'B' has no rating and is left out of the comparison of systems",
        "s.tsv: columns that are not used: votes",
    )
    write("s.jsonl", '{"system": null, "human": 1}\n')
    with pytest.raises(
        InvalidText, match=r"s.jsonl:1: column 'system': expected an id, got null; fill it in or remove"
    ):
        read_judgments(table(), Asked(systems="s.jsonl"))


def test_columns_with_unusual_names_are_told():
    """Without a column of segments each text is a segment, so a note names the columns that may be one."""
    data = write("d.tsv", HEAD.replace("segment", "line"), *ROWS)
    first, second = read_judgments(data, Asked())
    assert first.notes == ("d.tsv: no column of segments (--segment-column); columns without a role: line",)
    assert second.notes == ()


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        *((value, f"expected a number, got '{value}'") for value in ("1_0", "１", "0x1p3")),
        *((value, "expected a number, got") for value in ("nan", "inf", "1e999")),
        *((value, "expected numbers that are 0, or from 1e-100 to") for value in ("1e308", "-2e100", "5e-324")),
    ],
)
def test_odd_numbers_are_named(value, reason):
    """Ratings of systems and scores of metrics have ASCII digits, and are such as statistics can be computed with."""
    with pytest.raises(InvalidText, match=f"s.tsv:2: column 'human': {reason}"):
        read_judgments(table(), Asked(systems=write("s.tsv", "lp\tsystem\thuman\n", f"cs-en\tA\t{value}\n")))
    scores = write("m.tsv", "lp\tsystem\tsegment\tscore\n", f"cs-en\tA\t1\t{value}\n")
    with pytest.raises(InvalidText, match=f"m.tsv:2: column 'score': {reason}"):
        read_metric("m", scores, "", read_judgments(table(), Asked()), Asked())


def test_an_integer_that_is_no_double_is_named():
    """JSON has integers of any length."""
    row = '{"segment": 1, "system": "A", "reference": "a", "hypothesis": "a", "human": 1%s}\n' % ("0" * 400)
    with pytest.raises(InvalidText, match=r"j.jsonl:1: column 'human': expected a number, got '1000"):
        read_judgments(write("j.jsonl", row), Asked())


def test_bad_systems_are_named():
    """One without output, one that is judged twice."""
    with pytest.raises(InputMismatch, match=r"s.tsv: system 'Z' of cs-en has no output"):
        read_judgments(table(), Asked(systems=write("s.tsv", "lp\tsystem\thuman\ncs-en\tZ\t1\n")))
    with pytest.raises(InvalidText, match=r"s.tsv:3: system 'A' of cs-en is judged twice"):
        read_judgments(table(), Asked(systems=write("s.tsv", "lp\tsystem\thuman\n", "cs-en\tA\t1\n" * 2)))


def test_bad_folders_are_named(folder):
    """One without rankings, one that lacks a file, one with two, and a folder with options of tables."""
    (folder / "empty").mkdir()
    with pytest.raises(InputMismatch, match="empty: is not a folder of rankings"):
        read_judgments("empty", Asked())
    with pytest.raises(InputMismatch, match=r"rank: there is no cs-en.hyps.tsv beside cs-en.pairs.tsv.gz"):
        read_judgments(ranked(folder, hyps=None), Asked())
    write("rank/cs-en.hyps.tsv", "segment_id\tsystem\thypothesis\n9\tA\tx\n")
    with pytest.raises(InvalidText, match=r"cs-en.hyps.tsv:2: segment '9' of cs-en is unknown"):
        read_judgments("rank", Asked())
    write("rank/cs-en.hyps.csv", "")
    with pytest.raises(InputMismatch, match="only one of them can be read"):
        read_judgments("rank", Asked())
    with pytest.raises(InputMismatch, match="is a folder"):
        read_judgments("rank", Asked(pairs="p.tsv"))
    with pytest.raises(InputMismatch, match="nowhere"):
        read_judgments("nowhere", Asked())


def test_a_reference_that_contradicts_another_is_named(folder):
    """A repeated segment with another reference."""
    segments = "segment_id\tsource\treference\n1\tx\tthe cat\n1\tx\ta cat\n"
    with pytest.raises(InvalidText, match=r"segments.tsv.gz:3: segment '1' of cs-en already has another reference"):
        read_judgments(ranked(folder, segments=segments), Asked())


def test_columns_that_are_not_clear_are_asked_for():
    """None that could be meant, two that could be; one that is not there; a language pair that is not there."""
    write("two.tsv", "hyp\tref\thter\tda\n", "a\ta\t0\t1\n")
    with pytest.raises(InputMismatch, match=r"hter, da: which is meant\? say --human-column NAME"):
        read_judgments("two.tsv", Asked())
    write("none.tsv", "text\tref\thter\n", "a\ta\t0\n")
    with pytest.raises(InputMismatch, match=r"no column for --hyp-column; name it; its columns: text, ref, hter"):
        read_judgments("none.tsv", Asked())
    with pytest.raises(UnknownName, match=r"unknown column of data.tsv 'humen' \(did you mean 'human'\?\)"):
        read_judgments(table(), Asked(columns=Columns(human="humen")))
    with pytest.raises(UnknownName, match="unknown language pair 'xx'"):
        read_judgments(table(), Asked(lps=("xx",)))
    with pytest.raises(InputMismatch, match="has no row"):
        read_judgments(write("head.tsv", HEAD), Asked())


SCORES = "lp\tsystem\tsegment\tchrF\n"


def test_scores_of_another_metric():
    """They are put in the order of the texts, whatever theirs is; a column of the data serves as well."""
    judged = read_judgments(table(), Asked())
    write("m.tsv", SCORES, "de-en\tA\t1\t3\n", "cs-en\tB\t1\t2\n", "cs-en\tA\t1\t1\n")
    metric = read_metric("x", "m.tsv", "", judged, Asked())
    assert [part.scores.tolist() for part in metric.scored] == [[1, 2], [3]]
    column = read_metric("human", "data.tsv", "human", judged, Asked())
    assert np.array_equal(column.scored[0].scores, judged[0].ratings.value)


def test_bad_scores_are_named():
    """A text without a score, with two; scores that nobody asked for; which column is not clear."""
    judged = read_judgments(table(), Asked())
    write("m.tsv", SCORES, "cs-en\tA\t1\t1\n", "de-en\tA\t1\t3\n")
    with pytest.raises(InputMismatch, match=r"m.tsv: cs-en: no score of x for segment '1' of system 'B'"):
        read_metric("x", "m.tsv", "", judged, Asked())
    write("m.tsv", SCORES, "cs-en\tA\t1\t1\ncs-en\tA\t1\t2\n")
    with pytest.raises(InvalidText, match=r"m.tsv:3: segment '1' of system 'A' already has another score"):
        read_metric("x", "m.tsv", "", judged, Asked())
    write("m.tsv", SCORES, *(f"{lp}\t{system}\t1\t1\n" for lp in ("cs-en", "de-en") for system in "ABC"))
    notes = read_metric("x", "m.tsv", "", judged, Asked()).notes
    assert notes == ("m.tsv: 3 scores belong to texts without judgments",)
    with pytest.raises(InputMismatch, match="no column has the scores of x"):
        read_metric("x", "data.tsv", "", judged, Asked())


def test_scores_are_joined_by_position_where_no_column_identifies_segments():
    """As many rows, of the same systems; the ids of segments are never taken for numbers of rows."""
    judged = read_judgments(write("d.tsv", THREE, *THREE_RATINGS), Asked())
    rows = [f"{line.split(chr(9))[2]}\t{number % 5}\n" for number, line in enumerate(THREE_RATINGS)]
    write("m.tsv", "system\tm\n", *rows)
    assert read_metric("m", "m.tsv", "", judged, Asked()).scored[0].scores.tolist() == [0, 1, 2, 3, 4]
    write("m.tsv", "system\tm\n", *rows[:-1])
    with pytest.raises(InputMismatch, match=r"m.tsv: has 14 rows where the judgments have 15; .*joined by position"):
        read_metric("m", "m.tsv", "", judged, Asked())
    write("m.tsv", "system\tm\n", *rows[::-1])
    with pytest.raises(InvalidText, match=r"m.tsv:3: is of system 'B' .* same row of the judgments is of system 'A'"):
        read_metric("m", "m.tsv", "", judged, Asked())
    write("m.tsv", "system\tm\n", *rows[:-1], "A\t2\n")
    with pytest.raises(InvalidText, match=r"m.tsv:16: text 'a cow' of system 'A' already has another score"):
        read_metric("m", "m.tsv", "", judged, Asked())
    write("m.tsv", "segment\tsystem\tm\n", *(f"{number}\t{row}" for number, row in enumerate(rows, 1)))
    with pytest.raises(InputMismatch, match=r"m.tsv: has a column of segments \(segment\) and the judgments have none"):
        read_metric("m", "m.tsv", "", judged, Asked())
    write("m.tsv", "m\n", *(f"{number}\n" for number in range(15)))
    with pytest.raises(InputMismatch, match=r"m.tsv: no column of systems, which the judgments have"):
        read_metric("m", "m.tsv", "", judged, Asked())


@pytest.mark.parametrize("scale", [1.0, 1e-13, 1e-100, 1e99])
@pytest.mark.parametrize("by_id", [True, False])
def test_scores_of_one_text_agree_whatever_their_size(scale, by_id):
    """Only the last digits of repeated scores may differ; the order of rows changes neither the error nor the score."""
    column = "segment" if by_id else "other"
    write("d.tsv", f"{column}\tref\thyp\thuman\n", *(f"1\tx\ty\t{value}\n" for value in (1, 2, 3)))
    judged = read_judgments("d.tsv", Asked())

    def read(*factors):
        write("m.tsv", *(["segment\tm\n"] if by_id else ["m\n"]), *(
            f"{'1' + chr(9) if by_id else ''}{factor * scale!r}\n" for factor in factors
        ))  # fmt: skip
        return read_metric("m", "m.tsv", "", judged, Asked()).scored[0].scores.tolist()

    close = (1.0, 1 + 4e-13, 1 + 8e-13)
    assert {tuple(read(*order)) for order in permutations(close)} == {(scale,)}
    for order in (*permutations((1.0, 1.0, 2.0)), *permutations((1.0, 1 + 7e-13, 1 + 14e-13))):
        with pytest.raises(InvalidText, match="already has another score"):
            read(*order)


def test_scores_by_position_of_one_language_pair():
    """Rows are counted in the whole table, whichever language pair is asked for."""
    data = write(
        "d.tsv", "lp\tref\thyp\thuman\n", *(f"{lp}\tx\t{lp} {place}\t{place}\n" for place, lp in enumerate("abab"))
    )
    write("m.tsv", "m\n0\n1\n2\n3\n")
    judged = read_judgments(data, Asked(lps=("b",)))
    assert read_metric("m", "m.tsv", "", judged, Asked(lps=("b",))).scored[0].scores.tolist() == [1, 3]


def test_scores_without_ids_are_not_joined_to_judgments_with_ids():
    """Row numbers may be equal to ids of segments; a renamed column is named instead."""
    rows = [f"{segment}\tx\t{segment} y\t{segment}\n" for segment in (3, 1, 2)]
    judged = read_judgments(write("d.tsv", "segment\tref\thyp\thuman\n", *rows), Asked())
    write("m.tsv", "line\tm\n3\t3\n1\t1\n2\t2\n")
    with pytest.raises(InputMismatch, match=r"m.tsv: no column of segments, which the judgments have; .* line, m"):
        read_metric("m", "m.tsv", "", judged, Asked())
    write("m.tsv", "segment\tm\n1\t1\n2\t2\n3\t3\n")
    assert read_metric("m", "m.tsv", "", judged, Asked()).scored[0].scores.tolist() == [3, 1, 2]


def mteval(folder, **files):
    """A small test set of mt-metrics-eval: two systems and the reference as a third, two segments."""
    parts = {
        "references/en-de.refA.txt": "the cat\nthe dog\n",
        "system-outputs/en-de/A.txt": "a cat\na dog\n",
        "system-outputs/en-de/B.txt": "cats\ndogs\n",
        "system-outputs/en-de/refA.txt": "the cat\nthe dog\n",
        "human-scores/en-de.mqm.seg.score": "A\t-1\nA\tNone\nrefA\t0\nrefA\t0\nB\t-5\nB\t-2.5\n",
        "human-scores/en-de.mqm.sys.score": "A\t-1\nB\t-3.75\nrefA\t0\n",
        "metric-scores/en-de/chrF-refA.seg.score": "B\t0.3\nB\t0.4\nA\t0.5\nA\t0.6\n",
    } | files
    for name, text in parts.items():
        path = folder / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return "set"


def test_a_test_set_of_mt_metrics_eval(folder):
    """Lines of a system are its segments; unrated texts are left out with a note; references are not systems."""
    name = mteval(folder)
    (found,) = read_judgments(name, Asked())
    assert [(*text.segment, text.system) for text in found.texts] == [("1", "A"), ("2", "A"), ("1", "B"), ("2", "B")]
    assert (found.ratings.text.tolist(), found.ratings.value.tolist()) == ([0, 2, 3], [-1, -5, -2.5])
    assert found.systems == {"A": -1, "B": -3.75}
    assert found.notes == ("en-de: one text has no rating and is left out",)
    metric = read_metric("chrF-refA", name, "", [found], Asked())
    assert metric.scored[0].scores.tolist() == [0.5, 0.6, 0.3, 0.4]
    with pytest.raises(UnknownName, match=r"unknown metric of .*'chrf'"):
        read_metric("chrf", name, "", [found], Asked())


@pytest.mark.parametrize(("whole", "told"), [("A\t0.55\nB\t0.35\n", False), ("A\t0.55\nB\t0.39\n", True)])
def test_scores_of_systems_that_are_no_means_are_told(folder, whole, told):
    """A system's score is the mean of its segments'; a metric that has another one is not changed without a word."""
    name = mteval(folder, **{"metric-scores/en-de/chrF-refA.sys.score": whole})
    judged = read_judgments(name, Asked())
    notes = read_metric("chrF-refA", name, "", judged, Asked()).notes
    assert sum("system 'B' that is not the mean" in note for note in notes) == told


def test_errors_that_a_test_set_counts_are_turned_around(folder):
    """If lower is better, ratings of texts and of systems change their sign."""
    (found,) = read_judgments(mteval(folder), Asked(lower_is_better=True))
    assert found.ratings.value.tolist() == [1, 5, 2.5]
    assert found.systems == {"A": 1, "B": 3.75}


ALL_NAMED = Columns("pair", ("n",), "who", "mt", ("ref",), "votes")


@pytest.mark.parametrize(
    ("make", "asked", "scores", "unused"),
    [
        (ranked, Asked(columns=Columns(human="mqm"), lower_is_better=True), True, "--human-column, --lower-is-better"),
        (ranked, Asked(columns=evolve(ALL_NAMED, human="")), True, "--hyp-column, --ref-column"),
        (mteval, Asked(columns=ALL_NAMED), False, "--lp-column, --segment-column, --system-column, --hyp-column"),
        (lambda _: table(), Asked(pairs="p.tsv", lower_is_better=True), False, "--lower-is-better"),
    ],
)
def test_what_would_be_ignored_is_refused(folder, make, asked, scores, unused):
    """An option that says nothing of any of the data is named; with a table that has what it names it is of use."""
    name = make(folder)
    with pytest.raises(InputMismatch, match=f"^{name}: no effect on these data: {unused}; leave it out$"):
        check_used([name], asked, scores=scores)
    check_used([name, "table.tsv"], evolve(asked, pairs=""), scores=scores)


@pytest.mark.parametrize(
    ("make", "asked", "scores"),
    [
        (ranked, Asked(lps=("cs-en",), several="each"), False),
        (ranked, Asked(columns=Columns("pair", ("n",), "who")), True),
        (mteval, Asked(columns=Columns(human="mqm", references=("refA",)), lower_is_better=True), False),
        (lambda _: table(), Asked(columns=ALL_NAMED, lower_is_better=True), False),
        (lambda _: table(), Asked(pairs="p.tsv", systems="s.tsv", lower_is_better=True), False),
    ],
)
def test_what_is_of_use_is_not_refused(folder, make, asked, scores):
    """Tables have columns, test sets have names of ratings and references, tables of scores have segments."""
    check_used([make(folder)], asked, scores=scores)


BAD_SETS = [
    (
        {"human-scores/en-de.mqm.seg.score": "X\t3\n" * 2},
        r"mqm.seg.score:1: system 'X' of en-de has no output",
    ),
    (
        {"human-scores/en-de.mqm.seg.score": "A\t-1\n" * 3},
        r"human-scores/en-de.mqm.seg.score: system 'A' has 3 lines where 2 are needed, one for each segment",
    ),
    (
        {"human-scores/en-de.mqm.seg.score": "A\t-1\nA\tNone\nB\t-5\n"},
        r"human-scores/en-de.mqm.seg.score: system 'B' has 1 line where 2 are needed, one for each segment",
    ),
    (
        {"human-scores/en-de.mqm.sys.score": "A\t-1\nB\t-3\nA\t-2\n"},
        r"human-scores/en-de.mqm.sys.score: system 'A' has 2 lines where 1 is needed, one for each system",
    ),
    ({"human-scores/en-de.mqm.seg.score": "A\tgood\n"}, r"mqm.seg.score:1: expected a number, got 'good'"),
    ({"human-scores/en-de.mqm.seg.score": "A\n"}, r"mqm.seg.score:1: expected a system and a number, got 1 field"),
    ({"human-scores/en-de.mqm.sys.score": "X\t1\n"}, r"mqm.sys.score:1: system 'X' of en-de has no output"),
    ({"human-scores/en-de.z.seg.score": "A\t1\n"}, r"mqm, z: choose one with --human-column NAME"),
    ({"references/en-de.refB.txt": "x\ny\n"}, r"refA, refB: choose one with --ref-column NAME"),
    ({"human-scores/en-fr.mqm.seg.score": "A\t1\n"}, r"references: there is none of en-fr"),
    ({"system-outputs/en-de/A.txt": "a cat\n"}, r"A.txt"),
]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("B\t0.3\nB\t0.4\nA\t0.5\n", r"chrF-refA.seg.score: system 'A' has 1 line where 2 are needed, one for each"),
        ("B\t0.3\nA\t0.5\nA\t0.6\nA\t1\nB\t1\n", r"chrF-refA.seg.score: system 'A' has 3 lines where 2 are needed"),
        ("B\t0.3\nB\t0.4\n", r"set: en-de: no score of chrF-refA for segment '1' of system 'A'"),
    ],
)
def test_scores_of_a_test_set_have_a_line_for_each_segment(folder, lines, told):
    """Segments are counted by lines, so a lost line would give all that follow to other segments."""
    name = mteval(folder, **{"metric-scores/en-de/chrF-refA.seg.score": lines})
    judged = read_judgments(name, Asked())
    with pytest.raises(InputMismatch, match=told):
        read_metric("chrF-refA", name, "", judged, Asked())


def test_scores_of_a_test_set_without_outputs(folder):
    """Without outputs nothing says how many segments there are."""
    judged = read_judgments(mteval(folder), Asked())
    scores = folder / "other/metric-scores/en-de/m.seg.score"
    scores.parent.mkdir(parents=True)
    scores.write_text("A\t1\n")
    with pytest.raises(InputMismatch, match=r"other/system-outputs/en-de: has no system output; its files are called"):
        read_metric("m", "other", "", judged, Asked())


def test_what_has_no_rating_in_a_test_set_is_told(folder):
    """Texts and systems of which a file of ratings has no line, or None."""
    scores = {
        "human-scores/en-de.mqm.seg.score": "A\t-1\nA\t-2\n",
        "human-scores/en-de.mqm.sys.score": "A\t-1\nB\tNone\n",
    }
    (found,) = read_judgments(mteval(folder, **scores), Asked())
    assert found.notes == (
        "en-de: 2 texts have no rating and are left out",
        "en-de: system 'B' has no rating and is left out of the comparison of systems",
    )


@pytest.mark.parametrize(("files", "told"), BAD_SETS)
def test_bad_test_sets_are_named(folder, files, told):
    """Unknown systems and segments, no numbers, several ratings or references, unequal lengths."""
    with pytest.raises((InputMismatch, InvalidText), match=told):
        read_judgments(mteval(folder, **files), Asked())


def test_names_choose_parts_of_a_test_set(folder):
    """Ratings, references and language pairs are named where there are several."""
    more = {
        "human-scores/en-de.z.seg.score": "A\t1\nA\t2\nB\t3\nB\t4\n",
        "references/en-de.refB.txt": "x\ny\n",
        "human-scores/en-fr.z.seg.score": "",
    }
    columns = Columns(human="z", references=("refA", "refB"))
    (found,) = read_judgments(mteval(folder, **more), Asked(columns=columns, lps=("en-de",)))
    assert found.ratings.value.tolist() == [1, 2, 3, 4]
    assert found.texts[0].texts.references == ("the cat", "x")
    with pytest.raises(UnknownName, match="'y'; known: mqm, z"):
        read_judgments("set", Asked(columns=Columns(human="y"), lps=("en-de",)))
    with pytest.raises(UnknownName, match="unknown language pair 'xx'"):
        read_judgments("set", Asked(lps=("xx",)))


def test_the_count_of_rankings_in_any_case(tmp_path):
    """In a folder of rankings, too, the count may be called as in a table of pairs."""
    (found,) = read_judgments(ranked(tmp_path, pairs="segment_id\tBetter\tworse\tN\n1\tA\tB\t7\n"), Asked())
    assert found.pairs.count.tolist() == [7]


def test_rankings_of_another_language_pair(tmp_path):
    """A column of language pairs must agree with the name of the file."""
    folder = ranked(tmp_path, pairs="lp\tsegment_id\tbetter\tworse\tcount\nxx\t1\tA\tB\t7\n")
    with pytest.raises(InvalidText, match=r"gz:2: column 'lp': is 'xx', but the file's name says 'cs-en'"):
        read_judgments(folder, Asked())


def test_empty_texts():
    """Judged texts without words, and texts whose references are all empty, are noted."""
    rows = ("1\tA\t \tr\t1\n", "1\tB\t\tr\t2\n", "2\tA\tt\t\t3\n")
    (found,) = read_judgments(write("e.tsv", "segment\tsystem\thyp\tref\thuman\n", *rows), Asked())
    assert found.notes == (
        "e: segment '1' of system 'A', the first of 2, has an empty text",
        "e: segment '2' of system 'A' has only empty references",
    )
