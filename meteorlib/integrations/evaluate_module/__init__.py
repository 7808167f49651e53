"""The script that ``evaluate.load`` takes."""
