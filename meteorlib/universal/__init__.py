"""METEOR Universal: resources for a new language, out of text in two languages."""
