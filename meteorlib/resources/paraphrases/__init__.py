"""Paraphrase tables, compiled into memory-mapped indexes."""
