"""METEOR 1.5 itself, run in every language: statistics, alignments, scores."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import zipfile
from collections import defaultdict

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.config import load_preset
from meteorlib.resources.install import install
from tests.oracle.languages import NAMES, STEMMED, collide, java_hash, make_table, read_pairs
from tests.oracle.records import relative_error
from tests.presets import with_table
from tools.record_jar import run_jar

pytestmark = [pytest.mark.oracle, pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path_factory):
    """A cache folder that all these tests share."""
    monkeypatch.setenv("METEORLIB_CACHE", str(tmp_path_factory.getbasetemp() / "cache-of-languages"))


def check(oracles, config, pairs, options, *, of_corpus=True):
    """Statistics, alignments and scores equal METEOR 1.5's, except for a few pairs in which it confuses two words."""
    references, hypotheses = pairs
    jar = oracles / "meteor-1.5.jar"
    score, theirs = run_jar(jar, hypotheses, [[reference] for reference in references], options, of_corpus=of_corpus)
    scorer = Scorer(config)
    corpus = scorer.corpus().extend(references=references, hypotheses=hypotheses)
    assert corpus.segment_count == len(theirs) == len(hypotheses)
    same = []
    for pair, ours, segment in zip(zip(*pairs, strict=True), corpus.segments, theirs, strict=True):
        alignment = ours.alignment
        if list(alignment.matches) != segment.matches and collide(alignment.reference, alignment.hypothesis):
            continue
        assert list(alignment.matches) == segment.matches
        assert ours.statistics.line() == segment.statistics
        assert relative_error(ours.score, segment.score) <= 1e-15
        same.append(pair)
    if len(same) < len(theirs):
        assert len(same) >= 0.97 * len(theirs)
        fewer = [reference for reference, _ in same], [hypothesis for _, hypothesis in same]
        check(oracles, config, fewer, options, of_corpus=of_corpus)
    elif of_corpus:
        assert relative_error(corpus.score().score, score) <= 1e-15
    return scorer


VARIANTS = {
    "rank": ("", "-norm", {}),
    "no punctuation": ("", "-norm -noPunct", {"text": "norm_nopunct"}),
    "lowercase": ("", "-lower", {"text": "lower"}),
    "characters": ("", "-norm -ch", {"count": "characters"}),
    "intended": ("-intended", "-norm -s {words}", {}),
    "intended, characters": ("-intended", "-norm -ch -s {words}", {"count": "characters"}),
}
_OF_CORPUS = ("rank", "intended, characters")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", NAMES)
def test_with_paraphrases(oracles, root, tmp_path, language, variant):
    """Czech, German, Spanish, French and Russian with a table, with METEOR's function words and with their own."""
    suffix, options, settings = VARIANTS[variant]
    preset = evolve(load_preset(f"meteor-1.5-{language}{suffix}"), **settings)
    pairs = read_pairs(root, language)
    table = make_table(tmp_path / "table.gz", preset, pairs)
    with zipfile.ZipFile(oracles / "meteor-1.5.jar") as jar:
        (tmp_path / "words").write_bytes(jar.read(f"function/{NAMES[language]}.words"))
    command = ["-l", language, "-a", str(table), *options.format(words=tmp_path / "words").split()]
    scorer = check(oracles, with_table(preset, table), pairs, command, of_corpus=variant in _OF_CORPUS)
    references, hypotheses = pairs
    assert (
        scorer.corpus()
        .extend(references=references, hypotheses=hypotheses)
        .score()
        .statistics.stages[-1]
        .hypothesis_content
        > 50
    )


@pytest.mark.parametrize("language", NAMES)
def test_with_an_empty_table(oracles, root, tmp_path, language):
    """A table without entries is METEOR with no paraphrase matches."""
    table = tmp_path / "empty.gz"
    table.write_bytes(gzip.compress(b""))
    config = with_table(load_preset(f"meteor-1.5-{language}"), table)
    check(oracles, config, read_pairs(root, language), ["-l", language, "-norm", "-a", str(table)])


@pytest.mark.parametrize("language", NAMES)
def test_core(oracles, root, language):
    """The presets without the table are METEOR's `-m 'exact stem'` (Czech: `-m exact`), with the weights it takes."""
    modules = "exact" if language == "cz" else "exact stem"
    options = ["-l", language, "-norm", "-m", modules]
    check(oracles, load_preset(f"meteor-1.5-{language}-core"), read_pairs(root, language), options)


@pytest.mark.parametrize(("one", "other"), [("le", "n'"), ("je", "l'"), ("лося", "лота")])
def test_collisions(oracles, one, other):
    """METEOR takes words with one hash for one word; here they are two words, the one deliberate difference."""
    assert java_hash(one) == java_hash(other)
    options = ["-l", "fr", "-m", "exact"]
    score, theirs = run_jar(oracles / "meteor-1.5.jar", [f"{one} chat"], [[f"{other} chat"]], options)
    assert (score, len(theirs[0].matches)) == (1.0, 2)
    scorer = Scorer(evolve(load_preset("meteor-1.5-fr-core"), text="none"))
    assert len(scorer.align(f"{other} chat", f"{one} chat").matches) == 1


@pytest.mark.parametrize("language", ["da", "other", *STEMMED])
def test_lowercase_languages(oracles, root, language):
    """The languages without a normalizer, and any other."""
    options = ["-l", language, "-lower"]
    check(oracles, load_preset(f"meteor-1.5-{language}"), read_pairs(root, language), options)


@pytest.mark.parametrize("language", ["da", "other", "ru"])
def test_new_language(oracles, root, tmp_path, language):
    """A folder with function words, one of them with a capital letter, and paraphrases is METEOR's `-new`."""
    preset = load_preset("meteor-1.5-universal")
    pairs = read_pairs(root, language)
    make_table(tmp_path / "paraphrase.gz", preset, pairs)
    common = sorted({word for text in pairs[0] for word in text.lower().split() if len(word) < 4})[::2]
    (tmp_path / "function.words").write_text("".join(f"{word}\n" for word in ["Er", "И", *common]), encoding="utf-8")
    scorer = check(oracles, evolve(preset, resources=str(tmp_path)), pairs, ["-new", str(tmp_path)])
    references, hypotheses = pairs
    assert (
        scorer.corpus().extend(references=references, hypotheses=hypotheses).score().statistics.reference_function_words
        > 100
    )


def synonymous(synsets: str) -> tuple[list[str], list[str]]:
    """Lines of words and lines of their synonyms, some with an ending that METEOR takes off."""
    chance, groups = random.Random(7), defaultdict(list)
    for word, numbers in zip(synsets.split("\n")[::2], synsets.split("\n")[1::2], strict=False):
        for number in numbers.split():
            groups[number].append(word)
    several = [group for group in groups.values() if len(group) > 1]
    lines = [[chance.sample(group, 2) for group in chance.sample(several, 6)] for _ in range(200)]
    references = [" ".join(one for one, _ in line) for line in lines]
    endings = ["", "", "", "s", "es", "ed", "ing"]
    hypotheses = [
        " ".join(other + chance.choice(endings) for _, other in chance.sample(line, chance.randint(3, 6)))
        for line in lines
    ]
    return references, hypotheses


@pytest.mark.parametrize("irregular", [False, True], ids=["synsets", "exceptions"])
@pytest.mark.parametrize("language", ["fr", "de", "es", "ru"])
def test_synonyms(oracles, shared, root, tmp_path, language, irregular):
    """METEOR-E's synonyms, out of DBnary, are METEOR's `-d`; with a list of irregular forms, and without one."""
    name = NAMES[language]
    with gzip.open(shared / "data" / "dbnary" / f"{name}.synsets.gz", "rt", encoding="utf-8") as file:
        text = file.read()
    pairs = [ours + theirs for ours, theirs in zip(read_pairs(root, language), synonymous(text), strict=True)]
    (tmp_path / f"{name}.synsets").write_text(text, "utf-8")
    (tmp_path / f"{name}.relations").touch()
    words, bases = sorted({word for side in pairs for line in side for word in line.split()}), text.split("\n")[::2]
    forms = zip(bases[:: len(bases) // 400], words[:: len(words) // 400], strict=False) if irregular else ()
    (tmp_path / f"{name}.exceptions").write_text("".join(f"{base}\n{form}\n" for base, form in forms), "utf-8")
    install(f"synonyms-{language}", tmp_path)
    config = load_preset(f"meteor-e-dbnary-{language}-core")
    weights = " ".join(str(stage.weight) for stage in config.stages)
    options = ["-l", language, "-norm", "-m", "exact stem synonym", "-w", weights, "-d", str(tmp_path)]
    scorer = check(oracles, config, pairs, options)
    corpus = scorer.corpus().extend(references=pairs[0], hypotheses=pairs[1])
    assert corpus.score().statistics.stages[2].hypothesis_content > 500


PRESETS = {
    **{f"meteor-1.5-{language}": f"-l {language} -norm -a empty.gz" for language in NAMES},
    **{f"meteor-1.5-{language}-intended": f"-l {language} -norm -a empty.gz" for language in NAMES},
    **{f"meteor-1.5-{language}-core": f"-l {language} -norm -m|exact stem" for language in NAMES if language != "cz"},
    "meteor-1.5-cz-core": "-l cz -norm -m exact",
    **{f"meteor-1.5-{language}": f"-l {language} -lower" for language in ["da", "other", *STEMMED]},
    "meteor-1.5-universal": "-new .",
}


@pytest.mark.parametrize("name", PRESETS)
def test_eval_id(oracles, tmp_path, name):
    """The Eval ID of a preset is the one that METEOR 1.5 prints."""
    (tmp_path / "text").write_text("a b c\n")
    (tmp_path / "function.words").write_text("a\n")
    for table in ("empty.gz", "paraphrase.gz"):
        (tmp_path / table).write_bytes(gzip.compress(b""))
    head, *modules = PRESETS[name].split("|")
    jar = ["java", "-Xmx2G", "-jar", oracles / "meteor-1.5.jar", "text", "text", *head.split(), *modules]
    run = subprocess.run(jar, cwd=tmp_path, capture_output=True, text=True, check=True)
    config = evolve(with_table(load_preset(name), tmp_path / "empty.gz"), resources=str(tmp_path))
    assert f"Eval ID:        {Scorer(config).signature.eval_id}\n" in run.stdout
