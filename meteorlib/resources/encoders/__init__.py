"""Sentence encoders: vectors of words in their context, from a model that the user names."""
