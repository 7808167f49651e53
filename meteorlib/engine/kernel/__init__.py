"""The compiled twin of the hot loops; optional, see `meteorlib.engine`."""
