"""Identified: base of objects with an engine, with its configuration, signature and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.parameters import Parameters
from meteorlib.core.signature import Signature
from meteorlib.display.displayable import Displayable
from meteorlib.display.text import Row, shorten

if TYPE_CHECKING:
    from meteorlib.engine.engine import Engine
    from meteorlib.engine.implementation import Implementation


class Identified(Displayable):
    """Base of a class with an engine, which is shown by its signature."""

    __slots__ = ()

    engine: Engine[Any]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: ``config`` as a preset has it, ``signature`` and ``eval_id``."""
        return {"config": self.config.to_dict(), "signature": str(self.signature), "eval_id": self.signature.eval_id}

    def __repr__(self) -> str:
        config = self.config
        stages = shorten(" ".join(stage.matcher for stage in config.stages))
        return f"Scorer(preset={shorten(config.name)!r}, language={config.language!r}, stages={stages!r})"

    def _rows(self) -> Iterable[Row]:
        return [(name, value) for name, value in self.signature.to_dict().items() if value]

    @property
    def config(self) -> ScorerConfig:
        """The configuration."""
        return self.engine.identity.config

    @property
    def signature(self) -> Signature:
        """The line that names the METEOR in use; it belongs beside every published score."""
        return self.engine.identity.signature

    @property
    def given(self) -> Mapping[str, Any]:
        """Parts that were given by hand, by the matchers that work with them."""
        return self.engine.identity.given

    @property
    def implementation(self) -> Implementation | None:
        """The implementation that was asked for; None for the default."""
        return self.engine.identity.implementation

    @property
    def stage_count(self) -> int:
        """Number of stages."""
        return len(self.config.stages)

    @property
    def parameters(self) -> Parameters:
        """The numbers of the formula, with the weights of the stages."""
        return self.engine.parameters

    @property
    def threads_help(self) -> bool:
        """Whether `totals` works without the GIL for the most part, so that threads make it faster."""
        return self.engine.threads_help
