"""Stemmers by name."""
