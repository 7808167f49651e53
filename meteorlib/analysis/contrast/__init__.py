"""Contrast of systems: words that only one of them matches, groups, checks, and shares of their difference."""
