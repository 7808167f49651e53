"""The metric as a script for ``evaluate.load``, which runs a copy of it."""

from __future__ import annotations

from meteorlib.integrations.evaluate import Meteor

__all__ = ["Meteor"]
