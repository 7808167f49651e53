"""Benchmarks: this package and the other METEORs on the same text in one run."""
