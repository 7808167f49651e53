"""Digests that identify texts and judgments, and a check for duplicates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.errors import InputMismatch


def digest_of(judgments: Sequence[Judgments]) -> str:
    """Digest of texts and judgments, independent of the order of texts and of language pair names."""
    digest = hashlib.sha256()
    for one in judgments:
        for rows in _rows(one):
            digest.update(json.dumps(sorted(rows), allow_nan=False).encode())
    return digest.hexdigest()


def _rows(one: Judgments) -> Iterator[Iterable[Any]]:
    texts = [
        _row_digest([text.segment, text.system, *text.texts.references, text.texts.hypothesis]) for text in one.texts
    ]
    yield texts
    if one.pairs is not None:
        columns = (one.pairs.better.tolist(), one.pairs.worse.tolist(), one.pairs.count.tolist())
        yield ((texts[better], texts[worse], count) for better, worse, count in zip(*columns, strict=True))
    if one.ratings is not None:
        rated = zip(one.ratings.text.tolist(), one.ratings.value.tolist(), strict=True)
        yield ((texts[place], value) for place, value in rated)


def _row_digest(row: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(row, allow_nan=False).encode()).hexdigest()


def check_different(digests: Mapping[str, str]) -> None:
    """Check that no two names stand for the same judgments.

    Raises:
        InputMismatch: two sets of judgments are identical.
    """
    seen: dict[str, str] = {}
    for name, digest in digests.items():
        if seen.setdefault(digest, name) != name:
            raise InputMismatch(
                f"{seen[digest]} and {name} contain the same texts and judgments; name each set of judgments once"
            )
