"""Files of language data on disk: written atomically, verified, locked."""
