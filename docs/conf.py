"""The documentation as a site: ``sphinx-build -W docs site``, after ``pip install -e '.[docs]'``."""

from __future__ import annotations

import re
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

from meteorlib import __version__
from meteorlib.analysis.differences import Difference
from meteorlib.analysis.results import System
from meteorlib.cli.commands import _COMMANDS

# its module imports the name for type checkers only, and several classes bear it
System.__init__.__annotations__["difference"] = Difference | None

project = "meteorlib"
author = "The meteorlib maintainers"
copyright = f"{author}, MIT license"  # noqa: A001 – the name that Sphinx has for it
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_llms_txt",
]
viewcode_follow_imported_members = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_remove_prompts = True
llms_txt_title = "meteorlib"
llms_txt_summary = (
    "METEOR in Python: scores of translations, captions and generated text, each labeled with its variant."
)
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
templates_path = ["templates"]
html_sidebars = {  # the theme's own, with a place for the list of versions (tools/versioned_site.py)
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
        "sidebar/variant-selector.html",
    ]
}
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_logo = "static/logo.svg"
html_favicon = "static/logo.svg"
html_copy_source = True  # each page as plain text, to which llms.txt points
html_show_sourcelink = True
html_show_search_summary = False  # a page that was opened as a file may not read its neighbors


def _for_the_site(_: Sphinx, __: str, source: list[str]) -> None:
    """A page as the site wants it, from what can be read in the repository.

    What is no page of the site is named by its path; a link with the name of a page gets the title of its target; the
    blank line that ends the output of a doctest is no part of it; a file has its name above it.
    """
    text = re.sub(r"\[([^\]]*)\]\(\.\./([^)\s]*)\)", _named, source[0])
    text = re.sub(r"\[[\w-]+\.md\]\(", "[](", text)
    text = re.sub(r"\n\n```$", "\n```", text, flags=re.MULTILINE)
    file = r"^<!-- file: (\S+) -->\n```(\w+)$"
    source[0] = re.sub(file, r"```{code-block} \2\n:caption: \1\n", text, flags=re.MULTILINE)


def _named(link: re.Match[str]) -> str:
    """A link to a file of the repository, as text."""
    text, path = link[1], link[2]
    return f"`{path}`" if text.strip("`/") == path.strip("/") else f"{text} (`{path}`)"


def _write_command_pages(app: Sphinx) -> None:
    """Write a page for each command, so that a new command cannot be forgotten; git ignores these files."""
    folder = Path(app.srcdir) / "commands"
    folder.mkdir(exist_ok=True)
    for name, place in _COMMANDS.items():
        page = f".. click:: {place}\n   :prog: meteorlib {name}\n   :nested: full\n"
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text("utf-8") != page:  # an unchanged page is not built again
            path.write_text(page, "utf-8")


def setup(app: Sphinx) -> None:
    """Change the pages before they are read, show tables as they are, and call attributes attributes."""
    app.connect("builder-inited", _write_command_pages)
    app.connect("source-read", _for_the_site)
    app.add_lexer("csv", TextLexer)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
