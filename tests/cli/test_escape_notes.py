"""Notes on escaped or tokenized input, and ``--unescape``."""

from __future__ import annotations

import json

import pytest

TOKENIZED = "I do n't know .\nIt is so .\nTom 's dog .\n"
ESCAPED = "I don't know.\nIt is &quot;so&quot;.\nTom's dog.\n"
MEND = "; if so, add --unescape, which restores the text on both sides\n"
TOKENIZED_NOTE = f"note: hyp seems to have tokenized text (do n't in segment 1, the first of 2 such segments){MEND}"
ESCAPED_NOTE = f"note: ref seems to have escaped text (&quot; in segment 2){MEND}"


@pytest.fixture(autouse=True)
def texts(files):
    """A tokenized hypothesis and an escaped reference."""
    files(hyp=TOKENIZED, ref=ESCAPED, other=ESCAPED.replace("&quot;", '"'))


def test_notes(run):
    """Each file that looks so has one note, with the first line and what to type; with --quiet none has."""
    assert run("score", "hyp", "-r", "ref").err == TOKENIZED_NOTE + ESCAPED_NOTE
    assert run("score", "hyp", "-r", "ref", "-q").err == ""
    assert run("score", "other", "-r", "other").err == ""


@pytest.mark.parametrize("preset", ["meteor-2005", "nltk", "meteor-1.5-en-core"])
def test_unescape(run, preset):
    """--unescape changes score and signature and ends the notes; METEOR 2026 does it unasked."""
    noted = run("score", "hyp", "-r", "ref", "-p", preset, "-f", "json")
    mended = run("score", "hyp", "-r", "ref", "-p", preset, "-f", "json", "--unescape")
    assert "--unescape" in noted.err
    assert mended.err == ""
    noted, mended = json.loads(noted.out), json.loads(mended.out)
    assert mended["score"] != noted["score"]
    assert "|text:unescaped-" in mended["signature"]
    assert "unescaped" not in noted["signature"]


def test_meteor_2026(run):
    """METEOR 2026 unescapes by itself: no note, and --unescape changes nothing."""
    done = run("score", "hyp", "-r", "ref", "-p", "meteor-2026-en-core")
    assert done.err == ""
    assert run("score", "hyp", "-r", "ref", "-p", "meteor-2026-en-core", "--unescape") == done


@pytest.mark.parametrize("command", [("score", "-n", "10"), ("report", "-o", "out.html", "-n", "10")])
def test_other_metrics(run, command):
    """A note says if other metrics score text as it is where METEOR restores it."""
    pytest.importorskip("sacrebleu")
    name, *options = command
    done = run(name, "hyp", "other", "-r", "ref", "-p", "meteor-2026-en-core", "--metric", "bleu", *options)
    advice = (
        "; METEOR restores the text before scoring, but bleu scores it as it is; "
        "to restore a file, use meteorlib.unescape\n"
    )
    assert TOKENIZED_NOTE.replace(MEND, advice) + ESCAPED_NOTE.replace(MEND, advice) in done.err


def test_spaces(run, files):
    """Other spaces than blanks are noted where they do not separate words."""
    files(glued="a\u00a0b\n", plain="a b\n")
    noted = run("score", "glued", "-r", "plain", "-p", "meteor-2005")
    assert noted.err == f"note: glued seems to have spaces other than blanks (a⟨U+00A0⟩b in segment 1){MEND}"
    assert run("score", "glued", "-r", "plain", "-p", "meteor-1.5-en-core").err == ""


def test_sample(run, files):
    """A note says if only the first segments were looked at."""
    files(long="cafe\u0301 &amp;\n" * 40_000, plain="café &\n" * 40_000)
    noted = run("score", "long", "-r", "plain", "-p", "meteor-2005").err
    assert "(&amp; in segment 1, the first of 40,000 such segments)" in noted
    assert "(cafe⟨U+0301⟩ in segment 1, the first of 10," in noted
    assert " such segments among the first 10," in noted


def test_unescape_of_a_file_of_presets(run, files):
    """--unescape goes with --config, too."""
    files(mine="presets:\n  mine:\n    extends: meteor-2005\n")
    done = run("score", "hyp", "-r", "ref", "--config", "mine", "--unescape")
    assert (done.status, done.err) == (0, "")
    assert "|text:unescaped-lower|" in done.out


def test_several_systems(run):
    """Files that systems share are noted once."""
    done = run("score", "hyp", "other", "-r", "ref", "-n", "10")
    assert done.err == TOKENIZED_NOTE + ESCAPED_NOTE


def test_tables(run, files):
    """Columns of a table are noted by their names, and by the number of the row."""
    rows = zip(TOKENIZED.splitlines(), ESCAPED.splitlines(), strict=True)
    files(**{"data.tsv": "mt\tref\n" + "".join(f"{mt}\t{ref}\n" for mt, ref in rows)})
    done = run("score", "data.tsv", "--hyp-column", "mt", "--ref-column", "ref")
    assert done.err == TOKENIZED_NOTE.replace("hyp", "data.tsv, column 'mt',") + ESCAPED_NOTE.replace(
        "ref seems", "data.tsv, column 'ref', seems"
    )


def test_report(run):
    """The report notes it, too, and takes --unescape."""
    done = run("report", "hyp", "-r", "ref", "-o", "page.html")
    assert done.err.startswith(TOKENIZED_NOTE + ESCAPED_NOTE)
    done = run("report", "hyp", "-r", "ref", "-o", "page.html", "--unescape")
    assert "note:" not in done.err


def test_explain(run):
    """--unescape explains what a score with it counts."""
    assert "do n't" not in run("explain", "I do n't", "-r", "I don't", "--unescape").out
    assert "n't" in run("explain", "I do n't", "-r", "I don't").out
