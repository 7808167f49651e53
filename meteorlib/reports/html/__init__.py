"""The report for people: one HTML file that opens from disk, with every segment and why it has its score."""

from meteorlib.reports.html.page import html_report

__all__ = ["html_report"]
