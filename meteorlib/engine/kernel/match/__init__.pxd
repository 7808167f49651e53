"""Candidates of two segments, from each matcher."""
