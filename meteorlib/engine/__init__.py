"""The engine of a Scorer: text → alignments, scores and sums, in Python or compiled.

`engine.Engine` is what a Scorer asks of it. `python.PythonEngine` is the reference, put together from the matchers and
the search of a preset. Where the package was built with its extension, the presets of METEOR 2005, 1.5 and 2026 and of
NLTK run on its twin, `native.CompiledEngine`, which gives the same. `making` makes the one or the other.
"""
