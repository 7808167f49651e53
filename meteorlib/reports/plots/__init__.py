"""Drawings of a meta-evaluation: SVG files, and one page."""

from meteorlib.reports.plots.page import MARK, agreement_page
from meteorlib.reports.plots.svg import file_names, svg_file

__all__ = ["MARK", "agreement_page", "file_names", "svg_file"]
