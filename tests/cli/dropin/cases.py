"""Inputs and arguments whose output was recorded from METEOR's jar, and is compared with it live."""

from __future__ import annotations

import gzip

_STATISTICS = "6 6 3 3 3 3 3 3 0 0 0 0 0 0 0 0 0 0 0 0 3 6 6"
_PERFECT = "6 6 3 3 2 2 3 3 0 0 0 0 1 1 0 0 0 0 0 0 1 6 6"

CONVERSATION = f"""\
SCORE ||| the cat sat on the mat ||| a cat was on the mat ||| on the mat sat the cat
SCORE ||| x
SCORE ||| a |||\x20
SCORE ||| a |||
SCORE|||a b|||a b
\x20SCORE ||| a b ||| a b
score ||| ||| a b
score |||  ||| a b
score ||||||a b
SCORE
SCORE |||
SCORE |||\x20
SCORES ||| a ||| a
SCORE x ||| a ||| a
Score ||| a ||| a
foo

\x20\x20
||| a ||| b
|||
EVAL
EVAL |||
EVAL ||| 6.0 6.0 3.0 3.0 3.0 3.0 3.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 3.0 6.0 6.0
eval ||| {_STATISTICS} 7 x
EVAL ||| {_STATISTICS} ||| {_PERFECT} ||| {_STATISTICS}
EVAL ||| {_PERFECT}
EVAL ||| 6 6 3 3 3 2.5 3 3 0 0.5 0 0 0 0 0 0 0 0 0 0 1.5 6.25 6
EVAL ||| 1,000 6 3 3 3 3 3 3 0 0 0 0 0 0 0 0 0 0 0 0 3 1e3 6.
EVAL ||| 0 6 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
SING ||| {_STATISTICS}
SING ||| {_STATISTICS} ||| {_PERFECT}
sing ||| +6 .6e1 6. 3 3 3 3 3 0 0 0 0 0 0 0 0 0 0 0 0 3 6 6
SING
SCORE ||| a | b ||| c || d ||| a
SCORE |||| a ||| b |
SCORE ||| a ||| b |||  |||\x20
SCORE ||| a ||| b ||| ||| |||
SCORE\t|||\tA b\tc\t|||\ta b c\t
SCORE ||| Über's 1,5 a. ||| über's 1,5 a.
SCORE ||| a b ||| c b ||| ||| b
"""

SYSTEMS = """\
<?xml version="1.0"?>
<tstset trglang="en" setid="s1" srclang="any">
<doc docid="d2" sysid="two" genre="x">
<hl>
<seg id="1">the cat sat &quot;here&quot; &amp;lt; &AMP; &apos;x&apos; &nbsp; &#65;</seg>
</hl>
<p>
<seg id="2"> a dog barked </seg> behind
<seg id="10">ten</seg>
<SEG ID=100>hundred</SEG>
<seg id = "a">let</seg>
</p>
</doc>
<DOC DOCID="d1" SYSID="two">
<seg id="1">many\x20
lines
of text</seg>
<seg id="2">first</seg>
<seg id="2">again</seg>
</DOC>
<doc docid="d3"><seg id="1">not in the references</seg></doc>
<doc docid="d2" sysid="two">
<seg id="7">seven</seg>
</doc>
</tstset>
"""

REFERENCES = """\
<refset trglang="en" setid="s1" srclang="any">
<doc docid="d2" refid="ref1">
<seg id="1">the cat sat "here"</seg>
<seg id="2">a dog barks</seg>
<seg id="4">only in a reference</seg>
<seg id="10">ten</seg>
<seg id="100">hundred</seg>
<seg id="a">let</seg>
</doc>
<doc docid="d1" refid="ref1">
<seg id="1">many lines of text</seg>
<seg id="2">again</seg>
</doc>
<doc docid="d4" refid="ref1">
<seg id="1">absent</seg>
</doc>
</refset>
<refset setid="s1" refid="ref2">
<doc docid="d2">
<seg id="1">a cat sat there</seg>
<seg id="2">a dog barked</seg>
<seg id="10">zehn x</seg>
</doc>
</refset>
<refset setid="s1" refid="ref3">
<doc docid="d2">
<seg id="10">dix y</seg>
<seg id="4">only y</seg>
</doc>
</refset>
"""

INPUTS: dict[str, bytes] = {
    "hyp": b"the cat sat on the mat .\nA dog barked loudly\n\nU.S. firms' profits -- up 1,5 % ...\n\tx  y \r\n",
    "ref": b"a cat was on the mat .\r\nthe dogs bark loud\n\nU.S. company's profits - up 1.5 %.\nx y",
    "ref2": b"the cat\nmat sat\nA dog barks\nloudly\n\nx\nU.S.\nU.S. firms' profits up\ny\nx y\n",
    "words": b"the\nLe\nchat\n",
    "universal/function.words": b"cat\nMat\nthe\n",
    "universal/paraphrase.gz": gzip.compress(b"0.5\nbark\nbarked\n0.1\nsat on\nwas on\n", mtime=0),
    "table.gz": gzip.compress(b"0.5\nbark loud\nbarked loudly\n0.1\nsat\nwas\n", mtime=0),
    "empty.gz": gzip.compress(b"", mtime=0),
    "systems.sgm": SYSTEMS.encode(),
    "references.sgm": REFERENCES.encode(),
}

_EVERYTHING = ["-writeAlignments", "-f", "out"]
_SGML = ["systems.sgm", "references.sgm", "-sgml", "-m", "exact stem synonym", *_EVERYTHING]

CASES: dict[str, list[str]] = {
    "default": ["hyp", "ref", "-a", "empty.gz"],
    "everything": ["hyp", "ref", "-l", "en", "-norm", "-a", "table.gz", "-vOut", *_EVERYTHING],
    "statistics": ["hyp", "ref", "-norm", "-noPunct", "-m", "exact stem synonym", "-ssOut", *_EVERYTHING],
    "statistics of five stages": ["hyp", "ref", "-m", "exact stem exact exact stem", "-ssOut"],
    "five stages": ["hyp", "ref", "-m", "exact stem exact exact stem", "-vOut"],
    "quiet": ["hyp", "ref", "-lower", "-m", "exact stem", "-q"],
    "quiet verbose": ["hyp", "ref", "-lower", "-m", "Exact STEM", "-q", "-vOut"],
    "quiet statistics": ["hyp", "ref", "-noPunct", "-m", "exact stem", "-q", "-ssOut", "-vOut"],
    "characters": ["hyp", "ref", "-ch", "-norm", "-m", "exact", *_EVERYTHING],
    "two references": ["hyp", "ref2", "-r", "2", "-m", "exact stem", "-vOut", *_EVERYTHING],
    "no references is one": ["hyp", "ref", "-r", "0", "-m", "exact"],
    "last option wins": ["hyp", "ref", "-m", "exact", "-t", "adq", "-m", "exact stem", "-t", "hter", "-x", "1"],
    "weights cut": ["hyp", "ref", "-m", "exact stem", "-w", "1 .5 .3"],
    "weights padded": ["hyp", "ref", "-m", "exact stem", "-w", ".7", "-vOut"],
    "weights not padded": ["hyp", "ref", "-l", "da", "-w", ".7", "-vOut", *_EVERYTHING],
    "parameters": ["hyp", "ref", "-m", "exact stem", "-p", "1  .5 1e-1 .2 7", "-t", "hter"],
    "numbers beyond their ranges": ["hyp", "ref", "-m", "exact stem", "-p", "2 1 3 0.5", "-w", "0.5 2.0", "-vOut"],
    "no numbers of 0..1": ["hyp", "ref", "-m", "exact stem", "-p", ".5 -1 -3 -1", "-w", "-1 3", "-vOut"],
    "infinite scores": ["hyp", "ref", "-m", "exact", "-p", ".5 -1 -1 .5"],
    "function words": ["hyp", "ref", "-s", "words", "-lower", "-m", "exact", "-ssOut"],
    "new language": "hyp ref -l fr -norm -new universal -t adq -ch -s words -vOut".split(),
    "util without characters": ["hyp", "ref", "-t", "util", "-a", "table.gz", "-vOut"],
    "French": ["hyp", "ref", "-l", "french", "-norm", "-a", "empty.gz", "-vOut"],
    "other": ["hyp", "ref", "-l", "xx", "-t", "adq", "-vOut"],
    "sgml": [*_SGML, "-lower"],
    "sgml verbose": [*_SGML, "-norm", "-vOut"],
    "sgml statistics": [*_SGML, "-ssOut"],
    "sgml statistics verbose": [*_SGML, "-ssOut", "-vOut"],
    "sgml quiet": [*_SGML, "-q", "-ch"],
    "stdio": ["-", "-", "-stdio", "-m", "exact stem"],
    "stdio normalized": ["-", "-", "-stdio", "-m", "exact stem synonym", "-norm", "-sgml", "-q", "-vOut"],
}
"""Name → arguments; what writes files writes ``out-…``. The stdio ones are given the `CONVERSATION`."""
