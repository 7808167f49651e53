"""Record the results in meteorlib/conformance/expected/: ``python -m tools.record_conformance``.

Presets of meteorlib's own METEORs are recorded from meteorlib itself, as far as their language data and packages are
installed. METEOR 1.5's are recorded from its jar with ``--jar JAR``, NLTK's with ``--nltk`` (and ``NLTK_DATA``), each
preset from its own release, as far as that is the installed one (for NLTK 3.5, ``PYTHONPATH`` with its source is
enough); without these options only the signatures of their files are written anew. So after a change of METEOR 2026 the
command without options is enough.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from meteorlib import Scorer, __version__
from meteorlib.config import ScorerConfig, preset_names
from meteorlib.conformance.run import HERE, Case, read_cases, read_expected, recorded_presets
from meteorlib.errors import MeteorError
from meteorlib.resources.catalog import is_user_resource
from meteorlib.verification import FACTS, corpus_score, number, packed_matches, signature_fields
from tools.record_jar import run_jar

Row = dict[str, Any]
Recording = tuple[Row, list[Row]]
"""More of the head, and the rows of the cases."""

METEOR_15 = re.compile(r"meteor-1\.5-(?P<language>\w+)(-(?P<task>\w+))?")
NLTK_RELEASES = {"nltk": "3.10.4", "nltk-3.5": "3.5"}
"""Presets and the releases of NLTK that they are."""

NOT_THE_JARS = ("meteor-1.5-en-optimal", "intended")
"""Presets named after METEOR 1.5 that its jar does not have."""


def jar_options(config: ScorerConfig) -> list[str] | None:
    """Options of METEOR 1.5 that are the preset; None if it has none."""
    found = METEOR_15.fullmatch(config.name)
    if found is None or config.name.endswith(NOT_THE_JARS) or found["language"] == "universal":
        return None
    options = ["-l", found["language"], f"-{config.text}"]
    task = found["task"]
    if task == "core":
        stages = config.stages
        return [*options, "-m", " ".join(s.matcher for s in stages), "-w", " ".join(str(s.weight) for s in stages)]
    return options + (["-t", task] if task else []) + (["-ch"] if task == "util" else [])


def from_jar(jar: Path, options: Sequence[str], cases: Sequence[Case]) -> Recording:
    """Results of METEOR 1.5, which is run for each number of references."""
    rows: dict[str, Row] = {}
    corpus = {}
    for count in sorted({len(case.references) for case in cases}):
        group = [case for case in cases if len(case.references) == count]
        texts = [case.hypothesis for case in group], [case.references for case in group]
        score, segments = run_jar(jar, *texts, options)
        corpus[str(count)] = number(score)
        for case, one in zip(group, segments, strict=True):
            numbers = {name: number(getattr(one, name)) for name in ("score", "precision", "recall", "penalty")}
            statistics = " ".join(str(int(float(cell))) for cell in one.statistics.split())
            matches = packed_matches(one.matches)
            rows[case.id] = {"id": case.id, **numbers, "statistics": statistics, "matches": matches}
    command = f"java -jar meteor-1.5.jar HYPOTHESES REFERENCES {' '.join(f'{o!r}' if ' ' in o else o for o in options)}"
    return {"program": "METEOR 1.5", "command": command, "corpus": corpus}, [rows[case.id] for case in cases]


def from_nltk(preset: str, cases: Sequence[Case]) -> Recording | None:
    """Scores of NLTK, words split at white space; None if the installed release is another."""
    from nltk import __version__  # noqa: PLC0415 – for this preset only
    from nltk.translate.meteor_score import meteor_score  # noqa: PLC0415

    if __version__ != NLTK_RELEASES[preset]:
        return None
    of_text = __version__ == "3.5"  # which splits itself

    def score(case: Case) -> float:
        if of_text:
            return float(meteor_score(list(case.references), case.hypothesis))
        return float(meteor_score([text.split() for text in case.references], case.hypothesis.split()))

    command = "meteor_score([reference.split() for reference in references], hypothesis.split())"
    command = "meteor_score(references, hypothesis)" if of_text else command
    rows = [{"id": case.id, "score": score(case)} for case in cases]
    return {"program": f"NLTK {__version__}", "command": command}, rows


def from_meteorlib(scorer: Scorer, cases: Sequence[Case]) -> Recording:
    """Results of meteorlib's own METEORs, by the Python engine."""
    names = [name for name in FACTS if name != "statistics"]
    rows = []
    for case in cases:
        scored = scorer.score(case.references, case.hypothesis)
        rows.append({"id": case.id, **{name: FACTS[name](scored) for name in names}})
    counts = sorted({len(case.references) for case in cases})
    corpus = {str(count): corpus_score(scorer, cases, count) for count in counts}
    return {"program": f"meteorlib {__version__}", "corpus": corpus}, rows


def kept(name: str) -> Recording | None:
    """The recording that is there; None if there is none."""
    if name not in recorded_presets():
        return None
    head, rows = read_expected(name)
    return {key: head[key] for key in ("program", "command", "corpus") if key in head}, list(rows.values())


def write(scorer: Scorer, recording: Recording) -> None:
    """Write the file of a preset."""
    name, more = scorer.config.name, recording[0]
    head = {"preset": name, "language": scorer.config.language, **more, "signature": signature_fields(scorer)}
    lines = [json.dumps(row, ensure_ascii=False) for row in (head, *recording[1])]
    (HERE / "expected" / f"{name}.jsonl").write_bytes("".join(f"{line}\n" for line in lines).encode())


def recording_of(scorer: Scorer, jar: Path | None, *, nltk: bool) -> Recording | None:
    """Results of a preset from its own program; those that are there if it is not given, or if none of ours moved."""
    config = scorer.config
    cases = [case for case in read_cases() if case.language == config.language]
    options = jar_options(config)
    if options is not None:
        return from_jar(jar, options, cases) if jar else kept(config.name)
    if config.name in NLTK_RELEASES:
        return (from_nltk(config.name, cases) if nltk else None) or kept(config.name)
    found, earlier = from_meteorlib(scorer, cases), kept(config.name)
    return earlier if earlier and (earlier[0]["corpus"], earlier[1]) == (found[0]["corpus"], found[1]) else found


def main() -> None:
    """Write the files anew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("presets", nargs="*", help="names of presets; none for all")
    parser.add_argument("--jar", type=Path, help="METEOR 1.5's jar, with its data folder beside it")
    parser.add_argument("--nltk", action="store_true", help="record NLTK's scores")
    given = parser.parse_args()
    for name in given.presets or preset_names():
        try:
            scorer = Scorer(name, implementation="python")
        except MeteorError as error:
            sys.stderr.write(f"{name}: left as it is: {error}\n")
            continue
        if any(is_user_resource(stage.resource or "") for stage in scorer.config.stages):
            continue  # the data are different on every machine
        recording = recording_of(scorer, given.jar, nltk=given.nltk)
        if recording is None:
            sys.stderr.write(f"{name}: not recorded yet; give --jar or --nltk\n")
        else:
            write(scorer, recording)


if __name__ == "__main__":
    main()
