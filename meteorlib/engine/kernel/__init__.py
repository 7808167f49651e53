"""The optional compiled kernel of the engine."""
