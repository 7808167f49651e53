"""Reports: results as text, pure functions of them."""
