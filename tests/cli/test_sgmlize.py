"""``meteorlib sgmlize`` and ``align --format moses``: METEOR's small tools."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.inputs.sgml import read_sgml
from meteorlib.inputs.sgml_text import sgml_lines

SGML = """\
<tstset setid="s" srclang="de" trglang="en">
<doc docid="d1" sysid="a">
<seg id="1">x &lt; y &amp;amp; z</seg>
<seg id="2"></seg>
</doc>
<doc docid="d2" sysid="a">
<seg id="1">c</seg>
</doc>
<doc docid="d1" sysid="b">
<seg id="1">1</seg>
<seg id="2">2</seg>
</doc>
<doc docid="d2" sysid="b">
<seg id="1">3</seg>
</doc>
</tstset>
"""


def test_text_to_sgml_and_back(run, files, tmp_path):
    """Each file is a system, each run of a label a document; the way back gives the same lines."""
    files(a="x < y &amp; z\n\nc\n", b="1\n2\n3\n", docs="d1\nd1\nd2\n")
    made = run("sgmlize", "a", "b", "--set", "s", "--documents", "docs", "--languages", "de-en")
    assert (made.status, made.err, made.out) == (0, "", SGML)
    files(**{"t.sgm": made.out})
    (tmp_path / "out").mkdir()
    assert run("sgmlize", "--to-text", "t.sgm", "-o", "out") == (0, "", "")
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == {
        "s.a.tst": "x < y &amp; z\n\nc\n",
        "s.b.tst": "1\n2\n3\n",
    }
    assert "out/s.a.tst: already exists" in run("sgmlize", "--to-text", "t.sgm", "-o", "out").err


@pytest.mark.parametrize(
    ("kind", "begin"),
    [
        ("reference", '<refset setid="set" srclang="any" trglang="any">\n<doc docid="doc" refid="R">\n'),
        ("source", '<srcset setid="set" srclang="any">\n<doc docid="doc">\n'),
    ],
)
def test_kinds(run, files, kind, begin):
    """References and sources have tags of their own."""
    files(a="x\ry\n")
    assert run("sgmlize", "a", "--as", kind, "--name", "R").out.startswith(f'{begin}<seg id="1">x y</seg>\n')


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12), min_size=1, max_size=6))
def test_any_text(tmp_path_factory, lines):
    """Any line is read back as it was."""
    path = tmp_path_factory.mktemp("sgml") / "x.sgm"
    text = "".join(sgml_lines("system", "s", [("a", [("d", line) for line in lines])]))
    path.write_bytes(text.encode())
    assert list(read_sgml(str(path))["s"]["a"]["d"].values()) == lines


def test_parallel_to_the_references(run, files, tmp_path):
    """Lines are the references' segments; missing ones are empty, additional ones left out, both with a note."""
    files(
        **{
            "t.sgm": '<tstset setid="s" sysid="A">\n<doc docid="d">\n<seg id="10">\tten \n more</seg>\n<seg id="7">seven</seg>\n</doc>\n</tstset>\n',  # noqa: E501
            "r.sgm": '<refset setid="s" refid="R">\n<doc docid="d">\n<seg id="10">10</seg>\n<seg id="2">2</seg>\n</doc>\n</refset>\n',  # noqa: E501
        }
    )
    result = run("sgmlize", "--to-text", "t.sgm", "r.sgm")
    assert result == (
        0,
        "",
        (
            "note: 1 segments of document [d] of [s][A] are left out: no reference has them\n"
            "note: no segment [d][2] of [s][A] - writing an empty line\n"
        ),
    )
    assert [(tmp_path / name).read_text() for name in ("s.A.tst", "s.R.ref")] == ["\nten   more\n", "2\n10\n"]


MISTAKES = {
    "names": (["a", "--name", "x", "--name", "y"], "--name is given 2 times for 1 files"),
    "languages": (["a", "--languages", "en"], "--languages is two codes with a hyphen between them"),
    "counts": (["a", "b"], "the files must have the same number of lines, one per segment: a has 2, b has 1"),
    **{f"{sign} in an id": (["a", "--set", f"x{sign}y"], f"'x{sign}y' cannot be an id in SGML") for sign in '"<>&'},
    "document that goes on": (["c", "--documents", "docs"], "docs:3: document 'd1' continues after another document"),
    "too many": (["--to-text", "a", "b", "c"], "--to-text takes TEST.sgm and REF.sgm, or one file"),
    "path as id": (["--to-text", "evil.sgm"], "the ids '../s' and 'A' cannot be used as a file name"),
    "other set": (["--to-text", "evil.sgm", "ref.sgm"], "ref.sgm: has no set '../s', of which evil.sgm has systems"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(refused, files, tmp_path, name):
    """One message, and no file."""
    tags = '<{}set setid="{}" {}="A">\n<doc docid="d">\n<seg id="1">x</seg>\n</doc>\n</{}set>\n'
    files(
        a="1\n2\n",
        b="1\n",
        c="1\n2\n3\n",
        docs="d1\nd2\nd1\n",
        **{"evil.sgm": tags.format("tst", "../s", "sysid", "tst"), "ref.sgm": tags.format("ref", "s", "refid", "ref")},
    )
    arguments, message = MISTAKES[name]
    before = sorted(tmp_path.iterdir())
    assert message in refused("sgmlize", *arguments)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
def test_as_the_jar(run, files, tmp_path, oracles):
    """METEOR's SGMtoPlaintext writes the same files, except that it drops line breaks in a segment."""
    segments = [
        "a\tb",
        "a\vb\fc",
        "\xa0a\xa0",
        "a  b   ",
        "\x1fa\x01",
        "&amp;quot; &#65; &LT;",
        "a\x1cb",
    ]
    body = "".join(f'<seg id="{number}">{text}</seg>\n' for number, text in enumerate(segments, 1))
    two = f'<doc docid="d2" {{0}}="A">\n{body}</doc>\n<doc docid="d1" {{0}}="A">\n{body}</doc>\n'
    files(
        **{
            "t.sgm": f'<tstset setid="s" srclang="any" trglang="en">\n{two.format("sysid")}</tstset>\n',
            "r.sgm": f'<refset setid="s" srclang="any" trglang="en">\n{two.format("refid")}'
            f'<doc docid="d3" refid="A">\n<seg id="2">y</seg>\n<seg id="10">z</seg>\n</doc>\n</refset>\n',
        }
    )
    command = ["java", "-cp", str(oracles / "meteor-1.5.jar"), "SGMtoPlaintext", "../t.sgm", "../r.sgm"]
    (tmp_path / "jar").mkdir()
    subprocess.run(command, cwd=tmp_path / "jar", check=True, capture_output=True)
    assert run("sgmlize", "--to-text", "t.sgm", "r.sgm").status == 0
    written = sorted(path.name for path in (tmp_path / "jar").iterdir())
    assert written == ["s.A.ref", "s.A.tst"]
    for name in written:
        assert (tmp_path / name).read_bytes() == (tmp_path / "jar" / name).read_bytes()


def test_moses(run, files):
    """One line per segment, empty if nothing matches; -stdio answers in the same way."""
    files(hyp="the cat sat\nx\n", ref="a cat was sat\ny\n")
    assert run("align", "hyp", "ref", "-m", "exact", "--format", "moses").out == "1-1 3-2\n\n"
    answered = run("align", "-", "-", "-stdio", "-m", "exact", "--format", "moses", stdin=b"the cat ||| cat\n")
    assert answered.out == "0-1\n"


def test_align_without_references(run, files):
    """A missing name of the reference causes a message."""
    files(hyp="a\n")
    assert run("align", "hyp").err.endswith("\nError: Missing argument 'REF'.\n")
