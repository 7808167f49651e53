"""The configuration for the arguments of ``meteor-1.5``, by METEOR 1.5's rules, including its traps."""

from __future__ import annotations

from os.path import abspath
from pathlib import Path

from attrs import field, frozen

from meteorlib.cli.dropin.arguments import Arguments, UsageError
from meteorlib.config.builtin import NO_NUMBERS, TASKS, default_task, task_numbers, task_stages, tasks_of
from meteorlib.config.schema import ParameterConfig, ScorerConfig, SearchConfig, StageConfig
from meteorlib.core.languages import LANGUAGES, NAMES, TUNED_LANGUAGES, language_code, language_of
from meteorlib.core.parameters import check_finite, check_range, each_number
from meteorlib.errors import MeteorError, ResourceMissing, UnknownName
from meteorlib.registry import MATCHERS
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.meteor_tables import open_paraphrases
from meteorlib.resources.stemmers import METEOR_STEMMERS, stemmer_name
from meteorlib.resources.store.manifest import sha256_of

_MATCHERS = tuple(name for name, part in MATCHERS.builtin.items() if part.code)
_SYNONYM_FILES = {
    "english.synsets": "20b7cf6ae1cba2395d714d8c2ec2992e88c6d1c75c7c30aa480c6a2a9bb8fef9",
    "english.exceptions": "5feb8fcb5b349d035df1a448149c2ccc860bf32e4b9eea8c8e4f113e90a5a962",
}


@frozen
class Settings:
    """Configuration of a run, and the settings that METEOR prints.

    Attributes:
        config: configuration of the scorer.
        task: name of the task, as printed.
        weights: weights as printed; fewer than stages if ``-w`` is short and ``-m`` is not given.
        parameters: parameters as printed: alpha, beta, gamma, delta, and any further numbers of ``-p``.
        warnings: warnings for the user.
    """

    config: ScorerConfig
    task: str
    weights: tuple[float, ...]
    parameters: tuple[float, ...]
    warnings: tuple[str, ...] = ()


def settings(arguments: Arguments) -> Settings:
    """Settings that METEOR 1.5 derives from `arguments`."""
    if arguments.new is not None:
        return _new_language(arguments, arguments.new)
    language = language_code(arguments.language)
    if language not in LANGUAGES:
        raise _unknown_language(arguments.language)
    task = (arguments.task or default_task(language)).lower()
    if arguments.task is not None and task not in TASKS:
        raise UnknownName("task", arguments.task, TASKS)
    numbers = task_numbers(language, task)
    warnings = []
    parameters: tuple[float, ...] = numbers.parameters
    if arguments.parameters is not None:
        parameters = arguments.parameters
        if len(parameters) < 4:
            raise UsageError(f"-p needs alpha, beta, gamma and delta; got {len(parameters)} of 4 numbers")
    elif numbers is NO_NUMBERS:
        known = ", ".join(tasks_of(language))
        warnings.append(
            f"task {task!r} has no parameters for language {language!r} (it has: {known}); like METEOR 1.5 this "
            "takes 0 for all of them, so every score is 0"
        )
    matchers = _matchers(arguments, language, task)
    weights = _weights(arguments, language, task, len(matchers))
    if len(weights) < len(matchers):
        warnings.append("more matchers than weights: matchers without a weight count nothing")
    beyond = range_warnings(parameters[:4], weights)
    if beyond:
        warnings.append(f"{'; '.join(beyond)}; scored as by METEOR 1.5, so scores may be outside 0..1")
    custom = any(given is not None for given in (arguments.matchers, arguments.weights, arguments.parameters))
    return Settings(
        _scorer_config(arguments, language, matchers, weights, parameters, ranged=not beyond),
        "Custom" if custom else TASKS[task],
        weights,
        parameters,
        tuple(warnings),
    )


def _unknown_language(name: str) -> UnknownName:
    """The error for a language that METEOR 1.5 does not know; it names the preset of the language, if there is one."""
    code, listed = language_of(name), ", ".join(sorted(LANGUAGES))
    spelled = language_code(code or "")
    if code is not None and code in NAMES and spelled not in LANGUAGES:
        listed = f"{listed}. METEOR 1.5 has no {NAMES[code]}; use `meteorlib score --preset meteor-{code}`"
        spelled = f"meteor-{code}"
    return UnknownName("language", name, tuple(LANGUAGES), listed, spelled)


def _new_language(arguments: Arguments, folder: str) -> Settings:
    numbers = task_numbers("other", "universal")
    words, table = Path(abspath(folder)) / "function.words", Path(abspath(folder)) / "paraphrase.gz"
    for path in (words, table):
        if not path.is_file():
            raise ResourceMissing(str(path), "-new names a folder that contains function.words and paraphrase.gz")
    exact, paraphrase = numbers.weights
    stages = (StageConfig("exact", exact), StageConfig("paraphrase", paraphrase, str(table)))
    config = ScorerConfig(
        name="meteor-1.5",
        language="other",
        text="lower",
        stages=stages,
        search=SearchConfig("beam", width=arguments.beam),
        parameters=ParameterConfig(*numbers.parameters),
        function_words=str(words),
    )
    return Settings(config, TASKS["universal"], numbers.weights, numbers.parameters)


def _matchers(arguments: Arguments, language: str, task: str) -> tuple[str, ...]:
    if arguments.matchers is None:
        return task_stages(language, task)
    if not arguments.matchers:
        raise UsageError("-m needs at least one matcher")
    for name in arguments.matchers:
        if name not in _MATCHERS:
            raise UnknownName("matcher", name, _MATCHERS)
    return arguments.matchers


def _weights(arguments: Arguments, language: str, task: str, count: int) -> tuple[float, ...]:
    """The weights as METEOR prints them."""
    weights = arguments.weights
    if weights is None:
        # by position, not by matcher; with -p those of adq, whatever -t says
        given = task_numbers(language, task if arguments.parameters is None else "adq").weights
    elif arguments.matchers is None:
        if len(weights) > count:
            raise UsageError(f"-w has {len(weights)} weights for {count} matchers; leave some out or name more with -m")
        return weights
    else:
        given = weights
    return (*given, *(0.0,) * count)[:count]


def _scorer_config(
    arguments: Arguments,
    language: str,
    matchers: tuple[str, ...],
    weights: tuple[float, ...],
    parameters: tuple[float, ...],
    *,
    ranged: bool,
) -> ScorerConfig:
    if arguments.normalize:
        if language not in TUNED_LANGUAGES:
            raise UsageError(
                f"-norm: METEOR 1.5 has no normalizer for language {language!r} (it has: "
                f"{', '.join(sorted(TUNED_LANGUAGES))}); tokenize the files first and leave -norm out, or use -lower"
            )
        text = "norm_nopunct" if arguments.no_punctuation else "norm"
    else:
        text = "lower" if arguments.lower else "none"
    padded = (*weights, *(0.0,) * len(matchers))[: len(matchers)]
    words = arguments.function_words
    stage, numbers = (StageConfig, ParameterConfig) if ranged else (AnyStage, AnyParameters)
    return ScorerConfig(
        name="meteor-1.5",
        language=language,
        text=text,
        stages=tuple(
            stage(matcher=matcher, weight=weight, resource=_resource(arguments, language, matcher))
            for matcher, weight in zip(matchers, padded, strict=True)
        ),
        search=SearchConfig("beam", width=arguments.beam),
        parameters=numbers(*parameters[:4]),
        function_words="en" if words is None else abspath(words),
        count="characters" if arguments.characters else "words",
    )


def _resource(arguments: Arguments, language: str, matcher: str) -> str | None:
    if matcher == "stem":
        name = stemmer_name(language)
        if name not in METEOR_STEMMERS:
            raise UsageError(
                f"matcher 'stem': there is no stemmer for language {language!r}; name other matchers with -m"
            )
        return name
    if matcher == "synonym":
        if language != "en":
            raise UsageError(f"matcher 'synonym': METEOR 1.5 has only English synonyms, none for language {language!r}")
        if arguments.synonyms is not None:
            _check_synonyms(Path(arguments.synonyms))
        return "wordnet-en-offsets"
    if matcher == "paraphrase":
        return _table(arguments.paraphrases, language)
    return None


def _check_synonyms(folder: Path) -> None:
    """``-d`` names METEOR's own synonyms, which are built in; others are not read."""
    for name, sha256 in _SYNONYM_FILES.items():
        try:
            found = sha256_of(folder / name)
        except OSError as error:
            raise ResourceMissing(str(folder / name), f"it cannot be read ({error.strerror}); leave -d out") from None
        if found != sha256:
            raise UsageError(f"-d: {folder / name} is not METEOR 1.5's; other synonyms are not supported, leave -d out")


def _table(file: str | None, language: str) -> str:
    installed = f"paraphrase-{language}"
    if file is None:
        if installed not in CATALOG:
            raise ResourceMissing(
                installed, "METEOR 1.5 has no such table; give one with -a FILE, or leave paraphrase out of -m"
            )
        return installed
    path = Path(abspath(file))
    if not path.is_file():
        raise ResourceMissing(file, "-a: there is no such file")
    # the installed one may be used, which saves compiling it a second time
    try:
        same = installed in CATALOG and open_paraphrases(installed).source_sha256 == sha256_of(path)
    except (MeteorError, OSError):
        same = False
    return installed if same else str(path)


@frozen(field_transformer=each_number(converter=None, validator=None))
class AnyParameters(ParameterConfig):
    """Parameters of ``-p``: any finite numbers, as METEOR 1.5 accepts."""


@frozen(init=False, repr=False)
class AnyStage(StageConfig):  # type: ignore[override]  # `__attrs_init__` is called by name
    """A stage with any finite weight of ``-w``."""

    weight: float = field(default=1.0)


def range_warnings(parameters: tuple[float, ...], weights: tuple[float, ...]) -> list[str]:
    """A warning for each number outside its range."""
    beyond = []
    names = ["alpha", "beta", "gamma", "delta", *["weight"] * len(weights)]
    for name, value in zip(names, (*parameters, *weights), strict=True):
        try:
            check_finite(name, value)
        except ValueError as error:
            raise UsageError(f"-p or -w: {error}") from None
        try:
            check_range(name, value)
        except ValueError as error:
            beyond.append(str(error))
    return beyond
