"""Comparison: the same text under several presets, and why their scores differ."""
