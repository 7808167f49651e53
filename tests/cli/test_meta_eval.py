"""``meteorlib meta-eval``: its formats, its options, what it refuses."""

from __future__ import annotations

import json
import random

import pytest

from meteorlib import Scorer

HEAD = "lp\tsystem\tsegment\treference\thypothesis\thuman\tother\n"
TEXTS = ["the cat sat on the mat", "a cat sat on the mat", "cat the mat sat", "dogs"]


@pytest.fixture(autouse=True)
def data(files, tmp_path, monkeypatch):
    """Ratings of three systems on twenty segments of two language pairs; the cache is empty."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path / "cache"))
    rows = [
        f"{lp}\t{system}\t{segment}\t{TEXTS[0]} {segment}\t{TEXTS[segment * (place + 1) % 4]}"
        f"\t{(place * 3 + segment) % 7}\t{place + 2 * segment % 5}\n"
        for lp in ("cs-en", "de-en")
        for place, system in enumerate("ABC")
        for segment in range(20)
    ]
    files(**{"data.tsv": HEAD + "".join(rows)})


def evaluate(run, *options):
    return run("meta-eval", "data.tsv", *options, "-n", "20")


def test_json(run):
    """Every table has every metric, in the order in which they were named; scores are the scorer's, wherever kept."""
    arguments = ("--preset", "nltk", "--preset", "meteor-2005", "--metric", "other", "-f", "json")
    result = evaluate(run, *arguments)
    assert (result.status, result.err) == (0, "")
    found = json.loads(result.out)
    names = [(table["name"], table["level"]) for table in found["tables"]]
    assert names == [
        ("cs-en", "ratings"), ("cs-en", "systems"), ("de-en", "ratings"), ("de-en", "systems"),
        ("pooled", "ratings"), ("mean", "ratings"), ("pooled", "systems"), ("mean", "systems"),
    ]  # fmt: skip
    for table in found["tables"]:
        assert [one["metric"] for one in table["agreements"]] == ["nltk", "meteor-2005", "other"]
    assert found["signatures"] == {name: str(Scorer(name).signature) for name in ("nltk", "meteor-2005")}
    assert evaluate(run, *arguments).out == result.out
    assert evaluate(run, *arguments, "--jobs", "2").out == result.out


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_tables_for_people(run, form):
    """Names, figures of the JSON, and the signature are in them; nothing is on standard error."""
    options = ("--preset", "nltk", "--metric", "other", "--lp", "de-en")
    result = evaluate(run, *options, "-f", form)
    assert (result.status, result.err) == (0, "")
    table = json.loads(evaluate(run, *options, "-f", "json").out)["tables"][0]
    for one in table["agreements"]:
        assert one["metric"] in result.out
        for figure in one["figures"].values():
            assert f"{figure['value']:.4f}" in result.out
    assert "60 ratings, 60 texts, 20 segments" in result.out
    assert str(Scorer("nltk").signature) in result.out
    assert "cs-en" not in result.out


def test_the_order_of_rows_changes_no_digit(run, files):
    """Three ratings in tenths of each text: the same report for shuffled rows, in which A and B are equally good."""
    three = ("129", "921", "444", "336", "633", "789", "888", "987")
    rows = [
        f"de-en\t{system}\t{segment}\tthe cat {segment}\ta cat {segment} {'x ' * place}"
        f"\t{(int(tenths) + (system == 'C')) / 10}\t{segment * (place + 1) % 5}\n"
        for place, system in enumerate("ABC")
        for segment in range(24)
        for tenths in three[(segment + place) % 8]
    ]
    found = []
    for seed in range(3):
        files(**{"data.tsv": HEAD + "".join(random.Random(seed).sample(rows, len(rows)))})
        result = evaluate(run, "--preset", "nltk", "--metric", "other", "-f", "json")
        assert result.status == 0, result.err
        found.append(json.loads(result.out))
    assert found[0] == found[1] == found[2]
    systems = {table["level"]: table for table in found[0]["tables"]}["systems"]
    for one in systems["agreements"]:
        assert one["concordant"] + one["discordant"] + one["tied"] == 2


def test_baseline_and_config(run, files):
    """A preset of a file serves as well; the baseline has no difference."""
    files(**{"mine.yaml": "presets:\n  mine:\n    extends: nltk\n    parameters:\n      gamma: 0.1\n"})
    result = evaluate(run, "--preset", "nltk", "--config", "mine.yaml", "--baseline", "mine", "-f", "json")
    assert result.status == 0, result.err
    found = json.loads(result.out)
    first, second = found["tables"][0]["agreements"]
    assert first["figures"]["pearson"]["difference"] is not None
    assert second["figures"]["pearson"]["difference"] is None


def test_metrics_of_sacrebleu(run):
    """By name, beside the others, with its signature; a column of the data that is called so goes before."""
    pytest.importorskip("sacrebleu")
    result = evaluate(run, "--preset", "nltk", "--metric", "chrF", "--metric", "ter", "-f", "json")
    assert result.status == 0, result.err
    found = json.loads(result.out)
    assert [one["metric"] for one in found["tables"][0]["agreements"]] == ["nltk", "chrF", "ter"]
    assert found["signatures"]["chrF"].startswith("sacrebleu chrf|nrefs:1|case:mixed|")


def test_a_column_goes_before_a_metric_of_sacrebleu(run, files, tmp_path):
    """What the data call so is meant."""
    files(**{"data.tsv": (tmp_path / "data.tsv").read_text().replace("\tother\n", "\tbleu\n")})
    result = evaluate(run, "--metric", "bleu", "-f", "json")
    assert json.loads(result.out)["signatures"] == {}


def test_charts(run, tmp_path):
    """A page and a file for each chart; the tables are printed all the same; a second run replaces them."""
    options = ("--preset", "nltk", "--metric", "other", "--html", "page.html", "--svg", "charts/all")
    plain = evaluate(run, *options[:4])
    for _ in range(2):
        result = evaluate(run, *options)
        assert (result.status, result.err, result.out) == (0, "", plain.out)
    assert sorted(path.name for path in (tmp_path / "charts" / "all").iterdir()) == sorted(
        f"{lp}.{level}.{metric}.svg"
        for lp in ("cs-en", "de-en")
        for level in ("ratings", "systems")
        for metric in ("nltk", "other")
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 8
    assert str(Scorer("nltk").signature) in page


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--html", "data.tsv"], "data.tsv: is there already, and is no report"),
        (["--html", "nowhere/page.html"], "nowhere/page.html: there is no folder"),
        (["--svg", "data.tsv"], "--svg data.tsv: is no folder"),
    ],
)
def test_places_of_charts_are_checked_first(run, options, told):
    """What stands there is not lost, and nothing is scored."""
    result = evaluate(run, "--preset", "nltk", *options)
    assert (result.status, result.out) == (2, "")
    assert told in result.err


def test_pairs(run, files):
    """Pairs of a table of their own; a note tells of those that were judged both ways."""
    rows = "".join(f"cs-en\t{segment}\tA\tB\t3\n" for segment in range(20)) + "cs-en\t0\tB\tA\t1\n"
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\tcount\n" + rows})
    result = evaluate(run, "--pairs", "pairs.tsv", "--preset", "nltk")
    assert result.status == 0
    assert result.err == "note: cs-en: two texts were judged both ways; each judgment counts\n"
    assert "cs-en: 61 judged pairs, 40 texts, 20 segments" in result.out


REFUSED = [
    ([], "name a METEOR by --preset or --config, or another metric by --metric"),
    (["--preset", "nlkt"], "unknown preset 'nlkt'"),
    (["--metric", "=x"], "expected NAME=FILE"),
    (["--metric", "m="], "expected NAME=FILE"),
    (["--metric", "nothing"], "unknown column of data.tsv 'nothing'"),
    (["--metric", "m=nowhere.tsv"], "nowhere.tsv"),
    (["--preset", "nltk", "--preset", "nltk"], "two metrics are called 'nltk'"),
    (["--preset", "nltk", "--lp", "fr-en"], "unknown language pair 'fr-en'"),
    (["--preset", "nltk", "--baseline", "x"], "unknown metric 'x'"),
    (["--preset", "nltk", "--hyp-column", "a", "--hyp-column", "b"], "--hyp-column names one column"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_mistakes_are_told(run, options, told):
    """One message, exit status 2, nothing on standard output."""
    result = evaluate(run, *options)
    assert (result.status, result.out) == (2, "")
    assert told in result.err
    assert "Traceback" not in result.err


LINE = "cs-en\tA\t{}\tthe cat\t{}\t{}\t0\n"

BAD_DATA = [
    (HEAD + LINE.format(1, "a cat", ""), "data.tsv:2: column 'human': a number is missing"),
    (HEAD + LINE.format(1, "a cat", "NaN"), "data.tsv:2: column 'human': expected a number, got NaN"),
    (
        HEAD + LINE.format(1, "a cat", "1") + LINE.format(1, "cats", "1"),
        "data.tsv:3: segment '1' of system 'A' has another",
    ),
    (HEAD + LINE.format(1, "a cat", "2") + LINE.format(2, "cats", "2"), "cs-en: all ratings are 2"),
    (HEAD, "data.tsv: has no row"),
    ("", "data.tsv"),
]


@pytest.mark.parametrize(("text", "told"), BAD_DATA)
def test_ratings_that_tell_nothing_are_named(run, files, text, told):
    """Missing, NaN, contradictory, constant, none: one message, and nothing else."""
    files(**{"data.tsv": text})
    result = evaluate(run, "--preset", "nltk", "--html", "page.html")
    assert (result.status, result.out) == (2, "")
    assert told in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ("cs-en\t99\tA\tB\t1\n", "pairs.tsv:2: segment '99' of cs-en is unknown"),
        ("cs-en\t1\tA\tX\t1\n", "pairs.tsv:2: system 'X' of cs-en has no output"),
        ("cs-en\t1\tA\tA\t1\n", "pairs.tsv:2: system 'A' is said to be better than itself"),
        ("", "pairs.tsv: has no row"),
    ],
)
def test_pairs_of_what_is_not_there_are_named(run, files, pairs, told):
    """Unknown segments, systems without output, a system against itself, no pair."""
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\tcount\n" + pairs})
    result = evaluate(run, "--pairs", "pairs.tsv", "--preset", "nltk")
    assert (result.status, result.out) == (2, "")
    assert told in result.err


def test_systems_of_which_nothing_is_known_are_named(run, files):
    """A system without output; people who hold all for equally good."""
    files(**{"systems.tsv": "lp\tsystem\thuman\ncs-en\tZ\t1\n"})
    result = evaluate(run, "--systems", "systems.tsv", "--preset", "nltk", "--lp", "cs-en")
    assert (result.status, result.out) == (2, "")
    assert "systems.tsv: system 'Z' of cs-en has no output" in result.err
    files(**{"systems.tsv": "lp\tsystem\thuman\ncs-en\tA\t1\ncs-en\tB\t1\n"})
    result = evaluate(run, "--systems", "systems.tsv", "--preset", "nltk", "--lp", "cs-en")
    assert result.status == 2
    assert "cs-en: people hold all systems for equally good" in result.err


@pytest.mark.filterwarnings("always::meteorlib.errors.MeteorWarning")
def test_few_ratings_are_warned_of(run, files):
    """Fifty say little; the numbers are told all the same."""
    rows = "".join(
        f"cs-en\tA\t{segment}\tthe cat {segment}\ta cat {segment}\t{segment % 7}\t0\n" for segment in range(50)
    )
    files(**{"data.tsv": HEAD + rows})
    result = evaluate(run, "--preset", "nltk")
    assert result.status == 0
    assert "warning: cs-en: only 50 judgments: too few to say much about a metric" in result.err
    assert "cs-en: 50 ratings" in result.out


@pytest.mark.parametrize("place", ["nowhere", "nowhere.tsv"])
def test_data_that_is_not_there_is_named(run, place):
    """Neither file nor folder."""
    result = run("meta-eval", place, "--preset", "nltk")
    assert (result.status, result.out) == (2, "")
    assert f"{place}: no such file" in result.err


def test_a_folder_has_no_columns(run, tmp_path):
    """A folder that is none of rankings is named; a metric must come from a file."""
    (tmp_path / "rank").mkdir()
    result = run("meta-eval", "rank", "--preset", "nltk")
    assert (result.status, result.out) == (2, "")
    assert "rank: is no folder of rankings" in result.err
    result = run("meta-eval", "rank", "--preset", "nltk", "--lower-is-better")
    assert (result.status, result.out) == (2, "")
    assert "rank: nothing there for --lower-is-better; leave it out" in result.err


def test_help_says_which_formats_are_exact(run):
    """Only formats that there are."""
    assert "json is in full precision" in " ".join(run("meta-eval", "--help").out.split())
    assert "json and tsv are in full precision" in " ".join(run("score", "--help").out.split())
