"""Every regular expression takes time in proportion to the length of a line, whatever stands in it."""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import re
from functools import cache, partial
from itertools import islice, permutations
from pathlib import Path
from re import _constants as codes
from re import _parser as parser
from time import process_time

import pytest
from attrs import fields, has

import meteorlib
from meteorlib import clean, find_escapes, unescape
from meteorlib.analysis.contrast.names import names_in
from meteorlib.core import numbers_and_letters
from meteorlib.core.numbers_and_letters import NEWER
from meteorlib.errors import InvalidText
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import label_of
from meteorlib.inputs.formats import FORMATS
from meteorlib.inputs.markup import _BEGINNINGS
from meteorlib.inputs.table_files import JsonLines
from meteorlib.registry import TEXTS
from meteorlib.text import token, unescaping
from meteorlib.text.case import lowercase
from meteorlib.text.external_tokenizer import make_tokenizer
from meteorlib.text.normalizer import TokenRules
from meteorlib.text.ptb import ptb_tokens
from meteorlib.text.rules import LineRules, Rule
from meteorlib.text.unescaping import unify

SHORT, LONG = 10_000, 40_000
"""Characters of the lines that are compared."""

MOST = 6
"""Largest ratio of their times; it is 4 if time grows with length, and 16 if it grows with its square."""

FLOOR = 0.03
"""Seconds for `LONG` characters that are never too many; a line that takes quadratic time takes more."""

SAMPLE = 5
"""Most characters of a pattern of which lines are made."""

ROOT = Path(meteorlib.__file__).parent

ANCHORED = {"match", "fullmatch"}
PREFIXES = (frozenset(), frozenset())
tokenizer = cache(partial(make_tokenizer, TEXTS.get("uax29")))
QUICK = ("escapes-en", "unify", "clean", "label")
WAYS = {"compile", "sub", "subn", "split", "search", "findall", "finditer", *ANCHORED}
CACHED = (token.pattern_of, numbers_and_letters._compiled)

MADE_IN_FUNCTIONS = {
    ("core.signature", "percent_encode"): [(rf"[^\w./+-]|[{NEWER}]", False)],
    ("resources.catalog", "_has_language_code"): [(r"vectors-[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,16}){0,4}", True)],
    ("resources.porter", "_regions_pattern"): [],  # those of modules
    ("inputs.escapes", "_first_mark"): [],  # a function below
    ("inputs.markup", "foreign_format"): [(begin, True) for begin in _BEGINNINGS.values()],
    ("inputs.json_file", "_lines_of"): [(r'"key"\s*:', False)],
    ("inputs.formats", "fits"): [(row.magic, True) for row in FORMATS.values() if row.magic],
    ("text.lexer", "__init__"): [],  # tried only where a match was found
    ("text.rules", "apply"): [],  # rules of modules
    ("text.unescaping", "_pattern_of_marks"): [
        (unescaping._pattern_of_marks(language).pattern, False) for language in ("en", "fr", "de")
    ],
    ("conformance.run", "_run"): [],  # the user's own
}
"""Module and function → the patterns that it makes of what it is given; whether they are only tried at one place."""


MODULES = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for path in sorted(ROOT.rglob("*.py"))
    if re.search(r"\b(import re|from re import|pattern_of)\b", path.read_text("utf-8"))
]
"""Modules that have patterns."""


def _patterns_in(value, depth=6):
    """The patterns of a value in a module: compiled, or of rules."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Rule):
        yield re.compile(value.pattern)
    elif depth and isinstance(value, dict):
        yield from _patterns_in(list(value.values()), depth - 1)
    elif depth and isinstance(value, list | tuple):
        for one in value:
            yield from _patterns_in(one, depth - 1)
    elif depth and has(type(value)):
        yield from _patterns_in([getattr(value, one.name, None) for one in fields(type(value))], depth - 1)


def _patterns_of(name, module):
    """The patterns of a module, and whether each is only tried at one place of a text.

    Those of calls are evaluated, so a new one that depends on arguments fails until `MADE_IN_FUNCTIONS` has it.
    """
    source = inspect.getsource(module)
    for known, value in vars(module).items():
        for pattern in _patterns_in(value):
            uses = set(re.findall(rf"\b{known}\.(\w+)", source))
            yield (
                pattern,
                known.startswith("_BEFORE_REGIONS") or (bool(uses) and uses <= ANCHORED),
            )  # one for `region_starts`
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        calls = [one for one in ast.walk(function) if isinstance(one, ast.Call) and one.args]
        chained = {id(one.func.value): one.func.attr for one in calls if isinstance(one.func, ast.Attribute)}
        for call in calls:
            way = _way(call.func, module)
            if way is None:
                continue
            try:
                made = eval(ast.unparse(call.args[0]), vars(module))  # noqa: S307 – an expression of the package
            except (NameError, AttributeError):
                yield from [(re.compile(one), once) for one, once in MADE_IN_FUNCTIONS[name, function.name]]
            else:
                yield re.compile(made), chained.get(id(call), way) in ANCHORED


def _way(function, module):
    """The function of `re` that a call calls; None if it is another."""
    if isinstance(function, ast.Attribute):
        return function.attr if getattr(function.value, "id", "") == "re" else None
    name = getattr(function, "id", "")
    return name if vars(module).get(name, 0) in (*CACHED, *(getattr(re, way) for way in WAYS)) else None


def _letters_of(tree):
    """Characters of a parsed pattern, one of each set."""
    for code, value in tree:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.CATEGORY:
            yield {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "1"}.get(value, "a")
        elif code is codes.IN:
            yield from list(_letters_of(value))[:3]
        elif isinstance(value, list | tuple):
            for part in value if code is not codes.BRANCH else value[1]:
                if isinstance(part, parser.SubPattern | list):
                    yield from _letters_of(part)


def _lines(letters, size):
    """Lines of some characters: of one, of two in turns, of one and then another."""
    for one in letters:
        yield one * size
    for one, other in permutations(letters, 2):
        yield (one + other) * (size // 2)
        yield one + other * (size - 1)
        yield one * (size - 1) + other


def _time(run, line):
    gc.disable()
    start = process_time()
    run(line)
    end = process_time()
    gc.enable()
    return end - start


def _is_linear(run, letters):
    """Whether the worst line takes at most `MOST` times as long if it is four times as long, or next to no time."""
    run("a")
    for size in (12, 24, 200):  # exponential time shows here
        assert all(_time(run, line) < FLOOR for line in _lines(letters, size))
    times = [_time(run, line) for line in _lines(letters, SHORT)]
    worst = times.index(max(times))
    short, long = (next(islice(_lines(letters, size), worst, None)) for size in (SHORT, LONG))
    if _time(run, long) < FLOOR:
        return True
    for _ in range(5):  # other programs take the caches, which counts as time
        base = min(_time(run, short) for _ in range(3))
        if any(_time(run, long) <= MOST * base for _ in range(3)):
            return True
    return False


def _run(pattern, once):
    """A function that looks for a pattern in a line."""
    find = (lambda text: (pattern.match(text), pattern.fullmatch(text))) if once else pattern.findall
    return find if isinstance(pattern.pattern, str) else lambda line: find(line.encode())


@pytest.mark.thorough
@pytest.mark.parametrize("name", MODULES)
def test_patterns(name):
    """A line of each character of a pattern, and of each two of them, is read in linear time."""
    for pattern, once in set(_patterns_of(name, importlib.import_module(f"meteorlib.{name}"))):
        letters = dict.fromkeys([*islice(_letters_of(parser.parse(pattern.pattern, pattern.flags)), SAMPLE), "~"])
        assert _is_linear(_run(pattern, once), letters), pattern.pattern


FUNCTIONS = {
    **{
        f"escapes-{language}": lambda line, language=language: find_escapes([line], language)
        for language in ("en", "fr")
    },
    **{f"unescape-{language}": partial(unescape, language=language) for language in ("en", "fr")},
    "clean": clean,
    "tokens": lambda line: TokenRules(LineRules("en", PREFIXES)).words(line),
    "unify": unify,
    "label": label_of,
    "lowercase": lowercase,
    "ptb": lambda line: list(ptb_tokens(line)),
    "names": names_in,
    "uax29": lambda line: pytest.importorskip("regex") and tokenizer()(line),
}
"""Functions that look at a text with several patterns, or without any."""


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough) for name in FUNCTIONS]
)
def test_functions(name):
    """Functions read such lines in linear time, too; the letters mean something to one of them."""
    letters = "a @\u0301\u0323&" if name in QUICK else "aT.-<\"'=1" if name == "ptb" else "aN @.'-Σ\u0301"
    assert _is_linear(FUNCTIONS[name], letters)


@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_a_repeated_field(place):
    """The message about a field that occurs twice in an object of JSON takes linear time to make."""

    def run(line):
        names = [f'"{number}":0' for number in range(1 + len(line) // 4)]
        names.append(names[int(place * (len(names) - 1))])
        with pytest.raises(InvalidText, match="occurs twice"):
            JsonLines(Source("table", held=f"{{{','.join(names)}}}".encode())).rows(["0"]).__next__()

    assert _is_linear(run, "a")
