from collections.abc import Callable, Sequence
from typing import Any

from meteorlib.caches import BoundedCache
from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.pair import Pair
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics

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
    def statistics(self) -> Statistics: ...

class Evidence:
    @property
    def score(self) -> float: ...
    @property
    def reference_index(self) -> int: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def grades(self) -> tuple[int, ...] | None: ...
    def matches(self) -> tuple[Match, ...]: ...
    def statistics(self) -> Statistics: ...
    def alignment(self, stages: tuple[str, ...]) -> Alignment: ...

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
    def align(self, reference: CompiledSegment, hypothesis: CompiledSegment, index: int) -> Evidence: ...
    def evidence(self, pairs: list[Pair], known: BoundedCache[CompiledSegment], worst: bool) -> list[Evidence]: ...
    def scores(self, references: list[CompiledSegment], hypothesis: CompiledSegment) -> list[float]: ...
    def sums(self, worst: bool) -> CompiledSums: ...
