"""Make the packaged thesauri out of LibreOffice's, as Debian has them.

    apt install mythes-de mythes-es mythes-fr mythes-ru
    python tools/thesauri.py

A table has the numbers of the meanings of each word, as `meteorlib resources install synonyms-XX --from system` has
them; opposites, broader and narrower terms and terms of several words are left out. The same files give the same bytes.
Prints the size and crc32 of each file for the catalog.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib.resources.catalog import THESAURI, packaged_path
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.source_lines import SourceFile
from meteorlib.resources.synonyms.compiler import number_meanings
from meteorlib.resources.synonyms.mythes import read_mythes

FILES = {"de": "th_de_DE_v2.dat", "es": "th_es_ES_v2.dat", "fr": "thes_fr.dat", "ru": "th_ru_RU_v2.dat"}


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mythes", type=Path, default=Path("/usr/share/mythes"), help="folder of the thesauri")
    parser.add_argument("--output", type=Path, default=packaged_path("wordnet-en").parent, help="default: the package")
    arguments = parser.parse_args()
    for code in THESAURI:
        name = f"thesaurus-{code}"
        data = RecordTable.of(number_meanings(read_mythes(SourceFile(arguments.mythes / FILES[code], name)))).data
        target = arguments.output / packaged_path(name).name
        target.write_bytes(data)
        print(name, len(data), f"{zlib.crc32(data):08X}")  # noqa: T201


if __name__ == "__main__":
    main()
