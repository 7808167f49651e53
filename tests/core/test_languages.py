"""Names of languages."""

from __future__ import annotations

import pytest

from meteorlib.core.languages import LANGUAGES, iso_code, language_code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cs", "cz"),
        ("sv", "se"),
        ("xx", "other"),
        ("english", "en"),
        ("Swedish", "se"),
        ("NO", "no"),
        ("Other", "other"),
    ],
)
def test_other_names(name, code):
    """METEOR's other codes and its English names, in any case, are turned into METEOR's code."""
    assert language_code(name) == code


def test_codes_stay():
    """A code of METEOR's is itself, and so is what METEOR does not know."""
    for code in [*LANGUAGES, "ja", "nb", "", "Klingon"]:
        assert language_code(code) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cz", "cs"),
        ("CS", "cs"),
        ("no", "nb"),
        ("nb", "nb"),
        ("se", "sv"),
        ("German", "de"),
        ("ja", "ja"),
        ("xx", None),
    ],
)
def test_iso_codes(name, code):
    """Any name of METEOR's for a language leads to its code in names of presets and files."""
    assert iso_code(name) == code
