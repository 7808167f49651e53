"""The case of words, apart from the words, and lowercase by Java's rules."""

from __future__ import annotations

import hashlib
import pickle
import random
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes
from meteorlib.text.case import CAPITALIZED, LOWERCASE, MIXED_CASE, Lowercase, Verbatim, lowercase, split_case
from meteorlib.text.token import WHITE_SPACE, split

NEEDED = {"13a": ("sacrebleu",), "uax29": ("regex",)}
TEXT = "The EU met, said eBay's boss; ΣΑΣ 3A."


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("the", ("the", LOWERCASE)),
        ("The", ("the", CAPITALIZED)),
        ("I", ("i", CAPITALIZED)),
        ("EU", ("eu", MIXED_CASE)),
        ("eBay", ("ebay", MIXED_CASE)),
        ("3A", ("3a", MIXED_CASE)),
        ("'S", ("'s", MIXED_CASE)),
        ("3.5", ("3.5", LOWERCASE)),
        ("", ("", LOWERCASE)),
        ("ΣΑΣ", ("σας", MIXED_CASE)),
    ],
)
def test_apart(word, expected):
    """A word is as its lowercase, has a capital at its start alone, or is written in another way."""
    assert split_case(word) == expected


@pytest.mark.parametrize("name", ["none", "lower", "norm", "norm_nopunct", "split_lower", "13a", "uax29"])
def test_text_modes_keep_case_when_they_are_asked(name):
    """The words with their case are, in lowercase, the words."""
    for module in NEEDED.get(name, ()):
        pytest.importorskip(module, reason=f"text mode {name} needs {module}")
    text = TEXTS.get(name)("en", nonbreaking_prefixes("en"))
    words = text.cased().words(TEXT)
    assert words[:2] == ["The", "EU"]
    assert [split_case(word)[0] for word in words] == [split_case(word)[0] for word in text.words(TEXT)]


@pytest.mark.parametrize("name", ["lower", "norm", "norm_nopunct", "split_lower"])
def test_a_pickle_keeps_case(name):
    """A text mode that keeps case does so after pickling."""
    text = TEXTS.get(name)("en", nonbreaking_prefixes("en")).cased()
    assert pickle.loads(pickle.dumps(text)).words(TEXT) == text.words(TEXT)  # noqa: S301 - made here


EVERY_CODE_POINT = "c6b8d0e9eec9a5ac77ce681f3d7f61936637873d103fe8f0d2fdc1519477908c"
JAVA = """
import java.io.*; import java.nio.charset.StandardCharsets; import java.util.Locale;
public class Lower {
    public static void main(String[] arguments) throws IOException {
        StringBuilder answer = new StringBuilder();
        for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n", -1))
            answer.append(line.toLowerCase(Locale.ENGLISH)).append('\\n');
        System.out.write(answer.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
"""
# Characters that Java's word boundaries distinguish, without those newer than Unicode 13.
FRAGMENTS = (
    "ΣΣΣΣΣΣΣΣσςaAbЯ1٣½Ⅷⅷ..,,''\"\"--_–\u00ad\u2027\u066b\u0301\u0345\u20dd\u200d\u2060\u0903 \t\u00a0ªʰˢͺᴬⒶ%$#&¢€।॥"
    "漢のカー々〇\u309b\u3099\U00010400\U00010428\U0001d400\U0001f600\U00020000\u0600…’“ǅİıẞﬁ\x01\x85\u2028\u180e\u0e01\u0e33한가ﾊ\uff9e\u17b4鿦"
)


def run_java(lines, folder):
    source = folder / "Lower.java"
    source.write_text(JAVA, encoding="utf-8")
    text = "\n".join(lines).encode()
    answer = subprocess.run(["java", source], input=text, stdout=subprocess.PIPE, check=True).stdout
    return answer.decode().split("\n")[: len(lines)]


def code_points():
    """Each character alone, except surrogates and line ends."""
    return [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000 and code not in (0x0A, 0x0D)]


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@pytest.mark.thorough
def test_every_code_point():
    """Every code point alone has Java 17's lowercase, whatever Unicode this Python knows."""
    assert digest(map(lowercase, code_points())) == EVERY_CODE_POINT


@pytest.mark.parametrize(
    ("text", "lower"),
    [
        ("", ""),
        ("Abc ÉÄЯ", "abc éäя"),
        ("İ", "i\u0307"),
        ("Σ", "σ"),
        ("ΟΔΥΣΣΕΥΣ ΑΣ.", "οδυσσευς ας."),
        ("Σ-Σ.", "σ-ς."),
        ("ΑΣ-Α ΑΣ.Α ΑΣ'Α ΑΣ,Α", "ασ-α ασ.α ασ'α ας,α"),
        ("aΣ1 a1Σ a.1Σ 1,1Σ", "aς1 a1ς a.1σ 1,1σ"),
        ("a\u0301Σ a.\u0301Σ \u0301Σ", "a\u0301ς a.\u0301σ \u0301σ"),
        ("ΑΣ-\u2060Α ΑΣ-\u0301Α", "ασ-\u2060α ας-\u0301α"),
        ("漢Σ aΣ漢 aΣ😀 😀Σ", "漢σ aς漢 aς😀 😀σ"),
        ("\U00010400Σ a\U00010400Σ", "\U00010428ς a\U00010428σ"),
        ("\ua7c0\u2c2f\U00010570A Σ", "\ua7c0\u2c2f\U00010570a σ"),
    ],
)
def test_examples(text, lower):
    """Final sigma by Java's words (which hyphens and dots do not end); letters after Unicode 13 stay as they are."""
    assert lowercase(text) == lower


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="Σ", max_codepoint=0x1C88)))
def test_ordinary_text_is_as_in_python(text):
    """If there is neither capital sigma nor a new letter, Java and Python agree."""
    assert lowercase(text) == text.lower()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_lowercase_is_per_line(text):
    """White space separates: the lowercase of two texts beside each other is that of each."""
    assert lowercase(f"A {text} A") == f"a {lowercase(f' {text}')[1:]} a"


LONG = ["Σ" * 50_000, "ªΣ" * 50_000, "Σ-" * 50_000, "-" * 50_000 + "Σ", "AΣ" + "ª" * 50_000]


@pytest.mark.parametrize("text", [LONG[0], *(pytest.param(text, marks=pytest.mark.thorough) for text in LONG[1:])])
def test_long_text(text):
    """Time does not explode with the number of sigmas or the length of a word."""
    assert len(lowercase(text)) == len(text)


@pytest.mark.oracle
def test_every_code_point_in_java(tmp_path, oracles):
    """Java 17 gives the digest above."""
    assert digest(run_java(code_points(), tmp_path)) == EVERY_CODE_POINT


@pytest.mark.oracle
def test_random_sigmas_in_java(tmp_path, oracles):
    """Sigmas among all that Java's word boundaries tell apart: 50,000 random texts are lowercased as Java does."""
    chance = random.Random(1)
    texts = ["".join(chance.choices(FRAGMENTS, k=chance.randint(1, 12))) for _ in range(50_000)]
    ours = [lowercase(text) for text in texts]
    assert list(zip(texts, ours, strict=True)) == list(zip(texts, run_java(texts, tmp_path), strict=True))
    assert ours != [text.lower() for text in texts]


NO_PREFIXES = (frozenset(), frozenset())


def test_verbatim_keeps_words():
    """Mode none splits and changes nothing."""
    assert Verbatim("xx", NO_PREFIXES).words("  The U.S., Σ \t end.") == ["The", "U.S.,", "Σ", "end."]


def test_lowercase_lowers_the_line():
    """Mode lower lowercases the whole line by Java's rules, then splits."""
    assert Lowercase("el", NO_PREFIXES).words("The U.S., Σ-Σ. \t End.") == ["the", "u.s.,", "σ-ς.", "end."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n\r\f", []),
        ("a b\tc\nd\re\ff", ["a", "b", "c", "d", "e", "f"]),
        ("a\vb \x1cc\x1f", ["a\vb", "\x1cc\x1f"]),
        ("a\u00a0b\u2003c\u2028d\x85e\u3000f", ["a\u00a0b\u2003c\u2028d\x85e\u3000f"]),
        ("\ufeffa", ["\ufeffa"]),
    ],
)
def test_split(text, words):
    """Only space, tab, LF, CR and FF separate words."""
    assert split(text) == words


@given(st.text(st.sampled_from("ab É中 \t\n\r\f\v\x1c\x85\u00a0\u2028\u3000\u200b")) | st.text())
def test_split_is_what_stands_between(text):
    """Words hold no white space, are not empty, and with the white space left out they are the text."""
    words = split(text)
    assert all(words)
    assert "".join(words) == "".join(char for char in text if char not in WHITE_SPACE)
    assert not any(char in word for word in words for char in WHITE_SPACE)


@pytest.mark.parametrize(("name", "kind"), [("none", Verbatim), ("lower", Lowercase)])
def test_names_and_pickles(name, kind):
    """The registry knows the classes by these names; a pickle is an equal instance."""
    text = TEXTS.get(name)("en", NO_PREFIXES)
    assert type(text) is kind
    assert pickle.loads(pickle.dumps(text)) == text  # noqa: S301 - made here


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The cat\u00a0sat \u2003 down.", ["the", "cat", "sat", "down."]),
        ("ΑΣ Σ ΑΣ-Β", ["ας", "σ", "ας-β"]),
        ("", []),
        (" \t\v\x1c ", []),
    ],
)
def test_split_lower(line, words):
    """Words are those of `str.split`, each in lowercase by Python's rules."""
    assert TEXTS.get("split_lower")("en", (frozenset(), frozenset())).words(line) == words


def test_a_sigma_needs_its_line():
    """The lowercase of a capital sigma depends on the line, so that no token with one is read alone."""
    assert Lowercase("el", NO_PREFIXES).token("ΑΣ") is None
    assert Verbatim("el", NO_PREFIXES).token("ΑΣ").variants == (("ΑΣ",),)
