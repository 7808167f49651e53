"""The documentation as a site: ``sphinx-build -W docs site``, after ``pip install -e '.[docs]'``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

from meteorlib import __version__

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]

project = "meteorlib"
author = "The meteorlib maintainers"
copyright = f"{author}, MIT license"  # noqa: A001 – the name that Sphinx has for it
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
default_role = "py:obj"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
autodoc_mock_imports = [  # frameworks with an adapter: the pages must not depend on which of them are installed
    "datasets", "distributed", "evaluate", "narwhals", "pyarrow", "sacrebleu", "torch", "torchmetrics",
]  # fmt: skip
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

pygments_style = "default"  # in which what a diff adds is green, and what it removes is red
html_theme = "furo"
html_title = f"meteorlib {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # a page that was opened as a file may not read its neighbors
html_theme_options = {
    "footer_icons": [],
    "source_repository": REPOSITORY,
    "source_branch": "main",
    "source_directory": "docs/",
    "top_of_page_buttons": [],
}


def _for_the_site(_: Sphinx, __: str, source: list[str]) -> None:
    """A page as the site wants it, from what can be read in the repository.

    What is no page of the site gets its whole address there; a link with the name of a file gets the title of its
    target; the blank line that ends the output of a doctest is no part of it.
    """
    text = re.sub(r"\]\(\.\./([^)\s]*)\)", rf"]({REPOSITORY}/blob/main/\1)", source[0])
    text = re.sub(r"\[[\w-]+\.md\]\(", "[](", text)
    source[0] = re.sub(r"\n\n```$", "\n```", text, flags=re.MULTILINE)


def setup(app: Sphinx) -> None:
    """Change the pages before they are read, and call attributes attributes."""
    app.connect("source-read", _for_the_site)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
