"""The stemmers of snowballstemmer 1.2.1, as they stand there: code that Snowball generated, under its license (NOTICE).

They are carried because stems decide matches, and later releases of that package have other stems. Nothing here is
edited; where METEOR 1.5 differs, `meteorlib.resources.stemmers` says so. English is not here:
`meteorlib.resources.porter` is faster.
"""
