"""Tables for papers compile with LaTeX."""

from __future__ import annotations

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.oracle

NAMES = ["system-a.en", "system-b.en"]
HOSTILE = r"x_{}&%#~^\[y]<i>|–…"


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--percent", "--columns", "score,p,mean,s_opt,runs"),
        ("--by", "d=labels"),
        ("--by", "d=labels", "--metric", "bleu", "--metric", "ter"),
        ("--percent", "--metric", "bleu", "--metric", "chrf", "--metric", "ter"),
    ],
)
def test_tables_compile(ok, root, tmp_path, monkeypatch, options):
    """LaTeX accepts every table, whatever the systems and groups are called, and no table is wider than the page."""
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-base texlive-latex-recommended")
    monkeypatch.chdir(tmp_path)
    for name in (*NAMES, "reference.0.en"):
        shutil.copy(root / "examples" / name, tmp_path)
    (tmp_path / "labels").write_text(f"{HOSTILE}\nnews\n" * 24, "utf-8")
    arguments = [*NAMES, "--runs", f"{HOSTILE}={','.join(NAMES)}", "-r", "reference.0.en", "-n", "50", "-w", "2"]
    done = ok("score", *arguments, "-f", "latex", "-q", *options)
    head = r"\documentclass{article}\usepackage[margin=2cm]{geometry}\usepackage{booktabs}\begin{document}"
    (tmp_path / "t.tex").write_text(f"{head}\n{done.out}\n\\end{{document}}\n", "utf-8")
    ended = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert "Overfull" not in ended.stdout
    assert (tmp_path / "t.pdf").stat().st_size
