"""Wordnets of the wn library: the Open Multilingual Wordnet and others installed there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.extras import import_extra

EXTRA = "wn"


def wordnet(lexicon: str, name: str) -> Any:
    """Find a lexicon of wn.

    Args:
        lexicon: as wn names it: ``odenet``, ``omw-fr:1.4``.
        name: the resource, for messages.

    Raises:
        ExtraMissing: wn is not installed.
        ResourceMissing: it has no such lexicon, or several.
    """
    wn = import_extra("wn", EXTRA)
    try:
        found = wn.lexicons(lexicon=lexicon)
    except wn.Error:
        found = []
    if len(found) != 1:
        several = found or wn.lexicons()
        listed = ", ".join(sorted(f"{known.id}:{known.version}" for known in several)) or "none"
        command = f"`python -m wn download {lexicon}`"
        remedy = "name one of them" if found else f"wn has {listed}; get it with {command}"
        reason = f"several lexicons are called {lexicon}: {listed}" if found else f"wn has no lexicon {lexicon}"
        raise ResourceMissing(name, f"{reason}; {remedy}")
    return found[0]


def read_wordnet(lexicon: Any, name: str) -> Iterator[tuple[str, str, str]]:
    """Read each lowercased form of each word of a lexicon, with the identifier of a synonym set and the lemma.

    Forms that the lexicon lists beside a lemma count like the lemma. Multi-word forms are left out.

    Raises:
        ResourceDamaged: the lexicon cannot be read.
    """
    wn = import_extra("wn", EXTRA)
    try:
        wordnet = wn.Wordnet(lexicon=f"{lexicon.id}:{lexicon.version}", expand="")
        for word in wordnet.words():
            forms = {plain for form in word.forms() if (plain := _normalized(str(form)))}
            single = [form for form in forms if " " not in form]
            if single:
                lemma = _normalized(str(word.lemma()))
                for synset in [sense.synset().id for sense in word.senses()]:
                    for form in single:
                        yield form, synset, lemma
    except wn.Error as error:
        raise ResourceDamaged(name, f"wn cannot read {lexicon.id} ({error})", "add it to wn anew") from error


def _normalized(form: str) -> str:
    return " ".join(form.lower().replace("_", " ").replace("\0", " ").split())
