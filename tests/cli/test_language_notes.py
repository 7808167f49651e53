"""Notes on presets for another language than the data declare."""

from __future__ import annotations

import re

import pytest

TABLE = "LP\thyp\tref\nen-de\ta\ta\nen-cs\tb\tb\nen-de\tc\tc\n"
COLUMNS = ("--hyp-column", "hyp", "--ref-column", "ref")
CYRILLIC = "use the preset of their language (meteor-bg, meteor-mk, meteor-ru, meteor-sr, meteor-uk; see"


@pytest.fixture
def told(run):
    """Arguments of ``score`` → the notes on languages, without what presets need on this machine."""

    def notes(*arguments):
        done = run("score", *arguments, "-b")
        if "pip install" in done.err and done.status:
            pytest.skip(done.err.splitlines()[0])
        assert done.status == 0, done.err
        return [re.sub(r" \(it needs: .*?\)", "", line) for line in done.err.splitlines() if "note: scored" not in line]

    return notes


@pytest.mark.parametrize(
    ("preset", "pairs", "note"),
    [
        ("nltk", ("en-de", "en-cs"), ("nltk is for English, but en-de and en-cs are into German and Czech; "
          "use meteor-de for German, meteor-cs for Czech")),
        ("meteor-cs", ("en-de", "en-cs"), "meteor-cs is for Czech, but en-de is into German; use meteor-de for German"),
        ("nltk", ("eng_Latn-khm_Khmr",), ("nltk is for English, but eng_Latn-khm_Khmr is into Khmer; "
          "use meteor-other for Khmer, with blanks between the words")),
        ("meteor-1.5-en-core", ("en→fr",), ("meteor-1.5-en-core is for English, but en→fr is into French; "
          "use meteor-1.5-fr-core for French")),
        ("meteor-2026-en-core", ("en_ru",), ("meteor-2026-en-core is for English, but en_ru is into Russian; "
          "use meteor-ru for Russian")),
        ("meteor-cs", ("en-cs", "de-cs_CZ", "eng-ces", "English-Czech"), ""),
        ("meteor-1.5-cz-core", ("en-cs", "en-cz"), ""),
        ("meteor-nb", ("en-no", "en-nb"), ""),
        ("meteor-other", ("en-de", "de-en"), ""),
        ("nltk", ("news-de", "de", "xx-yy", "de-en-cs"), ""),
    ],
)  # fmt: skip
def test_tables(told, files, preset, pairs, note):
    """A column of language pairs is compared with the language of the preset, if both are known."""
    files(**{"t.tsv": "LP\thyp\tref\n" + "".join(f"{pair}\ta\ta\n" for pair in pairs)})
    assert told("t.tsv", *COLUMNS, "-p", preset) == ([f"note: {note}"] if note else [])


XML = """<dataset><doc id="1"><src lang="en"><p><seg id="1">a</seg></p></src><ref{0} translator="A"><p>
<seg id="1">b</seg></p></ref><hyp{0} system="S"><p><seg id="1">b</seg></p></hyp></doc></dataset>"""
SGML = '<{0} setid="s" srclang="en" trglang="{1}"><doc docid="d" {2}="x">\n<seg id="1">a</seg>\n</doc></{0}>\n'
FIELDS = ("--hyp-column", "hyp.de", "--ref-column", "ref")


@pytest.mark.parametrize(
    ("texts", "arguments", "what"),
    [
        ({"h.de": "a\n", "r.de": "a\n"}, ("h.de", "-r", "r.de"), "h.de and r.de are"),
        ({"h": "a\n", "ref.en-de": "a\n"}, ("h", "-r", "ref.en-de"), "ref.en-de is"),
        ({"h.txt": "a\n", "n.deu.txt.gz": "a\n"}, ("h.txt", "-r", "n.deu.txt.gz"), "n.deu.txt.gz is"),
        ({"deu_Latn.devtest": "a\n", "r": "a\n"}, ("deu_Latn.devtest", "-r", "r"), "deu_Latn.devtest is"),
        ({"w.xml": XML.format(' lang="de"')}, ("w.xml",), "w.xml (de) is"),
        ({"w.xml": XML.format(' xml:lang="de-AT"')}, ("w.xml",), "w.xml (de-AT) is"),
        ({"h.sgm": SGML.format("tstset", "German", "sysid"), "r.sgm": SGML.format("refset", "any", "refid")},
         ("h.sgm", "-r", "r.sgm"), "h.sgm (German) is"),
        ({"t.csv": "tgt_lang,hyp,ref\nger,a,a\n"}, ("t.csv", *COLUMNS), "tgt_lang ger is"),
        ({"t.csv": "tgt_lang,hyp,ref\nen-de,a,a\n"}, ("t.csv", *COLUMNS), "tgt_lang en-de is"),
        ({"t.csv": "Target Language,hyp,ref\nde-CH,a,a\n"}, ("t.csv", *COLUMNS), "Target Language de-CH is"),
        ({"t.csv": "lang,hyp,ref\nen-de,a,a\n"}, ("t.csv", *COLUMNS), "lang en-de is"),
        ({"t.jsonl": '{"hyp": {"de": "a"}, "ref": "a"}\n'}, ("t.jsonl", *FIELDS), "hyp.de is"),
    ],
)  # fmt: skip
def test_declared_languages(told, files, texts, arguments, what):
    """Attributes, columns and names that say a language are compared with the preset's; the note has what says it."""
    files(**texts)
    note = f"note: nltk is for English, but {what} German; use meteor-de for German"
    assert told(*arguments, "-p", "nltk") == [note]
    assert told(*arguments, "-p", "meteor-1.5-de-core") == []


@pytest.mark.parametrize("name", ["hyp.mt", "my.system", "hyp.out", "no.so", "is.txt", "t.lc.tok"])
def test_names_without_a_language(told, files, name):
    """Suffixes that say something else are no languages; the source's language is not that of the texts."""
    files(**{name: "a\n", "w.xml": XML.format(""), "t.csv": "src_lang,hyp,ref\nde,a,a\n"})
    assert told(name, "-r", name, "-p", "nltk") == told("w.xml", "-p", "nltk") == []
    assert told("t.csv", *COLUMNS, "-p", "nltk") == []


RUSSIAN, CHINESE, THAI, KHMER = (
    "Собака лает ночью\n",
    "他说你好，我们去吃饭\n",
    "สวัสดีครับผมชื่อสมชาย\n",
    "ខ្ញុំសូមស្វាគមន៍មកកាន់ប្រទេស\n",
)


@pytest.mark.parametrize(
    ("preset", "text", "note"),
    [
        ("nltk", RUSSIAN, f"nltk is for English, but t is in Cyrillic letters; {CYRILLIC} `meteorlib languages`)"),
        ("meteor-2005", CHINESE, ("meteor-2005 is for English, but t is in Han letters; use meteor-ja for Japanese or "
          "meteor-zh for Chinese")),
        ("nltk", THAI, "nltk is for English, but t is in Thai letters; use meteor-th for Thai"),
        ("meteor-1.5-ru-core", "The dog barks\n", ("meteor-1.5-ru-core is for Russian, but t is in Latin letters; "
          "use the preset of their language; `meteorlib languages` lists all")),
        ("meteor-1.5-other", THAI, ("meteor-1.5-other takes whole segments of t as one word: Thai letters have no "
          "blanks between words; use meteor-th for Thai")),
        ("meteor-1.5-other", KHMER, ("meteor-1.5-other takes whole segments of t as one word: Khmer letters have no "
          "blanks between words; use meteor-other, with blanks between the words")),
        ("meteor-1.5-other", "他 说 你好 我们 去 吃饭\n", ""),
        ("nltk", "α and β are in 東京, said Лев\n", ""),
        ("meteor-2005-exact", RUSSIAN, ""),
        ("nltk", "12 345 % 。！？ ＡＢＣ\n", ""),
        ("meteor-2026-en-core", RUSSIAN, ("meteor-2026-en-core is for English, but t is in Cyrillic letters; "
          f"{CYRILLIC} `meteorlib languages`)")),
    ],
)  # fmt: skip
def test_letters(told, files, preset, text, note):
    """Without a declaration, letters show another script than the preset's, or segments without blanks."""
    files(t=text, u=f"lp,hyp,ref\n,{text.strip().replace(',', '')},a\n")
    assert told("t", "-r", "t", "-p", preset) == ([f"note: {note}"] if note else [])


def test_letters_of_a_sample(told, files, run):
    """The sample spreads over a file; a declaration that is noted makes another note needless; --quiet has none."""
    files(t="The dog barks.\n" * 9_000 + RUSSIAN * 21_000, r="The cat barks.\n" * 9_000 + RUSSIAN * 21_000)
    files(**{"t.ru": RUSSIAN})
    (note,) = told("t", "-r", "r", "-p", "nltk")
    assert "nltk is for English, but t and r are in Cyrillic letters" in note
    assert told("t.ru", "-r", "t.ru", "-p", "nltk") == [
        "note: nltk is for English, but t.ru is Russian; use meteor-ru for Russian"
    ]
    assert run("score", "t", "-r", "t", "-p", "nltk", "-b", "-q").err == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("meteor-1.5-zh", "did you mean 'meteor-zh'?"),
        ("meteor-1.5-ar", "did you mean 'meteor-ar'?"),
        ("Japanese", "did you mean 'meteor-ja'?"),
        ("meteor-2026-zho", "did you mean 'meteor-zh'?"),
        ("meteor-1.5-cs", "did you mean 'meteor-1.5-cz'?"),
        ("meteor-1.5-en-cor", "did you mean 'meteor-1.5-en-core'?"),
    ],
)
def test_presets_of_languages_that_meteor_lacks(run, files, name, message):
    """A name that METEOR's presets would have suggests the preset of the language."""
    files(t="a\n")
    done = run("score", "t", "-r", "t", "-p", name)
    assert (done.status, message in done.err) == (2, True)


def test_commands(run, files):
    """Commands that score have the same note; one for all presets of a language."""
    files(**{"t.tsv": TABLE})
    note = "{} for English, but en-de and en-cs are into German and Czech; use meteor-de for German"
    one = note.format("note: nltk is")
    assert run("report", "t.tsv", *COLUMNS, "-p", "nltk", "-n", "10", "-o", "page.html").err.startswith(one)
    done = run("compare-presets", "t.tsv", *COLUMNS, "--presets", "nltk,meteor-de,meteor-2005")
    assert note.format("note: nltk and meteor-2005 are") in done.err
    assert "note: meteor-de is for German, but en-cs is into Czech; use meteor-cs for Czech" in done.err


def test_judgments(run, files):
    """The language pairs of judgments are compared, too; a file without them has none."""
    rows = [f"{lp}\t{n}\t{lp} {n}\t{lp} {n}{lp}\t{n}\n" for lp in ("en-de", "de-en") for n in range(3)]
    files(**{"t.tsv": f"lp\tsegment\thyp\tref\thuman\n{''.join(rows)}", "u.tsv": "segment\thyp\tref\thuman\n"
             "1\ta\ta b\t1\n2\tb\tb\t2\n"})  # fmt: skip
    note = "note: nltk is for English, but en-de is into German; use meteor-de for German"
    assert run("meta-eval", "t.tsv", "-p", "nltk", "-n", "10").err.splitlines()[-1].startswith(note)
    assert "nltk is for" not in run("meta-eval", "t.tsv", "-p", "nltk", "-n", "10", "--lp", "de-en").err
    assert "nltk is for" not in run("meta-eval", "u.tsv", "-p", "nltk", "-n", "10").err
    fitted = ("--fit", "alpha=0.5:0.7:0.1", "--method", "grid", "--objective", "pearson", "-o", "fitted.yaml")
    assert note in run("tune", "t.tsv", "-p", "nltk", *fitted, "-n", "10").err
