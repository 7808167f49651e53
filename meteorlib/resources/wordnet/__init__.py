"""WordNet: packaged lexicons and lemma names."""
