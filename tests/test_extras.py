"""Packages that only some parts work with."""

from __future__ import annotations

import io
import socket
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import ClassVar

import pytest

from meteorlib import ParameterConfig, Scorer, ScorerConfig, StageConfig
from meteorlib.errors import ExtraMissing
from meteorlib.extras import import_extra, installed_versions, offline


def test_a_missing_package():
    """A missing module or version is named with the extra that installs it."""
    message = r"no_such_package is not installed: run  pip install 'meteorlib\[some\]'"
    with pytest.raises(ExtraMissing, match=message):
        import_extra("no_such_package.part", "some")
    with pytest.raises(ExtraMissing, match=message):
        installed_versions(["attrs", "no_such_package"], "some")


def test_warnings_of_a_package(tmp_path, monkeypatch):
    """Warnings of a package during its import, such as deprecations, are not shown."""
    (tmp_path / "package_that_warns.py").write_text("import warnings\nwarnings.warn('old')\nanswer = 42\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert import_extra("package_that_warns", "some").answer == 42


def test_versions():
    """Versions are those of the packages that are installed."""
    assert installed_versions(["attrs", "numpy"], "some") == {"attrs": version("attrs"), "numpy": version("numpy")}


class Letters:
    """A text mode as a third party writes it: its words are those of a dictionary."""

    versions: ClassVar = {"letter-dictionary": "2.0 (b|c)"}

    def __init__(self, language, prefixes):
        pass

    def words(self, line):
        return list(line.replace(" ", ""))


class Vowels:
    """A stemmer as a third party writes it."""

    versions: ClassVar = {"vowels": "3"}

    def __call__(self, word):
        return word.translate(str.maketrans("aeiou", "aaaaa"))


def test_third_parties(registered):
    """Packages used by a text mode or a part are in the signature; METEOR 1.5 has no name for them."""
    registered("texts", "letters", Letters)
    stages = [StageConfig("exact"), StageConfig("stem", 0.5, "snowball-en")]
    config = ScorerConfig("mine", stages, ParameterConfig(0.5, 1, 0.5), text="letters")
    text = "text:letters(letter-dictionary=2.0%20%28b%7Cc%29)"
    plain, given = Scorer(config), Scorer(config, given={"stem": Vowels()})
    assert plain.signature.numbers.split("|")[1:3] == [text, "stages:exact*1.0,stem(snowball-en)*0.5"]
    stages = "stages:exact*1.0,stem(given=tests.test_extras.Vowels,vowels=3)*0.5"
    assert given.signature.numbers.split("|")[1:3] == [text, stages]
    assert plain.signature.eval_id is None


def asks():
    return input("Do you wish to run the custom code? [y/N] ")


def looks_up():
    return socket.getaddrinfo("localhost", 9)


def connects():
    with socket.socket() as made:
        return made.connect_ex(("127.0.0.1", 9))


@pytest.mark.parametrize(
    ("act", "reason"), [(asks, "asks on standard input"), *((one, "uses the network") for one in (looks_up, connects))]
)
def test_offline(act, reason, monkeypatch):
    """While a package loads something it neither asks nor connects; other threads, and it later, may do so."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 4))
    act()
    with offline():
        with offline():
            pass
        with pytest.raises(RuntimeError, match=f"^it {reason} to load this, which meteorlib does not allow"):
            act()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(act).result()
    act()
