"""Language data by language: what each preset ``meteor-XX`` needs and what is not installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from shutil import which

from attrs import frozen

from meteorlib import extras
from meteorlib.config.builtin import load_preset, preset_names
from meteorlib.config.schema import ScorerConfig
from meteorlib.core.languages import NAMES, WITHOUT_BLANKS, iso_code, language_name, scripts_of
from meteorlib.display.text import be, listed
from meteorlib.errors import ExtraMissing, UnknownName
from meteorlib.parts import TokenizerRow
from meteorlib.registry import TEXTS
from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.install import installed, installed_synonyms
from meteorlib.resources.stemmers import EXTERNAL_STEMMERS
from meteorlib.text.scripts import Letters

__all__ = ["Language", "Part", "language", "languages"]

_DEBIAN_CODES = "ar bg ca cs da de es fr gl hu id is it lv pl ro ru sk sl sv uk"
_OMW_CODES = "el eu fi he hr ja lt nl th"

THESAURI: Mapping[str, str] = {
    **{code: f"mythes-{code}" for code in _DEBIAN_CODES.split()},
    "nb": "mythes-no",
    "pt": "mythes-pt-pt",
}
"""Code → Debian's package of LibreOffice's thesaurus."""

WORDNETS: Mapping[str, str] = {
    **{code: f"omw-{code}:1.4" for code in _OMW_CODES.split()},
    "ms": "omw-zsm:1.4",
    "zh": "omw-cmn:1.4",
}
"""Code → wordnet of the library wn, for languages without such a thesaurus."""


MOST_ADVISED = 3
"""Names that a note lists at most."""


@frozen
class Part:
    """One of the parts of a language.

    Attributes:
        kind: ``words``, ``stems``, ``synonyms``, ``paraphrases``, ``function words``.
        name: the text mode or the resource; None if none is known.
        preset: the preset that uses it, ``meteor-de`` or ``meteor-de-full``; empty for none.
        here: whether it can be used on this machine.
        extra: the extra of meteorlib that it needs; empty for none.
        get: command or instruction to install it; empty if it comes with the package.
    """

    kind: str
    name: str | None
    preset: str
    here: bool = True
    extra: str = ""
    get: str = ""


@frozen
class Language:
    """A language on this machine.

    Attributes:
        code: ISO 639-1 code.
        name: English name.
        presets: ``meteor-XX``, then its ``-full``, then presets of other METEORs for the language.
        parts: its text mode and language data.
    """

    code: str
    name: str
    presets: tuple[str, ...]
    parts: tuple[Part, ...]

    def part(self, kind: str) -> Part:
        """The part of that kind."""
        return next(part for part in self.parts if part.kind == kind)

    @property
    def command(self) -> str:
        """The command that installs what the preset ``meteor-XX`` lacks; empty if nothing is missing."""
        return pip_install(part.extra for part in self.parts if part.preset == self.presets[0] and not part.here)


def pip_install(extras: Iterable[str]) -> str:
    """The command that installs extras; empty for none."""
    listed = ",".join(sorted(set(extras)))
    return f"pip install 'meteorlib[{listed}]'" if listed else ""


def language(code: str) -> Language:
    """The data available for a language.

    Args:
        code: of ISO 639-1, or another of METEOR's names for it.

    Raises:
        UnknownName: no preset is made for it.
    """
    iso = iso_code(code)
    if iso is None:
        raise UnknownName("language", code, NAMES)
    name = f"meteor-{iso}"
    config = load_preset(name)
    newest = f"meteor-2026-{config.language}"
    others = (f"{name}-full", f"meteor-1.5-{config.language}", newest, f"{newest}-full")
    presets = (name, *(other for other in others if other in preset_names()))
    full = load_preset(presets[1]) if f"{name}-full" in presets else config
    parts = (_words(config), _stems(config), _synonyms(full, iso), _paraphrases(full), _function_words(config))
    return Language(iso, NAMES[iso], presets, parts)


def preset_advice(config: ScorerConfig, code: str) -> str:
    """The preset to use instead of that of `config` for a language, by its code of ISO 639-1, and what it needs.

    It is of the same METEOR, if that has one for the language.
    """
    if code not in NAMES:
        blanks = ", with blanks between the words" if scripts_of(code)[0] in WITHOUT_BLANKS else ""
        return f"meteor-other for {language_name(code)}{blanks}"
    own = load_preset(f"meteor-{code}")
    same = config.name.replace(f"-{config.language}", f"-{own.language}")
    name = same if same != config.name and same in preset_names() else own.name
    chosen = load_preset(name)
    parts = (_words(chosen), _stems(chosen), _synonyms(chosen, code), _paraphrases(chosen))
    needs = [part.get for part in parts if part.preset == name and not part.here and part.get]
    needed = f" (it needs: {', '.join(f'`{one}`' for one in needs)})" if needs else ""
    return f"{name} for {NAMES[code]}{needed}"


def script_advice(config: ScorerConfig, script: str) -> str:
    """The presets to use for the languages that are written in a script, and what they need."""
    codes = [code for code in NAMES if script in scripts_of(code)]
    if not codes:
        return f"meteor-other{', with blanks between the words' if script in WITHOUT_BLANKS else ''}"
    if len(codes) <= MOST_ADVISED:
        return " or ".join(preset_advice(config, code) for code in codes)
    if script == "Latin":
        return "the preset of their language; `meteorlib languages` lists all"
    return f"the preset of their language ({', '.join(f'meteor-{code}' for code in codes)}; see `meteorlib languages`)"


def letter_notes(configs: Iterable[ScorerConfig], samples: Mapping[str, Letters]) -> Iterator[str]:
    """Notes on texts, by what they are called, in other scripts than those of the presets' languages.

    Presets without a language get a note if they take whole segments without blanks as words.
    """
    found: dict[tuple[str, str], tuple[dict[str, ScorerConfig], dict[str, None]]] = {}
    for config in configs:
        for name, letters in samples.items():
            own = language_name(config.text_language) or ""
            script = letters.foreign(config.text_language)
            if not script:
                own, script = "", letters.unsplit(TEXTS.part(config.text))
            if script:
                presets, texts = found.setdefault((own, script), ({}, {}))
                presets[config.name], texts[name] = config, None
    for (own, script), (presets, texts) in found.items():
        names, (config, *_) = listed([*presets]), presets.values()
        told = (
            [*texts] if len(texts) <= MOST_ADVISED else [*[*texts][:MOST_ADVISED], f"{len(texts) - MOST_ADVISED} more"]
        )
        advice = script_advice(config, script)
        if own:
            are = f"{be(told)} in {script} letters" if texts else ""
            yield f"{names} {be(presets)} for {own}, but {listed(told)} {are}; use {advice}"
        else:
            yield (
                f"{names} {'takes' if len(presets) == 1 else 'take'} whole segments of {listed(told)} as one word: "
                f"{script} letters have no blanks between words; use {advice}"
            )


def languages() -> tuple[Language, ...]:
    """The data available for each language, in the order of their codes."""
    return tuple(map(language, NAMES))


def _words(config: ScorerConfig) -> Part:
    row = TEXTS.part(config.text).make
    if not isinstance(row, TokenizerRow):
        return Part("words", config.text, config.name)
    load = partial(extras.installed_versions, row.packages, row.extra)
    return _extra_part("words", config.text, config.name, row.extra, load)


def _stems(config: ScorerConfig) -> Part:
    name = _resource(config, "stem")
    if name is None:
        return Part("stems", None, "", here=False)
    if name not in EXTERNAL_STEMMERS:
        return Part("stems", name, config.name)
    made, code = EXTERNAL_STEMMERS[name], name.partition("-")[2]
    return _extra_part("stems", name, config.name, made.extra, partial(made.load, code))


def _extra_part(kind: str, name: str, preset: str, extra: str, load: Callable[[], object]) -> Part:
    """A part from an optional extra, present if `load` finds it."""
    try:
        load()
    except ExtraMissing:
        here = False
    else:
        here = True
    return Part(kind, name, preset, here, extra, pip_install([extra]))


def _synonyms(config: ScorerConfig, code: str) -> Part:
    preset_has = _resource(config, "synonym")
    if preset_has in CATALOG:
        return Part("synonyms", preset_has, config.name.removesuffix("-full"))
    name = preset_has or next(_installed_synonyms(code), f"synonyms-{code}")
    install = f"meteorlib resources install {name} --from"
    if code in THESAURI and which("apt"):
        get = f"apt install {THESAURI[code]} && {install} system"
    elif code in THESAURI:
        get = f"{install} FILE  # a thesaurus of LibreOffice, th_{code}_*.dat"
    elif code in WORDNETS:
        get = f"pip install 'meteorlib[wn]' && python -m wn download {WORDNETS[code]} && {install} wn:{WORDNETS[code]}"
    else:
        get = f"{install} SOURCE"
    return Part("synonyms", name, config.name if preset_has else "", installed(name) is not None, get=get)


def _installed_synonyms(code: str) -> Iterator[str]:
    for name in installed_synonyms():
        if name.partition("-")[2].replace("_", "-").partition("-")[0] == code:
            yield name


def _paraphrases(config: ScorerConfig) -> Part:
    name = _resource(config, "paraphrase")
    if name is None:
        get = "meteorlib universal build FOLDER --foreign F --target E"
        return Part("paraphrases", None, "", here=False, get=get)
    get = f"meteorlib resources install {name}{'' if config.language == 'en' else ' --from meteor-1.5.tar.gz'}"
    return Part("paraphrases", name, config.name, installed(name) is not None, get=get)


def _function_words(config: ScorerConfig) -> Part:
    if config.function_words is not None:
        return Part("function words", config.function_words, config.name)
    get = f"meteorlib universal function-words CORPUS --preset {config.name}"
    return Part("function words", None, "", here=False, get=get)


def _resource(config: ScorerConfig, matcher: str) -> str | None:
    return next((stage.resource for stage in config.stages if stage.matcher == matcher), None)
