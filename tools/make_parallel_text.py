"""Make parallel text of the translations that Debian ships: message catalogs of large programs.

    python tools/make_parallel_text.py de FOLDER

fetches the packages with ``apt-get download`` (apt's lists must be there: ``apt-get update``), unpacks them, and writes
FOLDER/en and FOLDER/de: a message a line, tokenized, each pair once, in an order that does not depend on
the machine.
"""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = (
    "binutils-common",
    "digikam-data",
    "evolution-common",
    "gcc-12-locales",
    "gimp-data",
    "gnome-control-center-data",
    "gnucash-common",
    "inkscape",
    "kdenlive-data",
    "krita-l10n",
    "libreoffice-l10n-{}",
)
_TAGS = re.compile(r"</?[a-zA-Z][^<>]*>")
_MNEMONIC = re.compile(r"[_&~](?=\w)")
_TOKEN = re.compile(r"%(?:\d+\$)?[-+# 0-9.*]*(?:hh|h|ll|l|z|q)?[a-zA-Z]\b|%\d+|\w+(?:[-'’.]\w+)*|[^\w\s]")


def unpacked(language: str, folder: Path) -> list[Path]:
    """The catalogs of a language, out of packages that are fetched unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (package.format(language) for package in PACKAGES):
        if not list(folder.glob(f"{name}_*.deb")):
            subprocess.run(["apt-get", "-q", "download", name], cwd=folder, check=True)  # noqa: S603, S607
        (package,) = folder.glob(f"{name}_*.deb")
        subprocess.run(["dpkg-deb", "-x", package, folder / "unpacked"], check=True)  # noqa: S603, S607
    catalogs = (folder / "unpacked").glob(f"**/{language}/**/*.mo")
    return sorted(catalogs)


def messages(path: Path) -> Iterator[tuple[str, str]]:
    """The messages of a catalog (GNU's ``.mo``), English and translated; of plurals the singular."""
    data = path.read_bytes()
    order = "<" if data.startswith(b"\xde\x12\x04\x95") else ">"
    count, english, translated = struct.unpack_from(f"{order}3I", data, 8)
    charset = re.search(rb"charset=([\w-]+)", data)
    encoding = charset[1].decode() if charset else "utf-8"

    def text(table: int, number: int) -> str:
        size, offset = struct.unpack_from(f"{order}2I", data, table + 8 * number)
        return data[offset : offset + size].split(b"\0")[0].decode(encoding).rpartition("\x04")[2]

    for number in range(count):
        if message := text(english, number):
            yield message, text(translated, number)


def tokens(message: str) -> str:
    """The words and signs of a message, without tags and the marks of keys."""
    return " ".join(_TOKEN.findall(_MNEMONIC.sub("", _TAGS.sub(" ", message))))


def main(language: str, folder: Path) -> None:
    """Write both files."""
    pairs: dict[tuple[str, str], None] = {}
    for path in unpacked(language, folder / "packages"):
        for english, translation in messages(path):
            pair = tokens(english), tokens(translation)
            if all(any(map(str.isalpha, side)) for side in pair):
                pairs[pair] = None
    for name, side in (("en", 0), (language, 1)):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")
    sys.stdout.write(f"{len(pairs)} pairs\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
