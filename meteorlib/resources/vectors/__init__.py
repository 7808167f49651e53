"""Word vectors: file formats, and indexes compiled from them."""
