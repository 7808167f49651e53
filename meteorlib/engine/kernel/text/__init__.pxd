"""Text as tokens and words: tables of known tokens, and the reader of lines."""
