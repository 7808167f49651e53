"""Thesauri that the operating system's packages install for LibreOffice."""

from __future__ import annotations

from pathlib import Path

from meteorlib.errors import ResourceMissing

FOLDER = Path("/usr/share/mythes")
DOCUMENTATION = Path("/usr/share/doc")

_CODES = {"cz": "cs", "no": "nb", "se": "sv"}
"""Language codes of METEOR and others that differ from the codes in the file names."""


def installed_thesaurus(name: str) -> Path:
    """Find the installed thesaurus of a language.

    If there are several, the name's country decides (``synonyms-pt-BR``), otherwise the country whose code equals the
    language's (``de_DE``).

    Args:
        name: the resource, ``synonyms-XX`` or ``synonyms-XX-COUNTRY``.

    Raises:
        ResourceMissing: there is none; or there are several, and the name does not say which.
    """
    code, _, country = name.partition("-")[2].replace("_", "-").partition("-")
    code = _CODES.get(code.lower(), code.lower())
    places = {_locale_of(path): path for path in sorted(FOLDER.glob(f"th_{code}_*.dat"))}
    place = f"{code}_{(country or code).upper()}"
    files = {path.resolve() for path in places.values()}
    if place in places:
        return places[place].resolve()
    if len(files) == 1 and not country:
        return files.pop()
    if not files or country:
        package = f"mythes-{name.partition('-')[2].lower()}"
        raise ResourceMissing(
            name, f"there is no thesaurus {place} in {FOLDER}; install one (Debian: {package}), or name its file"
        )
    listed = ", ".join(sorted(places))
    raise ResourceMissing(
        name, f"{FOLDER} has several thesauri of that language: {listed}; name the file, or install synonyms-{code}-XX"
    )


def license_notice(thesaurus: Path) -> str | None:
    """Reference to the license in the Debian package of a thesaurus in `FOLDER`; None if there is none."""
    if thesaurus.parent != FOLDER.resolve():
        return None
    code, _, country = (_locale_of(thesaurus) or thesaurus.stem.rpartition("_")[2]).lower().partition("_")
    names = [f"mythes-{code}-{country}", f"mythes-{code}", f"mythes-{country}"]
    places = [DOCUMENTATION / name / "copyright" for name in names]
    return next((f"see {place}" for place in places if place.is_file()), None)


def _locale_of(thesaurus: Path) -> str:
    """Language and country in the name of a file: ``de_DE`` of ``th_de_DE_v2.dat``."""
    fields = thesaurus.stem.split("_")
    return "_".join(fields[1:3]) if len(fields) > 2 else ""
