"""Notes on escaped or tokenized input, and ``--unescape``."""

from __future__ import annotations

import pytest

from meteorlib.inputs import notes
from meteorlib.inputs.escapes import EscapeFinder
from tests.single_system import single

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


@pytest.mark.parametrize(("quiet", "count"), [(False, 1), (True, 0)])
def test_texts_are_looked_at_once(monkeypatch, quiet, count):
    """Texts that several systems share are looked at once, and none if notes are not shown."""
    made = []
    monkeypatch.setattr(notes, "EscapeFinder", lambda *given: made.append(given) or EscapeFinder(*given))
    watch = notes.Notes(print, quiet=quiet)
    for _ in range(2):
        watch.look("ref", ["a &amp; b"], str)
    assert len(made) == count


@pytest.mark.parametrize("preset", ["meteor-2005", "nltk", "meteor-1.5-en-core"])
def test_unescape(run, preset):
    """--unescape changes score and signature and ends the notes; METEOR 2026 does it unasked."""
    noted = run("score", "hyp", "-r", "ref", "-p", preset, "-f", "json")
    mended = run("score", "hyp", "-r", "ref", "-p", preset, "-f", "json", "--unescape")
    assert "--unescape" in noted.err
    assert mended.err == ""
    noted, mended = single(noted.out), single(mended.out)
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


MARKED = "<start> I do not kn@@ ow . <end>\n<start> It is so . <end>\n<start> Tom has a <unk> dog . <end>\n"
CLEAN = "I do not know .\nIt is so .\nTom has a dog .\n"
CLEANS = "; if so, add --clean, which cleans the text on both sides\n"
MARKED_NOTE = (
    "note: marked seems to have marks of a model's tokenizer (<start> in segment 1, the first of 3 such segments)"
    + CLEANS
)


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core", "meteor-2026-en-core"])
def test_clean(run, files, preset):
    """Marks of a model are noted; --clean removes them, and the signature shows it."""
    files(marked=MARKED, plain=CLEAN)
    noted = run("score", "marked", "-r", "plain", "-p", preset, "-f", "json")
    assert noted.err == MARKED_NOTE
    assert single(noted.out)["score"] < 0.9
    cleaned = run("score", "marked", "-r", "plain", "-p", preset, "-f", "json", "--clean")
    assert cleaned.err == ""
    assert (
        single(cleaned.out)["score"]
        == single(run("score", "plain", "-r", "plain", "-p", preset, "-f", "json").out)["score"]
    )
    assert "|text:cleaned-" in single(cleaned.out)["signature"]
    assert run("explain", "[CLS] so [SEP]", "-r", "so", "-p", preset, "--clean").err == ""


def test_clean_and_unescape(run, files):
    """Both options prepare the text one after the other; each kind of text has a note of its own."""
    files(marked=MARKED.replace("do not", "do n't"), plain=CLEAN.replace("do not", "don't"))
    noted = run("score", "marked", "-r", "plain").err
    assert noted.count("note: ") == 2
    done = run("score", "marked", "-r", "plain", "--clean", "--unescape", "-f", "json")
    assert done.err == ""
    assert "|text:cleaned-unescaped-lower|" in single(done.out)["signature"]
    assert single(done.out)["score"] > 0.99


def test_clean_of_other_commands(run, files):
    """Where there is no --clean, the function is named, and metrics that read the text as it is."""
    pytest.importorskip("sacrebleu")
    files(marked=MARKED, plain=CLEAN)
    done = run("compare-presets", "marked", "-r", "plain", "--presets", "nltk,meteor-2005")
    assert done.err == MARKED_NOTE.replace(CLEANS, "; if so, clean the text on both sides with meteorlib.clean\n")
    done = run("score", "marked", "plain", "-r", "plain", "--clean", "--metric", "bleu", "-n", "10")
    advice = (
        "; METEOR cleans the text before scoring, but bleu scores it as it is; to clean a file, use meteorlib.clean"
    )
    assert done.err == MARKED_NOTE.replace(CLEANS, advice + "\n")


def test_without_remedy(run, files):
    """Damaged characters and quotes around lines are noted with what to do; no option removes them."""
    files(bad='"caf\ufffd"\n"It is so."\n"Yes."\n', plain="café\nIt is so.\nYes.\n")
    done = run("score", "bad", "-r", "plain", "--clean", "--unescape")
    damaged, quoted = done.err.splitlines()
    assert damaged == (
        'note: bad seems to have damaged characters ("caf⟨U+FFFD⟩" in segment 1); they are not what was '
        "written: write the file again, in UTF-8, from the data that it was made of"
    )
    assert quoted == (
        'note: bad seems to have quotes, brackets or a label around most segments ("caf\ufffd" in segment 1, the '
        "first of 3 such segments); if they are no part of the text, write the file without them, a text on each line"
    )


def test_lists(run, files):
    """Lists in lines are noted once: of references, how to read them; of hypotheses, that they should not be there."""
    files(lists="['a dog', 'the dog']\n['a cat', 'the cat']\n['a', 'b']\n", plain="a dog\na cat\nb\n")
    assert run("score", "plain", "-r", "lists").err == (
        "note: line 1 of lists seems to be a list written as text; to read them, add --ref-column 'text:list'\n"
    )
    assert run("score", "lists", "-r", "plain").err.startswith("note: lists seems to have quotes, brackets or a label")


def test_shifted_lines(run, files):
    """A file that lacks a line is noted, with the segments from there on."""
    lines = [f"number {number} of {number * 7} words has {number * 13}\n" for number in range(60)]
    files(hyp="".join([*lines[:20], *lines[21:], "end\n"]), ref="".join(lines), plain="".join([*lines[:-1], "end\n"]))
    done = run("score", "hyp", "plain", "-r", "ref", "-n", "10")
    assert done.err.count("note: ") == 1
    assert (
        "note: hyp seems to be shifted: its segments 21 to 59 match the references 1 line later clearly better"
        in done.err
    )
    assert run("score", "hyp", "-r", "ref", "-q").err == ""


@pytest.mark.parametrize("command", ["score", "report", "compare-presets", "align"])
@pytest.mark.parametrize("form", ["text", "table"])
def test_lines_in_another_order(ok, files, command, form):
    """A file whose lines, without ids, are in another order than the references is noted once, with an example."""
    lines = [f"number {number} of {number * 7} words has {number * 13}\n" for number in range(60)]
    head = ["mt\n"] if form == "table" else []
    files(**{"hyp.tsv": "".join([*head, *sorted(lines)]), "ref": "".join(lines)})
    references = ["ref"] if command == "align" else ["-r", "ref"]
    options = {"report": ["-o", "page.html"], "compare-presets": ["--presets", "meteor-2005,meteor-1.5-en-core"]}
    preset = [] if command == "compare-presets" else ["--preset", "meteor-2005"]
    columns = ["--hyp-column", "mt"] if head else ["--input-format", "text"]
    done = ok(command, "hyp.tsv", *references, *columns, *options.get(command, []), *preset)
    name = "hyp.tsv, column 'mt'," if head else "hyp.tsv"
    assert f"note: {name} seems to be in another order than the references: " in done.err
    assert done.err.count("segments match another reference clearly better than their own, such as segment ") == 1


def test_spaces(run, files):
    """Other spaces than blanks are noted where they do not separate words."""
    files(glued="a\u00a0b\n", plain="a b\n")
    noted = run("score", "glued", "-r", "plain", "-p", "meteor-2005")
    assert noted.err == f"note: glued seems to have spaces other than blanks (a⟨U+00A0⟩b in segment 1){MEND}"
    assert run("score", "glued", "-r", "plain", "-p", "meteor-1.5-en-core").err == ""


def test_sample(run, files):
    """A note says if only the first segments and some of the others were looked at."""
    files(long="cafe\u0301 &amp;\n" * 40_000, plain="café &\n" * 40_000)
    noted = run("score", "long", "-r", "plain", "-p", "meteor-2005").err
    assert "(&amp; in segment 1, the first of 40,000 such segments)" in noted
    assert "(cafe⟨U+0301⟩ in segment 1, the first of 13,000 such segments among 13,000 looked at)" in noted
    files(long="café\n" * 30_000 + "cafe\u0301\n" * 10_000, plain="café\n" * 40_000)
    noted = run("score", "long", "-r", "plain", "-p", "meteor-2005").err
    assert "(cafe⟨U+0301⟩ in segment 34501, the first of 1,000 such segments among 13,000 looked at)" in noted


def test_unescape_of_a_file_of_presets(printed, files):
    """--unescape goes with --config, too."""
    files(mine="presets:\n  mine:\n    extends: meteor-2005\n")
    assert "|text:unescaped-lower|" in printed("score", "hyp", "-r", "ref", "--config", "mine", "--unescape")


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


@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core"])
def test_explained_files(run, preset):
    """`explain --segment` has the notes of `score`, on the whole files."""
    noted = run("score", "hyp", "-r", "ref", "-p", preset)
    assert run("explain", "hyp", "-r", "ref", "--segment", "1", "-p", preset).err == noted.err != ""
    assert run("explain", "hyp", "-r", "ref", "--segment", "1", "-p", preset, "--unescape").err == ""


def test_explained_texts(run):
    """`explain` notes what its texts have; they need no numbers."""
    done = run("explain", "Tom 's caf\u00e9", "-r", "a", "-r", "cafe\u0301")
    assert done.err == (
        f"note: the hypothesis seems to have tokenized text (Tom 's){MEND}"
        f"note: the reference seems to have letters that are not composed (NFC) (cafe⟨U+0301⟩){MEND}"
    )


RESTORE = "; if so, restore the text on both sides with meteorlib.unescape\n"


def test_compared_presets(run):
    """`compare-presets` has the notes of `score`, and says which presets restore the text, if some do."""
    notes = TOKENIZED_NOTE + ESCAPED_NOTE
    done = run("compare-presets", "hyp", "-r", "ref", "--presets", "nltk,meteor-2005")
    assert done.err == notes.replace(MEND, RESTORE)
    done = run("compare-presets", "hyp", "-r", "ref", "--presets", "nltk,meteor-2026-en-core,meteor-2005")
    restores = "; meteor-2026-en-core restores the text before scoring, but nltk and meteor-2005 score it as it is"
    assert done.err == notes.replace(MEND, f"{restores}; to restore a file, use meteorlib.unescape\n")


def test_aligned(run):
    """`align` notes text that a preset makes words of."""
    assert run("align", "hyp", "ref", "-p", "nltk").err == (TOKENIZED_NOTE + ESCAPED_NOTE).replace(MEND, RESTORE)


@pytest.mark.oracle
def test_aligned_without_a_preset(run):
    """Without a preset, `align` expects tokenized text and has no notes."""
    done = run("align", "hyp", "ref")
    if "resources install" in done.err:
        pytest.skip(done.err)
    assert (done.status, done.err) == (0, "")


RATINGS = "segment\tsystem\thyp\tref\thuman\n" + "".join(
    f"{segment}\t{system}\t{hypothesis} {segment}\tIt is &quot;so&quot; {segment}\t{human}\n"
    for segment in "xyz"
    for system, hypothesis, human in (("A", "It is so", 1), ("B", "It 's so", 2))
)
OF_RATINGS = (
    f"note: ratings.tsv (hypotheses) seems to have tokenized text (It 's in segment 'x' of system 'B', the first of 3 "
    f"such texts){RESTORE}"
    f"note: ratings.tsv (references) seems to have escaped text (&quot; in segment 'x', the first of 3 such segments)"
    f"{RESTORE}"
)


def test_judged_texts(run, files):
    """`meta-eval` and `tune` note texts and references of judgments by their segments, a reference once."""
    files(**{"ratings.tsv": RATINGS})
    options = ("-n", "10", "--human-column", "human")
    assert run("meta-eval", "ratings.tsv", "-p", "nltk", *options).err.endswith(OF_RATINGS)
    assert "restore" not in run("meta-eval", "ratings.tsv", "-p", "meteor-2026-en-core", *options).err
    fitted = ("--fit", "alpha=0.5:0.7:0.1", "--method", "grid", "--objective", "pearson", "-o", "fitted.yaml")
    assert run("tune", "ratings.tsv", "-p", "nltk", *fitted, *options).err.endswith(OF_RATINGS)


def test_judged_texts_of_language_pairs(run, files):
    """A note names the language pair of a judged text, if there are several."""
    rows = [row.split("\t") for row in RATINGS.splitlines()]
    lps = ["lp", *["de-en"] * 3, *["fr-en"] * 3]
    table = "".join("\t".join([lp, *row]) + "\n" for lp, row in zip(lps, rows, strict=True))
    files(**{"ratings.tsv": table.replace("It is &quot;so&quot; x", "It is so x").replace("It 's so x", "It is so x")})
    done = run("meta-eval", "ratings.tsv", "-p", "nltk", "-n", "10")
    assert "(&quot; in segment 'y' of de-en, the first of " in done.err


def test_byte_order_marks(run, files):
    """A mark at the beginning of a segment is noted in tables as invisible; in text it has a note of its own."""
    found = "seems to have invisible characters (⟨U+FEFF⟩the in segment 1)"
    files(**{"t.jsonl": '{"mt": "\ufeffthe cat", "ref": "the cat"}\n', "h": "a\n\ufeffthe cat\n", "r": "a\nthe cat\n"})
    done = run("score", "t.jsonl", "--hyp-column", "mt", "--ref-column", "ref")
    assert done.err == f"note: t.jsonl, column 'mt', {found}{MEND}"
    done = run("score", "h", "-r", "r")
    assert done.err.count("note:") == 1
    assert "note: h has a byte order mark (U+FEFF) at the beginning of line 2" in done.err
