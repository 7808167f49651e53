"""Searches: candidates → one alignment. Each stands by itself, but `optimal` measures itself against `beam`."""
