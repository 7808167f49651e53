"""A face for parts of the compiled kernel that nobody but tests calls from Python."""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.alignment cimport Plan, Work, complete
from meteorlib.engine.kernel.match.phrases cimport Table, read_phrase
from meteorlib.engine.kernel.match.spelling cimport Pattern, lay_pattern, least_distance, levenshtein, spell
from meteorlib.engine.kernel.words.words cimport Place, Segment, Span, Spelling, Word


def described(
    list numbers, const uint32_t[::1] nodes, const uint32_t[::1] targets,
    const uint32_t[::1] children, uint32_t room, int times
):
    """All that is known of a segment when it was described so many times.

    Args:
        numbers: of its words in a paraphrase table.
        nodes: of the table; see `meteorlib.resources.meteor_tables`, also for the next three.
        targets: see there.
        children: see there.
        room: see there.
        times: at least 1.
    """
    cdef Plan plan
    cdef Table table
    cdef Segment segment
    cdef Work work
    cdef vector[Word] words
    cdef Word word
    cdef Place place
    cdef Span span
    plan.phrase_stage, plan.joined_stage = 0, -1
    table.nodes, table.targets = &nodes[0], &targets[0]
    table.count, table.target_count = len(nodes) // 3 - 1, len(targets)
    table.children, table.child_places, table.room = &children[0], len(children), room
    table.bits = table.count.bit_length()
    different = sorted(set(numbers))
    for number in different:
        word.id, word.size, word.function = number, 1, number % 2
        read_phrase(table, number, word.phrase)
        words.push_back(word)
    for number in numbers:
        segment.words.push_back(&words[different.index(number)])
    for _ in range(times):
        if not complete(segment, plan, table, work):
            raise ValueError("the table is damaged")
    return {
        "distinct": [segment.distinct[index].id for index in range(segment.distinct.size())],
        "which": segment.which,
        "begins": segment.begins,
        "places": segment.places,
        "openings": segment.openings,
        "spans": [(span.start, span.length, span.first_target, span.last_target) for span in segment.spans],
        "phrases": [(place.phrase, place.start, place.length) for place in segment.phrases],
        "sizes": (segment.size, segment.function_size),
    }


def distances(str word, list others):
    """For each of the others its Levenshtein distance from a word, and what the sets of letters tell of it."""
    cdef vector[int32_t] letters = [ord(letter) for letter in word]
    cdef vector[int32_t] theirs
    cdef Spelling spelling
    cdef Spelling other
    cdef Pattern pattern
    cdef int64_t taken = 0
    spelling.letters, spelling.length, spelling.key_length = letters.data(), len(word), 0
    spell(spelling)
    lay_pattern(spelling, pattern)
    found = []
    for text in others:
        theirs = [ord(letter) for letter in text]
        other.letters, other.length, other.key_length = theirs.data(), len(text), 0
        spell(other)
        found.append((levenshtein(pattern, other, taken), least_distance(spelling.bag, other.bag)))
    return found
