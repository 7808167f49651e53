"""The metric in the form that ``evaluate.load`` takes: a script, of which it runs a copy."""

from __future__ import annotations

from meteorlib.integrations.evaluate import Meteor

__all__ = ["Meteor"]
