"""Text modes, which turn a line of text into words: normalizers, tokenizers and plain splitting."""
