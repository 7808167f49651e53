"""Searches: candidates → one alignment."""
