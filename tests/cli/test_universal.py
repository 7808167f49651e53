"""``meteorlib universal``."""

from __future__ import annotations

import gzip
import sys

import pytest

from meteorlib.resources.store.shared_files import file_lock
from tests.universal.conftest import EXAMPLE, FOREIGN, TARGET, WANTED

COMMAND = ("universal", "build", "out", "--foreign", "f", "--target", "e")
TABLE = ("--phrase-table", "t", "--test-corpus", "wanted")


@pytest.fixture
def example(files):
    """The worked example, as files; the table is not packed."""
    files(f=FOREIGN, e=TARGET, t="".join(f"{row}\n" for row in EXAMPLE), wanted=WANTED)


def test_build(run, example, tmp_path):
    """The command reports the files that it made and the rows that it skipped."""
    done = run(*COMMAND, *TABLE)
    assert (done.status, done.out) == (0, "out: 7 paraphrases of 6 phrases; out/report.txt describes them\n")
    assert "t:13: a row has at least three fields between |||; here are 2; the row is skipped\n" in done.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"function.words", "paraphrase.gz", "report.txt"}


def test_minimum(run, example, tmp_path):
    """A larger minimum leaves less."""
    assert run(*COMMAND, *TABLE, "--min-probability", "0.2").out.startswith("out: 2 paraphrases of 2 phrases")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--phrase-table", "nowhere"), "nowhere: no such file"),
        (("--phrase-table", "f"), "f: no row can be read; is it a Moses phrase table? f:1: a row has at least three"),
        (("--phrase-table", "bad"), "bad:2: byte 0xFF at offset 8 is not UTF-8"),
        (("--phrase-table", "short.gz"), "short.gz: cannot be read to its end: the compressed data are cut off"),
        (("--phrase-table", "empty"), "empty: is empty; a phrase table has rows"),
        ((), "eflomal is not installed: run  pip install 'meteorlib[universal]'"),
        ((*TABLE, "--min-probability", "2"), "'--min-probability'"),
    ],
)
def test_mistakes(refused, example, files, monkeypatch, arguments, message):
    """A user's mistake ends with one message."""
    monkeypatch.setitem(sys.modules, "eflomal", None)
    files(bad=b"a ||| b\n\xff", empty="", **{"short.gz": gzip.compress(b"f ||| e ||| 1 1 1\n" * 99)[:-9]})
    assert message in refused(*COMMAND, *arguments)


def test_interrupted(run, refused, example, monkeypatch):
    """An interruption prints that the same command continues the build."""

    def interrupted(_self):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("meteorlib.universal.parex.Parex.combine", interrupted)
        done = run(*COMMAND, *TABLE)
    assert done.status == 130
    message = "meteorlib: interrupted; out is not complete; run the same command again to continue\n"
    assert done.err.endswith(message)
    assert run(*COMMAND, *TABLE).status == 0
    assert "out: already exists" in refused(*COMMAND, *TABLE)


def test_folder_in_use(run, example, tmp_path):
    """A folder in which another process builds is refused at once, and left as it is."""
    work = tmp_path / "out" / "work"
    work.mkdir(parents=True)
    with file_lock(work / "lock"):
        done = run(*COMMAND, *TABLE)
    message = "meteorlib: out: another process is building it; wait for it, or name another folder\n"
    assert (done.status, done.out, done.err) == (2, "", message)
    assert {path.name for path in work.iterdir()} <= {"lock"}
    assert run(*COMMAND, *TABLE).status == 0


def test_many_bad_rows(run, example, files):
    """Unreadable rows are reported: the first few, and their number."""
    files(t="bad\n" * 25 + "".join(f"{row}\n" for row in EXAMPLE))
    err = run(*COMMAND, *TABLE).err
    assert err.count("the row is skipped") == 10
    assert "26 rows cannot be read and are skipped" in err


def test_filter(run, files, tmp_path):
    """The entries that a reference needs are written."""
    files(table=".5\nthe cat\nthe dog\n1\na\nb\n", ref="See the Cat.\n", other="x\n")
    done = run("universal", "filter", "table", "small.gz", "ref", "other")
    assert (done.status, done.out) == (0, "small.gz: 1 of 2 paraphrases\n")
    assert gzip.decompress((tmp_path / "small.gz").read_bytes()) == b".5\nthe cat\nthe dog\n"


def test_function_words(run, files):
    """The words of a corpus that are more than a thousandth of all, in small letters, the most frequent one first."""
    rare = " ".join(f"w{number}" for number in range(1000))
    files(corpus=f"The The cat .\nof {rare}\n")
    done = run("universal", "function-words", "corpus")
    assert (done.status, done.out, done.err) == (0, "the\n", "")


def test_function_words_of_a_preset(run, files):
    """With a preset the corpus is split as it splits text: it needs not be tokenized."""
    rare = " ".join(f"w{number}" for number in range(1500))
    files(corpus=f"Le chat, le chat, l'eau.\nL'air, {rare}\n")
    done = run("universal", "function-words", "corpus", "--preset", "meteor-1.5-fr-core")
    assert (done.status, done.out.split()) == (0, [",", "chat", "l'", "le"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere: no such file"),
        (("empty",), "empty: has no words; a corpus of the language is needed"),
        (("bad",), "bad:2: byte 0xFF at offset 3 is not UTF-8"),
        (("empty", "--preset", "meteor-xx"), "unknown preset 'meteor-xx'"),
    ],
)
def test_no_function_words(refused, files, arguments, message):
    """An invalid corpus or preset causes one message, and nothing is printed."""
    files(empty="", bad=b"a\nb\xff")
    assert message in refused("universal", "function-words", *arguments)
