"""The line of a signature, its fields, and the names of parts that are given by hand."""

from __future__ import annotations

from math import sqrt

from meteorlib.core.signature import Signature, part_name, percent_encode


class Part:
    """A part of a third party."""

    def cut(self, text):
        return text.split()


def test_fields():
    """A field's name ends at its first colon; a METEOR without an Eval ID shows none."""
    signature = Signature("mine", "text:norm|stages:a:b*1.0", None)
    assert str(signature).startswith("preset:mine|text:norm|")
    assert signature.to_dict() == {"preset": "mine", "text": "norm", "stages": "a:b*1.0", "eval_id": None}
    assert "eval_id" not in signature._repr_html_()
    assert "meteor-1" in Signature("mine", "text:norm", "meteor-1")._repr_html_()


def test_short():
    """The short form has preset, release and digest; the digest depends on the numbers, not on the preset's name."""
    one, other = (Signature(name, "text:norm|version:meteorlib-0.3.0", None) for name in ("mine", "a b"))
    assert one.short == f"mine|v0.3.0|{one.digest}"
    assert other.short == f"a%20b|v0.3.0|{one.digest}"
    assert len(one.digest) == 12
    assert Signature("mine", "text:none|version:meteorlib-0.3.0", None).digest != one.digest


def test_repr():
    """A line of up to a hundred characters is shown whole, of a longer one the beginning and the end."""
    line = "preset:p|" + "0123456789" * 10
    assert repr(Signature("p", line[9:100], None)) == f"Signature({line[:100]!r})"
    assert repr(Signature("p", line[9:101], None)) == f"Signature('{line[:74]}…{line[76:101]}')"


def test_escaped():
    """Punctuation of the line itself, spaces and anything that no word is made of are percent-encoded, byte by byte."""
    assert percent_encode("a/b-c+d.e_f") == "a/b-c+d.e_f"
    assert percent_encode("a b:c|é*") == "a%20b%3Ac%7Cé%2A"
    assert percent_encode("€") == "%E2%82%AC"


def test_part_name():
    """A part has the name it declares, or else that of its function, method or class."""
    part = Part()
    where = f"{__name__}.Part"
    assert part_name(part) == part_name(Part) == where
    assert part_name(part.cut) == f"{where}.cut"
    assert part_name(sqrt) == "math.sqrt"
    assert part_name(test_repr) == f"{__name__}.test_repr"
    part.signature_name = "cutter"
    assert (part_name(part), part_name(part.cut)) == ("cutter", "cutter.cut")
    part.signature_name = 3
    assert part_name(part) == where
