"""Reports: results as text, Markdown, LaTeX, JSON, TSV, HTML and SVG."""
