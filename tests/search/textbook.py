"""METEOR 1.5's beam search as its description reads, step by step: slow, plain, what the beam is measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass
class Path:
    used_reference: frozenset[int]
    used_hypothesis: frozenset[int]
    matches: tuple[tuple[int, int, int, int, int], ...] = ()
    matched: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0
    open: int | None = None


def _words(start: int, length: int) -> frozenset[int]:
    return frozenset(range(start, start + length))


def _take(path: Path, position: int, candidate: tuple[int, int, int, int], gains: Sequence[float]) -> Path:
    length, start, hypothesis_words, stage = candidate
    gain = int(hypothesis_words * gains[stage]) + int(length * gains[stage])
    return replace(
        path,
        used_reference=path.used_reference | _words(position, length),
        used_hypothesis=path.used_hypothesis | _words(start, hypothesis_words),
        matches=(*path.matches, (position, length, start, hypothesis_words, stage)),
        matched=path.matched + gain,
        chunks=path.chunks + (path.open is not None and path.open != start),
        next=position + length,
        open=start + hypothesis_words,
    )


def search(
    candidates: Sequence[Sequence[tuple[int, int, int, int]]],
    hypothesis_length: int,
    gains: Sequence[float],
    width: int,
) -> list[tuple[int, int, int, int, int]]:
    length = len(candidates)
    reference_cover = [0] * length
    hypothesis_cover = [0] * hypothesis_length
    for position, here in enumerate(candidates):
        for reference_words, start, hypothesis_words, _ in here:
            for word in _words(position, reference_words):
                reference_cover[word] += 1
            for word in _words(start, hypothesis_words):
                hypothesis_cover[word] += 1
    fixed = {}
    for position, here in enumerate(candidates):
        if len(here) == 1:
            reference_words, start, hypothesis_words, _ = here[0]
            if all(reference_cover[word] == 1 for word in _words(position, reference_words)) and all(
                hypothesis_cover[word] == 1 for word in _words(start, hypothesis_words)
            ):
                fixed[position] = here[0]
    first = Path(
        frozenset().union(*(_words(position, match[0]) for position, match in fixed.items())),
        frozenset().union(*(_words(match[1], match[2]) for match in fixed.values())),
    )
    paths = [first]
    for current in range(length + 1):
        paths = sorted(paths, key=lambda path: (-path.matched, path.chunks, path.distance))[:width]
        new = []
        for path in paths:
            if current == length:
                new.append(replace(path, chunks=path.chunks + (path.open is not None)))
            elif current in path.used_reference:
                if current < path.next:
                    new.append(path)
                    continue
                match = fixed[path.next]
                taken = _take(path, path.next, match, gains)
                new.append(replace(taken, distance=path.distance + abs(path.next - match[1])))
            else:
                for candidate in candidates[current]:
                    reference_words, start, hypothesis_words, _ = candidate
                    if path.used_reference & _words(current, reference_words):
                        continue
                    if path.used_hypothesis & _words(start, hypothesis_words):
                        continue
                    new.append(_take(path, current, candidate, gains))
                    path = replace(path, distance=path.distance + abs(current - start))  # noqa: PLW2901 – METEOR's habit
                new.append(replace(path, chunks=path.chunks + (path.open is not None), open=None, next=path.next + 1))
        paths = new
    best = sorted(paths, key=lambda path: (-path.matched, path.chunks, path.distance))[0]
    return sorted(best.matches)
