"""Searches, which choose one alignment out of the candidates. Only `optimal` uses another: `beam`."""
