"""The paraphrase table: numbers of phrases; see `meteorlib.resources.compiler` and `meteorlib.matchers.paraphrase`."""

cdef enum:
    RECENT = 1 << 15

cdef struct Longer:  # an answer of the table
    uint64_t asked
    Phrase phrase

cdef cppclass Table:
    """The arrays of a table, and the answers that it gave last."""
    const uint32_t* starts
    const uint32_t* targets
    const uint32_t* last_words
    const uint32_t* child_ranks
    const uint32_t* children
    const uint64_t* has_children
    vector[Longer] recent


cdef inline Phrase phrase_of(const Table& table, int32_t number) noexcept nogil:
    """All about a phrase."""
    cdef Phrase phrase
    cdef uint64_t bits
    cdef uint32_t rank
    cdef int place = number & 63
    phrase.number = number
    phrase.first_child = phrase.last_child = phrase.first_target = phrase.last_target = 0
    if number < 0:
        return phrase
    phrase.first_target, phrase.last_target = table.starts[number], table.starts[number + 1]
    bits = table.has_children[number >> 6]
    if (bits >> place) & 1:
        rank = table.child_ranks[number >> 6] + meteor_popcount(bits & ((<uint64_t>1 << place) - 1))
        phrase.first_child, phrase.last_child = table.children[rank], table.children[rank + 1]
    return phrase


cdef inline const Phrase* longer(Table& table, const Phrase* phrase, int32_t word) noexcept nogil:
    """The phrase with one more word; its number is -1 where there is none."""
    cdef uint64_t asked = ((<uint64_t>phrase.number + 1) << 32) | <uint32_t>word
    cdef Longer* answer = &table.recent[(asked * <uint64_t>0x9E3779B97F4A7C15) >> 49]
    cdef uint32_t low = phrase.first_child, high = phrase.last_child, middle
    if answer.asked != asked:
        while low < high:
            middle = (low + high) >> 1
            if table.last_words[middle] < <uint32_t>word:
                low = middle + 1
            else:
                high = middle
        if low == phrase.last_child or table.last_words[low] != <uint32_t>word:
            answer.phrase = phrase_of(table, -1)
        else:
            answer.phrase = phrase_of(table, <int32_t>low)
        answer.asked = asked
    return &answer.phrase


cdef inline void find_phrases(Segment& segment, Table& table) noexcept:
    """Every phrase of the table that stands in the segment."""
    cdef int32_t start, stop, length = <int32_t>segment.words.size()
    cdef const Phrase* phrase
    cdef Phrase before  # an answer may be overwritten by the next one
    cdef Place place
    cdef Span span
    for start in range(length):
        phrase = &segment.words[start].phrase
        stop = start
        while phrase.number >= 0:
            stop += 1
            place.phrase, place.start, place.length = <uint32_t>phrase.number, start, stop - start
            segment.phrases.push_back(place)
            segment.filter[(place.phrase >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (place.phrase & 63)
            if phrase.first_target != phrase.last_target:
                span.start, span.length = start, stop - start
                span.first_target, span.last_target = phrase.first_target, phrase.last_target
                segment.spans.push_back(span)
            if stop == length or phrase.first_child == phrase.last_child or segment.words[stop].phrase.number < 0:
                break
            before = phrase[0]
            phrase = longer(table, &before, segment.words[stop].phrase.number)
    sort(segment.phrases.begin(), segment.phrases.end(), meteor_before)
