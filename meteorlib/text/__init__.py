"""Text to words: normalizers and plain splitting, each a text mode with the name that presets call it."""
