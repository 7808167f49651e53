"""HTML and XML entities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.text.entities import decode_entities, first_entity

DECODED = {
    "&quot;a&quot; &amp; &apos;b&apos;": "\"a\" & 'b'",
    "&lt;b&gt; &#39; &#x27; &#X27; &eacute; &hellip;": "<b> ' ' ' é …",
    "& quot ; a & quot ; & apos ; & amp ; & lt ;": '" a " \' & <',
    "& # 39 ; &# 39; & #39 ; & # x27 ;": "' ' ' '",
    "&amp;quot; &amp;amp;quot; & amp ; quot ; &amp;#39; & amp ; # 39 ; &#38;lt;": '" " " \' \' <',
    "&#124; &#91; &#93; &bar; &bra; &ket;": "| [ ] | [ ]",
    "a&nbsp;b &#160; &#9; &#10;": "a b      ",
    "&QUOT; &Quot;": '" "',
    "R &amp; D &amp;foo; & amp ; bar": "R & D &foo; & bar",
}
"""Line → decoded line."""

KEPT = (
    "AT&T, AT&T; R&D; R & D ; quote",
    "Tom & Jerry ; 5 ; 6",
    "black & white ; pictures & image ; fish & or ; pounds & pound ;",
    "https://a.b/?copy=1&para=2&lt=3",
    "&foo; &; & ; &#; &#x; & # ; &# 39 &quot",
    "&#0; &#1; &#xD800; &#1114112; &#9999999;",
    "# 39 ; quot ; amp ;",
)
"""Lines without entities that have a character."""


@pytest.mark.parametrize(("line", "expected"), DECODED.items())
def test_decoded(line, expected):
    """Entities are decoded, torn apart, repeatedly escaped or numeric as they may be."""
    assert decode_entities(line) == expected
    assert first_entity(line) is not None


@pytest.mark.parametrize("line", KEPT)
def test_kept(line):
    """A real ampersand stays as it is, and so does an entity of no character or of a control character."""
    assert decode_entities(line) == line
    assert first_entity(line) is None


@given(
    st.lists(
        st.sampled_from(["&", "amp", "quot", "#", "39", "38", "x26", ";", " ", "113", "uot", "a", "<"]), max_size=20
    )
)
def test_idempotent(parts):
    """Decoding twice gives the same text as decoding once."""
    decoded = decode_entities("".join(parts))
    assert decode_entities(decoded) == decoded


def test_long_contrived_line():
    """Entities in entities without end take no longer than any other line."""
    decode_entities("&#5" * 100_000 + "&#53;" + ";" * 100_000)
    assert decode_entities("&" + "amp;" * 100_000) == "&"
