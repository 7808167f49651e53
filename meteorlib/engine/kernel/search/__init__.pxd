"""Searches: METEOR 1.5's beam, METEOR 2005's stages, NLTK's, the optimal one, METEOR 2026's sweep."""
