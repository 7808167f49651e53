"""Folder of the script for ``evaluate.load``."""
