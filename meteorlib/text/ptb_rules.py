"""Rules of Stanford's PTBTokenizer 3.4.1, as observed from outside: patterns of its tokens, and how each is written.

Of all matches at a place, the longest counts, with what must follow it; among equal ones, the first rule here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import frozen

from meteorlib.core.numbers_and_letters import category
from meteorlib.text.lexer import Rule

# The patterns say what the program was seen to do; a test compares them with it. Lengths are those of UTF-16.

LETTER, CAPITAL, DIGIT, MARK, SIGN, OTHER = "\ue000\ue001\ue002\ue003\ue004\ue005"
"""Characters that stand for letters, capitals, digits, marks and signs beyond ASCII, and for what is dropped."""

END = "\0"
"""Character that stands for the end of the text, where a rule that needs a further character does not match."""

NO_BREAK = "\u00a0"
SOFT_HYPHEN = "\u00ad"
BREAKS = "\n\v\f\r\u2028\u2029"
"""Characters that end a line."""

_NO_LETTERS = (
    "\u037f\u0528-\u052f\u0560\u0588\u05ef\u0860-\u086a\u08a1\u08ad-\u08c7\u0978\u0980\u09fc\u0af9\u0c34\u0c5a\u0c80"
    "\u0d04\u0d54-\u0d5f\u0de6-\u0def\u0e86\u0e89\u0e8c\u0e8e-\u0e93\u0e98\u0ea0\u0ea8-\u0ea9\u0eac\u13f5-\u13fd"
    "\u16f1-\u16f8\u1878\u191d-\u191e\u19b0-\u19c0\u19c8-\u19c9\u1c80-\u1cbf\u1cf2-\u1cf3\u1cfa\u312e-\u312f"
    "\u31bb-\u31bf\u4db6-\u4dbf\u9fcd-\u9ffc\ua698-\ua69d\ua78f\ua794-\ua79f\ua7ab-\ua7f7\ua8fd-\ua8fe\ua9e0-\ua9fe"
    "\uaa7e-\uaa7f\uab30-\uabbf"
)
"""Letters and digits of Unicode 13 that the program drops: most are newer than it."""

_MARKS = (
    "\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u036f\u0375\u0378-\u0379\u0384-\u0385\u03f6\u0483-\u0487"
    "\u055a-\u055f\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0615-\u061a\u064b-\u065e\u0670\u06d6-\u06e4"
    "\u06e7-\u06ed\u06fd-\u06fe\u070f\u0711\u0730-\u074c\u07a6-\u07b0\u07eb-\u07f3\u0900-\u0903\u093c\u093e-\u094e"
    "\u0951-\u0955\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7-\u09c8\u09cb-\u09cd\u09d7\u09e2-\u09e3"
    "\u0a01-\u0a03\u0a3c\u0a3e-\u0a4f\u0a81-\u0a83\u0abc\u0abe-\u0acf\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd"
    "\u0c01-\u0c03\u0c3e-\u0c56\u0d3e-\u0d44\u0d46-\u0d48\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ecd"
)
"""Marks that count as letters, but not behind a digit."""

_SIGNS_BEYOND_ASCII = (
    "\u0080\u0085\u0091-\u0094\u0096-\u0097\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e"
    "\u0387\u0589-\u058a\u05be\u05c0\u05c3\u05c6\u05f3-\u05f4\u0600-\u0603\u0606-\u060c\u0614\u061b\u061e-\u061f"
    "\u066a-\u066d\u06d4\u0700-\u070d\u07f6-\u07f8\u0964-\u0965\u0e3f\u0e4f\u1fbd\u2010-\u2011\u2013-\u2023\u2026"
    "\u2030-\u203b\u203e-\u2042\u2044\u2070\u2074-\u207e\u2080-\u208e\u20a0\u20a4\u20ac\u2100-\u2101\u2103-\u2106"
    "\u2108-\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a-\u213b\u2140-\u2144\u214a-\u214d"
    "\u214f\u2153-\u215e\u2190-\u2bff\u3001-\u3002\u3012\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    "\uffe0-\uffe1\uffe5-\uffe6"
)
"""Signs beyond ASCII, each a token."""

_SPACES = f" \t{BREAKS}{NO_BREAK}\u3000"
_SPACE = f"[{_SPACES}]"
_LETTERS = f"A-Za-z{LETTER}{CAPITAL}"
_ALNUMS = f"0-9{DIGIT}{_LETTERS}"
_DIGIT = f"[0-9{DIGIT}]"
_NUMERAL = f"{_DIGIT}+({SOFT_HYPHEN}{_DIGIT}+)*"


def _fold(pattern: str) -> str:
    """A pattern whose letters a-z stand for both cases."""
    return re.sub(
        r"\[([^\[\]]*)\]|([a-z])", lambda found: f"[{found[1] or found[2]}{(found[1] or found[2]).upper()}]", pattern
    )


def _any(words: str, first: Callable[[str], str] = _fold) -> str:
    """A pattern of words in any case; or in any case but for their first letter."""
    return "|".join(first(word[0]) + _fold(word[1:]) for word in words.split())


def _several(atom: str) -> str:
    """A pattern of at least two."""
    return f"{atom}{atom}{atom}*"


_ENTITY = _fold("&[aeiou](acute|grave|uml);")
_LETTER_WORD = f"([{_LETTERS}{MARK}{SOFT_HYPHEN}]|{_ENTITY})([{_ALNUMS}{MARK}{SOFT_HYPHEN}]|{_ENTITY})*"
_WORD = f"({_LETTER_WORD}|[{_ALNUMS}]+)"

# Tags
_NAME = r"[A-Za-z][A-Za-z0-9_:.\-]*"
_VALUE = f"(\"[^\"{END}]*\"|'[^'{END}]*')"
_TAG = f"(</?{_NAME} ?>|<{_NAME}( +{_NAME}( *= *{_VALUE})?)* */? *>|<[!?][A-Za-z\\-][^>{BREAKS}{END}]*>)"

# Addresses
_NO_PATH = f' \t{BREAKS}{END}"<>|()'
_NO_ADDRESS = f"{_NO_PATH}{{}}"
_LABEL = f"[^{_NO_ADDRESS}.]+"
_HOST = f"[^ \t{BREAKS}{END}A-Z0-9!?@\"$'(),\\-/:;<=>\\[\\\\\\]^_{{|}}.`]+"
_PATH = f"(/[^{_NO_PATH}]+[^{_NO_PATH}.!?,{{}}\\-])?"
_FILES = _any(
    "bat bmp c cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png ppt ps py sql "
    "tar txt wav x xml zip"
)
_EYE = r"[\-\^x=~<>']"
_AREA = f"[0-9]{{2,4}}[\\- {NO_BREAK}]"

# Apostrophes
_APOSTROPHE = f"('|’|\u0092|{_fold('&apos;')})"
_APOSTROPHE_OR_QUOTE = f"('|’|\u0092|{_fold('&apos;')}|[`‘‛\u0091])"
_ENDING = _fold("([sdm]|ll|re|ve)")

# Abbreviations: those that may end a sentence, titles, those before a number
_LAST = "|".join(
    (
        _any(
            "al ala apr ariz assn assoc aug bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak dec esq "
            "est etc ext feb fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont "
            "neb nev nov oct okla penn plc rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed "
            "wis wisc wyo"
        ),
        _any("ark az del ill la mass miss ore pa tex wash", str.upper),
        _fold("p?pt") + "[ey][sS]?",
        _fold(r"ph\.d"),
    )
)
_TITLES = (
    _any(
        "adj adm adv alex asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft gen "
        "gov govs hon insp invt jos lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph pres prof profs pvt "
        "rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm"
    )
    + "|[Mm][ft][Gg]"
)
STARTERS = _any(
    "a about according additionally after an as at but earlier he her here however if in it last many more now once "
    "one other our she since so some such that the their then there these they this we what when while yet you "
    "mr\\. ms\\.",
    str.upper,
)
"""Words that begin a sentence behind an acronym."""

BEFORE_NUMBERS = _any("art ca fig figs no nos op pp prop")
_SENTENCE = f"{_SPACE}+({STARTERS}|{_TAG}){_SPACE}"
_CAPITAL = f"{_SPACE}+[A-Z{CAPITAL}]|{_SPACE}{_SPACE}|{_SPACE}+{_TAG}"

# Compounds
_PART = f"(({_fold('[dol]')}{_APOSTROPHE_OR_QUOTE}[{_ALNUMS}])?[{_ALNUMS}]+)"
_HYPHENATED = f"{_PART}([\\-_\u058a\u2010\u2011]{_PART})+"
_COMPOUND = f"[A-Za-z0-9][A-Za-z0-9.,{SOFT_HYPHEN}]*(-[A-Za-z0-9{SOFT_HYPHEN}]+|-{_several('([A-Za-z][.])')})+"
_CLAUSES = f"{_LETTER_WORD}([.!?]{_LETTER_WORD})+"
_COMPANY = f"[A-Z]+((&|{_fold('&amp;')}|\\+)[A-Z]+)+"
_NAMES = (
    f"[A-HJ-XZdlno]{_APOSTROPHE_OR_QUOTE}{_several(f'[{_LETTERS}]')}"
    f"|[dDoOlL]{_APOSTROPHE_OR_QUOTE}{_several(f'[{_ALNUMS}]')}"
)
_SLASHED = "[A-Za-z0-9]+(-[A-Za-z]+(-[A-Za-z]+)?)?"

_QUOTES = {
    **dict.fromkeys("‘‛‹\u0091", "`"),
    **dict.fromkeys("’›\u0092", "'"),
    **dict.fromkeys("“«\u0093", "``"),
    **dict.fromkeys("”»\u0094", "''"),
}
_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_WRITTEN = {
    **_BRACKETS,
    **dict.fromkeys("–—―\u0096\u0097", "--"),
    **dict.fromkeys("…\u0085", "..."),
    "£": "#",
    **dict.fromkeys("€¤₠\u0080", "$"),
    "¢": "cents",
    **dict(zip("¼½¾⅓⅔", ("1/4", "1/2", "3/4", "1/3", "2/3"), strict=True)),
}
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "nbsp": "", "md": "--", "mdash": "--", "ndash": "--", "apos": "'"}
_QUOTED = "".join(_QUOTES) + "„‚‟`"


@frozen
class TokenRule(Rule):
    """A kind of token, and how it is written before it is lowercased: as none, one or two tokens."""

    write: Callable[[str], str] = str


def class_of(char: str) -> str:
    """The character that stands for the class of one that no pattern names."""
    if char > "\uffff":
        return OTHER
    for representative, known in _CLASSES:
        if known.match(char):
            return representative
    return _REPRESENTATIVES.get(category(char), OTHER)


_CLASSES = [
    (OTHER, re.compile(f"[{_NO_LETTERS}]")),
    (SIGN, re.compile(f"[!-~{_SIGNS_BEYOND_ASCII}]")),
    (MARK, re.compile(f"[{_MARKS}]")),
    (LETTER, re.compile("[\u1885\u1886]")),
]
_REPRESENTATIVES = {"Lu": CAPITAL, "Nd": DIGIT, **dict.fromkeys(("Ll", "Lt", "Lm", "Lo"), LETTER)}


def _word(token: str) -> str:
    return token.replace(SOFT_HYPHEN, "") or "-"


def _with_spaces(token: str) -> str:
    return token.replace(" ", NO_BREAK)


def _with_brackets(token: str) -> str:
    return _with_spaces(token).replace("(", "-lrb-").replace(")", "-rrb-")


def _with_stop(token: str) -> str:
    return f"{token} ."


def _as(text: str) -> Callable[[str], str]:
    return lambda _: text


def _with_apostrophe(token: str) -> str:
    return re.sub("^(n?)(?:&apos;|[’\u0092])", r"\1'", token, flags=re.IGNORECASE)


def _with_ampersand(token: str) -> str:
    return re.sub("&amp;", "&", token, flags=re.IGNORECASE)


RULES = [
    TokenRule(_CLAUSES, write=_word),
    TokenRule(_TAG, write=_with_spaces),
    TokenRule(
        f"(<|{_fold('&lt;')})?[A-Za-z0-9][^{_NO_ADDRESS}{NO_BREAK}]*@[^{_NO_ADDRESS}{NO_BREAK}.]+(\\.[^{_NO_ADDRESS}{NO_BREAK}.]+)*>?"
    ),
    TokenRule(f"{_fold('https?')}://[^{_NO_ADDRESS}]+[^{_NO_ADDRESS}.!?,\\-]"),
    TokenRule(f"{_fold('www')}\\.({_LABEL}\\.)+[A-Za-z]{{2,4}}{_PATH}"),
    TokenRule(f"({_HOST}\\.)+(com|net|org|edu){_PATH}"),
    TokenRule("@[A-Za-z_][A-Za-z_0-9]*"),
    TokenRule(f"#([{_LETTERS}{MARK}{SOFT_HYPHEN}]|{_ENTITY})+"),
    TokenRule(
        f"(\\([0-9]{{2,3}}\\)[ {NO_BREAK}]?|(\\+?{_AREA})?{_AREA})[0-9]{{3,4}}[\\- {NO_BREAK}]?[0-9]{{3,5}}",
        write=_with_brackets,
    ),
    TokenRule(f"({_DIGIT}{{1,4}}[\\- {NO_BREAK}])?{_DIGIT}{{1,4}}(\\\\?/|⁄){_DIGIT}{{1,4}}", write=_with_spaces),
    TokenRule(f"{_DIGIT}{{1,2}}[\\-/]{_DIGIT}{{1,2}}[\\-/]{_DIGIT}{{2,4}}"),
    TokenRule(r"[<>]?[:;=][\-o*']?[()DdPpO@[\]{|\\]", f"[^A-Za-z0-9{END}]", write=_with_brackets),
    TokenRule(f"{_EYE}_{_EYE}|\\({_EYE}[_.]?{_EYE}\\)|\\([\\^x=~<>']-[\\^x=~<>'`]\\)", write=_with_brackets),
    TokenRule(_fold("-[lr][rsc]b-")),
    TokenRule(f"&#[0-9]+;|{_fold('&([aeiou](acute|grave|uml)|ht|tl|ur|lr|qc|ql|qr|odq|cdq);')}|&QUOT;|&APOS;"),
    TokenRule(_fold("&(amp|lt|gt|nbsp|md|mdash|ndash|apos);"), write=lambda token: _ENTITIES[token[1:-1].lower()]),
    TokenRule('"|&quot;', "[A-Za-z0-9$]", write=_as("``")),
    TokenRule('"|&quot;', "", write=_as("''")),
    TokenRule(_fold("can"), _fold("not")),
    TokenRule(_fold("gon|wan"), _fold("na")),
    TokenRule(_fold("got"), _fold("ta")),
    TokenRule(_fold("lem|gim"), _fold("me")),
    TokenRule(_fold("'t"), _fold("is|was")),
    TokenRule(f"[A-Za-z{SOFT_HYPHEN}]*[A-MO-Za-mo-z]{SOFT_HYPHEN}*", f"[nN]{_APOSTROPHE_OR_QUOTE}[tT]", write=_word),
    TokenRule(f"[nN]{_APOSTROPHE_OR_QUOTE}[tT]", write=_with_apostrophe),
    TokenRule(_WORD, f"{_APOSTROPHE}{_ENDING}", write=_word),
    TokenRule(f"'{_ENDING}", "[^A-Za-z]"),
    TokenRule(f"(’|\u0092|{_fold('&apos;')}){_ENDING}", write=_with_apostrophe),
    TokenRule(f"{_APOSTROPHE}[nN]{_APOSTROPHE}?|[dljDLJ]{_APOSTROPHE}|({_any('ol dunkin somethin')}){_APOSTROPHE}"),
    TokenRule(f"[yY]{_APOSTROPHE}", f"[{_LETTERS}]"),
    TokenRule(f"{_APOSTROPHE}({_any('em til till cause')}|[2-9]0[sS])"),
    TokenRule(f"{_APOSTROPHE}[0-9][0-9]", _SPACE),
    TokenRule(
        _fold(f"c{_APOSTROPHE}est|cap{_APOSTROPHE}n|ne{_APOSTROPHE}er|hallowe{_APOSTROPHE}en|c'mon|e'er|li'l|nat'l|o'o")
    ),
    TokenRule(_NAMES, write=_word),
    TokenRule(f"[{_LETTERS}]+[aeiouyAEIOUY]{_APOSTROPHE_OR_QUOTE}[aeiouA-Z][{_LETTERS}]*", write=_word),
    TokenRule("'", f"[A-Za-z][^{_SPACES}{END}]", write=_as("`")),
    TokenRule(_WORD, write=_word),
    TokenRule(_HYPHENATED, write=_word),
    TokenRule(_fold("(anti|pro)-")),
    TokenRule(f"({_any('co pty pte')})\\.", f"{_SPACE}{_fold('ltd')}"),
    TokenRule(f"({_LAST})\\.", _CAPITAL, write=_with_stop),
    TokenRule(f"({_LAST})\\.", f"[^{_SPACES}{END}][^{END}]|{_SPACE}[^{_SPACES}A-Z{CAPITAL}{END}]"),
    TokenRule(f"({_LAST})\\.", write=_with_stop),
    TokenRule(_COMPOUND, write=_word),
    TokenRule(f"({_any('eu non sino canada japan korean')})-{_fold('u')}\\.{_fold('s')}", _SPACE),
    TokenRule(f"{_SLASHED}(\\\\?/{_SLASHED}){{1,2}}"),
    TokenRule(f"[\\-+]?({SOFT_HYPHEN}?{_NUMERAL}([.,:]{_NUMERAL})*|([.,:]{_NUMERAL})+)", write=_word),
    TokenRule("[A-Za-z](\\.[A-Za-z])+\\.", _SENTENCE, write=_with_stop),
    TokenRule("[A-Za-z]", f"\\.{_SENTENCE}"),
    TokenRule("[A-Za-z](\\.[A-Za-z])*\\."),
    TokenRule(_COMPANY, write=_with_ampersand),
    TokenRule(r"[cC]\+\+|[cCfF]#|[sS]&[pP]-500|[A-Z]+\$"),
    TokenRule(f"({_WORD}|{_HYPHENATED}|{_COMPOUND}|{_CLAUSES}|{_COMPANY}|{_NAMES})\\.", "[,:;]", write=_word),
    TokenRule(f"[{_ALNUMS}{SOFT_HYPHEN}]+(\\.[{_ALNUMS}{SOFT_HYPHEN}]+)*\\.({_FILES})", f"{_SPACE}|[.,?!{END}]"),
    TokenRule(f"({_TITLES})\\."),
    TokenRule(f"({BEFORE_NUMBERS})\\.", f"{_SPACE}?[0-9{DIGIT}]"),
    TokenRule(
        f"\\.\\.\\.(\\.(\\.)?)?|\\.[ {NO_BREAK}]\\.[ {NO_BREAK}]\\.([ {NO_BREAK}]\\.([ {NO_BREAK}]\\.)?)?",
        "",
        write=_as("..."),
    ),
    TokenRule(f"[{_QUOTED}][{_QUOTED}]?", write=lambda token: "".join(_QUOTES.get(char, char) for char in token)),
    TokenRule(
        "''|[!?]+|#+|\\*+|_+|@+|[⁰¹²³⁴-⁹⁺-ⁿ]+|[₀-₉₊-₎]+|<<|>>|---?-?|------*|\\\\\\*",
        write=lambda token: "--" if token in {"---", "----"} else token,
    ),
    TokenRule(
        f"[^{_SPACES}{END}A-Za-z0-9{LETTER}{CAPITAL}{DIGIT}{MARK}{OTHER}\u058a\u2010\u2011]",
        write=lambda token: _WRITTEN.get(token, token),
    ),
]
