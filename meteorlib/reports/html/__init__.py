"""The HTML report: one self-contained file with every segment and the explanation of its score."""

from meteorlib.reports.html.page import html_report

__all__ = ["html_report"]
