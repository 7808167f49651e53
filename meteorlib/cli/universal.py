"""The command ``meteorlib universal``: resources for a new language."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from meteorlib.cli.command import Group
from meteorlib.cli.options import RealRange
from meteorlib.cli.streams import progress_of, say, show, standard_output
from meteorlib.display.text import one_line
from meteorlib.errors import InputMismatch
from meteorlib.text.token import split


@click.group(cls=Group, short_help="Build METEOR's resources for a new language.")
def universal() -> None:
    """Build resources for a new language: function words and paraphrases (METEOR Universal)."""


@universal.command(
    short_help="Build a language's resource folder from parallel text.",
    examples=("meteorlib universal build new-language --foreign text.en --target text.xx",),
    topics=("languages",),
)
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--foreign", required=True, metavar="F", help="Text in another language, tokenized.")
@click.option("--target", required=True, metavar="E", help="Text in the new language, tokenized.")
@click.option(
    "--phrase-table",
    "table",
    default="",
    metavar="PT",
    help="Moses phrase table from F to E.  [default: built from F and E, which must be parallel]",
)
@click.option(
    "--test-corpus",
    "test",
    default="",
    metavar="T",
    help="Text with the phrases to paraphrase.  [default: the first 10,000 lines of E]",
)
@click.option(
    "--min-probability",
    "minimum",
    type=RealRange(0, 1),
    default=0.001,
    show_default=True,
    metavar="P",
    help="Minimum probability of a translation, and of a paraphrase by one pivot.",
)
@click.option(
    "--keep", is_flag=True, help="Also keep the intermediate files of Parex and the phrase table, in OUT/parex."
)
def build(out: Path, foreign: str, target: str, table: str, test: str, minimum: float, keep: bool) -> None:
    """Build the folder OUT: function.words, paraphrase.gz, and report.txt, which describes them.

    To use it, name OUT as resources: in a preset that extends meteor-1.5-universal, or pass it to METEOR 1.5 with -new.
    All text is lowercased. If interrupted, run the command again; finished steps are kept.
    """
    from meteorlib.universal.build import (  # noqa: PLC0415 – loads numpy
        REPORT,
        Build,
        Listener,
    )
    from meteorlib.universal.texts import Progress  # noqa: PLC0415 – as above

    with ExitStack() as bars:

        def step(doing: str) -> Progress:
            bars.close()
            return bars.enter_context(progress_of(doing))

        def tell(message: str) -> None:
            bars.close()
            say(message)

        try:
            contents = Build(out, foreign, target, table, test, minimum, keep).run(Listener(tell, step))
        except KeyboardInterrupt:
            message = f"interrupted; {out} is not complete; run the same command again to continue"
            raise click.Abort(message) from None
    made = f"{contents.entries:,} paraphrases of {contents.references:,} phrases"
    show(one_line(f"{out}: {made}; {out / REPORT} describes them"))


@universal.command(
    "function-words",
    short_help="List the function words of a text.",
    examples=("meteorlib universal function-words ref.txt > function.words",),
)
@click.argument("corpus", metavar="CORPUS")
@click.option("--preset", metavar="NAME", help="Tokenize CORPUS with a preset.  [default: at white space, lowercased]")
def list_function_words(corpus: str, preset: str | None) -> None:
    """Print the words whose relative frequency in CORPUS is above 0.001, most frequent first.

    This is METEOR's rule for function words; build applies it, too. Name the list as function_words: in a preset of the
    language. Use a large corpus of the kind of text that you score.
    """
    from meteorlib.config.builtin import load_preset  # noqa: PLC0415 – where no preset is named, none is needed
    from meteorlib.engine.build import make_text  # noqa: PLC0415 – loads what every engine needs
    from meteorlib.universal.texts import Text, common_words  # noqa: PLC0415 – loads numpy

    text = Text.open(corpus, lower=preset is None)
    words_of = split if preset is None else make_text(load_preset(preset)).words
    with progress_of(f"words of {corpus}") as bar:
        words = common_words(text, bar, words_of)
    if not words:
        raise InputMismatch(f"{corpus}: has no words; a corpus of the language is needed")
    standard_output(exact=True).write("".join(f"{word}\n" for word in words))


@universal.command(
    "filter",
    short_help="Keep only the paraphrases that some references need.",
    examples=("meteorlib universal filter paraphrase.gz filtered.gz ref.txt",),
)
@click.argument("table", metavar="TABLE")
@click.argument("filtered", metavar="FILTERED", type=click.Path(path_type=Path))
@click.argument("references", metavar="REF...", nargs=-1, required=True)
def filter_table(table: str, filtered: Path, references: tuple[str, ...]) -> None:
    """Write to FILTERED the entries of the paraphrase table TABLE that contain a phrase of a reference.

    For English references, the smaller table loads faster and gives the same scores. As in METEOR's FilterParaphrase,
    references are normalized as if they were English, without punctuation, so a table of another language may lose
    entries that its references need.
    """
    from meteorlib.universal.parex import filter_paraphrases  # noqa: PLC0415 – loads numpy
    from meteorlib.universal.texts import Text  # noqa: PLC0415 – as above

    texts = [Text.open(name, lower=False) for name in references]
    with progress_of("filtering") as bar:
        counts = filter_paraphrases(Text.open(table, lower=False), filtered, texts, bar)
    show(one_line(f"{filtered}: {counts.kept:,} of {counts.entries:,} paraphrases"))
