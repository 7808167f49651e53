"""A face for parts of the compiled kernel that nobody but tests calls from Python."""

from libc.stdint cimport int32_t, uint32_t
from libcpp.vector cimport vector

from meteorlib.compiled.alignment cimport Plan, Work, complete
from meteorlib.compiled.phrases cimport Table, read_phrase
from meteorlib.compiled.words cimport Place, Segment, Span, Word


def described(
    list numbers, const uint32_t[::1] nodes, const uint32_t[::1] last_words, const uint32_t[::1] targets, int times
):
    """All that is known of a segment when it was described so many times.

    Args:
        numbers: of its words in a paraphrase table.
        nodes: of the table, like the other two.
        last_words: see `meteorlib.resources.paraphrases`.
        targets: see there.
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
    plan.phrase_stage = 0
    table.nodes, table.last_words, table.targets = &nodes[0], &last_words[0], &targets[0]
    table.count, table.target_count = len(last_words), len(targets)
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
        "filter": segment.filter,
        "sizes": (segment.size, segment.function_size),
    }
