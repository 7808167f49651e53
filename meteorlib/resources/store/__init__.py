"""Files of language data on disk: atomic writes, verification and locks."""
