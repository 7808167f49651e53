"""Broken YAML: every problem at once, with line and path, in exact words."""

from __future__ import annotations

import pytest

from meteorlib.config.nodes import MAX_PROBLEM_LENGTH
from meteorlib.registry import MATCHERS, SEARCHES, TEXTS
from meteorlib.resources.stemmers import STEMMERS

MINE = "presets:\n  mine:\n    extends: meteor-1.5-en\n"
OTHERS = "those of `meteorlib presets list`"
UNKNOWN_STEMMER = (
    "presets.mine.stages[0].resource: unknown stemmer 'snowball-eng' (did you mean 'snowball-en'?);"
    f" known: {', '.join(sorted(STEMMERS))}"
)

BROKEN = {
    # file
    "empty": ("", "my.yaml: is empty: 'presets' is expected"),
    "only a comment": ("# nothing\n", "my.yaml: is empty: 'presets' is expected"),
    "null": ("---\n", "my.yaml:2: must be a mapping with 'presets', not null"),
    "list": ("- a\n", "my.yaml:1: must be a mapping with 'presets', not a list"),
    "scalar": ("hello\n", "my.yaml:1: must be a mapping with 'presets', not 'hello'"),
    "no presets": ("default: a\n", "my.yaml:1: missing key 'presets'"),
    "presets empty": (
        "presets: {}\n",
        "my.yaml:1: presets: must be a mapping of names to presets, not an empty mapping",
    ),
    "presets a list": ("presets: [a]\n", "my.yaml:1: presets: must be a mapping of names to presets, not a list"),
    "preset null": ("presets:\n  mine:\n", "my.yaml:2: presets.mine: must be a mapping, not null"),
    "preset of text extended": (
        "presets:\n  a: text\n  b: {extends: a, search: {name: greedy}}\n",
        "my.yaml:2: presets.a: must be a mapping, not 'text'",
    ),
    "preset name": (
        "presets:\n  a b: {extends: meteor-2005}\n",
        "my.yaml:2: presets.'a b': a preset's name is made of at most 60 letters, digits and . _ + -",
    ),
    "unknown top key": (f"preset: 1\n{MINE}", "my.yaml:1: unknown key 'preset' (did you mean 'presets'?)"),
    "default unknown": (
        f"{MINE}default: main\n",
        "my.yaml:4: default: unknown preset 'main' (did you mean 'mine'?); known: mine",
    ),
    "default a number": (f"{MINE}default: 2005\n", "my.yaml:4: default: must be text, not 2005 (put it in quotes)"),
    "several documents": (f"{MINE}---\na: 1\n", "my.yaml:4: a second document begins; a file may contain only one"),
    # YAML
    "tab": (
        "presets:\n\tmine: 1\n",
        (
            "my.yaml:2: not valid YAML: while scanning for the next token, found character '\\t' that cannot"
            " start any token"
            " (indent with spaces)"
        ),
    ),
    "unclosed": (
        "presets: [a\n",
        "my.yaml:2: not valid YAML: while parsing a flow sequence, expected ',' or ']', but got '<stream end>'",
    ),
    "key twice": (
        f"{MINE}    text: norm\n    text: none\n",
        "my.yaml:5: presets.mine: key 'text' is given twice (first on line 4)",
    ),
    "preset twice": (f"{MINE}  mine: {{}}\n", "my.yaml:4: presets: key 'mine' is given twice (first on line 2)"),
    "complex key": (f"{MINE}    ? [a]\n    : 1\n", "my.yaml:4: presets.mine: a key must be plain text"),
    "tag": (
        f"{MINE}    text: !!python/object/apply:os.system ['exit 1']\n",
        "my.yaml:4: presets.mine.text: tag '!!python/object/apply:os.system': tags are not allowed",
    ),
    "plain tag": (f"{MINE}    text: !!str none\n", "my.yaml:4: presets.mine.text: tag '!!str': tags are not allowed"),
    "merge key": (
        "presets:\n  a: &a {extends: meteor-2005}\n  b:\n    <<: *a\n    extends: a\n",
        "my.yaml:4: presets.b: merge key '<<' is not allowed: use 'extends'",
    ),
    "recursive alias": (
        "presets: &a\n  mine: *a\n",
        "my.yaml:2: presets.mine: alias '*a' is inside the value that it names",
    ),
    "alias of nothing": ("presets: *a\n", "my.yaml:1: presets: alias '*a' has no anchor before it"),
    "NUL": ("presets:\n  a: \0\n", "my.yaml:2: character U+0000 is not allowed"),
    "escaped NUL": (
        f'{MINE}    language: "e\\0n"\n',
        "my.yaml:4: presets.mine.language: contains NUL or a lone surrogate",
    ),
    "surrogate": (
        f'{MINE}    language: "\\ud800"\n',
        "my.yaml:4: presets.mine.language: contains NUL or a lone surrogate",
    ),
    "no character": (
        'presets: "\\U99999999"\n',
        "my.yaml: not valid YAML: a character code or version number is out of range",
    ),
    # values
    "unknown key": (
        f"{MINE}    stages:\n      - matcher: exact\n        wieght: 1\n",
        "my.yaml:6: presets.mine.stages[0]: unknown key 'wieght' (did you mean 'weight'?)",
    ),
    "unknown preset key": (
        f"{MINE}    stage: []\n",
        "my.yaml:4: presets.mine: unknown key 'stage' (did you mean 'stages'?)",
    ),
    "name": (
        f"{MINE}    name: other\n",
        "my.yaml:4: presets.mine: unknown key 'name' (a preset's name is its key under 'presets')",
    ),
    "missing keys": (
        "presets:\n  mine:\n    parameters:\n      alpha: 0.9\n",
        (
            "my.yaml:2: presets.mine: missing key 'stages'\n"
            "my.yaml:3: presets.mine.parameters: missing key 'beta'\n"
            "my.yaml:3: presets.mine.parameters: missing key 'gamma'"
        ),
    ),
    "missing matcher": (
        f"{MINE}    stages: [{{weight: 1}}]\n",
        "my.yaml:4: presets.mine.stages[0]: missing key 'matcher'",
    ),
    "no stages": (f"{MINE}    stages: []\n", "my.yaml:4: presets.mine.stages: stages must contain at least one stage"),
    "stages a mapping": (
        f"{MINE}    stages: {{a: 1}}\n",
        "my.yaml:4: presets.mine.stages: must be a list, not a mapping",
    ),
    "stage a name": (
        f"{MINE}    stages: [exact]\n",
        "my.yaml:4: presets.mine.stages[0]: must be a mapping, not 'exact'",
    ),
    "parameters null": (f"{MINE}    parameters:\n", "my.yaml:4: presets.mine.parameters: must be a mapping, not null"),
    "boolean": (
        f"{MINE}    parameters: {{alpha: true}}\n",
        "my.yaml:4: presets.mine.parameters.alpha: must be a number, not true",
    ),
    "quoted": (
        f"{MINE}    parameters: {{alpha: '0.85'}}\n",
        "my.yaml:4: presets.mine.parameters.alpha: must be a number, not '0.85'",
    ),
    "ranges": (
        f"{MINE}    parameters: {{alpha: 1.5, beta: -1, gamma: .inf, delta: .nan}}\n",
        (
            "my.yaml:4: presets.mine.parameters.alpha: alpha must be between 0 and 1: 1.5\n"
            "my.yaml:4: presets.mine.parameters.beta: beta must not be negative: -1.0\n"
            "my.yaml:4: presets.mine.parameters.gamma: gamma must be a finite number: inf\n"
            "my.yaml:4: presets.mine.parameters.delta: delta must be a finite number: nan"
        ),
    ),
    "huge": (
        f"{MINE}    parameters: {{beta: {'9' * 5000}}}\n",
        "my.yaml:4: presets.mine.parameters.beta: beta must be a finite number: inf",
    ),
    "weight": (
        f"{MINE}    stages: [{{matcher: exact, weight: 2}}]\n",
        "my.yaml:4: presets.mine.stages[0].weight: weight must be between 0 and 1: 2.0",
    ),
    "width": (
        f"{MINE}    search: {{name: beam, width: 0}}\n",
        "my.yaml:4: presets.mine.search.width: width must be between 1 and 1,000,000: 0",
    ),
    "width of two billion": (
        f"{MINE}    search: {{name: beam, width: 2000000000}}\n",
        "my.yaml:4: presets.mine.search.width: width must be between 1 and 1,000,000: 2,000,000,000",
    ),
    "width of twenty digits": (
        f"{MINE}    search: {{name: beam, width: 99999999999999999999}}\n",
        ("my.yaml:4: presets.mine.search.width: width must be between 1 and 1,000,000: 99,999,999,999,999,999,999"),
    ),
    "a setting of another search": (
        "presets:\n  mine:\n    extends: meteor-2005\n    search: {name: staged, width: 3}\n",
        "my.yaml:4: presets.mine.search: search 'staged' has no setting 'width'; it has budget",
    ),
    "a setting of no search": (
        f"{MINE}    search: {{name: optimal, bugdet: 3}}\n",
        (
            "my.yaml:4: presets.mine.search: search 'optimal' has no setting 'bugdet' (did you mean 'budget'?); "
            "it has width, budget"
        ),
    ),
    "settings of a search that has none": (
        "presets:\n  mine:\n    extends: nltk\n    search:\n      name: greedy\n      budget: 1\n      width: 2\n",
        (
            "my.yaml:6: presets.mine.search: search 'greedy' has no setting 'budget'; it has none\n"
            "my.yaml:7: presets.mine.search: search 'greedy' has no setting 'width'; it has none"
        ),
    ),
    "width a float": (
        f"{MINE}    search: {{name: beam, width: 4.0}}\n",
        "my.yaml:4: presets.mine.search.width: must be a whole number, not 4.0",
    ),
    "language a number": (
        f"{MINE}    language: 1\n    text: none\n",
        "my.yaml:4: presets.mine.language: must be text, not 1 (put it in quotes)",
    ),
    "names": (
        (
            f"{MINE}    stages: [{{matcher: stme}}]\n    text: normal\n    search: {{name: bean}}\n"
            "    formula: meteor-15\n    count: word\n    reduce: mex\n"
        ),
        (
            "my.yaml:4: presets.mine.stages[0].matcher: unknown matcher 'stme' (did you mean 'stem'?);"
            f" known: {', '.join(MATCHERS.names())}\n"
            "my.yaml:5: presets.mine.text: unknown text mode 'normal' (did you mean 'norm'?);"
            f" known: {', '.join(TEXTS.names())}\n"
            "my.yaml:6: presets.mine.search.name: unknown search 'bean' (did you mean 'beam'?);"
            f" known: {', '.join(SEARCHES.names())}\n"
            "my.yaml:7: presets.mine.formula: unknown formula 'meteor-15' (did you mean 'meteor-1.5'?);"
            " known: meteor-1.5, meteor-2005, meteor-2026\n"
            "my.yaml:8: presets.mine.count: unknown count 'word' (did you mean 'words'?); known: characters, words\n"
            "my.yaml:9: presets.mine.reduce: unknown reduce 'mex' (did you mean 'max'?); known: max, mean, min"
        ),
    ),
    "merge key and what it would have brought": (
        (
            "presets:\n  base: &base\n    extends: meteor-2005\n  mine:\n    <<: *base\n    language: en\n"
            "  more: {extends: mine}\n  other: {extends: mine, txt: lower}\n"
        ),
        (
            "my.yaml:5: presets.mine: merge key '<<' is not allowed: use 'extends'\n"
            "my.yaml:8: presets.other: unknown key 'txt' (did you mean 'text'?)"
        ),
    ),
    "merge key inside": (
        (
            "presets:\n  mine:\n    extends: meteor-2005\n"
            "    parameters: {<<: {alpha: 0.5}, beta: 1}\n    stages: [{<<: {matcher: exact}}]\n"
        ),
        (
            "my.yaml:4: presets.mine.parameters: merge key '<<' is not allowed: use 'extends'\n"
            "my.yaml:5: presets.mine.stages[0]: merge key '<<' is not allowed: use 'extends'"
        ),
    ),
    # extends
    "extends unknown": (
        "presets: {mine: {extends: meteor-2006}}\n",
        (
            "my.yaml:1: presets.mine.extends: unknown preset 'meteor-2006' (did you mean 'meteor-2005'?);"
            f" known: mine, {OTHERS}"
        ),
    ),
    "extends a list": (
        "presets: {mine: {extends: [meteor-2005]}}\n",
        "my.yaml:1: presets.mine.extends: must be the name of a preset",
    ),
    "extends itself": (
        "presets: {a: {extends: a}}\n",
        "my.yaml:1: presets.a.extends: is circular: a → a",
    ),
    "cycle": (
        "presets:\n  x: {extends: a}\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: a, text: 1}\n",
        (
            "my.yaml:5: presets.c.extends: is circular: a → b → c → a\n"
            "my.yaml:5: presets.c.text: must be text, not 1 (put it in quotes)"
        ),
    ),
    "inherited problem": (
        (
            "presets:\n  a:\n    extends: meteor-2005\n    text: 1\n    color: red\n  b: {extends: a}\n  c:"
            " {extends: b}\n"
        ),
        "my.yaml:4: presets.a.text: must be text, not 1 (put it in quotes)\nmy.yaml:5: presets.a: unknown key 'color'",
    ),
    "inherited lack": (
        "presets:\n  a: {text: none}\n  b: {extends: a}\n",
        "my.yaml:2: presets.a: missing key 'stages'\nmy.yaml:2: presets.a: missing key 'parameters'",
    ),
    # conflicts
    "normalizer": (
        f"{MINE}    language: no\n",
        (
            "my.yaml:4: presets.mine.language: text 'norm' has no rules for language 'no' (it has: cz, de, en,"
            " es, fr, ru);"
            " tokenize the text first and use 'none' or 'lower'"
        ),
    ),
    "staged paraphrases": (
        f"{MINE}    search: {{name: staged}}\n",
        (
            "my.yaml:4: presets.mine.search.name: search 'staged' pairs single words and takes no paraphrase stage;"
            " use search 'beam'"
        ),
    ),
    "resources": (
        (
            f"{MINE}    stages:\n      - {{matcher: stem}}\n      - {{matcher: synonym, resource: ''}}\n"
            "      - {matcher: paraphrase}\n      - {matcher: exact, resource: x}\n"
        ),
        (
            "my.yaml:5: presets.mine.stages[0]: matcher 'stem' needs a 'resource': a stemmer such as 'porter' or"
            " 'snowball-en'\n"
            "my.yaml:6: presets.mine.stages[1]: matcher 'synonym' needs a 'resource': a lexicon such as 'wordnet-en' or"
            " 'synonyms-de'\n"
            "my.yaml:7: presets.mine.stages[2]: matcher 'paraphrase' needs a 'resource': a table such as"
            " 'paraphrase-en'\n"
            "my.yaml:8: presets.mine.stages[3].resource: matcher 'exact' takes no resource"
        ),
    ),
    "data of another kind": (
        (
            f"{MINE}    stages:\n      - {{matcher: lemma, resource: simplemma-de}}\n"
            "      - {matcher: stem, resource: vectors-de}\n"
        ),
        (
            "my.yaml:5: presets.mine.stages[0].resource: unknown lemma names 'simplemma-de'; known: the lexicon"
            " 'wordnet-en'; simplemma-de is of another kind (stemmer), for another matcher\n"
            "my.yaml:6: presets.mine.stages[1].resource: unknown stemmer 'vectors-de'; known: a stemmer such as"
            " 'porter' or 'snowball-en'; vectors-de is of another kind (word vectors), for another matcher"
        ),
    ),
    "unknown data": (
        (
            f"{MINE}    function_words: xx\n    stages:\n      - {{matcher: stem, resource: snowball-eng}}\n"
            "      - {matcher: synonym, resource: wordnet}\n      - {matcher: paraphrase, resource: paraphrase-ent}\n"
            "      - {matcher: paraphrase, resource: ./table.gz}\n      - {matcher: foo, weight: 2}\n"
        ),
        (
            "my.yaml:4: presets.mine.function_words: unknown function word list 'xx'; known:"
            " ar, bg, bn, ca, cz, da, de, el, en, es, fa, fi, fr, he, hi, hu, id, is, it, ja, ko, lt, lv, mk, ms, nb,"
            " nl, pl, pt, ro, ru, sk, sl, sr, sv, ta, tl, tr, uk, ur, vi, zh\n"
            f"my.yaml:6: {UNKNOWN_STEMMER[: MAX_PROBLEM_LENGTH - 1]}…\n"
            "my.yaml:7: presets.mine.stages[1].resource: unknown lexicon 'wordnet' (did you mean 'wordnet-en'?);"
            " known: synonyms-XX, synonyms-XX-lemmas, thesaurus-XX-lemmas, thesaurus-de, thesaurus-es, thesaurus-fr,"
            " thesaurus-ru, wordnet-en, wordnet-en-offsets\n"
            "my.yaml:8: presets.mine.stages[2].resource: unknown paraphrase table 'paraphrase-ent' (did you mean"
            " 'paraphrase-en'?); known: paraphrase-cz, paraphrase-de, paraphrase-en, paraphrase-es, paraphrase-fr,"
            " paraphrase-ru\n"
            "my.yaml:10: presets.mine.stages[4].matcher: unknown matcher 'foo'; known: contextual, exact, joined,"
            " lemma, near, paraphrase, stem, synonym, vector, word_lemma\n"
            "my.yaml:10: presets.mine.stages[4].weight: weight must be between 0 and 1: 2.0"
        ),
    ),
    # all at once
    "everything": (
        (
            f"{MINE}    stages: [{{matcher: exact, wieght: 1}}]\n    text: norm\n    language: ja\n    text: x\n"
            "  other: {extends: nothing, count: 1}\ndefault: 3\n"
        ),
        (
            "my.yaml:4: presets.mine.stages[0]: unknown key 'wieght' (did you mean 'weight'?)\n"
            "my.yaml:6: presets.mine.language: text 'norm' has no rules for language 'ja' (it has: cz, de, en,"
            " es, fr, ru);"
            " tokenize the text first and use 'none' or 'lower'\n"
            "my.yaml:7: presets.mine: key 'text' is given twice (first on line 5)\n"
            f"my.yaml:8: presets.other.extends: unknown preset 'nothing'; known: mine, other, {OTHERS}\n"
            "my.yaml:8: presets.other.count: must be text, not 1 (put it in quotes)\n"
            "my.yaml:9: default: must be text, not 3 (put it in quotes)"
        ),
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken(my, case):
    """Every problem is reported once, in the order of the lines."""
    content, message = BROKEN[case]
    assert str(my(content.encode())) == message
