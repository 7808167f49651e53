"""Make meteorlib/config/parsed.py out of the presets' files: what a scorer needs of them, without YAML.

    python tools/parse_presets.py

Run it whenever a file of meteorlib/config/presets has changed; a test says so, too.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from meteorlib import config
from meteorlib.config.families import builtin_preset, written_presets

TARGET = Path(config.__file__).parent / "parsed.py"

_HEAD = '''"""The built-in presets as data, each with all that it inherits.

Made by tools/parse_presets.py out of presets/*.yaml: change those, and run it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PRESETS: Mapping[str, Mapping[str, Any]] = {
'''


def parsed() -> str:
    """The module: a line for each preset."""
    presets = (f"    {name!r}: {builtin_preset(name).plain()!r},\n" for name in written_presets())
    return "".join([_HEAD, *presets, "}\n"])


if __name__ == "__main__":
    TARGET.write_text(parsed(), encoding="utf-8")
