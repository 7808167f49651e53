"""``meteorlib meta-eval``: its formats, its options, what it refuses."""

from __future__ import annotations

import json
import random
import re

import pytest

from meteorlib import Scorer
from meteorlib.analysis.tuning.objective import ALIASES
from meteorlib.reports.human_judgments import SHORT as SHORT_NAMES

HEAD = "lp\tsystem\tsegment\treference\thypothesis\thuman\tother\n"
TEXTS = ["the cat sat on the mat", "a cat sat on the mat", "cat the mat sat", "dogs"]


@pytest.fixture(autouse=True)
def data(files, cache):
    """Ratings of three systems on twenty segments of two language pairs; the cache is empty."""
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


def test_json(run, ok):
    """Every table has every metric, in the order in which they were named; scores are the scorer's, wherever kept."""
    arguments = ("--preset", "nltk", "--preset", "meteor-2005", "--metric", "other", "-f", "json")
    result = evaluate(ok, *arguments)
    few = [f"{lp}: only 3 systems: too few to say much about a metric" for lp in ("cs-en", "de-en")]
    assert result.err == "".join(f"note: {note}\n" for note in few)
    found = json.loads(result.out)
    assert found["notes"] == few
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
def test_all_statistics_for_people(run, form):
    """With --all every figure, interval, difference and threshold of the JSON has its place."""
    options = ("--preset", "nltk", "--metric", "other", "--lp", "de-en")
    shown = evaluate(run, *options, "-f", form, "--all").out
    for table in json.loads(evaluate(run, *options, "-f", "json").out)["tables"]:
        for one in table["agreements"]:
            assert f"{one['concordant']}" in shown
            for name, figure in one["figures"].items():
                told = [
                    figure["value"],
                    *(figure["interval"][end] for end in ("low", "high")),
                    one["epsilons"].get(name),
                ]
                if figure["difference"]:
                    told += [figure["difference"][key] for key in ("p", "williams")]
                assert all(number is None or f"{number:.4f}" in shown for number in told), name


def grids(text):
    """The tables of a text: the first line of each, and the whole."""
    blocks = text.split("\n\n")
    return [(blocks[place + 1].splitlines()[0], blocks[place]) for place in range(0, len(blocks) - 1, 2)]


def test_short_tables_fit_a_terminal(run, files):
    """Two metrics fit in 80 columns, one with a name as long as a preset's; no two columns have the same name."""
    rows = "".join(
        f"{lp}\t{segment}\t{better}\tC\t3\n" for segment in range(20) for lp in ("cs-en", "de-en") for better in "AB"
    )
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\tcount\n" + rows})
    config = "presets:\n  meteor-of-23-characters:\n    extends: nltk\n"
    files(**{"own.yaml": config})
    names = ("--config", "own.yaml", "--metric", "other")
    outputs = [
        evaluate(run, *names),
        evaluate(run, *names, "--pairs", "pairs.tsv"),
        evaluate(run, *names, "--statistic", "tau_wmt12"),
        evaluate(run, "--preset", "meteor-2005", "--metric", "other", "--statistic", "acc_eq_by_system"),
    ]
    for result in outputs:
        assert result.status == 0, result.err
        lines = [line for line in result.out.splitlines() if "preset:" not in line]
        assert max(map(len, lines)) <= 80
        for head, _ in grids(result.out):
            names_of_columns = re.split("  +", head)
            assert len(set(names_of_columns)) == len(names_of_columns) == 5
    whole = evaluate(run, *names, "--all").out
    for head, _ in grids(whole):
        assert len(set(re.split("  +", head))) == len(re.split("  +", head))


def test_the_statistic_that_is_asked_for_is_shown(run):
    """Tables that have it show it; the others show their own."""
    result = evaluate(run, "--metric", "other", "--statistic", "tau_b")
    assert [head.split()[1] for head, _ in grids(result.out)] == ["tau-b", "accuracy"] * 2 + ["tau-b"] * 2 + [
        "accuracy"
    ] * 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--statistic", "tau_b", "--all"], "--all has every statistic; leave out --statistic"),
        (["--statistic", "tau_b", "-f", "json"], "--format json has every statistic; leave out --statistic"),
        (["--statistic", "taus"], "'taus' is not one of 'pearson', 'spearman'"),
        (["--statistic", "pearson", "--pairs", "pairs.tsv"],
         "--statistic pearson: not defined for these judgments; choose from tau_wmt14"),
    ],
)  # fmt: skip
def test_statistics_that_cannot_be_shown_are_named(refused, files, options, told):
    """One that the judgments do not have, one that is unknown, one beside all of them."""
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\ncs-en\t1\tA\tB\n"})
    assert told in evaluate(refused, "--metric", "other", *options)


def test_tsv_has_every_number(run):
    """A row for each table, statistic and metric, with the numbers of the JSON to the last digit."""
    options = ("--preset", "nltk", "--metric", "other")
    found = json.loads(evaluate(run, *options, "-f", "json").out)
    head, *rows = (line.split("\t") for line in evaluate(run, *options, "-f", "tsv").out.splitlines())
    told = {}
    for row in rows:
        cells = dict(zip(head, row, strict=True))
        told[cells["name"], cells["level"], cells["metric"], cells["statistic"]] = cells
    for table in found["tables"]:
        for one in table["agreements"]:
            place = table["name"], table["level"], one["metric"]
            for name in ("concordant", "discordant", "tied"):
                assert one[name] is None or told[(*place, name)]["value"] == str(one[name])
            for name, figure in one["figures"].items():
                cells = told[(*place, name)]
                difference = figure["difference"] or {"interval": {}}
                numbers = {
                    "value": figure["value"], "low": figure["interval"]["low"], "high": figure["interval"]["high"],
                    "difference": difference.get("value"), "difference_low": difference["interval"].get("low"),
                    "difference_high": difference["interval"].get("high"), "p": difference.get("p"),
                    "williams_p": difference.get("williams"), "epsilon": one["epsilons"].get(name),
                    "judged": table["judged"], "samples": 20,
                }  # fmt: skip
                assert {key: cells[key] for key in numbers} == {
                    key: "" if number is None else repr(number) for key, number in numbers.items()
                }
                assert cells["signature"] == found["signatures"].get(one["metric"], "")


def test_counts_are_there_where_no_pair_is_concordant(run, files):
    """A metric that orders every pair wrongly has 0 concordant pairs, and the output shows 0."""
    rows = [
        f"cs-en\t{system}\t{segment}\tthe cat {segment}\ta cat {segment} {system}\t{place}\t{-place}\n"
        for place, system in enumerate("ABC")
        for segment in range(20)
    ]
    files(**{"data.tsv": HEAD + "".join(rows)})
    lines = evaluate(run, "--metric", "other", "--all").out.splitlines()
    counts = [line.split()[:3] for line in lines if line.startswith(("concordant", "discordant", "tied"))]
    assert counts == [
        ["concordant", "other", "0"], ["discordant", "other", "60"], ["tied", "other", "0"],
        ["concordant", "other", "0"], ["discordant", "other", "3"], ["tied", "other", "0"],
    ]  # fmt: skip


def test_the_order_of_rows_changes_no_digit(ok, files):
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
        result = evaluate(ok, "--preset", "nltk", "--metric", "other", "-f", "json")
        found.append(json.loads(result.out))
    assert found[0] == found[1] == found[2]
    systems = {table["level"]: table for table in found[0]["tables"]}["systems"]
    for one in systems["agreements"]:
        assert one["concordant"] + one["discordant"] + one["tied"] == 2


def test_baseline_and_config(ok, files):
    """A preset of a file serves as well; the baseline has no difference."""
    files(**{"mine.yaml": "presets:\n  mine:\n    extends: nltk\n    parameters:\n      gamma: 0.1\n"})
    result = evaluate(ok, "--preset", "nltk", "--config", "mine.yaml", "--baseline", "mine", "-f", "json")
    found = json.loads(result.out)
    first, second = found["tables"][0]["agreements"]
    assert first["figures"]["pearson"]["difference"] is not None
    assert second["figures"]["pearson"]["difference"] is None


def test_metrics_of_sacrebleu(ok):
    """By name, beside the others, with its signature; a column of the data that is called so goes before."""
    pytest.importorskip("sacrebleu")
    result = evaluate(ok, "--preset", "nltk", "--metric", "chrF", "--metric", "ter", "-f", "json")
    found = json.loads(result.out)
    assert [one["metric"] for one in found["tables"][0]["agreements"]] == ["nltk", "chrF", "ter"]
    assert found["signatures"]["chrF"].startswith("sacrebleu chrf|nrefs:1|case:mixed|")


def test_a_column_goes_before_a_metric_of_sacrebleu(run, files, tmp_path):
    """A column of the data has precedence over a metric of that name."""
    files(**{"data.tsv": (tmp_path / "data.tsv").read_text().replace("\tother\n", "\tbleu\n")})
    result = evaluate(run, "--metric", "bleu", "-f", "json")
    assert json.loads(result.out)["signatures"] == {}


def test_charts(run, tmp_path):
    """A page and a file for each chart; the tables are printed all the same; a second run replaces them."""
    options = ("--preset", "nltk", "--metric", "other", "--html", "page.html", "--svg", "charts/all")
    plain = evaluate(run, *options[:4])
    for _ in range(2):
        result = evaluate(run, *options)
        assert result == plain
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
        (["--html", "data.tsv"], "data.tsv: already exists and is not a meteorlib report"),
        (["--html", "nowhere/page.html"], "nowhere/page.html: there is no folder"),
        (["--svg", "data.tsv"], "--svg data.tsv: is not a folder"),
    ],
)
def test_places_of_charts_are_checked_first(refused, options, told):
    """An existing file is not lost, and nothing is scored."""
    assert told in evaluate(refused, "--preset", "nltk", *options)


def test_pairs(ok, files):
    """Pairs of a table of their own; a note tells of those that were judged both ways."""
    rows = "".join(f"cs-en\t{segment}\tA\tB\t3\n" for segment in range(20)) + "cs-en\t0\tB\tA\t1\n"
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\tcount\n" + rows})
    result = evaluate(ok, "--pairs", "pairs.tsv", "--preset", "nltk")
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
def test_mistakes_are_told(refused, options, told):
    """One message, exit status 2, nothing on standard output."""
    assert told in evaluate(refused, *options)


LINE = "cs-en\tA\t{}\tthe cat\t{}\t{}\t0\n"

BAD_DATA = [
    (HEAD + LINE.format(1, "a cat", ""), "data.tsv:2: column 'human': a number is missing"),
    (HEAD + LINE.format(1, "a cat", "2") + LINE.format(2, "cats", "2"), "cs-en: all ratings are 2"),
    ("", "data.tsv"),
]


@pytest.mark.parametrize(("text", "told"), BAD_DATA)
def test_ratings_that_tell_nothing_are_named(refused, files, text, told):
    """Missing, constant, none: one message, and nothing else; `test_reading.py` has the others."""
    files(**{"data.tsv": text})
    assert told in evaluate(refused, "--preset", "nltk", "--html", "page.html")


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ("cs-en\t99\tA\tB\t1\n", "pairs.tsv:2: segment '99' of cs-en is unknown"),
        ("", "pairs.tsv: has no row"),
    ],
)
def test_pairs_of_what_is_not_there_are_named(refused, files, pairs, told):
    """Unknown segments, no pair."""
    files(**{"pairs.tsv": "lp\tsegment\tbetter\tworse\tcount\n" + pairs})
    assert told in evaluate(refused, "--pairs", "pairs.tsv", "--preset", "nltk")


def test_systems_of_which_nothing_is_known_are_named(refused, files):
    """A system without output; people who hold all for equally good."""
    files(**{"systems.tsv": "lp\tsystem\thuman\ncs-en\tZ\t1\n"})
    err = evaluate(refused, "--systems", "systems.tsv", "--preset", "nltk", "--lp", "cs-en")
    assert "systems.tsv: system 'Z' of cs-en has no output" in err
    files(**{"systems.tsv": "lp\tsystem\thuman\ncs-en\tA\t1\ncs-en\tB\t1\n"})
    err = evaluate(refused, "--systems", "systems.tsv", "--preset", "nltk", "--lp", "cs-en")
    assert "cs-en: all systems have the same human score" in err


def test_few_ratings_are_noted(ok, files):
    """Fifty judgments cause a note, and the numbers are printed."""
    rows = "".join(
        f"cs-en\tA\t{segment}\tthe cat {segment}\ta cat {segment}\t{segment % 7}\t0\n" for segment in range(50)
    )
    files(**{"data.tsv": HEAD + rows})
    result = evaluate(ok, "--preset", "nltk")
    assert "note: cs-en: only 50 judgments: too few to say much about a metric" in result.err
    assert "cs-en: 50 ratings" in result.out


def test_few_systems_are_noted(run):
    """A comparison of three systems rests on three pairs."""
    result = evaluate(run, "--metric", "other", "--lp", "de-en")
    assert result.err == "note: de-en: only 3 systems: too few to say much about a metric\n"
    assert "de-en: 3 systems" in result.out


def test_a_short_name_of_a_statistic(run):
    """`tau` is the same tau as in the objective of `meteorlib tune`."""
    assert SHORT_NAMES == ALIASES
    options = ("--metric", "other", "--statistic")
    assert evaluate(run, *options, "tau") == evaluate(run, *options, "tau_wmt14")
    assert "tau_wmt14, tau (the same), tau_wmt12" in " ".join(run("tune", "--help").out.split())


def test_notes_have_one_column(run):
    """Notes and signatures begin in the same column, two spaces or more behind the longest label."""
    out = evaluate(run, "--preset", "nltk", "--metric", "other", "--all").out
    notes = [re.fullmatch(r"(\S.*?  +)(\S.*)", line) for line in out.split("\n\n")[-1].splitlines()]
    assert {"acc_eq by system", "intervals, p", "nltk"} <= {note[1].strip() for note in notes}
    assert len({note.start(2) for note in notes}) == 1


@pytest.mark.parametrize("place", ["nowhere", "nowhere.tsv"])
def test_data_that_is_not_there_is_named(refused, place):
    """Neither file nor folder."""
    assert f"{place}: no such file" in refused("meta-eval", place, "--preset", "nltk")


def test_a_folder_has_no_columns(refused, tmp_path):
    """A folder that is none of rankings is named; a metric must come from a file."""
    (tmp_path / "rank").mkdir()
    assert "rank: is not a folder of rankings" in refused("meta-eval", "rank", "--preset", "nltk")
    err = refused("meta-eval", "rank", "--preset", "nltk", "--lower-is-better")
    assert "rank: no effect on these data: --lower-is-better; leave it out" in err
