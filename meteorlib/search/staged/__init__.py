"""The search of METEOR 2005, stage by stage."""

from meteorlib.search.staged.search import Staged

__all__ = ["Staged"]
