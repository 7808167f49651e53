"""Charts of a meta-evaluation: SVG files and an HTML page."""

from meteorlib.reports.plots.page import GENERATOR_TAG, agreement_page
from meteorlib.reports.plots.svg import file_names, svg_file

__all__ = ["GENERATOR_TAG", "agreement_page", "file_names", "svg_file"]
