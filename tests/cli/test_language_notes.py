"""Notes on presets for another language than the data declare."""

from __future__ import annotations

import pytest

TABLE = "LP\thyp\tref\nen-de\ta\ta\nen-cs\tb\tb\nen-de\tc\tc\n"
COLUMNS = ("--hyp-column", "hyp", "--ref-column", "ref")
LIST = "; `meteorlib languages` lists presets\n"


@pytest.mark.parametrize(
    ("preset", "pairs", "note"),
    [
        ("nltk", ("en-de", "en-cs"), "nltk is for English, but en-de and en-cs are into German and Czech"),
        ("meteor-cs", ("en-de", "en-cs"), "meteor-cs is for Czech, but en-de is into German"),
        ("meteor-cs", ("en-cs", "de-cs_CZ"), ""),
        ("meteor-1.5-cz-core", ("en-cs", "en-cz"), ""),
        ("meteor-nb", ("en-no", "en-nb"), ""),
        ("meteor-other", ("en-de", "de-en"), ""),
        ("nltk", ("news-de", "de", "xx-yy", "de-en-cs"), ""),
    ],
)
def test_tables(run, files, preset, pairs, note):
    """A column of language pairs is compared with the language of the preset, if both are known."""
    files(**{"t.tsv": "LP\thyp\tref\n" + "".join(f"{pair}\ta\ta\n" for pair in pairs)})
    done = run("score", "t.tsv", *COLUMNS, "-p", preset, "-b")
    if "pip install" in done.err:
        pytest.skip(done.err.splitlines()[0])
    assert (done.status, done.err) == (0, note and f"note: {note}{LIST}")


def test_commands(run, files):
    """Commands that score have the same note; one for all presets of a language."""
    files(**{"t.tsv": TABLE})
    note = "{} for English, but en-de and en-cs are into German and Czech" + LIST
    one = note.format("note: nltk is")
    assert run("report", "t.tsv", *COLUMNS, "-p", "nltk", "-n", "10", "-o", "page.html").err.startswith(one)
    done = run("compare-presets", "t.tsv", *COLUMNS, "--presets", "nltk,meteor-de,meteor-2005")
    assert note.format("note: nltk and meteor-2005 are") in done.err
    assert f"note: meteor-de is for German, but en-cs is into Czech{LIST}" in done.err


def test_judgments(run, files):
    """The language pairs of judgments are compared, too; a file without them has none."""
    rows = [f"{lp}\t{n}\t{lp} {n}\t{lp} {n}{lp}\t{n}\n" for lp in ("en-de", "de-en") for n in range(3)]
    files(**{"t.tsv": f"lp\tsegment\thyp\tref\thuman\n{''.join(rows)}", "u.tsv": "segment\thyp\tref\thuman\n"
             "1\ta\ta b\t1\n2\tb\tb\t2\n"})  # fmt: skip
    note = f"note: nltk is for English, but en-de is into German{LIST}"
    assert run("meta-eval", "t.tsv", "-p", "nltk", "-n", "10").err.endswith(note)
    assert "nltk is for" not in run("meta-eval", "t.tsv", "-p", "nltk", "-n", "10", "--lp", "de-en").err
    assert "nltk is for" not in run("meta-eval", "u.tsv", "-p", "nltk", "-n", "10").err
    fitted = ("--fit", "alpha=0.5:0.7:0.1", "--method", "grid", "--objective", "pearson", "-o", "fitted.yaml")
    assert note in run("tune", "t.tsv", "-p", "nltk", *fitted, "-n", "10").err
