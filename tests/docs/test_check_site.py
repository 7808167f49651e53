"""`tools/check_site.py` finds the faults of a built site."""

from __future__ import annotations

import subprocess
import sys

from tools.check_site import problems


def test_a_site_without_fault(tmp_path):
    """Links to pages, files, headings and other sites are accepted, and so are files of the site itself."""
    (tmp_path / "style.css").write_text("")
    (tmp_path / "index.html").write_text(
        '<link href="style.css?v=1"><a href="more/page.html#a%20b">1</a><a href="https://example.org/#x">2</a>'
    )
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "page.html").write_text('<h2 id="a b">a</h2><a href="../index.html">1</a><a href="#">2</a>')
    assert problems(tmp_path) == []


def test_what_leads_nowhere(tmp_path):
    """A missing page, heading or picture is reported with the page that links to it."""
    (tmp_path / "index.html").write_text(
        '<h1 id="top"></h1><a href="gone.html">1</a><a href="#bottom">2</a><img src="p.png">'
    )
    assert problems(tmp_path) == [
        "index.html: gone.html leads nowhere",
        "index.html: #bottom names no heading of that page",
        "index.html: p.png leads nowhere",
    ]


def test_what_is_loaded_from_outside(tmp_path):
    """A script, style or picture of another site is reported; one inside the page is not."""
    (tmp_path / "index.html").write_text(
        '<script src="https://example.org/x.js"></script><link href="//example.org/y.css"><img src="data:image/gif,z">'
    )
    assert problems(tmp_path) == [
        "index.html: loads https://example.org/x.js from outside",
        "index.html: loads //example.org/y.css from outside",
    ]


def test_no_site(tmp_path):
    """A folder without a page is no site."""
    assert problems(tmp_path) == [f"{tmp_path}: there is no page"]


def test_the_command(root, tmp_path):
    """The command ends with 0 where all is well, else with 1 and the problems on standard error."""
    command = [sys.executable, str(root / "tools/check_site.py"), str(tmp_path)]
    empty = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (empty.returncode, empty.stderr) == (1, f"{tmp_path}: there is no page\n")
    (tmp_path / "index.html").write_text("")
    whole = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (whole.returncode, whole.stdout, whole.stderr) == (0, "", "")
