from collections.abc import Callable, Sequence
from typing import Any

from meteorlib.caches import BoundedCache
from meteorlib.core.alignment import Match
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters

COUNTS: tuple[str, ...]
BEGINNINGS: tuple[int, ...]
VOCABULARY_LIMIT: int
TOKEN_LIMIT: int
UNIT_NUMBERS_LIMIT: int

class CompiledSegment:
    @property
    def words(self) -> tuple[str, ...]: ...

class CompiledSums:
    segments: int
    empty_hypotheses: int
    empty_references: int
    inexact: int
    def add(self, pairs: list[Pair], known: BoundedCache[CompiledSegment]) -> None: ...
    def exact_sum(self, unit: int) -> int: ...
    def counts(self) -> list[int]: ...

class CompiledEngine:
    def __init__(
        self,
        text: Any,
        stages: Sequence[tuple[str, Any]],
        gains: Sequence[float],
        search: str,
        settings: Any,
        is_function: Callable[[str], bool],
        size: Callable[[str], int] | None,
        unit: int,
        parameters: Parameters,
        case: float | None,
        apart: Callable[[str], tuple[str, int]],
    ) -> None: ...
    def read(self, line: str) -> CompiledSegment: ...
    def analyze(self, words: Sequence[str]) -> CompiledSegment: ...
    def align(
        self, reference: CompiledSegment, hypothesis: CompiledSegment
    ) -> tuple[tuple[Match, ...], list[int], bool, tuple[int, ...] | None]: ...
    def scores(self, references: list[CompiledSegment], hypothesis: CompiledSegment) -> list[float]: ...
    def sums(self, worst: bool) -> CompiledSums: ...
