"""Counts of matches, chunks and faults; scores and sums."""
