"""The preset that is written: what it says, and that it can be used as it is."""

from __future__ import annotations

from datetime import date

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.differences import Interval
from meteorlib.analysis.tuning import tune
from meteorlib.analysis.tuning.results import MARK, Gain, conclusion, gain_summary, preset_text
from tests.analysis.tuning.conftest import ranked


@pytest.fixture
def found(base, taste):
    return tune(base, {"year": [ranked(taste, noise=0.1)]}, ["alpha=0.1/0.3", "gamma=0.8"], method="grid", samples=50,
                name="mine")  # fmt: skip


def test_it_can_be_used_as_it_is(found, base, tmp_path):
    """The file is a preset with the fitted numbers; all else is that of the preset to begin with."""
    (tmp_path / "mine.yaml").write_text(preset_text(found))
    scorer = Scorer.from_file(tmp_path / "mine.yaml")
    assert scorer.config.name == "mine"
    assert scorer.parameters == found.config.formula_parameters()
    same = evolve(scorer.config, name=base.config.name, parameters=base.config.parameters, description="", source="")
    assert same == evolve(base.config, description="", source="")


def test_where_its_numbers_come_from(found):
    """The file begins with data, digest, objective, method, seed, version, date and the figures of every fold."""
    head = preset_text(found, date(2026, 1, 2)).split("presets:")[0]
    assert head.startswith(f"{MARK}, version ")
    for told in (
        ", 2026-01-02.", f"year, sha256 of texts and judgments {found.data['year']}", "tau_wmt14", "seed 12345", "grid",
        f"{found.whole.base:.4f} → {found.whole.train:.4f}", *(fold.left_out for fold in found.folds), found.signature,
        "alpha=0.1/0.3 gamma=0.8", "folds         5, by segment",
    ):  # fmt: skip
        assert told in head
    assert all(line.startswith("#") for line in head.splitlines())


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(-0.1, 0.2, "no gain shown"), (-0.2, -0.1, "a loss"), (0.0, 0.2, "the interval includes 0"), (0.1, 0.2, "gain: ")],
)
def test_what_is_claimed(found, low, high, told):
    """A gain is claimed only where the whole interval is above 0."""
    gain = Gain(0.5, 0.55, 0.05, Interval(low, high, 0.05))
    said = conclusion(evolve(found, gain=gain))
    assert told in said
    assert "on left-out data +0.0500, 95% interval [" in said
    assert gain_summary(evolve(found, gain=Gain(0.5, 0.5, 0.0, Interval(-0.0, 0.00001, 0.0)))) == (
        "0.0000, 95% interval [0.0000, 0.0000]"
    )
    assert gain.shown == (low > 0) == ("no gain" not in said)
    assert ("no gain shown" in preset_text(evolve(found, gain=gain))) != gain.shown
