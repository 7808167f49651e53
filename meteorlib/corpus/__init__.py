"""Corpora: what is summed up, in batches and in parallel."""
