"""Synonyms of any language, compiled from thesauri and wordnets."""
