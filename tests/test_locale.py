"""Systems whose locale is not UTF-8, as Windows' is: nothing that is read or written depends on it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

SCRIPT = """
import sys, json
from meteorlib.cli import main

for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as end:
        print(f"status {end.code or 0}", flush=True)
"""

COMMANDS = [
    *([*command.split(), "--help"] for command in ("", "score", "explain", "report", "meta-eval", "tune", "universal")),
    ["presets", "list"],
    ["presets", "show", "meteor-2026-en-core"],
    ["languages"],
    ["resources", "list"],
    *(["score", "hyp", "-r", "ref", "--segments", "-f", form] for form in ("text", "json", "tsv")),
    *(["score", "hyp", "-r", "ref", "-f", form] for form in ("markdown", "latex")),
    ["score", "data.jsonl", "--hyp-column", "hyp", "--ref-column", "ref", "--preset", "meteor-1.5-en-core"],
    ["score", "hyp", "-r", "ref", "--config", "mine.yaml"],
    ["explain", "hyp", "-r", "ref", "--preset", "meteor-2026-en-core"],
    ["align", "hyp", "ref", "--preset", "meteor-2005"],
    ["report", "hyp", "-r", "ref", "-o", "page.html", "--force"],
    ["score", "missing–file", "-r", "ref"],
]
TEXT = "Die Straße – „schön“ – 日本語 naïve café\n"


def _output(folder, *options, **environment):
    command = [sys.executable, *options, "-c", SCRIPT, json.dumps(COMMANDS)]
    settings = {"METEORLIB_CACHE": str(folder / "cache"), "COLUMNS": "100", **environment}
    done = subprocess.run(command, cwd=folder, env={**os.environ, **settings}, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    return done.stdout


@pytest.mark.thorough
def test_cp1252(tmp_path):
    """With the encoding of Windows' western systems, commands write the same bytes, and no file is opened with it."""
    (tmp_path / "hyp").write_text(TEXT, encoding="utf-8")
    (tmp_path / "ref").write_text(TEXT.replace("Die", "Eine"), encoding="utf-8")
    row = json.dumps({"hyp": TEXT, "ref": TEXT}, ensure_ascii=False)
    (tmp_path / "data.jsonl").write_text(f"{row}\n", encoding="utf-8")
    (tmp_path / "mine.yaml").write_text("# „café“\npresets: {mine: {extends: meteor-2005}}\n", encoding="utf-8")
    usual = _output(tmp_path, PYTHONUTF8="1")
    page = (tmp_path / "page.html").read_bytes()
    status = re.findall(rb"^status (\d)$", usual, re.MULTILINE)
    assert status == [b"0"] * (len(COMMANDS) - 1) + [b"2"]
    assert "日本語" in usual.decode()
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    western = _output(tmp_path, *strict, PYTHONUTF8="0", PYTHONIOENCODING="cp1252", LC_ALL="C", PYTHONCOERCECLOCALE="0")
    assert western == usual
    assert (tmp_path / "page.html").read_bytes() == page
