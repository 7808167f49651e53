"""Phrase tables made for a test, and the files that come of them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from meteorlib.universal.parex import FINAL, FOREIGN_WORDS, GROUPED, RAW, TARGET_WORDS, Parex
from meteorlib.universal.texts import Text

EXAMPLE = """\
la maison ||| the house ||| .5 .1 .4 .1
la maison ||| the home ||| .25 .1 .3 .1
maison ||| house ||| .5 .1 .6 .1
maison ||| home ||| .125 .1 .25 .1
demeure ||| house ||| .1 .1 .3 .1
demeure ||| home ||| .2 .1 .5 .1
voiture ||| car ||| .7 .1 .8 .1
voiture ||| vehicle ||| .0005 .1 .15 .1
vehicule ||| vehicle ||| .9 .1 .9 .1
vehicule ||| car ||| .3 .1 .05 .1
vehicule ||| red car ||| .3 .1 .05 .1
maison . ||| house . ||| .5 .1 .5 .1
bad ||| row
""".splitlines()
WANTED = "the house\nhome\ncar\nvehicle\nred car\n"
FOREIGN = " ".join(["la"] * 10 + [f"w{number}" for number in range(2000)])
TARGET = FOREIGN.replace("la", "the")
FILES = (FOREIGN_WORDS, TARGET_WORDS, RAW, GROUPED, FINAL)


@pytest.fixture
def parex(tmp_path) -> Callable[..., dict[str, list[str]]]:
    """Rows, wanted text, two corpora → the lines of each file."""

    def made(
        rows: Iterable[str], wanted: str, foreign: str = FOREIGN, target: str = TARGET, skipped=None, **settings
    ) -> dict[str, list[str]]:
        texts = write(tmp_path, rows, wanted, foreign, target)
        out = tmp_path / "ours"
        out.mkdir()
        files = Parex(out)
        files.words(texts["f"], texts["e"])
        files.pivot(texts["t.gz"], texts["wanted"], skipped=(skipped if skipped is not None else []).append, **settings)
        files.combine()
        return lines_of(out)

    return made


def write(folder: Path, rows: Iterable[str], wanted: str, foreign: str, target: str) -> dict[str, Text]:
    """The files that Parex reads, by name."""
    table = gzip.compress("".join(f"{row}\n" for row in rows).encode())
    contents = {"t.gz": table, "wanted": wanted.encode(), "f": foreign.encode(), "e": target.encode()}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: Text.open(str(folder / name), lower=False) for name in contents}


def lines_of(folder: Path) -> dict[str, list[str]]:
    """The lines of each of Parex's files."""
    return {
        name: (gzip.decompress(data) if name.endswith(".gz") else data).decode().split("\n")[:-1]
        for name in FILES
        for data in [(folder / name).read_bytes()]
    }
