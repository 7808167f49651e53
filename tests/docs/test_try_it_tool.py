"""`tools/try_it.py` says what it needs; tests/browser uses what it makes."""

from __future__ import annotations

import subprocess
import sys
from zipfile import ZipFile

from tools.try_it import SCRIPTS, main, pack_attrs


def test_not_a_site(tmp_path, capsys):
    """A folder without the page's scripts is refused with the command that makes a site."""
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"{tmp_path} is no built documentation: run  sphinx-build docs {tmp_path}\n"


def test_without_pyodide(tmp_path, capsys):
    """If npm's package is missing, the command that installs it is named, and the site stays as it is."""
    (tmp_path / SCRIPTS).mkdir(parents=True)
    (tmp_path / SCRIPTS / "worker.js").touch()
    assert main([str(tmp_path), "--pyodide", str(tmp_path / "none")]) == 1
    assert "lacks pyodide.mjs: run  npm install --no-save pyodide  in " in capsys.readouterr().err
    assert [path.name for path in (tmp_path / SCRIPTS).iterdir()] == ["worker.js"]


def test_attrs_alone(tmp_path):
    """The archive of attrs can be imported by itself."""
    archive = pack_attrs(tmp_path)
    with ZipFile(archive) as opened:
        opened.extractall(tmp_path / "unpacked")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import attrs, attr; print(attr.__file__)"
    command = [sys.executable, "-I", "-S", "-c", code, str(tmp_path / "unpacked")]
    assert str(tmp_path) in subprocess.run(command, capture_output=True, text=True, check=True).stdout
