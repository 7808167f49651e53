"""``meteorlib tune``: what it writes, what it says, what it refuses."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from attrs import evolve

from meteorlib import Scorer

WORDS = "the cat sat on the mat and the dog ran to a tree while it began to rain in the evening".split()
GRID = ("--preset", "meteor-2005-exact", "--fit", "alpha=0.1/0.9,gamma=0.5/0.9", "--method", "grid", "-n", "50")


@pytest.fixture(autouse=True)
def data(files, cache):
    """Ratings at random, and ratings that are the scores of a METEOR with other numbers; the cache is empty."""
    base = Scorer("meteor-2005-exact").config
    taste = Scorer(evolve(base, parameters=evolve(base.parameters, alpha=0.1, gamma=0.9)))
    rng = np.random.default_rng(3)
    rows = {"random.tsv": [], "taste.tsv": []}
    for name, lp, segment in product(rows, ("cs-en", "de-en"), range(30)):
        reference = [*WORDS[segment % 6 : segment % 6 + 10], f"{name}{lp}{segment}"]
        for system in "AB":
            kept = [word for word in reference if rng.random() < 0.8] + rng.choice(WORDS, 3).tolist()
            cut = int(rng.integers(0, len(kept)))
            pair = " ".join(reference), " ".join(kept[cut:] + kept[:cut])
            rating = rng.random() if name == "random.tsv" else taste.score(*pair).score
            rows[name].append("\t".join([lp, str(segment), system, *pair, str(rating)]))
    head = "lp\tsegment\tsystem\treference\thypothesis\thuman"
    files(**{name: "\n".join([head, *listed]) + "\n" for name, listed in rows.items()})


def tune(run, *options):
    return run("tune", *options, "--objective", "pearson", *GRID)


def test_a_gain(printed, tmp_path):
    """The preset is written and can be used; the table has a row for each fold, and the last line has the gain."""
    out = tune(printed, "taste.tsv", "-o", "mine.yaml", "--require-gain", "--points", "points.tsv")
    assert [line.split()[0] for line in out.splitlines()[:4]] == ["left", "cs-en", "de-en", "nothing"]
    assert out.splitlines()[-1].startswith("gain: on left-out data +")
    scorer = Scorer.from_file(tmp_path / "mine.yaml")
    assert (scorer.config.name, scorer.parameters.alpha, scorer.parameters.gamma) == ("mine", 0.1, 0.9)
    lines = [line.split("\t") for line in (tmp_path / "points.tsv").read_text().splitlines()]
    assert lines[0] == ["pearson", "alpha", "gamma"]
    assert [line[1:] for line in lines[1:]] == [["0.1", "0.5"], ["0.1", "0.9"], ["0.9", "0.5"], ["0.9", "0.9"]]


def test_no_gain(run, ok, tmp_path):
    """Without a gain the preset says so, and with --require-gain nothing is written and the status is 1."""
    result = tune(ok, "random.tsv", "-o", "mine.yaml")
    assert result.out.splitlines()[-1].startswith("no gain shown: on left-out data ")
    assert result.out.splitlines()[-1] in (tmp_path / "mine.yaml").read_text()
    (tmp_path / "mine.yaml").unlink()
    result = tune(run, "random.tsv", "-o", "mine.yaml", "--require-gain")
    assert (result.status, result.err) == (1, "Error: mine.yaml: nothing was written, because no gain was shown\n")
    assert not (tmp_path / "mine.yaml").exists()


def test_several_data(run):
    """Each of several data is left out in turn; JSON has every number."""
    result = tune(run, "taste.tsv", "random.tsv", "-o", "mine.yaml", "--name", "both", "-f", "json")
    found = json.loads(result.out)
    assert (found["preset"], found["by"]) == ("both", "data")
    assert [fold["left_out"] for fold in found["folds"]] == ["taste", "random"]
    assert found["gain"]["shown"] == (found["gain"]["interval"]["low"] > 0)
    assert tune(run, "taste.tsv", "random.tsv", "-o", "mine.yaml", "--name", "both", "-f", "json").out == result.out


def test_a_copy_is_refused(refused, tmp_path):
    """A file with the same rows under another name, in whatever order, is no second set of judgments."""
    head, *rows = (tmp_path / "taste.tsv").read_text().splitlines(keepends=True)
    (tmp_path / "copy.tsv").write_text(head + "".join(reversed(rows)))
    err = tune(refused, "taste.tsv", "copy.tsv", "-o", "mine.yaml")
    assert "taste and copy contain the same texts and judgments; name each set of judgments once" in err
    assert not (tmp_path / "mine.yaml").exists()


def test_files_are_not_overwritten(run, refused, tmp_path):
    """A preset of an earlier run is replaced; any other file only with --force."""
    (tmp_path / "mine.yaml").write_text("mine\n")
    err = tune(refused, "taste.tsv", "-o", "mine.yaml")
    assert "mine.yaml: already exists and is not a preset written by meteorlib tune" in err
    assert (tmp_path / "mine.yaml").read_text() == "mine\n"
    assert tune(run, "taste.tsv", "-o", "mine.yaml", "--force").status == 0
    assert tune(run, "taste.tsv", "-o", "mine.yaml").status == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("missing.tsv",), "missing.tsv"),
        (("taste.tsv", "taste.tsv"), "data called taste already exist"),
        (("taste.tsv", "--folds", "data"), "folds by data: at least two are needed, there is one (taste)"),
        ((".", "--human-column", "human"), ".: no effect on these data: --human-column; leave it out"),
        (("taste.tsv", "--folds", "document"), "segment '0' of system 'A' belongs to no document"),
        (("taste.tsv", "--fit", "alhpa"), "unknown parameter 'alhpa' (did you mean 'alpha'?)"),
        (("taste.tsv", "--fit", "text=shout/lower"), "unknown text"),
    ],
)
def test_what_is_refused(refused, tmp_path, options, told):
    """A mistake is one message that names it, and nothing is written."""
    assert told in tune(refused, *options, "-o", "mine.yaml")
    assert not (tmp_path / "mine.yaml").exists()


def test_no_whole_systems(refused):
    """Numbers are fitted to judgments of texts; those of whole systems are no option here."""
    assert "--systems" in refused("tune", "taste.tsv", "--systems", "systems.tsv", "--preset", "meteor-2005")


def test_a_preset_must_be_named(refused):
    """No preset is the default one to start from."""
    err = refused("tune", "taste.tsv", "--fit", "alpha", "-o", "mine.yaml")
    assert "name the preset to start from by --preset or --config" in err
