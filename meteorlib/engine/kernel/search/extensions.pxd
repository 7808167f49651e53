"""Extensions of states: the choices of a position, with sets of words as bits."""

from libc.stdint cimport int32_t, uint64_t

from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.search.choices cimport NEXT, NOWHERE, Choice, Choices, Extension
from meteorlib.engine.kernel.search.states cimport CLOSED, NO_CHOICE


cdef inline void give_bits(Choices& choices, int32_t position, const Candidate& candidate) noexcept nogil:
    """Words that are covered for the first time get a bit; one that is covered for the last time will lose it."""
    cdef int32_t word, bit
    for word in range(candidate.start, candidate.start + candidate.words):
        if choices.first[word] == choices.last[word]:
            continue
        bit = choices.bits[word]
        if bit < 0:
            bit = choices.free.back()
            choices.free.pop_back()
            choices.bits[word], choices.owners[bit] = bit, word
            choices.live[bit >> 6] |= <uint64_t>1 << (bit & 63)
        elif choices.last[word] == position and (choices.live[bit >> 6] >> (bit & 63)) & 1:
            choices.live[bit >> 6] &= ~(<uint64_t>1 << (bit & 63))
            choices.ending.push_back(word)


cdef inline void leave_out(const Choices& choices, int32_t position, int32_t end, uint64_t* mask) noexcept nogil:
    """Leave out of a set the words that nothing covers behind a position, and nothing at `end` or behind it."""
    cdef int32_t index, bit
    for index in range(choices.last_begins[position + 1], choices.last_begins[end]):
        bit = choices.bits[choices.by_last[index]]
        if bit >= 0:
            mask[bit >> 6] &= ~(<uint64_t>1 << (bit & 63))


cdef inline bint is_uncontested(const Choices& choices) noexcept nogil:
    """Whether a position has one choice, of words that no other position wants: every state takes it."""
    cdef int32_t word
    cdef const Choice* choice = choices.here.data()
    if choices.here.size() != 1 or choice.candidate.length > 1 or choice.apart < 0:
        return False
    for word in range(choice.candidate.start, choice.candidate.start + choice.candidate.words):
        if choices.first[word] < choices.last[word]:
            return False
    return True


cdef inline int find_extensions(Choices& choices, int32_t position, size_t turns) except -1 nogil:
    """Make the extensions of a position where a set is one machine word: what they use, and where they lead to."""
    cdef size_t index, count = choices.here.size()
    cdef int32_t covered, bit
    cdef const Choice* choice
    cdef Extension* extension
    choices.extensions.resize(count + 1)
    choices.longer = 0
    for index in range(count):
        give_bits(choices, position, choices.here[index].candidate)
    for index in range(count):
        choice, extension = &choices.here[index], &choices.extensions[index]
        extension.joined, extension.apart, extension.choice = choice.joined, choice.apart, <int32_t>index
        extension.start, extension.open = choice.candidate.start, choice.candidate.start + choice.candidate.words
        extension.words, extension.kept, extension.turn = 0, choices.live[0], NEXT
        for covered in range(extension.start, extension.open):
            bit = choices.bits[covered]
            if bit >= 0:
                extension.words |= <uint64_t>1 << bit
        if choice.candidate.length > 1:
            leave_out(choices, position, position + choice.candidate.length, &extension.kept)
            extension.turn = <int32_t>((position + choice.candidate.length) & turns)
            choices.longer += 1
        elif choices.starts[extension.open] != position + 1:
            extension.open = CLOSED
        extension.beats = extension.turn == NEXT and extension.apart >= 0 and (extension.words & extension.kept) == 0
    extension = &choices.extensions[count]
    extension.words, extension.kept, extension.joined, extension.apart = 0, choices.live[0], 0, 0
    extension.start, extension.open, extension.choice, extension.turn, extension.beats = NOWHERE, CLOSED, NO_CHOICE, NEXT, False


cdef inline int end_position(Choices& choices) except -1 nogil:
    """Take the bits of words that nothing covers any more."""
    cdef int32_t word
    for word in choices.ending:
        choices.free.push_back(choices.bits[word])
        choices.bits[word] = -1
    choices.ending.clear()
