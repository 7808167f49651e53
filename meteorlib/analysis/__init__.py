"""Analyses of scores: comparison of presets, significance, agreement with people, tuning, minimum Bayes risk."""
