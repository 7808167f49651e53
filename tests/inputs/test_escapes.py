"""Detection of text that is escaped, tokenized or in another Unicode form."""

from __future__ import annotations

import pytest

from meteorlib import find_escapes
from meteorlib.config import load_preset
from meteorlib.inputs.escapes import EscapeFinder
from meteorlib.inputs.notes import Notes

PLAIN = [
    "AT&T and R & D ; a@b.c @ home; 5 ; 6",
    "He said 'yes' in the '90s; it's the dogs' toys, 'll see",
    "1-2 - B-52 x=1&y=2; ``quoted''",
] * 40
"""Text with many signs and no marks."""

LOOKS = {
    "Tom &amp; Ann": ("escaped", "&amp;"),
    "say & quot ; yes": ("escaped", "& quot ;"),
    "it is &#39;so": ("escaped", "&#39;"),
    "I do n't": ("tokenized", "do n't"),
    "Tom 's dog": ("tokenized", "Tom 's"),
    "they can ’t": ("tokenized", "can ’t"),
    "well @-@ known": ("tokenized", "@-@"),
    "a -LRB- b": ("tokenized", "-LRB-"),
    "`` yes , '' he said": ("tokenized", "``"),
    "Le cafe\u0301 est pre\u0300s": ("composition", "cafe⟨U+0301⟩"),
    "10 \u212b": ("composition", "⟨U+212B⟩"),
    "\u1112\u1161\u11ab“": ("composition", "\u1112⟨U+1161⟩⟨U+11AB⟩“"),
    "co\u00adoperate": ("invisible", "co⟨U+00AD⟩operate"),
    "a \u200eb\u200f": ("invisible", "⟨U+200E⟩b⟨U+200F⟩"),
    "a\u00a0b c": ("spaces", "a⟨U+00A0⟩b"),
    "\ufeffx y": ("invisible", "⟨U+FEFF⟩x"),
    "a x\ufeffy": ("invisible", "x⟨U+FEFF⟩y"),
    "it\x92s": ("controls", "it⟨U+0092⟩s"),
    "<start> a dog <end>": ("model", "<start>"),
    "a < unk > dog": ("model", "< unk >"),
    "a new@@ er dog": ("model", "new@@"),
    "play ##ing dogs": ("model", "##ing"),
    "Hi.\\nYou": ("model", "Hi.\\nYou"),
    "assistant: Hi": ("model", "assistant:"),
    "startseq a dog endseq": ("model", "startseq"),
    "▁a dog ▁run s": ("model", "▁a"),
    "caf\ufffd": ("damaged", "caf⟨U+FFFD⟩"),
    "\uf0b7 a": ("damaged", "⟨U+F0B7⟩"),
    "a\x1fb \x7f": ("damaged", "a⟨U+001F⟩b"),
    "a \x9d": ("damaged", "⟨U+009D⟩"),
}
"""Line → what it looks like, and why."""


def test_plain_text():
    """Ampersands, apostrophes and hyphens of real text are nothing to note."""
    assert find_escapes(PLAIN) == []


@pytest.mark.parametrize(("line", "looks"), LOOKS.items())
def test_found(line, looks):
    """A line with marks is found, counted, and reported with its number and an example."""
    (found,) = find_escapes([*PLAIN[:60], line, *PLAIN[:7], line])
    assert (found.kind, found.example, found.count, found.first, found.lines) == (*looks, 2, 61, 69)


def test_a_few_marks():
    """One escaped line is reported; tokenized lines are reported if they are at least one in a hundred."""
    assert len(find_escapes([*PLAIN, "&lt;"])) == 1
    assert find_escapes([*PLAIN, "do n't"]) == []
    assert len(find_escapes([*PLAIN[:99], "do n't"])) == 1


@pytest.mark.parametrize("quotes", ['""', "''", "“”", "„“", "«»", "「」"])
def test_quotes(quotes):
    """Quotes around most lines are found, not those around some, nor those of two quotations in a line."""
    opening, closing = quotes
    (found,) = find_escapes([f"{opening}It is so.{closing}"] * 3 + ["It is."] * 2)
    assert (found.kind, found.count, found.first, found.example) == (
        "quoted",
        3,
        1,
        f"{opening}It is so.{closing}"[:12],
    )
    assert find_escapes([f"{opening}It is so.{closing}"] * 2 + ["It is."] * 2) == []
    assert find_escapes([f"{opening}It{closing} is {opening}so{closing}"] * 3) == []
    assert find_escapes([f"{opening}It is so{closing * 2}"] * 3) == []
    several = [f"{opening}It is so.{closing}", *["It is so."] * 200]  # so that the others are not looked at
    assert find_escapes(several + several[:1] * 400) == []
    assert find_escapes([f"{opening}It is so.{closing}"]) == []


@pytest.mark.parametrize("written", ["Translation: {}", "Here is the translation: {}", "{number}. {}", "**{}**"])
def test_labels(written):
    """One label, or numbers, before most lines are found, and lines in bold; not the speakers of a dialogue."""
    texts = [written.format("It is so.", number=number) for number in range(1, 6)]
    (found,) = find_escapes([*texts, "It is."])
    assert (found.kind, found.count, found.first, found.example) == ("quoted", 5, 1, texts[0][:12])
    assert find_escapes(["Ann: It is.", "Bob: It is so.", "Ann: Is it?", "Bob: Yes: it is.", "Eve: No."]) == []
    assert find_escapes(["2024. It is.", "It is **so**.", "Note: it is.", "It is. 3. So."]) == []
    assert find_escapes(["Note: it is."]) == []


@pytest.mark.parametrize("text", ["It’s so.", "café", "naïve à côté", "“so”", "20°", "Привет мир", "£5", "Ñandú"])
@pytest.mark.parametrize("code", ["cp1252", "latin-1"])
def test_misread_encoding(text, code):
    """UTF-8 that was read as Windows-1252, or as Latin-1, is found; the same text as it should be is not."""
    misread = "".join(
        bytes([byte]).decode(code) if byte not in b"\x81\x8d\x8f\x90\x9d" else chr(byte) for byte in text.encode()
    )
    assert {found.kind for found in find_escapes(["It is.", misread])} & {"damaged", "controls"}
    assert find_escapes(["It is.", text]) == []


def test_letters_before_quotes_are_no_misread_encoding():
    """Capitals before quotes, dashes and points of real text are left alone."""
    assert find_escapes(["“AMANHÔ", "« MANHÃ»", "MANHÔ sim", "ESPAÑ… Ñ.", "CAFÉ”", "ÂGE", "Ð. Ñ", "âge", "Â "]) == []


def test_lists():
    """Lines with lists of several texts, which are not cleaned, are found."""
    (found,) = find_escapes(["['a dog', 'the dog']", '["It\'s", "so"]'])
    assert (found.kind, found.count, found.example) == ("quoted", 2, "['a dog', 't")
    (found,) = find_escapes(["['a dog']", "['the dog']"])
    assert found.kind == "model"
    assert find_escapes(["[a dog]", "[1] It's a 'dog'"]) == []


def test_sample():
    """Beyond 10,000 lines, one batch in ten is looked at for other marks than entities; the note says so."""
    finder = EscapeFinder()
    finder.add(b"\n".join([b"plain"] * 10_000), 10_000)
    for _ in range(2, 31):
        finder.add("&lt;co\u00adoperate".encode(), 1)
    assert [(found.kind, found.count, found.first, found.lines, found.sampled) for found in finder.findings()] == [
        ("escaped", 29, 10_001, 10_029, False),
        ("invisible", 3, 10_009, 10_003, True),
    ]
    assert str(finder.findings()[1]).endswith("in segment 10009, the first of 3 such segments among 10,003 looked at)")


def test_languages():
    """English contractions are looked for in English only; other marks in any language."""
    assert find_escapes(["Wie geht 's", "do n't"], "de") == []
    assert [found.example for found in find_escapes(["a @-@ b"], "de")] == ["@-@"]


def test_part_of_a_long_word():
    """The example is the part of a long word that changes; other marks in it are shown as they are."""
    (found,) = find_escapes(["नहीं" * 30 + "\u00ad" + "है" * 30])
    assert found.example == ("नहीं" * 3)[-12:] + "⟨U+00AD⟩" + ("है" * 6)[:11]


def test_notes_are_collected_without_a_command():
    """Whoever calls gets each note once: what texts look like, and a preset that is for another language."""
    said = []
    notes = Notes(said.append, [load_preset("nltk")], option=False)
    notes.look("hyp", ["a &amp; b", "b"], str)
    for _ in range(2):
        notes.on_texts()
        notes.on_languages({"en-de": "de"})
    escaped, language = said
    assert escaped.startswith(
        "hyp seems to have escaped text (&amp; in segment 1); if so, restore the text on both sides"
    )
    assert language.startswith("nltk is for English, but en-de is into German; ")
