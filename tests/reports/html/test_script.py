"""The scripts of the report keep the rules of `meteorlib.reports.html.template.script`, which shortens them."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise

import pytest

from meteorlib.reports.html.template import SCRIPTS, script
from tests.conftest import ROOT

BLOCK = re.compile(r" *(?:(?:async )?function |if |for |while |switch |try |\} (?:else|catch|finally) |\w+\(.*\) \{)")
"""Beginning of a statement that ends with } and no semicolon."""


def broken_rules(text):
    """Lines of a script that break a rule, each with the rule."""
    lines, heads, within = text.splitlines(), {}, False
    for line, following in pairwise([*lines, ""]):
        code = line.strip()
        if within or code.startswith("/**"):
            if not code.startswith(("/**", "* ", "*/")) or ("*/" in code and not code.endswith("*/")):
                yield "comment", line
            within = "*/" not in code
        elif not code.startswith("//"):
            if code.startswith(("* ", "*/")) or re.search(r" // .*[,;{}(\[]$", code):
                yield "comment", line
            if code.count("`") % 2:
                yield "template", line
            if ";}" in code or any(" => " in text for text in re.findall(r"\"[^\"]*\"|'[^']*'", code)):
                yield "arrow", line
            indentation = len(line) - len(line.lstrip())
            if code != "}":
                heads[indentation] = line
            ends = code.endswith("}") and not re.match(r"\s*[?:&|.+]", following)
            if ends and not BLOCK.match(heads.get(indentation, "")):
                yield "semicolon", line


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_keep_the_rules(name):
    """No line of a script breaks a rule."""
    assert not list(broken_rules((ROOT / "meteorlib" / "reports" / "html" / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("f(); // first, then {", "comment"),
        ("/** One\n two */", "comment"),
        ("/** One */ f();", "comment"),
        ("const a = b\n* c;", "comment"),
        ("const a = `one\ntwo`;", "template"),
        ('f("a => b");', "arrow"),
        ('f("{a;}");', "arrow"),
        ("const f = {a: 1}\nf();", "semicolon"),
        ("const f = (a) => {\n  f(a);\n}", "semicolon"),
        ("if (a) {\n  const f = {\n    a,\n  }\n}", "semicolon"),
    ],
)
def test_broken_rules_are_found(text, rule):
    """Each rule is found where a script breaks it."""
    assert rule in {found for found, _ in broken_rules(text)}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_shortened_script_can_be_parsed():
    """The shortened script is JavaScript."""
    subprocess.run(["node", "--check", "-"], input=script(), text=True, encoding="utf-8", check=True)
