"""Analyses of scores: results, significance, contrast of systems, presets, meta-evaluation, tuning, Bayes risk."""
