"""Record what meteorlib prints: ``python -m tools.record_golden`` writes ``tests/golden/output/NAME`` for `OUTPUTS`.

Read the changes before they are committed: a person will read the text.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

from meteorlib import __version__
from meteorlib.cli.commands import run as run_meteorlib
from meteorlib.cli.dropin.command import run as run_dropin

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"

_ONE = "score system-a.en -r reference.0.en -r reference.1.en"
_TWO = "score system-a.en system-b.en -r reference.0.en -n 100 --metric bleu --metric chrf"
_RUNS = "score system-a.en --runs both=system-b.en,system-c.en -r reference.0.en -n 100 --by domain=domains"
_WHY = "explain 'The cat sat on a mat.' -r 'A cats was sitting on the mats.' -r 'Dogs' -p meteor-1.5-en-core"
_PRESETS = "compare-presets system-b.en -r reference.0.en --presets nltk,meteor-2005,meteor-1.5-en-core --worst 3"
_IDENTIFY = "identify 0.271 system-b.en -r reference.0.en -r reference.1.en -p meteor-1.5-en-core"
_JUDGED = "meta-eval ratings.tsv -p nltk -p meteor-2005 --metric length -n 50"
_FIT = "tune ratings.tsv -p meteor-2005-exact --fit alpha=0.5/0.9 --method grid --objective pearson -n 50 --force"

OUTPUTS = {
    "score": _ONE,
    "score-verbose": f"{_ONE} --verbose",
    "score-segments": f"{_ONE} --segments --percent",
    "score-groups": f"{_ONE} --by domain=domains",
    "score-only": "score system-a.en system-b.en -r reference.0.en --score-only --width 6",
    **{f"score.{form}": f"{_ONE} -f {form}" for form in ("json", "tsv", "markdown", "latex")},
    "score-two": _TWO,
    **{f"score-two.{form}": f"{_TWO} -f {form}" for form in ("json", "tsv", "markdown", "latex")},
    "score-runs": _RUNS,
    **{f"score-runs.{form}": f"{_RUNS} -f {form}" for form in ("json", "tsv", "markdown", "latex")},
    "score-unequal": "score system-a.en -r domains -r ratings.tsv",
    "score-notes": "score notes.en -r reference.0.en -p meteor-1.5-cz-core",
    "score-language": "score ratings.tsv --hyp-column hypothesis --ref-column reference -p meteor-1.5-cz-core",
    "score-table": "score ratings.tsv -r ratings.tsv",
    "score-standard-input": "score - -r reference.0.en --preset meteor-20005 < system-a.en",
    "score-no-reference": "score system-a.en system-b.en",
    "score-unknown-option": "score system-a.en --basseline system-b.en",
    "report": "report system-a.en system-b.en -r reference.0.en -n 100 --metric bleu --by domain=domains -o -",
    "explain": _WHY,
    "explain-matrix": f"{_WHY} --view matrix",
    "explain.json": f"{_WHY} -f json",
    "explain.html": f"{_WHY} -f html",
    "align": "align system-b.en reference.0.en -p meteor-2005",
    "align-moses": "align system-b.en reference.0.en -p meteor-2005 -f moses",
    "compare-presets": _PRESETS,
    **{f"compare-presets.{form}": f"{_PRESETS} -f {form}" for form in ("json", "tsv")},
    "identify": _IDENTIFY,
    "identify-nearest": _IDENTIFY.replace("0.271", "0.9000"),
    "identify.json": f"{_IDENTIFY} -f json",
    "meta-eval": _JUDGED,
    "meta-eval-all": f"{_JUDGED} --all",
    **{f"meta-eval.{form}": f"{_JUDGED} -f {form}" for form in ("json", "tsv", "markdown")},
    "tune": f"{_FIT} -o fitted.yaml",
    "tune.json": f"{_FIT} -o fitted.yaml -f json",
    "sgmlize": "sgmlize domains --name A --languages de-en",
    "stem": "stem en < reference.0.en",
    "languages": "languages en de",
    "languages.json": "languages en --format json",
    "languages.tsv": "languages en de --format tsv",
    "verify": "verify nltk",
    "verify.json": "verify nltk --format json",
    "presets-list": "presets list",
    "presets-show": "presets show meteor-1.5-en",
    "resources-list": "resources list",
    "function-words": "universal function-words reference.0.en",
    "help": "help",
    "help-all": "--help",
    **{
        f"help-{name.replace(' ', '-')}": f"{name} --help"
        for name in (
            "score", "explain", "report", "compare-presets", "identify", "align", "presets", "presets show",
            "languages", "resources", "resources install", "universal", "universal build", "universal filter",
            "universal function-words", "meta-eval", "tune", "sgmlize", "stem", "help", "verify", "completion",
            "signature", "cite",
        )
    },
    "dropin": "meteor-1.5 system-b.en reference.0.en -norm -m 'exact stem'",
    "dropin-usage": "meteor-1.5",
    "dropin-unequal": "meteor-1.5 domains ratings.tsv",
}  # fmt: skip
"""Name of a golden file → the command, in the folder of `write_inputs`; ``< FILE`` is its standard input."""

_MASKS = {
    r"CPython [\d.]+(, [^\s,]+)?": "PYTHON",
    r"(?<=\()(compiled|pure Python)(?=\))|(compiled and )?python(?= engine)": "ENGINE",
    r'("(engine|platform|machine|byte order)": )"[^"]*"': r'\1"HERE"',
    r'("engines": )\[[^]]*\]': r"\1[]",
    r"(?<=version:)[\d.]+\d": "N",
}
"""Pattern → what is recorded instead: what differs between machines."""


def read_lines(path: Path) -> list[str]:
    """The segments of a file whose lines end in LF."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def write_inputs(folder: Path) -> None:
    """Write the files that `OUTPUTS` reads: the examples, and small ones made from them."""
    for file in (ROOT / "examples").glob("*.en"):
        shutil.copy(file, folder)
    (folder / "domains").write_text("news\ntalk\nnews\n" * 16, encoding="utf-8")
    (folder / "notes.en").write_text("&quot; do n't &quot;\n\nnai\u0308ve\rcafe\n" * 16, encoding="utf-8", newline="")
    references = read_lines(folder / "reference.0.en")
    rows = ["lp\tsystem\tsegment\treference\thypothesis\thuman\tlength"]
    for place, system in enumerate("abcd"):
        for segment, pair in enumerate(zip(references, read_lines(folder / f"system-{system}.en"), strict=True)):
            cells = ["de-en", system, segment, *pair, (7 * segment + 3 * place) % 11 - 3 * place, len(pair[1])]
            rows.append("\t".join(map(str, cells)))
    (folder / "ratings.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def printed(command: str, folder: Path) -> str:
    """The output of a command in a folder with the files of `write_inputs`, without what differs between machines."""
    line, _, standard_input = command.partition(" < ")
    words = shlex.split(line)
    run = run_dropin if words[0] == "meteor-1.5" else run_meteorlib
    given = (folder / standard_input).read_bytes() if standard_input else b""
    environment = {"METEORLIB_CACHE": str(folder / "cache"), "COLUMNS": "80", "PATH": "", "NO_COLOR": "1"}
    with (
        chdir(folder),
        patch.dict(os.environ, environment),
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        catch_warnings(),
    ):
        simplefilter("default")
        status = run(words[words[0] == "meteor-1.5" :])
    text = out.getvalue()
    if text.startswith("<!"):  # of a page, what is read is recorded, and the paragraphs that its script shows
        data = json.loads(
            (re.findall(r'(?s)<script type="application/json" id="data">(.*?)</script>', text) or ["{}"])[0]
        )
        told = [[pair["why"]["text"], " ", *pair["evidence"], *pair["why"]["parts"]] for pair in data.get("pairs", ())]
        paragraphs = ["".join(part if isinstance(part, str) else part[0] for part in each) for each in told]
        visible = re.sub(r"(?s)<script.*?</script>|<style.*?</style>|<[^>]*>", "", text)
        text = "\n".join([re.sub(r"\s*\n\s*", "\n", visible), *paragraphs, ""])
    if err.getvalue():
        text += f"--- on standard error\n{err.getvalue()}"
    if status:
        text += f"--- exit status {status}\n"
    text = text.replace(__version__, "VERSION").replace(str(folder), "FOLDER").replace(str(ROOT), "ROOT")
    for pattern, shown in _MASKS.items():
        text = re.sub(pattern, shown, text)
    return re.sub(r"-?\d\.\d{10,}(e-\d+)?", lambda found: f"{float(found[0]):.9g}", text)


def record_outputs() -> None:
    """Write the golden file of each of `OUTPUTS` anew."""
    shutil.rmtree(GOLDEN / "output", ignore_errors=True)
    (GOLDEN / "output").mkdir()
    with TemporaryDirectory() as folder:
        write_inputs(Path(folder))
        for name, command in OUTPUTS.items():
            (GOLDEN / "output" / name).write_text(printed(command, Path(folder)), encoding="utf-8", newline="")


if __name__ == "__main__":
    record_outputs()
