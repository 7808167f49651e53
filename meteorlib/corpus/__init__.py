"""Corpora: what is summed up, and the files it comes from."""
