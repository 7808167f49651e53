"""Conformance kit: small texts, the scores that METEOR programs give them, and a runner for any other METEOR."""
