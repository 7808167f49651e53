"""One spelling: American."""

from __future__ import annotations

import re

BRITISH = re.compile(
    r"""
    analys(?:e[dr]?|ing|able)$ | paralys(?:e|ing)
    | (?:normal|organ|optim|serial|token|summar|minim|maxim|penal|general|special|util|recogn|synchron|vector|final
      | real|custom|categor|standard|visual|memor|priorit|symbol|local|capital|character|emphas|parallel)is
      (?:e[drs]?|ing|ation)
    | (?:behavi|col|fav|flav|hon|lab|neighb|rum|vap)our
    | licence | catalogue | artefact | judgement | programmes?$ | (?:def|off|pret)ence
    | centre | fibre | theatre | litre | (?:cancel|label|model|travel)l(?:ed|ing)
    | ^(?:grey|whilst|amongst|learnt|spelt|fulfil)$ | sceptic
    """,
    re.VERBOSE,
)

FOREIGN = re.compile(
    r"/_snowball/|/resources/data/|^tests/(?:golden|data)/|^tests/resources/(?:english|porter)_stemmer"
)
"""Code of others, and texts to be scored."""

FOLDERS = ("meteorlib", "tests", "tools", "benchmarks", "docs", "configs", "examples")


def test_american(root):
    """Everything is spelled as Americans do; others' folder of judgements, a benchmark and a unit keep their names."""
    files = [*root.glob("*.md"), *root.glob("*.toml"), root / "setup.py"]
    for ending in ("py", "pyi", "pyx", "pxi", "pxd", "md", "yaml", "sh"):
        files += [file for folder in FOLDERS for file in (root / folder).rglob(f"*.{ending}")]
    places: dict[str, str] = {}
    for file in files:
        name = file.relative_to(root).as_posix()
        if not FOREIGN.search(name) and name != "tests/test_spelling.py":
            text = re.sub('"judgements"|benchmarks.offences|litre liter', "", file.read_text("utf-8")).lower()
            places |= dict.fromkeys(re.findall("[a-z]+", text), name)
    assert len(files) > 300
    assert {word: place for word, place in places.items() if BRITISH.search(word)} == {}


def test_the_list():
    """The list finds British forms, and no American ones."""
    british = ("analyse", "analysed", "normalising", "colours", "neighbour", "licence", "judgements", "programme")
    assert all(map(BRITISH.search, british))
    american = ("analyses", "analysis", "analyzed", "coloring", "license", "judgment", "raise", "promise", "programmed")
    assert not any(map(BRITISH.search, american))
