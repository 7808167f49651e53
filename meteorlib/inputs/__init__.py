"""Readers of input files: text, CSV, TSV, JSONL, Parquet, SGML and WMT's XML, each as rows."""
