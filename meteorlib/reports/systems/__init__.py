"""Reports of several systems: a file a format."""
