"""The bound on the moves that branch and bound looks at."""

from __future__ import annotations

from meteorlib.search.staged_branch_and_bound import cheapest

WIDE = 50


class Word:
    """A word that leaves one move after the greedy move of the first word, and many after any other."""

    component = crossed = -1
    effort = 0

    def __init__(self, reference, words):
        self.reference = 2 * reference
        self.reach = (1 << WIDE * words) - 1

    def moves(self, taken):
        first = WIDE * (self.reference // 2)
        if not taken:
            return 0, [(position, 1 << position, position, -1) for position in range(8)]
        places = range(first, first + (1 if taken & 1 else WIDE))
        return 0, [(position, 1 << position, 1, -1) for position in places]


def test_a_search_that_takes_too_long_ends(searches):
    """If a wider search takes more steps than expected, it ends at twice the budget: the greedy solution stays."""
    words = 40
    solution, proven = cheapest([Word(reference, words) for reference in range(words)], 0, 0, 1000)
    assert searches[0] == 8 + words - 1
    assert 2000 < sum(searches[1:]) <= 2000 + 8 * WIDE
    assert not proven
    assert solution.taken == (0, *range(WIDE, WIDE * words, WIDE))
