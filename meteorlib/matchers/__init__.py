"""Matchers: what proposes that words of both sides correspond."""
