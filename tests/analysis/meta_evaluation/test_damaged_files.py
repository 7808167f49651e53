"""Damaged files of judgments and scores: each is read right, by a second reading written here, or refused."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import pytest

from meteorlib.analysis.meta_evaluation import Asked, read_judgments, read_metric
from meteorlib.errors import MeteorError
from tests.analysis.meta_evaluation.files import sgml

FORMATS = ("tsv", "csv", "jsonl", "parquet")
REFUSED = None
"""The right result of files that contradict themselves or each other."""

IDS = [("cs-en", "a/b", "c"), ("cs-en", "a", "b/c"), ("cs-en", "a", "2"), ("de-en", "a", "2"), ("de-en", "d", "10")]
"""Language pair, document and segment; some are the same once they are joined with a slash."""

SYSTEMS = ("A", "B", "7")

DATA = [
    {
        "lp": lp, "doc": document, "segment": segment, "system": system,
        "reference": f"the {document} cat {segment}", "hypothesis": f"a {segment} cat {lp} {'of ' * place}it",
        "human": 12 * ((7 * number + 5 * place + 3 * again) % 11),
    }
    for again in range(2)
    for number, (lp, document, segment) in enumerate(IDS)
    for place, system in enumerate(SYSTEMS)
]  # fmt: skip
"""Two ratings of each text."""

PLACELESS = [{key: row[key] for key in ("lp", "system", "reference", "hypothesis", "human")} for row in DATA]
PAIRS = [
    {"lp": lp, "doc": document, "segment": segment, "better": SYSTEMS[number % 3], "worse": worse, "count": 2 + number}
    for number, (lp, document, segment) in enumerate(IDS)
    for worse in SYSTEMS
    if worse != SYSTEMS[number % 3]
]
OF_SYSTEMS = [
    {"lp": lp, "system": system, "human": place * 1.5 + len(lp)}
    for lp in ("cs-en", "de-en")
    for place, system in enumerate(SYSTEMS)
]
SCORES = [
    {"lp": lp, "doc": document, "segment": segment, "system": system, "m": (number * 3 + place) / 16}
    for number, (lp, document, segment) in enumerate(IDS)
    for place, system in enumerate(SYSTEMS)
]
PLACELESS_SCORES = [{"lp": row["lp"], "system": row["system"], "m": len(row["hypothesis"]) / 32} for row in PLACELESS]

SETS = {
    "ratings": {"data": DATA, "scores": SCORES},
    "ratings by position": {"data": PLACELESS, "scores": PLACELESS_SCORES},
    "pairs": {"data": [{**row, "human": 0} for row in DATA], "pairs": PAIRS, "scores": SCORES},
    "systems": {"data": DATA, "systems": OF_SYSTEMS, "scores": SCORES},
    "ratings apart": {
        "data": DATA,
        "ratings": [{key: row[key] for key in ("lp", "doc", "segment", "system", "human")} for row in DATA],
        "scores": SCORES,
    },
}

DAMAGES = {
    "whole": lambda rows, _: rows,
    "shortened": lambda rows, _: rows[:-1],
    "halved": lambda rows, _: rows[: len(rows) // 2],
    "without its first row": lambda rows, _: rows[1:],
    "without a row": lambda rows, rng: rng.sample(rows, len(rows))[1:],
    "doubled": lambda rows, _: rows * 2,
    "a row twice": lambda rows, rng: [*rows, rng.choice(rows)],
    "shuffled": lambda rows, rng: rng.sample(rows, len(rows)),
    "other columns first": lambda rows, _: [dict(reversed(row.items())) for row in rows],
    "another value": lambda rows, _: [
        {**rows[0], **{key: type(cell)(5) for key, cell in [*rows[0].items()][-1:]}},
        *rows[1:],
    ],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files are written here, and named without a folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, rows):
    """Rows as a file of the format that its name says."""
    form = name.rpartition(".")[2]
    if form == "parquet":
        pa = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), name)
        return name
    with open(name, "w", encoding="utf-8", newline="") as file:
        if form == "jsonl":
            file.writelines(json.dumps(row) + "\n" for row in rows)
        else:
            delimiter = "," if form == "csv" else "\t"
            writer = csv.DictWriter(file, [*rows[0]], delimiter=delimiter, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return name


def known_by(row):
    """The segment of a row by its columns; without them its texts."""
    if "segment" in row:
        return row["doc"], row["segment"]
    return row["reference"], row["hypothesis"]


def right(data, pairs=None, systems=None, ratings=None, scores=()):  # noqa: PLR0911 – a file may be wrong in many ways
    """Judgments in the rows, as dictionaries: texts, mean ratings, counts of pairs, systems, and scores of texts."""
    texts, apart, ratings = {}, ratings, defaultdict(list)
    for row in data:
        key = row["lp"], known_by(row), row["system"]
        texts.setdefault(key, set()).add((row["reference"], row["hypothesis"]))
        ratings[key].append(Fraction(row["human"]))
    if any(len(each) > 1 for each in texts.values()):
        return REFUSED
    judged, counts, wholes = set(texts), Counter(), {}
    if apart is not None:
        ratings.clear()
        for row in apart:
            ratings[row["lp"], known_by(row), row["system"]].append(Fraction(row["human"]))
        judged = {*ratings}
        if not judged <= {*texts}:
            return REFUSED
    if pairs is not None:
        ratings.clear()
        for row in pairs:
            better, worse = ((row["lp"], known_by(row), row[side]) for side in ("better", "worse"))
            counts[better, worse] += row["count"]
        judged = {key for both in counts for key in both}
        if not judged <= {*texts}:
            return REFUSED
    if systems is not None:
        ratings.clear()
        wholes = {(row["lp"], row["system"]): row["human"] for row in systems}
        if len(wholes) < len(systems) or not {*wholes} <= {(lp, system) for lp, _, system in texts}:
            return REFUSED
        judged = {key for key in texts if (key[0], key[2]) in wholes}
    found = defaultdict(set)
    if "segment" in data[0]:
        for row in scores:
            found[row["lp"], known_by(row), row["system"]].add(row["m"])
    elif len(scores) != len(data):
        return REFUSED
    else:
        for row, beside in zip(data, scores, strict=True):
            if (row["lp"], row["system"]) != (beside["lp"], beside["system"]):
                return REFUSED
            found[row["lp"], known_by(row), row["system"]].add(beside["m"])
    if not judged <= {*found} or any(len(each) > 1 for each in found.values()):
        return REFUSED
    return {
        "texts": {key: texts[key] for key in judged},
        "ratings": {key: float(sum(each) / len(each)) for key, each in ratings.items()},
        "pairs": dict(counts),
        "systems": wholes,
        "scores": {key: found[key] for key in judged},
    }


def read(name, metric="m", file="", asked=None):
    """Judgments that meteorlib reads, and its notes."""
    asked = asked or Asked()
    try:
        judgments = read_judgments(name, asked)
        scored = read_metric(metric, file or name, "", judgments, asked).scored
    except MeteorError:
        return REFUSED, ()
    found = defaultdict(dict)
    for one, beside in zip(judgments, scored, strict=True):
        keys = []
        for text, score in zip(one.texts, beside.scores.tolist(), strict=True):
            (reference,), hypothesis = text.texts
            keys.append((one.name, text.segment or (reference, hypothesis), text.system))
            found["texts"][keys[-1]] = {(reference, hypothesis)}
            found["scores"][keys[-1]] = {score}
        assert len({*keys}) == len(keys)
        units = {key[1] if text.segment else key for key, text in zip(keys, one.texts, strict=True)}
        assert one.segment_count == len(units)
        if one.ratings is not None:
            rated = zip(one.ratings.text, one.ratings.value, strict=True)
            found["ratings"] |= {keys[text]: value for text, value in rated}
        if one.pairs is not None:
            both = zip(one.pairs.better, one.pairs.worse, one.pairs.count, strict=True)
            found["pairs"] |= {(keys[better], keys[worse]): count for better, worse, count in both}
        found["systems"] |= {(one.name, system): value for system, value in one.systems.items()}
    notes = [note for one in judgments for note in one.notes]
    return {key: found[key] for key in ("texts", "ratings", "pairs", "systems", "scores")}, notes


def read_tables(form, tables):
    named = {name: write(f"{name}.{form}", rows) for name, rows in tables.items()}
    asked = Asked(named.get("pairs", ""), named.get("systems", ""), named.get("ratings", ""))
    return read(named["data"], file=named["scores"], asked=asked)


TABLES = [(form, kind, table) for form in FORMATS for kind, tables in SETS.items() for table in tables]


@pytest.mark.parametrize(("form", "kind", "table"), TABLES)
def test_damaged_tables(form, kind, table):
    """Damaged rows of a table are read correctly or refused."""
    read_right, refused = set(), set()
    for damage, damaged in DAMAGES.items():
        tables = SETS[kind] | {table: damaged(SETS[kind][table], random.Random(f"{kind} {table} {damage}"))}
        found, _ = read_tables(form, tables)
        assert found == right(**tables), damage
        (refused if found is REFUSED else read_right).add(damage)
    assert {"whole", "other columns first"} <= read_right
    lost = {"shortened", "halved", "without its first row", "without a row"}
    assert (lost <= refused) == (table == "scores" or kind == "ratings by position")
    assert ({"doubled", "a row twice"} <= refused) == (table == "systems" or kind == "ratings by position")


@pytest.mark.parametrize("kind", SETS)
def test_the_order_of_rows_does_not_matter(kind):
    """All tables in another order hold the same; tables joined by position need the same order."""
    rng = random.Random(kind)
    whole = right(**SETS[kind])
    for _ in range(5):
        tables = {name: rng.sample(rows, len(rows)) for name, rows in SETS[kind].items()}
        if kind == "ratings by position":
            order = rng.sample(range(len(PLACELESS)), len(PLACELESS))
            tables = {name: [rows[place] for place in order] for name, rows in SETS[kind].items()}
        assert read_tables("tsv", tables)[0] == whole


@pytest.mark.parametrize(("form", "kind", "table"), TABLES)
def test_renamed_columns(form, kind, table):
    """A column by a name that is not known: the same is read, or it is refused, or a note names the column."""
    for column in SETS[kind][table][0]:
        rows = [{"qqq" if key == column else key: cell for key, cell in row.items()} for row in SETS[kind][table]]
        found, notes = read_tables(form, SETS[kind] | {table: rows})
        if found not in (REFUSED, right(**SETS[kind])):
            assert any(table in note and "qqq" in note for note in notes), column


EMPTY = {"tsv": ("", " "), "csv": ("", " "), "jsonl": ("", None, float("nan")), "parquet": ("", None)}
IDENTIFYING = [
    ("ratings", "data", ("lp", "doc", "segment", "system")),
    ("ratings", "scores", ("lp", "doc", "segment")),
    ("pairs", "pairs", ("lp", "doc", "segment", "better", "worse")),
    ("systems", "systems", ("lp", "system")),
]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("kind", "table", "columns"), IDENTIFYING)
def test_empty_ids_are_refused(form, kind, table, columns):
    """Rows without a language pair, segment or system do not become one that is called nothing; the row is named."""
    place = {"jsonl": ":3", "parquet": ": row 3"}.get(form, ":4")
    for column, empty in product(columns, EMPTY[form]):
        rows = [{**row, column: empty} if at in (2, 4) else row for at, row in enumerate(SETS[kind][table])]
        named = {name: write(f"{name}.{form}", each) for name, each in (SETS[kind] | {table: rows}).items()}
        asked = Asked(named.get("pairs", ""), named.get("systems", ""), named.get("ratings", ""))
        with pytest.raises(MeteorError, match=rf"^{table}\.{form}{place}: column '{column}': expected an id, got "):
            read_metric("m", named["scores"], "", read_judgments(named["data"], asked), asked)


PARTS = {
    "segments": [
        {"segment_id": segment, "source": "x", "reference": f"the cat {segment}"} for segment in ("1", "2", "a/3")
    ],
    "hyps": [
        {"segment_id": segment, "system": system, "hypothesis": f"{system} cat {segment}"}
        for segment in ("1", "2", "a/3")
        for system in SYSTEMS
    ],
    "pairs": [
        {"segment_id": "1", "better": "A", "worse": "B", "count": 2},
        {"segment_id": "1", "better": "B", "worse": "A", "count": 1},
        {"segment_id": "a/3", "better": "7", "worse": "A", "count": 3},
        {"segment_id": "2", "better": "B", "worse": "7", "count": 4},
    ],
}


def rankings(folder, form, parts):
    """Write a folder of rankings; what its rows say is returned."""
    (folder / "rank").mkdir(exist_ok=True)
    for part, rows in parts.items():
        write(f"rank/cs-en.{part}.{form}", rows)
    references = defaultdict(set)
    for row in parts["segments"]:
        references[row["segment_id"]].add(row["reference"])
    texts = defaultdict(set)
    for row in parts["hyps"]:
        if len(references[row["segment_id"]]) != 1:
            return REFUSED
        (reference,) = references[row["segment_id"]]
        texts["cs-en", (row["segment_id"],), row["system"]].add((reference, row["hypothesis"]))
    counts = Counter()
    for row in parts["pairs"]:
        better, worse = (("cs-en", (row["segment_id"],), row[side]) for side in ("better", "worse"))
        counts[better, worse] += row["count"]
    judged = {key for both in counts for key in both}
    if any(len(each) > 1 for each in texts.values()) or not judged <= {*texts}:
        return REFUSED
    return {key: texts[key] for key in judged}, dict(counts)


def read_rankings():
    try:
        (one,) = read_judgments("rank", Asked())
    except MeteorError:
        return REFUSED
    keys = [(one.name, text.segment, text.system) for text in one.texts]
    texts = {key: {(*text.texts.references, text.texts.hypothesis)} for key, text in zip(keys, one.texts, strict=True)}
    both = zip(one.pairs.better, one.pairs.worse, one.pairs.count, strict=True)
    return texts, {(keys[better], keys[worse]): count for better, worse, count in both}


@pytest.mark.parametrize(("form", "part"), [*product(FORMATS, PARTS)])
def test_damaged_folders_of_rankings(folder, form, part):
    """Each of the three tables of a language pair, damaged: what the rows say, or an error."""
    refused = set()
    for damage, damaged in DAMAGES.items():
        expected = rankings(folder, form, PARTS | {part: damaged(PARTS[part], random.Random(f"{part} {damage}"))})
        found = read_rankings()
        assert found == expected, damage
        refused |= {damage} if found is REFUSED else set()
    assert ("halved" in refused) == (part != "pairs")
    assert not refused & {"whole", "shuffled", "other columns first", "doubled", "a row twice"}


@pytest.mark.parametrize(("form", "part"), [*product(FORMATS, PARTS)])
def test_renamed_columns_of_rankings(folder, form, part):
    """Each column has its name; only sources are not read."""
    for column in PARTS[part][0]:
        rows = [{"qqq" if key == column else key: cell for key, cell in row.items()} for row in PARTS[part]]
        rankings(folder, form, PARTS)
        write(f"rank/cs-en.{part}.{form}", rows)
        if column == "source":
            assert len(read_judgments("rank", Asked())[0].texts) == 6
            continue
        with pytest.raises(MeteorError, match=f"unknown column of rank/cs-en.{part}.{form} '{column}'"):
            read_judgments("rank", Asked())


@pytest.mark.parametrize(
    ("part", "column"),
    [("segments", "segment_id"), ("hyps", "segment_id"), ("hyps", "system"), ("pairs", "better"), ("pairs", "worse")],
)
def test_empty_ids_of_rankings_are_refused(folder, part, column):
    """The row without an id is named."""
    rows = [PARTS[part][0], {**PARTS[part][1], column: ""}, *PARTS[part][2:]]
    rankings(folder, "tsv", PARTS)
    write(f"rank/cs-en.{part}.tsv", rows)
    with pytest.raises(MeteorError, match=rf"cs-en.{part}.tsv:3: column '{column}': expected an id, got an empty cell"):
        read_judgments("rank", Asked())


LINES = {
    "references/en-de.refA.txt": ["the cat", "the dog", "the cow"],
    "system-outputs/en-de/A.txt": ["a cat", "a dog", "a cow"],
    "system-outputs/en-de/B.txt": ["cats", "dogs", "cows"],
    "system-outputs/en-de/refA.txt": ["the cat", "the dog", "the cow"],
    "human-scores/en-de.mqm.seg.score": [
        "A\t-1", "A\tNone", "A\t-3", "refA\t0", "refA\t0", "refA\t0", "B\t-5", "B\t-2.5", "B\t-1",
    ],
    "human-scores/en-de.mqm.sys.score": ["A\t-2", "B\t-3", "refA\t0"],
    "metric-scores/en-de/m.seg.score": ["B\t0.25", "B\t0.5", "B\t1", "A\t0.5", "A\t0.75", "A\t0.125"],
    "metric-scores/en-de/m.sys.score": ["A\t0.5", "B\t0.5"],
}  # fmt: skip
LINES_LOST = {
    "shortened": lambda lines: lines[:-1],
    "without its first line": lambda lines: lines[1:],
    "doubled": lambda lines: lines * 2,
    "a line twice": lambda lines: [*lines, lines[-1]],
    "empty": lambda _: [],
}


def read_test_set(folder, files):
    for name, lines in files.items():
        path = folder / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read("set")


TEST_SET = {
    "texts": {
        ("en-de", (str(place),), system): {(f"the {what}", said.format(what))}
        for system, said in (("A", "a {}"), ("B", "{}s"))
        for place, what in enumerate(("cat", "dog", "cow"), 1)
    },
    "ratings": {
        ("en-de", (segment,), system): value
        for system, segment, value in (("A", "1", -1), ("A", "3", -3), ("B", "1", -5), ("B", "2", -2.5), ("B", "3", -1))
    },
    "pairs": {},
    "systems": {("en-de", "A"): -2, ("en-de", "B"): -3},
    "scores": {
        ("en-de", (str(place),), system): {value}
        for system, values in (("A", (0.5, 0.75, 0.125)), ("B", (0.25, 0.5, 1)))
        for place, value in enumerate(values, 1)
    },
}
"""Judgments in `LINES`."""


def test_a_whole_test_set(folder):
    """In its own order, and with the systems of each file of scores in another one."""
    assert read_test_set(folder, LINES)[0] == TEST_SET
    turned = {
        name: sorted(lines, key=lambda line: line.split()[0]) for name, lines in LINES.items() if ".score" in name
    }
    turned = {name: [*reversed(lines)] if ".sys." in name else lines for name, lines in turned.items()}
    assert read_test_set(folder, LINES | turned)[0] == TEST_SET


@pytest.mark.parametrize(("name", "damage"), [*product(LINES, LINES_LOST)])
def test_damaged_test_sets(folder, name, damage):
    """Lines are segments by their position, so other numbers of them are refused, or a note tells."""
    found, notes = read_test_set(folder, LINES | {name: LINES_LOST[damage](LINES[name])})
    if found not in (REFUSED, TEST_SET):
        assert damage in {"shortened", "without its first line", "empty"}
        assert ".sys.score" in name or (damage, ".seg.score" in name) == ("empty", True)
        assert found["texts"] == {key: TEST_SET["texts"][key] for key in found["texts"]}
        assert (len(found["systems"]) in (0, 2) or any("system 'A' has no rating" in note for note in notes)) is True
    if ".txt" in name and "outputs/en-de/refA" not in name:
        assert found is REFUSED
    if ".seg.score" in name and damage != "empty":
        assert found is REFUSED


DOCUMENTS = {"d": {"1": "the cat", "2": "the dog"}, "e/f": {"3": "the cow", "g/4": "the hen"}}
JUDGED = {
    "rank": ["1\tcs-en\tA\tcs-en\tB", "2\tcs-en\tB\tcs-en\tA", "g/4\tcs-en\tA\tcs-en\tB", "3\tcs-en\tB\tcs-en\tA"],
    "ter": ["d 1 0.5", "d 2 0.25", "e/f 3 0.75", "e/f g/4 1"],
}
TRAINED = {
    "rank": {"ref": "cs-en.ref.sgm", "A": "cs-en.A.sgm", "B": "cs-en.B.sgm"},
    "ter": {"ref": "x.ref", "A": "x.tst"},
}
"""The files of both kinds of folders: the references, the systems."""

CUT = {
    "whole": lambda items: items,
    "shortened": lambda items: items[:-1],
    "without its first": lambda items: items[1:],
    "turned around": lambda items: [*reversed(items)],
}
LISTED = CUT | {"doubled": lambda items: items * 2, "one twice": lambda items: [*items, items[0]]}


def cut(documents, damage):
    return {name: dict(damage([*each.items()])) for name, each in damage([*documents.items()])}


@pytest.mark.parametrize(
    ("kind", "name", "damage"),
    [(kind, name, damage) for kind, names in TRAINED.items() for name, damage in product(names, CUT)]
    + [*product(JUDGED, ["judged"], LISTED)],
)
def test_damaged_folders_of_the_trainer(folder, kind, name, damage):
    """Segments are joined by their ids: a missing one is refused if it is judged; each ranking counts, ratings once."""
    (folder / "train").mkdir()
    for system, file in TRAINED[kind].items():
        texts = {
            document: {number: text if system == "ref" else f"{system} {text}" for number, text in each.items()}
            for document, each in (cut(DOCUMENTS, CUT[damage]) if name == system else DOCUMENTS).items()
        }
        of_set = ("refset", "refid") if system == "ref" else ("tstset", "sysid")
        (folder / "train" / file).write_text(sgml(*of_set, system, texts))
    judged = LISTED[damage](JUDGED[kind]) if name == "judged" else JUDGED[kind]
    (folder / "train" / f"x.{kind}").write_text("".join(f"{line}\n" for line in judged))
    if name != "judged" and damage not in {"whole", "turned around"}:
        with pytest.raises(MeteorError, match=r"has no reference|has no output|is unknown"):
            read_judgments("train", Asked())
        return
    (one,) = read_judgments("train", Asked())
    texts = {number: text for each in DOCUMENTS.values() for number, text in each.items()}
    for text in one.texts:
        whole = texts[text.segment[-1]]
        assert text.texts == ((whole,), f"{text.system or 'A'} {whole}")
    if kind == "rank":
        both = zip(one.pairs.better, one.pairs.worse, one.pairs.count, strict=True)
        found = {
            (*one.texts[better].segment, one.texts[better].system, one.texts[worse].system): count
            for better, worse, count in both
        }
        assert found == Counter(tuple(line.split("\t")[place] for place in (0, 2, 4)) for line in judged)
        return
    rated = zip(one.ratings.text, one.ratings.value, strict=True)
    assert {(*one.texts[text].segment, str(value)) for text, value in rated} == {
        (document, segment, str(float(value))) for document, segment, value in map(str.split, judged)
    }
    assert any("one text has no rating" in note for note in one.notes) == (len({*judged}) < len(JUDGED[kind]))
