"""The engine of a Scorer: text → alignments, scores and sums, in Python or compiled.

`engine.Engine` is the interface that a Scorer uses. `python.PythonEngine` is the reference implementation, put together
from the matchers and the search of a preset. With the compiled kernel, the presets of METEOR 2005,
1.5 and 2026 and of NLTK run on `compiled.CompiledEngine`, with equal results. `build.build_engine` chooses the engine.
"""
