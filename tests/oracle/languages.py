"""Texts in every language of METEOR 1.5, tables made of them, and METEOR's way of comparing words."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

from meteorlib.config import ScorerConfig
from meteorlib.registry import TEXTS
from meteorlib.resources.word_lists import nonbreaking_prefixes
from tools.record_golden import read_lines

NAMES = {"cz": "czech", "de": "german", "es": "spanish", "fr": "french", "ru": "russian"}
STEMMED = {  # reference and hypothesis in turn, for languages without a text in tests/data
    "fi": (
        "Kissa istui ikkunalaudalla ja katseli lintuja .",
        "Kissat istuivat ikkunalaudoilla katselemassa lintua .",
        "Hän meni eilen uusiin taloihin , joissa the asunnot ovat kalliita .",
        "eilen hän meni uuteen taloon , jossa asunto on kallis",
    ),
    "hu": (
        "A gyerekek a kertben játszottak a kutyával .",
        "A gyerek játszik kutyákkal a kertekben .",
        "Tegnap vettem két könyvet of the boltban .",
        "Két könyv , amit tegnap a boltokban vettem .",
    ),
    "it": (
        "La maestra ha letto le poesie ai bambini .",
        "Le maestre leggevano una poesia al bambino .",
        "I ragazzi mangiavano the mele rosse in giardino .",
        "In giardino il ragazzo mangia la mela rossa !",
    ),
    "nl": (
        "De kinderen speelden gisteren in de tuinen .",
        "Gisteren speelde het kind in de tuin .",
        "Zijn huizen werden in 1990 verkocht of verhuurd .",
        "Zijn huis werd verkocht in 1990 , niet verhuurde .",
    ),
    "no": (
        "Barna lekte i hagene hele dagen .",
        "Hele dagen leker barnet i hagen .",
        "Bøkene ble solgt to the vennene hennes .",
        "Boken selges til vennen hennes , to venner .",
    ),
    "pt": (
        "As crianças brincavam nos jardins da cidade .",
        "A criança brincou no jardim das cidades .",
        "Os livros foram vendidos ontem a the amigos .",
        "Ontem o livro foi vendido a um amigo .",
    ),
    "ro": (
        "Copiii se jucau în grădinile orașului .",
        "Copilul se joacă în grădina orașelor .",
        "Cărțile au fost vândute ieri prietenilor of mei .",
        "Ieri cartea a fost vândută prietenului meu .",
    ),
    "se": (
        "Barnen lekte i trädgårdarna hela dagen .",
        "Hela dagen leker barnet i trädgården .",
        "Böckerna såldes i går to hennes vänner .",
        "I går såldes boken till hennes vän .",
    ),
    "tr": (
        "Çocuklar dün bahçelerde oynuyordu .",
        "Çocuk bahçede dün oynadı .",
        "Kitapları the arkadaşlarıma sattım ISPARTA İstanbul .",
        "Arkadaşıma kitabı sattım , ısparta istanbul .",
    ),
}


def read_pairs(root: Path, language: str) -> tuple[list[str], list[str]]:
    """References and hypotheses of a language."""
    if language in STEMMED:
        return list(STEMMED[language][::2]), list(STEMMED[language][1::2])
    return read_lines(root / f"tests/data/{language}.ref"), read_lines(root / f"tests/data/{language}.hyp")


def make_table(path: Path, config: ScorerConfig, pairs: tuple[list[str], list[str]]) -> Path:
    """A paraphrase table of phrases in these texts: long and short, the same again, itself, both ways round."""
    chance = random.Random(path.name)
    prefixes = nonbreaking_prefixes(config.language) if config.text == "norm" else (frozenset(), frozenset())
    words = TEXTS.get(config.text)(config.language, prefixes).words

    def phrase(text: str) -> str:
        found = words(text) or ["x"]
        start = chance.randrange(len(found))
        return " ".join(found[start : start + chance.choice([1, 1, 2, 2, 3, 4])])

    entries = [(phrase(one), phrase(other)) for _ in range(6) for one, other in zip(*pairs, strict=True)]
    entries += [(target, source) for source, target in chance.sample(entries, len(entries) // 5)]
    entries += [(source, source) for source, _ in chance.sample(entries, len(entries) // 20)]
    entries += chance.sample(entries, len(entries) // 10)
    path.write_bytes(gzip.compress("".join(f"0.25\n{one}\n{other}\n" for one, other in entries).encode(), mtime=0))
    return path


def java_hash(word: str) -> int:
    """Java's hash of a string, by which METEOR compares words."""
    number = 0
    for unit in memoryview(word.encode("utf-16-le")).cast("H"):
        number = (number * 31 + unit) & 0xFFFFFFFF
    return number


def collide(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> bool:
    """Whether a word of one side has the hash of another word of the other side."""
    return any(java_hash(one) == java_hash(other) and one != other for one in reference for other in hypothesis)
