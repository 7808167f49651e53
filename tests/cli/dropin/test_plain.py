"""Runs over plain text: counts are checked first, and nothing half-written is left."""

from __future__ import annotations

import errno
import os
from tempfile import SpooledTemporaryFile

import pytest

from meteorlib.cli.dropin import command as run_module


def test_unequal_lengths(command, written):
    """Unequal counts end with status 2 and no score, where the jar ends with 0."""
    done = command("hyp", "ref", "-r", "2", "-m", "exact", "-writeAlignments", "-f", "out")
    assert done == (
        2,
        "",
        (
            "meteor-1.5: test and reference are not of the same length: hyp has 5 lines, ref has 5; each segment has "
            "2 reference(s) (option -r), so that 10 lines of references are needed\n"
        ),
    )
    assert not written()


def test_nothing_to_score(command, folder):
    """Empty files are an error."""
    (folder / "none").touch()
    assert command("none", "none", "-m", "exact")[::2] == (
        2,
        "meteor-1.5: nothing to score: none and none are empty\n",
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "nowhere: no such file"),
        ("-", "- (standard input) needs -stdio; without it, name two files"),
        (
            "latin",
            (
                "latin:2: byte 0xE9 at offset 4 is not UTF-8; "
                "if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8 < latin > latin.new"
            ),
        ),
    ],
)
def test_unreadable_files(command, folder, name, message):
    """A file that cannot be read ends with status 2 and says where."""
    (folder / "latin").write_bytes(b"ab\nc\xe9")
    assert command("hyp", name, "-m", "exact") == (2, "", f"meteor-1.5: {message}\n")


def test_prefix_in_a_missing_folder(command):
    """An error names output files that cannot be made."""
    done = command("hyp", "ref", "-m", "exact", "-writeAlignments", "-f", "nowhere/x")
    assert done == (2, "", f"meteor-1.5: nowhere/x-align.out: {os.strerror(errno.ENOENT)}\n")


def test_files_appear_when_complete(command, folder, monkeypatch):
    """An error on the way leaves no file, not even a temporary one."""
    monkeypatch.setattr("meteorlib.cli.dropin.report.alignment", lambda *_: 1 / 0)
    before = set(folder.iterdir())
    with pytest.raises(ZeroDivisionError):
        command("hyp", "ref", "-m", "exact", "-writeAlignments", "-f", "out")
    assert set(folder.iterdir()) == before


def test_long_output(command, lowered):
    """Lines of segments wait in a temporary file if they are many; the output is the same."""
    expected = command("hyp", "ref", "-m", "exact")
    written = lowered(run_module, "IN_MEMORY", 10, "rollover", SpooledTemporaryFile)
    assert command("hyp", "ref", "-m", "exact") == expected
    assert written() == 1


def test_byte_order_mark(command, folder):
    """A byte order mark is text, as in the jar, which printed this score."""
    (folder / "marked").write_bytes("\ufeffDogs bark\nHe said so.\n".encode())
    (folder / "plain").write_bytes(b"Dogs bark\nHe said so.\n")
    arguments = ("-l", "en", "-norm", "-m", "exact")
    assert "Segment 1 score:\t0.4443438716486749\n" in command("marked", "plain", *arguments).stdout
    assert "Segment 1 score:\t1.0\n" in command("marked", "marked", *arguments).stdout
