"""Presets written down as YAML."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from meteorlib.config.document import read_text
from meteorlib.config.node import Problems
from meteorlib.config.yaml_output import presets_as_yaml
from tests.examples import examples

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.sampled_from(
    [
        "no",
        "on",
        "true",
        "null",
        "~",
        "",
        "1e-3",
        "010",
        "1.5",
        ".inf",
        "=",
        "<<",
        "- a",
        "a: b",
        "# a",
        "'",
        "2005-01-01",
        "\x85",
        "a\rb",
        "a\u2028b\u2029",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False) | TEXT
KEYS = st.from_regex(r"[a-z_][\w.+-]{0,9}", fullmatch=True) | st.sampled_from(["no", "true", "2005", "1.5"])
SETTINGS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(presets=st.dictionaries(KEYS, SETTINGS, max_size=3))
@examples(100)
def test_what_is_written_is_read(presets):
    """Settings are read back as they were, also text that looks like something else."""
    problems = Problems("here")
    root = read_text(presets_as_yaml(presets, "# of presets\n"), "here", problems)
    problems.raise_any()
    assert repr(root.plain()) == repr({"presets": presets})


def test_form():
    """Simple settings are on one line, nested ones on separate lines; comments come first."""
    text = presets_as_yaml(
        {"mine": {"search": {"name": "beam"}, "stages": [{"matcher": "exact", "weight": 1.0}]}}, "# mine\n"
    )
    assert text == (
        "# mine\n\npresets:\n  mine:\n    search: {name: beam}\n    stages:\n      - {matcher: exact, weight: 1.0}\n"
    )
