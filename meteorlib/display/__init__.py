"""Drawing: text that is safe to print, rows and tables, alignments, in a terminal, in a notebook and on a page."""
