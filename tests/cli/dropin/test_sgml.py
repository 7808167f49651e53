"""Runs over SGML: missing parts cause a warning, input that crashes METEOR is a clear error."""

from __future__ import annotations

from meteorlib.cli.dropin.sgml import hashtable_order

REFERENCE = '<refset setid="s">\n<doc docid="d" refid="r">\n<seg id="1">a b c</seg>\n</doc>\n</refset>\n'


def scored(command, folder, systems, references=REFERENCE):
    """A run over two files of this content."""
    (folder / "s").write_text(systems)
    (folder / "r").write_text(references)
    return command("s", "r", "-sgml", "-m", "exact", "-f", "out")


def test_warnings(command):
    """Missing, repeated and joined segments cause warnings on standard error."""
    done = command("systems.sgm", "references.sgm", "-sgml", "-m", "exact", "-f", "out")
    assert done.stderr.splitlines() == [
        "Warning: systems.sgm:15: a line break in the segment is dropped, which joins the words around it",
        "Warning: systems.sgm:19: segment '2' of document 'd1' of 'two' occurs twice; the last one counts",
        "Warning: no data for reference [ref3] on document [s1][d1]",
        "Warning: no data for reference [ref2] on document [s1][d1]",
        "Warning: no data for reference [ref3] on segment [s1][d2][1]",
        "Warning: no data for reference [ref3] on segment [s1][d2][2]",
        "Warning: no data for reference [ref2] on segment [s1][d2][4]",
        "Warning: no data for system [two] on segment [s1][d2][4] - scoring empty segment",
        "Warning: no data for reference [ref3] on segment [s1][d2][7]",
        "Warning: no data for reference [ref2] on segment [s1][d2][7]",
        "Warning: no data for reference [ref1] on segment [s1][d2][7]",
        "Warning: no usable references for segment [s1][d2][7] - skipping this segment",
        "Warning: no data for reference [ref3] on segment [s1][d2][100]",
        "Warning: no data for reference [ref2] on segment [s1][d2][100]",
        "Warning: no data for reference [ref3] on segment [s1][d2][a]",
        "Warning: no data for reference [ref2] on segment [s1][d2][a]",
        "Warning: no data for reference [ref3] on document [s1][d3]",
        "Warning: no data for reference [ref2] on document [s1][d3]",
        "Warning: no data for reference [ref1] on document [s1][d3]",
        "Warning: no usable references for document [s1][d3] - skipping this document",
        "Warning: no data for system [two] on document [s1][d4] - skipping this document",
    ]


def test_as_the_jar(command, folder, written):
    """The last of repeated segments counts, and a line break joins two words: these are the jar's scores."""
    text = '<tstset setid="s">\n<doc docid="d" sysid="m">\n<seg id="1">{}</seg>\n{}</doc>\n</tstset>\n'
    reference = text.format("Dogs bark at night.", "").replace("tst", "ref").replace("sysid", "refid")
    for last, score in (('<seg id="1">Cats.</seg>\n', "0.040201005025125636"), ("", "0.2882162923296538")):
        (folder / "s").write_text(text.format("Dogs bark\nat night.", last))
        (folder / "r").write_text(reference)
        done = command("s", "r", "-sgml", "-l", "en", "-norm", "-m", "exact", "-f", "out")
        assert done.stderr.count("Warning: ") == 1 + bool(last)
        assert written()["out-seg.scr"] == f"s\tm\td\t1\t{score}\n"


def test_set_without_references(command, folder, written):
    """A set that the references lack is an error."""
    done = scored(command, folder, REFERENCE.replace('"s"', '"t"'))
    assert done == (
        2,
        "",
        (
            "Warning: no system for set [s] - skipping this set\n"
            "meteor-1.5: no reference for set 't'; the references are of: s\n"
        ),
    )
    assert not written()


def test_set_without_system(command, folder):
    """A set that no system has is skipped with a warning."""
    done = scored(command, folder, REFERENCE, REFERENCE + REFERENCE.replace('"s"', '"t"'))
    assert (done.status, done.stderr) == (0, "Warning: no system for set [t] - skipping this set\n")


def test_system_without_documents(command, folder, written):
    """A system with no segment that can be scored is an error."""
    done = scored(command, folder, REFERENCE.replace('"d"', '"e"'))
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.endswith(
        "meteor-1.5: system 'r' of set 's' has no segment that can be scored: its documents are not those of the "
        "references\n"
    )
    assert not written()


def test_order_of_systems(command, folder):
    """Systems are printed in the order of their names."""
    document = '<doc docid="d" sysid="{}">\n<seg id="1">a</seg>\n</doc>\n'
    systems = '<tstset setid="s">\n' + "".join(map(document.format, ("b", "C", "a"))) + "</tstset>\n"
    printed = scored(command, folder, systems).stdout.splitlines()
    assert [line for line in printed if line.startswith("[")] == ["[s][C] ", "[s][a] ", "[s][b] "]


def test_hashtable_order():
    """References are tried in the order of Java's Hashtable, also beyond its first size (observed with METEOR)."""
    assert hashtable_order(["ref1", "ref2", "ref3", "ref4", "ref0"])[0] == "ref3"
    assert hashtable_order([f"ref{number}" for number in range(30)])[0] == "ref19"
    assert hashtable_order([f"z{number}" for number in range(9)]) == [f"z{number}" for number in range(8, -1, -1)]
