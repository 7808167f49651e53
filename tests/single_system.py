"""The JSON of ``meteorlib score`` for a single system."""

from __future__ import annotations

import json


def single(out):
    """The system with what is beside `systems`, without its name, which is that of the file."""
    data = json.loads(out)
    (system,) = data.pop("systems")
    assert system.pop("name") == data.pop("baseline")
    return data | system


def unnamed(result):
    """Status, scores and notes of a command, whatever the name of the file."""
    assert result.status == 0, result.err
    return single(result.out), result.err
