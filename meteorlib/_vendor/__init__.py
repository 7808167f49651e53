"""Code of other projects, carried with its license (see NOTICE) because the published versions give other results."""
