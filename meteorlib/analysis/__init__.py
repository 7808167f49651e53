"""Analyses of scores: preset comparison, significance, meta-evaluation, tuning, minimum Bayes risk."""
