"""Hypotheses in other segments than the references, with mweralign, or with a package in its place."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import meteorlib
from meteorlib.errors import ExtraMissing, InputMismatch
from meteorlib.inputs import resegmentation
from meteorlib.inputs.resegmentation import resegmented

PRESET = ("--preset", "nltk")
REFS = ("the cat sat on the mat", "dogs bark at night", "he went home early", "it rains again")
TEXT = ("the cat sat", "on a mat dogs", "bark he went early home it rains")
DOCUMENTS = ("a", "a", "b", "b")
TALKS = ("the cat sat on a mat dogs bark", "he went early home it rains")
SEGMENTS = ("the cat sat on a mat", "dogs bark", "he went early home", "it rains")
SGML = '<refset setid="s" srclang="de" trglang="en">\n{}</refset>\n'.format(
    "".join(
        f'<doc docid="{name}" refid="r">\n<seg id="1">{one}</seg>\n<seg id="2">{two}</seg>\n</doc>\n'
        for name, one, two in (("a", *REFS[:2]), ("b", *REFS[2:]))
    )
)


def divide(lines, _options):
    """A number of words for each segment of a document; the last one has the rest."""
    for text, number in zip(lines["-t"], dict.fromkeys(lines["-d"]), strict=True):
        words, count = text.split(), lines["-d"].count(number)
        size = len(words) // count
        yield from (" ".join(words[at * size : (at + 1) * size if at + 1 < count else None]) for at in range(count))


@pytest.fixture
def package(monkeypatch):
    """Puts a command in the place of mweralign's."""

    def install(command=divide):
        def run(arguments, **_settings):
            options = dict(pairwise(arguments))
            lines = {name: Path(options[name]).read_text("utf-8").split("\n")[:-1] for name in ("-r", "-t", "-d")}
            found = command(lines, {"-m": arguments[-1]})
            printed = "".join(f"{line} \n" for line in ([] if isinstance(found, tuple) else found))
            status, error = found if isinstance(found, tuple) else (0, "")
            return subprocess.CompletedProcess(arguments, status, printed.encode(), error.encode())

        monkeypatch.setattr(resegmentation, "subprocess", SimpleNamespace(run=run))
        monkeypatch.setattr(resegmentation, "installed_versions", lambda *_: {"mweralign": "7"})

    return install


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(tmp_path / "files")
    contents = {
        "ref": REFS,
        "again": REFS,
        "text": TEXT,
        "talks": TALKS,
        "documents": DOCUMENTS,
        "segments": SEGMENTS,
        "ref.sgm": [SGML],
    }
    for name, lines in contents.items():
        (tmp_path / "files" / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path / "files"


def scores(output):
    """The output without the signature."""
    return [line for line in output.splitlines() if not line.startswith("signature")]


def test_segments_of_a_text_and_of_documents(package):
    package()
    whole = ["the cat sat", "on a mat", "dogs bark he", "went early home it rains"]
    assert resegmented("x", TEXT, [[ref] for ref in REFS], ()) == (whole, [])
    by_talk = ["the cat sat on", "a mat dogs bark", "he went early", "home it rains"]
    assert resegmented("x", TALKS, [[ref] for ref in REFS], DOCUMENTS) == (by_talk, [])
    mixed = [by_talk[0], by_talk[2], by_talk[1], by_talk[3]]
    assert resegmented("x", TALKS, [[REFS[place]] for place in (0, 2, 1, 3)], ("a", "b", "a", "b")) == (mixed, [])
    segments, (note,) = resegmented("x", TEXT, [[ref] for ref in REFS], DOCUMENTS)
    assert segments == whole
    assert note.startswith("x has 3 lines for 2 documents: it is resegmented as one text; with a line for each")


def test_documents_in_another_order(package):
    """A text that clearly matches the references of another document is noted; one without words is not."""
    package()
    references = [[ref] for ref in REFS]
    _, (note,) = resegmented("x", TALKS[::-1], references, DOCUMENTS)
    assert note == (
        "line 1 of x has the place of document 'a', but matches 'b' clearly better: put the documents into the order "
        "of the references"
    )
    assert resegmented("x", ("", TALKS[1]), references, DOCUMENTS)[1] == []


@pytest.mark.parametrize(
    ("references", "written"),
    [
        ([["a"], ["b", "c ### d", "e"]], ["a ### a ### a", "b ### c ## d ### e"]),
        ([["a\tb\r c"], ["d\u2028\xa0e"]], ["a b c", "d\u2028\xa0e"]),
        ([["", "a"], ["b", "c"]], ["a ### a", "b ### c"]),
        ([["a"], [""], ["b"]], ["a", "", "b"]),
        ([["a"], [""], [""]], ["a"]),
    ],
)
def test_references_as_the_command_reads_them(package, references, written):
    """The command fails if numbers of references differ, and leaves out the last segments if theirs are empty."""

    def command(lines, options):
        assert lines["-r"] == written
        return divide(lines, options)

    package(command)
    segments, _ = resegmented("x", ["v w x y z"], references, ())
    assert len(segments) == len(references)
    assert " ".join(filter(None, segments)) == "v w x y z"


@pytest.mark.parametrize(
    ("text", "tokenizer"), [("the cat", "none"), ("猫坐在垫子上他很早就回家了", "cj"), ("고양이가 매트 위에", "none")]
)
def test_tokenizer_of_the_script(package, text, tokenizer):

    def command(lines, options):
        assert options == {"-m": tokenizer}
        return divide(lines, options)

    package(command)
    assert resegmented("x", [text], [[text]], ()) == ([text], [])


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ((1, "AS-WER\nno memory\n"), "--resegment: mweralign ended with 1: no memory"),
        ((-6, ""), "--resegment: mweralign ended with -6: "),
        (["the cat"], "--resegment: mweralign did not return the text of x in 4 segments"),
        (["the"] * 4, "--resegment: mweralign did not return the text of x in 4 segments"),
    ],
)
def test_failures_of_the_command(package, command, message):
    package(lambda *_: command)
    with pytest.raises(InputMismatch) as raised:
        resegmented("x", TEXT, [[ref] for ref in REFS], ())
    assert str(raised.value) == message


def test_what_cannot_be_resegmented(package):
    package()
    with pytest.raises(InputMismatch, match="the references of document 'b' are empty"):
        resegmented("x", TALKS, [["a"], ["a"], [""], [""]], DOCUMENTS)
    with pytest.raises(InputMismatch, match="3 labels of documents but 4 segments"):
        resegmented("x", TALKS, [[ref] for ref in REFS], DOCUMENTS[:3])


def test_package_that_is_missing(monkeypatch, files, refused):
    monkeypatch.setattr(resegmentation, "installed_versions", missing)
    message = "meteorlib: mweralign is not installed: run  pip install 'meteorlib[resegment]'\n"
    assert refused("score", "text", "-r", "ref", "--resegment") == message
    with pytest.raises(ExtraMissing):
        meteorlib.compare({"a": TEXT}, REFS, resegment=True)


def missing(_packages, extra):
    raise ExtraMissing("mweralign", extra)


@pytest.mark.parametrize(
    "options",
    [
        ("talks", "-r", "ref", "--by", "document=documents"),
        ("talks", "-r", "ref.sgm"),
        ("text", "-r", "ref"),
        ("text", "-r", "ref", "-r", "again"),
    ],
)
def test_commands_and_python_score_the_segments(package, files, printed, options):
    package()
    by_document = options[0] == "talks"
    lines, documents = (TALKS, DOCUMENTS) if by_document else (TEXT, ())
    segments, _ = resegmented("x", lines, [[ref] for ref in REFS], documents)
    (files / "divided").write_text("".join(f"{segment}\n" for segment in segments))
    found = printed("score", *options, "--resegment", *PRESET)
    assert scores(found) == scores(printed("score", "divided", *options[1:], *PRESET))
    assert found.endswith(f"|refs:{options.count('-r')}|resegment:mweralign-7\n")
    compared = (
        printed("compare-presets", *options[:3], "--presets", "nltk,meteor-2005", "--resegment")
        if not by_document
        else ""
    )
    assert compared.count("|resegment:mweralign-7") == compared.count("preset:")
    groups = {"document": documents} if documents else None
    of_lists = meteorlib.compare({"x": lines}, REFS, "nltk", resegment=True, groups=groups)
    assert (
        of_lists.comparison.systems[0].score
        == meteorlib.compare({"x": segments}, REFS, "nltk").comparison.systems[0].score
    )
    assert of_lists.signature.endswith("|refs:1|resegment:mweralign-7")
    page = meteorlib.report({"x": lines}, REFS, "nltk", resegment=True, groups=groups)
    assert "refs:1|resegment:mweralign-7" in page


def test_command_that_identify_names(package, files, ok):
    package()
    found = ok("identify", "0.50", "text", "-r", "ref", "--resegment", "--preset", "nltk").out
    assert "meteorlib score text -r ref --resegment --preset nltk" in found


def test_part_of_resegmented_documents(package, files, printed):
    package()
    arguments = ("-r", "ref", "--by", "document=documents", *PRESET, "--resegment", "--score-only")
    (files / "one").write_text(f"{TALKS[1]}\n")
    (files / "its").write_text("".join(f"{ref}\n" for ref in REFS[2:]))
    kept = printed("score", "talks", *arguments, "--keep", "document=b")
    assert kept == printed("score", "one", "-r", "its", *PRESET, "--resegment", "--score-only")
    found = meteorlib.compare(
        {"x": TALKS}, REFS, "nltk", groups={"document": DOCUMENTS}, keep="document=b", resegment=True
    )
    assert f"{found.comparison.systems[0].score:.4f}\n" == kept


def test_several_systems_in_tables_with_ids(package, files, printed):
    package()
    rows = "".join(f"{name},{number},{ref}\n" for number, (name, ref) in enumerate(zip(DOCUMENTS, REFS, strict=True)))
    (files / "ref.csv").write_text(f"doc_id,segment_id,ref\n{rows}")
    found = printed("score", "talks", "text", "-r", "ref.csv", "--ref-column", "ref", "--resegment", *PRESET, "-q")
    plain = printed("score", "talks", "text", "-r", "ref", "--resegment", *PRESET, "-q")
    (score,), (same,) = (
        {line.split()[1] for line in output.split("\n\n")[0].splitlines() if line.startswith("text ")}
        for output in (found, plain)
    )
    assert score == same
    assert "resegment:mweralign-7" in found


def test_what_is_no_text(package, files, refused):
    package()
    message = "meteorlib: --resegment: ref.sgm must be text, in a file without the references: give these as REF (-r)\n"
    assert refused("score", "ref.sgm", "-r", "ref", "--resegment") == message
    message = "meteorlib: --resegment: text must be text, in a file without the references: give these as REF (-r)\n"
    assert refused("score", "text", "--resegment") == message


ADVICE = "add --resegment, which needs pip install 'meteorlib[resegment]'\n"


@pytest.mark.parametrize(
    "arguments", [("text", "-r", "ref"), ("text", "-r", "ref", "-r", "again"), ("text", "-r", "ref.sgm")]
)
def test_error_of_lengths_names_the_option(files, refused, arguments):
    assert refused("score", *arguments).endswith(ADVICE)


@pytest.mark.parametrize("arguments", [("segments", "-r", "ref", "-r", "text"), ("ref.sgm", "-r", "text")])
def test_other_errors_of_lengths_do_not(files, refused, arguments):
    assert "--resegment" not in refused("score", *arguments)


def test_segments_of_mweralign(files, printed):
    """The segments are those of its own command."""
    pytest.importorskip("mweralign")
    assert resegmented("x", TEXT, [[ref] for ref in REFS], ()) == ([*SEGMENTS], [])
    command = [sys.executable, "-m", "mweralign.mweralign", "-r", "ref", "-m", "none"]
    for options, arguments in {
        ("-t", "text"): ("text",),
        ("-t", "talks", "-d", "documents"): ("talks", "--by", "document=documents"),
    }.items():
        ended = subprocess.run([*command, *options], capture_output=True, check=True, text=True)
        (files / "divided").write_text("".join(f"{line.strip()}\n" for line in ended.stdout.splitlines()))
        ours = printed("score", arguments[0], "-r", "ref", "--resegment", *PRESET, "--score-only")
        assert ours == printed("score", "divided", "-r", "ref", *PRESET, "--score-only")


def test_references_of_any_number_with_mweralign():
    """Numbers that differ, and empty ones, end its process if they are not prepared."""
    pytest.importorskip("mweralign")
    references = [["a c", "b", "d"], ["e"], [""], ["f g", ""], [""], [""]]
    segments, _ = resegmented("x", ["a c e", "### f h"], references, ())
    assert len(segments) == 6
    assert "".join(segments).replace(" ", "") == "ace###fh"
    assert segments[4:] == ["", ""]
