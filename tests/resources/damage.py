"""Damages files of language data at random and scores with them: a program of its own, for it could crash.

Usage: ``python -m tests.resources.damage MODE SEED COUNT``. For each file it prints how often it was refused, and how
often the scores were right all the same; anything else is an error.

The modes of the index of a paraphrase table:

fresh       the files are damaged before anybody looks at them
remembered  they were found good before, and their size and time of modification are those they had then
blind       no time and no number of a file can be trusted, so that a mapped file is taken for good unseen; then there
            may be other scores, but no crash
meanwhile   likewise, and a mapped file is damaged again and again while it is scored with

The mode ``packaged`` is of the packaged data.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

from meteorlib import Scorer
from meteorlib.core.segment import Pair
from meteorlib.errors import ResourceDamaged
from meteorlib.resources import catalog, lexicons, word_lists
from meteorlib.resources.install import install
from meteorlib.resources.store import data_file, shared_files
from meteorlib.resources.store.data_file import open_packaged
from meteorlib.resources.word_lists import function_words, nonbreaking_prefixes, open_negations

TABLE = "paraphrase-de"
MAPPED = ("nodes.u32", "targets.u32", "children.u32")
INDEX = (*MAPPED, "words.records", "manifest.json")
PRESETS = {"wordnet-en": "nltk", "wordnet-en-offsets": "meteor-1.5-en-core"}


def damaged(random: Random, data: bytes, others: list[bytes]) -> bytes:
    """The bytes of a file after an accident; `others` are files that it could be mistaken for."""
    changed = bytearray(data)
    kind = random.choice(("bits", "bytes", "permuted", "numbers", "truncated", "extended", "zeroed", "swapped"))
    place = 4 * random.randrange(max(len(data) // 4, 1))
    if kind == "bits":
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif kind == "bytes":
        for _ in range(random.randint(1, 64)):
            changed[random.randrange(len(data))] = random.randrange(256)
    elif kind == "permuted":
        for _ in range(random.randint(1, 9)):
            other = 4 * random.randrange(max(len(data) // 4, 1))
            changed[place : place + 4], changed[other : other + 4] = data[other : other + 4], data[place : place + 4]
    elif kind == "numbers":
        for _ in range(random.randint(1, 9)):
            number = random.choice((0, 1, random.randrange(500), len(data) // 4, 2**31 - 1, 2**31, 2**32 - 1))
            changed[place : place + 4] = number.to_bytes(4, "little")
            place = 4 * random.randrange(max(len(data) // 4, 1))
        del changed[len(data) :]
    elif kind == "truncated":
        del changed[random.randrange(len(data)) :]
    elif kind == "extended":
        changed += random.randbytes(random.randint(1, 5000))
    elif kind == "zeroed":
        end = min(place + random.choice((64, 4096)), len(data))
        changed[place:end] = bytes(end - place)
    else:
        changed = bytearray(random.choice(others))
    return bytes(changed)


def segments(random: Random) -> list[tuple[str, str]]:
    """Pairs of segments of few words."""
    return [
        (" ".join(random.choices(WORDS, k=random.randint(1, 12))), " ".join(random.choices(WORDS, k=10)))
        for _ in range(12)
    ]


WORDS = [f"wort{letter}" for letter in "abcdefghij"]


def table(random: Random, path: Path) -> Path:
    """A paraphrase table of few words."""

    def phrase() -> str:
        return " ".join(random.choices(WORDS, k=random.randint(1, 4)))

    path.write_bytes(gzip.compress("".join(f"0.5\n{phrase()}\n{phrase()}\n" for _ in range(300)).encode()))
    return path


def outcome(preset: str, pairs: list[tuple[str, str]]) -> object:
    """All scores and matches by a new scorer; None where it refuses."""
    try:
        return scores(Scorer(preset), pairs)
    except ResourceDamaged as error:
        remedy = error.remedy
        if "install meteorlib again" not in remedy and f"run `meteorlib resources install {TABLE}" not in remedy:
            raise AssertionError(remedy) from error
        return None


def scores(scorer: Scorer, pairs: list[tuple[str, str]]) -> object:
    """All scores and matches, and the sums."""
    breakdowns = [scorer.score(reference, hypothesis) for reference, hypothesis in pairs]
    totals = scorer.totals(Pair([reference], hypothesis) for reference, hypothesis in pairs)
    return [(one.score, one.alignment.matches) for one in breakdowns], totals.statistics, scorer.signature.numbers


def write(path: Path, data: bytes, times: tuple[int, int] | None = None) -> None:
    """Write to a file in place, and set its times."""
    path.chmod(0o600)
    path.write_bytes(data)
    if times:
        os.utime(path, ns=times)


def damage_index(mode: str, random: Random, count: int, work: Path) -> dict[str, Counter[str]]:
    """Damage each file of an index `count` times."""
    preset, pairs = "meteor-1.5-de", segments(random)
    other = shared_files.current_version(install(TABLE, table(random, work / "other.gz")))
    assert other is not None
    old = {name: (other / name).read_bytes() for name in INDEX}
    folder = shared_files.current_version(install(TABLE, table(random, work / "table.gz")))
    assert folder is not None
    good = {name: (folder / name).read_bytes() for name in INDEX}
    right = outcome(preset, pairs)
    assert right is not None
    if mode in ("blind", "meanwhile"):
        data_file.FileState.of = classmethod(lambda cls, status: cls(status.st_size, 0, 0, 0))  # type: ignore[method-assign]
        data_file.DataFile.touched = lambda file: file.current_state() != file.state  # type: ignore[method-assign]
        assert outcome(preset, pairs) == right
    if mode == "meanwhile":
        return damage_meanwhile(random, count, folder, preset, pairs)
    if mode == "blind":  # a copy has an end that a sanitizer sees
        data_file.DataFile.map_numbers = data_file.DataFile.numbers  # type: ignore[method-assign]
    found = {}
    for name in INDEX:
        path, told = folder / name, Counter()
        for _ in range(count):
            bad = good[name]
            while bad == good[name]:
                bad = damaged(random, good[name], [old[name], *[data for key, data in good.items() if key != name]])
                if mode == "remembered":
                    bad = bad[: len(good[name])].ljust(len(good[name]), b"\0")
            if mode == "remembered":
                time.sleep(data_file.CLOCK_TICK / 1e9)
                assert outcome(preset, pairs) == right
            status = path.stat()
            write(path, bad, (status.st_atime_ns, status.st_mtime_ns))
            result = outcome(preset, pairs)
            told["refused" if result is None else "right" if result == right else "wrong"] += 1
            write(path, good[name], (status.st_atime_ns, status.st_mtime_ns))
        assert not told["wrong"] or (mode == "blind" and name in MAPPED), (name, told)
        found[name] = told
    assert outcome(preset, pairs) == right
    return found


def damage_meanwhile(
    random: Random, count: int, folder: Path, preset: str, pairs: list[tuple[str, str]]
) -> dict[str, Counter[str]]:
    """Damage mapped files in place while they are scored with."""
    ended, found = threading.Event(), Counter()

    def spoil() -> None:
        opened = [(folder / name).open("r+b", buffering=0) for name in MAPPED]
        while not ended.is_set():
            file = random.choice(opened)
            file.seek(4 * random.randrange(os.fstat(file.fileno()).st_size // 4))
            file.write(random.randrange(random.choice((9, 400, 2**32))).to_bytes(4, "little"))
        for file in opened:
            file.close()

    for name in MAPPED:
        (folder / name).chmod(0o600)
    scorers = [Scorer(preset) for _ in range(count)]
    thread = threading.Thread(target=spoil)
    thread.start()
    try:
        for scorer in scorers:
            try:
                scores(scorer, pairs)
                found["scored"] += 1
            except ResourceDamaged:
                found["refused"] += 1
    finally:
        ended.set()
        thread.join()
    return {"mapped files": found}


def damage_packaged(random: Random, count: int, work: Path) -> dict[str, Counter[str]]:
    """Damage each packaged file `count` times."""
    original = catalog.packaged_path("wordnet-en").parent
    copy = work / "data"
    shutil.copytree(original, copy)
    data_file.packaged_path = lambda name: copy / catalog.packaged_path(name).relative_to(original)
    pairs = [("the dogs ran to No. 5 happily", "some hounds run joyfully to Mr. No. 5"), ("a car", "an automobile")]
    names = {next(copy.rglob(file)): name for name, files in catalog.FILES.items() for file in files}
    found = {}
    for path, name in names.items():
        good, told, right = path.read_bytes(), Counter(), packaged_outcome(name, pairs)
        assert right is not None
        others = [other.read_bytes() for other in names if other != path]
        for _ in range(count):
            bad = good
            while bad == good:
                bad = damaged(random, good, others)
            write(path, bad)
            result = packaged_outcome(name, pairs)
            told["refused" if result is None else "right" if result == right else "wrong"] += 1
        write(path, good)
        assert not told["wrong"], (path.name, told)
        found[path.name] = told
    return found


def packaged_outcome(name: str, pairs: list[tuple[str, str]]) -> object:
    """Results of a packaged resource, opened for the first time; None if it is refused."""
    for opener in (
        lexicons.open_wordnet,
        lexicons.open_synset_names,
        lexicons.open_offset_lexicon,
        word_lists.packaged_weights,
        lexicons._open_thesaurus,
    ):
        opener.cache_clear()
    if name in PRESETS:
        return outcome(PRESETS[name], pairs)
    kind, _, language = name.rpartition("-")
    try:
        if kind == "information":
            return [word_lists.open_word_weights(name)(word) for one in pairs for word in " ".join(one).split()]
        if kind == "thesaurus":
            return [sorted(lexicons.open_synonyms(name)(word)) for one in pairs for word in " ".join(one).split()]
        if kind.startswith(("center", "negations")):
            return open_negations(name) if kind == "negations" else [file.read() for file in open_packaged(name)]
        return {"prefixes": nonbreaking_prefixes, "function-words": function_words}[kind](language)
    except ResourceDamaged as error:
        if error.remedy != "install meteorlib again":
            raise AssertionError(error.remedy) from error
        return None


def main(mode: str, seed: str, count: str) -> None:
    """Damage, and print what came of it."""
    random = Random(f"{mode} {seed}")
    with tempfile.TemporaryDirectory() as work:
        os.environ["METEORLIB_CACHE"] = f"{work}/cache"
        if mode == "packaged":
            found = damage_packaged(random, int(count), Path(work))
        else:
            found = damage_index(mode, random, int(count), Path(work))
    lines = [" ".join([name, *[f"{key}={told[key]}" for key in sorted(told)]]) for name, told in found.items()]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
