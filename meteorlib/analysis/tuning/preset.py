"""YAML file of a fitted preset, with a comment that records where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from meteorlib._version import __version__
from meteorlib.analysis.tuning.results import Fitted, Tuning
from meteorlib.config.document import presets_as_yaml
from meteorlib.display.text import harmless, signed

MARK = "# Fitted by meteorlib tune"
"""First words of the file of a fitted preset."""


def preset_text(tuning: Tuning, day: date | None = None) -> str:
    """YAML text of the fitted preset, for `Scorer.from_file`.

    Args:
        tuning: results of the tuning.
        day: date to record; None for today (UTC).
    """
    day = day or datetime.now(UTC).date()
    comment = "\n".join(f"# {harmless(line)}".rstrip() for line in _header_lines(tuning))
    settings = {key: value for key, value in tuning.config.to_dict().items() if value is not None and key != "name"}
    settings["stages"] = [
        {key: value for key, value in stage.items() if value is not None} for stage in settings["stages"]
    ]
    fitted = ", ".join(tuning.whole.values)
    settings["description"] = f"{tuning.base} with {fitted} fitted to {', '.join(tuning.data)} ({verdict(tuning)})"
    settings["source"] = f"meteorlib tune, version {__version__}, {day}; see the head of its file"
    return f"{MARK}, version {__version__}, {day}.\n{presets_as_yaml({tuning.config.name: settings}, comment)}"


def verdict(tuning: Tuning) -> str:
    """Short statement of whether a gain was shown."""
    return "gain on left-out data" if tuning.gain.shown else "no gain shown"


def conclusion(tuning: Tuning) -> str:
    """Sentence that says whether a gain was shown."""
    gain = tuning.gain
    detail = f"on left-out data {gain_summary(tuning)}"
    if gain.shown:
        return f"gain: {detail}"
    why = "a loss" if gain.interval.high < 0 else "the interval includes 0"
    return f"no gain shown: {detail}: {why}. Keep {tuning.base}"


def gain_summary(tuning: Tuning) -> str:
    """Gain with its interval, as text."""
    gain = tuning.gain
    low, high = signed(gain.interval.low), signed(gain.interval.high)
    return f"{signed(gain.difference)}, {tuning.confidence:.0%} interval [{low}, {high}]"


def _header_lines(tuning: Tuning) -> Iterator[str]:
    yield ""
    yield conclusion(tuning)
    yield ""
    yield f"base          {tuning.base}: {tuning.signature}"
    yield f"fitted        {' '.join(' '.join(tuning.asked).split())}"
    yield f"objective     {tuning.objective}, the mean over language pairs"
    for name, digest in tuning.data.items():
        yield f"data          {' '.join(name.split())}, sha256 of texts and judgments {digest}"
    yield f"judgments     {tuning.judged['pairs']} pairs, {tuning.judged['ratings']} ratings"
    bound = f" (at most {tuning.evaluations} in one search)" if tuning.method == "evolution" else ""
    yield f"method        {tuning.method}, {tuning.tried} settings tried{bound}, seed {tuning.seed}"
    yield f"folds         {len(tuning.folds)}, by {tuning.by}"
    yield f"interval      bootstrap by segment, {tuning.samples} samples, widened for fits that share judgments"
    yield f"all data      {_change_text(tuning.whole.base, tuning.whole.train)}"
    for fold in tuning.folds:
        yield f"left out      {fold.left_out}: {_fold_text(fold)}"
    yield f"left out      all of it: {_change_text(tuning.gain.base, tuning.gain.value)}"
    for note in tuning.notes:
        yield f"note          {' '.join(note.split())}"


def _fold_text(fold: Fitted) -> str:
    assert fold.left_out_base is not None  # noqa: S101 – something was left out
    assert fold.left_out_value is not None  # noqa: S101 – as above
    trained, left_out = _change_text(fold.base, fold.train), _change_text(fold.left_out_base, fold.left_out_value)
    return f"{left_out}; trained on the rest: {trained}; {_settings_text(fold.values)}"


def _change_text(base: float, value: float) -> str:
    return f"{base:.4f} → {value:.4f}"


def _settings_text(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())
